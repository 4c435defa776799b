"""Another game in the same window: somebody began one, or chose another level."""

from __future__ import annotations

from typing import Final

import numpy as np

from bot.board import Board

_MANY: Final = 4
"""One in so many opened cells that is another one is no misread."""


def begun_anew(before: Board, after: Board) -> bool:
    """Whether a board is of another game than the one of a moment ago.

    It is where it has another size, and where cells that were open are closed again: most of
    them, for a single one is a misread; or some, where others show another hint, for a click
    that was under way may have opened much of the new game.
    """
    if before.tiles.shape != after.tiles.shape:
        return True
    opened = before.tiles >= 0
    number = int(np.count_nonzero(opened))
    closed = int(np.count_nonzero(opened & (after.tiles < 0)))
    changed = int(np.count_nonzero(opened & (after.tiles != before.tiles)))
    several = closed > 1 and _MANY * changed > number
    return several or 2 * closed > number
