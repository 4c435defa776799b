"""Real X windows that show a picture."""

from __future__ import annotations

import select
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

import cv2
import numpy as np
from numpy.typing import NDArray
from Xlib import X, display

from bot.frame import Region
from vision import windows
from vision.x11.opening import authority

PATIENCE = 20.0
"""Seconds for a window manager on a busy machine."""


class PictureWindow:
    """A window that shows a picture; the X server itself repaints it.

    Args:
        image: (H, W, 3) BGR.
        at: Where it should open, (x, y).
        title: Its title; `latin` puts it into WM_NAME alone.
        class_name: The second part of WM_CLASS; no WM_CLASS at all when empty.
        popup: Opens without asking the window manager, as menus and tooltips do.
    """

    def __init__(
        self,
        image: NDArray[np.uint8],
        at: tuple[int, int] = (0, 0),
        title: str = "Picture",
        class_name: str = "Picture",
        *,
        popup: bool = False,
        latin: bool = False,
    ) -> None:
        with authority():
            self.display = display.Display()
        screen = self.display.screen()
        height, width = image.shape[:2]
        self.window: Any = screen.root.create_window(
            *at, width, height, 0, screen.root_depth, override_redirect=popup
        )
        self._show(image)
        if class_name:
            self.window.set_wm_class(class_name.lower(), class_name)
        if latin:
            self._set("WM_NAME", "STRING", title.encode("latin-1"))
        else:
            self._set("_NET_WM_NAME", "UTF8_STRING", title.encode())
        self.window.set_wm_normal_hints(flags=1, min_width=0, min_height=0)
        self.window.map()
        self.display.sync()
        if not popup:
            wait_until(lambda: self.id in self._listed())

    @property
    def id(self) -> int:
        """The window's number."""
        return int(self.window.id)

    @property
    def region(self) -> Region:
        """Where its client area is."""
        place = windows.place_of(self.id)
        assert place is not None
        return place

    def show(self, image: NDArray[np.uint8]) -> None:
        """Show another picture of the same size."""
        self._show(image)
        self.window.clear_area()
        self.display.sync()

    def move(self, x: int, y: int) -> None:
        """Move it, and wait until it is elsewhere."""
        before = self.region
        self.window.configure(x=x, y=y)
        self.display.sync()
        wait_until(lambda: self.region != before)

    def resize(self, image: NDArray[np.uint8]) -> None:
        """Give it the size of another picture and show that."""
        height, width = image.shape[:2]
        self._show(image)
        self.window.configure(width=width, height=height)
        self.display.sync()
        wait_until(lambda: self.region[2:] == (width, height))
        self.window.clear_area()
        self.display.sync()

    def close(self) -> None:
        """Close it, and wait until it is gone."""
        self.window.destroy()
        self.display.sync()
        wait_until(lambda: windows.place_of(self.id) is None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.display.close()

    def _show(self, image: NDArray[np.uint8]) -> None:
        height, width = image.shape[:2]
        depth = self.display.screen().root_depth
        pixmap = self.window.create_pixmap(width, height, depth)
        context = pixmap.create_gc()
        pixels = cv2.cvtColor(image, cv2.COLOR_BGR2BGRA)
        for top in range(0, height, 16):
            stripe = pixels[top : top + 16]
            pixmap.put_image(
                context, 0, top, width, len(stripe), X.ZPixmap, depth, 0, stripe.tobytes()
            )
        self.window.change_attributes(background_pixmap=pixmap)
        context.free()
        pixmap.free()

    def _set(self, name: str, kind: str, value: bytes) -> None:
        atom = self.display.intern_atom
        self.window.change_property(atom(name), atom(kind), 8, value)

    def _listed(self) -> list[int]:
        return [window.id for window in windows.list_windows()]


def wait_until(ready: Callable[[], object]) -> None:
    """Ask again and again, the window manager being another process."""
    deadline = time.monotonic() + PATIENCE
    while not ready():
        assert time.monotonic() < deadline, "the window manager does not answer"
        select.select([], [], [], 0.01)
