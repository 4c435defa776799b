"""Place a skin on a lattice: find the skins that it may have, and the exact position of the cells.

A lattice knows the faces of cells, but a skin's tile is more than its face: lines and
bevels belong to it, on one side or on both. So the skin's pictures, brought to the
lattice's pitch, are slid over some faces; where they fit best, the tile begins.

A desktop is full of lattices that are no boards: tables, keys, calendars. Sliding every skin
over every one of them at full size would make finding slower with every skin that is added. So
the faces' colours are compared first, which costs next to nothing, and then how the faces look
when a tile is eight pixels. Where the faces of a lattice are as large as those of a skin's
tiles, and as far apart, nothing has to be slid: most programs draw their board in one size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from math import sqrt
from statistics import median
from typing import Final, Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED
from vision.finder.lattice import Ints, Lattice, Pitches, faces_of, middle
from vision.finder.resemblance import Resemblance, Tiles, Vectors, nearness, resemblance_to
from vision.skins import Skin

Side = Literal["top", "left", "bottom", "right"]
SIDES: Final[tuple[Side, ...]] = ("top", "left", "bottom", "right")
SAMPLES: Final = 12
"""Cells of a lattice on which a place is refined."""


@dataclass(frozen=True)
class PlacingLimits:
    """Limits of which skins and places are tried.

    `python -m tests.benchmarks.finding` measures the time of a search; `vision/RESULTS.md` says
    what single ones are worth.
    """

    max_skins: int = 4
    """Skins that are tried on a lattice."""
    another: float = 0.3
    """Misfit of sampled cells beyond which a skin is not that of a lattice."""
    rival: float = 0.1
    """By how much more than the likest skin another may misfit to be tried as well."""
    hopeless: float = 0.6
    """Misfit beyond which a pixel aside is no better; half a tile aside it is about one."""
    central: float = 0.25
    """Part of a tile by which the middle of its face may lie beside its own."""
    coarse: int = 8
    """Pixels a tile at which all skins are tried."""


_PLACING: Final = PlacingLimits()

THE_ONE: Final = 0.01
"""Misfit of a skin that fits exactly."""
Extra = tuple[Ints, Ints]


MARGIN: Final = 0.35
"""How far, in pitches, a face's middle may lie off its cell's."""


@dataclass(frozen=True)
class LikelyLimits:
    """When a lattice may be of a skin, by its faces reduced in size."""

    probes: int = 3
    """Faces of a lattice that are compared with the skins."""
    faces: int = 12
    """Faces whose colour is compared."""
    colour: float = 40.0
    """Largest difference of a channel, in grey levels, between a face and the likest picture of a
    skin: gamma 0.8 to 1.25 moves a colour by up to 21, JPEG of quality 75 by some more."""
    likest: int = 3
    """Pictures a probe that are worth a try at full size."""
    farther: float = 2.0
    apart: float = 0.02
    """A skin this much farther than the likest one is not the one: that of a board is the likest,
    or nearly, where its own pictures are brought to another size."""
    structure: float = 6.0
    """Standard deviation, in grey levels, under which a picture fits anywhere."""
    inner: float = 0.2
    """Part of a picture at each side that may belong to lines and bevels."""
    step: int = 6
    """About the number of pixels across a face that give its colour."""


_LIKELY: Final = LikelyLimits()


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
        return self._replace(**{side: getattr(self, side) + outwards})


@dataclass(frozen=True)
class Place(Pitches):
    """Where the cells of a lattice are: each from edge to edge."""

    def col_at(self, x: float) -> float:
        """Return the column that a pixel lies in, and how far."""
        return _line_at(x - self.left, self.pitch_x, self.wide_cols, self.wider)

    def row_at(self, y: float) -> float:
        """Return the row that a pixel lies in, and how far."""
        return _line_at(y - self.top, self.pitch_y, self.wide_rows, self.wider)

    def cut(self, image: NDArray[np.uint8], span: Span, *, exactly: bool = False) -> Tiles:
        """Cut the tiles of a span, row by row: (n, h, w, 3) uint8.

        What lies outside the picture repeats its edge. Cut `exactly`, each cell reaches from edge
        to edge, though some are a pixel wider; while a board is looked for, the edges are a guess.
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

    def moved(self, side: Side, by: float) -> Place:
        """Return the place some pixels aside, across a side."""
        if side in ("left", "right"):
            return replace(self, left=self.left + by)
        return replace(self, top=self.top + by)

    def tiles_at(self, image: NDArray[np.uint8], rows: Ints, cols: Ints) -> Tiles:
        """Return the tiles of those cells that lie in the picture, (n, h, w, 3)."""
        tops = np.rint(self.y(rows)).astype(np.intp)
        lefts = np.rint(self.x(cols)).astype(np.intp)
        width, height = max(round(self.pitch_x), 1), max(round(self.pitch_y), 1)
        inside = (tops >= 0) & (lefts >= 0)
        inside &= (tops + height <= image.shape[0]) & (lefts + width <= image.shape[1])
        return gather_tiles(image, tops[inside], lefts[inside], (width, height))

    def inside(self, image: NDArray[np.uint8], span: Span, part: float = 1.0) -> bool:
        """Return whether a part of a span's sides lies in the picture, to half a pixel."""
        height, width = image.shape[:2]
        left, right = (float(self.x(col)) for col in (span.left, span.right))
        top, bottom = (float(self.y(row)) for row in (span.top, span.bottom))
        across = min(right, width) - max(left, 0.0)
        down = min(bottom, height) - max(top, 0.0)
        wide, high = part * (right - left) - 0.5, part * (bottom - top) - 0.5
        return bool(across > wide and down > high)

    def clipped(self, image: NDArray[np.uint8], span: Span, part: float = 1.0) -> Span:
        """Return the lines of a span of which that part lies in the picture, to half a pixel."""
        rows = visible(self.y(np.arange(span.top, span.bottom + 1)), image.shape[0], part)
        cols = visible(self.x(np.arange(span.left, span.right + 1)), image.shape[1], part)
        if not (len(rows) and len(cols)):
            return span._replace(bottom=span.top, right=span.left)
        return Span(
            span.top + int(rows[0]), span.left + int(cols[0]),
            span.top + int(rows[-1]) + 1, span.left + int(cols[-1]) + 1,
        )  # fmt: skip


