"""Apply the rules of the game to a board that is read in part: UNREAD may be anything.

The check is cheap and one-sided. A board that it rejects is impossible with any unread tiles; a
board that passes may still be impossible, and `feasible` then uses the solver.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.analysis import Limit
from bot.board import COVERED, EXPLODED, MINE, QUESTION, UNREAD, Board, InconsistentBoard
from bot.solver.constraints import (
    Contradiction,
    Meter,
    OutOfBudget,
    is_satisfiable,
    simplify,
    system_of,
)
from vision.skins.skin import Flood

Codes = NDArray[np.int8]
_OPENED: Final[dict[Flood | None, NDArray[np.uint8]]] = {
    None: np.ones((3, 3), np.uint8),
    "orthogonal": np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], np.uint8),
    "none": np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0]], np.uint8),
}
"""Cells that a zero opens, with the zero in the middle."""
_AROUND: Final = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], np.uint8)
_NODES: Final = 50_000


def impossible_zeros(codes: Codes, flood: Flood | None = None) -> NDArray[np.bool_]:
    """Return the impossible zeros, (rows, cols) bool.

    A zero opens its neighbours (all of them without `flood`), so that it has no covered neighbour,
    except one that was marked at that time. No board has all cells open, but a dimmed fresh one may
    look like that.
    """
    if (codes >= 0).all():
        return np.equal(codes, 0)
    covered = (codes == COVERED).astype(np.uint8)
    impossible: NDArray[np.bool_] = (codes == 0) & (cv2.dilate(covered, _OPENED[flood]) > 0)
    return impossible


def has_moved(codes: Codes) -> bool:
    """Return whether outer lines of zeros end at covered cells: they are beside a board that moved.

    Zeros of a board have hints between them and most of the covered cells.
    """
    for lines in (codes, codes[::-1], codes.T, codes.T[::-1]):
        first = int(np.argmin((lines == 0).all(axis=1)))
        if first and 2 * (lines[first] == COVERED).mean() > 1:
            return True
    return False


def possible(codes: Codes, mines: int | None = None, flood: Flood | None = None) -> bool:
    """Return whether simple deduction finds no contradiction; `mines` if known."""
    hint = codes >= 0
    unopened = (codes <= COVERED) & (codes >= QUESTION)
    if hint.all() or impossible_zeros(codes, flood).any():
        return False
    mine = (codes == MINE) | (codes == EXPLODED)
    unknown = unopened | (codes == UNREAD)
    owed = codes.astype(np.int16)
    while True:
        known, room = near(mine), near(unknown)
        if (hint & ((known > owed) | (known + room < owed))).any():
            return False
        full = near(hint & (room > 0) & (known + room == owed)) > 0
        done = near(hint & (room > 0) & (known == owed)) > 0
        full &= unknown
        done &= unknown
        if (full & done).any():
            return False
        if not (full.any() or done.any()):
            break
        mine = mine | full
        unknown = unknown & ~full & ~done
    if mines is None:
        return True
    sure = int(np.count_nonzero(mine))
    return sure <= mines <= sure + int(np.count_nonzero(unknown))


def feasible(codes: Codes) -> bool:
    """Return whether some placing of any number of mines satisfies every hint.

    Also True if that is undecided after `_NODES` nodes.
    """
    codes = np.where(codes == UNREAD, np.int8(COVERED), codes)
    shown = int(np.count_nonzero((codes == MINE) | (codes == EXPLODED)))
    room = int(np.count_nonzero((codes <= COVERED) & (codes >= QUESTION)))
    try:
        system = system_of(Board(codes, shown + room // 2))
        parts = simplify(system.constraints).components
        return all(is_satisfiable(part.shape, Meter(Limit(nodes=_NODES))) for part in parts)
    except (Contradiction, InconsistentBoard):
        return False
    except OutOfBudget:
        return True


def near(cells: NDArray[np.bool_]) -> NDArray[np.int16]:
    """Return how many of the cells around each are among these."""
    near: NDArray[np.int16] = cv2.filter2D(
        cells.astype(np.uint8), cv2.CV_16S, _AROUND, borderType=cv2.BORDER_CONSTANT
    ).astype(np.int16)
    return near
