"""Which kind of desktop this is, read from the environment before anything opens it."""

from __future__ import annotations

import os
import sys
from enum import Enum


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


def require_real_desktop() -> None:
    """Refuse where no program may look at the screen and move the mouse.

    Raises:
        DisplayError: On Wayland, and where there is no display.
    """
    kind = desk()
    if kind is Desk.WAYLAND:
        raise DisplayError(
            "this is a Wayland session: no program may read other windows or move the pointer "
            "there. Log in to an X11 session ('on Xorg') to play your own window; the simulated "
            "window is played here too, on a private screen: leave --window out"
        )
    if kind is Desk.NONE:
        raise DisplayError(
            "there is no display (DISPLAY is not set), so there is no window to play. Start this "
            "from a desktop session, or leave --window out to play the simulated window on a "
            "private screen"
        )
