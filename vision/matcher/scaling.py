"""Pictures as scaling draws them: by method, and by the subpixel position of cells.

A browser, a toolkit or a remote desktop shows a picture at another size in one of a few ways, the
same for the whole board. With the right way, its tiles are almost exactly the skin's pictures: thin
lines are preserved or dropped as in that way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import UNREAD
from vision.matcher.description import Floats, Ints, Tiles, describe, fringe_of


@dataclass(frozen=True)
class ScalingLimits:
    """Limits of the ways in which a program may have scaled its pictures.

    Measured by `python -m tests.benchmarks.reading`; `vision/RESULTS.md` says what single ones
    are worth.
    """

    quarters: tuple[float, ...] = (-0.5, -0.25, 0.0, 0.25, 0.5)
    """Subpixel positions of a cell's beginning, relative to its cut."""
    rival: float = 1.4
    """Factor by which another way may leave more and still be possible. Measured likewise: 1.6
    for XBomb's pictures scaled to 15 pixels, and 1.1 with lines left out of tiles that KMines
    drew itself."""
    apart: float = 4.0
    """Least ratio of the difference from another state's pictures for a tile that is a picture
    exactly."""
    sparse: float = 0.755
    """Scale up to which every line of a picture is left out for some of `quarters`."""
    border: float = 0.1
    """Weight of the values along the sides of a tile: the neighbours there may be others."""
    tie: float = 0.02
    """Distance in pixels from half-way between two, within which either may be the nearest."""
    lost: float = 0.3
    """Share of the squared difference of two states below which thin lines may be gone. Measured
    likewise, at 0.75 with lines left out: without, many of XBomb's 1 are read as 0; with 0.3 two
    3 of 4,864 tiles are read as 7; with 0.33 a board that 'classic' draws itself at 12 pixels
    becomes unreadable."""


_SCALING: Final = ScalingLimits()

_EXPLAINED: Final = 0.025
"""Root mean square difference that a way which mixes pixels may leave. A board with lines left out
is read only in that way, with any difference, because thin lines may be gone.

Measured on one board of each cell size, scaled as in `tests.support.scaled`: 0.023 for XBomb's
tiles at 15 pixels, less for others; 0.029 and more for 12-pixel tiles that a program drew itself
and that were scaled then."""
GRAIN: Final = 1.5 / 255
"""Root mean square difference that always exists: colours are whole numbers."""


def _nearest(places: Floats, _pixel: float) -> list[tuple[Ints, Floats]]:
    return [(np.floor(places + 0.5).astype(np.intp), np.ones_like(places))]


def _bilinear(places: Floats, _pixel: float) -> list[tuple[Ints, Floats]]:
    first = np.floor(places)
    part = places - first
    at = first.astype(np.intp)
    return [(at, 1 - part), (at + 1, part)]


def _bicubic(places: Floats, _pixel: float) -> list[tuple[Ints, Floats]]:
    first = np.floor(places)
    taps = []
    for step in range(-1, 3):
        far = np.abs(places - first - step)
        near = 1.25 * far**3 - 2.25 * far**2 + 1
        beyond = -0.75 * (far**3 - 5 * far**2 + 8 * far - 4)
        taps.append((first.astype(np.intp) + step, np.where(far <= 1, near, beyond)))
    return taps


def _area(places: Floats, pixel: float) -> list[tuple[Ints, Floats]]:
    begin, end = places + 0.5 - pixel / 2, places + 0.5 + pixel / 2
    first = np.floor(begin)
    return [
        (
            first.astype(np.intp) + step,
            (np.minimum(end, first + step + 1) - np.maximum(begin, first + step)).clip(0) / pixel,
        )
        for step in range(int(np.ceil(pixel)) + 1)
    ]


METHODS: Final[tuple[Callable[[Floats, float], list[tuple[Ints, Floats]]], ...]] = (
    _nearest,
    _bilinear,
    _bicubic,
    _area,
)


@dataclass(frozen=True)
class Way:
    """A way in which a board may have been scaled."""

    method: int
    whole: bool
    """Whether the board was scaled as one picture, not cell by cell to whole pixels."""

    @property
    def thins(self) -> bool:
        """Whether lines of pixels are left out of a reduced picture."""
        return METHODS[self.method] is _nearest


