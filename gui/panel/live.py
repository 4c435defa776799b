"""The analysis of the selected board before anything is started: it follows the user's moves."""

from __future__ import annotations

from functools import partial
from typing import Final

from PyQt6.QtCore import QObject, QTimer
from PyQt6.QtWidgets import QWidget

from bot.loop import Turn
from gui.panel.board_search import BoardSearch
from gui.panel.play_page import Surface
from gui.panel.run import Run
from gui.runner.client import PlayerClient
from gui.runner.protocol import Candidate
from gui.settings import Choices

EVERY: Final = 400
"""Milliseconds between two looks at the board."""
_NOTHING: Final = object()


class LiveAnalysis(QObject):
    """Shows the selected board with its probabilities while nothing is played.

    The thread that searches for boards reads and analyses it.
    """

    def __init__(
        self,
        backend: PlayerClient,
        surface: Surface,
        run: Run,
        search: BoardSearch,
        choices: Choices,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._backend, self._surface, self._run = backend, surface, run
        self._search, self._choices = search, choices
        self._failed: object = _NOTHING
        """The key of a board that could not be analysed because of an error."""
        self._looking = False
        self._clock = QTimer(self)
        self._clock.setInterval(EVERY)
        self._clock.timeout.connect(self._look)
        self._clock.start()
        surface.chooser.chosen.connect(self._look)

    def end(self) -> None:
        """Look no more."""
        self._clock.stop()

    def _look(self) -> None:
        board = self._board()
        if board is None or self._looking or board.key == self._failed:
            return
        self._looking = True
        fresh = not self._surface.board_shown
        look = partial(self._backend.analyse, board, self._choices().player_name, fresh=fresh)
        job = self._search.also(look, "analysis")
        job.done.connect(partial(self._show, board))
        job.failed.connect(lambda _failure: self._note_failure(board))
        job.ended.connect(self._ended)

    def _board(self) -> Candidate | None:
        """Return the board to analyse; None if there is none, or something else is shown."""
        board, settings = self._surface.chooser.current, self._choices()
        idle = not self._run.playing and not self._search.opening and self._search.may_look
        if not idle or settings.digging or not self._surface.isVisible():
            return None
        return None if self._surface.chooser.lost else board

    def _show(self, board: Candidate, turn: Turn | None) -> None:
        current = self._board()
        if turn is None or current is None or current.key != board.key:
            return
        self._surface.show_board()
        self._surface.view.show_turn(turn)
        self._surface.details.show_live(turn, self._choices().rules)

    def _note_failure(self, board: Candidate) -> None:
        self._failed = board.key

    def _ended(self) -> None:
        self._looking = False
