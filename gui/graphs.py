"""Graphs of measurements, drawn by pyqtgraph to picture files without a window."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyqtgraph
from PyQt6.QtCore import QBuffer, QIODevice, QRectF, Qt
from PyQt6.QtGui import QColor, QFontMetrics, QImage, QPainter, QWheelEvent
from PyQt6.QtWidgets import QApplication

from bot.lab.statistics import Interval
from gui.number_text import number_text
from vision.files import write_whole

SIZE: Final = (900, 560)
"""Width and height of a picture in points; it has twice as many pixels."""


@dataclass(frozen=True)
class Sizes:
    """Sizes of graphs, in points."""

    density: int = 2
    sign: int = 50
    """Width of a line's symbol and the gaps around it in points."""
    names: int = 170
    """Least width of the column of names in points."""
    plot: int = 320
    """Height of a graph in a narrow place in points, without the names below it."""
    name: int = 25
    """Height of a name below a graph in points."""
    margins: int = 20
    """Height of the margins around these names in points."""


_SIZES: Final = Sizes()

_INK: Final = "#222"
"""Colour of texts and axes."""
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a7a00")
"""Okabe and Ito's colours, which are distinguishable with any colour vision."""
_SHADES: Final = 16
_SYMBOLS: Final = ("o", "s", "t", "d", "+", "x", "star")


@dataclass(frozen=True)
class Line:
    """A line of one player."""

    name: str
    points: tuple[tuple[float, Interval], ...]
    """(x, y with its interval), by x."""


@dataclass(frozen=True)
class Graph:
    """A graph with its lines and axes."""

    title: str
    x: str
    y: str
    lines: tuple[Line, ...]
    logarithmic: bool = False
    """Whether the y axis is logarithmic."""
    logarithmic_x: bool = False
    ticks: tuple[tuple[float, str], ...] = ()
    """Texts along x instead of numbers."""


class GraphError(Exception):
    """A graph cannot be written; the message names the file."""


class UnzoomedView:
    """A mixin for pyqtgraph's views that leaves the wheel to the page that scrolls."""

    def wheelEvent(self, event: QWheelEvent | None) -> None:
        """Pass the wheel on; pyqtgraph accepts it even where nothing is zoomed."""
        if event is not None:
            event.ignore()


class _Canvas(UnzoomedView, pyqtgraph.GraphicsLayoutWidget):  # type: ignore[misc]  # has no types
    """Graphs one below the other."""


class PlainAxis(pyqtgraph.AxisItem):  # type: ignore[misc]  # has no types
    """An axis with plain numbers, while pyqtgraph's own switches to 1e+05.

    Args:
        side: Of the plot.
        whole: Whether only whole numbers make sense.
    """

    def __init__(self, side: str, *, whole: bool = False) -> None:
        super().__init__(side)
        self._whole = whole

    def tickSpacing(  # noqa: N802 - pyqtgraph's name
        self, low: float, high: float, size: float
    ) -> list[tuple[float, float]]:
        """Return the distances and offsets of large and small ticks."""
        spacings: list[tuple[float, float]] = super().tickSpacing(low, high, size)
        if not self._whole:
            return spacings
        return [(max(1.0, apart), begin) for apart, begin in spacings]

    def tickStrings(  # noqa: N802 - pyqtgraph's name
        self, values: Sequence[float], scale: float, spacing: float
    ) -> list[str]:
        """Return the texts of ticks, with enough digits to distinguish them."""
        decimals = max(0, ceil(-log10(spacing * scale))) if spacing * scale > 0 else 0
        return [f"{value * scale:,.{decimals}f}" for value in values]


def draw(graphs: Sequence[Graph], path: Path) -> None:
    """Draw graphs one below the other to a PNG.

    Raises:
        GraphError: The file cannot be written.
    """
    if QApplication.instance() is None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication.instance() or QApplication([])
    image = picture(graphs)
    del application
    write(image, path)


