"""Measure the gain of simulated games at a guess: `python -m tests.benchmarks.rollouts OUT`.

Boards are drawn by seed and played as weighted games by the player without simulations. One
of the guesses of each game in mid-game, drawn at random, is then decided by simulations, too, with
each number of them. Where they choose another cell, fresh games by the player, on the same boards
for all cells, measure the difference of the chances to win. The gain of a game is this difference,
times the weight of the game before the guess, times the number of its guesses in mid-game: what all
of them gain if the gains add up.

Each game is a line of OUT; a file is continued where it ended, with the same options. Each of
several processes has its own seeds, so that their number belongs to the options.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from math import inf, log2
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from bot.analysis import Limit, Thinking
from bot.board import Board, Cell
from bot.game import EXPERT, LEVELS, FirstClick, Level
from bot.solver.guess.deciding import solve_for_guess
from bot.solver.guess.policies import VALUE
from bot.solver.guess.rollouts import allocate_for_rollouts, roll_out
from bot.solver.kernel.tables import SOLUTIONS, SOLUTIONS_EXPONENT
from bot.solver.player import first_click, solve
from tests.support.guess_games import SETTLED, TURNS, Player, lay, play, player
from tests.tools.report.console import Console

SEED = 700_000_000
"""Seed of the first board."""
RANGES = ((0, 40), (40, 200), (200, 330), (330, inf), (0, inf))
"""Ranges of the number of solutions, as binary logarithms."""
_APART = 10_000_000
"""Difference between the first seeds of two processes."""
_ALIKE = 40
"""Number of fresh games without a difference after which cells are equivalent, such as two of the
same box."""
Line = dict[str, Any]


def main() -> None:
    """Measure, then print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="a line for each game")
    parser.add_argument("--games", type=int, default=0, help="so many lines in the end")
    parser.add_argument("--rollouts", type=int, nargs="+", default=[90, 900], help="at a guess")
    parser.add_argument("--processes", type=int, default=1, help="that measure games at once")
    parser.add_argument("--fresh", type=int, default=400, help="games that measure a cell")
    parser.add_argument("--bits", type=float, default=inf, help="only guesses with fewer solutions")
    parser.add_argument("--seed", type=int, default=SEED, help="of the first board")
    parser.add_argument("--level", choices=LEVELS, default="expert")
    parser.add_argument("--modern", action="store_true", help="the first click opens a zero")
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    lines = read(options.out)
    seeds = [
        options.seed + _APART * (number % options.processes) + number // options.processes
        for number in range(options.games)
    ]
    missing = set(seeds) - {line["seed"] for line in lines}
    with ProcessPoolExecutor(options.processes, get_context("spawn")) as pool:
        measured = [pool.submit(measure, seed, options) for seed in seeds if seed in missing]
        for one in as_completed(measured):
            lines.append(one.result())
            with options.out.open("a") as file:
                file.write(json.dumps(lines[-1]) + "\n")
    for place, rollouts in enumerate(options.rollouts):
        Console(width=120).print(report(lines, place, rollouts, options.level))


def read(path: Path) -> list[Line]:
    """Read the earlier results."""
    return (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        if path.exists()
        else []
    )


class Guess(NamedTuple):
    """A guess of a game."""

    board: Board
    weight: float
    """Weight of the game before the guess."""
    guesses: int
    """Number of guesses in the game, of which this is a random one."""


def draw_guess(seed: int, modern: bool, bits: float = inf, level: Level = EXPERT) -> Guess | None:
    """Draw one of the guesses in mid-game of a game; None if there are none.

    Args:
        seed: The seed of the board, and of the choice.
        modern: Whether the first click opens a zero.
        bits: Only guesses with fewer solutions, as a power of two.
        level: Of the board.
    """
    one = _player(level.rows * level.cols)
    cell = first_click(level.rows, level.cols, FirstClick.ZERO if modern else None)
    first = cell.row * level.cols + cell.col
    hidden = np.zeros((level.rows, level.cols), np.int8)
    lay(level.mines, seed, first, modern, hidden)
    play(hidden, level.mines, first, VALUE, 0.0, True, one)
    turns = np.flatnonzero(one.expected[: one.number[TURNS]] >= 0)
    if one.number[SETTLED]:
        turns = turns[:-1]
    boards = [Board(one.seen[turn].reshape(hidden.shape), level.mines) for turn in turns]
    weights = [float(one.weight[turn]) for turn in turns]
    few = [place for place, board in enumerate(boards) if bits_of(board) < bits]
    if not few:
        return None
    place = int(np.random.default_rng(seed).choice(few))
    return Guess(boards[place], weights[place], len(few))