def visible(edges: NDArray[np.float64], length: int, part: float) -> Ints:
    """Return which lines between edges lie in a picture, or that part of them."""
    size = np.diff(edges)
    return np.flatnonzero(np.diff(edges.clip(0, length)) > part * size - 0.5)


@dataclass(frozen=True, eq=False)
class Rectangle:
    """Some cells of a place, in pixels of the picture."""

    place: Place
    span: Span

    def holds(self, point: tuple[float, float]) -> bool:
        """Return whether a pixel (x, y) lies on it."""
        place, span = self.place, self.span
        return bool(
            place.x(span.left) <= point[0] < place.x(span.right)
            and place.y(span.top) <= point[1] < place.y(span.bottom)
        )

    def meets(self, other: Rectangle) -> bool:
        """Return whether the two share pixels."""
        return any(map(self.holds, other.corners())) or any(map(other.holds, self.corners()))

    def over(self, other: Rectangle) -> bool:
        """Return whether it shares pixels with another one that has no more cells."""
        one, two = (some.span.rows * some.span.cols for some in (self, other))
        return one >= two and any(map(self.holds, other.corners()))

    def corners(self) -> Iterator[tuple[float, float]]:
        """Yield the middles (x, y) of its corner cells."""
        for row in (self.span.top, self.span.bottom - 1):
            for col in (self.span.left, self.span.right - 1):
                yield (
                    float(self.place.x(col)) + self.place.pitch_x / 2,
                    float(self.place.y(row)) + self.place.pitch_y / 2,
                )


def place_at(pitches: Pitches, left: float, top: float) -> Place:
    """Return the place of cells at the distances of a lattice, from a corner on."""
    wide = pitches.wide_cols, pitches.wide_rows, pitches.wider
    return Place(float(left), float(top), pitches.pitch_x, pitches.pitch_y, *wide)


def _line_at(along: float, pitch: float, wide: int | None, wider: int) -> float:
    """Return how many lines of cells lie within some pixels; the first ones may be wider."""
    reach = 0.0 if wide is None else wide * (pitch + wider)
    if wide is not None and along > reach:
        return wide + (along - reach) / pitch
    return along / pitch if wide is None else along / (pitch + wider)


