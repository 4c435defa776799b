"""The pointer and the keyboard by pyautogui."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from bot.frame import Point
from bot.mouse import CORNER, MouseError


class PyautoguiPointer:
    """The pointer and the keyboard by pyautogui.

    pyautogui opens the display at import, so it is imported late, by the thread that clicks.

    Args:
        fail_safe: Whether pyautogui stops when the pointer is in a corner of the main monitor.
        importing: A context for the import, which opens the display.

    Raises:
        MouseError: There is no display to open.
    """

    def __init__(
        self,
        *,
        fail_safe: bool = True,
        importing: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        self._pyautogui: Any = _load_pyautogui(importing)
        self._pyautogui.FAILSAFE = fail_safe

    @property
    def position(self) -> Point:
        """The pointer's position, in points."""
        return Point(*map(float, self._pyautogui.position()))

    def move(self, point: Point) -> None:
        """Move the pointer to a point."""
        self._send(self._pyautogui.moveTo, round(point.x), round(point.y))

    def click(self, point: Point, button: str, hold: Callable[[], object] | None) -> None:
        """Press and release a button at a point; call `hold` between the two."""
        x, y = round(point.x), round(point.y)
        if hold is None:
            self._send(self._pyautogui.click, x, y, button=button)
            return
        self._send(self._pyautogui.mouseDown, x, y, button=button)
        try:
            hold()
        finally:
            self._release(button)

    def press(self, key: str) -> None:
        """Type a key, by pyautogui's name for it; several held together as `ctrl+n`."""
        keys = key.split("+") if len(key) > 1 else [key]
        self._send(self._pyautogui.hotkey, *keys)

    def _release(self, button: str) -> None:
        """Release a button at any pointer position; in a corner pyautogui would leave it down."""
        library = self._pyautogui
        fail_safe, library.FAILSAFE = library.FAILSAFE, False
        try:
            self._send(library.mouseUp, button=button)
        finally:
            library.FAILSAFE = fail_safe
        self._send(lambda _pause: library.failSafeCheck())

    def _send(self, function: Callable[..., object], *args: object, **options: object) -> None:
        try:
            function(*args, _pause=False, **options)
        except self._pyautogui.FailSafeException as error:
            raise MouseError(CORNER) from error


def _load_pyautogui(importing: Callable[[], AbstractContextManager[object]]) -> Any:
    # Its helper for finding coordinates ends the whole process if tkinter is missing.
    sys.modules.setdefault("mouseinfo", None)  # type: ignore[arg-type]
    try:
        with importing():
            import pyautogui  # noqa: PLC0415 - opens the display at import
    except Exception as error:
        # Any exception of its parts: ImportError, NotImplementedError, KeyError without a display,
        # and Xlib's errors, which have no common class. It is passed on, with its text.
        raise MouseError(
            f"the pointer cannot be moved by programs ({error}): does your system allow it?"
        ) from error
    pyautogui.PAUSE = 0
    return pyautogui
