r"""Plays every real program at its levels, and prints how that went.

    python -m tests.soak                                 all six, twenty games a level
    python -m tests.soak --games 5 kmines gnome-mines    some of them
    python -m tests.soak --level expert --option theme=classic gnome-mines

Each runs on a private screen of its own, played by the command as a user would start
it, and its recordings are audited. The table says what was found; anything that is
found, or a run that did not play all its games, is told below it, and ends it with 1.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from rich.table import Table

from bot.frame import Status
from gui.private_screen import PrivateScreen
from tests.games import start
from tests.programs import PROGRAMS
from tests.report.console import Console
from tests.runs import audited, bot, sessions
from tests.shown import windows_shown
from vision.recording import Session

SIZE: Final = (1600, 900)
_GAME_SECONDS: Final = 120.0
"""Longest that a game may take on average before the run counts as stuck."""


class Played(NamedTuple):
    """How one program was played at one level."""

    program: str
    level: str
    games: int
    won: int
    lost: int
    seconds: float
    findings: tuple[str, ...]

    @property
    def ended(self) -> int:
        """Games that came to an end."""
        return self.won + self.lost


def play(
    program: str, level: str, games: int, home: Path, options: dict[str, str] | None = None
) -> Played:
    """Play some games of a program on a private screen, and audit them.

    Args:
        program: A key of `PROGRAMS`.
        level: One of its levels.
        games: How many.
        home: An empty folder for everything that is written.
        options: What the program is told.
    """
    with (
        PrivateScreen(*SIZE) as screen,
        start(program, level, screen.environment, home / "program", options),
    ):
        windows_shown(screen.environment, PROGRAMS[program].title)
        given = ("--window", PROGRAMS[program].title, "--level", level, "--games", str(games))
        began = time.monotonic()
        run = bot(home, "play", "--no-panel", *given, screen=screen, seconds=games * _GAME_SECONDS)
        seconds = time.monotonic() - began
    recorded = sessions(home)
    audit = audited(recorded)
    findings = [f"{one.session}, turn {one.turn}: {one.what}" for one in audit.findings]
    if run.returncode:
        findings.append(f"ended with {run.returncode}: {run.stderr.strip()}")
    return Played(program, level, games, audit.won, audit.lost, seconds, tuple(findings))


def keep(recorded: Sequence[Session], folder: Path, name: str) -> None:
    """Copy the shortest won and the shortest lost game of a run into a folder."""
    for status in (Status.WON, Status.LOST):
        ended = [one for one in recorded if one.records[-1].status is status]
        if ended:
            shortest = min(ended, key=len)
            target = folder / f"{name}-{status.value}"
            with suppress(FileNotFoundError):
                shutil.rmtree(target)
            shutil.copytree(shortest.folder, target)


def table(results: Sequence[Played]) -> Table:
    """What is printed."""
    made = Table(title="Real programs, played unattended")
    for column in ("program", "level", "games", "won", "lost", "s a game", "findings"):
        made.add_column(column, justify="left" if column in ("program", "level") else "right")
    for one in results:
        pace = f"{one.seconds / one.ended:.1f}" if one.ended else "-"
        made.add_row(
            one.program,
            one.level,
            str(one.games),
            str(one.won),
            str(one.lost),
            pace,
            str(len(one.findings)),
        )
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("programs", nargs="*", choices=[*PROGRAMS, []], metavar="PROGRAM")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--level", action="append", dest="levels")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the shortest games")
    chosen = parser.parse_args(arguments)
    options = dict(option.split("=", 1) for option in chosen.option)
    console = Console()
    results = []
    for program in chosen.programs or PROGRAMS:
        for level in chosen.levels or PROGRAMS[program].levels:
            with tempfile.TemporaryDirectory(prefix="soak-") as folder:
                result = play(program, level, chosen.games, Path(folder), options)
                if chosen.keep:
                    name = "-".join((program, *options.values(), level))
                    keep(sessions(Path(folder)), chosen.keep, name)
            console.print(f"{program} {level}: {result.won} won, {result.lost} lost")
            results.append(result)
    console.print(table(results))
    for result in results:
        for finding in result.findings:
            console.print(f"{result.program} {result.level}: {finding}", highlight=False)
    wrong = any(one.findings or one.ended != one.games for one in results)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
