"""Growing a board: from some cells of a lattice to the whole of it, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import UNREAD
from vision.finder.borders import begun, standard_of
from vision.finder.candidates import spread
from vision.finder.combs import middle
from vision.finder.pitch_refinement import polished
from vision.finder.placing import SIDES, Place, Side, Span
from vision.finder.resemblance import Resemblance, Seen, resemblance_to
from vision.learning.rules import impossible_zeros
from vision.skins import Skin
from vision.supported import LEAST_LINES

MAX_SIDE: Final = 100


_LINE: Final = 0.5
"""Least part of a lattice's outer line that must be readable."""
_KEPT: Final = 0.4
"""Least part of a lattice's extent that must be left without such lines."""
READ: Final = 0.9
"""Least part of a board's tiles that must be readable."""
_SEEN: Final = 0.6
"""The same for a board to be worth a remark."""
_STANDARD: Final = 128
"""Tiles of a board that show how near to their pictures they are."""
_EMPTY: Final = 0.97
"""Part of a board's readable tiles that may be empty."""
_IDLE: Final = 0.5
"""Part of the hints that may count nothing: what a tile resembles is not yet what it shows."""
_SPOTTED: Final = 0.14
"""Median of the tiles' spots beyond which it is something else in rows and columns. Measured:
boards drawn at other scales 0.05, JPEG of quality 75 0.13, keys of a keyboard 0.175."""
_WITHOUT: Final[dict[Side, tuple[slice, slice]]] = {
    "top": (slice(1, None), slice(None)),
    "bottom": (slice(-1), slice(None)),
    "left": (slice(None), slice(1, None)),
    "right": (slice(None), slice(-1)),
}
"""What is left of an array without the line at a side."""


@dataclass(frozen=True, eq=False)
class Found:
    """A board in pixels of the picture."""

    skin: Skin
    place: Place
    span: Span
    tiles: NDArray[np.int8]
    """(rows, cols) int8 codes of what its tiles resemble."""

    distance: float
    """Mean of the tiles, to the pictures that they are nearest to."""

    @property
    def read(self) -> float:
        """Part of the tiles that could be read."""
        return float((self.tiles != UNREAD).mean())

    @property
    def rank(self) -> tuple[bool, float]:
        """The better board has the greater one."""
        return self.read >= READ, self.read if self.read < READ else -self.distance

    def over(self, other: Found) -> bool:
        """Return whether it shares pixels with another board that is no larger."""
        return self.tiles.size >= other.tiles.size and any(
            self.holds(corner) for corner in other.corners()
        )

    def meets(self, other: Found) -> bool:
        """Return whether the two share pixels."""
        return any(map(self.holds, other.corners())) or any(map(other.holds, self.corners()))

    def corners(self) -> Iterator[tuple[float, float]]:
        """Yield the middles (x, y) of its corner cells, in pixels."""
        for row in (self.span.top, self.span.bottom - 1):
            for col in (self.span.left, self.span.right - 1):
                yield (
                    float(self.place.x(col)) + self.place.pitch_x / 2,
                    float(self.place.y(row)) + self.place.pitch_y / 2,
                )

    def holds(self, point: tuple[float, float]) -> bool:
        """Return whether a pixel (x, y) lies on it."""
        place, span = self.place, self.span
        return bool(
            place.x(span.left) <= point[0] < place.x(span.right)
            and place.y(span.top) <= point[1] < place.y(span.bottom)
        )


