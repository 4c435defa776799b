"""The games as graphs: how the win rate went, whether guesses keep their word, times of wins.

Imported when graphs are looked at for the first time: the plots' library takes half a second.
"""

from __future__ import annotations

from math import ceil, floor
from typing import Any, Final

import numpy as np
import pyqtgraph
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QColor
from PyQt6.QtWidgets import QFrame, QLabel, QSizePolicy, QVBoxLayout, QWidget

from gui.history.figures import Bars, Figures, Part, Rolling
from gui.history.reflow import Reflow
from gui.panel.labels import explanation
from gui.panel.theme import SPACE, Theme

_WIDTH: Final = 300
_HEIGHT: Final = 190
"""Points of a plot at the least."""
_FAINT: Final = 60
"""Of 255: how much of its colour an interval has."""
_TOO_FEW: Final = "Too few games"


class Graphs(Reflow):
    """Three graphs, beside each other or below.

    Args:
        theme: Colours.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        self.rate = _Graph("Win rate", "games played to their end", "won, %")
        self.calibration = _Graph(
            "Guesses: said and come true", "risk that was said, %", "mines, %"
        )
        self.times = _Graph("Times of the wins", "seconds", "games")
        self._graphs = (self.rate, self.calibration, self.times)
        super().__init__(self._graphs, _WIDTH, parent)
        self._theme = theme
        self._shown: Figures | None = None

    def set_theme(self, theme: Theme) -> None:
        """Draw all again in other colours."""
        self._theme = theme
        if self._shown is not None:
            self.show_figures(self._shown)

    def show_figures(self, told: Figures) -> None:
        """Draw what there is."""
        self._shown = told
        for graph in self._graphs:
            graph.begin(self._theme)
        _draw_rate(self.rate, told.rolling, told, self._theme)
        _draw_calibration(self.calibration, told.calibration, self._theme)
        _draw_times(self.times, told.times, told, self._theme)


class _Graph(QFrame):
    """A title, a plot and what it says in words."""

    def __init__(self, title: str, x: str, y: str) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.title = title
        self._axes = {"bottom": x, "left": y}
        heading = QLabel(title)
        heading.setProperty("heading", True)
        self.view = pyqtgraph.PlotWidget()
        self.view.setMinimumHeight(_HEIGHT)
        # Its own hint is larger than the page.
        self.view.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.view.setMenuEnabled(False)
        self.view.hideButtons()
        # The wheel scrolls the page.
        self.view.setMouseEnabled(x=False, y=False)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setAccessibleName(title)
        self.plot: Any = self.view.getPlotItem()
        # The last number of an axis needs room beside it.
        self.plot.layout.setContentsMargins(0, SPACE, 2 * SPACE, 0)
        self.words = explanation(f"{title}, in words")
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        column.setSpacing(4)
        column.addWidget(heading)
        column.addWidget(self.view, 1)
        column.addWidget(self.words)

    def begin(self, theme: Theme) -> None:
        """Nothing is drawn; the axes are in the theme's colours."""
        self.plot.clear()
        self.view.setBackground(QColor(theme.card))
        for side, text in self._axes.items():
            axis = self.plot.getAxis(side)
            axis.enableAutoSIPrefix(False)
            axis.setPen(theme.border)
            axis.setTextPen(theme.muted)
            axis.setLabel(text, color=theme.muted)
        self.plot.showGrid(x=False, y=True, alpha=0.2)

    def say(self, words: str) -> None:
        """What it shows, for those who do not see it too."""
        self.words.setText(words)
        self.view.setAccessibleDescription(words)


