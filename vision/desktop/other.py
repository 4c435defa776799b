"""Capture with mss and input with pyautogui, on systems without their own implementation.

Untested on Windows and macOS. Windows are unknown: boards are found in the picture of the screen,
and played without checks of the window that contains them. Other implementations return the same
values once their window system has gone.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, Final

from bot.frame import Point, Region
from bot.mouse import CORNER, MouseError, Pointer
from vision.desktop.protocol import (
    ClickState,
    Decoration,
    Diagnosis,
    Feature,
    GlobalKey,
    InputEvents,
    PointerState,
    ProgramDialog,
    Screen,
    Window,
)
from vision.desktop.x11_connection import authority

NO_GLOBAL_KEYS: Final = (
    "No key can be heard here while another window has the focus: that works on X11 and was never "
    "tried elsewhere. Esc stops in the panel; the pointer in a corner of the screen stops "
    "everywhere."
)
_MACOS_SETTINGS: Final = (
    "Permit it in System Settings, Privacy & Security, under Screen Recording and Accessibility."
)
_LACKS: Final[Mapping[Feature, str]] = {
    Feature.WINDOWS: "Windows cannot be asked about here: boards are found in the screen's picture "
    "alone. Keep them in front.",
    Feature.PLACES: "Whether a click reaches the game's window cannot be checked: move nothing "
    "over it while it is played.",
    Feature.POINTER: "Where the monitors are is not known: no corner but those of pyautogui stops.",
    Feature.FOCUS: "The game is not given the keyboard: click on it once before a key is typed.",
    Feature.WINDOW_CAPTURE: "A covered window cannot be read: keep the game uncovered.",
    Feature.GLOBAL_KEYS: NO_GLOBAL_KEYS,
    Feature.USER_INPUT: "Only the place of the pointer is known: a program that moves it is taken "
    "for you, and a click of yours without a motion is not noticed.",
    Feature.SCREEN_LOCK: "A locked screen is not noticed: stop before you leave.",
    Feature.RESPONSE: "A program that hangs is noticed only when its clicks have no effect.",
}


class OtherDesktop:
    """A window system without any queries."""

    name = "this desktop"

    @property
    def lacks(self) -> Mapping[Feature, str]:
        return _LACKS

    @property
    def access_hint(self) -> str:
        return _MACOS_SETTINGS if platform.system() == "Darwin" else ""

    def request_access(
        self,
        report: Callable[[str], object] = lambda _text: None,
        stopped: Callable[[], bool] = lambda: False,
        *,
        again: bool = True,
    ) -> None:
        """Do nothing: macOS asks by itself at the first attempt."""

    keeps_access = False

    def forget_access(self) -> None:
        """Do nothing."""

    def diagnose(self) -> list[Diagnosis]:
        return []

    def answers(self) -> bool:
        return True

    def find_absence(self) -> str | None:
        return None

    def list_windows(self) -> list[Window]:
        return []

    def exists(self, _window_id: int) -> bool:
        return False

    def is_same(self, _window: Window) -> bool:
        return False

    def place_of(self, _window_id: int) -> Region | None:
        return None

    def frame_of(self, _window_id: int) -> int:
        return 0

    def decoration(self, _window_id: int) -> Decoration:
        return Decoration(own_bars=True, margins=(0, 0, 0, 0))

    def is_popup(self, _window_id: int) -> bool:
        return False

    def is_own(self, _top: int) -> bool:
        return False

    def window_at(self, _point: Point) -> Window | None:
        return None

    def uncovered(self, _window_id: int, points: Sequence[Point]) -> list[bool]:
        return [False] * len(points)

    def monitors(self) -> list[Region]:
        return []

    def activate(self, window: Window) -> None:
        """Do nothing."""

    def maximise(self, window_id: int) -> None:
        """Do nothing."""

    def focused(self) -> Window | None:
        return None

    def responds(self, _window_id: int, _wait: Callable[[float], bool]) -> bool:
        return True

    def find_dialog(self, _program: str, _titles: Sequence[str]) -> ProgramDialog | None:
        return None

    def open_screen(self) -> Screen:
        from vision.desktop.screens import MssScreen  # noqa: PLC0415 - loads OpenCV

        return MssScreen()

    def release_window(self, window_id: int) -> None:
        """Do nothing."""

    def open_pointer(self) -> Pointer:
        return PyautoguiPointer()

    def pointer_state(self) -> PointerState | None:
        return None

    def click_state(
        self, _window_id: int, _pixel: tuple[int, int] | None = None
    ) -> ClickState | None:
        return None

    def steer(self, window_id: int, x: int, y: int) -> None:
        """Do nothing."""

    def open_input_events(self) -> InputEvents | None:
        return None

    def open_global_key(self, _name: str, _pressed: Callable[[], None]) -> GlobalKey | None:
        return None


class PyautoguiPointer:
    """The pointer and the keyboard by pyautogui.

    pyautogui opens the display at import, so it is imported late, by the thread that clicks.

    Args:
        fail_safe: Whether pyautogui stops when the pointer is in a corner of the main monitor.

    Raises:
        MouseError: There is no display to open.
    """

    def __init__(self, *, fail_safe: bool = True) -> None:
        self._pyautogui: Any = _load_pyautogui()
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


def _load_pyautogui() -> Any:
    # Its helper for finding coordinates ends the whole process if tkinter is missing.
    sys.modules.setdefault("mouseinfo", None)  # type: ignore[arg-type]
    try:
        # Without a display its import needs no permission of an X server, and Xlib may be missing.
        with authority() if os.environ.get("DISPLAY") else nullcontext():
            import pyautogui  # noqa: PLC0415 - opens the display at import
    except Exception as error:
        # Any exception of its parts: ImportError, NotImplementedError, KeyError without a display,
        # and Xlib's errors, which have no common class. It is passed on, with its text.
        raise MouseError(
            f"the pointer cannot be moved ({error}): run 'minesweeper-bot doctor'"
        ) from error
    pyautogui.PAUSE = 0
    return pyautogui
