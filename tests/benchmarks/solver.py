"""Measure the cost of the exact solver: `python -m tests.benchmarks.solver`.

Times are processor time of one core, a whole call of the solver: the board's tiles in, an
`Analysis` out, without its reason. Every position is analysed from scratch. If `ms_toollib` is
installed, its `cal_probability_onboard` runs on the same positions, in a separate process, because
it crashes on some dense boards.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from statistics import mean, median, quantiles
from time import process_time

import numpy as np
from rich.progress import track
from rich.table import Table

from bot.analysis import Limit
from bot.board import Board
from bot.game import FirstClick, Game
from bot.planner import plan
from bot.solver import solver
from tests.tools.report.console import Console

POSITIONS = Path(__file__).parents[1] / "positions" / "positions.jsonl"
EXPERT = "expert"
PEER = "ms_toollib"
SIZES = (10, 20, 30, 50, 70, 100)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--solver", default="exact")
    parser.add_argument("--repeat", type=int, default=5, help="runs of a position; the best counts")
    parser.add_argument("--peer-from", type=int, help="internal: time the peer from this position")
    options = parser.parse_args()
    if options.peer_from is not None:
        time_peer(options.peer_from, options.repeat)
        return
    console = Console()
    console.print(expert_table(options.solver, options.repeat))
    console.print(stress_table(options.solver, options.repeat))
    console.print(size_table(options.solver))


def expert_table(name: str, repeat: int) -> Table:
    """Return the table of microseconds per Expert position, compared with the peer."""
    times = {name: solver_times(name, repeat, EXPERT)}
    ended = 0
    if find_spec(PEER):
        found = peer_times(repeat, len(times[name]))
        ended = found.count(None)
        times[PEER] = [value for value in found if value is not None]
    table = Table(
        title=f"Expert positions: us, best of {repeat}",
        caption=f"{PEER} ended its process on {ended}" if ended else None,
    )
    for heading in ("by", "positions", "mean", "median", "p95", "worst"):
        table.add_column(heading, justify="left" if heading == "by" else "right", no_wrap=True)
    for by, values in times.items():
        figures = (mean(values), median(values), p95(values), max(values))
        table.add_row(by, str(len(values)), *(f"{value:,.1f}" for value in figures))
    return table


def stress_table(name: str, repeat: int) -> Table:
    """Return the table of microseconds on each of the other positions."""
    table = Table(title=f"{name}, stress positions: us, best of {repeat}")
    for heading in ("kind", "us"):
        table.add_column(heading, justify="left" if heading == "kind" else "right", no_wrap=True)
    kinds = [kind for kind, _ in positions() if not kind.startswith(EXPERT)]
    for kind in kinds:
        table.add_row(kind, f"{solver_times(name, repeat, kind)[0]:,.1f}")
    return table


def solver_times(name: str, repeat: int, kinds: str) -> list[float]:
    """Return the microseconds of a solver on each position of a kind with this prefix."""
    solve = solver(name).solve
    times = []
    for kind, board in positions():
        if not kind.startswith(kinds):
            continue
        runs = []
        for _ in range(repeat + 1):
            start = process_time()
            solve(board, limit())
            runs.append(1e6 * (process_time() - start))
        # The first call may have had to load machine code.
        times.append(min(runs[1:]))
    return times


def positions() -> list[tuple[str, Board]]:
    """Return kind and board of each position of the tests."""
    lines = [json.loads(line) for line in POSITIONS.read_text("utf-8").splitlines()]
    return [(p["kind"], Board.parse("\n".join(p["board"]), p["mines"])) for p in lines]


def peer_times(repeat: int, count: int) -> list[float | None]:
    """Return the microseconds of the peer on each Expert position; None if it ended its process."""
    times: list[float | None] = []
    while len(times) < count:
        command = [sys.executable, "-m", "tests.benchmarks.solver", "--peer-from", str(len(times))]
        run = subprocess.run(
            [*command, "--repeat", str(repeat)], capture_output=True, text=True, check=False
        )
        times += [float(line) for line in run.stdout.split()]
        if run.returncode:
            times.append(None)
    return times


def time_peer(first: int, repeat: int) -> None:
    """Print the peer's microseconds on each Expert position from the given one on."""
    from ms_toollib import cal_probability_onboard  # noqa: PLC0415 - may not be installed

    boards = [board for kind, board in positions() if kind.startswith(EXPERT)]
    for board in boards[first:]:
        # The peer's code for a covered cell is 10.
        tiles = np.where(board.unopened, 10, board.tiles).tolist()
        runs = []
        for _ in range(repeat):
            start = process_time()
            cal_probability_onboard(tiles, board.mines)
            runs.append(1e6 * (process_time() - start))
        print(min(runs), flush=True)  # noqa: T201 - read by `peer_times`


def size_table(name: str) -> Table:
    """Return the table of the cost of a decision by board size, at Expert's density."""
    solve = solver(name).solve
    table = Table(title=f"{name}: square boards, one mine in 4.85 cells, to the end")
    headings = ("size", "decisions", "mean us", "us a cell", "p95 us", "worst ms", "memory MB")
    for heading in headings:
        table.add_column(heading, justify="right")
    for size in track(SIZES, "sizes", transient=True):
        times = []
        game = Game(size, size, round(size * size * 99 / 480), 0, FirstClick.ZERO)
        game.open(plan(game.board, solve(game.board, limit()))[0].cell)  # type: ignore[arg-type]
        layout = game.layout
        assert layout is not None
        while not game.status.over:
            board = game.board
            start = process_time()
            analysis = solve(board, limit())
            times.append(1e6 * (process_time() - start))
            # True mines are not guessed at: every board is played to its end.
            risk = np.where(layout | ~board.unopened, 2.0, analysis.mine_probability)
            for row, col in np.argwhere(risk == risk.min()):
                if game.board.unopened[row, col]:
                    game.open((row, col))  # type: ignore[arg-type]
                if risk.min() > 0:
                    break
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        table.add_row(
            f"{size}x{size}",
            str(len(times)),
            f"{mean(times):,.0f}",
            f"{mean(times) / size**2:.3f}",
            f"{p95(times):,.0f}",
            f"{max(times) / 1000:.2f}",
            f"{peak:,.0f}",
        )
    return table


def limit() -> Limit:
    """Return the limit used in play."""
    return Limit(seconds=2)


def p95(values: list[float]) -> float:
    """Return the 95th percentile; of a single value, itself."""
    return quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


if __name__ == "__main__":
    main()
