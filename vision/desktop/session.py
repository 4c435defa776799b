"""Which desktop this process has, by its environment, and which implementation serves it."""

from __future__ import annotations

import os
import socket
import struct
import sys
from collections.abc import Callable
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Final

from vision.desktop.protocol import Desktop

_ANSWER_SECONDS: Final = 5.0
"""How long a Wayland compositor may take; one on the same machine takes a millisecond."""
_WAYLAND_SYNC: Final = struct.pack("=III", 1, 12 << 16, 2)
"""The request `wl_display.sync`: object 1, opcode 0, 12 bytes, the answer as object 2."""


PRIVATE_DISPLAY: Final = "MINESWEEPER_BOT_PRIVATE_DISPLAY"
"""Environment variable: the display of the private screen that a process in a Wayland session was
given. XWayland has a display as well, on which nothing but its own windows is seen."""


class SessionKind(Enum):
    """Kinds of desktop session."""

    X11 = "X11"
    WAYLAND = "Wayland"
    NONE = "none"
    NATIVE = "native"
    """Windows or macOS."""


class DisplayError(RuntimeError):
    """What was asked for cannot be done on this desktop; the message says what can."""


def session_kind() -> SessionKind:
    """Return the kind of desktop on which a window of this program would open."""
    if sys.platform in ("win32", "darwin"):
        return SessionKind.NATIVE
    # XWayland sets DISPLAY as well, but shows and moves nothing that is not its own.
    if os.environ.get("WAYLAND_DISPLAY") or os.environ.get("XDG_SESSION_TYPE") == "wayland":
        return SessionKind.WAYLAND
    return SessionKind.X11 if os.environ.get("DISPLAY") else SessionKind.NONE


def desktop() -> Desktop:
    """Return the implementation for this process. Cheap: it can be called each time.

    In a Wayland session X11 serves the private screen that the process has been given, if any.
    """
    display = os.environ.get("DISPLAY")
    if session_kind() is SessionKind.WAYLAND and (
        not display or display != os.environ.get(PRIVATE_DISPLAY)
    ):
        return _wayland_portals()
    return _x11() if display and sys.platform == "linux" else _other()


@cache
def _wayland_portals() -> Desktop:
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
    """Make sure that a window can be opened: Qt would end the whole process.

    Raises:
        DisplayError: There is no display, or it does not answer.
    """
    kind = session_kind()
    if kind is SessionKind.NONE:
        raise DisplayError(
            "there is no display to open a window on (DISPLAY is not set): start this from a "
            "desktop session. 'minesweeper-bot play' plays without one, on a private screen"
        )
    if kind is SessionKind.NATIVE or (kind is SessionKind.WAYLAND and compositor_answers()):
        return
    name = os.environ.get("DISPLAY")
    if not name or not desktop().answers():
        raise DisplayError(
            f"the display {name or _wayland()} does not answer: is it the right one, and is this "
            "user allowed to open windows on it?"
        )


def require_real_desktop(
    report: Callable[[str], object], stopped: Callable[[], bool] = lambda: False
) -> None:
    """Make sure that this program may capture the screen and move the pointer.

    Args:
        report: Called with what the user has to do, if he is asked.
        stopped: Whether to give up waiting for him.

    Raises:
        ScreenError: The user is asked and refuses, or cannot be asked.
        DisplayError: There is no display.
    """
    kind = session_kind()
    if kind is SessionKind.NONE:
        raise DisplayError(
            "there is no display (DISPLAY is not set), so there is no window to play. Start this "
            "from a desktop session; without one, games are played on a private screen: "
            "minesweeper-bot play --private -- COMMAND, or our own with minesweeper-bot play"
        )
    require_display()
    desktop().request_access(report, stopped)


def compositor_answers() -> bool:
    """Return whether a Wayland compositor answers a request in time; Qt waits for ever."""
    place = Path(os.environ.get("XDG_RUNTIME_DIR", ""), _wayland())
    with socket.socket(socket.AF_UNIX) as server:
        server.settimeout(_ANSWER_SECONDS)
        try:
            server.connect(str(place))
            server.sendall(_WAYLAND_SYNC)
            return bool(server.recv(1))
        except OSError:
            return False


def _wayland() -> str:
    return os.environ.get("WAYLAND_DISPLAY") or "wayland-0"
