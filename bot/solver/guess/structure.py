"""What a position is made of: kinds of cells, and pairs that nothing can tell apart."""

from __future__ import annotations

from math import isnan, log
from typing import Final

from bot.solver.compiled import compiled
from bot.solver.guess.layout import UNCERTAIN
from bot.solver.kernel.workspace import (
    BOX,
    BOX_CELL,
    BOX_COUNT,
    COLS,
    ROWS,
    RULES,
    SIZE,
    Ints,
    Work,
)

OPENED: Final = 0
SAFE: Final = 1
"""Proved safe."""
MINE: Final = 2
"""Proved a mine."""
FLOATING: Final = 3
PERIMETER: Final = 4

_RARE: Final = 0.004
"""A pair that is less likely to be a 50/50 is none."""
_CROWDED: Final = 6
"""Two cells with more uncertain neighbours are hardly ever alike ..."""
_OPEN: Final = 8
"""... and two floating ones with more together."""


@compiled
def classify(work: Work, kind: Ints) -> None:
    """Fill `kind` (cells,) from a solved position."""
    p = work.probability
    for cell in range(work.number[ROWS] * work.number[COLS]):
        q = p[cell]
        if isnan(q):
            kind[cell] = OPENED
        elif q == 0.0:
            kind[cell] = SAFE
        elif q == 1.0:
            kind[cell] = MINE
        elif work.cell[cell, RULES] == 0:
            kind[cell] = FLOATING
        else:
            kind[cell] = PERIMETER


@compiled
def pairs(work: Work, kind: Ints, around: Ints) -> tuple[float, float]:
    """The cost of pairs of cells that nothing can tell apart, and how many there may be.

    Two cells under the very same hints, exactly one of them a mine, are a 50/50 if every
    cell that touches only one of them is a mine: that is what the odds of a pair are made of.

    Args:
        work: The position, solved.
        kind: (cells,) from `classify`.
        around: (cells, 3) see `layout`.

    Returns:
        The sum of -log(1 - odds / 2), and that of the odds.
    """
    rows, cols = work.number[ROWS], work.number[COLS]
    cost = count = 0.0
    for box in range(work.number[BOX_COUNT]):
        size = work.box[box, SIZE]
        for place in range(size):
            first = work.box[box, BOX_CELL + place]
            if kind[first] != PERIMETER or around[first, UNCERTAIN] > _CROWDED:
                continue
            for later in range(place + 1, size):
                second = work.box[box, BOX_CELL + later]
                if around[second, UNCERTAIN] > _CROWDED or not _close(first, second, cols):
                    continue
                odds = _odds(work, kind, first, second)
                count += odds
                cost -= log(1.0 - 0.5 * odds)
    for first in range(rows * cols):
        if kind[first] != FLOATING or around[first, UNCERTAIN] > _CROWDED:
            continue
        for down in range(3):
            row = first // cols + down
            for right in range(-1 if down == 1 else 0, 3 - down):
                col = first % cols + right
                second = row * cols + col
                if row >= rows or not 0 <= col < cols or second == first:
                    continue
                if (
                    kind[second] == FLOATING
                    and around[first, UNCERTAIN] + around[second, UNCERTAIN] <= _OPEN
                ):
                    odds = _odds(work, kind, first, second)
                    count += odds
                    cost -= log(1.0 - 0.5 * odds)
    return cost, count


@compiled
def _close(first: int, second: int, cols: int) -> bool:
    """Whether two cells touch, or lie two apart in a row or column."""
    down = abs(first // cols - second // cols)
    right = abs(first % cols - second % cols)
    return down * down + right * right in (1, 2, 4)


@compiled
def _odds(work: Work, kind: Ints, first: int, second: int) -> float:
    """How likely two cells are a 50/50 in the end."""
    rows, cols = work.number[ROWS], work.number[COLS]
    p = work.probability
    a, b = p[first], p[second]
    odds: float = a * (1 - b) + b * (1 - a)
    if kind[first] == PERIMETER and work.box[work.cell[first, BOX], SIZE] == 2:
        odds = min(1.0, 2.0 * min(a, 1.0 - a))
    row1, col1, row2, col2 = first // cols, first % cols, second // cols, second % cols
    for r in range(max(row1 - 1, 0), min(row2 + 2, rows)):
        for c in range(max(min(col1, col2) - 1, 0), min(max(col1, col2) + 2, cols)):
            near1 = abs(r - row1) <= 1 and abs(c - col1) <= 1
            near2 = abs(r - row2) <= 1 and abs(c - col2) <= 1
            other = r * cols + c
            if near1 == near2 or other in (first, second) or kind[other] == MINE:
                continue
            if kind[other] == OPENED:
                return 0.0
            odds *= p[other]
        if odds < _RARE:
            return 0.0
    return min(odds, 1.0)
