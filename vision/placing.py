"""Placing a skin on a lattice: where exactly the cells are, and their tile pictures.

A lattice knows the faces of cells, but a skin's tile is more than its face: lines and
bevels belong to it, on one side or on both. So the skin's pictures, brought to the
lattice's pitch, are slid over some faces; where they fit best, the tile begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.lattice import Ints, Lattice
from vision.matcher import Matcher, Tiles, Vectors, nearness
from vision.skins import Skin

Side = Literal["top", "left", "bottom", "right"]
SIDES: Final[tuple[Side, ...]] = ("top", "left", "bottom", "right")

_PROBES: Final = 3
"""Faces of a lattice that are held against a skin."""
SAMPLES: Final = 12
"""Cells of a lattice on which a place is refined."""
_ANOTHER: Final = 0.3
"""Misfit of sampled cells beyond which a skin is not that of a lattice."""
_THE_ONE: Final = 0.01
"""Misfit below which no other skin needs to be tried."""
_HOPELESS: Final = 0.6
"""Misfit beyond which a pixel aside is no better; half a tile aside it is about one."""
_RIVAL: Final = 0.1
"""By how much more than the likest skin another may misfit to be tried as well."""
_MARGIN: Final = 0.35
"""How far, in pitches, a face's middle may lie off its cell's."""
_COARSE: Final = 10
"""Pixels a tile at which all skins are tried."""
_LIKEST: Final = 3
"""Pictures a probe that are tried at full size."""
_PLAUSIBLE: Final = 0.3
"""Median distance of the probes to a skin at that size, beyond which it is not tried."""
_MAX_SKINS: Final = 6
_STRUCTURE: Final = 6.0
"""Standard deviation, in grey levels, under which a picture fits anywhere."""


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
        """The outermost line of a side; with `out` = 1 the one beyond it."""
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

    def cut(self, image: NDArray[np.uint8], span: Span) -> Tiles:
        """The tiles of a span, row by row: (n, h, w, 3) uint8.

        What lies outside the picture repeats the picture's edge.
        """
        rows, cols = np.arange(span.top, span.bottom), np.arange(span.left, span.right)
        tops = np.rint(self.top + rows * self.pitch_y).astype(np.intp)
        lefts = np.rint(self.left + cols * self.pitch_x).astype(np.intp)
        size = max(round(self.pitch_x), 1), max(round(self.pitch_y), 1)
        return cut_tiles(image, tops, lefts, size)

    def tiles_at(self, image: NDArray[np.uint8], rows: Ints, cols: Ints) -> Tiles:
        """The tiles of some cells, (n, h, w, 3); cells that leave the picture are left out."""
        tops = np.rint(self.top + rows * self.pitch_y).astype(np.intp)
        lefts = np.rint(self.left + cols * self.pitch_x).astype(np.intp)
        width, height = max(round(self.pitch_x), 1), max(round(self.pitch_y), 1)
        inside = (tops >= 0) & (lefts >= 0)
        inside &= (tops + height <= image.shape[0]) & (lefts + width <= image.shape[1])
        return gather_tiles(image, tops[inside], lefts[inside], (width, height))

    def inside(self, image: NDArray[np.uint8], span: Span, part: float = 1.0) -> bool:
        """Whether a span lies in the picture, to half a pixel.

        Args:
            image: The picture.
            span: Cells.
            part: How much of the span's width and height has to be inside at least.
        """
        height, width = image.shape[:2]
        left, right = (self.left + col * self.pitch_x for col in (span.left, span.right))
        top, bottom = (self.top + row * self.pitch_y for row in (span.top, span.bottom))
        across = min(right, width) - max(left, 0.0)
        down = min(bottom, height) - max(top, 0.0)
        wide, high = part * (right - left) - 0.5, part * (bottom - top) - 0.5
        return bool(across > wide and down > high)


def cut_tiles(image: NDArray[np.uint8], tops: Ints, lefts: Ints, size: tuple[int, int]) -> Tiles:
    """Tiles of one size (width, height) at every crossing of `tops` and `lefts`."""
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
    return np.ascontiguousarray(bands.transpose(0, 2, 1, 3, 4)).reshape(-1, height, width, 3)


def gather_tiles(image: NDArray[np.uint8], tops: Ints, lefts: Ints, size: tuple[int, int]) -> Tiles:
    """The tiles of one size (width, height) whose corners are at (lefts[i], tops[i])."""
    width, height = size
    ys = (tops[:, None] + np.arange(height)).clip(0, image.shape[0] - 1)
    xs = (lefts[:, None] + np.arange(width)).clip(0, image.shape[1] - 1)
    tiles: Tiles = image[ys[:, :, None], xs[:, None, :]]
    return tiles


def fit_skins(
    image: NDArray[np.uint8],
    lattice: Lattice,
    skins: Sequence[Skin],
    matcher_of: Callable[[Skin], Matcher],
) -> list[tuple[Skin, Place]]:
    """The skins that a lattice's faces look like, the likest first, and where they fit.

    All skins are slid over the faces at a coarse size, in one matrix product each; those
    that may be right are then placed at full size.
    """
    probes = [_probe(image, lattice, number) for number in spread(len(lattice), _PROBES)]
    windows = Vectors.of(np.concatenate([_windows(probe.patch) for probe in probes]))
    fits = []
    for skin in skins:
        slides = slide_pictures(skin, (_COARSE, _COARSE))
        distances = nearness(windows, slides.vectors).reshape(len(probes), -1, len(slides.pictures))
        least = distances.min(axis=1)
        fit = float(np.median(least.min(axis=1)))
        if fit <= _PLAUSIBLE:
            exact = matcher_of(skin).own_size(lattice.pitch_x, lattice.pitch_y)
            fits.append((not exact, fit, skin, least.argsort(axis=1)[:, :_LIKEST]))
    # At its own size a skin is quickly told right or wrong; thin lines mislead when coarse.
    fits.sort(key=lambda one: one[:2])
    placed = []
    for _, _, skin, likest in fits[:_MAX_SKINS]:
        x, y = _placed(probes, likest, skin, lattice)
        place = Place(x, y, lattice.pitch_x, lattice.pitch_y)
        misfit, place = _refined(image, place, lattice, matcher_of(skin))
        if misfit <= _ANOTHER:
            placed.append((misfit, skin, place))
        if misfit <= _THE_ONE:
            break
    placed.sort(key=lambda one: one[0])
    return [(skin, place) for misfit, skin, place in placed if misfit <= placed[0][0] + _RIVAL]


def _refined(
    image: NDArray[np.uint8], place: Place, lattice: Lattice, matcher: Matcher
) -> tuple[float, Place]:
    """The place moved by up to a pixel, so that some of the lattice's own cells fit best.

    Returns:
        Their misfit, and the place.
    """
    whole = place.pitch_x == round(place.pitch_x), place.pitch_y == round(place.pitch_y)
    if whole[0]:
        place = replace(place, left=float(round(place.left)))
    if whole[1]:
        place = replace(place, top=float(round(place.top)))
    chosen = spread(len(lattice), SAMPLES)
    rows, cols = lattice.rows[chosen], lattice.cols[chosen]

    def misfit(candidate: Place) -> float:
        tiles = candidate.tiles_at(image, rows, cols)
        return misfit_of(matcher, tiles) if len(tiles) else np.inf

    here = misfit(place)
    if here > _HOPELESS or matcher.own_size(place.pitch_x, place.pitch_y):
        return here, place
    around = [(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if (x, y) != (0, 0)]
    places = [replace(place, left=place.left + x, top=place.top + y) for x, y in around]
    return min([(here, place), *((misfit(one), one) for one in places)], key=lambda fit: fit[0])


def misfit_of(matcher: Matcher, tiles: Tiles) -> float:
    """How badly tiles fit their pictures in structure; shades do not tell a place."""
    correlation = matcher.resemblance(tiles)[1]
    return float((1 - correlation).mean())


def spread(n: int, most: int) -> list[int]:
    """Up to `most` numbers below n, far from each other."""
    return sorted({round(at) for at in np.linspace(0, n - 1, min(n, most + 2))[1:-1]} or {n // 2})


@dataclass(frozen=True, eq=False)
class _Probe:
    """A face with its surroundings."""

    patch: NDArray[np.uint8]
    left: float
    """Pixel column of the patch, less what lies between the face's cell and column 0."""
    top: float


