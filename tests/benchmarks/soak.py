r"""Play every real program and the simulated window for a long time, and print the results.

    python -m tests.benchmarks.soak                                 all, twenty games a level
    python -m tests.benchmarks.soak --games 100,60,40 kmines        a number for each level
    python -m tests.benchmarks.soak --level expert --option theme=classic gnome-mines

Each runs on a private screen of its own, played by the command as a user would start it; every
event is checked before it is sent, every recording is audited (`tests.benchmarks.soaked`). Each
level has a program and a command of its own, one after the other. The table shows the results;
errors are printed below it, and set the exit code to 1.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from rich.table import Table

from bot.frame import Status
from bot.solver.warmup import PREPARATION
from tests.benchmarks.soaked import LEVELS, SIMULATED, Played, play
from tests.support.real_programs import PROGRAMS
from tests.support.runs import sessions
from tests.tools.report.console import Console
from vision.sessions import Session

COLUMNS: Final = (
    "program", "level", "games", "won", "lost", "guessed before", "s a game", "misreads", "events",
    "stray", "ended early", "stuck", "MB at 20", "at the end", "version",
)  # fmt: skip


def keep(recorded: Sequence[Session], folder: Path, name: str) -> list[Status]:
    """Copy the shortest won and the shortest lost game of a run; return which there is none of."""
    missing = []
    for status in (Status.WON, Status.LOST):
        ended = [one for one in recorded if one.records[-1].status is status]
        if not ended:
            missing.append(status)
        else:
            shortest = min(ended, key=len)
            target = folder / f"{name}-{status.value}"
            with suppress(FileNotFoundError):
                shutil.rmtree(target)
            shutil.copytree(shortest.folder, target)
    return missing


def table(results: Sequence[Played]) -> Table:
    """Return the empty table."""
    made = Table(title="Real programs and the simulated window, played unattended")
    for column in COLUMNS:
        left = column in ("program", "level", "version")
        made.add_column(column, justify="left" if left else "right")
    for one in results:
        made.add_row(
            one.program,
            one.level,
            str(one.games),
            str(one.won),
            str(one.lost),
            str(one.repeated),
            f"{one.seconds / one.ended:.1f}" if one.ended else "-",
            *(str(number) for number in (len(one.misreads), one.events, len(one.strays))),
            *(str(len(found)) for found in (one.ended_early, one.stuck)),
            *("-" if size is None else f"{size:.0f}" for size in (one.warm, one.end)),
            one.version,
        )
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.soak",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    names = [SIMULATED, *PROGRAMS]
    parser.add_argument("programs", nargs="*", choices=[*names, []], metavar="PROGRAM")
    parser.add_argument("--games", default="20", metavar="NUMBER[,NUMBER,NUMBER]")
    parser.add_argument("--level", action="append", dest="levels", choices=LEVELS)
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the shortest games")
    chosen = parser.parse_args(arguments)
    options = dict(option.split("=", 1) for option in chosen.option)
    numbers = [int(number) for number in chosen.games.split(",")]
    games = dict(zip(LEVELS, numbers * 3 if len(numbers) == 1 else numbers, strict=True))
    console = Console()
    # The first start on a machine compiles for a minute or more, which is no standstill.
    PREPARATION.wait()
    results = []
    for program in chosen.programs or names:
        for level in chosen.levels or LEVELS:
            with tempfile.TemporaryDirectory(prefix="soak-") as folder:
                home = Path(folder)
                result = play(program, level, games[level], home, options)
                if chosen.keep:
                    name = "-".join((program, *options.values(), level))
                    for status in keep(sessions(home), chosen.keep, name):
                        console.print(f"{name}: no game was {status.value}, so none is kept")
            console.print(f"{program} {level}: {result.won} won, {result.lost} lost")
            results.append(result)
    console.print(table(results))
    for result in results:
        for wrong in result.wrong:
            console.print(f"{result.program} {result.level}: {wrong}", highlight=False)
    return int(any(one.wrong for one in results))


if __name__ == "__main__":
    sys.exit(main())
