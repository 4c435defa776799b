"""The description of a cell: as text, for screen readers, and in a window beside the board."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Final

import numpy as np
from PyQt6.QtCore import QObject, QPoint, QRect, Qt, QTimer, pyqtSignal
from PyQt6.QtWidgets import QFrame, QLabel, QWidget

from bot.analysis import Analysis, Limit
from bot.board import (
    COVERED,
    EXPLODED,
    FLAG,
    MINE,
    MISFLAG,
    OPENED,
    QUESTION,
    UNREAD,
    Board,
    Cell,
    InconsistentBoard,
)
from bot.frame import Status
from bot.loop import Turn
from bot.solver.outcomes import NearbyHint, Outcomes, nearby_hints, possible_outcomes
from bot.solver.phrases import percent
from bot.solver.warmup import PREPARATION
from gui.panel.boardview import BoardView, Pointing
from gui.panel.jobs import Jobs, LatestJob, Progress
from gui.panel.marks import unsure
from gui.panel.theme import SPACE
from gui.panel.widgets import lay_column

_TILES: Final = {
    COVERED: "covered",
    FLAG: "flagged",
    QUESTION: "marked with a question mark",
    MINE: "a visible mine",
    EXPLODED: "the mine that was hit",
    MISFLAG: "a wrong flag",
    OPENED: "opened, its number not known",
    UNREAD: "not recognised",
}
REST: Final = 150
"""Milliseconds that the pointer rests on a cell before its outcomes are computed."""


@dataclass(frozen=True)
class CardSizes:
    """Sizes of the card, in points, and the time of a hint."""

    seconds: float = 2.0
    """Time limit for each hint that the cell may show; only huge boards come near it."""
    gap: int = 12
    """Points between the card and the cells that it describes."""
    width: int = 330
    """Width in points, if the window is wide enough."""


_CARD: Final = CardSizes()


@dataclass(frozen=True)
class About:
    """The description of a cell that needs no solving."""

    title: str
    """Its position and its analysis."""
    lines: tuple[str, ...]
    """A sentence for each hint that determines it."""
    hints: tuple[Cell, ...]
    """The hints that determine the cell."""
    worth_opening: bool
    """Whether its possible outcomes can be computed."""

    @property
    def text(self) -> str:
        """The whole text, for screen readers."""
        return " ".join((f"{self.title}.", *self.lines))


def chance_text(probability: float) -> str:
    """Return a cell's probability as text."""
    if probability == 0:
        return "proved safe"
    if probability == 1:
        return "proved to be a mine"
    return f"{probability:.2%} mine"


def about(
    board: Board, analysis: Analysis | None, cell: Cell, *, unsure: bool = False, unread: str = ""
) -> About:
    """Return the description of a cell by the board and the solver.

    Args:
        board: As it was read.
        analysis: Of the board.
        cell: On the board.
        unsure: The cell was read with low confidence.
        unread: Why the cell is unread, in sentences.
    """
    code = board[cell]
    hint = 0 <= code <= 8
    risk = float("nan") if analysis is None else float(analysis.mine_probability[cell])
    thought = not np.isnan(risk)
    words = f"shows {code}" if hint else _TILES[code]
    if unsure and hint:
        words += ", read with low confidence"
    if thought:
        marked = "" if code == COVERED else f", {words}"
        words = chance_text(risk) + marked
        if analysis is not None and not analysis.exact and risk not in (0.0, 1.0):
            words = f"about {words}, an estimate"
    parts = nearby_hints(board, cell)
    lines = (unread,) if unread else tuple(_sentence(one) for one in parts)
    if thought and not parts:
        lines = ("No number touches this cell. All such cells share the remaining mines equally.",)
    return About(
        f"{cell.position_text.capitalize()}: {words}",
        lines,
        tuple(one.hint for one in parts),
        thought and risk < 1.0,
    )


def outcome_rows(outcomes: Outcomes) -> list[tuple[str, str, str, str]]:
    """Return a row for each hint that may appear: hint, probability, consequences, win chance.

    The last is empty if unknown.
    """
    return [
        (
            str(one.value),
            percent(one.chance, 1),
            _proved(one.safe, one.mines),
            "" if one.win is None else percent(one.win, 1),
        )
        for one in outcomes.by_hint
    ]


