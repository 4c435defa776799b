"""The interface to the window system.

All functions of the window system are behind one class, `Desktop` (`base.py`). `desktop()` returns
the implementation for this process. No other package imports a window system's library, reads its
environment variables or asks for the platform because of windows.

How it works:

- **Primitives only.** The interface reports the state and sends the given input. Which clicks are
  allowed and which dialogs are answered is decided elsewhere (`vision.click_guard`, `vision.focus`,
  the reader and the runner).
- **One coordinate space.** A point is a position in the space that `Screen.region` describes. On
  X11 and Windows that is the desktop. Where a capture is a stream of one monitor or window, it is
  the stream's own space, and the pointer is put relative to it: the implementation converts.
- **Unknown windows.** A window of unknown position has the region `NOWHERE`, which contains no
  point and overlaps nothing.
- **Missing features.** `Desktop` itself has the safe defaults of a system that lacks everything; an
  implementation overrides what it has. `Desktop.lacks` describes for each missing `Feature` the
  consequence for the user; `doctor` lists them, and the panel shows that of the stop key.
- **Scale.** Points, captures and clicks have to agree on every monitor: on Windows the process is
  declared aware of each monitor's scale when `desktop()` is first called, which has to be before
  mss, pyautogui and Qt are used, as each sets it otherwise.
- **Permission.** `Desktop.request_access` asks the user if the window system requires it, once,
  before the first capture and the first click of a run. It does nothing elsewhere.
- **Threads.** Every method may be called by any thread; what `open_screen` and `open_pointer`
  return belongs to the thread that opened it, what `open_input_events` returns to one thread at
  a time.

| module | holds |
|---|---|
| `base` | `Desktop`, its values, its defaults |
| `session` | which implementation this process needs |
| `x11_desktop` `x11_connection` `x11_input` `x11_screen` | X11 through Xlib |
| `windows_desktop` `windows_input` `windows_screen` | Windows through pywin32 |
| `windows_api` | ... and through ctypes, where pywin32 has no function |
| `wayland` | the shared windows or screens, and their pointer |
| `portal` `portal_key` | D-Bus: the user's consent and input, and the stop key, through jeepney |
| `accessibility` | dialogs of GTK's programs, which Wayland does not list |
| `pipewire` | frames of shared memory, through libpipewire |
| `other` | untested systems, such as macOS |
| `mss_screen` `pyautogui_pointer` | capture and input that several systems share |
| `user_mouse` | detect the user's mouse, on any implementation |

A new platform is one subclass of `Desktop`, with its pointer (`bot.mouse.Pointer`), input events,
stop key and screen in one or more modules that import no other platform's, and one more case in
`session_kind` and `desktop`. `base` names the methods that a safe click needs.
`tests/vision/desktop/test_desktop.py` is the contract: it calls every method on each platform.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache

from vision.desktop.base import (
    NOWHERE,
    OWN_CLASS,
    OWN_FRAME,
    SIMULATOR_CLASS,
    AccessRefused,
    ClickState,
    Decoration,
    Desktop,
    Diagnosis,
    Feature,
    GlobalKey,
    InputEvent,
    InputEvents,
    InputKind,
    Key,
    KeyTaken,
    PointerState,
    ProgramDialog,
    Screen,
    ScreenError,
    Window,
    parse_key,
)
from vision.desktop.session import (
    PRIVATE_DISPLAY,
    NoDesktop,
    SessionKind,
    has_private_display,
    session_kind,
)

__all__ = [
    "NOWHERE",
    "OWN_CLASS",
    "OWN_FRAME",
    "PRIVATE_DISPLAY",
    "SIMULATOR_CLASS",
    "AccessRefused",
    "ClickState",
    "Decoration",
    "Desktop",
    "Diagnosis",
    "DisplayError",
    "Feature",
    "GlobalKey",
    "InputEvent",
    "InputEvents",
    "InputKind",
    "Key",
    "KeyTaken",
    "PointerState",
    "ProgramDialog",
    "Screen",
    "ScreenError",
    "Window",
    "desktop",
    "parse_key",
    "require_display",
    "require_real_desktop",
]


class DisplayError(RuntimeError):
    """The request is impossible on this desktop; the message says what is possible."""


def desktop() -> Desktop:
    """Return the implementation for this process. Cheap: it can be called each time.

    In a Wayland session X11 serves the private screen of the process, if any.
    """
    kind = session_kind()
    if kind is SessionKind.WAYLAND and has_private_display():
        kind = SessionKind.X11
    return _implementation(kind)


@cache
def _implementation(kind: SessionKind) -> Desktop:
    # Each is imported only on its own system.
    if sys.platform == "win32":
        from vision.desktop.windows_desktop import WindowsDesktop  # noqa: PLC0415

        return WindowsDesktop()
    match kind:
        case SessionKind.X11:
            from vision.desktop.x11_desktop import X11Desktop  # noqa: PLC0415

            return X11Desktop()
        case SessionKind.WAYLAND:
            from vision.desktop.wayland import WaylandDesktop  # noqa: PLC0415

            return WaylandDesktop()
        case SessionKind.NONE:
            return NoDesktop()
        case _:
            from vision.desktop.other import OtherDesktop  # noqa: PLC0415

            return OtherDesktop()


def require_display() -> None:
    """Check that a window can be opened; otherwise Qt would end the whole process.

    Raises:
        DisplayError: There is no display, or it does not answer.
    """
    if obstacle := desktop().find_obstacle():
        raise DisplayError(obstacle)


def require_real_desktop(
    report: Callable[[str], object],
    stopped: Callable[[], bool] = lambda: False,
    *,
    ask: bool = True,
) -> None:
    """Check that this program may capture the screen and move the pointer.

    Args:
        report: Called with instructions for the user, if any.
        stopped: Returns whether to stop waiting for the user.
        ask: Whether to ask the user now; otherwise another process asks.

    Raises:
        ScreenError: The user refuses, or cannot be asked.
        DisplayError: There is no display.
    """
    require_display()
    if ask:
        desktop().request_access(report, stopped)
    elif hint := desktop().access_hint:
        report(hint)
