"""The mine counter and the clock beside a located board, found and read without a template.

Which of two numbers is which, nobody tells: in WineMine the clock is on the left. So it is
taken from the form (`3/10` counts flags, `0:04` is a time), from a fresh board (where the
clock shows 0), or from what the numbers do (`CounterWatch`: a clock rises by one a second).
Where none of these tells, nothing is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Final

import cv2
import numpy as np

from bot.frame import Frame, Grid, Region
from vision.numbers.countertext import (
    CounterText,
    crop,
    read_at,
    read_counter,
    stroke_beside,
    text_of,
)
from vision.numbers.numerals import Number, numbers

__all__ = ["CounterText", "CounterWatch", "Counters", "find_counters", "read_at", "read_counter"]

_REACH: Final = (160, 4.5, 260)
"""Pixels above and below the board at least; the same in pitches; pixels beside the board."""
_MARGINS: Final = (1.2, 0.7, 0.4, 0.25)
"""Of a digit's height: how much of what is around a number belongs to its region, for it may
grow; the first that does not take in something else."""
_DENSEST: Final = 0.5
"""Share of mines on a board beyond which a number is no mine count."""
_ALIKE: Final = 24
"""Levels by which the covered cells of a fresh board differ at most (gradients, hover)."""
_AGAIN: Final = 1.0
"""Seconds between two searches for a counter that cannot be read any more."""
_WATCHED: Final = 4.0
"""Seconds and steps that a clock must have risen by before it is believed to be one."""


@dataclass(frozen=True)
class Counters:
    """What the counters of a board say; None for whatever is not surely told."""

    mines_left: int | None = None
    """Mines less flags; negative with too many flags."""
    mines_total: int | None = None
    seconds: int | None = None
    mine_counter: Region | None = None
    """In points, as is `clock`."""
    clock: Region | None = None


def find_counters(frame: Frame, grid: Grid) -> Counters:
    """Look around a board: above first, then below, left and right of it."""
    counters, _ = _find(frame, grid)
    return counters


@dataclass
class CounterWatch:
    """Follows the counters of one board, and learns from what they do which is which."""

    counters: Counters = Counters()
    """What the last look told."""
    _regions: tuple[Region, ...] = ()
    _found_at: float = 0.0
    _seen: dict[Region, list[tuple[float, int]]] = field(default_factory=dict)

    @property
    def regions(self) -> tuple[Region, ...]:
        """Where it looks from now on, in points; empty where there is nothing to look at."""
        known = (self.counters.mine_counter, self.counters.clock)
        return tuple(region for region in known if region is not None) or self._regions

    def see(self, frame: Frame, grid: Grid) -> Counters:
        """What the counters say on this frame; cheap from the second call on."""
        if self.counters.mine_counter is None and not self._regions:
            self.counters, self._regions = _find(frame, grid)
            self._found_at = frame.time
        told = self._settled(frame)
        lost = told.mine_counter is not None and told.mines_left is None
        if lost and frame.time - self._found_at >= _AGAIN:
            # A longer number may have outgrown its region.
            again, _ = _find(frame, grid)
            self._found_at = frame.time
            if again.mine_counter is not None:
                self.counters = told = again
        return told

    def _settled(self, frame: Frame) -> Counters:
        known = self.counters
        if known.mine_counter is None and len(self._regions) == 2:
            known = self._told_apart(frame)
        if known.mine_counter is not None:
            left, total = _mines(read_at(frame, known.mine_counter))
            known = replace(known, mines_left=left, mines_total=total or known.mines_total)
        if known.clock is not None:
            text = read_at(frame, known.clock)
            known = replace(known, seconds=text.seconds if text else None)
        self.counters = known
        return known

    def _told_apart(self, frame: Frame) -> Counters:
        for region in self._regions:
            text = read_at(frame, region)
            if text is None or len(text.numbers) != 1:
                continue
            seen = self._seen.setdefault(region, [])
            if seen and text.numbers[0] < seen[-1][1]:
                seen.clear()
            seen.append((frame.time, text.numbers[0]))
        ticking = [region for region in self._regions if _ticks(self._seen.get(region, ()))]
        if len(ticking) != 1:
            return self.counters
        other = next(region for region in self._regions if region != ticking[0])
        return replace(self.counters, mine_counter=other, clock=ticking[0])


def _ticks(seen: Sequence[tuple[float, int]]) -> bool:
    """Whether a number rose as seconds do."""
    if len(seen) < 2:
        return False
    start, first = seen[0]
    steps = len({value for _, value in seen}) - 1
    if steps < _WATCHED or seen[-1][0] - start < _WATCHED:
        return False
    return all(
        abs((value - first) - (time - start)) <= 1.5 + 0.1 * (time - start) for time, value in seen
    )


def _find(frame: Frame, grid: Grid) -> tuple[Counters, tuple[Region, ...]]:
    """The counters, and where two numbers are that only time can tell apart."""
    cells = grid.rows * grid.cols
    fresh = _fresh(frame, grid)
    undecided: tuple[Region, ...] = ()
    best = Counters()
    for strip in _strips(frame, grid):
        found = [
            _Found(number, text_of(number), region)
            for number, region in _around(frame, strip, grid)
        ]
        counters, pair = _assigned(found, cells, fresh)
        if counters.mine_counter is not None and best.mine_counter is None:
            best = counters
        undecided = undecided or pair
        if best.mine_counter is not None and best.clock is not None:
            break
    return best, () if best.mine_counter else undecided


@dataclass(frozen=True)
class _Found:
    number: Number
    text: CounterText
    region: Region


def _assigned(
    found: Sequence[_Found], cells: int, fresh: bool
) -> tuple[Counters, tuple[Region, ...]]:
    """Which of the numbers of one strip is the mine counter and which the clock."""
    ratios = [one for one in found if "/" in one.text.text and _plausible_ratio(one.text, cells)]
    if ratios:
        if len({one.text for one in ratios}) > 1:
            return Counters(), ()
        return _with_clock(ratios[0], _mates(ratios[0], found)), ()
    pairs = [(one, _mates(one, found)) for one in found if one.text.seconds is not None]
    pairs = [(one, mates) for one, mates in pairs if len(mates) == 1]
    if len({frozenset((one.region, mates[0].region)) for one, mates in pairs}) != 1:
        return Counters(), ()
    first, second = sorted((pairs[0][0], pairs[0][1][0]), key=lambda one: ":" in one.text.text)
    if ":" in second.text.text:
        plain = ":" not in first.text.text
        return (_with_clock(first, [second]) if plain else Counters()), ()
    for counter, clock in ((first, second), (second, first)):
        mines = counter.text.numbers[0]
        if fresh and clock.text.numbers[0] == 0 and 0 < mines <= _DENSEST * cells:
            return replace(_with_clock(counter, [clock]), mines_total=mines), ()
    return Counters(), (first.region, second.region)


def _with_clock(counter: _Found, mates: Sequence[_Found]) -> Counters:
    clock = mates[0] if len(mates) == 1 else None
    left, total = _mines(counter.text)
    return Counters(
        left,
        total,
        seconds=clock.text.seconds if clock else None,
        mine_counter=counter.region,
        clock=clock.region if clock else None,
    )


def _mines(text: CounterText | None) -> tuple[int | None, int | None]:
    """The mines left and in all that a mine counter's text tells."""
    if text is None or ":" in text.text:
        return None, None
    if "/" in text.text:
        flags, total = text.numbers
        # KMines cuts its '10/10' to '10/1' when a win has flagged all mines.
        return (total - flags, total) if flags <= total else (None, None)
    return text.numbers[0], None


