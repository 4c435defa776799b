"""Where around a board numbers stand: each with the region that its next looks need."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from bot.frame import Frame, Grid, Region
from vision.counters.countertext import read_at, stroke_beside, text_of
from vision.counters.numbers import numbers
from vision.counters.words import Number

_REACH: Final = (160, 4.5, 260)
"""Pixels above and below the board at least; the same in pitches; pixels beside the board."""
_MARGINS: Final = (1.2, 0.7, 0.4, 0.25)
"""Of a digit's height: how much of what is around a number belongs to its region, for it may
grow; the first that does not take in something else."""


def strips(frame: Frame, grid: Grid) -> Iterator[Region]:
    """Where to look, in pixels of the frame: above, below, left, right."""
    board, scale = grid.region, frame.scale
    left, top = (board.left - frame.region.left) * scale, (board.top - frame.region.top) * scale
    right, bottom = left + board.width * scale, top + board.height * scale
    pitch = max(grid.pitch_x, grid.pitch_y) * scale
    deep, wide = (max(least * scale, _REACH[1] * pitch) for least in (_REACH[0], _REACH[2]))
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


def around(frame: Frame, strip: Region, grid: Grid) -> Iterator[list[tuple[Number, Region]]]:
    """Yield the numbers in a strip and their regions in points, for each stroke width."""
    image = frame.image[strip.top : strip.bottom, strip.left : strip.right]
    # Some counters grow with the board, others are as large as the desktop's text.
    strokes = {
        stroke_beside(24 * frame.scale),
        stroke_beside(max(grid.pitch_x, grid.pitch_y) * frame.scale),
    }
    met: list[Region] = []
    thin = min(strokes)
    for stroke in sorted(strokes):
        if stroke > thin and strip.height <= 4 * thin:
            break  # No digit here has strokes that are too thick for the other.
        found = []
        for number in numbers(image, stroke):
            if _cut(number, strip, frame.image.shape[1]):
                continue
            region = _roomiest(frame, strip, number)
            if region is not None and not any(region.intersection(other) for other in met):
                met.append(region)
                found.append((number, region))
        yield found


def _cut(number: Number, strip: Region, width: int) -> bool:
    """Return whether a side of the strip may part a number from its other digits."""
    room = round(0.9 * number.height)
    before = strip.left > 0 and number.left < room
    return before or (strip.right < width and number.right > strip.width - room)


def _roomiest(frame: Frame, strip: Region, number: Number) -> Region | None:
    """Return the region of a number with as much room on each side as its neighbours leave."""
    # A number in plain type grows by a digit, which must not be outside.
    sides = _MARGINS if number.seven_segment else _MARGINS[:2]
    choices = sorted(product(sides, sides), key=sum, reverse=True)
    for margins in choices:
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
