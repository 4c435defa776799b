"""The choice among equals: what to open when nothing tells two cells apart.

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
    """The cell to open, and all that are as safe.

    Args:
        probability: (rows, cols) mine probability, NaN where opened.
        floating: Flat indices of the cells that touch no hint.

    Returns:
        A flat index (None where every covered cell is a mine) and its equals, itself
        included. Proved cells come first as they are; among guesses the perimeter comes
        before floating cells, then what is nearest to a corner or side, then row by row.
    """
    # numba takes half a second to import.
    from bot.solver.kernel.choosing import choose  # noqa: PLC0415

    flat = probability.ravel()
    loose = np.zeros(flat.size, np.uint8)
    loose[list(floating)] = 1
    best, _ = choose(flat, loose, *probability.shape)
    if best < 0:
        return None, []
    margin = EQUAL if flat[best] > 0 else 0.0
    with np.errstate(invalid="ignore"):
        return best, np.flatnonzero(flat <= np.nanmin(flat) + margin).tolist()


def likeliest_safe(probability: NDArray[np.float64]) -> tuple[int | None, list[int]]:
    """The choice as source 003 publishes it: the likeliest safe cell.

    Returns:
        A flat index (None where every covered cell is a mine) and its equals, itself
        included. Among equals what is nearest to any side comes first, then row by row:
        a corner is no better than the rest of its side, floating cells are like others.
    """
    flat = probability.ravel()
    if np.isnan(flat).all() or np.nanmin(flat) == 1.0:
        return None, []
    least = float(np.nanmin(flat))
    margin = EQUAL if least > 0 else 0.0
    equals: list[int] = np.flatnonzero(flat <= least + margin).tolist()
    return min(equals, key=lambda i: (nearest_to_side(i, *probability.shape), i)), equals


def nearest_to_side(index: int, rows: int, cols: int) -> int:
    """Distance to the nearest side: 0 at any side."""
    return from_sides(index, rows, cols)[0]


def from_sides(index: int, rows: int, cols: int) -> tuple[int, int]:
    """Distance to the nearest side, then to the nearer of the other two: (0, 0) is a corner."""
    row, col = divmod(index, cols)
    across, down = min(col, cols - 1 - col), min(row, rows - 1 - row)
    return (across, down) if across <= down else (down, across)
