"""Programs for a private screen: their paths and their environment."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from typing import Final

from gui.private_screen import PrivateScreenError

_GAMES_FOLDERS: Final = ("/usr/games", "/usr/local/games")
"""Debian's folders for games, which are not in every user's PATH."""
_OF_THE_SESSION: Final = (
    "DBUS_SESSION_BUS_ADDRESS",
    "SESSION_MANAGER",
    "DESKTOP_STARTUP_ID",
    "XDG_ACTIVATION_TOKEN",
)
"""Variables of the user's desktop, where a running program would just be raised again."""


def search_path() -> str:
    """Return the path in which programs are searched."""
    return os.pathsep.join((os.environ.get("PATH", os.defpath), *_GAMES_FOLDERS))


def checked(command: Sequence[str]) -> tuple[str, ...]:
    """Return a command with the full path of its program.

    Raises:
        PrivateScreenError: There is no such program.
    """
    if not command:
        raise PrivateScreenError("which game? Type the command that starts it")
    found = shutil.which(command[0], path=search_path())
    if found is None:
        raise PrivateScreenError(
            f"there is no program '{command[0]}' here: check its name, or give its whole path"
        )
    return (os.path.abspath(found), *command[1:])  # noqa: PTH100 - some programs need the link


def game_environment(screen: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a game on a screen with this environment."""
    kept = {name: value for name, value in screen.items() if name not in _OF_THE_SESSION}
    # No screen reader is needed on a private screen.
    return kept | {"PATH": search_path(), "QT_QPA_PLATFORM": "xcb", "NO_AT_BRIDGE": "1"}


def on_its_own_bus(command: Sequence[str]) -> list[str]:
    """Return a command with its own message bus, if one is available.

    The game's errors go to standard output, without those of the bus.
    """
    bus = shutil.which("dbus-run-session")
    words = ["sh", "-c", 'exec "$@" 2>&1 >/dev/null', "sh", *command]
    return [*([bus, "--"] if bus else []), *words]
