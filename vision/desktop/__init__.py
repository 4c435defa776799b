"""The interface to the window system.

All functions of the window system are behind one protocol, `Desktop` (`protocol.py`).
`desktop()` returns the implementation for this process, chosen by its environment. No other package
imports a window system's library, reads its environment variables or branches on the platform
because of windows.

How it works:

- **Primitives only.** The protocol reports the state and sends the given input. Which clicks are
  allowed and which dialogs are answered is decided elsewhere (`vision.click_guard`, `vision.focus`,
  the reader and the runner).
- **One coordinate space.** A point is a position in the space that `Screen.region` describes. On
  X11 that is the desktop. Where a capture is a stream of one monitor or window, it is the stream's
  own space, and the pointer is put relative to it: the implementation converts.
- **Unknown windows.** A window of unknown position has the region `NOWHERE`, which contains no
  point and overlaps nothing.
- **Missing features.** `Desktop.lacks` describes for each missing `Feature` the consequence for the
  user; `doctor` lists them, and the panel shows that of the stop key. Without a feature its methods
  return what those of `OtherDesktop` return, and raise nothing.
- **Scale.** Points, captures and clicks have to agree on every monitor: on Windows the process must
  be aware of each monitor's scale before mss, pyautogui or Qt is loaded, as each sets it otherwise.
- **Permission.** `Desktop.request_access` asks the user if the window system requires it, once,
  before the first capture and the first click of a run. It does nothing elsewhere.
- **Threads.** Every method may be called by any thread; what `open_screen` and `open_pointer`
  return belongs to the thread that opened it, what `open_input_events` returns to one thread at
  a time.

| module | holds |
|---|---|
| `protocol` | `Desktop` and its values |
| `x11_desktop` `x11_connection` `x11_input` | X11 through Xlib |
| `wayland` | the shared windows or screens, and their pointer |
| `portal` `portal_key` | D-Bus: the user's consent and input, and the stop key, through jeepney |
| `accessibility` | dialogs of GTK's programs, which Wayland does not list |
| `pipewire` | frames of shared memory, through libpipewire |
| `other` | mss and pyautogui alone, for untested systems |
| `screens` | capture with mss, of the desktop and on X11 of one window |
| `user_mouse` | detect the user's mouse, on any implementation |

A new platform is one more class that fulfils `Desktop`, with its pointer (`bot.mouse.Pointer`),
input events, stop key and screen in one or more modules, and one more case in `desktop()`. It may
lack features, and may begin as a subclass of `OtherDesktop`. `protocol` names the methods that a
safe click needs. `tests/vision/desktop/test_desktop.py` calls every method of the implementations
that run on an X server; for another window system its fixture `display` and the test programs of
`tests/support/xclient.py` have to be ported. `tests/e2e/wayland` tests Wayland's.

Windows needs changes outside this package as well:

- `vision.files` has no locks there, and a file open for reading cannot be replaced;
  `gui.logfile` cannot rename a log that a second process has open
- `gui.commands.play` waits for the keyboard of a terminal with `select`
- `bot.lab.pool` and `gui.runner.process` end processes with signals: there without a clean-up
- the class of a window (`Window.class_name`) has to be the name of the program's file, for which
  the skins have no names yet; and `gui.application` has to mark its windows in another way
- `gui.private_screen` lets built-in games end with their parent through `setpriv`
- `gui.runner.backend` and `bot.solver.warmup` keep Ctrl-C from child processes by a new session
- `gui.panel.assist` marks cells over the game only on X11; the panel draws a violet frame, and
  `doctor` says 'not tested', for every system but X11 and Wayland
- `tests.support.strays` has to watch the new pointer; pyproject.toml lists modules of this package
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import Final

from vision.desktop.protocol import (
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
    "SessionKind",
    "Window",
    "desktop",
    "parse_key",
    "require_display",
    "require_real_desktop",
    "session_kind",
]


PRIVATE_DISPLAY: Final = "MINESWEEPER_BOT_PRIVATE_DISPLAY"
"""Environment variable: the display of the private screen assigned to a process in a Wayland
session. XWayland also has a display, which shows only its own windows."""


class SessionKind(Enum):
    """Kinds of desktop session."""

    X11 = "X11"
    WAYLAND = "Wayland"
    NONE = "none"
    NATIVE = "native"
    """Windows or macOS."""


class DisplayError(RuntimeError):
    """The request is impossible on this desktop; the message says what is possible."""


def session_kind() -> SessionKind:
    """Return the kind of desktop on which this program's windows would open."""
    if sys.platform in ("win32", "darwin"):
        return SessionKind.NATIVE
    # XWayland sets DISPLAY too, but captures and clicks only its own windows.
    if os.environ.get("WAYLAND_DISPLAY") or os.environ.get("XDG_SESSION_TYPE") == "wayland":
        return SessionKind.WAYLAND
    return SessionKind.X11 if os.environ.get("DISPLAY") else SessionKind.NONE


def desktop() -> Desktop:
    """Return the implementation for this process. Cheap: it can be called each time.

    In a Wayland session X11 serves the private screen of the process, if any.
    """
    display = os.environ.get("DISPLAY")
    if session_kind() is SessionKind.WAYLAND and (
        not display or display != os.environ.get(PRIVATE_DISPLAY)
    ):
        return _wayland()
    return _x11() if display and sys.platform == "linux" else _other()


@cache
def _wayland() -> Desktop:
    from vision.desktop.wayland import WaylandDesktop  # noqa: PLC0415 - only on Wayland

    return WaylandDesktop()


@cache
def _x11() -> Desktop:
    from vision.desktop.x11_desktop import X11Desktop  # noqa: PLC0415 - only on X11

    return X11Desktop()


@cache
def _other() -> Desktop:
    from vision.desktop.other import OtherDesktop  # noqa: PLC0415 - only elsewhere

    return OtherDesktop()


def require_display() -> None:
    """Check that a window can be opened; otherwise Qt would end the whole process.

    Raises:
        DisplayError: There is no display, or it does not answer.
    """
    kind = session_kind()
    if kind is SessionKind.NONE:
        raise DisplayError(
            "there is no display to open a window on (DISPLAY is not set): start this from a "
            "desktop session. 'minesweeper-bot play' plays without one, on a private screen"
        )
    if kind is SessionKind.NATIVE:
        return
    if kind is SessionKind.WAYLAND:
        from vision.desktop.wayland import compositor_answers  # noqa: PLC0415 - only on Wayland

        if compositor_answers():
            return
    name = os.environ.get("DISPLAY")
    if not name or not desktop().answers():
        raise DisplayError(
            f"the display {name or os.environ.get('WAYLAND_DISPLAY') or 'wayland-0'} does not "
            "answer: is it the right one, and is this user allowed to open windows on it?"
        )


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
    kind = session_kind()
    if kind is SessionKind.NONE:
        raise DisplayError(
            "there is no display (DISPLAY is not set), so there is no window to play. Start this "
            "from a desktop session; without one, games are played on a private screen: "
            "minesweeper-bot play --private -- COMMAND, or the built-in game: minesweeper-bot play"
        )
    require_display()
    if ask:
        desktop().request_access(report, stopped)
    elif hint := desktop().access_hint:
        report(hint)
