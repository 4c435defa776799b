"""The mine counter and the clock beside a located board, found and read without a template.

Two numbers have to be assigned: in WineMine the clock is on the left. The assignment follows from
the form (`3/10` counts flags, `0:04` is a time), or from a fresh board (the clock shows 0). If
neither decides, both assignments are returned (`Counters.either`); the game may decide. A single
number, which may count anything, is returned in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.frame import Frame, Grid, Region
from vision.counters.numbers import numbers
from vision.counters.strokes import Number

DENSEST: Final = 0.5
"""Share of mines on a board above which a number is no mine count."""
_INITIALS: Final = (("m", "t"), ("b", "t"))
"""Labels of one letter of the mine counter and of the clock beside it."""


@dataclass(frozen=True)
class CounterLimits:
    """Limits of where counters are searched, and of what counts as one.

    `vision/RESULTS.md` says what single ones are worth.
    """

    alike_high: float = 0.35
    """Greatest difference in height of the counter and the clock: a slash is higher than a
    digit."""
    reach: tuple[int, float, int] = (160, 4.5, 260)
    """Search range: least pixels above and below the board, the same in pitches, and pixels
    beside it."""
    margins: tuple[float, float, float, float] = (1.2, 0.7, 0.4, 0.25)
    """Margins of a number's region, as shares of a digit's height, since a number may grow; the
    first margin that includes nothing else is used."""
    margin_below: float = 0.4
    """Greatest margin above and below a number, as such a share."""
    alike: int = 24
    """Largest difference in grey levels of the covered cells of a fresh board (gradients,
    hover)."""


_COUNTER: Final = CounterLimits()


@dataclass(frozen=True)
class Counters:
    """The values of a board's counters; None for every value that is not certain."""

    mines_left: int | None = None
    """Mines minus flags; negative with too many flags."""
    mines_total: int | None = None
    seconds: int | None = None
    mine_counter: Region | None = None
    """Position in points, as is `clock`."""
    clock: Region | None = None
    either: tuple[Counters, ...] = ()
    """Both assignments if two numbers are ambiguous, or the reading of a single number; then the
    other fields are None. See `mines.decided`."""
    worded: bool = False
    """Whether labels are next to the numbers of `either`, which may count anything."""

    @property
    def alone(self) -> Counters | None:
        """The reading of the only number, or of the only one that is not 0, as a mine counter."""
        readings = [one for one in self.either if one.mines_left or len(self.either) == 1]
        return readings[0] if len(readings) == 1 else None

    @property
    def regions(self) -> tuple[Region, ...]:
        """The positions of the numbers, in points."""
        if self.either:
            return self.either[0].regions
        return tuple(region for region in (self.mine_counter, self.clock) if region is not None)


@dataclass(frozen=True)
class Found:
    """A number beside a board."""

    number: Number
    text: CounterText
    region: Region
    """Position in points."""


def assigned(found: Sequence[Found], cells: int, *, fresh: bool) -> Counters:
    """Return which of the numbers of one strip is the mine counter and which the clock.

    `cells` is the size of the board, `fresh` whether none of them was opened or flagged.
    """
    ratios = [one for one in found if "/" in one.text.text and _plausible_ratio(one.text, cells)]
    if ratios:
        if len({one.text for one in ratios}) > 1:
            return Counters()
        return _with_clock(ratios[0], _mates(ratios[0], found))
    labelled = [one for one in found if one.number.counts_mines and len(one.text.numbers) == 1]
    if len(labelled) == 1:
        return _with_clock(labelled[0], _mates(labelled[0], found))
    pairs = [(one, _mates(one, found)) for one in found if one.text.seconds is not None]
    pairs = [(one, mates) for one, mates in pairs if len(mates) == 1]
    if len({frozenset((one.region, mates[0].region)) for one, mates in pairs}) != 1:
        return Counters()
    return _of_pair(pairs[0][0], pairs[0][1][0], DENSEST * cells if fresh else 0)


def alone(found: Found, grid: Grid, *, fresh: bool) -> Counters:
    """Return the reading of a single number as a mine counter, whatever it counts.

    A display in the left half is trusted: one in the right half is usually the clock of a program
    whose mine counter could not be read.
    """
    if len(found.text.numbers) != 1:
        return Counters()
    few = 0 < found.text.numbers[0] <= DENSEST * grid.rows * grid.cols
    left = found.region.center.x < grid.region.center.x
    if fresh and few and left and found.number.seven_segment:
        return _with_clock(found, [])
    return Counters(either=(_with_clock(found, []),), worded=found.number.worded)


