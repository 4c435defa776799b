"""Measure the decisions and detections of the check of source 004.

    python -m tests.benchmarks.consistency

First random boards, possible and impossible: how many it decides, and that it is never wrong (a
wrong answer ends the run). Then recorded boards and boards out of Expert games, each with one tile
misread (tests/support/misreads.py): how many are detected by the check, by simpler checks, by the
reader and by the exact solver, which detects all that can be.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product

import numpy as np
from rich.progress import track
from rich.table import Table

from bot.board import Board
from bot.game import LEVELS
from bot.metrics import hints_of
from bot.solver.published.consistency import Order, Outcome, check
from tests.bot.solver.seeded import boards as small_boards
from tests.bot.solver.seeded import can_be
from tests.support.misreads import (
    CHECKS,
    HINTS,
    READ,
    TRUE,
    Tally,
    flagged,
    kind_of,
    mid_game,
    recorded,
)
from tests.tools.report.console import Console


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=2_000, help="random boards of each kind")
    parser.add_argument("--misread", type=int, default=200, help="boards of each sort to misread")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    console = Console(width=100)
    if options.boards:
        console.print(decided_table(options.boards, options.seed))
    rng = np.random.default_rng(options.seed)
    sorts = {
        "recorded": recorded(options.misread, rng),
        "Expert": list(flagged(mid_game(LEVELS["expert"], options.misread, options.seed), rng)),
    }
    tallies = {}
    for name, boards in sorts.items():
        tallies[name] = Tally()
        for board in track(boards, name, transient=True):
            tallies[name].add(board, rng)
    console.print(kinds_table(tallies))


def decided_table(count: int, seed: int) -> Table:
    """Return the table of random boards: the results for possible and impossible ones."""
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


def kinds_table(tallies: dict[str, Tally]) -> Table:
    """Return the table by kind of misread: the share that each check detects, by board."""
    sorts = " / ".join(tallies)
    table = _table(f"one tile misread: caught, % ({sorts})", "misread", "of")
    for name in CHECKS:
        table.add_column(name, justify="right")
    kinds: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for pair in product(TRUE, READ):
        if pair[0] != pair[1]:
            kinds[kind_of(*pair)].append(pair)
    for kind, pairs in kinds.items():
        misreads = [sum(tally.misreads[pair] for pair in pairs) for tally in tallies.values()]
        caught = (
            " / ".join(f"{tally.share(name, pairs):.1f}" for tally in tallies.values())
            for name in CHECKS
        )
        table.add_row(kind, " / ".join(f"{count:,}" for count in misreads), *caught)
    return table


def medium_boards(count: int, seed: int) -> Iterator[Board]:
    """Yield 12x12 boards of every density, opened at random; half of them with a changed hint."""
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


def half_misread(count: int, seed: int) -> Iterator[Board]:
    """Yield boards of Expert games, each unchanged and with one misread hint."""
    rng = np.random.default_rng(seed)
    for board in mid_game(LEVELS["expert"], count, seed):
        yield board
        tiles = board.tiles.copy()
        row, col = rng.choice(np.argwhere(tiles > 0))
        tiles[row, col] = rng.choice([hint for hint in HINTS if hint != tiles[row, col]])
        yield Board(tiles, board.mines)


def share(part: int, whole: int) -> str:
    """Return a share as text, such as '12.3 %'."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _table(title: str, *words: str) -> Table:
    table = Table(title=title)
    for heading in words:
        table.add_column(heading)
    return table


if __name__ == "__main__":
    main()
