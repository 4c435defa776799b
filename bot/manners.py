"""The user comes first: pause while he moves the mouse, until he says that the game goes on.

`Manners` stands between the hand and the user. The hand registers each event before it sends it,
and asks before it sends one whether the user moved the mouse. If he did, nothing more is
sent; the run waits until the user goes on and the mouse has come to rest, and then everything
that was about to be done is forgotten (`Interrupted`): the board is looked at again first.

Input in a window of this program is no override. The pointer is borrowed from there for each batch
of clicks while the mouse is at rest, and put back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

from bot.frame import Point

PAUSED_BY_USER: Final = "Paused because you moved the mouse"


class Interrupted(Exception):
    """What was about to be done is not done: the board may have changed meanwhile."""


class MouseInUse(RuntimeError):
    """The user took the mouse, and nobody can be asked when to go on."""


class UserInput(Protocol):
    """Detects the user's mouse; see `vision.usermouse`."""

    @property
    def overridden(self) -> bool:
        """Whether the user took the mouse since it was last at rest."""

    @property
    def in_use(self) -> bool:
        """Whether he moves it in a window of this program while the pointer is borrowed."""

    def expect(self, point: Point, presses: int) -> None:
        """Register an upcoming motion or press so that it is not mistaken for the user's."""

    def note_position(self, place: Point) -> None:
        """Register where the pointer was just before it was put where `expect` said."""

    def wait_until_idle(self, wait: Callable[[float], bool]) -> None:
        """Wait until the mouse is at rest; from then on it counts when it is taken.

        Raises:
            Stopped: `wait`, an event's, returned True.
        """

    def borrow_pointer(self, wait: Callable[[float], bool]) -> bool:
        """Wait until the user does not use this program's windows, then take the pointer.

        Returns:
            Whether that had to be waited for.

        Raises:
            Stopped: `wait`, an event's, returned True.
        """

    def position_to_restore(self) -> Point | None:
        """Return where to put the borrowed pointer back; None if it is to stay where it is."""

    def return_pointer(self) -> None:
        """Leave the pointer to the user."""


class PauseControl(Protocol):
    """Lets the user pause and go on."""

    @property
    def allowed(self) -> bool:
        """Whether a turn that was begun may still be carried out: nobody paused since."""

    def pop_resume_request(self) -> bool:
        """Return whether the user has pressed Resume or Step since this was asked last."""

    def pause(self, why: str) -> None:
        """Carry nothing more out until the user goes on; from any thread, does not wait."""

    def wait_until_resumed(self) -> None:
        """Wait until the user goes on, where this run was paused by itself.

        Raises:
            Stopped: The user stopped instead.
        """


class UserOverride:
    """Pauses the hand while the user moves the mouse (`bot.mouse.UserGuard`).

    Args:
        mouse: Detects the user's.
        pauses: Lets the user say that the game goes on; without it a run ends instead.
        wait: Waits the given seconds; True when the user stopped (an event's `wait`).
        put: Puts the pointer somewhere.
    """

    def __init__(
        self,
        mouse: UserInput,
        pauses: PauseControl | None,
        wait: Callable[[float], bool],
        put: Callable[[Point], object] = lambda _point: None,
    ) -> None:
        self._mouse = mouse
        self._pauses = pauses
        self._wait = wait
        self._put = put
        self._borrowed = False

    def begin(self) -> None:
        """Wait until the mouse is at rest: whoever started this had it in his hand.

        Raises:
            Stopped: The user stopped.
        """
        self._mouse.wait_until_idle(self._wait)

    def expect(self, point: Point, presses: int) -> None:
        """Register an upcoming motion or press so that it is not mistaken for the user's."""
        self._mouse.expect(point, presses)

    def note_position(self, place: Point) -> None:
        """Register where the pointer was just before it was moved."""
        self._mouse.note_position(place)

    @contextmanager
    def borrowed(self) -> Iterator[None]:
        """Have the pointer within the block; put it back where the user had it in a window of ours.

        Raises:
            Interrupted: The user used such a window, and has let go of the mouse.
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
            home = None if self._mouse.overridden else self._mouse.position_to_restore()
            if home is not None:
                self._mouse.expect(home, 0)
                self._put(home)
            self._mouse.return_pointer()

    def yield_to_user(self) -> None:
        """Return at once, unless the user took the mouse.

        Raises:
            Interrupted: He did, and gave it back; or he moves it in a window of this program.
            MouseTaken: He did, and nobody can be asked when to go on.
            Stopped: He did, and stopped.
        """
        if not self._mouse.overridden:
            if self._borrowed and self._mouse.in_use:
                raise Interrupted
            return
        if self._pauses is None:
            raise MouseInUse(
                "The run ended because you moved the mouse. Play again when you no longer need it."
            )
        self._pauses.wait_until_resumed()
        self._mouse.wait_until_idle(self._wait)
        raise Interrupted
