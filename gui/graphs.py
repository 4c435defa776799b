"""Graphs of measurements, drawn by pyqtgraph into picture files: no window is shown."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyqtgraph
from PyQt6.QtCore import QRectF, Qt
from PyQt6.QtGui import QImage, QPainter
from PyQt6.QtWidgets import QApplication

from bot.lab.statistics import Interval

SIZE: Final = (900, 560)
"""Width and height of a picture in points; it is drawn at twice as many pixels."""

_DENSITY: Final = 2
_NAMES: Final = 170
"""Width of the column of names in points."""
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a7a00")
"""Okabe and Ito's, which people with any colour vision tell apart."""
_SYMBOLS: Final = ("o", "s", "t", "d", "+", "x", "star")


@dataclass(frozen=True)
class Line:
    """One player's line."""

    name: str
    points: tuple[tuple[float, Interval], ...]
    """(x, y with its interval), by x."""


@dataclass(frozen=True)
class Graph:
    """What is drawn."""

    title: str
    x: str
    y: str
    lines: tuple[Line, ...]
    logarithmic: bool = False
    """Whether y is."""
    ticks: tuple[tuple[float, str], ...] = ()
    """Words along x instead of numbers."""


class GraphError(Exception):
    """A graph that cannot be written; the message names the file."""


def draw(graphs: Sequence[Graph], path: Path) -> None:
    """Draw graphs one below the other into a PNG.

    Raises:
        GraphError: The file cannot be written.
    """
    if QApplication.instance() is None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication.instance() or QApplication([])
    pyqtgraph.setConfigOptions(antialias=True)
    canvas = pyqtgraph.GraphicsLayoutWidget()
    canvas.setBackground("w")
    canvas.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    for place, graph in enumerate(graphs):
        plot = canvas.addPlot(row=place, col=0)
        names = pyqtgraph.LegendItem(labelTextColor="#222", verSpacing=2)
        names.setParentItem(canvas.addViewBox(row=place, col=1, enableMouse=False))
        names.anchor((0, 0), (0, 0), offset=(0, 30))
        _plot(plot, names, graph)
    canvas.ci.layout.setColumnFixedWidth(1, _NAMES)
    canvas.resize(SIZE[0], SIZE[1] * len(graphs))
    canvas.show()
    application.processEvents()
    picture = QImage(_DENSITY * canvas.size(), QImage.Format.Format_RGB32)
    picture.setDevicePixelRatio(_DENSITY)
    with QPainter(picture) as painter:
        canvas.render(painter, QRectF(canvas.rect()), canvas.rect())
    canvas.close()
    if not picture.save(str(path), "PNG"):
        raise GraphError(f"{path}: the picture cannot be written")


def _plot(plot: Any, names: Any, graph: Graph) -> None:
    plot.setTitle(graph.title, color="#222", size="13pt")
    plot.setLabel("bottom", graph.x, color="#222")
    plot.setLabel("left", graph.y, color="#222")
    plot.setLogMode(y=graph.logarithmic)
    plot.showGrid(x=True, y=True, alpha=0.2)
    if graph.ticks:
        plot.getAxis("bottom").setTicks([list(graph.ticks)])
    for axis in ("bottom", "left"):
        plot.getAxis(axis).enableAutoSIPrefix(False)
        plot.getAxis(axis).setTextPen("#222")
    for number, line in enumerate(graph.lines):
        colour = _COLOURS[number % len(_COLOURS)]
        x = np.array([at for at, _ in line.points])
        y = np.array([value.value for _, value in line.points])
        # After one round of colours the symbols go on by one: no pair comes again soon.
        symbol = _SYMBOLS[(number + number // len(_COLOURS)) % len(_SYMBOLS)]
        curve = plot.plot(
            x, y, pen=pyqtgraph.mkPen(colour, width=2), symbol=symbol,
            symbolBrush=colour, symbolPen=colour, symbolSize=7,
        )  # fmt: skip
        names.addItem(curve, line.name)
        if not graph.logarithmic:
            low = np.array([value.low for _, value in line.points])
            high = np.array([value.high for _, value in line.points])
            bars = pyqtgraph.ErrorBarItem(
                x=x, y=(low + high) / 2, height=high - low, beam=0, pen=pyqtgraph.mkPen(colour)
            )
            plot.addItem(bars)
