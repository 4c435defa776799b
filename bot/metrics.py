"""Difficulty of a board and efficiency of play, as the Minesweeper community measures them.

An *opening* is a connected region of zeros with the hints around it: one click opens it.
*3BV* is the least number of left clicks that opens every safe cell without a flag: one
for each opening and one for each hint that no opening shows. Neighbours are the
eight cells around.

Source: minesweepergame.com/statistics.php (3BV is Bechtel's Board Benchmark Value).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.board import MINE, Board, count_neighbours, neighbours


def hints_of(mines: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Return what each cell shows when opened: (rows, cols) int8, 0..8, or MINE at a mine."""
    hints = count_neighbours(mines)
    hints[mines] = MINE
    return hints


def three_bv(mines: NDArray[np.bool_]) -> int:
    """Return the least number of left clicks that wins without flags.

    Args:
        mines: (rows, cols) bool.
    """
    hints = hints_of(mines)
    return len(_regions(hints == 0)) + int(_isolated_hints(hints).sum())


def three_bv_done(board: Board) -> int:
    """Return the 3BV opened so far, from the visible tiles.

    Exact at the end of a game. Before, a hint at the edge of a covered opening counts on its own.
    """
    return len(_regions(board.tiles == 0)) + int(_isolated_hints(board.tiles).sum())


def efficiency(board_value: int, clicks: int) -> float:
    """Return 3BV divided by clicks: at most 1.0 without chords.

    Raises:
        ValueError: There were no clicks.
    """
    if clicks < 1:
        raise ValueError("efficiency needs at least one click")
    return board_value / clicks


def _isolated_hints(hints: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Return the hints that no zero touches."""
    isolated: NDArray[np.bool_] = (hints > 0) & (count_neighbours(hints == 0) == 0)
    return isolated


def _regions(mask: NDArray[np.bool_]) -> list[list[int]]:
    """Return the connected regions of a mask, as flat indices."""
    around = neighbours(*mask.shape)
    left = set(np.flatnonzero(mask).tolist())
    regions = []
    while left:
        region = [left.pop()]
        for index in region:
            following = left.intersection(around[index])
            left -= following
            region.extend(following)
        regions.append(region)
    return regions
