"""A skin may be mistaken for one that looks alike as long as its board is fresh."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.board import UNREAD
from bot.frame import Frame, Grid
from vision.finding.strangers import Stranger, find_strangers


def stranger_in(frame: Frame, grid: Grid, codes: NDArray[np.int8]) -> Stranger | None:
    """The board that a skin does not read, as one of a skin never seen.

    Only where it is read then without one unread tile, or where the skin reads no opened cell at
    all; and not where it read more hints than it left tiles unread, or every tile, some of them
    closed: then it is the right one, and what is not believed is a board that opens slowly.

    Args:
        frame: What is around the board.
        grid: Where it is.
        codes: (rows, cols) int8, what the skin reads.
    """
    unread = np.count_nonzero(codes == UNREAD)
    if np.count_nonzero(codes >= 1) > unread or (unread == 0 and (codes < 0).any()):
        return None
    for stranger in find_strangers(frame):
        same = stranger.grid.region.intersection(grid.region) is not None
        if same and (UNREAD not in stranger.lesson.codes or not (codes >= 0).any()):
            return stranger
    return None
