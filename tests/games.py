"""The real Minesweeper programs that the player is tried against, and how to start each.

Nobody here wrote them: they come from Debian's packages. `start` runs one on the screen
that an environment names and ends all of its processes afterwards. What a program keeps
(settings, scores, a Wine prefix) lies under a folder of the tests, never among the
user's own files; XBomb alone writes its scores where its package keeps them.

    python -m tests.games packages               the packages, for apt-get install
    python -m tests.games start winemine expert  one on this display, until it is closed
"""

from __future__ import annotations

import argparse
import fcntl
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import IO, Final, NamedTuple

import platformdirs

_NOT_INHERITED: Final = ("QT_QPA_PLATFORM", "QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR")
"""`import cv2` sets the last two to plugins of its own: a Qt 5 program aborts with them."""
_GAMES_FOLDERS: Final = ("/usr/games", "/usr/local/games")
"""Where Debian puts games; root's PATH lacks them."""
_END_SECONDS: Final = 10.0
_PREFIX_SECONDS: Final = 300.0
_NO_RECORD: Final = 0
"""WineMine's best time in seconds that no win can beat: it opens no dialog then."""


class Level(NamedTuple):
    """What a program calls by one of the three names."""

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
    """Everything that one start is made from."""

    name: str
    """'beginner', 'intermediate', 'expert' or the level's columns x rows x mines."""
    level: Level
    home: Path
    """The program's home folder; exists."""
    env: dict[str, str]
    """Its environment; may be added to."""
    options: Mapping[str, str]
    """What else the program is told; each program knows its own."""


@dataclass(frozen=True)
class Program:
    """A Minesweeper program of Debian."""

    name: str
    """As its folder in `templates/` and in `tests/sessions/` is called."""
    packages: tuple[str, ...]
    executable: str
    title: str
    """What its window's title contains."""
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
    """Whether it runs in a Wine prefix."""

    def path(self) -> Path | None:
        """Where the program is installed; None where it is not."""
        folders = os.pathsep.join((os.environ.get("PATH", os.defpath), *_GAMES_FOLDERS))
        found = shutil.which(self.executable, path=folders)
        return Path(found) if found else None

    def level(self, name: str) -> Level:
        """The size that goes by a name, or is spelt out as `30x16x99`.

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
    """Options: `mark=1` for question marks, `best` seconds of the record to beat."""
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
    lines = ["REGEDIT4", "", r"[HKEY_CURRENT_USER\Software\Microsoft\WinMine]"]
    lines += [f'"{key}"=dword:{value:08x}' for key, value in values.items()]
    settings = launch.home / "winemine.reg"
    settings.write_bytes("\r\n".join([*lines, ""]).encode())
    subprocess.run(
        ["wine", "regedit", "/S", str(settings)],
        env=launch.env,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=_PREFIX_SECONDS,
    )
    return ["wine", "winemine"]


def _sgt_mines(launch: Launch) -> Sequence[str]:
    """Options: `tile` size in pixels, `game` a game's own description, as `9x9:...`."""
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
    """Options: `theme`, `question` true or false, `width` and `height` of the window."""
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
        "use-animations": "false",
        "use-autoflag": "false",
        "theme": f"'{launch.options.get('theme', 'bgcolors')}'",
        "window-width": launch.options.get("width", "900"),
        "window-height": launch.options.get("height", "700"),
    }
    lines = ["[org/gnome/Mines]", *(f"{key}={value}" for key, value in values.items()), ""]
    settings.write_text("\n".join(lines))
    # A private file of settings: no dconf, and nothing of the user's session.
    launch.env["GSETTINGS_BACKEND"] = "keyfile"
    return ["dbus-run-session", "--", "gnome-mines", *flags.get(launch.name, [])]


def _kmines(launch: Launch) -> Sequence[str]:
    """Options: `question` and `reset` (asks 'Reset?' after a loss), `geometry`."""
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
    (launch.home / ".config" / "kminesrc").write_text("\n".join(sections))
    geometry = launch.options.get("geometry", "1200x800")
    return ["dbus-run-session", "--", "kmines", "--geometry", geometry]


