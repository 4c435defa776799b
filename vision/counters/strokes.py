"""Strokes of displays: connected ink, thinner than a given width, that is brighter than around."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

LOWEST: Final = 5
"""Least height of a digit, in pixels."""


@dataclass(frozen=True)
class StrokeLimits:
    """Limits of the strokes of seven-segment digits.

    `vision/RESULTS.md` says what single ones are worth.
    """

    contrast: int = 40
    """Least contrast of a stroke to its surroundings, in grey levels."""
    highest: int = 5
    """Greatest height of a counter's digits, in stroke widths."""
    most_blobs: int = 1500
    line_gap: float = 1.6
    """Gap that separates two lines, as a share of the height."""


_STROKE: Final = StrokeLimits()


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


def without_frames(ink: Ink) -> Ink:
    """Return ink without the frames around other ink."""
    drawn = (ink > _STROKE.contrast).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(drawn)
    x, y, w, h, area = stats.T
    sums = cv2.integral(drawn)
    within = sums[y + h, x + w] - sums[y, x + w] - sums[y + h, x] + sums[y, x]
    keep = ~((w > 24) & (area < 0.3 * w * h) & (within > 1.1 * area))
    keep[0] = False
    near = np.asarray(cv2.dilate(keep[labels].astype(np.uint8), _square(3))) > 0
    return np.where(near, ink, 0).astype(np.uint8)


def lines_of(ink: Ink, stroke: int) -> list[Line]:
    """Group strokes into lines of one height."""
    joined = cv2.dilate((ink > 0).astype(np.uint8), _square(3))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    # The dilation added a pixel on each side.
    x, y, w, h = (stats[1:, :4] + (1, 1, -2, -2)).T
    fit = (h <= _STROKE.highest * stroke) & (w >= 1) & (h >= 1)
    order = np.argsort(x[fit], kind="stable")[: _STROKE.most_blobs]
    boxes = np.stack([x, y, x + w, y + h], axis=1)[fit][order]
    done: list[Piece] = []
    groups: list[Piece] = []
    for box in boxes.tolist():
        blob = Piece(*box)
        far = [
            line
            for line in groups
            if blob.left - line.right > _STROKE.line_gap * _STROKE.highest * stroke
        ]
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
        if box.height >= LOWEST
    ]


def _same_line(line: Piece, blob: Piece) -> bool:
    if blob.left - line.right > _STROKE.line_gap * max(line.height, blob.height):
        return False
    overlap = min(line.bottom, blob.bottom) - max(line.top, blob.top)
    return overlap >= 0.7 * min(line.height, blob.height)


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
    initial: str = ""
    """That label if it is one letter, in lower case: M or B, T."""
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


def runs_of(drawn: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return (begin, end) of the runs of adjacent columns of (h, w) that contain ink."""
    columns = np.zeros(drawn.shape[1] + 2, np.bool_)
    columns[1:-1] = drawn.any(axis=0)
    steps = np.flatnonzero(columns[1:] != columns[:-1])
    return [(int(begin), int(end)) for begin, end in steps.reshape(-1, 2)]
