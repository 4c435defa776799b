"""Start the real Minesweeper programs with which the player is tested.

They come from Debian's packages. `start` runs one on the screen named by an environment and ends
all of its processes afterwards. The files of a program (settings, scores, a Wine prefix) are in a
folder of the tests, never among the user's own files; only XBomb writes its scores to the folder of
its package.

    python -m tests.support.games start winemine expert  one on this display, until it is closed
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Final

import platformdirs
from filelock import FileLock, Timeout

from gui.private.games import runtime_folder
from tests.support.real_programs import GAMES_FOLDERS, PROGRAMS, GameError, Launch, run_wine

_NOT_INHERITED: Final = ("QT_QPA_PLATFORM", "QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR")
"""Variables that are not inherited: `import cv2` sets the last two to plugins of its own, with
which a Qt 5 program aborts."""
_END_SECONDS: Final = 10.0


def packages() -> tuple[str, ...]:
    """Return the Debian packages of all programs."""
    return tuple(sorted({name for program in PROGRAMS.values() for name in program.packages}))


class Started(subprocess.Popen[bytes]):
    """The process of a program.

    Args:
        command: The program's command.
        env: Its environment.
        output: The file for its output.
    """

    def __init__(self, command: Sequence[str], env: Mapping[str, str], output: Path) -> None:
        self.output = output
        with output.open("wb") as file:
            super().__init__(
                command,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def end_text(self) -> str:
        """What is known of its end: the command and its output."""
        printed = self.output.read_text("utf-8", "replace")
        return f"{self.args} has ended with {self.poll()}:\n{printed}"


@contextmanager
def start(
    name: str,
    level: str,
    env: Mapping[str, str],
    home: Path,
    options: Mapping[str, str] | None = None,
) -> Iterator[Started]:
    """Run a program; when the block is left, all of its processes have ended.

    Args:
        name: A key of `PROGRAMS`.
        level: One of the program's levels, or columns x rows x mines.
        env: Holds DISPLAY and XAUTHORITY of the screen to open on.
        home: The program's home folder, created if missing. Its output goes to `output.txt` there.
        options: Options of the program; its command's docstring lists them.

    Raises:
        GameError: The program is not installed, or has no such level.
    """
    program = PROGRAMS[name]
    if program.path() is None:
        raise GameError(f"{name} is not installed: apt-get install {' '.join(program.packages)}")
    launch = Launch(
        level, program.level(level), home, private_environment(env, home), options or {}
    )
    with (
        _prefix(launch) if program.wine else _nothing(),
        running(program.command(launch), launch.env, home) as process,
    ):
        yield process


@contextmanager
def running(command: Sequence[str], env: Mapping[str, str], home: Path) -> Iterator[Started]:
    """Run a command; when the block is left, all of its processes have ended.

    Args:
        command: The program's command.
        env: The environment from `private_environment`.
        home: The folder for which it was made; the program's output goes to `output.txt` there.
    """
    process = Started(command, env, home / "output.txt")
    try:
        yield process
    finally:
        _end(process)


def private_environment(env: Mapping[str, str], home: Path) -> dict[str, str]:
    """Return the environment of a program that must not find the user's own files."""
    for folder in (home, home / ".config", home / ".cache", home / ".local" / "share"):
        folder.mkdir(parents=True, exist_ok=True)
    kept = {key: value for key, value in env.items() if key not in _NOT_INHERITED}
    folders = (env.get("PATH", os.defpath), *GAMES_FOLDERS)
    return kept | {
        "PATH": os.pathsep.join(folders),
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_DATA_HOME": str(home / ".local" / "share"),
        "XDG_RUNTIME_DIR": str(runtime_folder(home)),
        "LANG": "C.UTF-8",
        "NO_AT_BRIDGE": "1",
    }


@contextmanager
def _nothing() -> Iterator[None]:
    yield


@contextmanager
def _prefix(launch: Launch) -> Iterator[None]:
    """Provide a Wine prefix for one launch, and end all processes in it afterwards.

    Creating a prefix takes a quarter of a minute, so it is kept in the user's cache folder. Two
    simultaneous games must not share one, because ending the first would end the second: each takes
    the first unlocked prefix.
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
                run_wine(launch, "wineboot", "-i")
                run_wine(launch, "wineserver", "-w")
            yield
        finally:
            # -k fails if no server runs: the game was closed long ago.
            with suppress(subprocess.CalledProcessError):
                run_wine(launch, "wineserver", "-k")
            run_wine(launch, "wineserver", "-w")


@contextmanager
def _first_free(cache: Path) -> Iterator[Path]:
    for number in count(1):
        with suppress(Timeout), FileLock(cache / f"wine-{number}.lock", timeout=0):
            yield cache / f"wine-{number}"
            return


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process with its whole group (a session bus and its children, too)."""
    if sys.platform == "win32":
        process.kill()
        process.wait()
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_END_SECONDS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line of this table."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.games", description=__doc__)
    commands = parser.add_subparsers(dest="do", required=True)
    starter = commands.add_parser("start", help="start a program on this display")
    starter.add_argument("name", choices=list(PROGRAMS))
    starter.add_argument("level", nargs="?", default="beginner")
    starter.add_argument("option", nargs="*", help="key=value; see the program's command")
    chosen = parser.parse_args(arguments)
    # Ended from outside, it still ends the program that it started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    options = dict(option.split("=", 1) for option in chosen.option)
    home = Path(platformdirs.user_cache_dir("minesweeper-bot-tests")) / chosen.name
    starting = start(chosen.name, chosen.level, os.environ, home, options)
    with suppress(KeyboardInterrupt), starting as process:
        process.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