def cut_tiles(
    image: NDArray[np.uint8],
    tops: Ints,
    lefts: Ints,
    size: tuple[int, int],
    extra: Extra | None = None,
) -> Tiles:
    """Cut tiles of one size (width, height) at every crossing of `tops` and `lefts`, in pixels.

    `extra` are the pixels that each row and each column is larger than that.
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

    `extra` are the pixels that each is higher, and wider.
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
    """Return the skins that a lattice's faces look like and where they fit, most similar first."""
    pitch = (lattice.pitch_x + lattice.pitch_y) / 2
    drawn = tuple(one for skin in skins for one in _sets_at(skin, pitch))
    probes = [_probe(image, lattice, at) for at in spread(len(lattice), _LIKELY.probes)]
    # Of a skin's sets only the one that the faces resemble most.
    likeliest: dict[tuple[Skin, ...], Likely] = {}
    for one in likely_skins(image, lattice, probes, drawn):
        likeliest.setdefault(one.skin.family, one)
    # At its own size a skin is quickly told right or wrong; thin lines mislead when coarse.
    likely = sorted(
        likeliest.values(),
        key=lambda one: not resemblance_to(one.skin).own_size(lattice.pitch_x, lattice.pitch_y),
    )
    placed = []
    for _, skin, likest in likely[: _PLACING.max_skins]:
        places = [place_at(lattice, x, y) for x, y in _placed(probes, likest, skin, lattice)]
        misfit, place = _best_fit(image, places, lattice, resemblance_to(skin))
        if misfit <= _PLACING.another:
            placed.append((misfit, place, skin))
    least = min((misfit for misfit, *_ in placed), default=0.0)
    most = least if least <= THE_ONE else least + _PLACING.rival
    placed.sort(key=lambda one: one[0])
    return [(skin, place) for misfit, place, skin in placed if misfit <= most]


def _sets_at(skin: Skin, pitch: float) -> tuple[Skin, ...]:
    """Return the sets of a skin's pictures with which cells of a pitch in pixels may be drawn.

    At a scale of 2 GTK draws lines and gaps twice as wide, as in the pictures of half the size.
    """
    near, half = skin.drawn_at(pitch), skin.drawn_at(pitch / 2)
    return (near, half) if half is not near and half.tile[0] < pitch / sqrt(2) else (near,)


def _best_fit(
    image: NDArray[np.uint8], places: Sequence[Place], lattice: Lattice, measure: Resemblance
) -> tuple[float, Place]:
    """Return the least misfit and the place, moved by up to a pixel so that some cells fit best."""
    if lattice.pitch_x == round(lattice.pitch_x):
        places = [replace(place, left=float(round(place.left))) for place in places]
    if lattice.pitch_y == round(lattice.pitch_y):
        places = [replace(place, top=float(round(place.top))) for place in places]
    places = list(dict.fromkeys(places))
    chosen = spread(len(lattice), SAMPLES)
    rows, cols = lattice.rows[chosen], lattice.cols[chosen]

    def misfits(candidates: Sequence[Place]) -> list[float]:
        """Of all of them at once: a call costs more than what it does."""
        tiles = [candidate.tiles_at(image, rows, cols) for candidate in candidates]
        sizes = [len(some) for some in tiles]
        if not all(sizes):
            return [misfit_of(measure, some) if len(some) else np.inf for some in tiles]
        correlation = measure.likeness(np.concatenate(tiles), grey=True).correlation
        parts = np.split(correlation, np.cumsum(sizes)[:-1])
        return [1 - float(part.mean()) for part in parts]

    here, place = min(zip(misfits(places), places, strict=True), key=lambda fit: fit[0])
    if here > _PLACING.hopeless or measure.own_size(place.pitch_x, place.pitch_y):
        return here, place
    # Both axes at once: a pixel aside along one alone, the bevels of a cell fit no better.
    moved = [
        replace(place, left=place.left + across, top=place.top + down)
        for across, down in product((0.0, -1.0, 1.0), repeat=2)
    ]
    return min(zip(misfits(moved), moved, strict=True), key=lambda fit: fit[0])


def misfit_of(measure: Resemblance, tiles: Tiles) -> float:
    """Return how badly tiles fit their pictures in structure; shades determine no position."""
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
    """Return where the parabola through the least value and its neighbours is lowest, from `at`."""
    if not 0 < at < len(values) - 1:
        return 0.0
    before, here, after = (float(value) for value in values[at - 1 : at + 2])
    bend = before - 2 * here + after
    return 0.5 * (before - after) / bend if bend > 0 else 0.0


