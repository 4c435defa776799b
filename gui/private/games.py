"""Programs for a private screen: where they are, and what they must not find of the user's."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from typing import Final

from gui.private_screen import PrivateScreenError

_GAMES_FOLDERS: Final = ("/usr/games", "/usr/local/games")
"""Where Debian puts games; not every user's PATH has them."""
_OF_THE_SESSION: Final = (
    "DBUS_SESSION_BUS_ADDRESS",
    "SESSION_MANAGER",
    "DESKTOP_STARTUP_ID",
    "XDG_ACTIVATION_TOKEN",
)
"""Lead to the user's desktop: a program that is one there already would only be raised there."""


def search_path() -> str:
    """Where programs are looked for."""
    return os.pathsep.join((os.environ.get("PATH", os.defpath), *_GAMES_FOLDERS))


def checked(command: Sequence[str]) -> tuple[str, ...]:
    """A command whose program is there, with its path.

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
    return (os.path.abspath(found), *command[1:])  # noqa: PTH100 - links stay: some look at them


def game_environment(screen: Mapping[str, str]) -> dict[str, str]:
    """The environment of a game on a screen with that one."""
    kept = {name: value for name, value in screen.items() if name not in _OF_THE_SESSION}
    # What reads the screen aloud is not for a screen that nobody is at.
    return kept | {"PATH": search_path(), "QT_QPA_PLATFORM": "xcb", "NO_AT_BRIDGE": "1"}


def on_its_own_bus(command: Sequence[str]) -> list[str]:
    """A command with a message bus of its own, where that can be had."""
    bus = shutil.which("dbus-run-session")
    return [*([bus, "--"] if bus else []), *command]
