"""The checks before a click: is the user there, does the program respond, is the window in front?

The last check is made right before each press and each release. A window manager may delay a press
(openbox does so with every one), and move the window before it passes the press on. So the press is
made one pixel beside the point, and the pointer put onto the point: it comes there only after the
press has arrived. Both times it is put onto a pixel of the window, not of the screen, in one
message with the press or the release.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import Cell
from bot.frame import Grid, Point
from vision.desktop import NOWHERE, ClickState, Window, desktop
from vision.focus import NotInFront

EDGE: Final = 0.04
"""Part of a cell by which a board may reach out of its window: half a line between two cells."""


@dataclass(frozen=True)
class GuardLimits:
    """Limits of the check before a click."""

    pointer_off: int = 2
    """Distance in points by which the pointer may be off: a trembling mouse, the edge of a
    monitor."""
    press_offset: int = 1
    """Distance in pixels, to the right of the point, at which a button is pressed."""
    cells: int = 32
    """Largest number of cells whose visibility the window system is asked for."""


_GUARD: Final = GuardLimits()


class SessionGone(RuntimeError):
    """The user cannot see this screen, or it has gone."""

    def __init__(self, why: str) -> None:
        super().__init__(f"{why}: nothing more is clicked, and what was played so far is kept")


class NotAnswering(RuntimeError):
    """The program hangs, or was stopped."""

    def __init__(self, window: Window) -> None:
        super().__init__(
            f"the program of the window '{window.title}' does not answer: nothing more was sent "
            "to it. Go on when it answers again, or end it and start it again"
        )


class InputRefused(RuntimeError):
    """The window system passes no input of this program on to the game."""

    def __init__(self, why: str) -> None:
        super().__init__(f"{why}. Nothing was clicked")


def refuse_absence() -> None:
    """Check that the screen exists and is shown to the user.

    Raises:
        SessionGone: It is not shown; the message says why.
    """
    why = desktop().find_absence()
    if why is not None:
        raise SessionGone(why)


def find_cause(error: BaseException) -> BaseException:
    """Return the cause of an error: a lost display may cause any error."""
    if desktop().answers():
        return error
    return SessionGone(desktop().find_absence() or f"{desktop().name} is gone")


def refuse_hanging(window: Window, wait: Callable[[float], bool]) -> None:
    """Check that the program of a window responds, if the window system can find out.

    `wait` waits the given seconds and returns True if the user stopped (an event's `wait`).

    Raises:
        NotAnswering: It does not respond.
    """
    if not desktop().responds(window.id, wait):
        raise NotAnswering(window)


class ClickGuard:
    """Checks a game's window, before a batch of clicks and before each of them.

    Args:
        window: Returns the window as of the last reading of its board; None if unknown.
        refuse_others: Raises if another window lies at one of the points, as `Reader.guard` does.
        strayed: Called with the pointer's position if another program or the user moved it.
        is_shown: Returns whether the board is still where it was read; called if the window system
            does not tell which window lies at a point.
    """

    def __init__(
        self,
        window: Callable[[], Window | None],
        refuse_others: Callable[[Sequence[Point]], None],
        strayed: Callable[[Point], None] = lambda _place: None,
        is_shown: Callable[[], bool] = lambda: True,
    ) -> None:
        self._window = window
        self._is_shown = is_shown
        self._refuse_others = refuse_others
        self._strayed = strayed
        self._frame = 0

    def check_batch(self, points: Sequence[Point]) -> None:
        """Check that a click at each of these points reaches the game's window.

        Raises:
            SessionGone: The user cannot see this screen, or it has gone.
            NotInFront: The window is gone or has moved, another one lies there, or the number
                of a closed one was given to another.
            InputRefused: The window takes no input from this program.
        """
        refuse_absence()
        if self._refuse_hidden():
            return
        window = self._window()
        if window is None:
            raise NotInFront("the board is in no window: nothing was clicked")
        if not desktop().is_same(window):
            raise NotInFront(f"the window '{window.title}' was closed: nothing was clicked")
        if why := desktop().find_refusal(window):
            raise InputRefused(why)
        self._refuse_others(points)
        self._frame = desktop().frame_of(window.id)

    def check_press(self, point: Point) -> str | None:
        """Check again, with the pointer on the point; costs one exchange with the server.

        Returns:
            An obstacle to the click, in words; None if there is none.

        Raises:
            NotInFront: The window is gone, has moved, or another one lies there.
        """
        window = self._placed_window()
        if self._refuse_hidden() or window is None:
            return None
        seen = self._seen(window)
        if seen.pointer.button:
            return "a mouse button is held down: release it"
        if seen.pointer.modifier:
            return "a key (Shift, Ctrl, Alt, or the Windows key) is held down: release it"
        if _off(seen.pointer.place, point) > _GUARD.pointer_off:
            self._strayed(seen.pointer.place)
            return "the pointer does not stay in place: release the mouse"
        self._refuse_cover(window, seen)
        _steer(window, point, _GUARD.press_offset)
        return None

    def check_release(self, point: Point) -> str | None:
        """Check again, with the button down; costs one exchange with the server.

        Returns:
            An obstacle to the release, in words: the press has not arrived yet.

        Raises:
            NotInFront: The window is gone, has moved, or another one lies there.
        """
        window = self._placed_window()
        if window is None:
            return None
        seen = self._seen(window, _pixel(window, point))
        if seen.before is not None and _off(seen.before, point) > _GUARD.pointer_off:
            self._strayed(seen.before)
        if seen.pointer.place == Point(round(point.x) + _GUARD.press_offset, round(point.y)):
            return "the desktop does not pass a click on: wait until it does"
        self._refuse_cover(window, seen)
        _steer(window, point)
        return None

    def find_release_point(self) -> Point | None:
        """Return a point outside every window that may have got the press; None for anywhere."""
        window, state = self._placed_window(), desktop().pointer_state()
        if window is None or state is None:
            return None
        under = desktop().window_at(state.place)
        places = [desktop().place_of(window.id), under.region if under is not None else None]
        for one in desktop().monitors():
            middle = one.center
            for point in (
                Point(middle.x, one.top + 1),
                Point(middle.x, one.top + one.height - 2),
                Point(one.left + 1, middle.y),
                Point(one.left + one.width - 2, middle.y),
            ):
                if not any(place is not None and place.contains(point) for place in places):
                    return point
        return None

    def _refuse_hidden(self) -> bool:
        """Check the picture if windows at a point are unknown; return whether they are.

        Raises:
            NotInFront: The board is no longer where it was read.
        """
        unknown = not desktop().lists_windows
        if unknown and not self._is_shown():
            raise NotInFront("the board has moved, or something covers it: nothing was clicked")
        return unknown

    def _placed_window(self) -> Window | None:
        """Return the window; None if the window or its position is unknown."""
        window = self._window()
        return None if window is None or window.region == NOWHERE else window

    def _seen(self, window: Window, pixel: tuple[int, int] | None = None) -> ClickState:
        seen = desktop().click_state(window.id, pixel)
        if seen is None:
            refuse_absence()
            raise NotInFront(f"the window '{window.title}' was closed: nothing more was clicked")
        if seen.region != window.region:
            raise NotInFront(f"the window '{window.title}' has moved: nothing more was clicked")
        return seen

    def _refuse_cover(self, window: Window, seen: ClickState) -> None:
        if seen.pointer.top != self._frame:
            raise NotInFront(f"another window came over '{window.title}': nothing more was clicked")


def _steer(window: Window, point: Point, beside: int = 0) -> None:
    """Put the pointer onto a pixel of a window, together with the next event."""
    x, y = _pixel(window, point)
    desktop().steer(window.id, x + beside, y)


def _pixel(window: Window, point: Point) -> tuple[int, int]:
    return round(point.x) - window.region.left, round(point.y) - window.region.top


def _off(one: Point, other: Point) -> float:
    return max(abs(one.x - other.x), abs(one.y - other.y))


def is_visible(window: Window | None, grid: Grid, chosen: NDArray[np.bool_] | None = None) -> bool:
    """Return whether no other window covers the cells: all, or the (rows, cols) chosen ones.

    Checks their corners. True if `window` is None: then the window system cannot tell.
    """
    if window is None:
        return True
    cells = np.argwhere(np.ones((grid.rows, grid.cols), bool) if chosen is None else chosen)
    if chosen is not None:
        cells = cells[:: ceil(len(cells) / _GUARD.cells) or 1]
    across, down = (
        pitch / 2 - 1 - round(EDGE * min(grid.pitch_x, grid.pitch_y))
        for pitch in (grid.pitch_x, grid.pitch_y)
    )
    points = [
        Point(middle.x + x, middle.y + y)
        for middle in (grid.center(Cell(row, col)) for row, col in cells.tolist())
        for x in (-across, across)
        for y in (-down, down)
    ]
    return not points or all(desktop().uncovered(window.id, points))


def refuse_others(window: Window, points: Sequence[Point]) -> None:
    """Check that a click at each of these points reaches a window.

    Raises:
        NotInFront: The window is gone, has moved, or something else lies there.
    """
    place = desktop().place_of(window.id)
    if place is None:
        raise NotInFront(f"the window '{window.title}' is gone: nothing was clicked")
    if place != window.region:
        raise NotInFront(f"the window '{window.title}' has moved: nothing was clicked")
    for point, free in zip(points, desktop().uncovered(window.id, points), strict=True):
        if not free:
            other = desktop().window_at(point)
            what = f"'{other.title or other.class_name or 'a pop-up'}'" if other else "nothing"
            raise NotInFront(
                f"at ({point.x:.0f}, {point.y:.0f}) lies {what}, not '{window.title}': "
                "nothing was clicked; bring the game to the front and play again"
            )
