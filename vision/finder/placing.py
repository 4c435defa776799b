"""Placing a skin on a lattice: where exactly the cells are, and their tile pictures.

A lattice knows the faces of cells, but a skin's tile is more than its face: lines and
bevels belong to it, on one side or on both. So the skin's pictures, brought to the
lattice's pitch, are slid over some faces; where they fit best, the tile begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from statistics import median
from typing import Final, Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finder.candidates import (
    Probe,
    kindred,
    likely_skins,
    probes_of,
    sliding_pictures,
    spread,
)
from vision.finder.combs import Floats, Ints, offsets
from vision.finder.lattice import Lattice
from vision.finder.resemblance import Resemblance, Tiles, resemblance_to
from vision.skins import Skin

Side = Literal["top", "left", "bottom", "right"]
SIDES: Final[tuple[Side, ...]] = ("top", "left", "bottom", "right")

SAMPLES: Final = 12
"""Cells of a lattice on which a place is refined."""
_ANOTHER: Final = 0.3
"""Misfit of sampled cells beyond which a skin is not that of a lattice."""
THE_ONE: Final = 0.01
"""Misfit of a skin that fits exactly."""
TWIN: Final = 0.02
"""By how much more than such a skin another may misfit: two themes may share pictures."""
_HOPELESS: Final = 0.6
"""Misfit beyond which a pixel aside is no better; half a tile aside it is about one."""
_RIVAL: Final = 0.1
"""By how much more than the likest skin another may misfit to be tried as well."""
_MAX_SKINS: Final = 4


Extra = tuple[Ints, Ints]


class Span(NamedTuple):
    """A rectangle of lattice cells: rows and columns, the last ones excluded."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.bottom - self.top

    @property
    def cols(self) -> int:
        """Number of columns."""
        return self.right - self.left

    def line(self, side: Side, out: int = 0) -> Span:
        """Return the outermost line of a side; with `out` = 1 the one beyond it."""
        if side == "top":
            return self._replace(top=self.top - out, bottom=self.top - out + 1)
        if side == "bottom":
            return self._replace(top=self.bottom + out - 1, bottom=self.bottom + out)
        if side == "left":
            return self._replace(left=self.left - out, right=self.left - out + 1)
        return self._replace(left=self.right + out - 1, right=self.right + out)

    def grown(self, side: Side, by: int = 1) -> Span:
        """With a line more on a side, or one less where `by` is -1."""
        outwards = -by if side in ("top", "left") else by
        changed: Span = self._replace(**{side: getattr(self, side) + outwards})
        return changed


