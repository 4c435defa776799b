"""Strokes of counters: connected ink that is brighter, or darker, than its surroundings.

A stroke is thinner than a kernel of morphology. Gaps between strokes look like strokes of the
opposite polarity, but they are connected to background of their own level.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

LOWEST: Final = 5
"""Least height of a digit, in pixels."""

_CONTRAST: Final = 40
"""Least contrast of a stroke to its surroundings, in grey levels."""
_HIGHEST: Final = 5
"""Greatest height of a counter's digits, in stroke widths."""
_MOST_BLOBS: Final = 1500
_LONGEST: Final = 8
"""Greatest width of a digit, in heights; a longer stroke is a line or an edge."""
_LETTERS: Final = 4
"""Least number of blobs of a text."""
_TEXT, _MINUS = 3.0, 3.3
"""Width of a blob of touching letters, in heights; height of a digit, in heights of a minus
sign."""
_LINE_GAP: Final = 1.6
"""Gap that separates two lines, as a share of the height."""

Ink = NDArray[np.uint8]


@dataclass(frozen=True)
class Piece:
    """A connected piece of writing, or several above each other."""

    left: int
    top: int
    right: int
    bottom: int
    parts: int = 1

    @property
    def width(self) -> int:
        """Number of columns."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Number of rows."""
        return self.bottom - self.top

    def with_part(self, other: Piece) -> Piece:
        """Return both pieces as one."""
        return Piece(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
            self.parts + other.parts,
        )


@dataclass(frozen=True, eq=False)
class Line:
    """Blobs of ink next to each other, of one height."""

    box: Piece
    ink: Ink
    """(h, w) of the box, 0..255: 255 is the line's own full contrast."""


def brighter(level: NDArray[np.uint8], stroke: int) -> Ink:
    """Return how much brighter each pixel is than its surroundings; 0 in wide areas."""
    return np.asarray(cv2.morphologyEx(level, cv2.MORPH_TOPHAT, _square(stroke)), np.uint8)


def only_strokes(level: NDArray[np.uint8], ink: Ink) -> Ink:
    """Return the ink of strokes alone: no gaps between strokes, no frames around others."""
    left: Ink = np.zeros_like(ink)
    x, y, w, h = cv2.boundingRect((ink > _CONTRAST).astype(np.uint8))
    if w:
        # Most of the surroundings of a board are empty.
        rows, cols = slice(max(y - 4, 0), y + h + 4), slice(max(x - 4, 0), x + w + 4)
        left[rows, cols] = _only_strokes(level[rows, cols], ink[rows, cols])
    return left


def _only_strokes(level: NDArray[np.uint8], ink: Ink) -> Ink:
    drawn = (ink > _CONTRAST).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(drawn)
    if not 1 < count < 2**16:
        return np.zeros_like(ink)
    beside = cv2.dilate(drawn, _square(3))
    ring = np.flatnonzero(cv2.dilate(drawn, _square(5)) > beside)
    owners = labels.astype(np.uint16)
    around = cv2.dilate(owners, _square(5)).ravel()[ring].astype(np.intp)
    # A gap between dark strokes leads to background of its own brightness; a stroke does not.
    brightest = cv2.dilate(level * drawn, _square(5)).ravel()[ring].astype(np.int16)
    ground = level.ravel()[ring].astype(np.int16)
    pixels = np.flatnonzero(drawn)
    owner, weight = labels.ravel()[pixels], ink.ravel()[pixels].astype(np.float64)
    mean = np.bincount(owner, weight * level.ravel()[pixels], count) / np.maximum(
        np.bincount(owner, weight, count), 1
    )
    leaks = (np.abs(brightest - ground) < 20) & (ground > mean[around] - 40)
    leaked = np.bincount(around, leaks, count)
    rims = np.bincount(around, minlength=count)
    x, y, w, h, area = stats.T
    sums = cv2.integral(drawn)
    within = sums[y + h, x + w] - sums[y, x + w] - sums[y + h, x] + sums[y, x]
    hollow = (w > 24) & (area < 0.3 * w * h) & (within > 1.1 * area)
    keep = (leaked <= 0.1 * rims) & ~hollow
    keep[0] = False
    kept = keep[labels]
    near = np.asarray(cv2.dilate(kept.astype(np.uint8), _square(3))) > 0
    return np.where(near & (kept | (drawn == 0)), ink, 0).astype(np.uint8)


