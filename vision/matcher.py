"""Naming tile pictures: template matching behind an exact memory of what was decided before.

Every tile is compared with every picture of the skin by OpenCV's TM_SQDIFF_NORMED: the
sum of squared differences over the geometric mean of the two energies. With
|a - b|^2 = |a|^2 + |b|^2 - 2ab the distances of all tiles to all pictures are one matrix
product. Tiles and pictures meet at the smaller of their two sizes, slightly blurred where
they differ, and there each picture is also tried moved by a pixel: a program that draws
at another scale puts its edges elsewhere by fractions of one.

A tile that is far from everything, or almost as near to another state, is UNREAD.
Brightness is never normalised away: in some skins only the shade tells a covered cell
from an empty one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import UNREAD
from vision.skins import Skin

Tiles = NDArray[np.uint8]
"""(n, h, w, 3) uint8, BGR."""
Ints = NDArray[np.intp]
Named = tuple[NDArray[np.int8], NDArray[np.float32]]
"""Codes (n,) and confidence (n,)."""

_DARK: Final = (48 / 255) ** 2
"""Mean energy of a value below which a picture counts as dark: black has none to divide by."""
_NO_STRUCTURE: Final = 1e-3
"""Energy of structure under which a picture is plain."""
LARGEST: Final = 24
"""Pixels a tile beyond which more of them tell nothing more."""
_SPOT: Final = 4
"""Pixels across a spot, at the size at which tiles and pictures meet."""
_MEMORY_BYTES: Final = 24 << 20
_SHIFTS: Final = tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if (x, y) != (0, 0))


@dataclass(frozen=True)
class Tolerance:
    """When a tile is believed."""

    distance: float
    """Largest distance to the nearest picture."""
    confidence: float
    """Smallest confidence: one minus nearest over second-nearest distance."""
    spot: float
    """Largest difference of a spot from the nearest picture: see `Matcher.spots`."""


BELIEVED: Final = Tolerance(distance=0.10, confidence=0.25, spot=0.22)
"""Measured on every picture of the nine bundled skins, changed as `tests/vision/test_matcher.py`
changes them: noise to sigma 4, gamma 0.8 to 1.25 and scaling 0.8 to 2.5 leave 99 % of tiles
within a distance of 0.096; JPEG of quality 75 does not (coloured lines on black: 0.29).
XBomb's mine and exploded mine, one line of pixels apart, are right from a confidence of 0.34
at 1.25 to 2 times their size, and were taken for each other at 0.17. Spots reach 0.19, with
JPEG 0.22; letters on the keys of a keyboard, as near to a covered cell as 0.017, have spots
of 0.15 to 0.25, and a thin hint taken for an empty cell has 0.3."""

SMALL: Final = 14
"""Pixels a tile under which glyphs are a few blurred pixels each."""
SMALL_CONFIDENCE: Final = 0.35
"""What `BELIEVED` asks there: a 2 drawn at 11.6 px was once taken for a 7."""


@dataclass(frozen=True, eq=False)
class Vectors:
    """Pictures of one size, ready for matrix products."""

    values: NDArray[np.float32]
    """(n, d), 0..1; d runs over the pixels, BGR by BGR."""
    energy: NDArray[np.float32]
    """(n,) sum of squares."""
    means: NDArray[np.float32]
    """(n, 3) mean colour."""

    @classmethod
    def of(cls, pictures: Tiles) -> Vectors:
        """Of (n, h, w, 3) uint8 pictures."""
        values = pictures.reshape(len(pictures), -1).astype(np.float32)
        values *= np.float32(1 / 255)
        pixels = values.shape[1] // 3
        mean = np.tile(np.eye(3, dtype=np.float32) / np.float32(pixels), (pixels, 1))
        means: NDArray[np.float32] = values @ mean
        return cls(values, np.einsum("nd,nd->n", values, values), means)

    @property
    def structure(self) -> NDArray[np.float32]:
        """(n,) sum of squares without the mean colour."""
        pixels = self.values.shape[1] // 3
        structure: NDArray[np.float32] = self.energy - pixels * np.square(self.means).sum(axis=1)
        return np.maximum(structure, np.float32(0))


@dataclass(frozen=True, eq=False)
class _Reference:
    """A skin's pictures at one size."""

    vectors: Vectors
    """(k,)"""
    codes: NDArray[np.int8]
    """(k,)"""


