"""What became of the tiles of each kind, look after look of a game."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, FLAG, QUESTION
from vision.learning.evidence import REVEALED, Past
from vision.learning.rules import near

_TAKEN_BACK = 4
"""Tiles that may close between two looks of one game: flags are taken back one by one."""
_AT_ONCE = 3
"""Covered tiles that become something else together while a game is on, or when it ends."""


class History:
    """Notes of what kinds of tile turned into.

    Attributes:
        past: Of each kind.
        came: The kinds of tiles that were surely covered at the look before, one a tile.
    """

    def __init__(self) -> None:
        self.past: list[Past] = []
        self.came: list[int] = []

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
        self.came = []
        for past in self.past:
            past.came = past.blind = past.unlike_flag = 0
        changed = last != cells
        before, after = was[changed], now[changed]
        closed = (after == COVERED) & (before != COVERED)
        # Opened cells never close, and no program takes back more than a flag or two at once.
        opened = (before >= 0) | np.isin(before, REVEALED)
        if (closed & opened).any() or closed.sum() > _TAKEN_BACK:
            return
        for kind in last[changed].tolist():
            self.past[kind].left += 1
        self.came = cells[changed][before == COVERED].tolist()
        if ((was == FLAG) & (now == FLAG)).any():
            for kind in cells[changed & (was == FLAG)].tolist():
                self.past[kind].unlike_flag += 1
        for kind in cells[changed & (was == COVERED) & (near(now >= 0) == 0)].tolist():
            self.past[kind].blind += 1
        for kind in self.came:
            self.past[kind].came += 1
        for kind in cells[changed][np.isin(before, (COVERED, QUESTION))].tolist():
            self.past[kind].unflagged += 1
        gone = (before == COVERED) & ~np.isin(after, (COVERED, FLAG, QUESTION))
        if (gone & (after >= 0)).any() or gone.sum() >= _AT_ONCE:
            # Covered cells went, so the game was on before: what was there does not end one.
            for kind in np.unique(last).tolist():
                self.past[kind].went_on += 1