def native_fits(
    image: NDArray[np.uint8], lattice: Lattice, skins: Sequence[Skin]
) -> list[tuple[Skin, Place]]:
    """Return the skins whose very pictures a lattice's cells are, and where; twins are several."""
    pitch = (lattice.pitch_x + lattice.pitch_y) / 2
    face = round(lattice.face_width), round(lattice.face_height)
    chosen = spread(len(lattice), SAMPLES)
    rows, cols = lattice.rows[chosen], lattice.cols[chosen]
    fits: list[tuple[float, Skin, Place]] = []
    for skin in (skin.drawn_at(pitch) for skin in skins):
        if not resemblance_to(skin).own_size(lattice.pitch_x, lattice.pitch_y):
            continue
        for x, y in _corners(skin).get(face, ()):
            place = place_at(lattice, round(lattice.left) - x, round(lattice.top) - y)
            tiles = place.tiles_at(image, rows, cols)
            misfit = misfit_of(resemblance_to(skin), tiles) if len(tiles) else 1.0
            if misfit <= THE_ONE:
                fits.append((misfit, skin, place))
    least = min((misfit for misfit, *_ in fits), default=0.0)
    return [(skin, place) for misfit, skin, place in fits if misfit <= least]


@lru_cache(maxsize=128)
def _corners(skin: Skin) -> dict[tuple[int, int], tuple[tuple[int, int], ...]]:
    """Width and height of a face -> where (x, y) in a tile such faces begin."""
    found: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for look in (look for looks in skin.pictures.values() for look in looks):
        for x, y, width, height in _inner_faces(look):
            found.setdefault((width, height), set()).add((x, y))
    return {size: tuple(sorted(places)) for size, places in found.items()}


def _inner_faces(picture: NDArray[np.uint8]) -> list[tuple[int, int, int, int]]:
    """x, y, width and height of the faces of a tile among others like it."""
    height, width = picture.shape[:2]
    around = cv2.copyMakeBorder(picture, height, height, width, width, cv2.BORDER_WRAP)
    boxes = faces_of(np.asarray(around, np.uint8)) - (width, height, 0, 0)
    aside_x = np.abs(boxes[:, 0] + boxes[:, 2] / 2 - width / 2)
    aside_y = np.abs(boxes[:, 1] + boxes[:, 3] / 2 - height / 2)
    inner = (aside_x < _PLACING.central * width) & (aside_y < _PLACING.central * height)
    inner &= (boxes[:, 2] <= width) & (boxes[:, 3] <= height)
    return [(int(x), int(y), int(w), int(h)) for x, y, w, h in boxes[inner]]


@lru_cache(maxsize=128)
def faceless(skin: Skin) -> bool:
    """Return whether most covered cells have no face that a lattice could be made of."""
    width, height = skin.tile
    looks = skin.pictures[COVERED]
    faces = sum(
        any(2 * w >= width and 2 * h >= height for _, _, w, h in _inner_faces(look))
        for look in looks
    )
    return 2 * faces <= len(looks)


@dataclass(frozen=True, eq=False)
class Probe:
    """A face with its surroundings."""

    patch: NDArray[np.uint8]
    left: float
    """Pixel column of the patch, less what lies between the face's cell and column 0."""
    top: float


class Likely(NamedTuple):
    """A skin that a lattice may have."""

    distance: float
    """Median of the probes, at the coarse size."""
    skin: Skin
    likest: Ints
    """(probes, pictures) numbers of the likest of `sliding_pictures`, the likest first."""


