"""Numbers written on a screen: found by their strokes, read by shape.

No letter is ever read. A number is a word of pieces of one height that are all digits, and
of signs that a counter may hold: `-07`, `0/10`, `0 / 10`, `3:25`, `[0:04]`. A word with
anything else in it is a label and is passed over; a digit that is not surely read makes the
whole number unread.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.counters.segments import read_segments, runs_of
from vision.counters.strokes import Ink, Line, Piece, brighter, lines_of, only_strokes
from vision.counters.whole import written
from vision.counters.words import CERTAIN, Number, slashed
from vision.digits import fitted, read_glyphs


def numbers(image: NDArray[np.uint8], stroke: int = 15) -> list[Number]:
    """All numbers that are surely read, in no order.

    Args:
        image: (H, W, 3) uint8 BGR.
        stroke: Pixels; strokes of digits are thinner.
    """
    rim = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
    ground = [float(level) for level in np.median(rim, axis=0)]
    # In a small picture the ground would be no wider than a stroke.
    wide = cv2.copyMakeBorder(
        image, stroke, stroke, stroke, stroke, cv2.BORDER_CONSTANT, value=ground
    )
    blue, green, red = wide[..., 0], wide[..., 1], wide[..., 2]
    bright = np.maximum(np.maximum(blue, green), red)
    dark = 255 - np.minimum(np.minimum(blue, green), red)
    inks = [brighter(level, stroke) for level in (bright, dark)]
    strokes = [
        only_strokes(level, ink, stroke) for level, ink in zip((bright, dark), inks, strict=True)
    ]
    lines = [(kind, line) for kind, own in enumerate(strokes) for line in lines_of(own, stroke)]
    shown = [list(_displayed(line)) for _, line in lines]
    plain = [line for line, displayed in zip(lines, shown, strict=True) if not displayed]
    read = [(kind, number) for (kind, _), some in zip(lines, shown, strict=True) for number in some]
    typed = written(np.asarray(wide, np.uint8), [line for _, line in plain], stroke)
    read += [
        (kind, number) for (kind, _), some in zip(plain, typed, strict=True) for number in some
    ]
    found: list[Number] = []
    for kind, number in read:
        continued = number.seven_segment and _continued(number, inks[kind])
        if not continued and not _enclosed(number, strokes[1 - kind]):
            found.append(number)
    height, width = image.shape[:2]
    moved = (number.moved(-stroke) for number in found)
    return [number for number in moved if number.clear_of_edges(width, height)]


def _enclosed(number: Number, other: Ink) -> bool:
    """Return whether strokes of the other kind are close on all sides: the hole of a digit."""
    # A hole begins where its digit's strokes end; lines of a panel are farther off.
    reach = max(2, round(0.15 * number.height))
    left, top, right, bottom = number.left, number.top, number.right, number.bottom
    sides = (
        other[max(top - reach, 0) : top, left:right].any(axis=0),
        other[bottom : bottom + reach, left:right].any(axis=0),
        other[top:bottom, max(left - reach, 0) : left].any(axis=1),
        other[top:bottom, right : right + reach].any(axis=1),
    )
    if not all(side.mean() >= 0.6 for side in sides):
        return False
    # A bar of text lies between two lines; it goes on beside a number.
    far = round(1.2 * number.height)
    begin, end = max(left - far, 0), right + far
    above, below = (
        other[max(top - reach, 0) : top, begin:end],
        other[bottom : bottom + reach, begin:end],
    )
    return not all(rows.any(axis=0).mean() >= 0.95 for rows in (above, below))


def _continued(number: Number, own: Ink) -> bool:
    """Return whether there is more ink right beside a number.

    A digit that was not taken for one.
    """
    reach = round(0.7 * number.height)
    left, top, right, bottom = number.left, number.top, number.right, number.bottom
    drawn = own > 0.35 * float(own[top:bottom, left:right].max())
    columns = np.asarray(drawn[top:bottom].any(axis=0), np.bool_)
    # What goes on above and below is a line or the edge of a panel.
    columns &= ~(drawn[max(top - 3, 0) : top].any(axis=0) & drawn[bottom : bottom + 3].any(axis=0))
    return bool(
        columns[max(left - reach, 0) : left - 1].any() or columns[right + 1 : right + reach].any()
    )


_LIT: Final = 127, 170
"""Levels of 255 above which a segment is lit. Those that are not lit may be drawn half as bright,
and hatched: then what is above the first level is no digit."""


def _displayed(line: Line) -> Iterator[Number]:
    """Seven-segment numbers; gaps within them are narrower than their digits are high."""
    found = (list(_lit(line, level)) for level in _LIT)
    yield from next((numbers for numbers in found if numbers), [])


def _lit(line: Line, level: int) -> Iterator[Number]:
    """Seven-segment numbers of what is brighter than a level."""
    lit = line.ink > level
    boxes = _displays(lit)
    for box in boxes:
        if any(_beside(box, other) for other in boxes):
            continue
        text = read_segments(lit[box.top : box.bottom, box.left : box.right])
        if text is not None and not _typed_otherwise(line, box, text):
            x, y = line.box.left, line.box.top
            number = Number(text, x + box.left, y + box.top, x + box.right, y + box.bottom, True)
            if not slashed(line, number):
                yield number


def _typed_otherwise(line: Line, box: Piece, text: str) -> bool:
    """Return whether a character is surely another one in plain type.

    A 1 with a beak is like a 7.
    """
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


def _beside(box: Piece, other: Piece) -> bool:
    """Return whether another piece may belong to a number by its distance and height."""
    gap = max(other.left - box.right, box.left - other.right)
    middle = (other.top + other.bottom - box.top - box.bottom) / 2
    if other.height <= 0.3 * box.height <= other.width and abs(middle) <= 0.2 * box.height:
        return other.right <= box.left and gap < 1.2 * box.height  # a minus sign
    # Digits that touch stand no farther from the next one than a 1 does; a face may. A slash
    # may stand farther off.
    reach = 0.6 if _wide(other) else 1.6 if other.width >= 0.2 * box.height else 0.8
    if not 0 <= gap < reach * box.height or other.height > 1.15 * box.height:
        return False
    return min(box.bottom, other.bottom) - max(box.top, other.top) > 0.4 * box.height


def _wide(piece: Piece) -> bool:
    """Return whether it is no single digit."""
    return piece.width > 0.85 * piece.height


def _displays(lit: NDArray[np.bool_]) -> list[Piece]:
    """Return runs of adjacent columns, none much higher than the others; wide runs stay alone."""
    found: list[Piece] = []
    joinable = False
    for left, right in runs_of(lit):
        rows = np.flatnonzero(lit[:, left:right].any(axis=1))
        run = Piece(left, int(rows[0]), right, int(rows[-1]) + 1)
        wide = _wide(run) and run.height > 0.4 * lit.shape[0]
        if (
            joinable
            and not wide
            and _within(found[-1], run)
            and run.left - found[-1].right <= 0.8 * max(run.height, found[-1].height)
        ):
            found[-1] = found[-1].with_part(run)
        else:
            found.append(run)
        joinable = not wide
    return found


def _within(one: Piece, other: Piece) -> bool:
    """Return whether the rows of one lie within those of the other, but for a little."""
    small, large = sorted((one, other), key=lambda piece: piece.height)
    slack = 0.12 * large.height
    return small.top >= large.top - slack and small.bottom <= large.bottom + slack