@dataclass(frozen=True)
class Place:
    """Where the cells of a lattice are, in pixels of the picture."""

    left: float
    """Outer left edge of column 0."""
    top: float
    pitch_x: float
    pitch_y: float
    wide_cols: int | None = None
    """As in `Lattice`."""
    wide_rows: int | None = None

    def x(self, cols: Ints | int) -> Floats:
        """Left edge of some columns."""
        return self.left + offsets(cols, self.pitch_x, self.wide_cols)

    def y(self, rows: Ints | int) -> Floats:
        """Upper edge of some rows."""
        return self.top + offsets(rows, self.pitch_y, self.wide_rows)

    def col_at(self, x: float) -> float:
        """Return the column that a pixel lies in, and how far."""
        return _line_at(x - self.left, self.pitch_x, self.wide_cols)

    def row_at(self, y: float) -> float:
        """Return the row that a pixel lies in, and how far."""
        return _line_at(y - self.top, self.pitch_y, self.wide_rows)

    def cut(self, image: NDArray[np.uint8], span: Span, *, exactly: bool = False) -> Tiles:
        """Cut the tiles of a span, row by row: (n, h, w, 3) uint8.

        What lies outside the picture repeats the picture's edge.

        Args:
            image: The picture.
            span: Cells.
            exactly: Whether each cell is cut from edge to edge, though some are a pixel wider
                than others. While a board is looked for, the edges are a guess.
        """
        rows, cols = np.arange(span.top, span.bottom), np.arange(span.left, span.right)
        tops = np.rint(self.y(rows)).astype(np.intp)
        lefts = np.rint(self.x(cols)).astype(np.intp)
        size = max(round(self.pitch_x), 1), max(round(self.pitch_y), 1)
        if not exactly:
            return cut_tiles(image, tops, lefts, size)
        ends = np.rint(self.y(rows + 1)).astype(np.intp), np.rint(self.x(cols + 1)).astype(np.intp)
        extra = ends[0] - tops - size[1], ends[1] - lefts - size[0]
        return cut_tiles(image, tops, lefts, size, extra)

    def tiles_at(self, image: NDArray[np.uint8], rows: Ints, cols: Ints) -> Tiles:
        """Return the tiles of some cells, (n, h, w, 3).

        Cells that leave the picture are left out.
        """
        tops = np.rint(self.y(rows)).astype(np.intp)
        lefts = np.rint(self.x(cols)).astype(np.intp)
        width, height = max(round(self.pitch_x), 1), max(round(self.pitch_y), 1)
        inside = (tops >= 0) & (lefts >= 0)
        inside &= (tops + height <= image.shape[0]) & (lefts + width <= image.shape[1])
        corners = zip(tops[inside].tolist(), lefts[inside].tolist(), strict=True)
        tiles = [image[top : top + height, left : left + width] for top, left in corners]
        return np.stack(tiles) if tiles else np.empty((0, height, width, 3), np.uint8)

    def inside(self, image: NDArray[np.uint8], span: Span, part: float = 1.0) -> bool:
        """Return whether a span lies in the picture, to half a pixel.

        Args:
            image: The picture.
            span: Cells.
            part: How much of the span's width and height has to be inside at least.
        """
        height, width = image.shape[:2]
        left, right = (float(self.x(col)) for col in (span.left, span.right))
        top, bottom = (float(self.y(row)) for row in (span.top, span.bottom))
        across = min(right, width) - max(left, 0.0)
        down = min(bottom, height) - max(top, 0.0)
        wide, high = part * (right - left) - 0.5, part * (bottom - top) - 0.5
        return bool(across > wide and down > high)


def _line_at(along: float, pitch: float, wide: int | None) -> float:
    """How many lines of cells lie within some pixels; the first ones may be wider."""
    reach = 0.0 if wide is None else wide * (pitch + 1)
    if wide is not None and along > reach:
        return wide + (along - reach) / pitch
    return along / pitch if wide is None else along / (pitch + 1)


def cut_tiles(
    image: NDArray[np.uint8],
    tops: Ints,
    lefts: Ints,
    size: tuple[int, int],
    extra: Extra | None = None,
) -> Tiles:
    """Cut tiles of one size at every crossing of `tops` and `lefts`.

    Args:
        image: The picture.
        tops: Upper edges (rows,), in pixels.
        lefts: Left edges (cols,).
        size: Width and height of a tile.
        extra: Pixels that each row (rows,) and each column (cols,) is larger than that.
    """
    width, height = size
    y0, y1, x0, x1 = (int(v) for v in (tops[0], tops[-1] + height, lefts[0], lefts[-1] + width))
    n, m = len(tops), len(lefts)
    inside = y0 >= 0 and x0 >= 0 and y1 <= image.shape[0] and x1 <= image.shape[1]
    if inside and y1 - y0 == n * height and x1 - x0 == m * width:
        bands = image[y0:y1, x0:x1]
    else:
        ys = (tops[:, None] + np.arange(height)).clip(0, image.shape[0] - 1).ravel()
        xs = (lefts[:, None] + np.arange(width)).clip(0, image.shape[1] - 1).ravel()
        bands = image[ys[:, None], xs]
    bands = bands.reshape(n, height, m, width, 3)
    tiles = np.ascontiguousarray(bands.transpose(0, 2, 1, 3, 4)).reshape(-1, height, width, 3)
    if extra is None or not (extra[0].any() or extra[1].any()):
        return tiles
    cells = np.repeat(np.arange(n), m), np.tile(np.arange(m), n)
    _fit(tiles, image, tops[cells[0]], lefts[cells[1]], (extra[0][cells[0]], extra[1][cells[1]]))
    return tiles


