"""Growing a board: from some cells of a lattice to the whole of it, line by line.

A place is corrected to a fraction of a pixel by how the tiles fit, and a board ends where the next
line neither looks like its tiles nor begins to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import UNOPENED, UNREAD
from vision import LEAST_LINES, MOST_LINES
from vision.finder.lattice import Floats, Ints, Lattice, middle
from vision.finder.placing import SAMPLES, SIDES, Place, Rectangle, Side, Span, misfit_of, spread
from vision.finder.resemblance import Resemblance, Seen, Tiles, resemblance_to
from vision.learning.rules import impossible_zeros
from vision.skins import Skin


@dataclass(frozen=True)
class BoardLimits:
    """When cells that look like tiles are a board."""

    seen: float = 0.6
    """Least part of its tiles that must be readable for a board to be worth a remark."""
    standard: int = 128
    """Tiles of a board that show how near to their pictures they are."""
    empty: float = 0.97
    """Part of a board's readable tiles that may be empty."""
    idle: float = 0.5
    """Part of the hints that may count nothing: what a tile resembles is not yet what it shows."""
    spotted: float = 0.14
    """Median of the tiles' spots beyond which it is something else in rows and columns. Measured:
    boards drawn at other scales 0.05, JPEG of quality 75 0.13, keys of a keyboard 0.175."""


_BOARD: Final = BoardLimits()
READ: Final = 0.9
"""Least part of a board's tiles that must be readable."""


@dataclass(frozen=True)
class EndLimits:
    """When the line beyond a side of a board belongs to it, or begins to."""

    less_alike: float = 0.12
    """By how much less they may correlate with their pictures than the tiles inside."""
    alike: float = 0.6
    """Least correlation of an outer line's tiles with their pictures: what lies around a board is
    often as plain as its empty cells, but has no lines."""
    begun: int = 2
    """Tiles beyond a board that show that it goes on: a dialog may lie over the others."""
    roughly: float = 0.5
    """Least correlation of a part of a tile with the pictures; only then it is compared with the
    board's own tiles."""
    own: int = 256
    """Tiles of a board with which the pixels beyond it are compared."""
    farther: float = 1.5
    near: float = 0.01
    little: float = 0.1
    """How much farther, and less alike, than three in four of them are to each other it may be.
    Measured on recorded games, whole and cut: frames 0.05 and 0.58 to 0.90, cells 0.000 and
    1.00."""
    other: float = 0.03
    """Part of a pitch, from 1 pixel on, by which the pitch of faces beyond a board may differ: some
    lines of GTK's cells are a pixel wider than the others, and 1.25 pixels at a scale of 125 %."""
    sliver: float = 0.25
    """Part of a tile that has to show for a board to count as cut off."""


_END: Final = EndLimits()


@dataclass(frozen=True)
class GrowingLimits:
    """Limits of how far a board extends.

    `python -m tests.benchmarks.finding` measures the time of a search; `vision/RESULTS.md` says
    what single ones are worth.
    """

    moves: tuple[float, ...] = (0.0, -0.5, 0.5, -1.0, 1.0)
    """Pixels by which the end of a board is moved to where it fits best."""
    nearly_whole: float = 0.75
    """Pixels over a whole board within which a pitch is taken for a whole number."""
    simpler: float = 1.6
    """Pixels over a whole board by which a simpler pitch may differ from the measured one."""
    as_well: float = 0.004
    """Misfit by which a simpler pitch may be worse."""


_GROWING: Final = GrowingLimits()


@dataclass(frozen=True, eq=False)
class Found(Rectangle):
    """A board of a known skin in pixels of the picture."""

    skin: Skin
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


