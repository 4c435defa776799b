"""Where a board ends: whether the next line still looks like its tiles, or begins to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import UNOPENED
from vision.finder.combs import Floats, Ints, middle
from vision.finder.lattice import Lattice
from vision.finder.placing import SIDES, Place, Side, Span
from vision.finder.resemblance import Likeness, Resemblance, Tiles, resemblance_to
from vision.skins import Skin

_LOOSE: Final = 3.0
"""How many times farther than the tiles inside those of an outer line may be."""
_CLOSE: Final = 0.03
"""Distance that an outer line's tiles may always have."""
_LESS_ALIKE: Final = 0.12
"""By how much less they may correlate with their pictures than the tiles inside."""
_ALIKE: Final = 0.6
"""Least correlation of an outer line's tiles with their pictures: what lies around a board
is often as plain as its empty cells, but has no lines."""
_BEGUN: Final = 2
"""Tiles beyond a board that show that it goes on: a dialog may lie over the others."""
_EXACTLY: Final = 0.9
_ROUGHLY: Final = 0.5
"""Least correlation of such a part with the pictures, where those inside are like them exactly
and where they are not; only then it is held against the board's own tiles."""
_OWN: Final = 256
"""Tiles of a board against which what lies beyond it is held."""
_FARTHER: Final = 1.5
_NEAR: Final = 0.01
_LITTLE: Final = 0.1
"""How much farther, and less alike, than three in four of them are to each other it may be.
Measured on recorded games, whole and cut: frames 0.05 and 0.58 to 0.90, cells 0.000 and 1.00."""
_REACH: Final = 4
"""Lines beyond a board in which its faces are looked for."""
_ASIDE: Final = 0.2
"""Part of a pitch by which the middle of a face may lie beside that of its cell."""
_SLIVER: Final = 0.25
"""Part of a tile that has to show for a board to count as cut off."""


@dataclass(frozen=True)
class Standard:
    """How near to its picture a tile of a board is, as the tiles inside show."""

    distance: float
    correlation: float

    @property
    def exact(self) -> bool:
        """Whether those inside are pictures of the skin, hardly changed."""
        return self.correlation >= 0.99 - _LESS_ALIKE

    def met(self, likeness: Likeness) -> NDArray[np.bool_]:
        """(n,) bool: which tiles are as near."""
        near = likeness.distance <= self.distance
        return np.asarray(near & (likeness.correlation >= self.correlation), np.bool_)


def standard_of(measure: Resemblance, tiles: Tiles) -> Standard:
    """Return what the tiles inside a board, or along its side, show."""
    distance, correlation, _ = measure.likeness(tiles)
    # Tiles without a glyph correlate least where the pitch is not yet exact.
    tenth, half = len(correlation) // 10, len(correlation) // 2
    ordered = np.partition(correlation, (tenth, half))
    usual = min(float(ordered[half]) - _LESS_ALIKE, float(ordered[tenth]))
    return Standard(max(_CLOSE, _LOOSE * middle(distance)), max(_ALIKE, usual))


