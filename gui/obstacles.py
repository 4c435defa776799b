"""What keeps a run from going on: it is waited out, told to whoever can help, or ends the run.

The table of what is promised is in `bot/FAULTS.md`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from bot.frame import Status
from bot.loop import Stopped
from bot.waiting import BoardNotSettled
from gui.failures import Failure
from gui.meeting import WrongLevel
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
"""What may pass, by itself or by the user's doing; nothing is clicked meanwhile."""

AWAY: Final = 10.0
"""Seconds that an obstacle may last before the user is asked to see to it."""
ASKED: Final = 2.0
"""The same for what only the user can answer."""
ALONE: Final = 60.0
"""Seconds after which a run ends where nobody can be asked."""
RETURNS: Final = 10.0
"""Seconds in which a window that was closed may be opened again, or a page that was left."""
_INTERVAL: Final = 0.1
_MOMENT: Final = 0.25
"""Seconds for which nothing must be in the way: what a menu chose is done after it has closed."""
_TOLD_AFTER: Final = 1.0

Pause = Callable[[Failure], None]
"""Says what is in the way, and waits until the user goes on; raises `Stopped` at a stop."""


class Obstacles:
    """Waits, asks, or gives up.

    Args:
        clear: Raises what is in the way at this moment, one of `OBSTACLES`; takes a second at most.
        closed: Told that the window is gone: another one may be taken.
        wait: Waits the given seconds; True when the user stopped (an event's `wait`).
        hold: None where nobody can be asked.
        words: Words for an error, with its picture.
        tell: Says what is waited for; told an empty text if nothing is any more.
        clock: Monotonic seconds.
        ask: Asks the user how many mines there are, or raises; None where nobody can be asked.
    """

    def __init__(
        self,
        clear: Callable[[], None],
        closed: Callable[[], None],
        wait: Callable[[float], bool],
        hold: Pause | None,
        words: Callable[[BaseException], Failure],
        tell: Callable[[str], None] = lambda _text: None,
        clock: Callable[[], float] = time.monotonic,
        ask: Callable[[MinesUnknown], None] | None = None,
    ) -> None:
        self._clear = clear
        self._closed = closed
        self._wait = wait
        self._hold = hold
        self._words = words
        self._tell = tell
        self._clock = clock
        self._ask = ask

    def overcome(self, error: Exception, *, again: bool = False) -> bool:
        """Come back when nothing is in the way any more.

        Args:
            error: What is.
            again: It came back too often to be waited for.

        Returns:
            Whether what was done last is of no account: another window, or the user was asked.

        Raises:
            Exception: The error, or what came after it: it does not pass.
            Stopped: The user stopped.
        """
        patience = 0.0 if again else self._patience(error)
        asked = False
        while (left := self._outlasting(error, patience)) is not None:
            if isinstance(left, MinesUnknown) and self._ask is not None:
                self._ask(left)
            elif self._hold is None or isinstance(left, WindowClosed):
                raise left
            else:
                self._hold(self._words(left))
            asked = True
            met = self._met()
            if met is None:
                break
            # The user went on too early, or the window is still being drawn.
            error, patience = met, self._patience(met) or AWAY
        return asked or isinstance(error, WindowClosed)

    def _patience(self, error: Exception) -> float:
        """Seconds that an obstacle is waited for; zero where that was done already."""
        if isinstance(error, WindowClosed | PageLeft):
            return RETURNS
        if isinstance(error, BoardNotSettled):
            tried = error.missing and error.reading.status is not Status.BLOCKED
            return 0.0 if tried or self._hold else ALONE
        if isinstance(error, MinesUnknown) and self._ask is not None:
            return ASKED
        if self._hold is None:
            return ALONE
        return ASKED if isinstance(error, StrangeDialog) else AWAY

    def _outlasting(self, error: Exception, patience: float) -> Exception | None:
        """Wait; what is in the way at the end, None where nothing is."""
        begin = self._clock()
        told = False
        if isinstance(error, WindowClosed):
            self._closed()
        try:
            while (waited := self._clock() - begin) < patience:
                if not told and waited > _TOLD_AFTER:
                    told = True
                    self._tell(f"Waiting: {error}")
                met = self._met()
                if met is None:
                    return None
                if isinstance(met, WindowClosed):
                    self._closed()
                if not isinstance(error, WindowClosed):
                    error = met
                    if isinstance(met, WindowClosed):
                        # What was in the way first was its going.
                        patience = min(patience, waited + RETURNS)
                if self._wait(_INTERVAL):
                    raise Stopped
            return error
        finally:
            if told:
                self._tell("")

    def _met(self) -> Exception | None:
        """What is in the way; None where nothing was, and is not a moment later either."""
        for rest in (_MOMENT, 0.0):
            try:
                self._clear()
            except OBSTACLES as error:
                return error
            if rest and self._wait(rest):
                raise Stopped
        return None