def whole_board(
    image: NDArray[np.uint8], place: Place, span: Span, skin: Skin, part: float = 0.0
) -> Found | None:
    """Return the board that a span of cells belongs to; None if it is none after all.

    Of a further line, at least `part` has to look like tiles.
    """
    measure = resemblance_to(skin)
    span = place.clipped(image, span)
    if min(span.rows, span.cols) < 2:
        return None
    seen = measure.see(place.cut(image, span))
    if (seen.codes != UNREAD).mean() < _BOARD.seen or _spotted(seen):
        return None
    exact = polished(image, place, span, measure)
    grown, before = _grown(image, exact, span, measure, part), span
    while grown != before and not measure.own_size(place.pitch_x, place.pitch_y):
        # A pitch that was measured on more lines may fit a further one.
        exact, before = polished(image, exact, grown, measure), grown
        grown = _grown(image, exact, grown, measure, part)
    if min(grown.rows, grown.cols) < LEAST_LINES:
        return None
    if (exact, grown) != (place, span):
        seen = measure.see(exact.cut(image, grown))
    codes = seen.codes.reshape(grown.rows, grown.cols)
    if _spotted(seen) or not _believable(codes):
        return None
    return Found(exact, grown, skin, codes, float(seen.distance.mean()))


def _spotted(seen: Seen) -> bool:
    return middle(seen.spots) > _BOARD.spotted


def _grown(
    image: NDArray[np.uint8], place: Place, span: Span, measure: Resemblance, part: float
) -> Span:
    """Return the span with each side moved out as far as the lines look like those inside."""
    tiles = place.cut(image, span)
    least = least_alike(measure, tiles[spread(len(tiles), _BOARD.standard)])
    before = None
    while before != span:
        before = span
        for side in SIDES:
            while max(span.rows, span.cols) <= MOST_LINES:
                line = span.line(side, out=1)
                if not place.inside(image, line):
                    break
                if not begun(image, place, line, side, measure, least, part):
                    break
                span = span.grown(side)
    return span


def _believable(codes: NDArray[np.int8]) -> bool:
    """Return whether this may be a game: largely readable, not nearly empty, no list of numbers.

    At most a tenth of the cells may be empty ones that contradict their neighbours, as in a table
    with blank fields: a board in mid-animation has some.
    """
    read = codes[codes != UNREAD]
    if len(read) < _BOARD.seen * codes.size or (read == 0).mean() > _BOARD.empty:
        return False
    return bool(impossible_zeros(codes).mean() < 0.1) and not _numbered(codes)