def begun(
    image: NDArray[np.uint8],
    place: Place,
    line: Span,
    side: Side,
    measure: Resemblance,
    standard: Standard,
    part: float = 0.0,
) -> bool:
    """Return whether a line looks like tiles, there or, where pitches are measured, a pixel aside.

    At least two tiles have to, and the given part of them.
    """
    exact = measure.own_size(place.pitch_x, place.pitch_y)
    for move in (0.0,) if exact else (0.0, -1.0, 1.0):
        moved = (
            replace(place, left=place.left + move)
            if side in ("left", "right")
            else replace(place, top=place.top + move)
        )
        tiles = moved.cut(image, line)
        if standard.met(measure.likeness(tiles)).sum() >= max(_BEGUN, part * len(tiles)):
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
    """Return whether the line beyond a side of a board begins as tiles do.

    Args:
        image: (H, W, 3) uint8.
        skin: Of the board.
        place: Where its tiles are.
        span: Its rows and columns.
        codes: (rows, cols) int8, its tiles.
        side: Beyond which to look.
    """
    beyond = span.line(side, out=1)
    if not place.inside(image, beyond, _SLIVER):
        return False
    measure = resemblance_to(_slivers(skin, side))
    near = _near_part(place.cut(image, beyond), side)
    # A zero opens its neighbours: what looks like one beside a covered cell is a background.
    last = {"top": codes[0], "bottom": codes[-1]}.get(side)
    last = codes[:, 0 if side == "left" else -1] if last is None else last
    likeness = measure.likeness(near)
    standard = standard_of(measure, _near_part(place.cut(image, span.line(side)), side))
    least = max(_BEGUN, len(near) // 10)
    alike = likeness.correlation >= (_EXACTLY if standard.exact else _ROUGHLY)
    alike &= ~((likeness.codes == 0) & np.isin(last, UNOPENED))
    if int(alike.sum()) < least:
        return False
    alike[alike] = _like_own(near[alike], _near_part(place.cut(image, span), side), skin)
    return int(alike.sum()) >= least


def _like_own(near: Tiles, own: Tiles, skin: Skin) -> NDArray[np.bool_]:
    """Which parts of tiles are as near to those of the board itself as these are to each other.

    Where a board is drawn in another size than its pictures, a frame may be nearer to them
    than its cells are.

    Args:
        near: (n, h, w, 3) uint8, beyond a side.
        own: (m, h, w, 3) uint8, the same parts of the board's tiles.
        skin: Of the board.
    """
    chosen = np.random.default_rng(0).permutation(len(own))[:_OWN]
    halves = own[chosen[::2]], own[chosen[1::2]]
    size = own.shape[2], own.shape[1]
    some = skin.model_copy(update={"pictures": {0: tuple(halves[0])}, "tile": size})
    measure = Resemblance(some)
    usual = measure.likeness(halves[1])
    last = len(usual.distance) // 4
    limits = Standard(
        float(np.sort(usual.distance)[-1 - last]) * _FARTHER + _NEAR,
        max(float(np.sort(usual.correlation)[last]) - _LITTLE, _ALIKE),
    )
    return limits.met(measure.likeness(near))


def faces_beyond(place: Place, span: Span, lattices: Sequence[Lattice]) -> Side | None:
    """Return the side beyond which faces stand that belong to the same cells; None if none do.

    Tiles that could not be recognised still have faces.
    """
    for lattice in lattices:
        if max(abs(lattice.pitch_x - place.pitch_x), abs(lattice.pitch_y - place.pitch_y)) > 1:
            continue
        x, y = lattice.x(lattice.cols), lattice.y(lattice.rows)
        cols, amid = _columns(x, lattice.face_width, place.left, place.pitch_x, place.wide_cols)
        rows, also = _columns(y, lattice.face_height, place.top, place.pitch_y, place.wide_rows)
        cols, rows = cols[amid & also], rows[amid & also]
        in_rows = (rows >= span.top) & (rows < span.bottom)
        in_cols = (cols >= span.left) & (cols < span.right)
        if not (in_rows & in_cols).any():
            continue  # another grid beside it
        beyond: dict[Side, int] = {
            "top": int((in_cols & (rows < span.top) & (rows >= span.top - _REACH)).sum()),
            "left": int((in_rows & (cols < span.left) & (cols >= span.left - _REACH)).sum()),
            "bottom": int((in_cols & (rows >= span.bottom) & (rows < span.bottom + _REACH)).sum()),
            "right": int((in_rows & (cols >= span.right) & (cols < span.right + _REACH)).sum()),
        }
        side = max(SIDES, key=beyond.__getitem__)
        if beyond[side] >= _BEGUN:
            return side
    return None


def _columns(
    faces: Floats, size: float, origin: float, pitch: float, wide: int | None
) -> tuple[Ints, NDArray[np.bool_]]:
    """Return the cells that faces lie in along one axis, and which lie in the middle of theirs."""
    middles = faces + size / 2 - origin
    wider = 0 if wide is None else np.clip(middles / (pitch + 1), 0, wide)
    places = (middles - wider) / pitch - 0.5
    cells = np.rint(places)
    return cells.astype(np.intp), np.abs(places - cells) <= _ASIDE


def _near_part(tiles: Tiles, side: Side) -> Tiles:
    """Return the part of the tiles beyond a side that lies next to the board, or would."""
    height, width = (max(round(_SLIVER * length), 1) for length in tiles.shape[1:3])
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
