"""Pieces of writing: what hangs together on a line of strokes, enlarged where it is small."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.counters.strokes import Ink, Line, Piece

_LARGE: Final = 20
"""Pixels; lower lines are enlarged to about that."""
_THIN: Final = 0.06
"""Of a line's height; what is lower is no dot of a colon but a rest of something else."""
_FLAT: Final = 0.2
"""Of its width; what is as long as the line is high and flatter is the edge of a panel
(seen in the rounded look at 125 and 150 %)."""


@dataclass(frozen=True, eq=False)
class Zoomed:
    """The ink of a line, enlarged."""

    ink: Ink
    zoom: int

    @cached_property
    def leaning(self) -> dict[Piece, bool]:
        """Pieces that were held against a slash."""
        return {}

    def is_slash(self, piece: Piece, height: float) -> bool:
        """Return whether a piece is a slash among digits of that height."""
        if piece.height < 0.85 * height or piece.width > piece.height or piece.width < 3:
            return False
        if piece not in self.leaning:
            self.leaning[piece] = _leans(self.of(piece), self.zoom)
        return self.leaning[piece]

    def of(self, piece: Piece) -> NDArray[np.float32]:
        """Return the ink of a piece, 0..1."""
        ink = self.ink[piece.top : piece.bottom, piece.left : piece.right].astype(np.float32) / 255
        return np.clip((ink - 0.12) / 0.7, 0, 1)


def enlarged(line: Line) -> Zoomed:
    """Return a line of at least some twenty pixels, where it may be enlarged at most four times."""
    height, width = line.ink.shape
    zoom = min(ceil(_LARGE / height), 4)
    if zoom == 1:
        return Zoomed(line.ink, 1)
    size = (width * zoom, height * zoom)
    return Zoomed(np.asarray(cv2.resize(line.ink, size, interpolation=cv2.INTER_CUBIC)), zoom)


def pieces_of(drawn: NDArray[np.bool_], zoom: int) -> list[Piece]:
    """Return connected pieces from left to right; overlapping columns form one piece."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(drawn.astype(np.uint8))
    found: list[Piece] = []
    high = drawn.shape[0]
    for x, y, w, h, area in sorted(stats[1:].tolist()):
        if area < 2 * zoom * zoom or h < _THIN * high or (w > high and h < _FLAT * w):
            continue
        piece = Piece(x, y, x + w, y + h)
        if found and _above_each_other(found[-1], piece):
            found[-1] = found[-1].with_part(piece)
        else:
            found.append(piece)
    return found


def _above_each_other(one: Piece, other: Piece) -> bool:
    shared = min(one.right, other.right) - max(one.left, other.left)
    return shared > 0.5 * min(one.width, other.width)


def _leans(ink: NDArray[np.float32], zoom: int) -> bool:
    """Return whether it is a straight stroke that leans further right than an italic digit."""
    height, width = ink.shape
    weight = ink.sum(axis=1)
    if weight.min() <= 0 or weight.max() > 3.2 * np.median(weight) + 0.5 * zoom:
        return False
    at = (ink @ np.arange(width, dtype=np.float32)) / weight
    rows = np.arange(height) - (height - 1) / 2
    slope = float(rows @ at / (rows @ rows))
    if slope > -0.22:
        return False
    spread = np.sqrt((ink * (np.arange(width)[None] - at[:, None]) ** 2).sum(axis=1) / weight)
    straight = np.abs(at - (at.mean() + slope * rows)).max() <= 0.35 * zoom + 0.05 * height
    return bool(straight and spread.max() <= 0.6 * zoom + 0.12 * height)
