"""The analysis of a board that nothing plays: the user looks on, or plays alone."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import replace
from typing import Final

import numpy as np

from bot.analysis import Limit
from bot.board import UNREAD, InconsistentBoard
from bot.frame import Frame, Reading, Status
from bot.loop import Turn, unplayed_turn
from bot.solver.explain import with_explanation
from bot.solver.warmup import PREPARATION
from gui.runner.assist import WatchedReader
from gui.runner.decisions import solving
from gui.runner.protocol import Candidate
from gui.runner.stored_answers import KeptMines
from vision.counters.mines import MinesUnknown
from vision.desktop import Screen, ScreenError, desktop
from vision.finder import BoardNotFound
from vision.learning.questions import AnswersNeeded
from vision.reader import Reader
from vision.skins import Skin
from vision.tracking.targets import Wanted
from vision.tracking.tracked_board import WindowClosed

_SEARCH_EVERY: Final = 2.0
"""Seconds between two searches for a board that cannot be read, if the screen has changed."""
_SECONDS: Final = 2.0
"""Time after which the solver uses an estimate."""


class _Unanswered(Exception):
    """The board cannot be read without an answer, for which the user is asked in a run only."""


class LiveBoard:
    """A board that is read whenever it is asked for. All calls are made in one thread."""

    def __init__(
        self, candidate: Candidate, wanted: Wanted, skins: tuple[Skin, ...], mines: KeptMines
    ) -> None:
        self.key = candidate.key
        """The key of the board."""
        self.wanted = wanted
        """Its selection."""
        self._skins, self._mines = skins, mines
        self._resources = ExitStack()
        self._watched: WatchedReader | None = None
        self._skin: Skin | None = None
        self._last: Reading | None = None
        self._again_at = 0.0
        """When a board that could not be read is searched for again (monotonic clock)."""
        self._without: Frame | None = None
        """The last picture of the window, or the screen, that was searched; None if found since."""

    def close(self) -> None:
        """Release the screen."""
        self._resources.close()

    def look(self, solver_name: str, *, fresh: bool) -> Turn | None:
        """Return the board as it looks now, analysed; None if unchanged or unreadable."""
        if time.perf_counter() < self._again_at:
            return None
        try:
            reading = self._read()
        except (_Unanswered, BoardNotFound, MinesUnknown, WindowClosed, ScreenError) as error:
            # Finding it takes longer than reading it, and much longer than comparing two pictures.
            if not isinstance(error, BoardNotFound):
                self._without = None
            self.close()
            self._watched = self._last = None
            self._again_at = time.perf_counter() + _SEARCH_EVERY
            return None
        if UNREAD in reading.board.tiles or reading.status is Status.BLOCKED:
            return None
        last = self._last
        same = last is not None and (last.board, last.status) == (reading.board, reading.status)
        # While the solver is compiled, the board is shown without probabilities.
        ready = not PREPARATION.compiling
        if same and not fresh:
            return None
        self._last = reading if ready else None
        if reading.status.over or not ready:
            return Turn(0, reading, None, ())
        return self._analysed(reading, solver_name)

    def _read(self) -> Reading:
        if self._watched is None:
            screen = self._resources.enter_context(desktop().open_screen())
            self._refuse_unchanged(screen)
            reader = Reader(screen, self._skins, self.wanted, known=self._mines)
            self._watched = WatchedReader(screen, reader, _leave_open)
            self._without, self._skin = None, reader.skin
        return self._watched.look()

    def _refuse_unchanged(self, screen: Screen) -> None:
        """Raise the error again if the board's own part of the screen is as it was.

        A clock elsewhere on the screen is no reason to search.
        """
        place = desktop().place_of(self.key) if isinstance(self.key, int) else None
        before = self._without
        self._without = now = screen.grab(place and screen.region.intersection(place))
        if before is None or before.region != now.region:
            return
        if np.array_equal(before.image, now.image):
            raise BoardNotFound("the screen is the one on which no board was found")

    def _analysed(self, reading: Reading, solver_name: str) -> Turn:
        assert self._skin is not None  # noqa: S101 - it was read
        board = reading.board
        try:
            analysis = solving(solver_name, self._skin)(board, Limit(seconds=_SECONDS))
        except InconsistentBoard:
            return Turn(0, reading, None, ())
        turn = unplayed_turn(reading, analysis)
        # It is explained here: the panel need not load the solver for it.
        return replace(turn, analysis=with_explanation(board, turn.analysis or analysis))


def _leave_open(question: AnswersNeeded | MinesUnknown) -> None:
    raise _Unanswered from question
