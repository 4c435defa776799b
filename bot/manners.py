"""The user comes first: who takes the mouse has it, until he says that the game goes on.

`Manners` stands between the hand and the user. The hand tells it each event before it sends it,
and asks before it sends one whether the user took the mouse. Where he did, nothing more is
sent; the run waits until the user goes on and the mouse has come to rest, and then everything
that was about to be done is forgotten (`Interrupted`): the board is looked at again first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from bot.frame import Point
from bot.mouse import HandError

TAKEN: Final = "Paused: you took the mouse"
_CORNER: Final = "the pointer was moved into a corner of the screen: nothing more is clicked"


class Interrupted(Exception):
    """What was about to be done is not done: the board may have changed meanwhile."""


class MouseTaken(RuntimeError):
    """The user took the mouse, and nobody can be asked when to go on."""


class Mouse(Protocol):
    """Who hears the user's mouse; see `vision.usermouse`."""

    @property
    def taken(self) -> bool:
        """Whether the user took the mouse since it was last at rest."""

    @property
    def cornered(self) -> bool:
        """Whether he pushed it into a corner of a monitor."""

    def expect(self, point: Point, presses: int) -> None:
        """Be told what is about to be sent."""

    def mind(self, wait: Callable[[float], bool]) -> None:
        """Wait until the mouse is at rest; from then on it counts when it is taken.

        Raises:
            Stopped: `wait`, an event's, returned True.
        """


class Pauses(Protocol):
    """Who lets the user pause and go on."""

    @property
    def allowed(self) -> bool:
        """Whether a turn that was begun may still be carried out: nobody paused since."""

    def pause(self, why: str) -> None:
        """Carry nothing more out until the user goes on; from any thread, does not wait."""

    def resume(self) -> None:
        """Go on; from any thread."""

    def waits(self, why: str) -> None:
        """Be told what is waited for, as long as no turn comes."""

    def until_resumed(self) -> None:
        """Wait until the user goes on, where this run was paused by itself.

        Raises:
            Stopped: The user stopped instead.
        """


class Manners:
    """The hand's user (`bot.mouse.User`).

    Args:
        mouse: Hears the user's.
        pauses: Whom the user tells that the game goes on; nobody can be told without.
        wait: Waits the given seconds; True when the user stopped (an event's `wait`).
    """

    def __init__(self, mouse: Mouse, pauses: Pauses | None, wait: Callable[[float], bool]) -> None:
        self._mouse = mouse
        self._pauses = pauses
        self._wait = wait

    def begin(self) -> None:
        """Wait until the mouse is at rest: whoever started this had it in his hand.

        Raises:
            Stopped: The user stopped.
        """
        self._mouse.mind(self._wait)

    def expect(self, point: Point, presses: int) -> None:
        """Be told what is about to be sent."""
        self._mouse.expect(point, presses)

    def give_way(self) -> None:
        """Return at once, unless the user took the mouse.

        Raises:
            Interrupted: He did, and gave it back.
            HandError: He pushed it into a corner.
            MouseTaken: He did, and nobody can be asked when to go on.
            Stopped: He did, and stopped.
        """
        if not self._mouse.taken:
            return
        self._refuse_corner()
        if self._pauses is None:
            raise MouseTaken(
                "you took the mouse: nothing more is clicked. Start again when it is free"
            )
        self._pauses.until_resumed()
        self._refuse_corner()
        self._mouse.mind(self._wait)
        raise Interrupted

    def _refuse_corner(self) -> None:
        if self._mouse.cornered:
            raise HandError(_CORNER)
