"""The displays of Assist: the coach's advice, and marks over the game's own window.

The window with the marks has their shape and takes no input: every click reaches the game, and only
the marks are visible, on X11 without a compositor too. They are the panel's own marks, painted by
the same functions (`gui/panel/marks.py`), so that its legend explains them. The reader captures
only the game's window (`Screen.select_window`) and never sees them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QObject, QRect, QRectF, Qt
from PyQt6.QtGui import QColor, QPainter, QPaintEvent, QRegion
from PyQt6.QtWidgets import QFrame, QLabel, QSizePolicy

from bot.assist.coach import GameReview, MoveKind, Verdict, review_game
from bot.assist.watcher import WatchedTurn
from bot.board import FLAG, Board, Cell
from bot.frame import Grid, Status
from bot.loop import Turn
from gui.panel.cell_label import CellLabel
from gui.panel.marks import ON_PROOF, paint_chip, paint_move
from gui.panel.overlay import Overlay
from gui.panel.placement import logical
from gui.panel.theme import SPACE, restyle
from gui.panel.widgets import column_of, explanation, lay_row, scrolled, wrapped_label
from gui.runner.restart import is_new_game
from vision.desktop import desktop

_NOTHING_YET: Final = "Play. I comment when you miss something."
_WORDS: Final = {
    MoveKind.FIRST: "First click: nothing is known yet.",
    MoveKind.SAFE: "Good: that cell was proved safe.",
    MoveKind.UNCLEAR: "One click opened several cells; which one was clicked is not known.",
}
_BULLET: Final = "\N{BULLET} "


@dataclass(frozen=True)
class MarkSizes:
    """Sizes of a mark on a cell."""

    side: float = 0.46
    """Side of a mark as a share of a cell: it stays in its corner, away from a flag in the
    middle."""
    least: int = 9
    """Least size of a distinguishable mark, in pixels."""
    ring: int = 3
    """Pixels that the ring around the cell to open next adds to a mark's side."""


_MARK: Final = MarkSizes()

_RIM: Final = QColor("#1b2430")
"""The rim of an unproved cell's mark, whose colour may be as light as a tile's."""


class CoachCard(QFrame):
    """A card with the coach's advice, shown only while the user plays."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        heading = QLabel("Coach")
        heading.setProperty("heading", True)
        self.line = CellLabel("The coach's comment on the last move")
        self.line.setAlignment(Qt.AlignmentFlag.AlignTop)
        # Always reserve two lines so that the board does not move when the text changes.
        self.line.setMinimumHeight(2 * self.line.fontMetrics().lineSpacing())
        self.statistics = explanation("Statistics of this game")
        self.points = wrapped_label("What to learn from this game")
        for label in (self.line, self.points):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        heading.setAlignment(Qt.AlignmentFlag.AlignTop)
        texts = scrolled(column_of(self.line, self.statistics, self.points))
        texts.setMinimumHeight(self.line.minimumHeight())
        lay_row(heading, (texts, 1), on=self, margins=(SPACE - 2, SPACE, SPACE - 2, SPACE))
        # The review of a game is long: in a low window it scrolls, below the board.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.clear()
        self.hide()

    def clear(self) -> None:
        """Show that nothing has been played yet."""
        self._show(_NOTHING_YET, "")

    def show_verdict(self, verdict: Verdict) -> None:
        """Show the verdict on a move; a good move gets only a short confirmation."""
        text = str(verdict) or _WORDS.get(verdict.kind, "")
        if text:
            self._show(text, "note" if verdict.better is not None else "")

    def sum_up(self, review: GameReview) -> None:
        """Show the review of a game."""
        self._show(review.headline, "")
        self.statistics.setText(f"{review.statistics}.")
        self.points.setText("\n".join(f"{_BULLET}{point}" for point in review.points))
        self.statistics.show()
        self.points.show()

    def _show(self, text: str, kind: str) -> None:
        self.line.setText(text)
        self.line.setAccessibleDescription(text)
        self.statistics.hide()
        self.points.hide()
        if self.property("message") != kind:
            self.setProperty("message", kind)
            restyle(self)


class Mark(NamedTuple):
    """A mark on a cell."""

    cell: Cell
    risk: float
    """The probability of a mine; 0.0 and 1.0 are proofs."""
    best: bool
    """Whether this is the cell to open next."""


def marks_of(turn: WatchedTurn) -> tuple[Mark, ...]:
    """Return the marks of a turn: proofs, cells that touch a hint, and the cell to open next.

    A mine that carries a flag gets no mark.
    """
    if turn.analysis is None or turn.reading.status is not Status.PLAYING:
        return ()
    board, probability = turn.reading.board, turn.analysis.mine_probability
    best = {move.cell for move in turn.moves}
    touching = _beside_hints(board)
    marks = []
    for row, col in np.argwhere(~np.isnan(probability)).tolist():
        cell, risk = Cell(row, col), float(probability[row, col])
        if risk == 1.0:
            if board[cell] != FLAG:
                marks.append(Mark(cell, risk, best=False))
        elif risk == 0.0 or touching[cell] or cell in best:
            marks.append(Mark(cell, risk, cell in best))
    return tuple(marks)


def _beside_hints(board: Board) -> NDArray[np.bool_]:
    opened = np.pad(board.tiles >= 0, 1)
    around = [
        opened[down : down + board.rows, right : right + board.cols]
        for down in range(3)
        for right in range(3)
    ]
    beside: NDArray[np.bool_] = np.logical_or.reduce(around)
    return beside


class MarksOverlay(Overlay):
    """The newest turn's marks, shown over its board."""

    def __init__(self) -> None:
        super().__init__("Marks over the game")
        self._marks: tuple[Mark, ...] = ()
        self._grid: Grid | None = None

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The marks that are drawn while the window is shown."""
        return self._marks

    def show_turn(self, turn: WatchedTurn) -> None:
        """Draw the marks of a turn at its board's current position; hide if there are none."""
        marks = marks_of(turn) if turn.markable else ()
        grid = turn.reading.grid
        if not marks:
            self.hide()
            return
        if (marks, grid) != (self._marks, self._grid) or not self.isVisible():
            self._marks, self._grid = marks, grid
            self.setGeometry(logical(grid.region))
            scale = self._scale(grid)
            self.setMask(shape_of(placed(marks, grid, scale), scale))
            self.update()
            self.show()
        # A window manager may have raised the game when it was clicked.
        self.raise_()

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Paint all marks; the window's shape clips the rest."""
        if self._grid is not None:
            painter = QPainter(self)
            scale = self._scale(self._grid)
            paint_marks(painter, placed(self._marks, self._grid, scale), scale)
            painter.end()

    def _scale(self, grid: Grid) -> float:
        """Return the size of the game's pixel in points of this window."""
        return self.width() / (grid.region.width * grid.scale)


