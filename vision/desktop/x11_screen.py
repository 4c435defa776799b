"""Capture of an X server: the desktop, or one window of it (X Composite)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

import mss.exception
import numpy as np

from bot.frame import Frame, Region
from vision.desktop.base import Window
from vision.desktop.mss_screen import MssScreen

if TYPE_CHECKING:
    from vision.desktop.x11_desktop import X11Desktop

_STAYS: Final = 0.05
"""Seconds for which a window's position is assumed to be unchanged."""


class X11Screen(MssScreen):
    """Captures the desktop, or one window without the windows above it (X Composite).

    Marks that this program draws over a game's window must never be read: a mark in the corner of a
    tile would change it. So a selected window is captured from its own buffer.
    """

    def __init__(self, desktop: X11Desktop) -> None:
        super().__init__()
        self._desktop = desktop
        self._window: int | None = None
        self._format = (0, 0)
        self._placed = 0
        self._place: Region | None = None
        self._asked = 0.0

    def select_window(self, window_id: int) -> bool:
        made = self._redirected(window_id)
        if made is None:
            return False
        self._window, self._format = window_id, made
        return True

    def select_desktop(self) -> None:
        self._window = None

    def is_selected(self, window_id: int) -> bool:
        return self._window == window_id

    def grab_window(self, window: Window) -> Frame | None:
        made, seen = self._redirected(window.id), self.region.intersection(window.region)
        if made is None or seen is None:
            return None
        part = seen.moved(-window.region.left, -window.region.top)
        try:
            frame = self._of_window(window.id, made, part)
        except mss.exception.ScreenShotError:
            # The window was minimised, closed or made smaller since.
            return None
        return Frame(frame.image, seen, frame.time, frame.number)

    def _redirected(self, window_id: int) -> tuple[int, int] | None:
        """Redirect a window to its own buffer; return its depth and visual, None if impossible."""
        if not hasattr(self._mss._impl, "drawable"):  # noqa: SLF001 - mss captures no window
            return None
        return self._desktop.redirect_window(window_id)

    def _place_of(self, window_id: int) -> Region | None:
        """Return a window's recent position; None if it is closed or minimised."""
        if window_id != self._placed or time.perf_counter() - self._asked > _STAYS:
            self._placed, self._place = window_id, self._desktop.place_of(window_id)
            self._asked = time.perf_counter()
        return self._place

    def _capture(self, seen: Region) -> Frame:
        if self._window is None:
            return super()._capture(seen)
        place = self._place_of(self._window)
        if place is not None and place.intersection(seen) is None:
            self._asked = 0.0
            place = self._place_of(self._window)
        if place is None:
            return super()._capture(seen)
        part = place.intersection(seen)
        if part is None:
            # The window has moved: a picture of its old place must not look unchanged.
            image = np.zeros((seen.height, seen.width, 3), np.uint8)
            return Frame(image, seen, time.perf_counter())
        try:
            moved = part.moved(-place.left, -place.top)
            frame = self._of_window(self._window, self._format, moved)
        except mss.exception.ScreenShotError:
            # The window was minimised, closed or made smaller since.
            self._asked = 0.0
            return super()._capture(seen)
        return Frame(frame.image, part, frame.time, frame.number)

    def _of_window(self, window_id: int, made: tuple[int, int], part: Region) -> Frame:
        """Return a part of the window, in its coordinates; `made` is its depth and visual."""
        impl: Any = self._mss._impl  # noqa: SLF001 - mss captures no window
        kept = impl.drawable, impl.drawable_depth, impl.drawable_visual_id
        kind = type(impl.drawable_visual_id)
        impl.drawable = type(impl.drawable)(window_id)
        impl.drawable_depth, impl.drawable_visual_id = made[0], kind(made[1])
        try:
            return super()._capture(part)
        finally:
            impl.drawable, impl.drawable_depth, impl.drawable_visual_id = kept
