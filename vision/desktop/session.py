"""The kind of desktop session of this process, by its environment."""

from __future__ import annotations

import os
import socket
import struct
import sys
from enum import Enum
from pathlib import Path
from typing import Final

from vision.desktop.base import ANSWER_SECONDS, Desktop

PRIVATE_DISPLAY: Final = "MINESWEEPER_BOT_PRIVATE_DISPLAY"
"""Environment variable: the display of the private screen assigned to a process in a Wayland
session. XWayland also has a display, which shows only its own windows."""
_WAYLAND_SYNC: Final = struct.pack("=III", 1, 12 << 16, 2)
"""The request `wl_display.sync`: object 1, opcode 0, 12 bytes, with object 2 for the answer."""


class SessionKind(Enum):
    """Kinds of desktop session."""

    X11 = "X11"
    WAYLAND = "Wayland"
    WINDOWS = "Windows"
    OTHER = "other"
    """A system without an X server, such as macOS."""
    NONE = "none"


def session_kind() -> SessionKind:
    """Return the kind of desktop on which this program's windows would open."""
    if sys.platform == "win32":
        return SessionKind.WINDOWS
    if sys.platform == "darwin":
        return SessionKind.OTHER
    # XWayland sets DISPLAY too, but captures and clicks only its own windows.
    if os.environ.get("WAYLAND_DISPLAY") or os.environ.get("XDG_SESSION_TYPE") == "wayland":
        return SessionKind.WAYLAND
    if not os.environ.get("DISPLAY"):
        return SessionKind.NONE
    return SessionKind.X11 if sys.platform == "linux" else SessionKind.OTHER


def has_private_display() -> bool:
    """Return whether DISPLAY is the private screen assigned to this process."""
    display = os.environ.get("DISPLAY")
    return bool(display) and display == os.environ.get(PRIVATE_DISPLAY)


def compositor_answers() -> bool:
    """Return whether a Wayland compositor answers a request in time; Qt would wait for ever."""
    name = os.environ.get("WAYLAND_DISPLAY") or "wayland-0"
    if sys.platform == "win32":
        return False
    with socket.socket(socket.AF_UNIX) as server:
        server.settimeout(ANSWER_SECONDS)
        try:
            server.connect(str(Path(os.environ.get("XDG_RUNTIME_DIR", ""), name)))
            server.sendall(_WAYLAND_SYNC)
            return bool(server.recv(1))
        except OSError:
            return False


def silent_display(name: str) -> str:
    """Return the sentence about a display that does not answer."""
    return (
        f"the display {name} does not answer: is it the right one, and is this user allowed to "
        "open windows on it?"
    )


class NoDesktop(Desktop):
    """A process without any display."""

    name = "no display"
    has_screen = False

    def find_obstacle(self) -> str | None:
        return (
            "there is no display (DISPLAY is not set): start this from a desktop session. Without "
            "one, games are played on a private screen: minesweeper-bot play --private -- COMMAND, "
            "or the built-in game: minesweeper-bot play"
        )
