"""Another game in the same window: somebody began one, or chose another level."""

from __future__ import annotations

from typing import Final

import numpy as np

from bot.board import Board

_MANY: Final = 4
"""One in so many opened cells that is another one is no misread, where it is not alone."""


def begun_anew(before: Board, after: Board) -> bool:
    """Whether a board is of another game than the one of a moment ago.

    It is where it has another size, where most cells that were open are closed again, and where
    several are closed or show another hint: clicks that were under way may have opened all of
    those cells in the new game. On boards with one to five such clicks beside what was open 0.2 %
    are not known; a single cell that is another one is a misread.
    """
    if before.tiles.shape != after.tiles.shape:
        return True
    opened = before.tiles >= 0
    number = int(np.count_nonzero(opened))
    closed = int(np.count_nonzero(opened & (after.tiles < 0)))
    changed = int(np.count_nonzero(opened & (after.tiles != before.tiles)))
    several = changed > 1 and _MANY * changed > number
    return several or 2 * closed > number