def _numbered(codes: NDArray[np.int8]) -> bool:
    """Return whether many numbers count no neighbours, as in a puzzle or a calendar.

    Next to a hint there is a cell that was not opened, or one that cannot be read. In other colours
    an empty cell may resemble a hint: what most opened cells resemble is not counted.
    """
    opened = codes[codes >= 0]
    if not len(opened):
        return False
    hints = (codes > 0) & (codes != np.bincount(opened).argmax())
    closed = cv2.dilate((codes < 0).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    return bool((hints & ~closed).sum() > _BOARD.idle * hints.sum())


def least_alike(measure: Resemblance, tiles: Tiles) -> float:
    """Return the least correlation of a board's tiles, as those inside show."""
    correlation = measure.likeness(tiles).correlation
    # Tiles without a glyph correlate least where the pitch is not yet exact.
    tenth, half = len(correlation) // 10, len(correlation) // 2
    ordered = np.partition(correlation, (tenth, half))
    return max(_END.alike, min(float(ordered[half]) - _END.less_alike, float(ordered[tenth])))


def begun(
    image: NDArray[np.uint8],
    place: Place,
    line: Span,
    side: Side,
    measure: Resemblance,
    least: float,
    part: float = 0.0,
) -> bool:
    """Return whether a line looks like tiles, there or, where pitches are measured, a pixel aside.

    At least two tiles have to, and the given part of them.
    """
    exact = measure.own_size(place.pitch_x, place.pitch_y)
    for move in (0.0,) if exact else (0.0, -1.0, 1.0):
        tiles = place.moved(side, move).cut(image, line)
        alike = measure.likeness(tiles).correlation >= least
        if alike.sum() >= max(_END.begun, part * len(tiles)):
            return True
    return False


def goes_on(
    image: NDArray[np.uint8],
    skin: Skin,
    place: Place,
    span: Span,
    codes: NDArray[np.int8],
    side: Side,
) -> bool:
    """Return whether the line beyond a side of a board begins as tiles do."""
    beyond = span.line(side, out=1)
    if not place.inside(image, beyond, _END.sliver):
        return False
    measure = resemblance_to(_slivers(skin, side))
    near = _near_part(place.cut(image, beyond), side)
    # A zero opens its neighbours: what looks like one beside a covered cell is a background.
    last = {"top": codes[0], "bottom": codes[-1]}.get(side)
    last = codes[:, 0 if side == "left" else -1] if last is None else last
    likeness = measure.likeness(near)
    least = max(_END.begun, len(near) // 10)
    alike = likeness.correlation >= _END.roughly
    alike &= ~((likeness.codes == 0) & np.isin(last, UNOPENED))
    if int(alike.sum()) < least:
        return False
    alike[alike] = _like_own(near[alike], _near_part(place.cut(image, span), side), skin)
    return int(alike.sum()) >= least


def _like_own(near: Tiles, own: Tiles, skin: Skin) -> NDArray[np.bool_]:
    """Return which parts of tiles are as near to those of the board as these are to each other.

    If a board is drawn in another size than its pictures, a frame may be nearer to them than its
    cells.
    """
    chosen = np.random.default_rng(0).permutation(len(own))[: _END.own]
    halves = own[chosen[::2]], own[chosen[1::2]]
    size = own.shape[2], own.shape[1]
    some = skin.model_copy(update={"pictures": {0: tuple(halves[0])}, "tile": size})
    measure = Resemblance(some)
    usual, likeness = measure.likeness(halves[1]), measure.likeness(near)
    last = len(usual.distance) // 4
    most = float(np.sort(usual.distance)[-1 - last]) * _END.farther + _END.near
    least = max(float(np.sort(usual.correlation)[last]) - _END.little, _END.alike)
    return np.asarray((likeness.distance <= most) & (likeness.correlation >= least), np.bool_)


def faces_beyond(place: Place, span: Span, lattices: Sequence[Lattice]) -> Side | None:
    """Return the side beyond which faces of the same cells stand, recognised or not."""
    for lattice in lattices:
        apart = max(abs(lattice.pitch_x - place.pitch_x), abs(lattice.pitch_y - place.pitch_y))
        if apart > max(1.0, _END.other * min(place.pitch_x, place.pitch_y)):
            continue
        x, y = lattice.x(lattice.cols), lattice.y(lattice.rows)
        cols = _columns(
            x, lattice.face_width, place.left, place.pitch_x, place.wide_cols, place.wider
        )
        rows = _columns(
            y, lattice.face_height, place.top, place.pitch_y, place.wide_rows, place.wider
        )
        in_rows = (rows >= span.top) & (rows < span.bottom)
        in_cols = (cols >= span.left) & (cols < span.right)
        if not (in_rows & in_cols).any():
            continue  # another grid beside it
        beyond: dict[Side, int] = {
            "top": int((in_cols & (rows == span.top - 1)).sum()),
            "left": int((in_rows & (cols == span.left - 1)).sum()),
            "bottom": int((in_cols & (rows == span.bottom)).sum()),
            "right": int((in_rows & (cols == span.right)).sum()),
        }
        side = max(SIDES, key=beyond.__getitem__)
        if beyond[side] >= _END.begun:
            return side
    return None


def _columns(
    faces: Floats, size: float, origin: float, pitch: float, wide: int | None, wider: int
) -> Ints:
    """Return the cells that faces lie in along one axis."""
    middles = faces + size / 2 - origin
    more = 0 if wide is None else wider * np.clip(middles / (pitch + wider), 0, wide)
    return np.rint((middles - more) / pitch - 0.5).astype(np.intp)


def _near_part(tiles: Tiles, side: Side) -> Tiles:
    """Return the part of the tiles beyond a side that lies next to the board, or would."""
    height, width = (max(round(_END.sliver * length), 1) for length in tiles.shape[1:3])
    if side == "top":
        return tiles[:, -height:]
    if side == "bottom":
        return tiles[:, :height]
    return tiles[:, :, -width:] if side == "left" else tiles[:, :, :width]


@lru_cache(maxsize=256)
def _slivers(skin: Skin, side: Side) -> Skin:
    """Return a skin of the parts of tiles that lie next to the board beyond a side."""
    pictures = {
        code: tuple(_near_part(np.stack(looks), side)) for code, looks in skin.pictures.items()
    }
    height, width = next(iter(pictures.values()))[0].shape[:2]
    return skin.model_copy(update={"pictures": pictures, "tile": (width, height)})


def polished(image: NDArray[np.uint8], place: Place, span: Span, measure: Resemblance) -> Place:
    """Return the place with pitch and origin corrected by how the tiles at both ends fit.

    A pitch that is off by a hundredth of a pixel is off by one on the far side of a large
    board. Each end of a span is moved on its own by up to a pixel to where its tiles fit
    best, and the place is stretched to go through both.
    """
    bent = place.wide_cols is not None or place.wide_rows is not None
    if bent or measure.own_size(place.pitch_x, place.pitch_y):
        return place
    left, right = (_best_move(image, place, span, side, measure) for side in ("left", "right"))
    pitch, origin = _stretched(place.pitch_x, place.left, span.left, span.right, left, right)
    place = replace(place, pitch_x=pitch, left=origin)
    top, bottom = (_best_move(image, place, span, side, measure) for side in ("top", "bottom"))
    pitch, origin = _stretched(place.pitch_y, place.top, span.top, span.bottom, top, bottom)
    return _simplest(image, replace(place, pitch_y=pitch, top=origin), span, measure)


def _simplest(image: NDArray[np.uint8], place: Place, span: Span, measure: Resemblance) -> Place:
    """Return the place, or one nearby with a simpler pitch that fits as well.

    Whole, or square and in quarters (125 %, 150 %, 175 % of a whole one), or square.
    """
    square = (place.pitch_x * span.cols + place.pitch_y * span.rows) / (span.cols + span.rows)
    pitches = [
        (float(round(place.pitch_x)), float(round(place.pitch_y))),
        (round(4 * square) / 4, round(4 * square) / 4),
        (square, square),
        (place.pitch_x, place.pitch_y),
    ]
    misfits = []
    places = [_about_middle(place, span, *pitch) for pitch in pitches]
    for one in places:
        moved = abs(one.pitch_x - place.pitch_x) * span.cols
        moved = max(moved, abs(one.pitch_y - place.pitch_y) * span.rows)
        tiles = one.cut(image, span)
        tiles = tiles[spread(len(tiles), 4 * SAMPLES)]
        misfits.append(misfit_of(measure, tiles) if moved <= _GROWING.simpler else np.inf)
    best = min(misfits)
    return next(
        one
        for one, misfit in zip(places, misfits, strict=True)
        if misfit <= best + _GROWING.as_well
    )


def _about_middle(place: Place, span: Span, pitch_x: float, pitch_y: float) -> Place:
    """Return the place with another pitch, and the same middle of a span: whole if the pitch is."""
    across, down = (span.left + span.right) / 2, (span.top + span.bottom) / 2
    left = place.left + (place.pitch_x - pitch_x) * across
    top = place.top + (place.pitch_y - pitch_y) * down
    return Place(
        round(left) if pitch_x == round(pitch_x) else left,
        round(top) if pitch_y == round(pitch_y) else top,
        pitch_x,
        pitch_y,
    )


def _best_move(
    image: NDArray[np.uint8], place: Place, span: Span, side: Side, measure: Resemblance
) -> float:
    """By how many pixels the tiles of a side's outermost lines fit better, across the side."""
    depth = max(min(span.rows, span.cols) // 4, 1)
    part = {
        "left": span._replace(right=min(span.left + depth, span.right)),
        "right": span._replace(left=max(span.right - depth, span.left)),
        "top": span._replace(bottom=min(span.top + depth, span.bottom)),
        "bottom": span._replace(top=max(span.bottom - depth, span.top)),
    }[side]
    distances = []
    for move in _GROWING.moves:
        tiles = place.moved(side, move).cut(image, part)
        distances.append(misfit_of(measure, tiles[spread(len(tiles), SAMPLES)]))
    return _GROWING.moves[int(np.argmin(distances))]


def _stretched(
    pitch: float, origin: float, first: int, last: int, at_first: float, at_last: float
) -> tuple[float, float]:
    """Pitch and origin after both ends were moved; a whole pitch stays, or becomes, whole."""
    length = last - first
    stretched = pitch + (at_last - at_first) / length
    nearest = round(stretched)
    middle = origin + pitch * (first + last) / 2 + (at_first + at_last) / 2
    if abs(stretched - nearest) * length < _GROWING.nearly_whole:
        return float(nearest), float(round(middle - nearest * (first + last) / 2))
    return stretched, middle - stretched * (first + last) / 2
