"""Graphs of the games: win rate, calibration of guesses, durations of wins.

Imported when the graphs are first shown, because the plotting library takes 0.5 s to load.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, floor
from typing import Any, Final

import numpy as np
import pyqtgraph
from PyQt6.QtCore import QSize, Qt
from PyQt6.QtGui import QColor
from PyQt6.QtWidgets import QFrame, QLabel, QSizePolicy

from bot.lab.statistics import Interval
from bot.solver.phrases import quantity
from gui.graphs import PlainAxis, UnzoomedView
from gui.history.statistics import Bars, Part, Rolling, Statistics
from gui.panel.theme import SPACE, Theme, current_theme, on_theme_change
from gui.panel.widgets import SideBySide, explanation, lay_column


@dataclass(frozen=True)
class PlotLook:
    """Look of a plot; sizes in points."""

    width: int = 300
    height: int = 190
    """Smallest height of a plot in points."""
    nudge: int = 5
    """Points by which pyqtgraph moves an axis label outwards."""
    few: int = 20
    """Number of points of a curve up to which each is marked: a single one has no line."""
    faint: int = 60
    """Opacity of an interval, of 255."""


_PLOT: Final = PlotLook()


class Graphs(SideBySide):
    """Three graphs, side by side or stacked.

    The plot items are created once and then updated: discarded items may be garbage collected in
    any thread, and Qt requires their deletion in this one.
    """

    def __init__(self, rate: _Rate, calibration: _Calibration, times: _Times) -> None:
        self.rate, self.calibration, self.times = rate, calibration, times
        self._graphs: tuple[_Graph, ...] = (rate, calibration, times)
        super().__init__(len(self._graphs) * _PLOT.width)
        for graph in self._graphs:
            self.parts.addWidget(graph, 1)
        on_theme_change(self._recolour)

    def minimumSizeHint(self) -> QSize:
        """Return the size of the graphs one below the other, as the width may become small."""
        return QSize(_PLOT.width, super().minimumSizeHint().height())

    def _recolour(self) -> None:
        for graph in self._graphs:
            graph.recolour(current_theme())

    def show_statistics(self, statistics: Statistics) -> None:
        """Show statistics."""
        self.rate.show_rate(statistics.rolling, statistics.rate)
        self.calibration.show_parts(statistics.calibration)
        self.times.show_times(statistics.times, statistics.median_seconds)


def in_steps() -> Iterator[Graphs | None]:
    """Create the graphs step by step, because doing it at once would block the window.

    The first axis takes 20 ms, each graph 5 to 10 ms.

    Yields:
        None until they are complete.
    """
    axes = {"left": PlainAxis("left"), "bottom": PlainAxis("bottom", whole=True)}
    yield None
    plot = pyqtgraph.PlotItem(axisItems=axes, enableMenu=False)
    yield None
    rate = _Rate(plot)
    yield None
    calibration = _Calibration()
    yield None
    times = _Times()
    yield None
    yield Graphs(rate, calibration, times)


class _Plot(UnzoomedView, pyqtgraph.PlotWidget):  # type: ignore[misc]  # has no types
    """A plot with a small size hint; pyqtgraph's own is larger than the page."""

    def sizeHint(self) -> QSize:
        """Return the smallest size, as a layout treats an invalid hint as zero."""
        return QSize(_PLOT.width, _PLOT.height)