@lru_cache(maxsize=4096)
def spread(n: int, most: int) -> Ints:
    """Return up to `most` numbers below n, far from each other; not to be changed."""
    places = np.linspace(0, n - 1, min(n, most + 2))[1:-1]
    return np.array(sorted({round(at) for at in places} or {n // 2}), np.intp)


def likely_skins(
    image: NDArray[np.uint8], lattice: Lattice, probes: Sequence[Probe], skins: tuple[Skin, ...]
) -> list[Likely]:
    """Return the skins that a lattice's faces resemble in a small size, the most similar first."""
    if not skins:
        return []
    catalogue = _catalogue(skins)
    coloured = np.flatnonzero(_colour_distances(image, lattice, catalogue) <= _LIKELY.colour)
    if not len(coloured):
        return []
    windows = Vectors.of(np.concatenate([_windows(probe.patch) for probe in probes]))
    likely = []
    for number in coloured.tolist():
        slides = catalogue.slides[number]
        distances = nearness(windows, slides).reshape(len(probes), -1, len(slides.values))
        least = distances.min(axis=1)
        likest = least.argsort(axis=1)[:, : _LIKELY.likest]
        likely.append(Likely(middle(least.min(axis=1)), skins[number], likest))
    likely.sort(key=lambda one: one.distance)
    return [
        one
        for one in likely
        if one.distance <= _LIKELY.farther * likely[0].distance + _LIKELY.apart
    ]


@lru_cache(maxsize=256)
def sliding_pictures(skin: Skin, size: tuple[int, int]) -> tuple[NDArray[np.uint8], ...]:
    """Return a skin's pictures in grey at one size, without those that would fit anywhere."""
    looks = [look for looks in skin.pictures.values() for look in looks]
    kept = [look for look in looks if look.std(axis=(0, 1)).max() >= _LIKELY.structure] or looks
    greys = [cv2.cvtColor(look, cv2.COLOR_BGR2GRAY) for look in kept]
    return tuple(
        np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8) for grey in greys
    )


@dataclass(frozen=True, eq=False)
class _Catalogue:
    """The data of all skins with which a lattice is compared."""

    colours: NDArray[np.float32]
    """(k, 3) the colour of each picture's face, skin by skin."""
    begins: Ints
    """(skins,) where each skin's colours begin."""
    slides: tuple[Vectors, ...]
    """Of each skin, coarse."""


@lru_cache(maxsize=32)
def _catalogue(skins: tuple[Skin, ...]) -> _Catalogue:
    colours = [
        [_face_colour(look) for looks in skin.pictures.values() for look in looks] for skin in skins
    ]
    sizes = [len(some) for some in colours]
    return _Catalogue(
        np.array([colour for some in colours for colour in some], np.float32),
        np.cumsum([0, *sizes[:-1]]),
        tuple(
            Vectors.of(
                np.stack(sliding_pictures(skin, (_PLACING.coarse, _PLACING.coarse)))[..., None]
            )
            for skin in skins
        ),
    )


def _face_colour(picture: NDArray[np.uint8]) -> NDArray[np.float64]:
    """(3,) the median of each channel; that of a hatching lies between its two colours."""
    across, down = (round(_LIKELY.inner * length) for length in picture.shape[1::-1])
    inner = picture[down : len(picture) - down, across : picture.shape[1] - across]
    pixels = inner.reshape(-1, 3)
    middles = (len(pixels) - 1) // 2, len(pixels) // 2
    colour: NDArray[np.float64] = np.partition(pixels, middles, axis=0)[list(middles)].mean(axis=0)
    return colour


def _colour_distances(
    image: NDArray[np.uint8], lattice: Lattice, catalogue: _Catalogue
) -> NDArray[np.float32]:
    """(skins,) how far, in grey levels, the faces' colours are from each skin's."""
    chosen = spread(len(lattice), _LIKELY.faces)
    xs, ys = (
        np.rint(
            places[:, None] + np.linspace(1, size - 2, min(_LIKELY.step, max(round(size) - 2, 1)))
        ).astype(np.intp)
        for places, size in (
            (lattice.x(lattice.cols[chosen]), lattice.face_width),
            (lattice.y(lattice.rows[chosen]), lattice.face_height),
        )
    )
    np.clip(xs, 0, image.shape[1] - 1, out=xs)
    np.clip(ys, 0, image.shape[0] - 1, out=ys)
    seen = image[ys[:, :, None], xs[:, None, :]].reshape(len(chosen), -1, 3)
    colours = np.partition(seen, seen.shape[1] // 2, axis=1)[:, seen.shape[1] // 2]
    differs = np.abs(colours[:, None].astype(np.float32) - catalogue.colours).max(axis=2)
    nearest = np.minimum.reduceat(differs, catalogue.begins, axis=1)
    half = len(chosen) // 2
    middle: NDArray[np.float32] = np.partition(nearest, half, axis=0)[half]
    return middle


def _probe(image: NDArray[np.uint8], lattice: Lattice, number: int) -> Probe:
    height, width = image.shape[:2]
    across = float(lattice.x(lattice.cols[number])) - lattice.left
    down = float(lattice.y(lattice.rows[number])) - lattice.top
    middle_x = lattice.left + across + lattice.face_width / 2
    middle_y = lattice.top + down + lattice.face_height / 2
    reach_x = (0.5 + MARGIN) * lattice.pitch_x
    reach_y = (0.5 + MARGIN) * lattice.pitch_y
    x0, x1 = max(round(middle_x - reach_x), 0), min(round(middle_x + reach_x), width)
    y0, y1 = max(round(middle_y - reach_y), 0), min(round(middle_y + reach_y), height)
    return Probe(image[y0:y1, x0:x1], x0 - across, y0 - down)


def _windows(patch: NDArray[np.uint8]) -> Tiles:
    """Every coarse tile that a patch may contain."""
    wide = round(_PLACING.coarse * (1 + 2 * MARGIN))
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (wide, wide), interpolation=cv2.INTER_AREA)
    views: Tiles = np.lib.stride_tricks.sliding_window_view(
        small, (_PLACING.coarse, _PLACING.coarse)
    )
    return views.reshape(-1, _PLACING.coarse, _PLACING.coarse, 1)
