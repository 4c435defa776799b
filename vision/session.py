"""Whether anybody sits before the screen: not locked, not switched away, still there.

Told by what can be asked without a bus or a network: the X server itself, the property in
which it says whether its virtual terminal is shown (`XFree86_has_VT`, Xorg), the one in which
xscreensaver and its descendants say that they have locked the screen (`_SCREENSAVER_STATUS`),
and logind's file of the session (systemd, `session_save`; libsystemd reads it, too). Any other
locker lays a window over the whole screen, and nothing is clicked because that is what lies there.
Elsewhere than on X11 nothing is known.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from vision.x11.connection import Shown, ask, connected

SESSIONS: Final = Path("/run/systemd/sessions")


class SessionGone(RuntimeError):
    """Nobody sits before this screen, or it is not there any more."""


def refuse_absence(sessions: Path = SESSIONS) -> None:
    """Make sure that the screen is there, and shown.

    Args:
        sessions: Where logind keeps its files.

    Raises:
        SessionGone: It is not; the message says why.
    """
    why = absence(sessions)
    if why is not None:
        raise SessionGone(_told(why))


def cause(error: BaseException) -> BaseException:
    """What is behind an error: whatever happens where the display is gone, comes of that."""
    display = os.environ.get("DISPLAY")
    if not display or not sys.platform.startswith("linux") or _shown() is not None:
        return error
    return SessionGone(_told(f"the display {display} is gone"))


def absence(sessions: Path = SESSIONS) -> str | None:
    """Why nobody can see this screen, in words; None where nothing says so."""
    display = os.environ.get("DISPLAY")
    if not display or not sys.platform.startswith("linux"):
        return None
    shown = _shown()
    if shown is None:
        return f"the display {display} is gone"
    if shown.locked:
        return "the screen is locked"
    if not shown.visible or _switched_away(display, sessions):
        return "another session is on the screen"
    return None


def _shown() -> Shown | None:
    connection = connected()
    return None if connection is None else ask(connection.shown, None)


def _told(why: str) -> str:
    return f"{why}: nothing more is clicked, and what was played so far is kept"


def _switched_away(display: str, sessions: Path) -> bool:
    """Whether logind says that the session of a display is not the one that is shown."""
    try:
        files = list(sessions.iterdir())
    except OSError:
        return False
    for file in files:
        try:
            lines = file.read_text().splitlines()
        except OSError:
            continue
        told = dict(line.split("=", 1) for line in lines if "=" in line)
        ours = told.get("DISPLAY") == display and told.get("UID") == str(os.getuid())
        if ours and told.get("STATE") == "online":
            return True
    return False
