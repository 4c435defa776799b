"""Capture of the desktop with mss.

mss keeps its X connection per thread. Regions are desktop points, clipped to the screen, because
mss raises an error outside it.
"""

from __future__ import annotations

import time
from itertools import count
from typing import Any

import cv2
import mss
import mss.exception
import numpy as np
from numpy.typing import NDArray

from bot.frame import Frame, Region
from vision.desktop.base import Screen, ScreenError


class MssScreen(Screen):
    """Captures the desktop with one handle of mss, for the thread that opened it.

    Raises:
        ScreenError: There is no screen, or capture is not permitted.
    """

    def __init__(self) -> None:
        self._numbers = count()
        self._region: Region
        self._monitors: tuple[Region, ...]
        self._open()

    @property
    def region(self) -> Region:
        """All monitors together, in points."""
        return self._region

    @property
    def monitors(self) -> tuple[Region, ...]:
        """The region of each monitor, in points."""
        return self._monitors

    def _open(self) -> None:
        try:
            self._mss: Any = mss.MSS()
            monitors = self._mss.monitors
        except Exception as error:  # mss and its back ends raise any exception here.
            raise ScreenError(
                f"the screen cannot be read ({_line(error)}): is there a display, and may this "
                "program use it?"
            ) from error
        regions = tuple(
            Region(int(m["left"]), int(m["top"]), int(m["width"]), int(m["height"]))
            for m in monitors
        )
        self._region, self._monitors = regions[0], regions[1:]

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
        moment = time.perf_counter()
        raw: NDArray[np.uint8] = np.frombuffer(shot.raw, np.uint8)
        image = cv2.cvtColor(raw.reshape(shot.height, shot.width, 4), cv2.COLOR_BGRA2BGR)
        self.seconds += time.perf_counter() - begin
        return Frame(image.astype(np.uint8, copy=False), seen, moment, next(self._numbers))

    def close(self) -> None:
        self._mss.close()


def _size(region: Region) -> str:
    return f"{region.width} x {region.height} at ({region.left}, {region.top})"


def _line(error: BaseException) -> str:
    """Return the first line of an error: the next lines of an X error are numbers."""
    return str(error).partition("\n")[0] or type(error).__name__