class _Graph(QFrame):
    """A title, a plot and its description."""

    def __init__(self, title: str, x: str, y: str, plot: Any = None) -> None:
        super().__init__()
        self.setProperty("card", True)
        self._axes = {"bottom": x, "left": y}
        heading = QLabel(title)
        heading.setProperty("heading", True)
        if plot is None:
            axes = {side: PlainAxis(side) for side in ("left", "bottom")}
            plot = pyqtgraph.PlotItem(axisItems=axes, enableMenu=False)
        self.view = _Plot(plotItem=plot, enableMenu=False)
        self.view.setMinimumHeight(_PLOT.height)
        self.view.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.view.hideButtons()
        self.view.setMouseEnabled(x=False, y=False)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setAccessibleName(title)
        self.plot: Any = self.view.getPlotItem()
        # The last number of an axis needs space beside it, and pyqtgraph lets an axis label extend
        # beyond the axis by some points and a part of its height.
        out = _PLOT.nudge + self.fontMetrics().height() // 4
        self.plot.layout.setContentsMargins(out, SPACE, 2 * SPACE, out)
        self.plot.showGrid(x=False, y=True, alpha=0.2)
        self.words = explanation(f"{title}, in words")
        lay_column(heading, (self.view, 1), self.words, on=self, margins=SPACE, gap=4)

    def recolour(self, theme: Theme) -> None:
        """Draw the axes in the theme's colours."""
        self.view.setBackground(QColor(theme.card))
        for side, text in self._axes.items():
            axis = self.plot.getAxis(side)
            axis.enableAutoSIPrefix(False)
            axis.setPen(theme.border)
            axis.setTextPen(theme.muted)
            axis.setLabel(text, color=theme.muted)

    def _say(self, words: str, *, drawn: bool) -> None:
        """Set the description, also for screen readers, and hide the axes if nothing is drawn."""
        self.words.setText(words)
        self.view.setAccessibleDescription(words)
        self.plot.setVisible(drawn)


class _Rate(_Graph):
    """The win rate over time."""

    def __init__(self, plot: Any) -> None:
        super().__init__("Win rate", "finished games", "won, %", plot)
        nothing = pyqtgraph.mkPen(None)
        self._low, self._high = (pyqtgraph.PlotDataItem(pen=nothing) for _ in range(2))
        self._band = pyqtgraph.FillBetweenItem(self._low, self._high)
        self.curve = pyqtgraph.PlotDataItem()
        self._all = pyqtgraph.InfiniteLine(angle=0)
        self._interval = pyqtgraph.ErrorBarItem(x=np.zeros(1), y=np.zeros(1), beam=0.1)
        for part in (self._low, self._high, self._band, self._interval, self.curve, self._all):
            self.plot.addItem(part)

    def recolour(self, theme: Theme) -> None:
        """Draw the curve in the theme's colours."""
        super().recolour(theme)
        faint = QColor(theme.accent)
        faint.setAlpha(_PLOT.faint)
        self._band.setBrush(faint)
        self.curve.setPen(_pen(theme.accent, 2))
        self.curve.setSymbolBrush(theme.accent)
        self.curve.setSymbolPen(theme.card)
        self._interval.setData(pen=_pen(theme.accent, 1.5))
        self._all.setPen(_pen(theme.text, 1, Qt.PenStyle.DashLine))

    def show_rate(self, rolling: Rolling | None, rate: Interval | None) -> None:
        """Show the rolling win rate and the overall rate."""
        if rolling is None or rate is None:
            self._say("Shown from ten games on; a rate of fewer games means little.", drawn=False)
            return
        self._low.setData(rolling.game, 100 * rolling.low)
        self._high.setData(rolling.game, 100 * rolling.high)
        points = len(rolling.game)
        self.curve.setData(
            rolling.game,
            100 * rolling.rate,
            symbol="o" if points <= _PLOT.few else None,
            symbolSize=8,
        )
        rate_now = 100 * rolling.rate
        self._interval.setData(
            x=rolling.game,
            y=rate_now,
            top=100 * rolling.high - rate_now,
            bottom=rate_now - 100 * rolling.low,
        )
        # With several points, the band shows the intervals.
        self._interval.setVisible(points == 1)
        self._all.setValue(100 * rate.value)
        low, high = 100 * float(rolling.low.min()), 100 * float(rolling.high.max())
        self.plot.setYRange(10 * floor(low / 10), 10 * ceil(high / 10), padding=0)
        first, last = int(rolling.game[0]), int(rolling.game[-1])
        around = int(first == last)
        self.plot.setXRange(first - around, last + around, padding=0.02)
        self._say(
            f"Win rate of the last {rolling.window:,} games, with its 95% interval. Dashed line: "
            f"rate of all games, {rate.value:.1%}.",
            drawn=True,
        )