PROGRAMS: Final[Mapping[str, Program]] = {
    program.name: program
    for program in (
        Program("winemine", ("wine", "wine64"), "wine", "WineMine", _winemine, wine=True),
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


def packages() -> tuple[str, ...]:
    """The Debian packages of all programs."""
    return tuple(sorted({name for program in PROGRAMS.values() for name in program.packages}))


@contextmanager
def start(
    name: str,
    level: str,
    env: Mapping[str, str],
    home: Path,
    options: Mapping[str, str] | None = None,
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program; when the block is left, all of its processes have ended.

    Args:
        name: A key of `PROGRAMS`.
        level: One of the program's levels, or columns x rows x mines.
        env: Holds DISPLAY and XAUTHORITY of the screen to open on.
        home: The program's home folder, made where missing. What it prints goes to
            `output.txt` there.
        options: What else the program is told; its command's docstring lists them.

    Raises:
        GameError: It is not installed, or has no such level.
    """
    program = PROGRAMS[name]
    if program.path() is None:
        raise GameError(f"{name} is not installed: apt-get install {' '.join(program.packages)}")
    launch = Launch(level, program.level(level), home, _environment(env, home), options or {})
    with _prefix(launch) if program.wine else _nothing(), _output(home) as output:
        process = subprocess.Popen(
            program.command(launch),
            env=launch.env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            _end(process)


def _environment(env: Mapping[str, str], home: Path) -> dict[str, str]:
    """The environment of a program that must not find the user's own files."""
    runtime = home / "run"
    for folder in (home, home / ".config", home / ".cache", home / ".local" / "share", runtime):
        folder.mkdir(parents=True, exist_ok=True)
    runtime.chmod(0o700)
    kept = {key: value for key, value in env.items() if key not in _NOT_INHERITED}
    folders = (env.get("PATH", os.defpath), *_GAMES_FOLDERS)
    return kept | {
        "PATH": os.pathsep.join(folders),
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_DATA_HOME": str(home / ".local" / "share"),
        "XDG_RUNTIME_DIR": str(runtime),
        "LANG": "C.UTF-8",
        "NO_AT_BRIDGE": "1",
    }


@contextmanager
def _nothing() -> Iterator[None]:
    yield


@contextmanager
def _output(home: Path) -> Iterator[IO[bytes]]:
    with (home / "output.txt").open("wb") as file:
        yield file


@contextmanager
def _prefix(launch: Launch) -> Iterator[None]:
    """Lend the launch a Wine prefix of its own, and end what runs in it afterwards.

    A prefix takes a quarter of a minute to make: it is made once and kept in the user's
    cache folder. Two games at once must not share one, because ending the first would end
    the second: each takes the first prefix that nobody holds the lock of.
    """
    cache = Path(platformdirs.user_cache_dir("minesweeper-bot-tests"))
    cache.mkdir(parents=True, exist_ok=True)
    with _first_free(cache) as prefix:
        launch.env.update(
            WINEPREFIX=str(prefix),
            WINEARCH="win64",
            WINEDEBUG="-all",
            # Neither is needed, and Wine would ask whether to download them.
            WINEDLLOVERRIDES="mscoree,mshtml=",
        )
        try:
            if not (prefix / "system.reg").exists():
                _wine(launch, "wineboot", "-i")
                _wine(launch, "wineserver", "-w")
            yield
        finally:
            # -k fails where no server runs: the game was closed long ago.
            with suppress(subprocess.CalledProcessError):
                _wine(launch, "wineserver", "-k")
            _wine(launch, "wineserver", "-w")


@contextmanager
def _first_free(cache: Path) -> Iterator[Path]:
    for number in count(1):
        with (cache / f"wine-{number}.lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            yield cache / f"wine-{number}"
            return


def _wine(launch: Launch, *command: str) -> None:
    subprocess.run(
        command,
        env=launch.env,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=_PREFIX_SECONDS,
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process with its whole group (a session bus and what it started, too)."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_END_SECONDS)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line of this table."""
    parser = argparse.ArgumentParser(prog="python -m tests.games", description=__doc__)
    commands = parser.add_subparsers(dest="do", required=True)
    commands.add_parser("packages", help="print the packages for apt-get install")
    starting = commands.add_parser("start", help="start a program on this display")
    starting.add_argument("name", choices=list(PROGRAMS))
    starting.add_argument("level", nargs="?", default="beginner")
    starting.add_argument("option", nargs="*", help="key=value; see the program's command")
    chosen = parser.parse_args(arguments)
    if chosen.do == "packages":
        print(*packages())  # noqa: T201
        return 0
    options = dict(option.split("=", 1) for option in chosen.option)
    home = Path(platformdirs.user_cache_dir("minesweeper-bot-tests")) / chosen.name
    with start(chosen.name, chosen.level, os.environ, home, options) as process:
        with suppress(KeyboardInterrupt):
            process.wait()
        return 0


if __name__ == "__main__":
    sys.exit(main())
