"""Finding boards: where on a picture a Minesweeper is, which skin it wears, how large it is.

Nobody says where to look and at what scale. `vision.lattice` proposes lattices of equal
faces, `vision.placing` the skins that these look like. From there the board grows line by
line for as long as the tiles of a line look as the tiles inside do. A board that ends in
the middle of a tile is cut off, by another window or by the edge of the picture: it is
never taken for a smaller board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import UNREAD
from bot.frame import Frame, Grid
from vision.borders import begun, goes_on, matcher_of, standard_of
from vision.lattice import Lattice, find_lattices
from vision.matcher import Matcher, Tiles
from vision.placing import SIDES, Place, Side, Span, fit_skins
from vision.polishing import polished
from vision.skins import Skin
from vision.tracking import impossible_zeros

MIN_SIDE: Final = 4
MAX_SIDE: Final = 100
MIN_PITCH: Final = 9.5
MAX_PITCH: Final = 125.0

_MAX_LATTICES: Final = 80
_LINE: Final = 0.5
"""Least part of a lattice's outer line that must be readable."""
_READ: Final = 0.9
"""Least part of a board's tiles that must be readable."""
_SEEN: Final = 0.6
"""The same for a board to be worth a remark."""
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


class BoardNotFound(RuntimeError):
    """No board that can be read; the message says what was seen and what to do."""


@dataclass(frozen=True, eq=False)
class Sighting:
    """A board that was found."""

    grid: Grid
    skin: Skin
    tiles: NDArray[np.int8]
    """(rows, cols) int8 tile codes."""
    confidence: float
    """Part of the tiles that could be read, 0..1."""


@dataclass(frozen=True, eq=False)
class _Found:
    """A board in pixels of the picture."""

    skin: Skin
    place: Place
    span: Span
    tiles: NDArray[np.int8]

    @property
    def read(self) -> float:
        """Part of the tiles that could be read."""
        return float((self.tiles != UNREAD).mean())

    def over(self, other: _Found) -> bool:
        """Whether it shares pixels with another board that is no larger."""
        return self.tiles.size >= other.tiles.size and any(
            self.holds(corner) for corner in other.corners()
        )

    def corners(self) -> Iterator[tuple[float, float]]:
        """The middles (x, y) of its corner cells, in pixels."""
        for row in (self.span.top, self.span.bottom - 1):
            for col in (self.span.left, self.span.right - 1):
                yield (
                    self.place.left + (col + 0.5) * self.place.pitch_x,
                    self.place.top + (row + 0.5) * self.place.pitch_y,
                )

    def holds(self, point: tuple[float, float]) -> bool:
        """Whether a pixel (x, y) lies on it."""
        col = (point[0] - self.place.left) / self.place.pitch_x
        row = (point[1] - self.place.top) / self.place.pitch_y
        return self.span.left <= col < self.span.right and self.span.top <= row < self.span.bottom


def find_boards(frame: Frame, skins: Iterable[Skin]) -> list[Sighting]:
    """Every whole board of a known skin in a frame, from the top down.

    Args:
        frame: Any part of the desktop, or a picture.
        skins: Those that may be there.

    Returns:
        One sighting a board. Boards that are cut off are not among them: see `survey`.
    """
    return survey(frame, skins)[0]


def survey(frame: Frame, skins: Iterable[Skin]) -> tuple[list[Sighting], list[str]]:
    """The boards of a frame, and a remark for each that was seen but cannot be used."""
    image, skins = frame.image, tuple(skins)
    seen: list[_Found] = []
    for lattice in find_lattices(image)[:_MAX_LATTICES]:
        if not _possible(lattice) or any(board.holds(lattice.center) for board in seen):
            continue
        board = _likest_board(image, lattice, skins)
        if board is not None and not any(other.over(board) for other in seen):
            # What is found later and is larger was there before as a part of itself.
            seen = [other for other in seen if not board.over(other)]
            seen.append(board)
    faults = [_fault(image, board) for board in seen]
    good = [board for board, fault in zip(seen, faults, strict=True) if fault is None]
    sightings = [_sighting(frame, board) for board in good]
    sightings.sort(key=lambda sighting: (sighting.grid.top, sighting.grid.left))
    return sightings, [fault for fault in faults if fault is not None]


def _possible(lattice: Lattice) -> bool:
    return (
        MIN_PITCH <= lattice.pitch_x <= MAX_PITCH
        and MIN_PITCH <= lattice.pitch_y <= MAX_PITCH
        and 0.75 <= lattice.pitch_x / lattice.pitch_y <= 1.33
    )


def _likest_board(
    image: NDArray[np.uint8], lattice: Lattice, skins: tuple[Skin, ...]
) -> _Found | None:
    """The board of the first skin that reads it; without one, what was read best."""
    best: _Found | None = None
    for skin, place in fit_skins(image, lattice, skins, matcher_of):
        matcher = matcher_of(skin)
        span = _trimmed(image, place, _own_span(image, lattice, place), matcher)
        board = None if span is None else _whole_board(image, place, span, skin)
        if board is not None and board.read >= _READ:
            return board
        if board is not None and (best is None or board.read > best.read):
            best = board
    return best


