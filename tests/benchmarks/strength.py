"""Measure the games that the player wins: `python -m tests.benchmarks.strength [--boards FILE...]`.

Fresh boards are drawn by seed; boards from files are those of another player, whose results are in
their column `record_won`, and are compared board by board. All are played by
`tests/support/guess_games.py`, with the guesses of the player's own functions; some of them once
more by the solver itself, as a check and for the times of its guesses. `--weighted` gives the
chance to win with smaller intervals than the games won; with `--against`, the difference to the
same player with other weights on the same boards. Times are processor time of one core.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from bot.analysis import Limit
from bot.frame import Status
from bot.game import BEGINNER, EXPERT, INTERMEDIATE, FirstClick, Game, Level
from bot.lab.boards import read_boards
from bot.lab.statistics import Interval, mcnemar, wilson
from bot.metrics import hints_of
from bot.solver.guess.draws import HIDDEN_MINE
from bot.solver.guess.network import load_network
from bot.solver.guess.policies import VALUE
from bot.solver.player import first_click, solve
from tests.support.guess_games import Player, lay, play, player
from tests.tools.report.console import Console

KINDS = (
    (EXPERT, FirstClick.SAFE),
    (EXPERT, FirstClick.ZERO),
    (INTERMEDIATE, FirstClick.SAFE),
    (BEGINNER, FirstClick.SAFE),
)
NAMES = {FirstClick.SAFE: "classic", FirstClick.ZERO: "modern"}
Hidden = NDArray[np.int8]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=Path, nargs="*", default=[], help="files of boards")
    parser.add_argument("--fresh", type=int, default=1000, help="fresh boards of each kind")
    parser.add_argument("--weighted", type=int, default=0, help="weighted games of each kind")
    parser.add_argument("--against", type=Path, help="weights to compare with, in weighted games")
    parser.add_argument("--seed", type=int, default=900_000_000, help="of the first fresh board")
    parser.add_argument("--solver", type=int, default=20, help="games by the solver itself")
    options = parser.parse_args()
    console = Console(width=140)
    one = player(EXPERT.rows * EXPERT.cols)
    warm(one)
    if options.boards:
        console.print(paired_table(options.boards, one))
    if options.fresh:
        console.print(fresh_table(options.fresh, options.seed, one))
    if options.weighted and options.against:
        other = player(EXPERT.rows * EXPERT.cols, load_network(options.against))
        console.print(weights_table(options.weighted, options.seed, one, other))
    elif options.weighted:
        console.print(fresh_table(options.weighted, options.seed, one, weighted=True))
    if options.solver:
        console.print(solver_table(options.solver, options.seed, one))


def warm(one: Player) -> None:
    """Compile, or load, the measured functions."""
    play(fresh_board(BEGINNER, FirstClick.SAFE, 0), BEGINNER.mines, 0, VALUE, 0.0, False, one)


def paired_table(paths: Sequence[Path], one: Player) -> Table:
    """Return the table of each file, compared with its player, and all together."""
    table = Table(title="the same boards as another player")
    for heading in ("boards", "games", "won", "the other", "difference", "p", "games/s"):
        table.add_column(heading, justify="right", no_wrap=True)
    ours: list[bool] = []
    theirs: list[bool] = []
    for path in paths:
        boards = read_boards(path)
        recorded = results(path)
        start = time.process_time()
        won = []
        for number in range(boards.count):
            board = boards.spec(number)
            hidden = hidden_of(board.dig_game().layout)
            at = board.first.row * boards.cols + board.first.col
            won.append(bool(play(hidden, boards.mines, at, VALUE, 0.0, False, one)))
        speed = boards.count / (time.process_time() - start)
        table.add_row(path.stem, *compared(won, recorded), f"{speed:.0f}")
        ours += won
        theirs += recorded
    table.add_row("all", *compared(ours, theirs), "")
    return table


def compared(ours: Sequence[bool], theirs: Sequence[bool]) -> list[str]:
    """Return the columns of one row."""
    both = mcnemar(ours, theirs)
    shares = [percent(wilson(sum(won), len(won))) for won in (ours, theirs)]
    return [f"{len(ours):,}", *shares, percent(both.difference, "+"), f"{both.p:.2g}"]


def fresh_table(games: int, seed: int, one: Player, *, weighted: bool = False) -> Table:
    """Return the table of boards drawn by seed.

    Args:
        games: The number of games of each kind.
        seed: The seed of the first board.
        one: Plays.
        weighted: Whether the exact safety of each guess counts, not the games won.
    """
    kind = "fresh boards, weighted games" if weighted else "fresh boards"
    table = Table(title=f"{kind}, seeds from {seed:,}")
    for heading in ("boards", "games", "chance to win" if weighted else "won", "games/s"):
        table.add_column(heading, justify="right", no_wrap=True)
    for level, rule in KINDS:
        start = time.process_time()
        cell = first_click(level.rows, level.cols, rule)
        first = cell.row * level.cols + cell.col
        values = np.zeros(games)
        for number in range(games):
            hidden = fresh_board(level, rule, seed + number)
            values[number] = play(hidden, level.mines, first, VALUE, 0.0, weighted, one)
        speed = games / (time.process_time() - start)
        if weighted:
            mean, error = float(values.mean()), 1.96 * float(values.std()) / games**0.5
            share = Interval(mean, mean - error, mean + error)
        else:
            share = wilson(int(values.sum()), games)
        name = f"{level.name} {NAMES[rule]}"
        table.add_row(name, f"{games:,}", percent(share), f"{speed:.0f}")
    return table


def weights_table(games: int, seed: int, one: Player, other: Player) -> Table:
    """Return the gain of a player over another in weighted games, in points."""
    table = Table(title=f"weighted games on the same boards, seeds from {seed:,}")
    for heading in ("boards", "games", "chance to win", "other weights", "gain, points"):
        table.add_column(heading, justify="right", no_wrap=True)
    for level, rule in KINDS:
        cell = first_click(level.rows, level.cols, rule)
        first = cell.row * level.cols + cell.col
        values = np.zeros((games, 2))
        for number in range(games):
            for column, who in enumerate((one, other)):
                hidden = fresh_board(level, rule, seed + number)
                values[number, column] = play(hidden, level.mines, first, VALUE, 0.0, True, who)
        gains = 100 * (values[:, 0] - values[:, 1])
        error = 1.96 * gains.std() / games**0.5
        table.add_row(
            f"{level.name} {NAMES[rule]}",
            f"{games:,}",
            *(f"{100 * mean:.2f} %" for mean in values.mean(0)),
            f"{gains.mean():+.2f} +- {error:.2f}",
        )
    return table


def solver_table(games: int, seed: int, one: Player) -> Table:
    """Return the table of Expert games by the solver: equal results, and the time of a guess."""
    times = []
    turns = alike = 0
    spent = 0.0
    for number in range(games):
        hidden = fresh_board(EXPERT, FirstClick.SAFE, seed + number)
        game = Game.from_mines(hidden == HIDDEN_MINE)
        game.open((0, 0))
        while not game.status.over:
            board = game.board
            start = time.process_time()
            analysis = solve(board, Limit())
            took = time.process_time() - start
            spent += took
            turns += 1
            if not analysis.safe:
                times.append(1000 * took)
            for cell in analysis.safe or (analysis.best,):
                if cell is not None:
                    game.open(cell)
        alike += (game.status is Status.WON) == play(
            hidden, EXPERT.mines, 0, VALUE, 0.0, False, one
        )
    table = Table(title=f"{games} of them by the solver itself: {alike} end alike")
    for heading in ("guesses", "median ms", "p95 ms", "worst ms", "ms for all turns of a game"):
        table.add_column(heading, justify="right")
    late = quantiles(times, n=20)[-1]
    table.add_row(
        f"{len(times)}",
        f"{median(times):.1f}",
        f"{late:.1f}",
        f"{max(times):.1f}",
        f"{1000 * spent / games:.1f}",
    )
    return table


def fresh_board(level: Level, rule: FirstClick, seed: int) -> Hidden:
    """Return the content of each cell of a board drawn by seed."""
    cell = first_click(level.rows, level.cols, rule)
    hidden = np.zeros((level.rows, level.cols), np.int8)
    lay(level.mines, seed, cell.row * level.cols + cell.col, rule is FirstClick.ZERO, hidden)
    return hidden


def hidden_of(mines: NDArray[np.bool_]) -> Hidden:
    """Return the content of each cell of a board from a file."""
    hidden = hints_of(mines)
    hidden[mines] = HIDDEN_MINE
    return hidden


def results(path: Path) -> list[bool]:
    """Return the winners by the file."""
    with path.open(encoding="utf-8", newline="") as lines:
        next(lines)
        return [row["record_won"] == "1" for row in csv.DictReader(lines)]


def percent(share: Interval, sign: str = "") -> str:
    """Return a share and its interval as text, such as '41.00 [40.04, 41.97]'."""
    return f"{100 * share.value:{sign}.2f} [{100 * share.low:.2f}, {100 * share.high:.2f}]"


if __name__ == "__main__":
    main()