@cache
def _player(cells: int) -> Player:
    return player(cells)


def measure(seed: int, options: argparse.Namespace) -> Line:
    """Measure one guess of a game."""
    drawn = draw_guess(seed, options.modern, options.bits, LEVELS[options.level])
    line: Line = {"seed": seed, "guesses": 0, "gain": [0.0] * len(options.rollouts)}
    if drawn is None:
        return line
    board, weight, guesses = drawn
    own = solve(board, Limit()).best
    assert own is not None
    found, spent, reasons = [], [], []
    for rollouts in options.rollouts:
        start = time.process_time()
        analysis = solve(board, Limit(thinking=Thinking(rollouts=rollouts, threads=1)))
        spent.append(time.process_time() - start)
        assert analysis.best is not None
        found.append(analysis.best)
        reasons.append(analysis.reason)
    others = sorted(set(found) - {own})
    line |= {"guesses": guesses, "weight": weight, "bits": bits_of(board), "own": own}
    line |= {"found": found, "reasons": reasons, "cpu": spent}
    if others:
        chances = fresh_games(board, (own, *others), options.fresh, seed)
        differences = chances[:, 1:] - chances[:, :1]
        means = dict(zip(others, np.nanmean(differences, 0).tolist(), strict=True))
        line["difference"] = [means.get(cell, 0.0) for cell in found]
        line["error"] = (np.nanstd(differences, 0) / len(chances) ** 0.5).tolist()
        line["gain"] = [gain * weight * guesses for gain in line["difference"]]
    return line


def bits_of(board: Board) -> float:
    """Return the binary logarithm of the number of solutions."""
    space = solve_for_guess(board)
    assert space is not None
    return log2(space.work.real[SOLUTIONS]) + int(space.work.number[SOLUTIONS_EXPONENT])


def fresh_games(board: Board, cells: Sequence[Cell], games: int, seed: int) -> NDArray[np.float64]:
    """Return the chances to win with each cell in weighted games by the player: (games, cells)."""
    work = allocate_for_rollouts(board.tiles.size)
    flat = np.array([cell.row * board.cols + cell.col for cell in cells], np.int32)
    no_control = np.full((len(cells), 9), np.nan)
    chances = np.zeros((games, len(cells)))
    # Other random numbers than those of the simulations.
    begin = np.random.default_rng(seed).integers(1 << 30)
    tiles = board.tiles.copy()
    for number in range(games):
        roll_out(tiles, board.mines, flat, no_control, begin + number, VALUE, work, chances[number])
        played = chances[: number + 1]
        if number == _ALIKE and np.allclose(played, played[:, :1], equal_nan=True):
            return played
    return chances


def report(lines: list[Line], place: int, rollouts: int, level: str) -> Table:
    """Return the gains by number of solutions."""
    title = f"{level}, {rollouts:,} games simulated at a guess: points a game, {len(lines):,} games"
    table = Table(title=title)
    for heading in ("solutions, bits", "guesses", "another cell", "gain", "s of one core"):
        table.add_column(heading, justify="right")
    for low, high in RANGES:
        inside = [low <= line.get("bits", -1) < high for line in lines]
        gains = np.array([line["gain"][place] for line in lines]) * inside
        chosen = [line for line, there in zip(lines, inside, strict=True) if there]
        if not chosen:
            continue
        mean, error = 100 * gains.mean(), 196 * gains.std() / len(gains) ** 0.5
        table.add_row(
            f"{low} to {high}",
            str(len(chosen)),
            str(sum(line["found"][place] != line["own"] for line in chosen)),
            f"{mean:+.2f} +- {error:.2f}",
            f"{np.mean([line['cpu'][place] for line in chosen]):.2f}",
        )
    return table


if __name__ == "__main__":
    main()
