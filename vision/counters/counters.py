"""The mine counter and the clock beside a located board, found and read without a template.

Which of two numbers is which, nobody tells: in WineMine the clock is on the left. So it is
taken from the form (`3/10` counts flags, `0:04` is a time), from a fresh board (where the
clock shows 0), or from what the numbers do (`CounterWatch`: a clock rises by one a second).
Where none of these tells, both readings are handed on (`Counters.either`): the game may know.
So is that of a number that stands alone, which may count anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np

from bot.frame import Frame, Grid, Region
from vision.counters.assigning import Counters, Found, alone, assigned, mines_in
from vision.counters.countertext import CounterText, crop, read_at, read_counter, text_of
from vision.counters.places import around, strips

__all__ = ["CounterText", "CounterWatch", "Counters", "find_counters", "read_at", "read_counter"]

_ALIKE: Final = 24
"""Levels by which the covered cells of a fresh board differ at most (gradients, hover)."""
_AGAIN: Final = 1.0
"""Seconds between two searches for a counter that cannot be read any more."""
_WATCHED: Final = 4.0
"""Seconds and steps that a clock must have risen by before it is believed to be one."""


def find_counters(frame: Frame, grid: Grid) -> Counters:
    """Look around a board: above first, then below, left and right of it."""
    cells, fresh = grid.rows * grid.cols, _fresh(frame, grid)
    best, undecided = Counters(), Counters()
    every: list[Found] = []
    for strip in strips(frame, grid):
        found: list[Found] = []
        for more in around(frame, strip, grid):
            found += [Found(number, text_of(number), region) for number, region in more]
            counters = assigned(found, cells, fresh=fresh)
            if len(counters.regions) == 2 and any("/" in one.text.text for one in found):
                break  # `3/10` beside a time: nothing larger could say more
        every += found
        if counters.mine_counter is not None and best.mine_counter is None:
            best = counters
        if counters.either and not undecided.either:
            undecided = counters
        if best.mine_counter is not None and best.clock is not None:
            break
    if best.mine_counter is None and not undecided.either and len(every) == 1:
        return alone(every[0], cells, fresh=fresh)
    return best if best.mine_counter is not None else undecided


@dataclass
class CounterWatch:
    """Follows the counters of one board, and learns from what they do which is which."""

    counters: Counters = field(default_factory=Counters)
    """What the last look told."""
    _found_at: float = 0.0
    _seen: dict[Region, list[tuple[float, int]]] = field(default_factory=dict)

    @property
    def regions(self) -> tuple[Region, ...]:
        """Where it looks from now on, in points; empty where there is nothing to look at."""
        return self.counters.regions

    def see(self, frame: Frame, grid: Grid) -> Counters:
        """Return what the counters say on this frame; cheap from the second call on."""
        if not self.regions:
            self.counters = find_counters(frame, grid)
            self._found_at = frame.time
        told = self.counters = self._settled(frame)
        lost = any(one.mines_left is None for one in told.either or (told,))
        if self.regions and lost and frame.time - self._found_at >= _AGAIN:
            # A longer number may have outgrown its region.
            again = find_counters(frame, grid)
            self._found_at = frame.time
            if again.regions:
                self.counters = told = again
        return told

    def _settled(self, frame: Frame) -> Counters:
        known = self.counters
        if not known.either:
            return _seen_again(frame, known)
        either = tuple(_seen_again(frame, reading) for reading in known.either)
        if len(either) == 2 and not known.worded:
            ticking = [one for one in either if self._ticks(frame.time, one)]
            if len(ticking) == 1:
                return ticking[0]
        return replace(known, either=either)

    def _ticks(self, now: float, reading: Counters) -> bool:
        """Return whether what would be the clock has done as a clock does."""
        assert reading.clock is not None  # noqa: S101 - of a pair
        seen = self._seen.setdefault(reading.clock, [])
        if reading.seconds is not None:
            if seen and reading.seconds < seen[-1][1]:
                seen.clear()
            seen.append((now, reading.seconds))
        return _rises(seen)


def _seen_again(frame: Frame, known: Counters) -> Counters:
    """Return the same counters in another frame."""
    if known.mine_counter is not None:
        left, total = mines_in(read_at(frame, known.mine_counter))
        known = replace(known, mines_left=left, mines_total=total or known.mines_total)
    if known.clock is not None:
        text = read_at(frame, known.clock)
        known = replace(known, seconds=text.seconds if text else None)
    return known


def _rises(seen: Sequence[tuple[float, int]]) -> bool:
    """Return whether a number rose as seconds do."""
    if len(seen) < 2:
        return False
    start, first = seen[0]
    steps = len({value for _, value in seen}) - 1
    if steps < _WATCHED or seen[-1][0] - start < _WATCHED:
        return False
    return all(
        abs((value - first) - (time - start)) <= 1.5 + 0.1 * (time - start) for time, value in seen
    )


def _fresh(frame: Frame, grid: Grid) -> bool:
    """Return whether all cells look the same: a single flag would make the counter one too low."""
    board = crop(frame, grid.region)
    if board is None:
        return False
    small = cv2.resize(board, (grid.cols * 6, grid.rows * 6), interpolation=cv2.INTER_AREA)
    cells = small.reshape(grid.rows, 6, grid.cols, 6, 3).transpose(0, 2, 1, 3, 4)
    cells = cells.reshape(grid.rows * grid.cols, -1).astype(np.int16)
    usual = np.median(cells, axis=0)
    return bool((np.abs(cells - usual) <= _ALIKE).all())
