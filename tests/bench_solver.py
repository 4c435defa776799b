"""What the exact solver costs, and what it wins: `python -m tests.bench_solver`.

Times are processor time of one core. Every position is analysed from scratch
(nothing remembered); whole games keep what they remember, as in play.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from math import sqrt
from pathlib import Path
from statistics import mean, median, quantiles
from time import process_time

from rich.console import Console
from rich.progress import track
from rich.table import Table

from bot.analysis import Limit
from bot.board import Board
from bot.frame import Status
from bot.game import LEVELS, FirstClick, Game
from bot.planner import plan
from bot.solver import counting, solver

POSITIONS = Path(__file__).parent / "positions" / "positions.jsonl"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="games for each first-click rule")
    parser.add_argument("--level", choices=LEVELS, default="expert")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game")
    parser.add_argument("--solver", default="exact")
    parser.add_argument("--repeat", type=int, default=3, help="runs of a position; the best counts")
    options = parser.parse_args()
    console = Console()
    console.print(position_table(options.solver, options.repeat))
    console.print(game_table(options.solver, options.level, options.games, options.seed))


def position_table(name: str, repeat: int) -> Table:
    """Milliseconds a position, by kind."""
    solve = solver(name).solve
    times: dict[str, list[float]] = defaultdict(list)
    estimates: dict[str, int] = defaultdict(int)
    for line in track(POSITIONS.read_text().splitlines(), "positions", transient=True):
        position = json.loads(line)
        board = Board.parse("\n".join(position["board"]), position["mines"])
        runs = []
        for _ in range(repeat):
            counting.forget()
            start = process_time()
            analysis = solve(board, limit())
            runs.append(1000 * (process_time() - start))
        times[position["kind"]].append(min(runs))
        estimates[position["kind"]] += not analysis.exact
    table = Table(title=f"{name}: ms a position, best of {repeat}, nothing remembered")
    for heading in ("kind", "positions", "mean", "median", "p95", "worst", "estimated"):
        words = heading == "kind"
        table.add_column(heading, justify="left" if words else "right", no_wrap=words)
    for kind, values in times.items():
        table.add_row(
            kind,
            str(len(values)),
            *(f"{x:.2f}" for x in (mean(values), median(values), p95(values), max(values))),
            str(estimates[kind]),
        )
    return table


def game_table(name: str, level: str, games: int, first_seed: int) -> Table:
    """Whole games by first-click rule."""
    solve = solver(name).solve
    table = Table(title=f"{name}: {level}, {games} games each, seeds from {first_seed}")
    headings = (
        "first click",
        "won",
        "95 % interval",
        "games/s",
        "ms a game",
        "worst ms a decision",
    )
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "first click" else "right")
    for rule in (FirstClick.SAFE, FirstClick.ZERO):
        won = 0
        worst = 0.0
        start = process_time()
        for seed in track(range(first_seed, first_seed + games), rule.value, transient=True):
            game = Game.of_level(LEVELS[level], seed, rule)
            while not game.status.over:
                before = process_time()
                board = game.board
                moves = plan(board, solve(board, limit()))
                worst = max(worst, process_time() - before)
                for move in moves:
                    if move.cell is not None:
                        game.open(move.cell)
            won += game.status is Status.WON
        seconds = process_time() - start
        low, high = wilson(won, games)
        table.add_row(
            rule.value,
            f"{won / games:.1%}",
            f"{low:.1%} to {high:.1%}",
            f"{games / seconds:.1f}",
            f"{1000 * seconds / games:.1f}",
            f"{1000 * worst:.1f}",
        )
    return table


def limit() -> Limit:
    """What play allows as well."""
    return Limit(seconds=2)


def p95(values: list[float]) -> float:
    """The 95th percentile; of a single value, itself."""
    return quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


def wilson(won: int, games: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    share = won / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games**2)) / (1 + z * z / games)
    return middle - half, middle + half


if __name__ == "__main__":
    main()
