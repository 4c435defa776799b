"""Which of the numbers beside a board is its mine counter and which its clock, by their form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.frame import Region
from vision.counters.countertext import CounterText
from vision.counters.words import Number

DENSEST: Final = 0.5
"""Share of mines on a board beyond which a number is no mine count."""


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
    either: tuple[Counters, ...] = ()
    """Both readings, where two numbers are of which nobody has told which is which, or the one of
    a number that stands alone; nothing else is told then. See `mines.decided`."""
    worded: bool = False
    """Whether words stand beside the numbers of `either`, which may count anything."""

    @property
    def alone(self) -> Counters | None:
        """What the only number tells if it counts mines, or the only one that is not 0.

        Of numbers beside a fresh board, where a clock shows 0. None if there are more, or none.
        """
        readings = [one for one in self.either if one.mines_left or len(self.either) == 1]
        return readings[0] if len(readings) == 1 else None

    @property
    def regions(self) -> tuple[Region, ...]:
        """Where its numbers stand, in points."""
        if self.either:
            return self.either[0].regions
        return tuple(region for region in (self.mine_counter, self.clock) if region is not None)


@dataclass(frozen=True)
class Found:
    """A number beside a board."""

    number: Number
    text: CounterText
    region: Region
    """In points."""


def assigned(found: Sequence[Found], cells: int, *, fresh: bool) -> Counters:
    """Which of the numbers of one strip is the mine counter and which the clock.

    Args:
        found: What stands there.
        cells: Of the board.
        fresh: Whether none of them was opened or flagged.
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


def alone(found: Found, cells: int, *, fresh: bool) -> Counters:
    """Return what the only number beside a board says if it counts mines; its meaning is unknown.

    Seven segments show the mines or a time, and that is 0 beside a fresh board.
    """
    if len(found.text.numbers) != 1:
        return Counters()
    if fresh and found.number.seven_segment and 0 < found.text.numbers[0] <= DENSEST * cells:
        return _with_clock(found, [])
    return Counters(either=(_with_clock(found, []),), worded=found.number.worded)


def _of_pair(one: Found, other: Found, most: float) -> Counters:
    """Return what two numbers tell; on a fresh board there are at most so many mines."""
    first, second = sorted((one, other), key=lambda number: ":" in number.text.text)
    # What a word says is not read: 'Deaths: 1' is no mine counter.
    worded = first.number.worded or (second.number.worded and ":" not in second.text.text)
    if ":" in first.text.text:
        return Counters()
    if ":" in second.text.text:
        told = _with_clock(first, [second])
        return Counters(either=(told,), worded=True) if worded else told
    for counter, clock in ((first, second), (second, first)):
        mines = counter.text.numbers[0]
        if not worded and clock.text.numbers[0] == 0 and 0 < mines <= most:
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
    """Return the mines left and in all that a mine counter's text tells."""
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


def _mates(one: Found, found: Sequence[Found]) -> list[Found]:
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