def _plausible_ratio(text: CounterText, cells: int) -> bool:
    return (
        len(text.numbers) == 2
        and text.numbers[0] <= text.numbers[1]
        and 0 < text.numbers[1] < cells
    )


def _mates(one: _Found, found: Sequence[_Found]) -> list[_Found]:
    """Numbers of the same size and kind in the same row or, not far off, the same column."""
    number, mates = one.number, []
    for other in found:
        near = other.number
        if other is one or "/" in other.text.text:
            continue
        if abs(near.height - number.height) > max(2, 0.1 * number.height):
            continue
        row = abs(near.top - number.top) <= 0.3 * number.height
        across = abs((near.left + near.right) - (number.left + number.right)) / 2
        down = abs(near.top - number.top)
        if row or (across <= 2 * number.height and down <= 12 * number.height):
            mates.append(other)
    return mates


def _strips(frame: Frame, grid: Grid) -> Iterator[Region]:
    """Where to look, in pixels of the frame: above, below, left, right."""
    board, scale = grid.region, frame.scale
    left, top = (board.left - frame.region.left) * scale, (board.top - frame.region.top) * scale
    right, bottom = left + board.width * scale, top + board.height * scale
    pitch = max(grid.pitch_x, grid.pitch_y) * scale
    deep, wide = max(_REACH[0] * scale, _REACH[1] * pitch), _REACH[2] * scale
    height, width = frame.image.shape[:2]
    screen = Region(0, 0, width, height)
    for edges in (
        (left - wide, top - deep, right + wide, top),
        (left - wide, bottom, right + wide, bottom + deep),
        (left - wide, top, left, bottom),
        (right, top, right + wide, bottom),
    ):
        x0, y0, x1, y1 = (round(edge) for edge in edges)
        strip = Region(x0, y0, x1 - x0, y1 - y0).intersection(screen)
        if strip and strip.width >= 12 and strip.height >= 8:
            yield strip