def picture(graphs: Sequence[Graph]) -> QImage:
    """Return graphs one below the other, dark on white; needs an application."""
    shown = canvas(graphs)
    shown.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    shown.resize(SIZE[0], SIZE[1] * len(graphs))
    shown.show()
    QApplication.processEvents()
    image = QImage(_SIZES.density * shown.size(), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(_SIZES.density)
    with QPainter(image) as painter:
        shown.render(painter, QRectF(shown.rect()), shown.rect())
    shown.close()
    return image


def write(image: QImage, path: Path) -> None:
    """Write a picture of graphs as a PNG; callable in any thread.

    Raises:
        GraphError: The file cannot be written.
    """
    small = image.convertToFormat(
        QImage.Format.Format_Indexed8, _palette(), Qt.ImageConversionFlag.ThresholdDither
    )
    data = QBuffer()
    data.open(QIODevice.OpenModeFlag.WriteOnly)
    small.save(data, "PNG", quality=0)
    try:
        write_whole(path, data.data().data())
    except OSError as error:
        raise GraphError(f"{path}: the picture cannot be written ({error.strerror})") from error


def canvas(graphs: Sequence[Graph]) -> Any:
    """Return a widget with graphs one below the other, dark on white."""
    made = empty_canvas("#fff")
    for _ in filled(made, graphs):
        pass
    return made


def empty_canvas(ground: str) -> Any:
    """Return an empty widget for graphs with this background, as #rgb or #rrggbb."""
    pyqtgraph.setConfigOptions(antialias=True)
    made = _Canvas()
    made.setBackground(ground)
    return made


def filled(
    made: Any, graphs: Sequence[Graph], ink: str = _INK, *, small: bool = False
) -> Iterator[None]:
    """Add graphs to an empty canvas step by step, as doing it at once would block a window.

    Args:
        made: Shows the graphs one below the other, each with the names of its lines.
        graphs: From the top.
        ink: Colour of the texts and axes, as #rgb or #rrggbb.
        small: For a narrow place: small titles, and the names below each graph.

    Yields:
        None after each step.
    """
    if not small:
        made.ci.layout.setColumnFixedWidth(1, max(_SIZES.names, _width_for_names(graphs)))
    for place, graph in enumerate(graphs):
        axes = {}
        for side in ("left", "bottom"):
            axes[side] = PlainAxis(side)
            yield
        plot = made.addPlot(row=2 * place, col=0, axisItems=axes)
        yield
        names = pyqtgraph.LegendItem(labelTextColor=ink, verSpacing=2)
        row, col = (2 * place + 1, 0) if small else (2 * place, 1)
        names.setParentItem(made.addViewBox(row=row, col=col, enableMouse=False))
        names.anchor((0, 0), (0, 0), offset=(0, 0 if small else 30))
        if small:
            made.ci.layout.setRowFixedHeight(row, _names_height(graph))
        yield
        _dress(plot, graph, ink)
        if small:
            plot.setTitle(escape(graph.title), color=ink, size="9pt")
        yield
        for number, line in enumerate(graph.lines):
            _draw_line(plot, names, number, line, graph)
            yield


def small_height(graphs: Sequence[Graph]) -> int:
    """Return the height in points that graphs need in a narrow place."""
    return sum(_SIZES.plot + _names_height(graph) for graph in graphs)


def _names_height(graph: Graph) -> int:
    return _SIZES.margins + _SIZES.name * len(graph.lines)


def _width_for_names(graphs: Sequence[Graph]) -> int:
    """Return the width in points of the longest name with its symbol."""
    metrics = QFontMetrics(QApplication.font())
    names = [line.name for graph in graphs for line in graph.lines]
    return _SIZES.sign + max(map(metrics.horizontalAdvance, names), default=0)


def _palette() -> list[int]:
    """Return tints of each line's colour, and greys, to save two thirds of the file's size."""
    inks = [QColor(colour) for colour in (*_COLOURS, _INK, "#000")]
    white = QColor("white")
    return [
        QColor(*(
            (part * step + paper * (_SHADES - step)) // _SHADES
            for part, paper in zip(ink.getRgb(), white.getRgb(), strict=True)
        )).rgb()
        for ink in inks
        for step in range(_SHADES + 1)
    ]  # fmt: skip


def _dress(plot: Any, graph: Graph, ink: str) -> None:
    """Set the title and the axes."""
    plot.setMouseEnabled(x=False, y=False)
    plot.setMenuEnabled(False)
    plot.hideButtons()
    # Titles and names come from files of results, and pyqtgraph would render them as HTML.
    plot.setTitle(escape(graph.title), color=ink, size="13pt")
    plot.setLabel("bottom", escape(graph.x), color=ink)
    plot.setLabel("left", escape(graph.y), color=ink)
    plot.setLogMode(x=graph.logarithmic_x, y=graph.logarithmic)
    plot.showGrid(x=True, y=True, alpha=0.2)
    if graph.ticks:
        plot.getAxis("bottom").setTicks([list(graph.ticks)])
    for axis in ("bottom", "left"):
        plot.getAxis(axis).enableAutoSIPrefix(False)
        plot.getAxis(axis).setTextPen(ink)
    points = [point for line in graph.lines for point in line.points]
    if graph.logarithmic:
        plot.getAxis("left").setTicks([_ticks([value.value for _, value in points])])
    if graph.logarithmic_x:
        plot.getAxis("bottom").setTicks([_ticks([at for at, _ in points])])


def _draw_line(plot: Any, names: Any, number: int, line: Line, graph: Graph) -> None:
    """Draw the line of this number with its intervals and its name."""
    colour = _COLOURS[number % len(_COLOURS)]
    x = np.array([at for at, _ in line.points])
    y = np.array([value.value for _, value in line.points])
    symbol = _SYMBOLS[number % len(_SYMBOLS)]
    style = Qt.PenStyle.SolidLine if number < len(_COLOURS) else Qt.PenStyle.DashLine
    curve = plot.plot(
        x, y, pen=pyqtgraph.mkPen(colour, width=2, style=style), symbol=symbol,
        symbolBrush=colour, symbolPen=colour, symbolSize=7,
    )  # fmt: skip
    names.addItem(curve, escape(line.name))
    if not graph.logarithmic:
        low = np.array([value.low for _, value in line.points])
        high = np.array([value.high for _, value in line.points])
        bars = pyqtgraph.ErrorBarItem(
            x=np.log10(x) if graph.logarithmic_x else x,
            y=(low + high) / 2,
            height=high - low,
            beam=0,
            pen=pyqtgraph.mkPen(colour),
        )
        plot.addItem(bars)


def _ticks(values: Sequence[float]) -> list[tuple[float, str]]:
    """Return 1, 2 and 5 of each power of ten on a logarithmic axis: (position, text)."""
    values = [value for value in values if value > 0]
    if not values:
        return []
    powers = range(floor(log10(min(values))), ceil(log10(max(values))) + 1)
    steps = [step * 10.0**power for power in powers for step in (1, 2, 5)]
    return [(log10(step), number_text(step)) for step in steps]
