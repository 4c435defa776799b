"""Measure the cost of distributing games: `python -m tests.benchmarks.lab`.

Two variants alternate, so that a slower machine slows both: the laboratory with two workers, and
two processes that play half of the same boards each, in a plain loop. Starting the processes is not
counted in either.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Iterator
from functools import partial
from multiprocessing.synchronize import Barrier
from statistics import median

from rich.table import Table

from bot.game import EXPERT
from bot.lab.boards import BoardSet, draw_boards
from bot.lab.pool import BATCH, LocalWorkers, Task, pending_tasks, play_all
from bot.lab.worker import CLASSIC, play_batch
from tests.tools.report.console import Console

NODES = 100_000
WORKERS = 2


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--turns", type=int, default=5)
    options = parser.parse_args()
    boards = draw_boards(EXPERT, options.games)
    lab, apart = [], []
    for _ in range(options.turns):
        lab.append(options.games / laboratory(boards))
        apart.append(options.games / independent(boards))
    table = Table(title=f"{options.games} Expert games, two workers, {options.turns} turns")
    for heading in ("", "games a second, median", "each turn"):
        table.add_column(heading, no_wrap=True)
    for name, rates in (("laboratory", lab), ("two processes apart", apart)):
        table.add_row(name, f"{median(rates):.1f}", ", ".join(f"{rate:.1f}" for rate in rates))
    ratios = [one / other for one, other in zip(lab, apart, strict=True)]
    table.add_row("share", f"{median(ratios):.1%}", ", ".join(f"{r:.1%}" for r in ratios))
    Console().print(table)


def laboratory(boards: BoardSet) -> float:
    """Return the seconds of the laboratory, after its workers have played a batch each."""
    begun = [0.0]
    warm = [boards.spec(0)] * BATCH

    def work() -> Iterator[Task]:
        for _ in range(WORKERS):
            yield Task(1, "exact", tuple(warm))
        yield from pending_tasks([boards], ["exact"], lambda *_: False)

    seen = 0
    for task, _ in play_all(work(), partial(LocalWorkers, WORKERS), WORKERS, CLASSIC, NODES):
        seen += task.boards == 1
        if seen == WORKERS and not begun[0]:
            begun[0] = time.perf_counter()
    return time.perf_counter() - begun[0]


def independent(boards: BoardSet) -> float:
    """Return the seconds of two independent processes."""
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(WORKERS + 1)
    processes = [
        context.Process(target=_alone, args=(boards, part, barrier)) for part in range(WORKERS)
    ]
    for process in processes:
        process.start()
    barrier.wait()
    begun = time.perf_counter()
    for process in processes:
        process.join()
    return time.perf_counter() - begun


def _alone(boards: BoardSet, part: int, barrier: Barrier) -> None:
    play_batch(CLASSIC, "exact", [boards.spec(0)] * BATCH, NODES)
    barrier.wait()
    numbers = range(part, boards.count, WORKERS)
    play_batch(CLASSIC, "exact", [boards.spec(number) for number in numbers], NODES)


if __name__ == "__main__":
    main()
