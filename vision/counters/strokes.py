"""Strokes on a screen: what is drawn thinly on wider ground, grouped into lines of writing.

A stroke is brighter (or darker) than its surroundings and thinner than a kernel of
morphology. Gaps between strokes look like strokes of the other kind; they are told by
leading out into ground of their own level.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

LOWEST: Final = 5
"""Pixels; smaller is no digit."""

_CONTRAST: Final = 40
"""Levels by which a stroke differs from what is around it."""
_HIGHEST: Final = 5
"""Thicknesses of a stroke; higher is no counter."""
_MOST_BLOBS: Final = 1500
_LONGEST: Final = 8
"""Times its height; what is longer in one stroke is a line or the edge of something."""
_LETTERS: Final = 4
"""Blobs that are a text."""
_TEXT, _MINUS = 3.0, 3.3
"""Times its height that a blob of letters that touch is wide; times the height of a minus sign that
a digit is high."""
_LINE_GAP: Final = 1.6
"""Of its height; a wider gap parts two lines."""

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
        """Columns."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Rows."""
        return self.bottom - self.top

    def with_part(self, other: Piece) -> Piece:
        """Both as one."""
        return Piece(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
            self.parts + other.parts,
        )


@dataclass(frozen=True, eq=False)
class Line:
    """Blobs of ink side by side, of one height."""

    box: Piece
    ink: Ink
    """(h, w) of the box, 0..255: 255 is the line's own full contrast."""


def brighter(level: NDArray[np.uint8], stroke: int) -> Ink:
    """How much brighter each pixel is than what is around it, where that is no wide plane."""
    return np.asarray(cv2.morphologyEx(level, cv2.MORPH_TOPHAT, _square(stroke)), np.uint8)


def only_strokes(level: NDArray[np.uint8], ink: Ink) -> Ink:
    """Return the ink of strokes alone: no gaps between strokes, no frames around others."""
    left: Ink = np.zeros_like(ink)
    x, y, w, h = cv2.boundingRect((ink > _CONTRAST).astype(np.uint8))
    if w:
        # Most of what is around a board is bare.
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
    # A gap between dark strokes leads out into ground as bright as itself; a stroke does not.
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
    left: Ink = np.where(near & (kept | (drawn == 0)), ink, 0).astype(np.uint8)
    return left


def lines_of(ink: Ink, stroke: int) -> list[Line]:
    """Group what is drawn in strokes into lines of one height."""
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
    # What is twice as high as several letters is no letter: a face is not of their line.
    text = line.parts >= _LETTERS and blob.height > 2 * line.height
    if _beside_text(line, blob) or _beside_text(blob, line):
        return False
    height = line.height if text else max(line.height, blob.height)
    if blob.left - line.right > _LINE_GAP * height:
        return False
    overlap = min(line.bottom, blob.bottom) - max(line.top, blob.top)
    return overlap >= 0.7 * min(line.height, blob.height)


def _beside_text(text: Piece, other: Piece) -> bool:
    """Return whether a blob is twice as high as letters that touch; a minus sign is lower."""
    return text.width >= _TEXT * text.height and 2 < other.height / text.height < _MINUS


def _contrast(ink: Ink) -> Ink:
    count = max(3, ink.size // 100)
    if ink.size <= count:
        return ink
    peak = float(np.partition(ink, -count, axis=None)[-count:].mean())
    return np.asarray(cv2.convertScaleAbs(ink, alpha=255 / max(peak, 1)), np.uint8)


def _square(side: int) -> NDArray[np.uint8]:
    return np.ones((side, side), np.uint8)
