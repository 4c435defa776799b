"""Seven-segment numbers: told by which segments are lit, not by their looks.

All digits of a display are equally wide and stand at one pitch, a `1` at the right of its
place; that decides what is one number even where gaps are wide.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

_LIT: Final = {
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
"""Pixels of height below which segments cannot be told apart."""


def read_segments(lit: NDArray[np.bool_]) -> str | None:
    """Return the number that a box of lit pixels shows.

    Args:
        lit: (h, w), cropped to what is lit.

    Returns:
        Two digits or more, perhaps after a minus sign; None for anything else.
    """
    height = lit.shape[0]
    if height < _SMALLEST:
        return None
    runs = _joined(runs_of(lit), height)
    if not 2 <= len(runs) <= 6:
        return None
    widths = [right - left for left, right in runs]
    width = max(widths) if max(widths) > 0.34 * height else round(0.5 * height)
    pitches = np.diff([right for _, right in runs])
    slack = max(1.0, 0.07 * height)
    if width > 0.85 * height or np.ptp(pitches) > 2 * slack:
        return None
    if not width < pitches.mean() < 1.15 * height:
        return None
    text = ""
    for left, right in runs:
        narrow = right - left < 0.34 * height
        # The place of a 1 begins where nothing is lit, perhaps before the box.
        blank = width - (right - left) if narrow else 0
        cell = np.pad(lit[:, left:right], ((0, 0), (blank, 0)))
        character = _LIT.get(_segments_of(cell))
        if character is None or (character not in "-1" and right - left < 0.75 * width):
            return None
        text += character
    return text if "-" not in text[1:] and text != "-" else None


def runs_of(drawn: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """(begin, end) of the columns side by side in which something of (h, w) is drawn."""
    columns = np.zeros(drawn.shape[1] + 2, np.bool_)
    columns[1:-1] = drawn.any(axis=0)
    steps = np.flatnonzero(columns[1:] != columns[:-1])
    return [(int(begin), int(end)) for begin, end in steps.reshape(-1, 2)]


def _joined(runs: list[tuple[int, int]], height: int) -> list[tuple[int, int]]:
    """Segments of one digit that a dark gap parts."""
    joined = runs[:1]
    for left, right in runs[1:]:
        begin, end = joined[-1]
        if left - end <= max(1, 0.06 * height) and right - begin <= 0.66 * height:
            joined[-1] = (begin, right)
        else:
            joined.append((left, right))
    return joined


def _segments_of(cell: NDArray[np.bool_]) -> str:
    """Return the names of the lit segments, in order; '?' among them where one is half lit."""
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
    # A segment that lies across begins and ends at the sides; within the holes nothing is lit.
    middle = slice(round(0.4 * width), max(round(0.6 * width), round(0.4 * width) + 1))
    thick = max(1, round(0.06 * height))
    holes = (
        cell[round(0.27 * height) : round(0.4 * height) - thick, middle],
        cell[round(0.6 * height) + thick : round(0.73 * height) + 1, middle],
    )
    if any(hole.size and hole.mean() > 0.25 for hole in holes):
        return "?"
    return "".join(name if share >= 0.7 else "?" for name, share in shares.items() if share > 0.3)
