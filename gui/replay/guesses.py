"""The guesses of a session as a list: where, their risk, and their effect on the win chance."""

from __future__ import annotations

from typing import Any, Final

from PyQt6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt
from PyQt6.QtGui import QColor

from gui.replay.film import Film
from gui.replay.judging import Verdict, in_words
from gui.replay.timeline import risk_color

TURN_ROLE: Final = Qt.ItemDataRole.UserRole
_ARROW: Final = " \N{RIGHTWARDS ARROW} "


class Guesses(QAbstractListModel):
    """A list model of guesses; ratings are added when they are known."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._film: Film | None = None
        self._turns: tuple[int, ...] = ()
        self._verdicts: dict[int, Verdict] = {}

    def open(self, film: Film | None) -> None:
        """List the guesses of another session."""
        self.beginResetModel()
        self._film = film
        self._turns = film.guesses() if film else ()
        self._verdicts = {}
        self.endResetModel()

    def take(self, verdict: Verdict) -> None:
        """Add the rating of a guess."""
        row = self.row_of(verdict.turn)
        if row is not None:
            self._verdicts[verdict.turn] = verdict
            self.dataChanged.emit(self.index(row), self.index(row))

    def row_of(self, turn: int) -> int | None:
        """Return the row of a turn's guess, or None."""
        return self._turns.index(turn) if turn in self._turns else None

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        """Return the number of guesses."""
        return 0 if parent is not None and parent.isValid() else len(self._turns)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text of a guess, or the colour of its risk."""
        if self._film is None or not 0 <= index.row() < len(self._turns):
            return None
        turn = self._turns[index.row()]
        verdict = self._verdicts.get(turn)
        if role == TURN_ROLE:
            return turn
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(turn, verdict)
        if role == Qt.ItemDataRole.DecorationRole:
            move = None if self._film.opening(turn) else self._film.guess(turn)
            return risk_color(move.risk) if move else QColor(Qt.GlobalColor.transparent)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            lines = in_words(verdict) if verdict else ["Being rated."]
            return "\n".join((self._text(turn, verdict), *lines))
        return None

    def _text(self, turn: int, verdict: Verdict | None) -> str:
        move = self._film.guess(turn) if self._film else None
        if move is None:
            return ""
        first = self._film is not None and self._film.opening(turn)
        text = f"Turn {turn}: {'the first click' if first else f'{move.risk:.1%} risk'}"
        rating = verdict.rating if verdict else None
        if rating is None or verdict is None:
            return text
        if rating.needless:
            return f"{text}, not needed"
        steps = [] if first else [rating.chance_before, rating.chance_with]
        steps.append(verdict.after.value if verdict.after else None)
        known = [f"{step:.0%}" for step in steps if step is not None]
        wins = "wins" if rating.exact else "wins about"
        return f"{text}\n{wins} {_ARROW.join(known)}" if known else text
