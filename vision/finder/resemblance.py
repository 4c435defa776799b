"""Measure how much tiles resemble a skin's pictures: enough to find a board, not to read it.

The finder tests many places, most of which are wrong ones, for tiles of a skin; the reader decides
once which tiles they are, and must never be wrong. So the finder has this simple measure of its
own: OpenCV's TM_SQDIFF_NORMED, the sum of squared differences over the geometric mean of the two
energies. With |a - b|^2 = |a|^2 + |b|^2 - 2ab the distances of all tiles to all pictures are one
matrix product. The ends of a board are found in colour; its tiles are compared in grey, because
JPEG keeps colours at a quarter of the size and `vision.finder.placing` has compared them before.
Brightness is never normalised away: in some skins only the shade tells a covered cell from an empty
one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import UNREAD
from vision.matcher.description import SPOT
from vision.skins import Skin

Tiles = NDArray[np.uint8]
"""(n, h, w, 3) uint8, BGR."""
Floats = NDArray[np.float32]

LARGEST: Final = 24
"""Greatest width and height, in pixels, of compared tiles: more give no further information."""
ALIKE: Final = 0.10
"""Distance up to which a tile may be of a skin: noise to sigma 4, gamma 0.8 to 1.25 and scaling
0.8 to 2.5 leave 99 % of the bundled skins' tiles within 0.096."""


@dataclass(frozen=True)
class ResemblanceLimits:
    """Limits of the comparison of cells with pictures.

    `python -m tests.benchmarks.finding` measures the time of a search; `vision/RESULTS.md` says
    what single ones are worth.
    """

    spotted: float = 0.22
    """Difference of a spot up to which it may: those changes reach 0.19, JPEG of quality 75
    0.22."""
    dark: float = (48 / 255) ** 2
    """Mean energy of a value below which a picture counts as dark: black has none to divide by."""
    no_structure: float = 1e-5
    """Part of a picture's energy up to which its structure may be rounding errors alone: it is
    plain then. Of a light one, less than one grey level."""
    many: int = 16
    """Tiles from which on equal ones are looked for."""


_RESEMBLANCE: Final = ResemblanceLimits()


@dataclass(frozen=True, eq=False)
class Vectors:
    """Pictures of one size, ready for matrix products."""

    values: Floats
    """(n, d), 0..1; d runs over the pixels, and for each over its channels."""
    energy: Floats
    """(n,) sum of squares."""
    means: Floats
    """(n, c) mean of each channel."""

    @classmethod
    def of(cls, pictures: Tiles) -> Vectors:
        """Of (n, h, w, c) uint8 pictures."""
        values = pictures.reshape(len(pictures), -1).astype(np.float32)
        values *= np.float32(1 / 255)
        means: Floats = values @ _averaging(
            pictures.shape[1] * pictures.shape[2], pictures.shape[3]
        )
        return cls(values, np.einsum("nd,nd->n", values, values), means)

    @property
    def pixels(self) -> int:
        """How many a picture has."""
        return int(self.values.shape[1]) // int(self.means.shape[1])

    @property
    def structure(self) -> Floats:
        """(n,) sum of squares without the mean colour."""
        structure: Floats = self.energy - self.pixels * np.square(self.means).sum(axis=1)
        return np.maximum(structure, np.float32(0))


class Seen(NamedTuple):
    """What tiles resemble, each the picture that it is nearest to."""

    codes: NDArray[np.int8]
    """(n,) of that picture, UNREAD where it is no tile of the skin."""
    distance: Floats
    """(n,) 0 is the same."""
    spots: Floats
    """(n,) in 0..1: the largest mean difference over four by four pixels. Noise, blur and gamma
    spread over a tile; a glyph that does not belong there, or a window's corner, is a spot."""


class Likeness(NamedTuple):
    """How near tiles are to the nearest picture of a skin."""

    distance: Floats
    """(n,) 0 is the same."""
    correlation: Floats
    """(n,) in -1..1 with that picture once each is freed of its mean colour; 0 where either has no
    structure. A plain background is near to an empty cell, but lacks the lines around
    it."""
    codes: NDArray[np.int8]
    """(n,) of that picture, however far it is."""


class Resemblance:
    """Holds tiles against one skin."""

    def __init__(self, skin: Skin) -> None:
        self.skin = skin
        self._looks = np.stack([look for looks in skin.pictures.values() for look in looks])
        self._codes = np.array(
            [code for code, looks in skin.pictures.items() for _ in looks], np.int8
        )
        self._pictures: dict[tuple[tuple[int, int], bool, bool], Vectors] = {}

    def own_size(self, width: float, height: float) -> bool:
        """Return whether tiles of that size need no scaling to be compared."""
        return width == self.skin.tile[0] and height == self.skin.tile[1]

    def see(self, tiles: Tiles) -> Seen:
        """Return what each of (n, h, w, 3) uint8 tiles resembles, in grey."""
        tiles, which = _distinct(tiles)
        size, vectors, pictures = self._met(tiles, grey=True)
        distances = nearness(vectors, pictures)
        best = distances.argmin(axis=1)
        distance = distances[np.arange(len(tiles)), best]
        spots = _spots(vectors, pictures, best, size)
        alike = (distance <= ALIKE) & (spots <= _RESEMBLANCE.spotted)
        codes = np.where(alike, self._codes[best], UNREAD).astype(np.int8)
        return Seen(codes[which], distance[which], spots[which])

    def likeness(self, tiles: Tiles, *, grey: bool = False) -> Likeness:
        """Return how near each tile is to a picture, and how alike in structure.

        Source: OpenCV TM_SQDIFF_NORMED and TM_CCOEFF_NORMED.
        """
        tiles, which = _distinct(tiles)
        _, vectors, pictures = self._met(tiles, grey=grey)
        products = vectors.values @ pictures.values.T
        distances = _normalised(products, vectors, pictures)
        best = distances.argmin(axis=1)
        rows = np.arange(len(tiles))
        common = vectors.pixels * (vectors.means * pictures.means[best]).sum(axis=1)
        its, theirs = vectors.structure, pictures.structure[best]
        plain = (its <= _RESEMBLANCE.no_structure * vectors.energy) | (
            theirs <= _RESEMBLANCE.no_structure * pictures.energy[best]
        )
        energy = np.sqrt(np.where(plain, 1, its * theirs))
        correlation = np.where(plain, 0, (products[rows, best] - common) / energy)
        correlation = correlation.astype(np.float32)
        return Likeness(distances[rows, best][which], correlation[which], self._codes[best][which])

    def _met(self, tiles: Tiles, *, grey: bool) -> tuple[tuple[int, int], Vectors, Vectors]:
        """Return the size (width, height) at which both meet, the tiles and the pictures there."""
        height, width = tiles.shape[1:3]
        tile = self.skin.tile
        size = min(width, tile[0], LARGEST), min(height, tile[1], LARGEST)
        scaled = (width, height) != tile
        key = size, scaled, grey
        if key not in self._pictures:
            self._pictures[key] = _vectors(self._looks, size, blur=scaled, grey=grey)
        return size, _vectors(tiles, size, blur=scaled, grey=grey), self._pictures[key]


