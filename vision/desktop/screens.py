"""Capture with mss: the desktop, and on X11 one window of it.

mss keeps its X connection per thread. Regions are desktop points, clipped to the screen, because
mss raises an error outside it.
"""

from __future__ import annotations

import time
from itertools import count
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import cv2
import mss
import mss.exception
import numpy as np
from numpy.typing import NDArray

from bot.frame import Frame, Region
from vision.desktop.protocol import ScreenError, Window

if TYPE_CHECKING:
    from vision.desktop.x11_desktop import X11Desktop

_STAYS: Final = 0.05
"""Seconds for which a window's position is assumed to be unchanged."""


class MssScreen:
    """Captures the desktop with one handle of mss, for the thread that opened it.

    Raises:
        ScreenError: There is no screen, or capture is not permitted.
    """

    def __init__(self) -> None:
        self._numbers = count()
        self.seconds = 0.0
        """Time spent on capturing so far."""
        self.region: Region
        """All monitors together, in points."""
        self.monitors: tuple[Region, ...]
        self._open()

    def _open(self) -> None:
        try:
            self._mss: Any = mss.MSS()
            monitors = self._mss.monitors
        except Exception as error:  # mss and its back ends raise any exception here.
            raise ScreenError(
                f"the screen cannot be read ({_line(error)}): is there a display, and may this "
                "program use it? 'minesweeper-bot doctor' tells more"
            ) from error
        regions = tuple(
            Region(int(m["left"]), int(m["top"]), int(m["width"]), int(m["height"]))
            for m in monitors
        )
        self.region, self.monitors = regions[0], regions[1:]

    def grab(self, region: Region | None = None) -> Frame:
        try:
            return self._capture(self._on_desktop(region))
        except mss.exception.ScreenShotError:
            # The desktop may have another size than when the handle was opened.
            self.close()
            self._open()
        try:
            return self._capture(self._on_desktop(region))
        except mss.exception.ScreenShotError as error:
            raise ScreenError(f"the screen can no longer be read: {_line(error)}") from error

    def shows(self, region: Region) -> bool:
        if self.region.intersection(region) is None:
            self.close()
            self._open()
        return self.region.intersection(region) is not None

    def _on_desktop(self, region: Region | None) -> Region:
        seen = self.region if region is None else self.region.intersection(region)
        if seen is None:
            raise ScreenError(
                f"{_size(region or self.region)} lies off the desktop, which is "
                f"{_size(self.region)}: was a monitor unplugged? look for the board again"
            )
        return seen

    def _capture(self, seen: Region) -> Frame:
        begin = time.perf_counter()
        box = {"left": seen.left, "top": seen.top, "width": seen.width, "height": seen.height}
        shot = self._mss.grab(box)
        moment = time.monotonic()
        raw: NDArray[np.uint8] = np.frombuffer(shot.raw, np.uint8)
        image = cv2.cvtColor(raw.reshape(shot.height, shot.width, 4), cv2.COLOR_BGRA2BGR)
        self.seconds += time.perf_counter() - begin
        return Frame(image.astype(np.uint8, copy=False), seen, moment, next(self._numbers))

    def grab_window(self, _window: Window) -> Frame | None:
        return None

    def select_window(self, _window_id: int) -> bool:
        return False

    def select_desktop(self) -> None:
        """Do nothing: the desktop is always captured."""

    def is_selected(self, _window_id: int) -> bool:
        return False

    def close(self) -> None:
        self._mss.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


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
        if window_id != self._placed or time.monotonic() - self._asked > _STAYS:
            self._placed, self._place = window_id, self._desktop.place_of(window_id)
            self._asked = time.monotonic()
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
            return Frame(image, seen, time.monotonic())
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


def _size(region: Region) -> str:
    return f"{region.width} x {region.height} at ({region.left}, {region.top})"


def _line(error: BaseException) -> str:
    """Return the first line of an error: the next lines of an X error are numbers."""
    return str(error).partition("\n")[0] or type(error).__name__
