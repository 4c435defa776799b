"""What the check of source 004 decides, catches and costs: `python -m tests.bench_consistency`.

First random boards, possible and impossible: how many it decides, and that it is never
wrong (a wrong answer ends the run). Then boards out of real games, each with one tile
misread: how many of them are caught, beside what the exact solver catches (all that can
be) and what the eye catches by looking at zeros alone. Times are processor time of one
core, nothing remembered.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator
from statistics import mean
from time import process_time

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bot.board import Board
from bot.frame import Status
from bot.game import LEVELS, FirstClick, Game, Level
from bot.metrics import hints_of
from bot.planner import plan
from bot.solver import exact
from bot.solver.consistency import Outcome, check, impossible_hints
from bot.solver.keypoints import Order
from tests.bench_solver import p95
from tests.bot.solver.seeded import boards as small_boards
from tests.bot.solver.seeded import can_be
from vision.following.tracking import impossible_zeros

COLUMNS = ("exact", "zeros", "hints", *Order.__members__)
"""Who may call a board impossible. Zeros and hints are what the eye can ask: nothing beyond
the tiles is known there. The others know the number of mines."""
KINDS = ("hint as another", "any number as another", "covered as a number", "number as covered")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=2_000, help="random boards of each kind")
    parser.add_argument("--misreads", type=int, default=500, help="misreads for a level and a kind")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    console = Console()
    console.print(decided_table(options.boards, options.seed))
    times: dict[tuple[str, str], list[float]] = defaultdict(list)
    console.print(caught_table(options.misreads, options.seed, times))
    console.print(time_table(times))


def decided_table(count: int, seed: int) -> Table:
    """Random boards: what is said of those that can be and of those that cannot."""
    table = _table("random boards, held against the exact solver", "boards", "order")
    for heading in ("can be", "solved", "undecided", "cannot be", "inconsistent", "undecided "):
        table.add_column(heading, justify="right")
    kinds = {
        "at most 12 covered": small_boards(count, seed),
        "12x12, half spoilt": tuple(medium_boards(count, seed)),
        "Expert games, half misread": tuple(half_misread(count // 2, seed)),
    }
    for kind, drawn in kinds.items():
        truth = [can_be(board) for board in track(drawn, kind, transient=True)]
        for order in Order:
            said = Counter(
                (check(board, order=order).outcome, true)
                for board, true in zip(drawn, truth, strict=True)
            )
            if said[Outcome.SOLVED, False] or said[Outcome.INCONSISTENT, True]:
                raise SystemExit(f"{order}: a proof was wrong")
            yes, no = truth.count(True), truth.count(False)
            table.add_row(
                kind,
                order.name.lower(),
                str(yes),
                share(said[Outcome.SOLVED, True], yes),
                share(said[Outcome.UNDECIDED, True], yes),
                str(no),
                share(said[Outcome.INCONSISTENT, False], no),
                share(said[Outcome.UNDECIDED, False], no),
            )
    return table


def caught_table(count: int, seed: int, times: dict[tuple[str, str], list[float]]) -> Table:
    """One tile misread on a board of a real game: the share of misreads that each check catches."""
    table = _table("one tile misread: share caught", "level", "misread")
    for heading in ("exact", "zeros", "hints", *(o.name.lower() for o in Order), "of exact"):
        table.add_column(heading, justify="right")
    for level in LEVELS.values():
        drawn = list(track(mid_game(level, count, seed), level.name, count, transient=True))
        for board in drawn:
            judge(board, level.name, times)
        for number, kind in enumerate(KINDS):
            rng = np.random.default_rng([seed, number])
            caught = Counter[str]()
            for board in drawn:
                misread = misread_of(board, kind, rng)
                caught.update(judge(misread, f"{level.name}, misread", times))
            table.add_row(
                level.name,
                kind,
                *(share(caught[name], count) for name in COLUMNS),
                share(caught["MOST"], caught["exact"]),
            )
    return table


def judge(board: Board, kind: str, times: dict[tuple[str, str], list[float]]) -> set[str]:
    """Who calls the board impossible; notes what each took."""
    caught = {"zeros"} if impossible_zeros(board.tiles).any() else set()
    start = process_time()
    if not can_be(board):
        caught.add("exact")
    times[kind, "exact"].append(1000 * (process_time() - start))
    start = process_time()
    if impossible_hints(board):
        caught.add("hints")
    times[kind, "hints"].append(1000 * (process_time() - start))
    for order in Order:
        start = process_time()
        if check(board, order=order).outcome is Outcome.INCONSISTENT:
            caught.add(order.name)
        times[kind, order.name].append(1000 * (process_time() - start))
    if not caught <= {"exact", "zeros"} and "exact" not in caught:
        raise SystemExit(f"a proof was wrong: {caught} on\n{board}")
    return caught


def time_table(times: dict[tuple[str, str], list[float]]) -> Table:
    """Milliseconds a board."""
    table = _table("ms a board", "boards", "check")
    for heading in ("mean", "p95", "worst"):
        table.add_column(heading, justify="right")
    for (kind, name), spent in times.items():
        shown = f"consistency, {name.lower()}" if name in Order.__members__ else name
        table.add_row(kind, shown, *(f"{x:.2f}" for x in (mean(spent), p95(spent), max(spent))))
    return table


def medium_boards(count: int, seed: int) -> Iterator[Board]:
    """12x12 boards of every density, opened at random; half of them with a hint changed."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        layout = rng.random((12, 12)) < rng.uniform(0.1, 0.4)
        tiles = hints_of(layout)
        tiles[layout | (rng.random((12, 12)) < rng.uniform(0.2, 0.7))] = -1
        hints = np.argwhere(tiles >= 0)
        if number % 2 and len(hints):
            row, col = rng.choice(hints)
            tiles[row, col] = (tiles[row, col] + rng.choice((-1, 1))) % 9
        yield Board(tiles, int(layout.sum()))


