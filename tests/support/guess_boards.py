"""Boards by seed, in machine code."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled
from bot.solver.guess.draws import HIDDEN_MINE, write_hints


@compiled
def lay(mines: int, seed: int, first: int, zero: bool, hidden: NDArray[np.int8]) -> None:
    """Generate mines by seed.

    Args:
        mines: Number of mines.
        seed: The seed; the same seed gives the same board.
        first: The cell that is opened first, never a mine.
        zero: Whether its neighbours are no mines either, as far as there is room.
        hidden: (rows, cols) gets hints, and HIDDEN_MINE.
    """
    rows, cols = hidden.shape
    np.random.seed(seed)  # noqa: NPY002 - as numba has it
    order = np.random.permutation(rows * cols)  # noqa: NPY002 - as numba has it
    hidden[:] = 0
    laid = 0
    for near in range(2):
        for cell in order:
            row, col = cell // cols, cell % cols
            if laid == mines or cell == first or hidden[row, col]:
                continue
            close = abs(row - first // cols) <= 1 and abs(col - first % cols) <= 1
            if near or not (zero and close):
                hidden[row, col] = HIDDEN_MINE
                laid += 1
    write_hints(hidden)