def _of_pair(one: Found, other: Found, most: float) -> Counters:
    """Return the reading of two numbers; a fresh board has at most `most` mines."""
    first, second = sorted((one, other), key=lambda number: ":" in number.text.text)
    # Labels are not read: 'Deaths: 1' is no mine counter.
    worded = first.number.worded or (second.number.worded and ":" not in second.text.text)
    if ":" in first.text.text:
        return Counters()
    if ":" in second.text.text:
        counters = _with_clock(first, [second])
        return Counters(either=(counters,), worded=True) if worded else counters
    for counter, clock in ((first, second), (second, first)):
        mines = counter.text.numbers[0]
        said = (counter.number.initial, clock.number.initial) in _INITIALS
        if (said or not worded) and clock.text.numbers[0] == 0 and 0 < mines <= most:
            return replace(_with_clock(counter, [clock]), mines_total=mines)
    both = (_with_clock(first, [second]), _with_clock(second, [first]))
    return Counters(either=both, worded=worded)


def _with_clock(counter: Found, mates: Sequence[Found]) -> Counters:
    clock = mates[0] if len(mates) == 1 else None
    left, total = mines_in(counter.text)
    return Counters(
        left,
        total,
        seconds=clock.text.seconds if clock else None,
        mine_counter=counter.region,
        clock=clock.region if clock else None,
    )


def mines_in(text: CounterText | None) -> tuple[int | None, int | None]:
    """Return the mines left and in total, from a mine counter's text."""
    if text is None or ":" in text.text:
        return None, None
    if "/" in text.text:
        flags, total = text.numbers
        # KMines truncates its '10/10' to '10/1' when a win has flagged all mines.
        return (total - flags, total) if flags <= total else (None, None)
    return text.numbers[0], None


def _plausible_ratio(text: CounterText, cells: int) -> bool:
    return (
        len(text.numbers) == 2
        and text.numbers[0] <= text.numbers[1]
        and 0 < text.numbers[1] < cells
    )


def _mates(one: Found, found: Sequence[Found]) -> list[Found]:
    """Return numbers of the same size and kind in the same row or, close by, in the same column."""
    number, mates = one.number, []
    for other in found:
        near = other.number
        if other is one or "/" in other.text.text:
            continue
        if abs(near.height - number.height) > max(2, _COUNTER.alike_high * number.height):
            continue
        row = abs(near.top - number.top) <= 0.3 * number.height
        across = abs((near.left + near.right) - (number.left + number.right)) / 2
        down = abs(near.top - number.top)
        if row or (across <= 2 * number.height and down <= 12 * number.height):
            mates.append(other)
    return mates


@dataclass(frozen=True)
class CounterText:
    """A number that was read with certainty."""

    text: str
    """Such as '-07', '012', '0/10' or '3:25'."""
    numbers: tuple[int, ...]
    """The text's numbers: (-7,), (12,), (0, 10) or (3, 25)."""

    @property
    def seconds(self) -> int | None:
        """The time of a clock, in seconds; None for 'flags / total' and for negative numbers."""
        if "/" in self.text or self.numbers[0] < 0:
            return None
        total = 0
        for part in self.numbers:
            total = 60 * total + part
        return total


def read_counter(image: NDArray[np.uint8]) -> CounterText | None:
    """Read a picture of one counter.

    Args:
        image: (h, w, 3) uint8 BGR, with a margin around the digits.

    Returns:
        None if there is no number or more than one, or if a digit is not certain.
    """
    found = numbers(np.ascontiguousarray(image), stroke_beside(image.shape[0] / 2))
    # An icon beside '3/10' may resemble a digit.
    found = [one for one in found if "/" in one.text] or found
    return text_of(found[0]) if len(found) == 1 else None


def read_at(frame: Frame, region: Region) -> CounterText | None:
    """Read the counter at a region of the desktop; an unchanged picture is not read again."""
    pixels = crop(frame, region)
    if pixels is None:
        return None
    return _remembered(pixels.tobytes(), pixels.shape[0], pixels.shape[1])


@lru_cache(maxsize=512)
def _remembered(pixels: bytes, height: int, width: int) -> CounterText | None:
    return read_counter(np.frombuffer(pixels, np.uint8).reshape(height, width, 3))


def crop(frame: Frame, region: Region) -> NDArray[np.uint8] | None:
    """Return the pixels of a region; None if part of it is outside the frame."""
    if region.intersection(frame.region) != region:
        return None
    scale = frame.scale
    left, top = (region.left - frame.region.left) * scale, (region.top - frame.region.top) * scale
    x0, y0 = round(left), round(top)
    x1, y1 = round(left + region.width * scale), round(top + region.height * scale)
    return np.ascontiguousarray(frame.image[y0:y1, x0:x1])


def stroke_beside(pitch: float) -> int:
    """Return an odd stroke width in pixels, wider than the counter strokes at that cell pitch."""
    return int(np.clip(0.2 * pitch, 7, 20)) * 2 + 1


