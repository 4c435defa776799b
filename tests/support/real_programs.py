"""The table of the real Minesweeper programs: levels, packages, settings, commands.

`tests.support.games` starts them. Each command's function writes the program's settings into the
given home folder, and its docstring lists the options.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

if sys.platform == "win32":
    import winreg

GAMES_FOLDERS: Final = ("/usr/games", "/usr/local/games")
"""Debian's folders for games, which are not in root's PATH."""
_WINE_SECONDS: Final = 300.0
"""Time limit of a Wine command, in seconds."""
_NO_RECORD: Final = 0
"""A best time of WineMine, in seconds, that no win can beat, so that no dialog opens."""


class Level(NamedTuple):
    """A program's level for one of the three names."""

    rows: int
    cols: int
    mines: int

    def __str__(self) -> str:
        return f"{self.cols}x{self.rows}x{self.mines}"


BEGINNER: Final = Level(9, 9, 10)
SMALL: Final = Level(8, 8, 10)
INTERMEDIATE: Final = Level(16, 16, 40)
EXPERT: Final = Level(16, 30, 99)


class Launch(NamedTuple):
    """The parameters of one start."""

    name: str
    """'beginner', 'intermediate', 'expert' or the level's columns x rows x mines."""
    level: Level
    home: Path
    """The program's home folder; exists."""
    env: dict[str, str]
    """The environment; may be extended."""
    options: Mapping[str, str]
    """Options of the program; each one has its own."""


@dataclass(frozen=True)
class Program:
    """A Minesweeper program from Debian."""

    name: str
    """The name of its folders in `templates/` and in `tests/sessions/`."""
    packages: tuple[str, ...]
    executable: str
    title: str
    """A part of its window's title."""
    command: Callable[[Launch], Sequence[str]]
    """Prepares the settings under the home folder and returns the command."""
    levels: Mapping[str, Level] = field(
        default_factory=lambda: {
            "beginner": BEGINNER,
            "intermediate": INTERMEDIATE,
            "expert": EXPERT,
        }
    )
    custom: bool = True
    """Whether it can be started at any size."""
    wine: bool = False
    """Whether it needs a Wine prefix."""

    def path(self) -> Path | None:
        """Return the path of the program; None if it is not installed."""
        folders = os.pathsep.join((os.environ.get("PATH", os.defpath), *GAMES_FOLDERS))
        found = shutil.which(self.executable, path=folders)
        return Path(found) if found else None

    def level(self, name: str) -> Level:
        """Return the size of a named level, or of one written as `30x16x99`.

        Raises:
            GameError: The program cannot be started at it.
        """
        if name in self.levels:
            return self.levels[name]
        try:
            cols, rows, mines = (int(part) for part in name.split("x"))
        except ValueError:
            raise GameError(
                f"{self.name} has the levels {', '.join(self.levels)}, not {name!r}"
            ) from None
        if not self.custom:
            raise GameError(f"{self.name} has three levels and no other size")
        return Level(rows, cols, mines)


class GameError(RuntimeError):
    """A program cannot be started; the message says why."""


def _winemine(launch: Launch) -> Sequence[str]:
    """Return the command. Options: `mark=1` for question marks, `best` time in seconds."""
    numbers = {"beginner": 0, "intermediate": 1, "expert": 2}
    best = int(launch.options.get("best", _NO_RECORD))
    values = {
        "Difficulty": numbers.get(launch.name, 3),
        "Height": launch.level.rows,
        "Width": launch.level.cols,
        "Mines": launch.level.mines,
        "Mark": int(launch.options.get("mark", 0)),
        **{f"Time{number}": best for number in (1, 2, 3)},
        "Xpos": 100,
        "Ypos": 100,
    }
    if sys.platform == "win32":
        with winreg.CreateKey(winreg.HKEY_CURRENT_USER, r"Software\Microsoft\WinMine") as stored:
            for key, value in values.items():
                winreg.SetValueEx(stored, key, 0, winreg.REG_DWORD, value)
        return ["winemine.exe"]
    lines = ["REGEDIT4", "", r"[HKEY_CURRENT_USER\Software\Microsoft\WinMine]"]
    lines += [f'"{key}"=dword:{value:08x}' for key, value in values.items()]
    settings = launch.home / "winemine.reg"
    settings.write_bytes("\r\n".join([*lines, ""]).encode())
    run_wine(launch, "wine", "regedit", "/S", str(settings))
    return ["wine", "winemine"]


def run_wine(launch: Launch, *command: str) -> None:
    """Run a command of Wine in the prefix of a launch, without its output."""
    subprocess.run(
        command,
        env=launch.env,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=_WINE_SECONDS,
    )