def placed(marks: tuple[Mark, ...], grid: Grid, scale: float = 1.0) -> list[tuple[Mark, QRectF]]:
    """Return each mark's rectangle, relative to the board's upper left corner.

    Args:
        marks: The marks to place.
        grid: The board's grid.
        scale: Points of the window per pixel. Results are whole points, as shapes require.
    """
    region = grid.region
    lefts, tops = grid.column_edges(region), grid.row_edges(region)
    side = ceil(max(_MARK.least, round(_MARK.side * grid.pitch_x * grid.scale)) * scale) / scale
    places = []
    for mark in marks:
        left, top = lefts[mark.cell.col] - lefts[0] + 1, tops[mark.cell.row] - tops[0] + 1
        corner = ceil(left * scale) / scale, ceil(top * scale) / scale
        wide = side + ceil(_MARK.ring * scale) / scale if mark.best else side
        places.append((mark, QRectF(*corner, wide, wide)))
    return places


def shape_of(places: list[tuple[Mark, QRectF]], scale: float = 1.0) -> QRegion:
    """Return the visible shape of a window with these marks, in its points."""
    shape = QRegion()
    for _, place in places:
        corner, side = place.topLeft() * scale, place.width() * scale
        shape += QRect(round(corner.x()), round(corner.y()), round(side), round(side))
    return shape


def paint_marks(painter: QPainter, places: list[tuple[Mark, QRectF]], scale: float = 1.0) -> None:
    """Paint marks as the board of the panel does, each with a rim that shows on any tile."""
    painter.scale(scale, scale)
    for mark, place in places:
        painter.fillRect(place, ON_PROOF if mark.risk in (0.0, 1.0) else _RIM)
        paint_chip(painter, place, mark.risk)
        if mark.best:
            paint_move(painter, place)


class Assisting(QObject):
    """A consumer of watched turns; it ignores all others.

    Args:
        coach: Shows the advice.
        marked: Whether the user wants marks over the game.
    """

    def __init__(self, coach: CoachCard, marked: bool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._coach = coach
        self._marked = marked
        self._overlay: MarksOverlay | None = None
        self._last: WatchedTurn | None = None
        self._verdicts: list[Verdict] = []

    def begin(self, *, watching: bool) -> None:
        """Prepare for a run and show the coach if the user plays."""
        self._verdicts.clear()
        self._last = None
        self._coach.clear()
        self._coach.setVisible(watching)

    def take(self, turn: Turn) -> None:
        """Record one turn. Every turn must be passed, however fast they come."""
        if not isinstance(turn, WatchedTurn):
            return
        last = self._last
        if turn.number == 0 and (last is None or last.number > 0):
            self._verdicts.clear()
            if last is not None and not _begins_next(last, turn):
                # The verdicts are about a game that was given up, or one that continues after its
                # end.
                self._coach.clear()
        self._last = turn
        self._verdicts += turn.verdicts
        if turn.verdicts:
            self._coach.show_verdict(_worst(turn.verdicts))
        if turn.reading.status.over and self._verdicts:
            self._coach.sum_up(review_game(self._verdicts, turn.reading.status))

    def show(self, turn: Turn) -> None:
        """Draw the newest turn's marks while the user plays."""
        if isinstance(turn, WatchedTurn) and self._last is not None:
            self._draw(turn)

    def set_marked(self, marked: bool) -> None:
        """Show or hide the marks at once."""
        self._marked = marked
        if self._last is not None:
            self._draw(self._last)

    def end(self) -> None:
        """Hide the marks and keep the coach's text."""
        self._last = None
        if self._overlay is not None:
            self._overlay.hide()

    def _draw(self, turn: WatchedTurn) -> None:
        if not self._marked or not desktop().overlays:
            if self._overlay is not None:
                self._overlay.hide()
            return
        if self._overlay is None:
            self._overlay = MarksOverlay()
        self._overlay.show_turn(turn)


def _begins_next(last: WatchedTurn, turn: WatchedTurn) -> bool:
    """Return whether a turn begins a new game after one that has ended."""
    return last.reading.status.over and is_new_game(last.reading.board, turn.reading.board)


def _worst(verdicts: tuple[Verdict, ...]) -> Verdict:
    """Return the verdict to report: the fatal move, else the most needless one."""
    return max(verdicts, key=lambda one: (one.died, one.better is not None, one.move.risk))
