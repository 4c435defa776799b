"""Programs for a private screen: commands, paths and environment."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from gui.private import PrivateScreenError
from vision import GAME_WORDS
from vision.files import data_folder, write_whole

_GAMES_FOLDERS: Final = ("/usr/games", "/usr/local/games")
"""Debian's folders for games, which are not in every user's PATH."""
_OF_THE_SESSION: Final = (
    "DBUS_SESSION_BUS_ADDRESS",
    "SESSION_MANAGER",
    "DESKTOP_STARTUP_ID",
    "XDG_ACTIVATION_TOKEN",
)
"""Variables of the user's desktop, where a running program would just be raised again."""
_PORTAL: Final = "org.freedesktop.portal.Desktop"
_KEPT: Final = 8
_OPENING: Final = {
    "gnome-mines": ("--big",),
    "sgt-mines": ("30x16n99",),
    "xdemineur": ("-geometry", "30x16", "-m", "99"),
}
"""Arguments with which a program opens an Expert game at once."""
_ELSEWHERE: Final = (("wine", "winemine"),)
"""Games that are in no menu."""


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


def game_environment(screen: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return the environment of a game.

    Args:
        screen: The environment of its screen.
        folder: A folder of the game's own, which is deleted with the screen.

    Raises:
        OSError: The folder cannot be written.
    """
    kept = {name: value for name, value in screen.items() if name not in _OF_THE_SESSION}
    # No screen reader is needed on a private screen.
    return kept | {
        "PATH": search_path(),
        "QT_QPA_PLATFORM": "xcb",
        "NO_AT_BRIDGE": "1",
        "XDG_RUNTIME_DIR": str(runtime_folder(folder)),
    }


def runtime_folder(folder: Path) -> Path:
    """Make a runtime folder whose message bus starts no portal; return it.

    A portal mounts a file system there: over that of the user's own portal, in the user's folder.

    Raises:
        OSError: It cannot be written.
    """
    runtime = folder / "run"
    services = runtime / "dbus-1" / "services"
    services.mkdir(parents=True, exist_ok=True)
    runtime.chmod(0o700)
    # A bus reads this folder first (dbus-daemon(1), standard_session_servicedirs).
    text = f"[D-BUS Service]\nName={_PORTAL}\nExec=/bin/false\n"
    (services / f"{_PORTAL}.service").write_text(text, encoding="utf-8")
    return runtime


def on_its_own_bus(command: Sequence[str]) -> list[str]:
    """Return a command with its own message bus, if one is available.

    The game's errors go to standard output, without those of the bus.
    """
    bus = shutil.which("dbus-run-session")
    words = ["sh", "-c", 'exec "$@" 2>&1 >/dev/null', "sh", *command]
    return [*([bus, "--"] if bus else []), *words]


def remembered() -> list[str]:
    """Return the commands that were used before, the most recent first."""
    try:
        lines = _file().read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    return [line for line in lines if line][:_KEPT]


def remember(command: str) -> None:
    """Put a command at the front of the list.

    Raises:
        OSError: The list cannot be written.
    """
    lines = [command, *(line for line in remembered() if line != command)][:_KEPT]
    _file().parent.mkdir(parents=True, exist_ok=True)
    write_whole(_file(), "".join(f"{line}\n" for line in lines).encode())


def installed() -> list[str]:
    """Return the commands of the installed Minesweepers by name. Slow: reads many files."""
    commands: set[tuple[str, ...]] = set()
    for folder in _menus():
        for file in folder.glob("*.desktop"):
            with suppress(OSError, UnicodeDecodeError, ValueError):
                commands.add(_command(file.read_text(encoding="utf-8")))
    commands |= {one for one in _ELSEWHERE if _there(one[0])}
    return sorted(shlex.join(one) for one in commands if one)


def _file() -> Path:
    return data_folder() / "private-games.txt"


def _menus() -> list[Path]:
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local/share")
    shared = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    return [Path(folder) / "applications" for folder in (home, *shared.split(":")) if folder]


def _command(entry: str) -> tuple[str, ...]:
    """Return the command of a desktop entry (Desktop Entry Specification), or empty.

    It is empty for anything but a Minesweeper.

    Raises:
        ValueError: Its quotation marks do not match.
    """
    # The sections after a second heading are other ways to start it.
    head = entry.partition("[Desktop Entry]")[2].partition("\n[")[0]
    pairs = (line.partition("=") for line in head.splitlines())
    fields = {key.strip(): value.strip() for key, _, value in pairs}
    words = shlex.split(fields.get("Exec", ""))
    game = "Game" in fields.get("Categories", "").split(";")
    # Terminal programs open no window; a hidden entry was deleted by the user.
    game = game and "true" not in (fields.get("Terminal"), fields.get("Hidden"))
    called = f"{fields.get('Name', '')} {fields.get('Exec', '')}".casefold()
    if not (game and words and any(word in called for word in GAME_WORDS) and _there(words[0])):
        return ()
    name = Path(words[0]).name
    # '%U' and similar codes are files to open; '%c' is a title, after its option.
    given = [
        word
        for word, after in zip(words, [*words[1:], ""], strict=True)
        if not word.startswith("%") and after != "%c"
    ][1:]
    return (name if _there(name) else words[0], *(_OPENING.get(name) or given))


def _there(program: str) -> bool:
    return shutil.which(program, path=search_path()) is not None
