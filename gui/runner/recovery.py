"""Handling of obstacles in a run: wait, ask the user, or end the run.

The table of the guarantees is in `bot/FAULTS.md`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from bot.frame import Status
from bot.loop import Stopped
from bot.waiting import BoardNotSettled
from gui.failures import Failure
from gui.runner.protocol import Operator
from gui.runner.startup import WrongLevel
from vision.click_guard import NotAnswering
from vision.counters.mines import MinesUnknown
from vision.finder import BoardNotFound
from vision.focus import NotInFront, StrangeDialog
from vision.tracking.pagedialog import PageDialog
from vision.tracking.targets import SeveralBoards
from vision.tracking.tracked_board import PageLeft, WindowClosed

OBSTACLES: Final = (
    BoardNotFound,
    BoardNotSettled,
    MinesUnknown,
    NotAnswering,
    NotInFront,
    PageDialog,
    SeveralBoards,
    StrangeDialog,
    WrongLevel,
)
"""Conditions that may pass by themselves or by the user's action; nothing is clicked."""

AWAY: Final = 10.0
"""Seconds that an obstacle may last before the user is asked to remove it."""
ASKED: Final = 2.0
"""The same for what only the user can answer."""
ALONE: Final = 60.0
"""Seconds after which a run without a user ends."""
RETURNS: Final = 10.0
"""Seconds in which a closed window or a left page may be opened again."""
_INTERVAL: Final = 0.1
_MOMENT: Final = 0.25
"""Seconds for which there must be no obstacle: a menu's action follows its closing."""
_TOLD_AFTER: Final = 1.0


class Obstacles:
    """A handler of obstacles that waits, asks, or gives up.

    Args:
        clear: Raises the current obstacle, one of `OBSTACLES`; takes one second at most.
        closed: Called when the window is gone, so that another one may be used.
        operator: Is asked, or resumes.
        failure: Converts an error to a failure, with its picture.
        ask_mines: Asks the operator how many mines there are, or raises.
        clock: Monotonic seconds.
    """

    def __init__(
        self,
        clear: Callable[[], None],
        closed: Callable[[], None],
        operator: Operator,
        failure: Callable[[BaseException], Failure],
        ask_mines: Callable[[MinesUnknown], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clear = clear
        self._closed = closed
        self._operator = operator
        self._wait = operator.stopped.wait
        self._failure = failure
        self._ask_mines = ask_mines
        self._clock = clock

    def overcome(self, error: Exception, *, again: bool = False) -> bool:
        """Return when there is no obstacle any more.

        Args:
            error: The obstacle.
            again: It came back too often to be waited for.

        Returns:
            Whether the last action is obsolete: another window, or the user was asked.

        Raises:
            Exception: The error, or a later one: it does not pass.
            Stopped: The user stopped.
        """
        patience = 0.0 if again else self._patience(error)
        asked = False
        while (left := self._outlasting(error, patience)) is not None:
            if isinstance(left, MinesUnknown) and self._operator.can_answer:
                self._ask_mines(left)
            elif not self._operator.can_resume or isinstance(left, WindowClosed):
                raise left
            else:
                self._operator.pause(self._failure(left))
                self._operator.wait_until_resumed()
            asked = True
            met = self._met()
            if met is None:
                break
            # The user resumed too early, or the window is still being drawn.
            error, patience = met, self._patience(met) or AWAY
        return asked or isinstance(error, WindowClosed)

    def _patience(self, error: Exception) -> float:
        """Return the seconds to wait for an obstacle; zero if that was done already."""
        if isinstance(error, WindowClosed | PageLeft):
            return RETURNS
        if isinstance(error, BoardNotSettled):
            tried = error.missing and error.reading.status is not Status.BLOCKED
            return 0.0 if tried or self._operator.can_resume else ALONE
        if isinstance(error, MinesUnknown) and self._operator.can_answer:
            return ASKED
        if not self._operator.can_resume:
            return ALONE
        return ASKED if isinstance(error, StrangeDialog) else AWAY

    def _outlasting(self, error: Exception, patience: float) -> Exception | None:
        """Wait, and return the remaining obstacle or None."""
        begin = self._clock()
        told = False
        if isinstance(error, WindowClosed):
            self._closed()
        try:
            while (waited := self._clock() - begin) < patience:
                if not told and waited > _TOLD_AFTER:
                    told = True
                    self._operator.report(f"Waiting: {error}")
                met = self._met()
                if met is None:
                    return None
                if isinstance(met, WindowClosed):
                    self._closed()
                if not isinstance(error, WindowClosed):
                    error = met
                    if isinstance(met, WindowClosed):
                        # The first obstacle was that it closed.
                        patience = min(patience, waited + RETURNS)
                if self._wait(_INTERVAL):
                    raise Stopped
            return error
        finally:
            if told:
                self._operator.report("")

    def _met(self) -> Exception | None:
        """Return the current obstacle; None if there is none now and a moment later."""
        for rest in (_MOMENT, 0.0):
            try:
                self._clear()
            except OBSTACLES as error:
                return error
            if rest and self._wait(rest):
                raise Stopped
        return None
