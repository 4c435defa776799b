"""Find the numbers in a picture: seven-segment displays, and numbers in plain type (`typed`).

Seven-segment digits are read by which segments are lit; a `1` is at the right of its place. A
number is negative if a minus sign precedes it; one that ink may continue is not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.counters.strokes import (
    Ink,
    Line,
    Number,
    Piece,
    brighter,
    lines_of,
    runs_of,
    without_frames,
)
from vision.counters.typed import typed
from vision.digits import fitted, read_glyphs

CERTAIN: Final = 0.99
"""Least confidence with which a digit in plain type is another one."""


def numbers(image: NDArray[np.uint8], stroke: int = 15) -> list[Number]:
    """Return all numbers that are read with certainty, unordered.

    Args:
        image: (H, W, 3) uint8 BGR.
        stroke: Upper limit of the stroke width of digits, in pixels.
    """
    if not image.size:
        return []
    bright, dark, coloured = _displays_in(image, stroke)
    found: list[Number] = []
    # A coloured display may touch the grey edge of its case.
    for number in (*bright, *dark, *typed(image, stroke), *coloured):
        if not any(map(number.meets, found)):
            found.append(number)
    height, width = image.shape[:2]
    return [number for number in found if number.clear_of_edges(width, height)]


def _displays_in(image: NDArray[np.uint8], stroke: int) -> Iterator[list[Number]]:
    """Yield the seven-segment numbers that are bright, dark, and coloured."""
    rim = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
    ground = [float(level) for level in np.median(rim, axis=0)]
    # In a small picture the background would be no wider than a stroke.
    wide = cv2.copyMakeBorder(
        image, stroke, stroke, stroke, stroke, cv2.BORDER_CONSTANT, value=ground
    )
    highest, lowest = wide.max(axis=2), wide.min(axis=2)
    for level in (highest, 255 - lowest, highest - lowest):
        ink = brighter(level, stroke)
        yield [
            number.moved(-stroke)
            for line in lines_of(without_frames(ink), stroke)
            for number, lit in _displayed(line)
            if not _continued(number, ink, lit)
        ]


def _continued(number: Number, own: Ink, level: int) -> bool:
    """Return whether ink that is not a digit directly adjoins a number.

    Beside a number that is brighter than `level` of 255 the segments of unlit digits are darker.
    """
    reach = round(0.7 * number.height)
    left, top, right, bottom = number.left, number.top, number.right, number.bottom
    share = 0.35 if level == _DIGIT.levels[0] else level / 255
    drawn = own > share * float(own[top:bottom, left:right].max())
    columns = np.asarray(drawn[top:bottom].any(axis=0), np.bool_)
    # A stroke that goes on above and below is a line or the edge of a panel.
    columns &= ~(drawn[max(top - 3, 0) : top].any(axis=0) & drawn[bottom : bottom + 3].any(axis=0))
    return bool(
        columns[max(left - reach, 0) : left - 1].any() or columns[right + 1 : right + reach].any()
    )


@dataclass(frozen=True)
class DigitLimits:
    """Limits of lit and unlit segments.

    `vision/RESULTS.md` says what single ones are worth.
    """

    levels: tuple[int, int] = 127, 170
    """Levels of 255 above which a segment is lit. Unlit segments may be drawn half as bright, and
    hatched: then what exceeds the first level is no digit."""
    unlit: int = 60
    """Level of 255 above which a segment may be seen though it is unlit."""
    smallest: int = 12
    """Least height in pixels at which segments can be distinguished."""


_DIGIT: Final = DigitLimits()


_THREE: Final = np.ones((3, 3), np.uint8)


def _displayed(line: Line) -> list[tuple[Number, int]]:
    """Return seven-segment numbers, each with the level above which its segments are.

    Gaps within them are narrower than their digits are high.
    """
    for level in _DIGIT.levels:
        if found := list(_lit(line, level)):
            return [(number, level) for number in found]
    return []


def _lit(line: Line, level: int) -> Iterator[Number]:
    """Yield seven-segment numbers among the pixels brighter than a level."""
    lit = line.ink > level
    for box in _displays(lit):
        drawn = lit[box.top : box.bottom, box.left : box.right]
        single = read_segments(drawn, 1)
        one_of_several = single is not None and len(single) == 1 and _after_unlit_digit(line, box)
        text = single if one_of_several else read_segments(drawn)
        if text is not None and not _typed_otherwise(line, box, text):
            x, y = line.box.left, line.box.top
            yield Number(text, x + box.left, y + box.top, x + box.right, y + box.bottom, True)


def _after_unlit_digit(line: Line, box: Piece) -> bool:
    """Return whether the seven segments of a digit can be seen, unlit, before a piece."""
    high = box.height
    before = line.ink[box.top : box.bottom, max(box.left - round(1.3 * high), 0) : box.left]
    if high < _DIGIT.smallest or before.shape[1] < 0.45 * high or (before > _DIGIT.levels[1]).any():
        return False
    # Unlit segments may be hatched, and adjoin those of the lit digit.
    whole = cv2.morphologyEx((before > _DIGIT.unlit).astype(np.uint8), cv2.MORPH_CLOSE, _THREE) > 0
    return any(
        read_segments(whole[:, left : left + wide], 1) == "8"
        for wide in range(round(0.45 * high), round(0.65 * high) + 1)
        for left in range(before.shape[1] - wide + 1)
    )


def _typed_otherwise(line: Line, box: Piece, text: str) -> bool:
    """Return whether a character is another one in plain type: a 1 with a serif resembles a 7."""
    rows = line.ink[box.top : box.bottom, box.left : box.right]
    runs = runs_of(rows > 127)
    if len(runs) != len(text):
        return False
    glyphs = [rows[:, left:right].astype(np.float32) / 255 for left, right in runs]
    read = read_glyphs(np.stack([fitted(np.clip((ink - 0.12) / 0.7, 0, 1)) for ink in glyphs]))
    return any(
        said not in "-1" and sure >= CERTAIN and digit >= 0 and str(digit) != said
        for said, digit, sure in zip(text, read.digit.tolist(), read.confidence, strict=True)
    )


def _wide(piece: Piece) -> bool:
    """Return whether a piece is wider than a single digit."""
    return piece.width > 0.85 * piece.height


def _displays(lit: NDArray[np.bool_]) -> list[Piece]:
    """Return runs of adjacent columns; wide runs stay alone."""
    found: list[Piece] = []
    joinable = False
    for left, right in runs_of(lit):
        rows = np.flatnonzero(lit[:, left:right].any(axis=1))
        run = Piece(left, int(rows[0]), right, int(rows[-1]) + 1)
        wide = _wide(run) and run.height > 0.4 * lit.shape[0]
        if (
            joinable
            and not wide
            and run.left - found[-1].right <= 0.8 * max(run.height, found[-1].height)
        ):
            found[-1] = found[-1].with_part(run)
        else:
            found.append(run)
        joinable = not wide
    return found


_CHARACTERS: Final = {
    "abcdef": "0",
    "bc": "1",
    "abdeg": "2",
    "abcdg": "3",
    "bcfg": "4",
    "acdfg": "5",
    "acdefg": "6",
    "cdefg": "6",
    "abc": "7",
    "abcf": "7",
    "abcdefg": "8",
    "abcdfg": "9",
    "abcfg": "9",
    "g": "-",
}


def read_segments(lit: NDArray[np.bool_], least: int = 2) -> str | None:
    """Return the number of at least so many digits that lit pixels (h, w) show, or None."""
    height = lit.shape[0]
    if height < _DIGIT.smallest:
        return None
    runs = runs_of(lit)
    if not least <= len(runs) <= 6:
        return None
    widths = [right - left for left, right in runs]
    width = max(widths) if max(widths) > 0.34 * height else round(0.5 * height)
    steps = np.diff([right for _, right in runs])
    if width > 0.85 * height or (len(steps) and not width < steps.mean() < 1.15 * height):
        return None
    text = ""
    for left, right in runs:
        narrow = right - left < 0.34 * height
        # The place of a 1 begins in unlit columns, perhaps before the box.
        blank = width - (right - left) if narrow else 0
        cell = np.pad(lit[:, left:right], ((0, 0), (blank, 0)))
        character = _CHARACTERS.get(_segments_of(cell))
        if character is None:
            return None
        text += character
    return text if "-" not in text[1:] and text != "-" else None


def _segments_of(cell: NDArray[np.bool_]) -> str:
    """Return the names of the lit segments, in order, with '?' for one that is half lit."""
    height, width = cell.shape
    across = cell[:, round(0.25 * width) : max(round(0.75 * width), round(0.25 * width) + 1)]
    rows = across.mean(axis=1)
    outer = max(1, round(0.2 * width))
    west, east = cell[:, :outer], cell[:, width - outer :]
    upper = slice(round(0.2 * height), round(0.38 * height))
    lower = slice(round(0.64 * height), round(0.8 * height))
    shares = {
        "a": rows[: round(0.2 * height)].max(),
        "b": east[upper].mean(axis=0).max(),
        "c": east[lower].mean(axis=0).max(),
        "d": rows[height - round(0.2 * height) :].max(),
        "e": west[lower].mean(axis=0).max(),
        "f": west[upper].mean(axis=0).max(),
        "g": rows[round(0.4 * height) : height - round(0.4 * height)].max(),
    }
    return "".join(name if share >= 0.7 else "?" for name, share in shares.items() if share > 0.3)
