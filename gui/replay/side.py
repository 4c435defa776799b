"""The side panel of a replay: the rated guesses, and the current turn's details."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QItemSelectionModel, QModelIndex, pyqtSignal
from PyQt6.QtWidgets import QFrame, QLabel, QListView, QVBoxLayout, QWidget

from gui.panel.details import Details
from gui.panel.jobs import Jobs
from gui.panel.labels import explanation, plain_label
from gui.panel.theme import SPACE
from gui.replay.film import Film
from gui.replay.guesses import TURN_ROLE, Guesses
from gui.replay.judging import Judge, Verdict, in_words
from gui.runner.player import State

_LEAST_LIST: Final = 150
"""Height of the list of guesses, in points."""


class Side(QWidget):
    """The guesses with their ratings, and the turn's details.

    Args:
        jobs: Runs the rating.

    Signals:
        chosen(int): The turn of a guess is to be shown.
        failed(Failure): Something went wrong.
    """

    chosen = pyqtSignal(int)
    failed = pyqtSignal(object)

    def __init__(self, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._film: Film | None = None
        self._shown = 0
        self.judge, self.guesses = Judge(jobs, self), Guesses(self)
        self.view, self.details = QListView(), Details()
        # The state at the turn that is shown.
        self.details.show_state(State.PLAYING)
        self.verdict, self.count = explanation("Rating of this guess"), plain_label("Guesses")
        self.verdict.setProperty("muted", False)
        self.count.setProperty("muted", True)
        self.view.setModel(self.guesses)
        self.view.setAccessibleName("Guesses of this game")
        self.view.setToolTip("A click shows the turn of the guess")
        self.view.setMinimumHeight(_LEAST_LIST)
        heading = QLabel("Guesses")
        heading.setProperty("heading", True)
        card = QFrame()
        card.setProperty("card", True)
        inside = QVBoxLayout(card)
        inside.setContentsMargins(SPACE + 2, SPACE, SPACE + 2, SPACE)
        inside.setSpacing(4)
        for part in (heading, self.verdict, self.count):
            inside.addWidget(part)
        inside.addWidget(self.view, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        column.addWidget(card, 1)
        column.addWidget(self.details)
        self.view.clicked.connect(self._choose)
        self.view.activated.connect(self._choose)
        self.judge.judged.connect(self._take)
        self.judge.failed.connect(self.failed)

    def open(self, film: Film | None) -> None:
        """Load another session or none, cancelling the current rating."""
        self._film = film
        self.guesses.open(film)
        self.judge.open(film)
        self._tell_count()

    def show_turn(self, index: int) -> None:
        """Show a turn's details, and rate its guess next."""
        self._shown = index
        turn = self._film.turns[index] if self._film else None
        if turn is None or self._film is None:
            self.details.clear()
        else:
            self.details.show_turn(turn, self._film.tallies[index], self._film.advice(index))
        self.judge.prefer(index)
        self._show_guess()

    def _choose(self, index: QModelIndex) -> None:
        turn = index.data(TURN_ROLE)
        if turn is not None:
            self.chosen.emit(turn)

    def _take(self, verdict: Verdict) -> None:
        self.guesses.take(verdict)
        self._tell_count()
        if verdict.turn == self._shown:
            self._show_guess()

    def _tell_count(self) -> None:
        count, rated = self.guesses.rowCount(), len(self.judge.verdicts)
        if not count:
            self.count.setText("This game made no guess.")
        elif rated < count:
            self.count.setText(f"Rated {rated} of {count} \N{HORIZONTAL ELLIPSIS}")
        else:
            self.count.setText(f"{count} guess{'' if count == 1 else 'es'}")

    def _show_guess(self) -> None:
        row = self.guesses.row_of(self._shown)
        verdict = self.judge.verdicts.get(self._shown)
        selection = self.view.selectionModel()
        if row is None:
            self.verdict.setText("Nothing is guessed at this turn.")
            if selection is not None:
                selection.clear()
            return
        rating = "This guess is being rated \N{HORIZONTAL ELLIPSIS}"
        self.verdict.setText("\n".join(in_words(verdict)) if verdict else rating)
        index = self.guesses.index(row)
        if selection is not None:
            selection.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.view.scrollTo(index)