class _Calibration(_Graph):
    """The share of guesses that hit a mine against their stated risk."""

    def __init__(self) -> None:
        super().__init__("Guess calibration", "predicted risk, %", "mines, %")
        self._honest = pyqtgraph.PlotDataItem([0, 100], [0, 100])
        self._intervals = pyqtgraph.ErrorBarItem(x=np.zeros(1), y=np.zeros(1), beam=2)
        self.points = pyqtgraph.PlotDataItem(pen=None, symbol="o", symbolSize=8)
        for part in (self._honest, self._intervals, self.points):
            self.plot.addItem(part)
        for side in ("bottom", "left"):
            self.plot.getAxis(side).setTicks([[(tick, str(tick)) for tick in range(0, 101, 20)]])
        self.plot.setXRange(0, 100, padding=0.02)
        self.plot.setYRange(0, 100, padding=0.02)

    def recolour(self, theme: Theme) -> None:
        """Draw the points in the theme's colours."""
        super().recolour(theme)
        self._honest.setPen(_pen(theme.muted, 1, Qt.PenStyle.DashLine))
        self._intervals.setData(pen=_pen(theme.accent, 1.5))
        self.points.setSymbolBrush(theme.accent)
        self.points.setSymbolPen(theme.card)

    def show_parts(self, parts: tuple[Part, ...]) -> None:
        """Show a point for all guesses with similar risks."""
        if not parts:
            words = "No guesses yet."
            self._say(words, drawn=False)
            return
        x = np.array([100 * part.stated for part in parts])
        came, low, high = 100 * np.array([part.came for part in parts]).T
        self._intervals.setData(x=x, y=came, top=high - came, bottom=came - low)
        self.points.setData(x, came)
        guesses = sum(part.guesses for part in parts)
        kept = sum(part.came.low <= part.stated <= part.came.high for part in parts)
        self._say(
            f"{quantity(guesses, 'guess')} with an exact risk, without first clicks. If the "
            "predicted risks are correct, the dashed line crosses most of the 95% intervals: here "
            f"{kept} of {len(parts)}.",
            drawn=True,
        )


class _Times(_Graph):
    """The durations of the wins."""

    def __init__(self) -> None:
        axes = {"left": PlainAxis("left", whole=True), "bottom": PlainAxis("bottom")}
        plot = pyqtgraph.PlotItem(axisItems=axes, enableMenu=False)
        super().__init__("Win times", "seconds", "games", plot)
        self.bars = pyqtgraph.BarGraphItem(x0=[0], width=[1], height=[0])
        self._median = pyqtgraph.InfiniteLine(angle=90)
        for part in (self.bars, self._median):
            self.plot.addItem(part)

    def recolour(self, theme: Theme) -> None:
        """Draw the bars in the theme's colours."""
        super().recolour(theme)
        self.bars.setOpts(brush=theme.accent, pen=_pen(theme.card, 1))
        self._median.setPen(_pen(theme.text, 1, Qt.PenStyle.DashLine))

    def show_times(self, bars: Bars | None, median: float | None) -> None:
        """Show a histogram and the median."""
        if bars is None or median is None:
            self._say("No win was observed from its first click.", drawn=False)
            return
        widths = np.diff(bars.edges)
        self.bars.setOpts(x0=bars.edges[:-1], width=widths, height=bars.counts)
        self._median.setValue(median)
        self.plot.setXRange(bars.edges[0], bars.edges[-1], padding=0.02)
        self.plot.setYRange(0, max(int(bars.counts.max()), 1), padding=0.05)
        self._say(
            f"{quantity(int(bars.counts.sum()), 'game')} won. Dashed line: median, {median:.2f} s. "
            "The last bar contains the slowest 1%.",
            drawn=True,
        )


def _pen(colour: str, width: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> Any:
    return pyqtgraph.mkPen(colour, width=width, style=style)
