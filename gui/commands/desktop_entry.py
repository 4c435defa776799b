"""Adds the program to the applications of a Linux desktop, and removes it.

Installers for one user, such as pipx, do not: this writes the two files to the user's own folders,
which every desktop searches.

Source: freedesktop.org, Desktop Entry Specification 1.5 and Icon Theme Specification.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import Final

import platformdirs

from gui.console import Console
from vision.files import APPLICATION_ID, PROGRAM, write_whole

_TEMPLATE: Final = """\
[Desktop Entry]
Type=Application
Version=1.1
Name=Minesweeper bot
GenericName=Minesweeper player
Comment=Plays Minesweeper on your screen and explains its moves
Exec={command}
Icon={program}
Terminal=false
Categories=Game;LogicGame;
Keywords=mines;solver;bot;
StartupWMClass={program}
Actions=simulate;

[Desktop Action simulate]
Name=Open the built-in game
Exec={command} simulate
"""
_RESERVED: Final = re.compile(r'(["`$\\])')


class NoDesktopEntry(RuntimeError):
    """It cannot be written, or is not supported here; the message says why."""


def install(console: Console) -> int:
    """Write the entry and the icon, and print their paths.

    Raises:
        NoDesktopEntry: This system has no such entries, or they cannot be written.
    """
    entry, icon = _places()
    from gui.application import icon_svg  # noqa: PLC0415 - loads Qt

    command = own_command()
    try:
        text = _TEMPLATE.format(command=in_exec(command), program=PROGRAM).encode()
    except UnicodeEncodeError as error:
        raise NoDesktopEntry(
            f"{command[0]} is a path that no desktop entry can hold (it is not UTF-8): install "
            "the program elsewhere"
        ) from error
    _former(entry).unlink(missing_ok=True)
    for path, contents in ((entry, text), (icon, icon_svg())):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, contents)
        except OSError as error:
            raise NoDesktopEntry(f"{path} cannot be written: {error.strerror}") from error
        console.print(f"Saved to {path}", soft_wrap=True)
    return 0


def uninstall(console: Console) -> int:
    """Delete existing files and print their paths."""
    entry, icon = _places()
    present = [path for path in (entry, _former(entry), icon) if path.exists()]
    for path in present:
        path.unlink()
        console.print(f"Deleted {path}", soft_wrap=True)
    if not present:
        console.print("There was no desktop entry")
    return 0


def own_command() -> list[str]:
    """Return the command that starts this program from anywhere."""
    if getattr(sys, "frozen", False):
        return [sys.executable]
    script = shutil.which(sys.argv[0]) or sys.argv[0]
    if Path(script).name == PROGRAM:
        return [str(Path(script).absolute())]
    beside = Path(sys.executable).with_name(PROGRAM)
    if beside.exists():
        return [str(beside)]
    raise NoDesktopEntry(
        f"there is no command {PROGRAM} that the desktop could start: install the program with "
        "'pipx install .' or 'pip install .', and run it as that command"
    )


def _places() -> tuple[Path, Path]:
    """Return the paths of the entry and the icon."""
    if not sys.platform.startswith("linux"):
        raise NoDesktopEntry("desktop entries exist only on Linux: create a shortcut yourself")
    data = platformdirs.user_data_path()
    icons = data / "icons" / "hicolor" / "scalable" / "apps"
    return data / "applications" / f"{APPLICATION_ID}.desktop", icons / f"{PROGRAM}.svg"


def _former(entry: Path) -> Path:
    """Return the path of the entry that version 0.2.0 wrote."""
    return entry.with_name(f"{PROGRAM}.desktop")


def in_exec(command: list[str]) -> str:
    """Return a command in the format of the key Exec: quoted, and escaped like every value."""
    quoted = (_RESERVED.sub(r"\\\1", part).replace("%", "%%") for part in command)
    value = " ".join(f'"{part}"' for part in quoted).replace("\\", "\\\\")
    return value.replace("\n", r"\n").replace("\t", r"\t").replace("\r", r"\r")
