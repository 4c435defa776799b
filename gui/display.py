"""Which kind of desktop this is, read from the environment before anything opens it."""

from __future__ import annotations

import os
import socket
import struct
import sys
from enum import Enum
from pathlib import Path
from typing import Final

_ANSWER_SECONDS: Final = 5.0
"""How long a Wayland compositor may take; one on the same machine takes a millisecond."""
_WAYLAND_SYNC: Final = struct.pack("=III", 1, 12 << 16, 2)
"""The request `wl_display.sync`: object 1, opcode 0, 12 bytes, the answer as object 2."""


class Desk(Enum):
    """Kinds of desktop."""

    X11 = "X11"
    WAYLAND = "Wayland"
    NONE = "none"
    NATIVE = "native"
    """Windows or macOS."""


class DisplayError(RuntimeError):
    """What was asked for cannot be done on this desktop; the message says what can."""


def desk() -> Desk:
    """The desktop that a window of ours would open on."""
    if sys.platform in ("win32", "darwin"):
        return Desk.NATIVE
    # XWayland sets DISPLAY as well, but shows and moves nothing that is not its own.
    if os.environ.get("WAYLAND_DISPLAY") or os.environ.get("XDG_SESSION_TYPE") == "wayland":
        return Desk.WAYLAND
    return Desk.X11 if os.environ.get("DISPLAY") else Desk.NONE


def need_no_authority() -> None:
    """Let Xlib open a display that asks for no cookie: it fails where there is no such file.

    Once for the process, before anything opens the display.
    """
    known = os.environ.get("XAUTHORITY") or (Path.home() / ".Xauthority").exists()
    if desk() is Desk.X11 and not known:
        os.environ["XAUTHORITY"] = os.devnull


def require_display() -> None:
    """Refuse where no window can be opened: Qt would end the whole process.

    Raises:
        DisplayError: There is no display, or it does not answer.
    """
    kind = desk()
    if kind is Desk.NONE:
        raise DisplayError(
            "there is no display to open a window on (DISPLAY is not set): start this from a "
            "desktop session. 'minesweeper-bot play' plays without one, on a private screen"
        )
    if kind is Desk.WAYLAND and _compositor_answers():
        return
    if kind in (Desk.X11, Desk.WAYLAND):
        from vision import windows  # noqa: PLC0415 - loads Xlib

        if not windows.supported():
            raise DisplayError(
                f"the display {_name()} does not answer: is it the right one, and is this user "
                "allowed to open windows on it?"
            )


def _compositor_answers() -> bool:
    """Return whether a Wayland compositor answers a request in time; Qt waits for ever."""
    place = Path(os.environ.get("XDG_RUNTIME_DIR", ""), _wayland())
    with socket.socket(socket.AF_UNIX) as door:
        door.settimeout(_ANSWER_SECONDS)
        try:
            door.connect(str(place))
            door.sendall(_WAYLAND_SYNC)
            return bool(door.recv(1))
        except OSError:
            return False


def _wayland() -> str:
    return os.environ.get("WAYLAND_DISPLAY") or "wayland-0"


def _name() -> str:
    return os.environ.get("DISPLAY") or _wayland()


def require_real_desktop() -> None:
    """Refuse where no program may look at the screen and move the mouse.

    Raises:
        DisplayError: On Wayland, and where there is no display.
    """
    kind = desk()
    if kind is Desk.WAYLAND:
        raise DisplayError(
            "this is a Wayland session: no program may read other windows or move the pointer "
            "there. Log in to an X11 session ('on Xorg') to play your own window; here games are "
            "played on a private screen: minesweeper-bot play --private -- COMMAND"
        )
    if kind is Desk.NONE:
        raise DisplayError(
            "there is no display (DISPLAY is not set), so there is no window to play. Start this "
            "from a desktop session; without one, games are played on a private screen: "
            "minesweeper-bot play --private -- COMMAND, or our own with minesweeper-bot play"
        )
    require_display()