def _sgt_mines(launch: Launch) -> Sequence[str]:
    """Return the command. Options: `tile` size in pixels, `game` description `9x9:...`."""
    launch.env["MINES_TILESIZE"] = launch.options.get("tile", "20")
    rows, cols, mines = launch.level
    return ["sgt-mines", launch.options.get("game", f"{cols}x{rows}n{mines}")]


def _xdemineur(launch: Launch) -> Sequence[str]:
    rows, cols, mines = launch.level
    place = f"{cols}x{rows}+100+100"
    return ["xdemineur", "-display", launch.env["DISPLAY"], "-geometry", place, "-m", str(mines)]


def _xbomb(launch: Launch) -> Sequence[str]:
    numbers = {"beginner": "-1", "intermediate": "-2", "expert": "-3"}
    return ["xbomb", "-square", numbers[launch.name]]


def _gnome_mines(launch: Launch) -> Sequence[str]:
    """Return the command. Options: `theme`, `question`, `animations`, `width`, `height`."""
    flags = {"beginner": ["--small"], "intermediate": ["--medium"], "expert": ["--big"]}
    modes = {"beginner": 0, "intermediate": 1, "expert": 2}
    settings = launch.home / ".config" / "glib-2.0" / "settings" / "keyfile"
    settings.parent.mkdir(parents=True, exist_ok=True)
    rows, cols, mines = launch.level
    values = {
        "mode": modes.get(launch.name, 3),
        "xsize": cols,
        "ysize": rows,
        "nmines": mines,
        "use-question-marks": launch.options.get("question", "false"),
        "use-animations": launch.options.get("animations", "false"),
        "use-autoflag": "false",
        "theme": f"'{launch.options.get('theme', 'bgcolors')}'",
        "window-width": launch.options.get("width", "900"),
        "window-height": launch.options.get("height", "700"),
    }
    lines = ["[org/gnome/Mines]", *(f"{key}={value}" for key, value in values.items()), ""]
    settings.write_text("\n".join(lines))
    # A private settings file: no dconf, and no part of the user's session.
    launch.env["GSETTINGS_BACKEND"] = "keyfile"
    return ["dbus-run-session", "--", "gnome-mines", *flags.get(launch.name, [])]


def _kmines(launch: Launch) -> Sequence[str]:
    """Return the command. Options: `question`, `reset` (after a loss), `theme`, `geometry`."""
    names = {"beginner": "Easy", "intermediate": "Medium", "expert": "Hard"}
    rows, cols, mines = launch.level
    values = {
        "custom width": cols,
        "custom height": rows,
        "custom mines": mines,
        "question mark": launch.options.get("question", "false"),
        "kmines_reset": launch.options.get("reset", "false"),
        "explore_with_left_click_on_number_cells": "true",
    }
    lines = [f"{key}={value}" for key, value in values.items()]
    sections = ["[General]", *lines, "", "[Options]", *lines, ""]
    sections += ["[KgDifficulty]", f"Level={names.get(launch.name, 'Custom')}", ""]
    theme = launch.options.get("theme", "default")
    sections += ["[KgTheme]", f"Theme=themes/{theme}.desktop", ""]
    (launch.home / ".config" / "kminesrc").write_text("\n".join(sections))
    geometry = launch.options.get("geometry", "1200x800")
    return ["dbus-run-session", "--", "kmines", "--geometry", geometry]


_WINDOWS: Final = sys.platform == "win32"
PROGRAMS: Final[Mapping[str, Program]] = {
    program.name: program
    for program in (
        Program(
            "winemine",
            ("wine", "wine64"),
            "winemine.exe" if _WINDOWS else "wine",
            "WineMine",
            _winemine,
            wine=not _WINDOWS,
        ),
        Program("sgt-mines", ("sgt-puzzles",), "sgt-mines", "Mines", _sgt_mines),
        Program(
            "xdemineur",
            ("xdemineur",),
            "xdemineur",
            "mineur",
            _xdemineur,
            {"beginner": Level(12, 12, 20), "intermediate": INTERMEDIATE, "expert": EXPERT},
        ),
        Program(
            "xbomb",
            ("xbomb",),
            "xbomb",
            "XBomb",
            _xbomb,
            {"beginner": SMALL, "intermediate": INTERMEDIATE, "expert": EXPERT},
            custom=False,
        ),
        Program(
            "gnome-mines",
            ("gnome-mines", "dbus"),
            "gnome-mines",
            "Mines",
            _gnome_mines,
            {"beginner": SMALL, "intermediate": INTERMEDIATE, "expert": EXPERT},
        ),
        Program("kmines", ("kmines", "dbus"), "kmines", "KMines", _kmines),
    )
}
