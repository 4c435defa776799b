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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from bot.frame import Point
from gui.runner.protocol import Operator
from vision.desktop.user_mouse import PlaceOnly, UserMouse

_log = logging.getLogger(__name__)

PAUSED_BY_USER: Final = "Paused because you moved the mouse"


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
        self._mouse.wait_until_idle(self._wait)

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
        if self._mouse.borrow_pointer(self._wait):
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
        self._mouse.wait_until_idle(self._wait)
        raise Interrupted