def gather_tiles(
    image: NDArray[np.uint8],
    tops: Ints,
    lefts: Ints,
    size: tuple[int, int],
    extra: Extra | None = None,
) -> Tiles:
    """Return the tiles of one size (width, height) whose corners are at (lefts[i], tops[i]).

    Args:
        image: The picture.
        tops: Upper edges (n,), in pixels.
        lefts: Left edges (n,).
        size: Width and height of a tile.
        extra: Pixels that each tile (n,) is higher, and wider (n,).
    """
    width, height = size
    ys = (tops[:, None] + np.arange(height)).clip(0, image.shape[0] - 1)
    xs = (lefts[:, None] + np.arange(width)).clip(0, image.shape[1] - 1)
    tiles: Tiles = image[ys[:, :, None], xs[:, None, :]]
    if extra is not None:
        _fit(tiles, image, tops, lefts, extra)
    return tiles


def _fit(tiles: Tiles, image: NDArray[np.uint8], tops: Ints, lefts: Ints, extra: Extra) -> None:
    """Replace tiles (n, h, w, 3) of larger or smaller cells by the whole cell, resized."""
    high, wide = extra
    height, width = tiles.shape[1:3]
    for one in np.flatnonzero((high != 0) | (wide != 0)):
        own = max(width + int(wide[one]), 1), max(height + int(high[one]), 1)
        whole = gather_tiles(image, tops[one : one + 1], lefts[one : one + 1], own)[0]
        cv2.resize(whole, (width, height), dst=tiles[one], interpolation=cv2.INTER_AREA)


def fit_skins(
    image: NDArray[np.uint8],
    lattice: Lattice,
    skins: Sequence[Skin],
) -> list[tuple[Skin, Place]]:
    """Return the skins that a lattice's faces look like and where they fit, most similar first.

    Those that `vision.finder.candidates` does not refuse are placed at full size.
    """
    if not kindred(image, lattice):
        return []
    pitch = (lattice.pitch_x + lattice.pitch_y) / 2
    drawn = tuple(skin.drawn_at(pitch) for skin in skins)
    probes = probes_of(image, lattice)
    # At its own size a skin is quickly told right or wrong; thin lines mislead when coarse.
    likely = sorted(
        likely_skins(image, lattice, probes, drawn),
        key=lambda one: not resemblance_to(one.skin).own_size(lattice.pitch_x, lattice.pitch_y),
    )
    placed = []
    for _, skin, likest in likely[:_MAX_SKINS]:
        widths = lattice.pitch_x, lattice.pitch_y, lattice.wide_cols, lattice.wide_rows
        places = [Place(x, y, *widths) for x, y in _placed(probes, likest, skin, lattice)]
        misfit, place = _refined(image, places, lattice, resemblance_to(skin))
        if misfit <= _ANOTHER:
            placed.append((misfit, skin, place))
    placed.sort(key=lambda one: one[0])
    rival = TWIN if placed and placed[0][0] <= THE_ONE else _RIVAL
    return [(skin, place) for misfit, skin, place in placed if misfit <= placed[0][0] + rival]