def _probe(image: NDArray[np.uint8], lattice: Lattice, number: int) -> _Probe:
    height, width = image.shape[:2]
    across = int(lattice.cols[number]) * lattice.pitch_x
    down = int(lattice.rows[number]) * lattice.pitch_y
    middle_x = lattice.left + across + lattice.face_width / 2
    middle_y = lattice.top + down + lattice.face_height / 2
    reach_x = (0.5 + _MARGIN) * lattice.pitch_x
    reach_y = (0.5 + _MARGIN) * lattice.pitch_y
    x0, x1 = max(round(middle_x - reach_x), 0), min(round(middle_x + reach_x), width)
    y0, y1 = max(round(middle_y - reach_y), 0), min(round(middle_y + reach_y), height)
    return _Probe(image[y0:y1, x0:x1], x0 - across, y0 - down)


def _windows(patch: NDArray[np.uint8]) -> Tiles:
    """Every coarse tile that a patch may contain."""
    wide = round(_COARSE * (1 + 2 * _MARGIN))
    small = cv2.resize(patch, (wide, wide), interpolation=cv2.INTER_AREA)
    views: Tiles = np.lib.stride_tricks.sliding_window_view(small, (_COARSE, _COARSE), axis=(0, 1))
    return views.transpose(0, 1, 3, 4, 2).reshape(-1, _COARSE, _COARSE, 3)


