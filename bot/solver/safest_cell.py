"""Choose among cells that are equally safe.

Source: guessing nearest to the sides comes from source 003 (its 'random guess near the
edge' among equally safe cells). A cell at a side or in a corner has fewer neighbours and
so opens a region more often.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

EQUAL: Final = 1e-12
"""Probabilities that differ by less count as equal: their error is about 1e-14."""


def safest(probability: NDArray[np.float64], floating: Collection[int]) -> int | None:
    """Return the cell to open, as a flat index; None if every covered cell is a mine.

    Args:
        probability: (rows, cols) mine probability, NaN where opened.
        floating: Flat indices of the cells that touch no hint.
    """
    floats = bytearray(probability.size)
    for index in floating:
        floats[index] = 1
    best = first_of_safest(probability.ravel().tolist(), floats, *probability.shape)
    return None if best < 0 else best


def first_of_safest(
    probability: Sequence[float] | NDArray[np.float64],
    floating: Sequence[int] | NDArray[np.uint8],
    rows: int,
    cols: int,
) -> int:
    """Return the cell to open, as a flat index; -1 if every covered cell is a mine.

    Among proved cells it is the first one, row by row. Among guesses the perimeter comes before
    floating cells, then the least distance to a side, then to the nearer of the other two sides,
    then row by row. The kernel compiles this function.

    Args:
        probability: At least (rows * cols,) mine probability, NaN where opened.
        floating: For each, 1 if it touches no hint.
        rows: Of the board.
        cols: Of the board.
    """
    cells = rows * cols
    least = 1.0
    for place in range(cells):
        least = min(least, probability[place])
    if least == 1.0:
        return -1
    best = best_rank = -1
    for place in range(cells):
        if least == 0.0 and probability[place] == 0.0:
            return place
        # NaN where opened.
        if not probability[place] <= least + EQUAL:
            continue
        row, col = place // cols, place % cols
        across, down = min(col, cols - 1 - col), min(row, rows - 1 - row)
        rank = (int(floating[place]) * cells + min(across, down)) * cells + max(across, down)
        if best < 0 or rank < best_rank:
            best, best_rank = place, rank
    return best


def likeliest_safe(probability: NDArray[np.float64]) -> tuple[int | None, list[int]]:
    """Choose as source 003 publishes it: the likeliest safe cell.

    Returns:
        A flat index (None where every covered cell is a mine) and its equals, itself
        included. Among equals what is nearest to any side comes first, then row by row:
        a corner is no better than the rest of its side, floating cells are like others.
    """
    equals = equally_safe(probability)
    if not equals:
        return None, []
    return min(equals, key=lambda i: (nearest_to_side(i, *probability.shape), i)), equals


def equally_safe(probability: NDArray[np.float64]) -> list[int]:
    """List the safest cells, row by row; none if every covered cell is a mine."""
    flat = probability.ravel()
    least = np.fmin.reduce(flat, initial=1.0)
    if least == 1.0:
        return []
    margin = EQUAL if least > 0 else 0.0
    safest: list[int] = np.flatnonzero(flat <= least + margin).tolist()
    return safest


def nearest_to_side(index: int, rows: int, cols: int) -> int:
    """Return the distance to the nearest side: 0 at any side."""
    row, col = divmod(index, cols)
    return min(row, rows - 1 - row, col, cols - 1 - col)
