"""Capture of Windows: the desktop with mss, or one window by PrintWindow."""

from __future__ import annotations

import sys

assert sys.platform == "win32"

import ctypes
import time
from contextlib import ExitStack
from ctypes import wintypes
from typing import Any, Final

import numpy as np
import pywintypes
import win32con
import win32gui
from numpy.typing import NDArray

from bot.frame import Frame, Region
from vision.desktop import windows_api
from vision.desktop.base import Desktop, Window
from vision.desktop.mss_screen import MssScreen

_SECONDS: Final = 0.2
"""Time for a program to answer before it is asked to draw."""
_CLIENT_AREA: Final = 0x1 | 0x2
"""PW_CLIENTONLY and PW_RENDERFULLCONTENT: also what the graphics card draws (Windows 8.1)."""


class WindowsScreen(MssScreen):
    """Captures the desktop, or one window without the windows above it.

    Marks that this program draws over a game's window must never be read: a mark in the corner of a
    tile would change it. So a selected window is asked to draw itself.

    Args:
        desktop: Finds the positions of windows.
    """

    def __init__(self, desktop: Desktop) -> None:
        super().__init__()
        self._desktop = desktop
        self._window: int | None = None

    def select_window(self, window_id: int) -> bool:
        place = self._desktop.place_of(window_id)
        if place is None or _drawn(window_id, place) is None:
            return False
        self._window = window_id
        return True

    def select_desktop(self) -> None:
        self._window = None

    def is_selected(self, window_id: int) -> bool:
        return self._window == window_id

    def grab_window(self, window: Window) -> Frame | None:
        begin = time.perf_counter()
        seen, image = self.region.intersection(window.region), _drawn(window.id, window.region)
        if image is None or seen is None:
            return None
        self.seconds += time.perf_counter() - begin
        return Frame(
            _part(image, window.region, seen), seen, time.perf_counter(), next(self._numbers)
        )

    def _capture(self, seen: Region) -> Frame:
        place = None if self._window is None else self._desktop.place_of(self._window)
        if self._window is None or place is None:
            return super()._capture(seen)
        part = place.intersection(seen)
        if part is None:
            # The window has moved: a picture of its old place must not look unchanged.
            image = np.zeros((seen.height, seen.width, 3), np.uint8)
            return Frame(image, seen, time.perf_counter(), next(self._numbers))
        begin = time.perf_counter()
        drawn = _drawn(self._window, place)
        if drawn is None:
            # The window was minimised, closed or made smaller since.
            return super()._capture(seen)
        self.seconds += time.perf_counter() - begin
        return Frame(_part(drawn, place, part), part, time.perf_counter(), next(self._numbers))


def _part(image: NDArray[np.uint8], place: Region, part: Region) -> NDArray[np.uint8]:
    top, left = part.top - place.top, part.left - place.left
    return np.ascontiguousarray(image[top : top + part.height, left : left + part.width])


class _BitmapHeader(ctypes.Structure):
    """BITMAPINFOHEADER, with the place of one colour."""

    _fields_ = (
        ("size", wintypes.DWORD),
        ("width", wintypes.LONG),
        ("height", wintypes.LONG),
        ("planes", wintypes.WORD),
        ("bits", wintypes.WORD),
        ("compression", wintypes.DWORD),
        ("bytes", wintypes.DWORD),
        ("resolution", wintypes.LONG * 2),
        ("colours", wintypes.DWORD * 3),
    )


def _drawn(window: int, place: Region) -> NDArray[np.uint8] | None:
    """Let a window draw its client area; None if it draws nothing, hangs, or is gone.

    Windows reports success even if the program draws nothing: the picture is then black. A program
    that Windows scales, as it does not know the monitor's scale, would draw in another size.

    Returns:
        (H, W, 3) uint8 BGR.
    """
    # The program itself draws: one that hangs would be waited for.
    if windows_api.is_scaled_by_windows(window) or not windows_api.answers_within(window, _SECONDS):
        return None
    image = np.zeros((place.height, place.width, 4), np.uint8)
    try:
        with ExitStack() as handles:
            screen = win32gui.GetDC(0)
            handles.callback(win32gui.ReleaseDC, 0, screen)
            memory = win32gui.CreateCompatibleDC(screen)
            handles.callback(win32gui.DeleteDC, memory)
            bitmap: Any = win32gui.CreateCompatibleBitmap(screen, place.width, place.height)
            handles.callback(win32gui.DeleteObject, bitmap)
            before = win32gui.SelectObject(memory, bitmap)
            done = ctypes.windll.user32.PrintWindow(
                wintypes.HWND(window), wintypes.HDC(int(memory)), _CLIENT_AREA
            )
            win32gui.SelectObject(memory, before)
            header = _BitmapHeader(40, place.width, -place.height, 1, 32)
            ctypes.windll.gdi32.GetDIBits(
                wintypes.HDC(int(memory)),
                wintypes.HBITMAP(int(bitmap)),
                0,
                place.height,
                image.ctypes.data_as(ctypes.c_void_p),
                ctypes.byref(header),
                win32con.DIB_RGB_COLORS,
            )
    except pywintypes.error:
        return None
    drawn = image[:, :, :3]
    return np.ascontiguousarray(drawn) if done and drawn.any() else None
