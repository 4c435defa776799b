"""Small boards in the middle of a game, by seed, for tests of the end game."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bot.board import COVERED, MINE, Board
from bot.metrics import hints_of

Solution = frozenset[int]


def small_games(number: int, seed: int) -> Iterator[Board]:
    """Boards of all shapes with 4 to 10 covered cells; some of the mines show."""
    random = np.random.default_rng(seed)
    for _ in range(number):
        rows, cols = random.integers(1, 6, 2)
        covered = random.permutation(rows * cols)[: random.integers(4, 11)]
        mined = covered[: random.integers(1, 1 + max(len(covered) // 2, 1))]
        layout = np.zeros(rows * cols, dtype=bool)
        layout[mined] = True
        tiles = hints_of(layout.reshape(rows, cols)).ravel()
        tiles[covered] = COVERED
        tiles[mined[random.random(len(mined)) < 0.1]] = MINE
        yield Board(tiles.reshape(rows, cols), len(mined))
