"""Measure the time of whole games, and the program's own share.

    python -m tests.benchmarks.playing          the simulated window and four programs
    python -m tests.benchmarks.playing simulated xbomb --games 20 --level intermediate

Every program has its own private screen. One line per program and level:

- won, out of the total; seconds of a won game, from the first reading to the one that shows its
  end; the stages of its turns, in milliseconds per turn.
- overhead: the part of the game's time that is neither clicking nor waiting for the program's
  first change after it. Drawing after the program's first change counts as the player's time here.
- all: the same clicks in the same batches, sent blindly to the same mines; after each batch it
  waits until the screen shows the whole result. It and bot / all are medians over the games won.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from multiprocessing import get_context
from statistics import median

from rich.table import Table

from bot.frame import Status
from tests.support.playing import SIMULATED, STAGES, Measured, Subject, measured
from tests.support.real_programs import PROGRAMS
from tests.tools.report.console import Console

USUAL = (SIMULATED, "winemine", "sgt-mines", "xdemineur", "xbomb")


def table() -> Table:
    """Return the empty table."""
    made = Table(title="Whole games; milliseconds a turn by stage, medians over games won")
    for heading in ("program", "level", "won", "s", "turns", "clicks", *STAGES, "overhead"):
        made.add_column(heading, justify="left" if heading in ("program", "level") else "right")
    for heading in ("all s", "bot / all"):
        made.add_column(heading, justify="right")
    return made


def line(subject: Subject, results: Sequence[Measured]) -> list[str]:
    """Return one line of the table."""
    games = [game for game, _ in results]
    won = [game for game in games if game.status is Status.WON]
    reported = won or games
    turns = median(len(game.steps) for game in reported)
    stages = {
        name: median(1000 * game.stages[name] / (len(game.steps) - 1) for game in reported)
        for name in STAGES
    }
    cells = [subject.program, subject.level, f"{len(won)} of {len(games)}"]
    cells += [f"{median(game.seconds for game in reported):.2f}", f"{turns:.0f}"]
    cells += [f"{median(sum(step.clicks for step in game.steps[1:]) for game in reported):.0f}"]
    cells += [f"{stages[name]:.1f}" for name in STAGES]
    cells += [f"{median(game.overhead for game in reported):.0%}"]
    return cells + _floor(results)


def _floor(results: Sequence[Measured]) -> list[str]:
    compared = [
        (game.seconds, floor)
        for game, floor in results
        if floor is not None and game.status is Status.WON
    ]
    if not compared:
        return ["", ""]
    return [
        f"{median(floor for _, floor in compared):.2f}",
        f"{median(seconds / floor for seconds, floor in compared):.2f}",
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.playing",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    known = [SIMULATED, *PROGRAMS]
    parser.add_argument("programs", nargs="*", choices=[*known, []], metavar="PROGRAM")
    parser.add_argument("--games", type=int, default=20, help="of each")
    parser.add_argument("--level", action="append", dest="levels")
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    chosen = parser.parse_args(arguments)
    console, made = Console(), table()
    subjects = (
        [Subject(program, level, chosen.seed) for level in chosen.levels or ["expert"]]
        for program in chosen.programs or USUAL
    )
    for subject in chain.from_iterable(subjects):
        # Xlib, mss and pyautogui keep the screen that they found first.
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            results = process.submit(measured, subject, chosen.games).result()
        same = sum(floor is not None for _, floor in results)
        made.add_row(*line(subject, results))
        console.print(f"{subject.program} {subject.level}: {len(results)} games, {same} replayed")
    console.print(made)


if __name__ == "__main__":
    main()