@dataclass(frozen=True, eq=False)
class _Slides:
    """Pictures that can be slid: those with some structure."""

    pictures: tuple[NDArray[np.uint8], ...]
    vectors: Vectors


@lru_cache(maxsize=256)
def slide_pictures(skin: Skin, size: tuple[int, int]) -> _Slides:
    """A skin's pictures at one size, without those that would fit anywhere on their face."""
    looks = [look for looks in skin.pictures.values() for look in looks]
    kept = [look for look in looks if look.std(axis=(0, 1)).max() >= _STRUCTURE] or looks
    pictures = tuple(
        np.asarray(cv2.resize(look, size, interpolation=cv2.INTER_AREA), np.uint8) for look in kept
    )
    return _Slides(pictures, Vectors.of(np.stack(pictures)))


def _placed(
    probes: Sequence[_Probe], likest: Ints, skin: Skin, lattice: Lattice
) -> tuple[float, float]:
    """The corner (x, y) of cell (0, 0), in pixels, from each probe's likest pictures."""
    size = (
        min(round(lattice.pitch_x), skin.tile[0]),
        min(round(lattice.pitch_y), skin.tile[1]),
    )
    stretch = size[0] / lattice.pitch_x, size[1] / lattice.pitch_y
    pictures = slide_pictures(skin, size).pictures
    fits = []
    for probe, numbers in zip(probes, likest.tolist(), strict=True):
        patch = _resized(probe.patch, stretch)
        if patch.shape[0] >= size[1] and patch.shape[1] >= size[0]:
            distance, x, y = min(_best_place(patch, pictures[n]) for n in numbers)
            fits.append((distance, probe.left + x / stretch[0], probe.top + y / stretch[1]))
    # The better half decides: a face under the pointer or a dialog does not count.
    good = sorted(fits)[: len(fits) // 2 + 1]
    if not good:
        return lattice.left, lattice.top
    return float(np.median([x for _, x, _ in good])), float(np.median([y for _, _, y in good]))


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