def _draw_rate(graph: _Graph, rolling: Rolling | None, told: Figures, theme: Theme) -> None:
    if rolling is None or told.rate is None:
        graph.say(f"{_TOO_FEW} so far: ten are needed.")
        return
    low, high = 100 * float(rolling.low.min()), 100 * float(rolling.high.max())
    graph.plot.setYRange(10 * floor(low / 10), 10 * ceil(high / 10), padding=0)
    _band(graph, rolling, theme)
    graph.plot.plot(rolling.game, 100 * rolling.rate, pen=_pen(theme.accent, 2))
    graph.plot.addItem(_level(100 * told.rate.value, theme))
    graph.plot.setXRange(rolling.game[0], max(rolling.game[-1], rolling.game[0] + 1), padding=0.02)
    graph.say(
        f"Of the last {rolling.window:,} games at each point, with its 95 % interval; the dashed "
        f"line is the rate of all: {told.rate.value:.1%}."
    )


def _band(graph: _Graph, rolling: Rolling, theme: Theme) -> None:
    invisible = pyqtgraph.mkPen(None)
    low = pyqtgraph.PlotDataItem(rolling.game, 100 * rolling.low, pen=invisible)
    high = pyqtgraph.PlotDataItem(rolling.game, 100 * rolling.high, pen=invisible)
    graph.plot.addItem(low)
    graph.plot.addItem(high)
    graph.plot.addItem(pyqtgraph.FillBetweenItem(low, high, brush=_faint(theme)))


def _draw_calibration(graph: _Graph, parts: tuple[Part, ...], theme: Theme) -> None:
    for side in ("bottom", "left"):
        graph.plot.getAxis(side).setTicks([[(tick, str(tick)) for tick in range(0, 101, 20)]])
    graph.plot.setXRange(0, 100, padding=0.02)
    graph.plot.setYRange(0, 100, padding=0.02)
    graph.plot.plot([0, 100], [0, 100], pen=_pen(theme.muted, 1, Qt.PenStyle.DashLine))
    if not parts:
        graph.say("No guess was taken: nothing can be said of their risks.")
        return
    x = np.array([100 * part.stated for part in parts])
    came = 100 * np.array([part.came for part in parts])
    graph.plot.addItem(
        pyqtgraph.ErrorBarItem(
            x=x,
            y=came[:, 0],
            top=came[:, 2] - came[:, 0],
            bottom=came[:, 0] - came[:, 1],
            beam=2,
            pen=_pen(theme.accent, 1.5),
        )
    )
    graph.plot.plot(
        x, came[:, 0], pen=None, symbol="o", symbolSize=8,
        symbolBrush=theme.accent, symbolPen=theme.card,
    )  # fmt: skip
    guesses = sum(part.guesses for part in parts)
    kept = sum(part.came.low <= part.stated <= part.came.high for part in parts)
    graph.say(
        f"{guesses:,} guesses of exact risk, first clicks left out. Where the risks are honest "
        f"the dashed line runs through the 95 % intervals: through {kept} of {len(parts)}."
    )


def _draw_times(graph: _Graph, bars: Bars | None, told: Figures, theme: Theme) -> None:
    if bars is None or told.median_seconds is None:
        graph.say("No win that was seen from its first click.")
        return
    widths = np.diff(bars.edges)
    graph.plot.addItem(
        pyqtgraph.BarGraphItem(
            x0=bars.edges[:-1],
            width=widths,
            height=bars.counts,
            brush=theme.accent,
            pen=_pen(theme.card, 1),
        )
    )
    graph.plot.addItem(_level(told.median_seconds, theme, angle=90))
    graph.plot.setXRange(bars.edges[0], bars.edges[-1], padding=0.02)
    graph.plot.setYRange(0, max(int(bars.counts.max()), 1), padding=0.05)
    graph.say(
        f"{int(bars.counts.sum()):,} games won; the dashed line is the median: "
        f"{told.median_seconds:.2f} s. The slowest hundredth is in the last bar."
    )


def _level(value: float, theme: Theme, angle: int = 0) -> Any:
    return pyqtgraph.InfiniteLine(value, angle=angle, pen=_pen(theme.text, 1, Qt.PenStyle.DashLine))


def _pen(colour: str, width: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> Any:
    return pyqtgraph.mkPen(colour, width=width, style=style)


def _faint(theme: Theme) -> QColor:
    colour = QColor(theme.accent)
    colour.setAlpha(_FAINT)
    return colour
