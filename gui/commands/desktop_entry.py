"""Add the program to the applications of a Linux desktop or the start menu of Windows.

Installers for one user, such as pipx, do not: this writes an entry and an icon to the user's own
folders, which every desktop searches.

Source: freedesktop.org, Desktop Entry Specification 1.5 and Icon Theme Specification; IShellLink in
the Windows API reference.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any, Final

import platformdirs

from gui.application import icon_image, icon_svg
from gui.console import Console
from vision.files import APPLICATION_ID, PROGRAM, data_folder, write_whole

PANEL: Final = f"{PROGRAM}-panel"
"""The command without a console, on Windows."""
_SUFFIX: Final = ".exe" if sys.platform == "win32" else ""

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
    command = own_command()
    try:
        for path in (entry, icon):
            path.parent.mkdir(parents=True, exist_ok=True)
        if sys.platform == "win32":
            icon_image().save(str(icon), "ICO")
            _write_shortcut(entry, command, icon)
        else:
            _former(entry).unlink(missing_ok=True)
            write_whole(entry, _text(command))
            write_whole(icon, icon_svg())
    except OSError as error:
        raise NoDesktopEntry(f"{entry} cannot be written: {error.strerror}") from error
    for path in (entry, icon):
        console.print(f"Saved to {path}", soft_wrap=True)
    return 0


def uninstall(console: Console) -> int:
    """Delete existing files and print their paths.

    Raises:
        NoDesktopEntry: A file cannot be deleted: on Windows, while another program reads it.
    """
    entry, icon = _places()
    present = [path for path in (entry, _former(entry), icon) if path.exists()]
    for path in present:
        try:
            path.unlink()
        except OSError as error:
            raise NoDesktopEntry(
                f"{path} cannot be deleted: {error.strerror}. Try again in a moment"
            ) from error
        console.print(f"Deleted {path}", soft_wrap=True)
    if not present:
        console.print("There was no desktop entry")
    return 0


def _text(command: list[str]) -> bytes:
    """Return the entry of a Linux desktop."""
    try:
        return _TEMPLATE.format(command=in_exec(command), program=PROGRAM).encode()
    except UnicodeEncodeError as error:
        raise NoDesktopEntry(
            f"{command[0]} is a path that no desktop entry can hold (it is not UTF-8): install "
            "the program elsewhere"
        ) from error


if sys.platform == "win32":
    import pythoncom
    from win32com.shell import shell, shellcon

    def _write_shortcut(path: Path, command: list[str], icon: Path) -> None:
        """Write a shortcut to a command.

        Raises:
            OSError: It cannot be written.
        """
        link: Any = pythoncom.CoCreateInstance(
            shell.CLSID_ShellLink, None, pythoncom.CLSCTX_INPROC_SERVER, shell.IID_IShellLink
        )
        link.SetPath(command[0])
        link.SetArguments(subprocess.list2cmdline(command[1:]))
        link.SetDescription("Plays Minesweeper on your screen and explains its moves")
        link.SetIconLocation(str(icon), 0)
        link.SetWorkingDirectory(str(Path.home()))
        try:
            link.QueryInterface(pythoncom.IID_IPersistFile).Save(str(path), 0)
        except pythoncom.com_error as error:
            raise OSError(0, str(error)) from error


def own_command() -> list[str]:
    """Return the command that opens the panel from anywhere, on Windows without a console."""
    names = (PANEL, PROGRAM) if sys.platform == "win32" else (PROGRAM,)
    started = Path(shutil.which(sys.argv[0]) or sys.argv[0]).absolute()
    if getattr(sys, "frozen", False):
        folders = [Path(sys.executable).parent]
    else:
        folders = [started.parent] if started.stem == PROGRAM else []
        # The second one is that of `pip install` where Python itself cannot be written to.
        schemes = (sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user"))
        folders += [Path(sysconfig.get_path("scripts", scheme)) for scheme in schemes]
    for path in (folder / f"{name}{_SUFFIX}" for folder in folders for name in names):
        if path.exists():
            return [str(path)]
    raise NoDesktopEntry(
        f"there is no command {PROGRAM} that the desktop could start: install the program with "
        "'pipx install .' or 'pip install .', and run it as that command"
    )


def _places() -> tuple[Path, Path]:
    """Return the paths of the entry and the icon."""
    if sys.platform == "win32":
        menu = Path(shell.SHGetFolderPath(0, shellcon.CSIDL_PROGRAMS, 0, 0))
        return menu / "Minesweeper bot.lnk", data_folder() / f"{PROGRAM}.ico"
    if not sys.platform.startswith("linux"):
        raise NoDesktopEntry("only Linux and Windows have such entries: create a shortcut yourself")
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