class Matcher:
    """Names the tiles of one skin, and remembers what it has decided.

    Args:
        skin: Reference pictures.
    """

    def __init__(self, skin: Skin) -> None:
        self.skin = skin
        self._references: dict[tuple[tuple[int, int], bool, bool], _Reference] = {}
        self._known: dict[tuple[int, bytes], tuple[int, float]] = {}
        self._known_bytes = 0

    def own_size(self, width: float, height: float) -> bool:
        """Whether tiles of that size need no scaling to be compared."""
        return width == self.skin.tile[0] and height == self.skin.tile[1]

    def match(self, tiles: Tiles) -> Named:
        """Name each tile picture.

        Args:
            tiles: (n, h, w, 3) uint8, BGR, of any one size.

        Returns:
            Codes (n,) int8, UNREAD where no picture is close enough or two states are
            almost equally close, and confidence (n,) float32 in 0..1: one minus nearest
            over second-nearest distance.

        Source: normalised squared difference, OpenCV TM_SQDIFF_NORMED.
        """
        if len(tiles) == 0:
            return np.empty(0, np.int8), np.empty(0, np.float32)
        width = int(tiles.shape[2])
        rows = np.ascontiguousarray(tiles).reshape(len(tiles), -1)
        keys = [(width, row.tobytes()) for row in rows]
        # Replaced, never emptied: another thread may be reading the memory.
        known = self._known
        unknown = {key: at for at, key in enumerate(keys) if key not in known}
        if unknown:
            codes, confidence = self.compare(tiles[list(unknown.values())])
            decided = zip(codes.tolist(), confidence.tolist(), strict=True)
            known.update(zip(unknown, decided, strict=True))
            self._known_bytes += sum(len(key[1]) for key in unknown)
            if self._known_bytes > _MEMORY_BYTES:
                self._known, self._known_bytes = {}, 0
        named = [known[key] for key in keys]
        return (
            np.array([code for code, _ in named], np.int8),
            np.array([trust for _, trust in named], np.float32),
        )

    def compare(self, tiles: Tiles) -> Named:
        """The same without the memory: every tile against every picture."""
        size, scaled = self._meeting(tiles)
        return _decide(_vectors(tiles, size, blur=scaled), self._reference(size, scaled), size)

    def distances(self, tiles: Tiles) -> NDArray[np.float32]:
        """Distance of each tile to the nearest picture as it is, (n,) float32."""
        return self.resemblance(tiles)[0]

    def resemblance(self, tiles: Tiles) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """How near each tile is to a picture as it is, and how alike in structure.

        Returns:
            Distance (n,) float32, and correlation (n,) float32 in -1..1 with that picture
            once each is freed of its mean colour; 0 where the picture has no structure. A
            plain background is near to an empty cell, but lacks the lines around it.

        Source: OpenCV TM_SQDIFF_NORMED and TM_CCOEFF_NORMED.
        """
        size, scaled = self._meeting(tiles)
        vectors = _vectors(tiles, size, blur=scaled)
        pictures = self._reference(size, scaled, moved=False).vectors
        products = vectors.values @ pictures.values.T
        distances = _normalised(products, vectors, pictures)
        best = distances.argmin(axis=1)
        rows = np.arange(len(tiles))
        pixels = vectors.values.shape[1] // 3
        common = pixels * (vectors.means * pictures.means[best]).sum(axis=1)
        energy = np.sqrt(vectors.structure * pictures.structure[best])
        correlation = (products[rows, best] - common) / np.maximum(energy, _NO_STRUCTURE)
        return distances[rows, best], correlation.astype(np.float32)

    def nearest(self, tiles: Tiles) -> NDArray[np.int8]:
        """Codes (n,) of the picture as it is that each tile is nearest to, however far."""
        size, scaled = self._meeting(tiles)
        reference = self._reference(size, scaled, moved=False)
        vectors = _vectors(tiles, size, blur=scaled)
        products = vectors.values @ reference.vectors.values.T
        best = _normalised(products, vectors, reference.vectors).argmin(axis=1)
        codes: NDArray[np.int8] = reference.codes[best]
        return codes

    def spots(self, tiles: Tiles) -> NDArray[np.float32]:
        """How much each tile's worst spot differs from the nearest picture as it is.

        Returns:
            (n,) float32 in 0..1: the largest mean difference over four by four pixels.
            Noise, blur and gamma spread over a tile; a glyph that does not belong there,
            or the corner of another window, is a spot.
        """
        size, scaled = self._meeting(tiles)
        vectors = _vectors(tiles, size, blur=scaled)
        pictures = self._reference(size, scaled, moved=False).vectors
        return _spots(vectors, pictures, nearness(vectors, pictures).argmin(axis=1), size)

    def _meeting(self, tiles: Tiles) -> tuple[tuple[int, int], bool]:
        """The size (width, height) at which they meet the pictures, and whether they differ."""
        width, height = int(tiles.shape[2]), int(tiles.shape[1])
        size = (
            min(width, self.skin.tile[0], LARGEST),
            min(height, self.skin.tile[1], LARGEST),
        )
        return size, (width, height) != self.skin.tile

    def _reference(self, size: tuple[int, int], scaled: bool, *, moved: bool = True) -> _Reference:
        key = size, scaled, moved
        if key not in self._references:
            self._references[key] = _make_reference(self.skin, size, scaled, moved=moved)
        return self._references[key]