def outcomes_text(outcomes: Outcomes) -> str:
    """Return the same as sentences, for screen readers."""
    rows = outcome_rows(outcomes)
    parts = [f"{value} with {chance}, then {follows}" for value, chance, follows, _ in rows]
    if not parts:
        return ""
    win = "" if outcomes.win is None else f" {win_text(outcomes.win)}"
    return f"Opening it may show {'; '.join(parts)}.{win}"


def win_text(chance: float) -> str:
    """Return the win chance as a sentence."""
    return f"Chance to win if it is opened now: {percent(chance, 1)}."


def _sentence(nearby: NearbyHint) -> str:
    hint, covered, mines = nearby.hint, nearby.covered, nearby.mines
    where = f"The {nearby.value} at {hint.position_text}"
    if not covered:
        return f"{where} has no covered cell left."
    if mines == 0:
        among = "no mine among them" if covered > 1 else "no mine in it"
    elif mines == covered:
        among = "all of them mines" if covered > 1 else "a mine"
    elif mines > covered:
        among = f"too few for {mines} mines: this is impossible"
    else:
        among = f"{mines} mine{'' if mines == 1 else 's'} among them"
    return f"{where} has {covered} covered cell{'' if covered == 1 else 's'} left, {among}."


def _proved(safe: int, mines: int) -> str:
    parts = [f"{safe} proved safe"] if safe else []
    if mines:
        parts.append(f"{mines} proved mine{'' if mines == 1 else 's'}")
    return ", ".join(parts) or "nothing more proved"


class Inspector(QObject):
    """An inspector of one board view.

    Args:
        view: The board view.
        jobs: Runs the computation.
        pointing: Gives the current cell; by default that of the pointer and the arrow keys.

    Signals:
        outcomes_shown(Cell, Outcomes): The cell's outcomes are shown.
    """

    outcomes_shown = pyqtSignal(object, object)

    def __init__(self, view: BoardView, jobs: Jobs, pointing: Pointing | None = None) -> None:
        super().__init__(view)
        self._view = view
        self.card = InspectorCard(view)
        self.pointing = pointing or Pointing(view)
        self._about: About | None = None
        self._outcomes = LatestJob(jobs)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(REST)
        self._timer.timeout.connect(self._compute_outcomes)
        self.pointing.pointed.connect(self._look)
        view.changed.connect(self._look_again)

    def _look_again(self) -> None:
        cell, turn = self.pointing.cell, self._view.turn
        if cell is None:
            return
        if turn is None or not _holds(turn.reading.board, cell):
            self.pointing.leave()
        else:
            self._look(cell)

    def _look(self, cell: Cell | None) -> None:
        """Show the known facts about a cell, and start the timer for its outcomes."""
        self._forget()
        turn = self._view.turn
        if cell is None or turn is None:
            self._about = None
            self.card.hide()
            self._view.light_up(None)
            self._view.describe()
            return
        reading = turn.reading
        doubted = bool(unsure(reading)[cell])
        unread = reading.why_unread(cell)
        known = self._about = about(
            reading.board, turn.analysis, cell, unsure=doubted, unread=unread
        )
        self._view.light_up(cell, known.hints)
        self.card.show_info(known)
        self.card.place_at(self._view, cell, known.hints)
        self._view.describe(known.text)
        if known.worth_opening and can_be_tried(turn):
            self._timer.start()

    def _compute_outcomes(self) -> None:
        turn, cell = self._view.turn, self.pointing.cell
        if turn is None or cell is None:
            return
        work, show = (
            partial(_worked_out, turn.reading.board, cell),
            partial(self._show_outcomes, cell),
        )
        self._outcomes.start("What opening a cell would show", work, show)

    def _show_outcomes(self, cell: Cell, answer: Outcomes | None) -> None:
        if answer is None or self._about is None:
            return
        self.card.show_outcomes(answer)
        self.card.place_at(self._view, cell, self._about.hints)
        self._view.describe(f"{self._about.text} {outcomes_text(answer)}")
        self.outcomes_shown.emit(cell, answer)

    def _forget(self) -> None:
        """Cancel the previous computation."""
        self._timer.stop()
        self._outcomes.cancel()