def mid_game(level: Level, count: int, seed: int) -> Iterator[Board]:
    """Boards in the middle of games that the exact solver plays, one a game."""
    rng = np.random.default_rng(seed)
    games = 0
    while count:
        games += 1
        game = Game.of_level(level, seed + games, FirstClick.ZERO)
        met = []
        while not game.status.over:
            for move in plan(game.board, exact.solve(game.board)):
                if move.cell is not None and game.status is Status.PLAYING:
                    game.open(move.cell)
            if game.status is Status.PLAYING:
                met.append(game.board)
        if met:
            yield met[rng.integers(len(met))]
            count -= 1


def half_misread(count: int, seed: int) -> Iterator[Board]:
    """Boards of Expert games, each as it is and with one hint misread."""
    rng = np.random.default_rng(seed)
    for board in mid_game(LEVELS["expert"], count, seed):
        yield board
        yield misread_of(board, KINDS[0], rng)


def misread_of(board: Board, kind: str, rng: np.random.Generator) -> Board:
    """The board with one tile misread."""
    tiles = board.tiles.copy()
    eligible = {
        "hint as another": tiles > 0,
        "any number as another": tiles >= 0,
        "covered as a number": board.unopened,
        "number as covered": tiles >= 0,
    }[kind]
    row, col = rng.choice(np.argwhere(eligible))
    others = list(range(1 if kind == "hint as another" else 0, 9))
    tiles[row, col] = (
        -1
        if kind == "number as covered"
        else rng.choice([c for c in others if c != tiles[row, col]])
    )
    return Board(tiles, board.mines)


def share(part: int, whole: int) -> str:
    """'12.3 %'."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _table(title: str, *words: str) -> Table:
    table = Table(title=title)
    for heading in words:
        table.add_column(heading)
    return table


if __name__ == "__main__":
    main()
