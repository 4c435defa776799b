"""Boards by seed, and what is opened on them, in machine code."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED
from bot.solver.compiled import compiled

HIDDEN_MINE: Final = 9


@compiled
def lay(mines: int, seed: int, first: int, zero: bool, hidden: NDArray[np.int8]) -> None:
    """Lay mines by seed.

    Args:
        mines: How many.
        seed: The same seed, the same board.
        first: The cell that is opened first, never a mine.
        zero: Whether its neighbours are none either, as far as there is room.
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


@compiled
def write_hints(hidden: NDArray[np.int8]) -> None:
    """Write the hints around the mines of a board."""
    rows, cols = hidden.shape
    for row in range(rows):
        for col in range(cols):
            if hidden[row, col] == HIDDEN_MINE:
                continue
            near = 0
            for r in range(max(row - 1, 0), min(row + 2, rows)):
                for c in range(max(col - 1, 0), min(col + 2, cols)):
                    near += hidden[r, c] == HIDDEN_MINE
            hidden[row, col] = near


@compiled
def reveal(
    tiles: NDArray[np.int8], hidden: NDArray[np.int8], cell: int, queue: NDArray[np.int64]
) -> int:
    """Open a cell that is no mine, and its region if it is a zero: how many were opened."""
    rows, cols = tiles.shape
    if tiles[cell // cols, cell % cols] != COVERED:
        return 0
    queue[0] = cell
    tiles[cell // cols, cell % cols] = hidden[cell // cols, cell % cols]
    end = 1
    at = 0
    while at < end:
        row, col = queue[at] // cols, queue[at] % cols
        at += 1
        if hidden[row, col]:
            continue
        for r in range(max(row - 1, 0), min(row + 2, rows)):
            for c in range(max(col - 1, 0), min(col + 2, cols)):
                if tiles[r, c] == COVERED:
                    tiles[r, c] = hidden[r, c]
                    queue[end] = r * cols + c
                    end += 1
    return end
