"""The last look before a click: is it still that window, there, and in front?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from bot.frame import Point
from vision import windows
from vision.focus import NotInFront
from vision.session import refuse_absence
from vision.window import Window

_SLIGHTLY: Final = 2
"""Points by which the pointer may be off: a mouse that trembles, the edge of a monitor."""


class Aim:
    """What is checked of a game's window, before a batch of clicks and before each of them.

    Args:
        window: The window, where it was when its board was read last; None where nobody knows.
        guard: Checks a batch, as `Reader.guard` does.
        strayed: Called with the pointer's place when it is not where it was put.
    """

    def __init__(
        self,
        window: Callable[[], Window | None],
        guard: Callable[[Sequence[Point]], None],
        strayed: Callable[[Point], None] = lambda _place: None,
    ) -> None:
        self._window = window
        self._refuse_others = guard
        self._strayed = strayed
        self._frame = 0

    def guard(self, points: Sequence[Point]) -> None:
        """Make sure that a click at each of these points reaches the game's window.

        Raises:
            SessionGone: Nobody sits before this screen, or it is not there any more.
            NotInFront: The window is gone or has moved, another one lies there, or the number
                of a closed one was given to another.
        """
        refuse_absence()
        if not windows.supported():
            return
        window = self._window()
        if window is None:
            raise NotInFront("the board is in no window: nothing was clicked")
        if not windows.same(window):
            raise NotInFront(f"the window '{window.title}' was closed: nothing was clicked")
        self._refuse_others(points)
        self._frame = windows.frame_of(window.id)

    def at(self, point: Point) -> str | None:
        """Look once more, with the pointer there; costs one exchange with the server.

        Returns:
            What is still in the way of a click, in words; None for nothing.

        Raises:
            NotInFront: The window is gone, has moved, or another one lies there.
        """
        window = self._window()
        if window is None:
            return None
        seen = windows.beneath(window.id)
        if seen is None:
            refuse_absence()
            raise NotInFront(f"the window '{window.title}' was closed: nothing more was clicked")
        if seen.place != window.region:
            raise NotInFront(f"the window '{window.title}' has moved: nothing more was clicked")
        if seen.button:
            return "a mouse button stays down: let go of it"
        if seen.modifier:
            return "a key (Shift, Ctrl, Alt or Super) stays down: let go of it"
        off = max(abs(seen.pointer.x - point.x), abs(seen.pointer.y - point.y))
        if off > _SLIGHTLY:
            self._strayed(seen.pointer)
            return "the pointer does not stay where it is put: let go of the mouse"
        if seen.top != self._frame:
            raise NotInFront(f"another window came over '{window.title}': nothing more was clicked")
        return None