def whole_board(
    image: NDArray[np.uint8], place: Place, span: Span, skin: Skin, part: float = 0.0
) -> Found | None:
    """Return the board that a span of cells belongs to; None if it is none after all.

    Args:
        image: (H, W, 3) uint8 BGR.
        place: Where the cells are.
        span: Those that are known.
        skin: Of the board.
        part: Least part of a further line that has to look like tiles.
    """
    measure = resemblance_to(skin)
    trimmed = _trimmed(image, place, _inside(image, place, span), measure)
    if trimmed is None:
        return None
    span, seen = trimmed
    if _spotted(seen):
        return None
    exact = polished(image, place, span, measure)
    grown = _grown(image, exact, span, measure, part)
    if grown != span and not measure.own_size(place.pitch_x, place.pitch_y):
        exact = polished(image, exact, grown, measure)
        grown = _grown(image, exact, grown, measure, part)
    if min(grown.rows, grown.cols) < LEAST_LINES:
        return None
    if (exact, grown) != (place, span):
        seen = measure.see(exact.cut(image, grown))
    codes = seen.codes.reshape(grown.rows, grown.cols)
    if _spotted(seen) or not _believable(codes):
        return None
    return Found(skin, exact, grown, codes, float(seen.distance.mean()))


def _spotted(seen: Seen) -> bool:
    return middle(seen.spots) > _SPOTTED


def _inside(image: NDArray[np.uint8], place: Place, span: Span) -> Span:
    """Return a span as far as it lies in the picture."""
    for side in SIDES:
        while min(span.rows, span.cols) > 0 and not place.inside(image, span.line(side)):
            span = span.grown(side, -1)
    return span


def _trimmed(
    image: NDArray[np.uint8], place: Place, span: Span, measure: Resemblance
) -> tuple[Span, Seen] | None:
    """Without the outer lines that cannot be read, and what is seen there.

    None where too little is left.
    """
    if min(span.rows, span.cols) <= 0:
        return None
    seen = measure.see(place.cut(image, span))
    whole = read = seen.codes.reshape(span.rows, span.cols) != UNREAD
    least = _KEPT * read.size
    while read.size >= least and min(read.shape) > 1:
        ends: dict[Side, NDArray[np.bool_]] = {
            "top": read[0],
            "bottom": read[-1],
            "left": read[:, 0],
            "right": read[:, -1],
        }
        worst = min(ends, key=lambda side: float(ends[side].mean()))
        if ends[worst].mean() >= _LINE:
            if read.mean() < _SEEN:
                return None
            return span, seen if read is whole else measure.see(place.cut(image, span))
        span = span.grown(worst, -1)
        read = read[_WITHOUT[worst]]
    return None


def _grown(
    image: NDArray[np.uint8], place: Place, span: Span, measure: Resemblance, part: float
) -> Span:
    """Return the span with each side moved out as far as the lines look like those inside."""
    tiles = place.cut(image, span)
    standard = standard_of(measure, tiles[spread(len(tiles), _STANDARD)])
    before = None
    while before != span:
        before = span
        for side in SIDES:
            while max(span.rows, span.cols) <= MAX_SIDE:
                line = span.line(side, out=1)
                if not place.inside(image, line):
                    break
                if not begun(image, place, line, side, measure, standard, part):
                    break
                span = span.grown(side)
    return span


def _believable(codes: NDArray[np.int8]) -> bool:
    """Return whether this is a game: largely readable, not all empty, no empty cell left alone.

    A table with some blank fields is no board. A board in mid-animation is one all the
    same, hence the tenth.
    """
    read = codes[codes != UNREAD]
    if len(read) < _SEEN * codes.size or (read == 0).mean() > _EMPTY:
        return False
    return bool(impossible_zeros(codes).mean() < 0.1) and not _numbered(codes)


def _numbered(codes: NDArray[np.int8]) -> bool:
    """Return whether numbers stand about that count nothing: a puzzle, or days of a month.

    Next to a hint there is a cell that was not opened, or one that cannot be read. In other light
    an empty cell may resemble a hint: what most opened cells resemble is not counted.
    """
    opened = codes[codes >= 0]
    if not len(opened):
        return False
    hints = (codes > 0) & (codes != np.bincount(opened).argmax())
    closed = cv2.dilate((codes < 0).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    return bool((hints & ~closed).sum() > _IDLE * hints.sum())