def _refined(
    image: NDArray[np.uint8], places: Sequence[Place], lattice: Lattice, measure: Resemblance
) -> tuple[float, Place]:
    """Return the best place moved by up to a pixel, so that some cells of the lattice fit best.

    Returns:
        Their misfit, and the place.
    """
    if lattice.pitch_x == round(lattice.pitch_x):
        places = [replace(place, left=float(round(place.left))) for place in places]
    if lattice.pitch_y == round(lattice.pitch_y):
        places = [replace(place, top=float(round(place.top))) for place in places]
    places = list(dict.fromkeys(places))
    chosen = spread(len(lattice), SAMPLES)
    rows, cols = lattice.rows[chosen], lattice.cols[chosen]

    def misfits(*candidates: Place) -> list[float]:
        """Of all of them at once: a call costs more than what it does."""
        tiles = [candidate.tiles_at(image, rows, cols) for candidate in candidates]
        sizes = [len(some) for some in tiles]
        if not all(sizes):
            return [misfit_of(measure, some) if len(some) else np.inf for some in tiles]
        correlation = measure.likeness(np.concatenate(tiles), grey=True).correlation
        parts = np.split(correlation, np.cumsum(sizes)[:-1])
        return [1 - float(part.mean()) for part in parts]

    here, place = min(zip(misfits(*places), places, strict=True), key=lambda fit: fit[0])
    if here > _HOPELESS or measure.own_size(place.pitch_x, place.pitch_y):
        return here, place
    # Both axes at once: a pixel aside along one alone, the bevels of a cell fit no better.
    moved = [
        replace(place, left=place.left + across, top=place.top + down)
        for across, down in product((0.0, -1.0, 1.0), repeat=2)
    ]
    return min(zip(misfits(*moved), moved, strict=True), key=lambda fit: fit[0])


def misfit_of(measure: Resemblance, tiles: Tiles) -> float:
    """How badly tiles fit their pictures in structure; shades do not tell a place."""
    return float((1 - measure.likeness(tiles, grey=True).correlation).mean())


def _placed(
    probes: Sequence[Probe], likest: Ints, skin: Skin, lattice: Lattice
) -> list[tuple[float, float]]:
    """Return where the corner (x, y) of cell (0, 0) may be, in pixels.

    First by each probe's nearest picture, then by the likest ones from afar, the second ones, and
    so on: where the bevel of a covered cell has another width than in its picture, an empty cell
    may be nearer to it, at another place.
    """
    size = (
        min(round(lattice.pitch_x), skin.tile[0]),
        min(round(lattice.pitch_y), skin.tile[1]),
    )
    stretch = size[0] / lattice.pitch_x, size[1] / lattice.pitch_y
    pictures = sliding_pictures(skin, size)
    fits = []
    for probe, numbers in zip(probes, likest.tolist(), strict=True):
        grey = np.asarray(cv2.cvtColor(probe.patch, cv2.COLOR_BGR2GRAY), np.uint8)
        patch = _resized(grey, stretch)
        if patch.shape[0] >= size[1] and patch.shape[1] >= size[0]:
            best = [_best_place(patch, pictures[n]) for n in numbers]
            fits.append(
                [
                    (distance, probe.left + x / stretch[0], probe.top + y / stretch[1])
                    for distance, x, y in (min(best), *best)
                ]
            )
    if not fits:
        return [(lattice.left, lattice.top)]
    # The better half decides: a face under the pointer or a dialog does not count.
    good = (sorted(rank)[: len(rank) // 2 + 1] for rank in zip(*fits, strict=True))
    return [(median(x for _, x, _ in some), median(y for _, _, y in some)) for some in good]


def _resized(patch: NDArray[np.uint8], stretch: tuple[float, float]) -> NDArray[np.uint8]:
    if stretch == (1.0, 1.0):
        return patch
    return np.asarray(
        cv2.resize(patch, None, fx=stretch[0], fy=stretch[1], interpolation=cv2.INTER_AREA),
        np.uint8,
    )


def _best_place(patch: NDArray[np.uint8], picture: NDArray[np.uint8]) -> tuple[float, float, float]:
    """Squared distance and place (x, y) of a picture on a patch, to part of a pixel."""
    squares = cv2.matchTemplate(patch, picture, cv2.TM_SQDIFF).astype(np.float32, copy=False)
    least, _, (x, y), _ = cv2.minMaxLoc(squares)
    return least, x + _bottom(squares[y], x), y + _bottom(squares[:, x], y)


def _bottom(values: NDArray[np.float32], at: int) -> float:
    """Where the parabola through the least value and its neighbours is lowest, from `at`."""
    if not 0 < at < len(values) - 1:
        return 0.0
    before, here, after = (float(value) for value in values[at - 1 : at + 2])
    bend = before - 2 * here + after
    return 0.5 * (before - after) / bend if bend > 0 else 0.0