def _distinct(tiles: Tiles) -> tuple[Tiles, NDArray[np.intp]]:
    """Return the tiles that differ, few of a board's, and the number of each tile's own."""
    if len(tiles) < _RESEMBLANCE.many:
        return tiles, np.arange(len(tiles))
    flat = np.ascontiguousarray(tiles).reshape(len(tiles), -1)
    keys = flat.view(np.dtype((np.void, flat.shape[1])))[:, 0].tolist()
    # The later one of equal tiles stands for them: a dict built at once is the fastest way.
    last = dict(zip(keys, range(len(keys)), strict=True))
    kept = np.fromiter(last.values(), np.intp, len(last))
    numbers = dict(zip(last, range(len(last)), strict=True))
    return tiles[kept], np.fromiter(map(numbers.__getitem__, keys), np.intp, len(keys))


@lru_cache(maxsize=64)
def resemblance_to(skin: Skin) -> Resemblance:
    """Return what finding holds against a skin; kept, for its pictures at other sizes."""
    return Resemblance(skin)


@lru_cache(maxsize=64)
def _averaging(pixels: int, channels: int) -> Floats:
    """(d, c): a matrix product is the fastest way to the mean colour."""
    return np.tile(np.eye(channels, dtype=np.float32) / np.float32(pixels), (pixels, 1))


def nearness(vectors: Vectors, references: Vectors) -> Floats:
    """(n, k) float32: normalised squared differences; 0 is the same."""
    return _normalised(vectors.values @ references.values.T, vectors, references)


def _normalised(products: Floats, vectors: Vectors, references: Vectors) -> Floats:
    squares = vectors.energy[:, None] + references.energy - 2 * products
    floor = np.float32(_RESEMBLANCE.dark * vectors.values.shape[1])
    norm = np.sqrt(np.maximum(vectors.energy, floor))[:, None]
    distances: Floats = squares / (norm * np.sqrt(np.maximum(references.energy, floor)))
    return np.maximum(distances, 0, out=distances)


def _vectors(tiles: Tiles, size: tuple[int, int], *, blur: bool, grey: bool) -> Vectors:
    """Return the tiles, all at one size, in one stack: a call a tile costs more."""
    n, height, width = tiles.shape[:3]
    stack = np.ascontiguousarray(tiles).reshape(n * height, width, 3)
    met = cv2.cvtColor(stack, cv2.COLOR_BGR2GRAY) if grey else stack
    if (width, height) != size:
        # Shrinking by area, no pixel of one tile gets into the next.
        met = cv2.resize(met, (size[0], n * size[1]), interpolation=cv2.INTER_AREA)
    same = met.reshape(n, size[1], size[0], -1).astype(np.uint8, copy=False)
    return Vectors.of(_softened(same) if blur else same)


def _softened(tiles: Tiles) -> Tiles:
    """Each of (n, h, w, c) blurred by [1 2 1] both ways, its border mirrored."""
    n, height, width, channels = tiles.shape
    if min(height, width) < 2:
        return tiles
    wide = np.empty((n, height + 2, width + 2, channels), np.uint8)
    wide[:, 1:-1, 1:-1] = tiles
    wide[:, 0, 1:-1], wide[:, -1, 1:-1] = tiles[:, 1], tiles[:, -2]
    wide[:, :, 0], wide[:, :, -1] = wide[:, :, 2], wide[:, :, -3]
    soft = cv2.GaussianBlur(wide.reshape(-1, width + 2, channels), (3, 3), 0)
    return soft.reshape(wide.shape)[:, 1:-1, 1:-1].astype(np.uint8, copy=False)


def _spots(
    vectors: Vectors, pictures: Vectors, best: NDArray[np.intp], size: tuple[int, int]
) -> Floats:
    width, height = size
    across, down = max(width // SPOT, 1), max(height // SPOT, 1)
    differs = np.abs(vectors.values - pictures.values[best])
    inner = differs.reshape(-1, height, width)[:, : down * SPOT, : across * SPOT]
    blocks = inner.reshape(len(best), down, -1, across, inner.shape[2] // across)
    worst: Floats = blocks.mean(axis=(2, 4)).reshape(len(best), -1).max(axis=1)
    return worst
