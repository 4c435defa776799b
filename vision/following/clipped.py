"""A window that is too small for its board may cut it off exactly between two cells.

GNOME Mines does: its cells are never smaller than 20 points. What is left looks like a whole
board of fewer rows or columns.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import UNREAD

_TOLD_BY: Final = 2
"""Hints that have to be the same."""


def part_of(seen: NDArray[np.int8], known: NDArray[np.int8]) -> bool:
    """Whether a smaller board is a part of the one of a moment ago: its hints are there.

    Args:
        seen: (rows, cols) int8, its tiles.
        known: (rows, cols) int8, those of the board as it was.
    """
    rows, cols = seen.shape
    down, across = known.shape[0] - rows, known.shape[1] - cols
    if min(down, across) < 0 or max(down, across) == 0:
        return False
    for top in range(down + 1):
        for left in range(across + 1):
            part = known[top : top + rows, left : left + cols]
            # A covered cell under the pointer may look like a zero.
            hints = (part >= 1) & (seen != UNREAD)
            if hints.sum() >= _TOLD_BY and (seen[hints] == part[hints]).all():
                return True
    return False
