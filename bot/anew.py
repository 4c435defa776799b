"""Another game in the same window: somebody began one, or chose another level."""

from __future__ import annotations

import numpy as np

from bot.board import Board


def begun_anew(before: Board, after: Board) -> bool:
    """Whether a board is of another game than the one of a moment ago.

    It is where it has another size, and where cells that were open are closed again: most of
    them, for a single one is a misread.
    """
    if before.tiles.shape != after.tiles.shape:
        return True
    opened = before.tiles >= 0
    closed = opened & (after.tiles < 0)
    return 2 * int(np.count_nonzero(closed)) > int(np.count_nonzero(opened))