@lru_cache(maxsize=512)
def _weights(method: int, before: int, after: int, side: float, phase: float) -> Floats:
    """Return (after, before): weights of the picture's pixels in each new one; tiles repeat."""
    pixel = before / side
    places = (np.arange(after) + 0.5 - phase) * pixel - 0.5
    weights = np.zeros((after, before), np.float32)
    for at, part in METHODS[method](places, pixel):
        np.add.at(weights, (np.arange(after), at % before), part.astype(np.float32))
    return weights


@lru_cache(maxsize=64)
def _axis(way: Way, before: int, after: int, pitch: float, met: int) -> Floats:
    """Return (v, met, before): weights for all subpixel positions of cells.

    A picture with `after` pixels is averaged to `met`.
    """
    sides = [pitch] if way.whole else [float(after + more) for more in (-1, 0, 1)]
    phases = _SCALING.quarters if way.whole else (0.0,)
    some = [(side, phase) for side in sides for phase in phases]
    if way.method == 0:
        # Half-way between two pixels it is either, and not the same one all over a tile.
        some = [
            (side + grow, phase + move - grow / 2)
            for side, phase in some
            for move, grow in (
                (-_SCALING.tie, 0),
                (_SCALING.tie, 0),
                (0, 2 * _SCALING.tie),
                (0, -2 * _SCALING.tie),
            )
        ]
    weights = np.stack([_weights(way.method, before, after, *one) for one in some])
    reduced = _weights(_AREA, after, met, float(met), 0.0) @ weights
    return np.unique(reduced.round(3), axis=0)


def redrawn(
    picture: NDArray[np.uint8],
    tile: tuple[int, int],
    pitch: tuple[float, float],
    size: tuple[int, int],
    way: Way,
) -> Tiles:
    """Return (v, h, w, 3): a picture as a way draws it, at all subpixel positions."""
    height, width = picture.shape[:2]
    across = _axis(way, width, tile[0], pitch[0], size[0])
    down = _axis(way, height, tile[1], pitch[1], size[1])
    rows = down.reshape(-1, height) @ picture.reshape(height, -1).astype(np.float32)
    columns = rows.reshape(-1, width, 3).transpose(2, 0, 1) @ across.reshape(-1, width).T
    both = columns.reshape(3, len(down), size[1], len(across), size[0])
    drawn = np.empty((len(down), len(across), size[1], size[0], 3), np.uint8)
    np.add(both.clip(0, 255).transpose(1, 3, 2, 4, 0), 0.5, out=drawn, casting="unsafe")
    return drawn.reshape(-1, size[1], size[0], 3)


_AREA: Final = METHODS.index(_area)
WAYS: Final = tuple(Way(method, whole) for whole, method in product((True, False), range(4)))


