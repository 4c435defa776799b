"""A screen that can look at one window as if nothing lay over it.

What this program draws over a game's window must never reach the eye: a mark in the corner of
a tile would make it another tile. So nothing is masked: the window is captured where it is
painted, before anything is laid over it (X Composite). What is read, learned and recorded is
the game's own picture, pixel for pixel, in every skin.
"""

from __future__ import annotations

import time
from typing import Any, Final

import mss.exception
import numpy as np

from bot.frame import Frame, Region
from vision import windows
from vision.capture import Screen

_STAYS: Final = 0.05
"""Seconds for which a window is taken to be where it was."""


class GameScreen(Screen):
    """Captures the desktop, or one window of it with nothing over it."""

    def __init__(self) -> None:
        super().__init__()
        self._window: int | None = None
        self._format = (0, 0)
        self._placed = 0
        self._place: Region | None = None
        self._asked = 0.0

    def look_beneath(self, window_id: int) -> bool:
        """Capture this window alone from now on; whether that can be done here."""
        if not hasattr(self._mss._impl, "drawable"):  # noqa: SLF001 - mss captures no window
            return False
        made = windows.paint_apart(window_id)
        if made is None:
            return False
        self._window, self._format = window_id, made
        return True

    def look_at_desktop(self) -> None:
        """Capture the desktop again, with whatever lies over the window."""
        self._window = None

    def shows_beneath(self, window_id: int) -> bool:
        """Return whether a window is captured without what lies over it."""
        return self._window == window_id

    def grab_window(self, window: windows.Window) -> Frame | None:
        """Capture the part of a window that is on the desktop, with nothing over it.

        Returns:
            None if the window is gone, or cannot be captured alone here.
        """
        made, seen = windows.paint_apart(window.id), self.region.intersection(window.region)
        if made is None or seen is None or not hasattr(self._mss._impl, "drawable"):  # noqa: SLF001
            return None
        part = seen.moved(-window.region.left, -window.region.top)
        try:
            frame = self._of_window(window.id, made, part)
        except mss.exception.ScreenShotError:
            # It was minimised, closed or made smaller since.
            return None
        return Frame(frame.image, seen, frame.time, frame.number)

    def place_of(self, window_id: int) -> Region | None:
        """Where a window is, or was a moment ago; None where it is closed or minimised."""
        if window_id != self._placed or time.monotonic() - self._asked > _STAYS:
            self._placed, self._place = window_id, windows.place_of(window_id)
            self._asked = time.monotonic()
        return self._place

    def _grab(self, seen: Region) -> Frame:
        if self._window is None:
            return super()._grab(seen)
        place = self.place_of(self._window)
        if place is not None and place.intersection(seen) is None:
            self._asked = 0.0
            place = self.place_of(self._window)
        if place is None:
            return super()._grab(seen)
        part = place.intersection(seen)
        if part is None:
            # The window has gone elsewhere: what is there instead must not look as if it stayed.
            image = np.zeros((seen.height, seen.width, 3), np.uint8)
            return Frame(image, seen, time.monotonic())
        try:
            moved = part.moved(-place.left, -place.top)
            frame = self._of_window(self._window, self._format, moved)
        except mss.exception.ScreenShotError:
            # It was minimised, closed or made smaller since.
            self._asked = 0.0
            return super()._grab(seen)
        return Frame(frame.image, part, frame.time, frame.number)

    def _of_window(self, window_id: int, made: tuple[int, int], part: Region) -> Frame:
        """A part of the window, in its own coordinates; `made` is its depth and visual."""
        impl: Any = self._mss._impl  # noqa: SLF001 - mss captures no window
        kept = impl.drawable, impl.drawable_depth, impl.drawable_visual_id
        kind = type(impl.drawable_visual_id)
        impl.drawable = type(impl.drawable)(window_id)
        impl.drawable_depth, impl.drawable_visual_id = made[0], kind(made[1])
        try:
            return super()._grab(part)
        finally:
            impl.drawable, impl.drawable_depth, impl.drawable_visual_id = kept
