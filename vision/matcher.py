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
Named = tuple[NDArray[np.int8], NDArray[np.float32]]
"""Codes (n,) and confidence (n,)."""

_DARK: Final = (48 / 255) ** 2
"""Mean energy of a value below which a picture counts as dark: black has none to divide by."""
_NO_STRUCTURE: Final = 1e-3
"""Energy of structure under which a picture is plain."""
_MEMORY_BYTES: Final = 24 << 20
_SHIFTS: Final = tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if (x, y) != (0, 0))


@dataclass(frozen=True)
class Tolerance:
    """When a tile is believed."""

    distance: float
    """Largest distance to the nearest picture."""
    confidence: float
    """Smallest confidence: one minus nearest over second-nearest distance."""


SAME_SIZE: Final = Tolerance(distance=0.10, confidence=0.35)
SCALED: Final = Tolerance(distance=0.14, confidence=0.30)


@dataclass(frozen=True, eq=False)
class _Reference:
    """A skin's pictures at one size, ready for the matrix product."""

    size: tuple[int, int]
    """Width and height at which tiles and pictures meet."""
    scaled: bool
    vectors: NDArray[np.float32]
    """(k, d), values in 0..1."""
    codes: NDArray[np.int8]
    """(k,)"""
    plain: int
    """How many of them, the first ones, are not moved."""
    tolerance: Tolerance


class Matcher:
    """Names the tiles of one skin, and remembers what it has decided.

    Args:
        skin: Reference pictures.
    """

    def __init__(self, skin: Skin) -> None:
        self.skin = skin
        self._references: dict[tuple[int, int], _Reference] = {}
        self._known: dict[tuple[int, bytes], tuple[int, float]] = {}
        self._known_bytes = 0

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
        reference = self._reference(int(tiles.shape[2]), int(tiles.shape[1]))
        vectors = _vectors(tiles, reference.size, blur=reference.scaled)
        return _decide(nearness(vectors, reference.vectors), reference)

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
        reference = self._reference(int(tiles.shape[2]), int(tiles.shape[1]))
        vectors = _vectors(tiles, reference.size, blur=reference.scaled)
        pictures = reference.vectors[: reference.plain]
        distances = nearness(vectors, pictures)
        best = distances.argmin(axis=1)
        shape, wanted = _centred(vectors), _centred(pictures)[best]
        energy = np.sqrt(np.square(shape).sum(axis=1) * np.square(wanted).sum(axis=1))
        correlation = (shape * wanted).sum(axis=1) / np.maximum(energy, _NO_STRUCTURE)
        return distances[np.arange(len(tiles)), best], correlation.astype(np.float32)

    def _reference(self, width: int, height: int) -> _Reference:
        if (width, height) not in self._references:
            self._references[width, height] = _make_reference(self.skin, width, height)
        return self._references[width, height]


def _make_reference(skin: Skin, width: int, height: int) -> _Reference:
    size = min(width, skin.tile[0]), min(height, skin.tile[1])
    scaled = (width, height) != skin.tile
    looks = [(code, look) for code, some in skin.pictures.items() for look in some]
    plain = len(looks)
    if scaled:
        looks += [(code, _shifted(look, x, y)) for code, look in looks for x, y in _SHIFTS]
    return _Reference(
        size=size,
        scaled=scaled,
        vectors=_vectors(np.stack([look for _, look in looks]), size, blur=scaled),
        codes=np.array([code for code, _ in looks], np.int8),
        plain=plain,
        tolerance=SCALED if scaled else SAME_SIZE,
    )


def _shifted(picture: NDArray[np.uint8], x: int, y: int) -> NDArray[np.uint8]:
    """Moved by half a pixel a unit; a board's tiles repeat, so what leaves comes back."""
    tripled = np.tile(picture, (3, 3, 1))
    height, width = picture.shape[:2]
    move = np.array([[1.0, 0.0, x / 2 - width], [0.0, 1.0, y / 2 - height]], np.float32)
    return np.asarray(cv2.warpAffine(tripled, move, (width, height)), np.uint8)


def _vectors(tiles: Tiles, size: tuple[int, int], *, blur: bool) -> NDArray[np.float32]:
    """(n, d) float32: the tiles at one size, values in 0..1."""
    n, height, width = tiles.shape[:3]
    met = tiles
    if (width, height) != size:
        met = np.empty((n, size[1], size[0], 3), np.uint8)
        for tile, small in zip(tiles, met, strict=True):
            cv2.resize(tile, size, dst=small, interpolation=cv2.INTER_AREA)
    if blur:
        met = np.stack([cv2.GaussianBlur(tile, (3, 3), 0) for tile in met])
    vectors: NDArray[np.float32] = met.reshape(n, -1).astype(np.float32)
    vectors *= np.float32(1 / 255)
    return vectors


def _centred(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """The vectors of BGR pictures without their mean colour."""
    colours = vectors.reshape(len(vectors), -1, 3)
    return (colours - colours.mean(axis=1, keepdims=True)).reshape(vectors.shape)


def nearness(vectors: NDArray[np.float32], references: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, k) float32: normalised squared differences of (n, d) and (k, d); 0 is the same."""
    energy = np.einsum("nd,nd->n", vectors, vectors)
    reference_energy = np.einsum("kd,kd->k", references, references)
    squares = energy[:, None] + reference_energy - 2 * (vectors @ references.T)
    floor = np.float32(_DARK * vectors.shape[1])
    norm = np.sqrt(np.maximum(energy, floor)[:, None] * np.maximum(reference_energy, floor))
    distances: NDArray[np.float32] = np.maximum(squares / norm, 0)
    return distances


def _decide(distances: NDArray[np.float32], reference: _Reference) -> Named:
    rows = np.arange(len(distances))
    best = distances.argmin(axis=1)
    nearest = distances[rows, best]
    codes = reference.codes[best]
    others = np.where(reference.codes == codes[:, None], np.inf, distances)
    second = others.min(axis=1)
    confidence = (1 - nearest / np.maximum(second, 1e-9)).clip(0, 1).astype(np.float32)
    tolerance = reference.tolerance
    sure = (nearest <= tolerance.distance) & (confidence >= tolerance.confidence)
    return np.where(sure, codes, UNREAD).astype(np.int8), confidence
