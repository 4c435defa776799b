"""A keyboard for a real X server: keys by XTEST, the focus where a test wants it."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

from Xlib import XK, X, display
from Xlib.ext import xtest

from vision.x11.opening import authority


class Keyboard:
    """Sends keys to whatever has the focus, as a real one does."""

    def __init__(self) -> None:
        with authority():
            self.display: Any = display.Display()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.display.close()

    def hold(self, name: str) -> None:
        """Press a key and keep it down."""
        self._turn(X.KeyPress, name)

    def let_go(self, name: str) -> None:
        """Release it."""
        self._turn(X.KeyRelease, name)

    def _turn(self, kind: int, name: str) -> None:
        code = self.display.keysym_to_keycode(XK.string_to_keysym(name))
        xtest.fake_input(self.display, kind, code)
        self.display.sync()

    def press(self, *names: str) -> None:
        """Press keys, by X11's names, one after the other; release them in reverse."""
        codes = [self.display.keysym_to_keycode(XK.string_to_keysym(name)) for name in names]
        for code in codes:
            xtest.fake_input(self.display, X.KeyPress, code)
        for code in reversed(codes):
            xtest.fake_input(self.display, X.KeyRelease, code)
        self.display.sync()