def lines_of(ink: Ink, stroke: int) -> list[Line]:
    """Group strokes into lines of one height."""
    joined = cv2.dilate((ink > 0).astype(np.uint8), _square(3))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    # The dilation added a pixel on each side.
    x, y, w, h = (stats[1:, :4] + (1, 1, -2, -2)).T
    fit = (h <= _HIGHEST * stroke) & (w >= 1) & (h >= 1)
    order = np.argsort(x[fit], kind="stable")[:_MOST_BLOBS]
    boxes = np.stack([x, y, x + w, y + h], axis=1)[fit][order]
    done: list[Piece] = []
    groups: list[Piece] = []
    for box in boxes.tolist():
        blob = Piece(*box)
        far = [line for line in groups if blob.left - line.right > _LINE_GAP * _HIGHEST * stroke]
        if far:
            done += far
            groups = [line for line in groups if line not in far]
        for index in range(len(groups) - 1, -1, -1):
            if _same_line(groups[index], blob):
                groups[index] = groups[index].with_part(blob)
                break
        else:
            groups.append(blob)
    return [
        Line(box, _contrast(ink[box.top : box.bottom, box.left : box.right]))
        for box in (*done, *groups)
        if box.height >= LOWEST and (box.parts > 1 or box.width <= _LONGEST * box.height)
    ]


def _same_line(line: Piece, blob: Piece) -> bool:
    # A blob twice as high as several letters is no letter: a face is not part of their line.
    text = line.parts >= _LETTERS and blob.height > 2 * line.height
    if _beside_text(line, blob) or _beside_text(blob, line):
        return False
    height = line.height if text else max(line.height, blob.height)
    if blob.left - line.right > _LINE_GAP * height:
        return False
    overlap = min(line.bottom, blob.bottom) - max(line.top, blob.top)
    return overlap >= 0.7 * min(line.height, blob.height)


def _beside_text(text: Piece, other: Piece) -> bool:
    """Return whether a blob is twice as high as touching letters; a minus sign is lower."""
    return text.width >= _TEXT * text.height and 2 < other.height / text.height < _MINUS


def _contrast(ink: Ink) -> Ink:
    count = max(3, ink.size // 100)
    if ink.size <= count:
        return ink
    peak = float(np.partition(ink, -count, axis=None)[-count:].mean())
    return np.asarray(cv2.convertScaleAbs(ink, alpha=255 / max(peak, 1)), np.uint8)


def _square(side: int) -> NDArray[np.uint8]:
    return np.ones((side, side), np.uint8)


@dataclass(frozen=True)
class Number:
    """A number and its position, in pixels of the image."""

    text: str
    left: int
    top: int
    right: int
    bottom: int
    seven_segment: bool = False
    worded: bool = False
    """Whether a label is next to it: it counts what the label says."""
    counts_mines: bool = False
    """Whether that label is 'mines' or 'bombs'."""
    room: tuple[int, int] | None = None
    """The columns (begin, end) of a region that contains the number and its label alone."""

    @property
    def height(self) -> int:
        """Height of its digits."""
        return self.bottom - self.top

    def moved(self, by: int) -> Number:
        """Return the same number at another position."""
        box = (self.left + by, self.top + by, self.right + by, self.bottom + by)
        room = self.room and (self.room[0] + by, self.room[1] + by)
        return replace(self, left=box[0], top=box[1], right=box[2], bottom=box[3], room=room)

    def meets(self, other: Number) -> bool:
        """Return whether both share a part of the picture."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def clear_of_edges(self, width: int, height: int) -> bool:
        """Return whether no part of it can be cut off by the edges of the picture."""
        return self.left > 0 and self.top > 0 and self.right < width and self.bottom < height