class Redrawn:
    """Pictures at another size, by way of scaling.

    `tile` is the width and height of the tiles, `pitch` that of the board's cells, not rounded;
    both are compared at `size`.
    """

    def __init__(
        self,
        pictures: Sequence[NDArray[np.uint8]],
        codes: NDArray[np.int8],
        tile: tuple[int, int],
        pitch: tuple[float, float],
        size: tuple[int, int],
    ) -> None:
        self.size = size
        self.codes = codes
        self._scale = np.sqrt(1 - (1 - _SCALING.border) * fringe_of(size))
        self._pictures = pictures
        self._tile = tile
        self._pitch = pitch
        self._held: dict[tuple[int, Way], tuple[Floats, Floats]] = {}

    def ways(self, values: Floats, likely: Ints) -> tuple[Way, ...]:
        """Return the ways in which a board may have been scaled, by some of its described tiles.

        None if its tiles do not fit the pictures in any way, or fit both a way that drops or
        repeats lines and one that mixes them: then the program has drawn its tiles differently.
        `likely` (n, m) are the likely pictures of each tile.
        """
        inner = 1 - fringe_of(self.size)
        misfits = {}
        for way in WAYS:
            gaps = (self.nearest(values, likely, (way,)) - values[:, None]) * inner
            least = np.einsum("nmd,nmd->nm", gaps, gaps).min(axis=1) / inner.sum()
            misfits[way] = float(np.sqrt(least).mean())
        best = min(WAYS, key=misfits.__getitem__)
        other = min(misfits[way] for way in WAYS if way.thins != best.thins)
        if (misfits[best] > _EXPLAINED and not best.thins) or other < _SCALING.rival * misfits[
            best
        ]:
            return ()
        most = _SCALING.rival * misfits[best] + GRAIN
        return tuple(way for way in WAYS if way.thins == best.thins and misfits[way] <= most)

    def exact(self, values: Floats, ways: Sequence[Way]) -> NDArray[np.int8]:
        """Return (n,): the only state of which a tile is a picture exactly; UNREAD without one.

        Without some lines, pictures of two states can be equal. That is known only if every version
        of the pictures is known, and these are all of the board's program.
        """
        if not self._complete(ways):
            return np.full(len(values), UNREAD, np.int8)
        numbers = range(len(self.codes))
        rests = np.stack([self._rests(values, at, ways) for at in numbers], axis=1)
        codes = self.codes[rests.argmin(axis=1)]
        rivals = np.where(codes[:, None] == self.codes, np.inf, rests).min(axis=1)
        sure = (rests.min(axis=1) <= GRAIN) & (rivals > _SCALING.apart * GRAIN)
        return np.where(sure, codes, UNREAD).astype(np.int8)

    def _complete(self, ways: Sequence[Way]) -> bool:
        """Return whether each line that may be left out is left out in some version."""
        height, width = self._pictures[0].shape[:2]
        alone = all(picture.shape[:2] == (height, width) for picture in self._pictures)
        scale = max(self._pitch[0] / width, self._pitch[1] / height)
        return alone and all(way.thins and way.whole for way in ways) and scale <= _SCALING.sparse

    def _rests(self, values: Floats, number: int, ways: Sequence[Way]) -> Floats:
        """Return (n,): least root mean square difference of tiles from a picture, inside."""
        inner = 1 - fringe_of(self.size)
        within = values * inner
        versions = np.concatenate([self._versions(number, way)[0] for way in ways]) * inner
        squares = np.square(versions).sum(axis=1) - 2 * within @ versions.T
        least = squares.min(axis=1) + np.square(within).sum(axis=1)
        rests: Floats = np.sqrt(least.clip(0) / inner.sum())
        return rests

    def closest(self, values: Floats, ways: Sequence[Way]) -> Ints:
        """Return (n, 2): the nearest picture of each tile, and the nearest one of another state."""
        least = [self._squares(values, at, ways).min(axis=1) for at in range(len(self.codes))]
        squares = np.stack(least, axis=1)
        best = squares.argmin(axis=1)
        squares[self.codes == self.codes[best][:, None]] = np.inf
        return np.stack([best, squares.argmin(axis=1)], axis=1)

    def fragile(
        self, pictures: Floats, codes: NDArray[np.int8], ways: Sequence[Way]
    ) -> NDArray[np.bool_]:
        """Return (n,): whether most of the difference from another state may be dropped."""
        fragile = np.zeros(len(pictures), bool)
        energy = np.square(pictures * self._scale).sum(axis=1)
        for number, code in enumerate(self.codes.tolist()):
            squares = (self._squares(pictures, number, ways) + energy[:, None]).clip(0)
            lost = squares.min(axis=1) < _SCALING.lost * np.median(squares, axis=1)
            fragile |= lost & (codes != code)
        return fragile

    def nearest(self, values: Floats, likely: Ints, ways: Sequence[Way]) -> Floats:
        """Return (n, m, d): each tile's likely pictures, redrawn to fit it best."""
        found = np.empty((*likely.shape, values.shape[1]), np.float32)
        for number in np.unique(likely).tolist():
            rows, cols = np.nonzero(likely == number)
            tiles, at = np.unique(rows, return_inverse=True)
            best = self._squares(values[tiles], number, ways).argmin(axis=1)
            versions = np.concatenate([self._versions(number, way)[0] for way in ways])
            found[rows, cols] = versions[best][at]
        fitting: Floats = found / self._scale
        return fitting

    def _squares(self, values: Floats, number: int, ways: Sequence[Way]) -> Floats:
        """Return (n, v): squared distances of tiles from versions, less the tiles' squares."""
        scaled = values * self._scale
        parts = []
        for way in ways:
            versions, energy = self._versions(number, way)
            parts.append(energy - 2 * scaled @ versions.T)
        return np.concatenate(parts, axis=1)

    def _versions(self, number: int, way: Way) -> tuple[Floats, Floats]:
        """Return versions (v, d) of a picture, weighted less along the sides, and squares (v,)."""
        key = number, way
        if key not in self._held:
            drawn = redrawn(self._pictures[number], self._tile, self._pitch, self.size, way)
            versions = describe(drawn, self.size) * self._scale
            self._held[key] = versions, np.square(versions).sum(axis=1)
        return self._held[key]