class InspectorCard(QFrame):
    """A card with details of a cell, transparent to the mouse."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.title, self.hints, self.outcomes = QLabel(), QLabel(), QLabel()
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.outcomes.setTextFormat(Qt.TextFormat.RichText)
        labels = (self.title, self.hints, self.outcomes)
        for label in labels:
            label.setWordWrap(True)
        lay_column(*labels, on=self, margins=SPACE, gap=SPACE // 2)
        self.hide()

    def show_info(self, known: About) -> None:
        """Show the known facts."""
        self.title.setText(known.title)
        self.hints.setText("\n".join(known.lines))
        self.hints.setVisible(bool(known.lines))
        self.outcomes.hide()

    def show_outcomes(self, answer: Outcomes) -> None:
        """Show the cell's possible outcomes."""
        rows = outcome_rows(answer)
        if not rows:
            return
        win = answer.win is not None
        heads = ("Shows", "Probability", "Then", "Win chance")
        cells = "".join(
            f"<tr>{''.join(f'<td>{escape(text)}&nbsp;&nbsp;</td>' for text in row[: 3 + win])}</tr>"
            for row in (heads[: 3 + win], *rows)
        )
        below = f"<br>{escape(win_text(answer.win))}" if answer.win is not None else ""
        self.outcomes.setText(f"<table cellspacing='0'>{cells}</table>{below}")
        self.outcomes.show()

    def place_at(self, view: BoardView, cell: Cell, hints: tuple[Cell, ...] = ()) -> None:
        """Place the card beside a cell, within the window so that it cannot cover the game.

        Args:
            view: The board view.
            cell: The cell that it describes.
            hints: The hints that it names: if there is room, it covers none of them, and none of
                the cells around them, which it counts.
        """
        window, place, turn = view.window(), view.place(), view.turn
        if window is None or place is None or turn is None:
            return
        square = place.cell(cell).toAlignedRect()
        around = turn.reading.board.around
        for named in {near for hint in hints for near in (hint, *around(hint))}:
            square = square.united(place.cell(named).toAlignedRect())
        square.moveTopLeft(view.mapTo(window, square.topLeft()))
        self.place_beside(square, window)

    def place_beside(self, square: QRect, window: QWidget) -> None:
        """Place the card where it covers as little as possible of a square of the window."""
        self.setParent(window)
        room = window.rect().adjusted(4, 4, -4, -4)
        layout = self.layout()
        least = layout.totalMinimumSize().width() if layout is not None else 0
        width = min(max(_CARD.width, least), room.width())
        height = layout.totalHeightForWidth(width) if layout is not None else 0
        here = QRect(0, 0, width, min(max(height, 0), room.height()))
        places: list[tuple[int, int, QRect]] = []
        for corner in (
            QPoint(square.right() + _CARD.gap, square.top()),
            QPoint(square.left() - _CARD.gap - width, square.top()),
            QPoint(square.left(), square.bottom() + _CARD.gap),
            QPoint(square.left(), square.top() - _CARD.gap - here.height()),
        ):
            here.moveTopLeft(corner)
            here.moveLeft(max(room.left(), min(here.left(), room.right() - width)))
            here.moveTop(max(room.top(), min(here.top(), room.bottom() - here.height())))
            covered = here.intersected(square)
            places.append((covered.width() * covered.height(), len(places), QRect(here)))
        self.setGeometry(min(places, key=lambda place: place[:2])[2])
        self.raise_()
        self.show()


def _holds(board: Board, cell: Cell) -> bool:
    return cell.row < board.rows and cell.col < board.cols


def can_be_tried(turn: Turn) -> bool:
    """Return whether a cell of the turn's board could be opened next."""
    reading = turn.reading
    return reading.status is Status.PLAYING and UNREAD not in reading.board.tiles


def _worked_out(board: Board, cell: Cell, progress: Progress) -> Outcomes | None:
    """Return the possible outcomes of opening a cell, or None for an inconsistent board."""
    PREPARATION.wait(progress.cancelled)
    try:
        return possible_outcomes(
            board, cell, Limit(seconds=_CARD.seconds, cancel=progress.cancelled)
        )
    except InconsistentBoard:
        return None
