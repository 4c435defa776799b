"""Measure the planner: clicks, efficiency and the pointer's path for every style.

    python -m tests.benchmarks.planner [--games 200] [--levels beginner expert]

The games are those of the seeds from 0 on that the exact solver wins; the first click is made at
(2, 2), on Expert (3, 3), and opens a zero. All styles play the same boards to the same end, because
none guesses while a safe cell is left. 'every safe cell' is a player that clicks each of them.
Clicks are all clicks sent, including the first one, flags, and those without effect. The path is in
cells, from click to click within a turn; the times are medians, of planning for one reading.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, count, islice, pairwise
from math import dist
from typing import Final

from rich import box
from rich.table import Table

from bot.analysis import Analysis, Limit
from bot.board import Board, Cell
from bot.frame import Status
from bot.game import LEVELS, FirstClick, Game, Level
from bot.metrics import efficiency, three_bv
from bot.planner import Action, Move, Style, plan
from bot.solver import solver
from tests.tools.report.console import Console

Plan = Callable[[Board, Analysis], tuple[Move, ...]]


@dataclass
class Played:
    """One game."""

    value: int = 0
    """Its 3BV."""
    won: bool = False
    moves: list[tuple[Move, ...]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    """Seconds spent on planning, by turn."""

    @property
    def clicks(self) -> int:
        """Number of clicks, including the first one."""
        return 1 + sum(map(len, self.moves))

    def number(self, action: Action) -> int:
        """Number of clicks of one kind."""
        return sum(move.action is action for turn in self.moves for move in turn)

    @property
    def way(self) -> float:
        """Length of the pointer's path, in cells."""
        return sum(map(length, ([move.cell for move in turn] for turn in self.moves)))


def length(cells: Sequence[Cell | None]) -> float:
    """Return the length of a path from the first cell to the last one."""
    return sum(dist(one, other) for one, other in pairwise(cells) if one and other)


def at_once(board: Board, analysis: Analysis) -> tuple[Move, ...]:
    """Return the moves of a player without a planner: every safe cell, row by row."""
    cells = analysis.safe or ([] if analysis.best is None else [analysis.best])
    return tuple(Move(Action.OPEN, cell) for cell in cells if board[cell] < 0)


PLANS: Final[dict[str, Plan]] = {
    "every safe cell": at_once,
    **{
        style.value: partial(plan, style=style)
        for style in (Style.NO_FLAGS, Style.FLAGS, Style.CHORDS)
    },
}


def played(level: Level, seed: int, planned: Plan) -> Played:
    """Play a game from its first click to its end."""
    game = Game.of_level(level, seed, FirstClick.ZERO)
    game.open((3, 3) if level.name == "expert" else (2, 2))
    result = Played()
    while not game.status.over:
        board = game.board
        analysis = solver("exact").solve(board, Limit())
        start = time.perf_counter()
        moves = planned(board, analysis)
        result.seconds.append(time.perf_counter() - start)
        result.moves.append(moves)
        for move in moves:
            carry_out(game, move)
    layout = game.layout
    assert layout is not None
    result.value = three_bv(layout)
    result.won = game.status is Status.WON
    return result


def carry_out(game: Game, move: Move) -> tuple[Cell, ...]:
    """Carry out one move; return the cells that changed."""
    act = {Action.OPEN: game.open, Action.FLAG: game.flag, Action.CHORD: game.chord}[move.action]
    assert move.cell is not None
    return act(move.cell)


def won_seeds(level: Level) -> Iterator[int]:
    """Return the seeds of boards that the exact solver wins."""
    return (seed for seed in count() if played(level, seed, PLANS["no flags"]).won)


def styles_table(level: Level, games: int) -> Table:
    """Return the table with one line per style."""
    seeds = list(islice(won_seeds(level), games))
    value = statistics.mean(played(level, seed, PLANS["no flags"]).value for seed in seeds)
    title = (
        f"{level.name}: the first {games} boards that are won, of {seeds[-1] + 1}; 3BV {value:.1f}"
    )
    table = Table(title=title, title_justify="left", box=box.SIMPLE, padding=(0, 0, 0, 1))
    table.add_column("style", no_wrap=True)
    headings = (
        "clicks",
        "flags",
        "chords",
        "eff. %",
        "median",
        "> 100 %",
        "looks",
        "way",
        "us",
    )
    for heading in headings:
        table.add_column(heading, justify="right")
    for name, planned in PLANS.items():
        results = [played(level, seed, planned) for seed in seeds]
        assert all(result.won for result in results)
        shares = [100 * efficiency(result.value, result.clicks) for result in results]
        looks = sum(len(result.moves) for result in results)
        over = sum(share > 100 for share in shares)
        table.add_row(
            name,
            f"{statistics.mean(result.clicks for result in results):.1f}",
            f"{statistics.mean(result.number(Action.FLAG) for result in results):.1f}",
            f"{statistics.mean(result.number(Action.CHORD) for result in results):.1f}",
            f"{statistics.mean(shares):.1f}",
            f"{statistics.median(shares):.1f}",
            f"{100 * over / games:.1f}",
            f"{looks / games:.1f}",
            f"{statistics.mean(result.way for result in results):.0f}",
            f"{1e6 * statistics.median(chain(*(result.seconds for result in results))):.0f}",
        )
    return table


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="of each level")
    parser.add_argument("--levels", nargs="+", default=list(LEVELS), choices=list(LEVELS))
    chosen = parser.parse_args(arguments)
    levels = [LEVELS[name] for name in chosen.levels]
    console = Console()
    for level in levels:
        console.print(styles_table(level, chosen.games))


if __name__ == "__main__":
    main()