def _whole_board(image: NDArray[np.uint8], place: Place, span: Span, skin: Skin) -> _Found | None:
    """The board that a span of cells belongs to; None where it is none after all."""
    matcher = matcher_of(skin)
    if _spotted(matcher, place.cut(image, span)):
        return None
    place = polished(image, place, span, matcher)
    grown = _grown(image, place, span, matcher)
    if grown != span:
        place = polished(image, place, grown, matcher)
        grown = _grown(image, place, grown, matcher)
    tiles = place.cut(image, grown)
    codes = matcher.match(tiles)[0].reshape(grown.rows, grown.cols)
    if min(codes.shape) < MIN_SIDE or not _believable(codes):
        return None
    return None if _spotted(matcher, tiles) else _Found(skin, place, grown, codes)


def _spotted(matcher: Matcher, tiles: Tiles) -> bool:
    return float(np.median(matcher.spots(tiles))) > _SPOTTED


def _own_span(image: NDArray[np.uint8], lattice: Lattice, place: Place) -> Span:
    """The cells of the lattice's own faces, as far as they lie in the picture."""
    span = Span(0, 0, int(lattice.rows.max()) + 1, int(lattice.cols.max()) + 1)
    for side in SIDES:
        while min(span.rows, span.cols) > 0 and not place.inside(image, span.line(side)):
            span = span.grown(side, -1)
    return span


def _trimmed(image: NDArray[np.uint8], place: Place, span: Span, matcher: Matcher) -> Span | None:
    """Without the outer lines that cannot be read; None where too little is left."""
    if min(span.rows, span.cols) <= 0:
        return None
    codes, _ = matcher.match(place.cut(image, span))
    read = codes.reshape(span.rows, span.cols) != UNREAD
    while read.size:
        ends: dict[Side, NDArray[np.bool_]] = {
            "top": read[0],
            "bottom": read[-1],
            "left": read[:, 0],
            "right": read[:, -1],
        }
        worst = min(ends, key=lambda side: float(ends[side].mean()))
        if ends[worst].mean() >= _LINE:
            return span if read.mean() >= _SEEN else None
        span = span.grown(worst, -1)
        read = read[_WITHOUT[worst]]
    return None


def _grown(image: NDArray[np.uint8], place: Place, span: Span, matcher: Matcher) -> Span:
    """The span with each side moved out as far as the lines look like those inside."""
    standard = standard_of(matcher, place.cut(image, span))
    before = None
    while before != span:
        before = span
        for side in SIDES:
            while max(span.rows, span.cols) <= MAX_SIDE:
                line = span.line(side, out=1)
                if not place.inside(image, line):
                    break
                if not begun(image, place, line, side, matcher, standard):
                    break
                span = span.grown(side)
    return span


def _believable(codes: NDArray[np.int8]) -> bool:
    """Whether this is a game: largely readable, not all empty, no empty cell left alone.

    A table with some blank fields is no board. A board in mid-animation is one all the
    same, hence the tenth.
    """
    if (codes != UNREAD).mean() < _SEEN or (codes == 0).mean() > 0.97:
        return False
    return bool(impossible_zeros(codes).mean() < 0.1)


def _fault(image: NDArray[np.uint8], board: _Found) -> str | None:
    """Why a board cannot be used: it goes on where it cannot be seen; None where it can."""
    span, name = board.span, board.skin.name
    size = f"{span.rows} rows and {span.cols} columns"
    if max(span.rows, span.cols) > MAX_SIDE:
        return f"a {name} board has more than {MAX_SIDE} rows or columns"
    if board.read < _READ:
        return (
            f"a {name} board shows {size}, but {1 - board.read:.0%} of its tiles cannot be read: "
            "move what lies over it"
        )
    for side in SIDES:
        if goes_on(image, board.skin, board.place, board.span, board.tiles, side):
            return (
                f"a {name} board shows {size} but is cut off at its {side}: move what lies "
                "over it, or bring it onto the screen as a whole"
            )
    return None


def _sighting(frame: Frame, board: _Found) -> Sighting:
    place, span, scale = board.place, board.span, frame.scale
    grid = Grid(
        left=frame.region.left + (place.left + span.left * place.pitch_x) / scale,
        top=frame.region.top + (place.top + span.top * place.pitch_y) / scale,
        pitch_x=place.pitch_x / scale,
        pitch_y=place.pitch_y / scale,
        rows=span.rows,
        cols=span.cols,
        scale=scale,
    )
    face = board.skin.restart.face
    if face is not None:
        grid = replace(grid, face=face.region(grid))
    read = float((board.tiles != UNREAD).mean())
    return Sighting(grid, board.skin, board.tiles, read)
