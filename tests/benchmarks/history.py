"""Check whether a game is lost if several programs create the history at the same time.

Three processes start together, each opens a history that does not exist yet and writes a game,
while a fourth one reads. `python -m tests.benchmarks.history --rounds 200`
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import NamedTuple

from rich.table import Table

from gui.history.schema import HistoryError
from gui.history.store import History
from tests.gui.history.made import games
from tests.tools.report.console import Console

WRITERS = 3
_LONGEST = 300.0
"""Time limit in seconds, after which a process counts as stuck."""


class Lost(NamedTuple):
    """The errors in some rounds."""

    games: int
    """Number of written games that are missing."""
    errors: list[str]
    """Messages of the refused operations."""


def race(folder: Path, rounds: int) -> Lost:
    """Let processes create the same history at the same time, once per round."""
    context = multiprocessing.get_context("spawn")
    barrier, errors = context.Barrier(WRITERS + 1), context.Queue()
    shared = (folder, rounds, barrier, errors)
    processes = [
        context.Process(target=_write, args=(*shared, seed)) for seed in range(WRITERS)
    ] + [context.Process(target=_read, args=shared)]
    for process in processes:
        process.start()
    found = [error for _ in processes for error in errors.get(timeout=_LONGEST)]
    for process in processes:
        process.join()
    there = 0
    for number in range(rounds):
        with History.to_read(_path(folder, number)) as history:
            there += history.state()[0]
    return Lost(rounds * WRITERS - there, found)


def _write(
    folder: Path, rounds: int, barrier: Barrier, errors: Queue[list[str]], seed: int
) -> None:
    found = []
    (game,) = games(1, seed)
    for number in range(rounds):
        barrier.wait(_LONGEST)
        try:
            with History.to_write(_path(folder, number)) as history:
                history.add([game])
        except HistoryError as error:
            found.append(f"writing: {error}")
    barrier.wait(_LONGEST)
    errors.put(found)


def _read(folder: Path, rounds: int, barrier: Barrier, errors: Queue[list[str]]) -> None:
    found = []
    for number in range(rounds):
        barrier.wait(_LONGEST)
        seen = 0
        while barrier.n_waiting < WRITERS:
            try:
                with History.to_read(_path(folder, number)) as history:
                    now = history.state()[0]
            except HistoryError as error:
                found.append(f"reading: {error}")
                break
            if now < seen:
                found.append(f"reading: {seen} games became {now}")
            seen = now
    barrier.wait(_LONGEST)
    errors.put(found)


def _path(folder: Path, number: int) -> Path:
    return folder / str(number) / "history.sqlite"


def main() -> None:
    """Print the table; the exit code is 1 if anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        lost = race(Path(folder), options.rounds)
    table = Table(title=f"{WRITERS} processes make the same history at once", title_justify="left")
    for column in ("rounds", "games", "lost", "errors"):
        table.add_column(column, justify="right")
    written = options.rounds * WRITERS
    table.add_row(*map(str, (options.rounds, written, lost.games, len(lost.errors))))
    console = Console()
    console.print(table)
    for error in sorted(set(lost.errors)):
        console.print(error, markup=False, soft_wrap=True)
    sys.exit(1 if lost.games or lost.errors else 0)


if __name__ == "__main__":
    main()
