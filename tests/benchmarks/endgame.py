"""Measure the cost and reach of the exact end game: `python -m tests.benchmarks.endgame`.

Two tables: the recorded end games of tests/positions by their number of solutions, and tiny boards
from the first click.
Times are processor time of one core, from tiles to the best move.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from statistics import median, quantiles
from time import process_time

import numpy as np
from rich.table import Table

from bot.analysis import Limit
from bot.board import Board
from bot.solver import endgame
from bot.solver.endgame.search import NODES, Budget, Search, new_search
from bot.solver.guess.policies import solve_board
from bot.solver.kernel.position import MOST_NODES, solve_position
from bot.solver.kernel.tables import allocate
from tests.bot.solver.boards import board_of, positions
from tests.tools.report.console import Console

STEPS = (0, 64, 200, 400, 1000, 10_000)
TINY = ((3, 3, 3), (4, 3, 3), (5, 3, 4), (4, 4, 4), (5, 4, 4), (6, 4, 4), (5, 5, 3), (5, 5, 4))
ROOM = 20_000


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3, help="runs of a position; the best counts")
    parser.add_argument("--tiny", action="store_true", help="the tiny boards as well: some seconds")
    options = parser.parse_args()
    console = Console()
    room = new_search(ROOM)
    boards = [board_of(position) for position in positions("endgames.jsonl")]
    runs = [run(board, room, options.repeat) for board in boards]
    console.print(by_solutions(runs))
    if options.tiny:
        console.print(tiny_boards())


def run(board: Board, room: Search, repeat: int = 1) -> tuple[int, int, float]:
    """Return solutions, nodes and the milliseconds of the fastest of some runs."""
    stop = np.zeros(1, np.int8)
    budget = Budget(ROOM, 10**9)
    work = allocate(board.rows, board.cols, 1 << 13)
    tiles = board.tiles.copy()
    solutions = 0
    times = []
    for _ in range(repeat + 1):
        start = process_time()
        solve_position(tiles, board.mines, work, MOST_NODES)
        solutions = solve_board(work, budget, stop, room)[0]
        times.append(1000 * (process_time() - start))
    return solutions, int(room.counters[NODES]), min(times[1:])


def by_solutions(runs: list[tuple[int, int, float]]) -> Table:
    """Return the table of milliseconds and nodes by number of solutions."""
    table = Table(title="end games of Expert: one best move")
    for heading in ("solutions", "boards", "ms median", "p95", "worst", "nodes median", "worst"):
        table.add_column(heading, justify="right")
    for least, most in [*pairwise(STEPS), (STEPS[0], STEPS[-1])]:
        chosen = [found for found in runs if least < found[0] <= most]
        times = [found[2] for found in chosen]
        nodes = [found[1] for found in chosen]
        table.add_row(
            f"{least + 1:,} to {most:,}",
            str(len(chosen)),
            f"{median(times):.2f}",
            f"{quantiles(times, n=20, method='inclusive')[-1]:.2f}",
            f"{max(times):.2f}",
            f"{median(nodes):,.0f}",
            f"{max(nodes):,}",
        )
    return table


def tiny_boards() -> Table:
    """Return the table of the share of boards won by perfect play, first click included."""
    table = Table(title="tiny boards: won of those where the first cell is safe, and of all")
    for heading in ("board", "won", "safe first", "share", "all", "share", "s"):
        table.add_column(heading, justify="right")
    for cols, rows, mines in TINY:
        start = process_time()
        board = Board.covered(rows, cols, mines)
        found = endgame.solve_endgame(board, Limit(nodes=10**9), most=ROOM)
        assert found is not None
        safe = found.solutions - found.mined
        table.add_row(
            f"{cols}x{rows}/{mines}",
            f"{found.won:,}",
            f"{safe:,}",
            f"{found.won / safe:.6f}",
            f"{found.solutions:,}",
            f"{found.chance:.6f}",
            f"{process_time() - start:.2f}",
        )
    return table


if __name__ == "__main__":
    main()
