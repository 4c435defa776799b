"""Where a board ends: whether the next line still looks like its tiles, or begins to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import UNOPENED
from vision.finding.lattice import Lattice
from vision.finding.placing import SIDES, Place, Side, Span
from vision.finding.resemblance import Likeness, Resemblance, Tiles, resemblance_to
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
_SLIVER_ALIKE: Final = 0.9
"""Least correlation of such a part: a board's frame often begins as its tiles do."""
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

    def met(self, likeness: Likeness) -> NDArray[np.bool_]:
        """(n,) bool: which tiles are as near."""
        near = likeness.distance <= self.distance
        return np.asarray(near & (likeness.correlation >= self.correlation), np.bool_)


def standard_of(measure: Resemblance, tiles: Tiles) -> Standard:
    """What the tiles inside a board, or along its side, show."""
    distance, correlation, _ = measure.likeness(tiles)
    # Tiles without a glyph correlate least where the pitch is not yet exact.
    usual = min(float(np.median(correlation)) - _LESS_ALIKE, float(np.quantile(correlation, 0.1)))
    return Standard(max(_CLOSE, _LOOSE * float(np.median(distance))), max(_ALIKE, usual))


def begun(
    image: NDArray[np.uint8],
    place: Place,
    line: Span,
    side: Side,
    measure: Resemblance,
    standard: Standard,
    part: float = 0.0,
) -> bool:
    """Whether a line looks like tiles, there or, where pitches are measured, a pixel aside.

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
    """Whether the line beyond a side of a board begins as tiles do.

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
    own = _near_part(place.cut(image, span.line(side)), side)
    near = _near_part(place.cut(image, beyond), side)
    standard = standard_of(measure, own)
    standard = replace(standard, correlation=max(standard.correlation, _SLIVER_ALIKE))
    # A zero opens its neighbours: what looks like one beside a covered cell is a background.
    last = {"top": codes[0], "bottom": codes[-1]}.get(side)
    last = codes[:, 0 if side == "left" else -1] if last is None else last
    likeness = measure.likeness(near)
    impossible = (likeness.codes == 0) & np.isin(last, UNOPENED)
    met = standard.met(likeness) & ~impossible
    return int(met.sum()) >= max(_BEGUN, len(near) // 10)


def faces_beyond(place: Place, span: Span, lattices: Sequence[Lattice]) -> Side | None:
    """The side beyond which faces stand that belong to the same cells; None where none do.

    Tiles that could not be recognised still have faces.
    """
    for lattice in lattices:
        if not _in_step(place, lattice):
            continue
        cols = lattice.cols + _cell(place.left, place.pitch_x, lattice.left, lattice.face_width)
        rows = lattice.rows + _cell(place.top, place.pitch_y, lattice.top, lattice.face_height)
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


def _in_step(place: Place, lattice: Lattice) -> bool:
    """Whether a lattice's faces lie in the middle of a place's cells, all over the lattice."""
    for near, far, origin, at, size, most in (
        (
            place.pitch_x,
            lattice.pitch_x,
            place.left,
            lattice.left,
            lattice.face_width,
            lattice.cols,
        ),
        (place.pitch_y, lattice.pitch_y, place.top, lattice.top, lattice.face_height, lattice.rows),
    ):
        aside = (at + size / 2 - origin) / near - 0.5
        drift = abs(far - near) / near * float(most.max())
        if abs(aside - round(aside)) > _ASIDE or drift > _ASIDE:
            return False
    return True


def _cell(origin: float, pitch: float, face: float, size: float) -> int:
    return round((face + size / 2 - origin) / pitch - 0.5)


def _near_part(tiles: Tiles, side: Side) -> Tiles:
    """The part of the tiles beyond a side that lies next to the board, or would."""
    height, width = (max(round(_SLIVER * length), 1) for length in tiles.shape[1:3])
    if side == "top":
        return tiles[:, -height:]
    if side == "bottom":
        return tiles[:, :height]
    return tiles[:, :, -width:] if side == "left" else tiles[:, :, :width]


@lru_cache(maxsize=256)
def _slivers(skin: Skin, side: Side) -> Skin:
    """A skin of the parts of tiles that lie next to the board beyond a side."""
    pictures = {
        code: tuple(_near_part(np.stack(looks), side)) for code, looks in skin.pictures.items()
    }
    height, width = next(iter(pictures.values()))[0].shape[:2]
    return skin.model_copy(update={"pictures": pictures, "tile": (width, height)})
