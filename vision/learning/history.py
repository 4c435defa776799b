"""What became of the tiles of each kind, look after look of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, FLAG, UNREAD
from vision.learning.evidence import REVEALED, Past
from vision.learning.rules import near

_TAKEN_BACK = 4
"""Tiles that may close between two looks of one game: flags are taken back one by one."""
_AT_ONCE = 3
"""Covered tiles that become something else together while a game is on, or when it ends."""
_MANY = 12
"""More flags than a player sets from one picture to the next on a board without a hint."""


class History:
    """Notes of what kinds of tile turned into.

    Attributes:
        past: Of each kind.
        came: The kinds of tiles that were surely covered at the look before, one a tile.
        clicks: How many it takes to open what was opened since then.
    """

    def __init__(self) -> None:
        self.past: list[Past] = []
        self.came: list[int] = []
        self.clicks = 0

    def grow(self, kinds: int) -> None:
        """Have notes of so many kinds."""
        self.past.extend(Past() for _ in range(kinds - len(self.past)))

    def forget(self) -> None:
        """Begin again."""
        self.past = [Past() for _ in self.past]

    def note(
        self,
        last: NDArray[np.intp],
        cells: NDArray[np.intp],
        was: NDArray[np.int8],
        now: NDArray[np.int8],
    ) -> None:
        """Compare two looks.

        Args:
            last: (rows, cols) kinds at the look before.
            cells: The same now.
            was: The states of those before, as far as they are known now.
            now: The same of these.
        """
        self.came, self.clicks = [], 0
        for past in self.past:
            past.came = past.blind = past.unlike_flag = 0
        changed = last != cells
        before, after = was[changed], now[changed]
        closed = (after == COVERED) & (before != COVERED)
        # Opened cells never close, and no program takes back more than a flag or two at once.
        opened = (before >= 0) | np.isin(before, REVEALED)
        if (closed & opened).any() or closed.sum() > _TAKEN_BACK:
            return
        self.came = cells[changed][before == COVERED].tolist()
        self.clicks = _clicks(now, changed & (was == COVERED) & (now >= 0))
        if ((was == FLAG) & (now == FLAG)).any():
            for kind in cells[changed & (was == FLAG)].tolist():
                self.past[kind].unlike_flag += 1
        unseen = cells[changed & (was == COVERED) & (near(now >= 0) == 0)]
        begun = bool((now >= 0).any())
        for kind, tiles in zip(*np.unique(unseen, return_counts=True), strict=True):
            self.past[kind].blind = int(tiles) * begun
            self.past[kind].massed |= bool(tiles >= _MANY) and not begun
        for kind in self.came:
            self.past[kind].came += 1


def overlaid(
    last: NDArray[np.intp] | None,
    cells: NDArray[np.intp],
    was: NDArray[np.int8],
    now: NDArray[np.int8],
    shows: Callable[[int, int], bool],
) -> bool:
    """Return whether something lies over opened cells: those never change in the course of a game.

    KMines shows a message over its board when a game is over, for some seconds.

    Args:
        last: (rows, cols) kinds at the look before.
        cells: The same now.
        was: (rows, cols) states at the look before.
        now: The same now; UNREAD where a kind is not known yet.
        shows: Whether a kind may be an opened cell of a state.
    """
    if last is None or last.shape != cells.shape:
        return False
    if ((was >= 0) & (now != UNREAD) & (now != was)).any() or (cells == cells[0, 0]).all():
        # It is another game; a message does not make all cells alike.
        return False
    pairs = {*zip(*(of[(was >= 0) & (now == UNREAD)].tolist() for of in (cells, was)), strict=True)}
    return not all(shows(kind, state) for kind, state in pairs)


def turns(
    last: NDArray[np.intp] | None, cells: NDArray[np.intp], kinds: Sequence[int]
) -> NDArray[np.intp]:
    """(k, k) how many tiles were of the one kind at the look before, and are of the other.

    Args:
        last: (rows, cols) kinds at the look before.
        cells: The same now.
        kinds: (k,) sorted; tiles of others do not count.
    """
    table = np.zeros((len(kinds), len(kinds)), np.intp)
    if last is not None and last.shape == cells.shape:
        counted = (last != cells) & np.isin(last, kinds) & np.isin(cells, kinds)
        pairs = np.searchsorted(kinds, last[counted]), np.searchsorted(kinds, cells[counted])
        np.add.at(table, pairs, 1)
    return table


def _clicks(now: NDArray[np.int8], opened: NDArray[np.bool_]) -> int:
    """How many clicks open these tiles: one a field of zeros, one a hint beside none."""
    zeros = opened & (now == 0)
    count, _ = cv2.connectedComponents(zeros.astype(np.uint8), connectivity=8)
    return int(count) - 1 + int((opened & ~zeros & (near(now == 0) == 0)).sum())
