"""Measure the delay of a stop during an analysis: `python -m tests.benchmarks.stopping`.

Boards with long analyses by the exact solver and the end game: 100x100, with cells opened at random
so that hardly any cell is decided. Games are simulated at guesses of Expert. The stop comes after a
random time, from another thread; the result is the wall-clock time until the solver has ended. The
limit is 50 ms.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from random import Random
from statistics import median, quantiles

import numpy as np
from rich.table import Table

from bot.analysis import Cancelled, Limit, Thinking
from bot.board import COVERED, Board, neighbours
from bot.solver import endgame, exact, player
from tests.bot.solver.boards import board_of, positions
from tests.tools.report.console import Console


def simulate(board: Board, limit: Limit) -> object:
    """Simulate games without end."""
    return player.solve(board, replace(limit, thinking=Thinking()))


SOLVERS: dict[str, Callable[[Board, Limit], object]] = {
    "exact": exact.solve,
    "end game": endgame.solve_endgame,
    "forced": endgame.forced_guess,
    "simulated": simulate,
}
SIZE = 100
SHARES = (0.15, 0.2, 0.25, 0.3, 0.4, 0.6)
"""Shares of the safe cells that are opened."""
LONGEST = 1.5
"""Longest measured analysis in seconds."""
SIMULATED = 0.5
"""The same for simulated games, which have no end of their own."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=20, help="stops of each kind")
    options = parser.parse_args()
    table = Table(title=f"ms from the stop to the end, {SIZE}x{SIZE}")
    for heading in ("solver", "opened", "stopped", "median", "p95", "p99", "worst"):
        table.add_column(heading, justify="right")
    for name, solve in SOLVERS.items():
        simulated = solve is simulate
        guesses = [
            board_of(p) for p in positions("positions.jsonl") if p["id"].startswith("expert")
        ]
        if simulated:
            stopped(solve, guesses[0], LONGEST)
        else:
            solve(scattered(9, 0.3, 0), Limit(nodes=100))
        for share in SHARES[:1] if simulated else SHARES:
            random = Random(1)
            times = []
            for trial in range(options.trials):
                if simulated:
                    board, lasts = guesses[trial % len(guesses)], SIMULATED
                else:
                    board, start = scattered(SIZE, share, trial), time.perf_counter()
                    stopped(solve, board, LONGEST)
                    lasts = min(time.perf_counter() - start, LONGEST)
                times += stopped(solve, board, random.uniform(0, lasts))
            figures = [""] * 4
            if len(times) > 1:
                most = quantiles(times, n=100, method="inclusive")
                shown = (median(times), most[94], most[98], max(times))
                figures = [f"{value:.1f}" for value in shown]
            table.add_row(name, "" if simulated else f"{share:.0%}", str(len(times)), *figures)
    Console().print(table)


def stopped(solve: Callable[[Board, Limit], object], board: Board, after: float) -> list[float]:
    """Return the milliseconds from the stop to the end; None if the analysis ended first."""
    stop = threading.Event()
    at = [0.0]

    def set_it() -> None:
        at[0] = time.perf_counter()
        stop.set()

    timer = threading.Timer(after, set_it)
    timer.start()
    try:
        solve(board, Limit(cancel=stop))
    except Cancelled:
        return [1000 * (time.perf_counter() - at[0])]
    finally:
        timer.cancel()
    return []


def scattered(size: int, share: float, seed: int) -> Board:
    """Return a board of one mine in five, with a random share of its safe cells opened."""
    random = np.random.default_rng(seed)
    mines = random.random((size, size)) < 0.2
    opened = ~mines & (random.random((size, size)) < share)
    tiles = np.full((size, size), COVERED, np.int8)
    around = neighbours(size, size)
    for row, col in np.argwhere(opened):
        tiles[row, col] = sum(mines.flat[near] for near in around[row * size + col])
    return Board(tiles, int(mines.sum()))


if __name__ == "__main__":
    main()