def _make_reference(skin: Skin, size: tuple[int, int], scaled: bool, *, moved: bool) -> _Reference:
    looks = [(code, look) for code, some in skin.pictures.items() for look in some]
    if scaled and moved:
        looks += [(code, _shifted(look, x, y)) for code, look in looks for x, y in _SHIFTS]
    return _Reference(
        vectors=_vectors(np.stack([look for _, look in looks]), size, blur=scaled),
        codes=np.array([code for code, _ in looks], np.int8),
    )


def _shifted(picture: NDArray[np.uint8], x: int, y: int) -> NDArray[np.uint8]:
    """Moved by half a pixel a unit; a board's tiles repeat, so what leaves comes back."""
    tripled = np.tile(picture, (3, 3, 1))
    height, width = picture.shape[:2]
    move = np.array([[1.0, 0.0, x / 2 - width], [0.0, 1.0, y / 2 - height]], np.float32)
    return np.asarray(cv2.warpAffine(tripled, move, (width, height)), np.uint8)


def _vectors(tiles: Tiles, size: tuple[int, int], *, blur: bool) -> Vectors:
    """The tiles, all at one size."""
    n, height, width = tiles.shape[:3]
    met = tiles
    if (width, height) != size:
        met = np.empty((n, size[1], size[0], 3), np.uint8)
        for tile, small in zip(tiles, met, strict=True):
            cv2.resize(tile, size, dst=small, interpolation=cv2.INTER_AREA)
    if blur:
        sharp, met = met, np.empty_like(met)
        for tile, soft in zip(sharp, met, strict=True):
            cv2.GaussianBlur(tile, (3, 3), 0, dst=soft)
    return Vectors.of(met)


def nearness(vectors: Vectors, references: Vectors) -> NDArray[np.float32]:
    """(n, k) float32: normalised squared differences; 0 is the same."""
    return _normalised(vectors.values @ references.values.T, vectors, references)


def _normalised(
    products: NDArray[np.float32], vectors: Vectors, references: Vectors
) -> NDArray[np.float32]:
    squares = vectors.energy[:, None] + references.energy - 2 * products
    floor = np.float32(_DARK * vectors.values.shape[1])
    norm = np.sqrt(np.maximum(vectors.energy, floor))[:, None]
    distances: NDArray[np.float32] = squares / (
        norm * np.sqrt(np.maximum(references.energy, floor))
    )
    return np.maximum(distances, 0, out=distances)


def _spots(
    vectors: Vectors, pictures: Vectors, best: Ints, size: tuple[int, int]
) -> NDArray[np.float32]:
    width, height = size
    across, down = max(width // _SPOT, 1), max(height // _SPOT, 1)
    differs = np.abs(vectors.values - pictures.values[best])
    inner = differs.reshape(-1, height, width, 3)[:, : down * _SPOT, : across * _SPOT]
    blocks = inner.reshape(len(best), down, -1, across, inner.shape[2] // across * 3)
    worst: NDArray[np.float32] = blocks.mean(axis=(2, 4)).reshape(len(best), -1).max(axis=1)
    return worst


def _decide(vectors: Vectors, reference: _Reference, size: tuple[int, int]) -> Named:
    distances = nearness(vectors, reference.vectors)
    best = distances.argmin(axis=1)
    nearest = distances[np.arange(len(distances)), best]
    codes = reference.codes[best]
    others = np.where(reference.codes == codes[:, None], np.inf, distances)
    second = others.min(axis=1)
    confidence = (1 - nearest / np.maximum(second, 1e-9)).clip(0, 1).astype(np.float32)
    margin = BELIEVED.confidence if min(size) >= SMALL else SMALL_CONFIDENCE
    sure = (nearest <= BELIEVED.distance) & (confidence >= margin)
    sure &= _spots(vectors, reference.vectors, best, size) <= BELIEVED.spot
    return np.where(sure, codes, UNREAD).astype(np.int8), confidence
