"""Find numbers on a screen by their strokes; read them by segments or by shape.

No letter is ever read. A number is a word of pieces of one height that are all digits, and of signs
that a counter may hold: `-07`, `0/10`, `0 / 10`, `3:25`, `[0:04]`. A word with anything else in it
is a label and is passed over; a digit that is not certain makes the whole number unread.

Seven-segment digits are read by which segments are lit; a `1` is at the right of its place.
Everything else is plain type (`plain_type`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.counters.strokes import Ink, Line, Number, Piece, brighter, lines_of, only_strokes
from vision.counters.typed import typed
from vision.digits import fitted, read_glyphs

CERTAIN: Final = 0.99
"""Least confidence with which a digit in plain type is another one."""
_COLOURED: Final = 2
"""The kind of lines that differ from their surroundings by colour, not by brightness."""


def numbers(image: NDArray[np.uint8], *strokes: int) -> list[Number]:
    """Return all numbers that are read with certainty, unordered.

    Args:
        image: (H, W, 3) uint8 BGR.
        strokes: Upper limits of the stroke width of digits, in pixels.
    """
    strokes = strokes or (15,)
    shown = [_displays_in(image, stroke) for stroke in strokes]
    # A coloured display may touch the grey edge of its case.
    coloured = [one for by_kind in shown for one in by_kind[_COLOURED]]
    grey = [one for by_kind in shown for kind in by_kind[:_COLOURED] for one in kind]
    found: list[Number] = []
    for number in (*grey, *typed(image, max(strokes)), *coloured):
        if not any(map(number.meets, found)):
            found.append(number)
    height, width = image.shape[:2]
    return [number for number in found if number.clear_of_edges(width, height)]


def _displays_in(image: NDArray[np.uint8], stroke: int) -> list[list[Number]]:
    """Return the seven-segment numbers of each kind: bright, dark, and coloured."""
    rim = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
    ground = [float(level) for level in np.median(rim, axis=0)]
    # In a small picture the background would be no wider than a stroke.
    wide = cv2.copyMakeBorder(
        image, stroke, stroke, stroke, stroke, cv2.BORDER_CONSTANT, value=ground
    )
    blue, green, red = wide[..., 0], wide[..., 1], wide[..., 2]
    bright = np.maximum(np.maximum(blue, green), red)
    least = np.minimum(np.minimum(blue, green), red)
    dark = 255 - least
    levels = [bright, dark, bright - least]
    inks = [brighter(level, stroke) for level in levels]
    strokes = [only_strokes(level, ink) for level, ink in zip(levels, inks, strict=True)]
    displays: list[list[Number]] = [[], [], []]
    for kind, own in enumerate(strokes):
        for line in lines_of(own, stroke):
            displayed, level = _displayed(line)
            displays[kind] += [
                one.moved(-stroke) for one in displayed if not _continued(one, inks[kind], level)
            ]
    return displays


def _continued(number: Number, own: Ink, level: int) -> bool:
    """Return whether ink that is not a digit directly adjoins a number.

    Beside a number that is brighter than `level` of 255 the segments of unlit digits are darker.
    """
    reach = round(0.7 * number.height)
    left, top, right, bottom = number.left, number.top, number.right, number.bottom
    share = 0.35 if level == _LEVELS[0] else level / 255
    drawn = own > share * float(own[top:bottom, left:right].max())
    columns = np.asarray(drawn[top:bottom].any(axis=0), np.bool_)
    # A stroke that goes on above and below is a line or the edge of a panel.
    columns &= ~(drawn[max(top - 3, 0) : top].any(axis=0) & drawn[bottom : bottom + 3].any(axis=0))
    return bool(
        columns[max(left - reach, 0) : left - 1].any() or columns[right + 1 : right + reach].any()
    )


_LEVELS: Final = 127, 170
"""Levels of 255 above which a segment is lit. Unlit segments may be drawn half as bright, and
hatched: then what exceeds the first level is no digit."""


_THREE: Final = np.ones((3, 3), np.uint8)
_UNLIT: Final = 60
"""Level of 255 above which a segment may be seen though it is unlit."""


def _displayed(line: Line) -> tuple[list[Number], int]:
    """Return seven-segment numbers, and the level above which their segments are.

    Gaps within them are narrower than their digits are high.
    """
    for level in _LEVELS:
        found = list(_lit(line, level))
        if found:
            return found, level
    return [], 0


def _lit(line: Line, level: int) -> Iterator[Number]:
    """Yield seven-segment numbers among the pixels brighter than a level."""
    lit = line.ink > level
    boxes = _displays(lit)
    for box in boxes:
        if any(_beside(box, other) for other in boxes):
            continue
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
    if high < _SMALLEST or before.shape[1] < 0.45 * high or (before > _LEVELS[1]).any():
        return False
    # Unlit segments may be hatched, and adjoin those of the lit digit.
    whole = cv2.morphologyEx((before > _UNLIT).astype(np.uint8), cv2.MORPH_CLOSE, _THREE) > 0
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


def _beside(box: Piece, other: Piece) -> bool:
    """Return whether another piece may belong to a number, by its distance and height."""
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
_SMALLEST: Final = 12
"""Least height in pixels at which segments can be distinguished."""


def read_segments(lit: NDArray[np.bool_], least: int = 2) -> str | None:
    """Return the number of at least so many digits that lit pixels (h, w) show, or None."""
    height = lit.shape[0]
    if height < _SMALLEST:
        return None
    runs = _joined(runs_of(lit), height)
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


def runs_of(drawn: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return (begin, end) of the runs of adjacent columns of (h, w) that contain ink."""
    columns = np.zeros(drawn.shape[1] + 2, np.bool_)
    columns[1:-1] = drawn.any(axis=0)
    steps = np.flatnonzero(columns[1:] != columns[:-1])
    return [(int(begin), int(end)) for begin, end in steps.reshape(-1, 2)]


def _joined(runs: list[tuple[int, int]], height: int) -> list[tuple[int, int]]:
    """Join segments of one digit that a dark gap separates."""
    joined = runs[:1]
    for left, right in runs[1:]:
        begin, end = joined[-1]
        if left - end <= max(1, 0.06 * height) and right - begin <= 0.66 * height:
            joined[-1] = (begin, right)
        else:
            joined.append((left, right))
    return joined


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
    # A horizontal segment begins and ends at the sides; nothing is lit within the holes.
    middle = slice(round(0.4 * width), max(round(0.6 * width), round(0.4 * width) + 1))
    thick = max(1, round(0.06 * height))
    holes = (
        cell[round(0.27 * height) : round(0.4 * height) - thick, middle],
        cell[round(0.6 * height) + thick : round(0.73 * height) + 1, middle],
    )
    if any(hole.size and hole.mean() > 0.25 for hole in holes):
        return "?"
    return "".join(name if share >= 0.7 else "?" for name, share in shares.items() if share > 0.3)