def text_of(number: Number) -> CounterText:
    """Return a number's text with its parts."""
    parts = number.text.replace("/", ":").split(":")
    return CounterText(number.text, tuple(int(part) for part in parts))


def strips(frame: Frame, grid: Grid) -> Iterator[Region]:
    """Yield the search areas, in pixels of the frame: above, below, left, right."""
    board, scale = grid.region, frame.scale
    left, top = (board.left - frame.region.left) * scale, (board.top - frame.region.top) * scale
    right, bottom = left + board.width * scale, top + board.height * scale
    pitch = max(grid.pitch_x, grid.pitch_y) * scale
    deep, wide = (
        max(least * scale, _COUNTER.reach[1] * pitch)
        for least in (_COUNTER.reach[0], _COUNTER.reach[2])
    )
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


def around(frame: Frame, strip: Region, grid: Grid) -> list[tuple[Number, Region]]:
    """Return the numbers in a strip and their regions in points."""
    image = frame.image[strip.top : strip.bottom, strip.left : strip.right]
    # Some counters grow with the board, others have the size of the desktop's text.
    stroke = stroke_beside(max(24, grid.pitch_x, grid.pitch_y) * frame.scale)
    met: list[Region] = []
    found = []
    for number in numbers(image, stroke):
        region = _roomiest(frame, strip, number, met)
        if region is not None:
            met.append(region)
            found.append((number, region))
    return found


def _roomiest(
    frame: Frame, strip: Region, number: Number, taken: Sequence[Region]
) -> Region | None:
    """Return the region of a number with as much room on each side as its neighbours leave.

    It overlaps none of the regions of other numbers that are `taken`.
    """
    margins = sorted(product(_COUNTER.margins, _COUNTER.margins), key=sum, reverse=True)
    height = number.height
    sides = [(number.left - a * height, number.right + b * height) for a, b in margins]
    for left, right in (*filter(None, [number.room]), *sides):
        region = _region(frame, strip, number, left, right)
        free = not any(region.intersection(other) for other in taken)
        if free and read_at(frame, region) == text_of(number):
            return region
    return None


def _region(frame: Frame, strip: Region, number: Number, begin: float, end: float) -> Region:
    down = min(number.left - begin, end - number.right, _COUNTER.margin_below * number.height)
    left, right = strip.left + begin, strip.left + end
    top, bottom = strip.top + number.top - down, strip.top + number.bottom + down
    x, y = (round(edge / frame.scale) for edge in (left, top))
    region = Region(
        frame.region.left + x,
        frame.region.top + y,
        round(right / frame.scale) - x,
        round(bottom / frame.scale) - y,
    )
    return region.intersection(frame.region) or region


def find_counters(frame: Frame, grid: Grid) -> Counters:
    """Search around a board: above first, then below, left and right."""
    cells, fresh = grid.rows * grid.cols, _fresh(frame, grid)
    best, undecided = Counters(), Counters()
    every: list[Found] = []
    for strip in strips(frame, grid):
        found = [
            Found(number, text_of(number), region) for number, region in around(frame, strip, grid)
        ]
        counters = assigned(found, cells, fresh=fresh)
        every += found
        if counters.mine_counter is not None and best.mine_counter is None:
            best = counters
        if counters.either and not undecided.either:
            undecided = counters
        if best.mine_counter is not None and best.clock is not None:
            break
    if best.mine_counter is None and not undecided.either and len(every) == 1:
        return alone(every[0], grid, fresh=fresh)
    return best if best.mine_counter is not None else undecided


def seen_again(frame: Frame, known: Counters) -> Counters:
    """Return the values of known counters in another frame, without a search."""
    if known.either:
        return replace(known, either=tuple(seen_again(frame, one) for one in known.either))
    if known.mine_counter is not None:
        left, total = mines_in(read_at(frame, known.mine_counter))
        known = replace(known, mines_left=left, mines_total=total or known.mines_total)
    if known.clock is not None:
        text = read_at(frame, known.clock)
        known = replace(known, seconds=text.seconds if text else None)
    return known


def _fresh(frame: Frame, grid: Grid) -> bool:
    """Return whether all cells look the same: a single flag would make the counter one too low."""
    board = crop(frame, grid.region)
    if board is None:
        return False
    small = cv2.resize(board, (grid.cols * 6, grid.rows * 6), interpolation=cv2.INTER_AREA)
    cells = small.reshape(grid.rows, 6, grid.cols, 6, 3).transpose(0, 2, 1, 3, 4)
    cells = cells.reshape(grid.rows * grid.cols, -1).astype(np.int16)
    usual = np.median(cells, axis=0)
    return bool((np.abs(cells - usual) <= _COUNTER.alike).all())
