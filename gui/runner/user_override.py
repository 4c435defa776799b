"""Pause while the user moves the mouse.

`bot.mouse.Mouse` uses `UserOverride` as its guard. Each event is registered before it is sent, and
before each event it is checked whether the user moved the mouse. If so, nothing more is sent: the
run waits until the user resumes it and the mouse has come to rest. Then it drops the planned clicks
(`Interrupted`) and reads the board again.

Input in a window of this program does not count. The pointer is borrowed from there for each batch
of clicks while the mouse is at rest, and put back.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from bot.frame import Point
from gui.runner import timeouts
from gui.runner.protocol import Operator
from vision.desktop.user_mouse import PlaceOnly, UserMouse

_log = logging.getLogger(__name__)

PAUSED_BY_USER: Final = "Paused because you moved the mouse"
_REST: Final = "Waiting until you leave the mouse and the keyboard for a moment"
_T = TypeVar("_T")


class Interrupted(Exception):
    """The planned clicks were dropped: the board may have changed meanwhile."""


class MouseInUse(RuntimeError):
    """The user moved the mouse, and the run cannot be resumed."""


class UserOverride:
    """Pauses the clicks while the user moves the mouse (a `bot.mouse.UserGuard`).

    Args:
        mouse: Detects the user's input.
        operator: Lets the user resume, or stop.
        put: Moves the pointer.
    """

    def __init__(
        self,
        mouse: UserMouse | PlaceOnly,
        operator: Operator,
        put: Callable[[Point], object] = lambda _point: None,
    ) -> None:
        self._mouse = mouse
        self._operator = operator
        self._wait = operator.stopped.wait
        self._put = put
        self._borrowed = False

    def begin(self) -> None:
        """Wait until the mouse is at rest: the user has just started the run with it.

        Raises:
            Stopped: The user stopped.
        """
        self._await_rest(self._mouse.wait_until_idle)

    def note_resumption(self) -> None:
        """Register that the user has pressed Resume or Step, probably with the mouse."""
        self._mouse.note_resumption()

    def expect(self, point: Point, presses: int) -> None:
        """Register an upcoming motion or press so that it is not mistaken for user input."""
        self._mouse.expect(point, presses)

    def note_position(self, place: Point) -> None:
        """Register the pointer's position just before it was moved."""
        self._mouse.note_position(place)

    @contextmanager
    def sending(self) -> Iterator[None]:
        """Send one event in the block. Once a pause has been reported, no pointer moves any more.

        Raises:
            Exception: As `yield_to_user` raises.
        """
        while True:
            self.yield_to_user()
            with self._mouse.judging_delayed():
                if not self._mouse.overridden:
                    yield
                    return

    @contextmanager
    def borrowed(self) -> Iterator[None]:
        """Borrow the pointer for the block; then put it back if it was in a window of this program.

        Raises:
            Interrupted: The user was using such a window, and has stopped moving the mouse.
            Stopped: The user stopped.
        """
        if self._await_rest(self._mouse.borrow_pointer):
            self._mouse.return_pointer()
            raise Interrupted
        self._borrowed = True
        try:
            yield
        finally:
            self._borrowed = False
            with self._mouse.judging_delayed():
                home = None if self._mouse.overridden else self._mouse.position_to_restore()
                if home is not None:
                    self._mouse.expect(home, 0)
                    self._put(home)
            self._mouse.return_pointer()

    def yield_to_user(self) -> None:
        """Return at once unless the user has moved the mouse.

        Raises:
            Interrupted: The user has, and resumed; or moves it in a window of this program.
            MouseInUse: The user has, and the run cannot be resumed.
            Stopped: The user has, and stopped the run.
        """
        if not self._mouse.overridden:
            if self._borrowed and self._mouse.in_use:
                raise Interrupted
            return
        if not self._operator.can_override:
            raise MouseInUse(
                "The run ended because you moved the mouse. Play again when you no longer need it."
            )
        _log.info("The user moves the mouse: waiting")
        self._operator.wait_until_resumed()
        self._await_rest(self._mouse.wait_until_idle)
        raise Interrupted

    def _await_rest(self, await_mouse: Callable[[Callable[[float], bool]], _T]) -> _T:
        """Wait for the mouse, which may take long: report that."""
        begin, reported = time.perf_counter(), False

        def wait(seconds: float) -> bool:
            nonlocal reported
            if not reported and time.perf_counter() - begin > timeouts.WAIT_REPORTED:
                reported = True
                self._operator.report(_REST)
            return self._wait(seconds)

        try:
            return await_mouse(wait)
        finally:
            if reported:
                self._operator.report("")
