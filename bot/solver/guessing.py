"""Choose among cells that are equally safe (in machine code: `kernel.position.choose`).

Source: guessing nearest to the sides comes from source 003 (its 'random guess near the
edge' among equally safe cells). A cell at a side or in a corner has fewer neighbours and
so opens a region more often.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import numpy as np
from numpy.typing import NDArray

EQUAL: Final = 1e-12
"""Probabilities that differ by less are the same: they are good to about 1e-14."""


def safest(
    probability: NDArray[np.float64], floating: Collection[int]
) -> tuple[int | None, list[int]]:
    """Return the cell to open, and all that are as safe.

    Args:
        probability: (rows, cols) mine probability, NaN where opened.
        floating: Flat indices of the cells that touch no hint.

    Returns:
        A flat index (None where every covered cell is a mine) and its equals, itself
        included. Proved cells come first as they are; among guesses the perimeter comes
        before floating cells, then what is nearest to a corner or side, then row by row.
    """
    equals = _equally_safe(probability)
    if not equals or probability.flat[equals[0]] == 0.0:
        return (equals[0] if equals else None), equals
    loose = set(floating)
    return min(equals, key=lambda i: (i in loose, from_sides(i, *probability.shape))), equals


def likeliest_safe(probability: NDArray[np.float64]) -> tuple[int | None, list[int]]:
    """Choose as source 003 publishes it: the likeliest safe cell.

    Returns:
        A flat index (None where every covered cell is a mine) and its equals, itself
        included. Among equals what is nearest to any side comes first, then row by row:
        a corner is no better than the rest of its side, floating cells are like others.
    """
    equals = _equally_safe(probability)
    if not equals:
        return None, []
    return min(equals, key=lambda i: (nearest_to_side(i, *probability.shape), i)), equals


def _equally_safe(probability: NDArray[np.float64]) -> list[int]:
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
    return from_sides(index, rows, cols)[0]


def from_sides(index: int, rows: int, cols: int) -> tuple[int, int]:
    """Return the distances to the nearest side and the nearer of the other two."""
    row, col = divmod(index, cols)
    across, down = min(col, cols - 1 - col), min(row, rows - 1 - row)
    return (across, down) if across <= down else (down, across)