def _around(frame: Frame, strip: Region, grid: Grid) -> Iterator[tuple[Number, Region]]:
    """The numbers in a strip and their regions in points."""
    image = frame.image[strip.top : strip.bottom, strip.left : strip.right]
    # Some counters grow with the board, others are as large as the desktop's text.
    strokes = {
        stroke_beside(24 * frame.scale),
        stroke_beside(max(grid.pitch_x, grid.pitch_y) * frame.scale),
    }
    met: list[Region] = []
    for stroke in sorted(strokes):
        for number in numbers(image, stroke):
            if _cut(number, strip, frame.image.shape[1]):
                continue
            region = _roomiest(frame, strip, number)
            if region is not None and not any(region.intersection(other) for other in met):
                met.append(region)
                yield number, region


def _cut(number: Number, strip: Region, width: int) -> bool:
    """Whether a side of the strip may part a number from its other digits."""
    room = round(0.9 * number.height)
    before = strip.left > 0 and number.left < room
    return before or (strip.right < width and number.right > strip.width - room)


def _roomiest(frame: Frame, strip: Region, number: Number) -> Region | None:
    """The region of a number with as much room on each side as its neighbours leave."""
    for margins in sorted(product(_MARGINS, _MARGINS), key=sum, reverse=True):
        region = _region(frame, strip, number, margins)
        if read_at(frame, region) == text_of(number):
            return region
    return None


def _region(frame: Frame, strip: Region, number: Number, margins: tuple[float, float]) -> Region:
    before, after, down = (part * number.height for part in (*margins, min(*margins, 0.4)))
    left, right = strip.left + number.left - before, strip.left + number.right + after
    top, bottom = strip.top + number.top - down, strip.top + number.bottom + down
    x, y = (round(edge / frame.scale) for edge in (left, top))
    region = Region(
        frame.region.left + x,
        frame.region.top + y,
        round(right / frame.scale) - x,
        round(bottom / frame.scale) - y,
    )
    return region.intersection(frame.region) or region


def _fresh(frame: Frame, grid: Grid) -> bool:
    """Whether all cells look the same: a single flag would make the counter one too low."""
    board = crop(frame, grid.region)
    if board is None:
        return False
    small = cv2.resize(board, (grid.cols * 6, grid.rows * 6), interpolation=cv2.INTER_AREA)
    cells = small.reshape(grid.rows, 6, grid.cols, 6, 3).transpose(0, 2, 1, 3, 4)
    cells = cells.reshape(grid.rows * grid.cols, -1).astype(np.int16)
    usual = np.median(cells, axis=0)
    return bool((np.abs(cells - usual) <= _ALIKE).all())
