"""Naming tile pictures: template matching behind an exact memory of what was decided before.

A tile that is a picture of the skin, byte for byte, is that. Any other is described as
screens and remote desktops leave it (`vision.description`), seen in the light of its whole
board (`vision.light`), and believed or not (`vision.deciding`): UNREAD is an answer.

For finding boards, where a place is sought and not a name, tiles are compared as they are
by OpenCV's TM_SQDIFF_NORMED: the sum of squared differences over the geometric mean of the
two energies. With |a - b|^2 = |a|^2 + |b|^2 - 2ab the distances of all tiles to all
pictures are one matrix product. They meet at the smaller of their two sizes, slightly
blurred where they differ.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import compress
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import UNREAD
from vision.deciding import (
    FAMILIAR,
    IN_OTHER_LIGHT,
    LIKELY,
    LIMITS,
    SCALED,
    decide,
)
from vision.description import describe
from vision.light import UNKNOWN, USUAL, Lights
from vision.memory import Memory, decided_of, looks_of
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
_FINEST: Final = 40
"""The same for naming a tile: XBomb draws its digits thin."""
A_BOARD: Final = 16
"""Tiles that are enough to tell the light from."""
_A_PART: Final = 0.5
"""Part of a board under which tiles are seen in the light that is known, if they can be."""
_MOSTLY: Final = 0.9
_OFTEN: Final = 3
"""Times that a board shows a tile for it to count as familiar."""
_EXACT: Final = 0.1
"""Part of a board that has to be pictures exactly for the light to be the usual one."""
_UNNAMED: Final = (UNREAD, 0.0)

SMALL: Final = 14
"""Pixels a tile under which glyphs are a few blurred pixels each."""


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
        self._references: dict[tuple[tuple[int, int], bool], _Reference] = {}
        self._usual = Memory(skin, USUAL)
        self._lit = Memory(skin, UNKNOWN)
        """In the light of the last board that was named."""
        self._board = 0
        """Tiles of the largest board so far."""
        looks, codes = looks_of(skin)
        self._lights = Lights(looks, codes)
        keys = [(skin.tile[0], look.tobytes()) for look in looks]
        self._own = frozenset(keys)
        for memory in (self._usual, self._lit):
            memory.keep(keys, codes, np.ones(len(codes), np.float32))

    def own_size(self, width: float, height: float) -> bool:
        """Whether tiles of that size need no scaling to be compared."""
        return width == self.skin.tile[0] and height == self.skin.tile[1]

    def match(self, tiles: Tiles) -> Named:
        """Name each tile picture.

        Sixteen tiles and more also tell the light that the board is seen in; fewer are
        taken to be of the board that was named last.

        Args:
            tiles: (n, h, w, 3) uint8, BGR, of any one size.

        Returns:
            Codes (n,) int8, UNREAD where no picture is close enough or two states are
            almost equally close, and confidence (n,) float32 in 0..1: one minus nearest
            over second-nearest distance, where the two states differ.
        """
        if len(tiles) == 0:
            return np.empty(0, np.int8), np.empty(0, np.float32)
        width = int(tiles.shape[2])
        rows = np.ascontiguousarray(tiles).reshape(len(tiles), -1)
        keys = [(width, row.tobytes()) for row in rows]
        memory = self._memory_for(tiles, keys)
        known = memory.known
        unknown = {key: at for at, key in enumerate(keys) if key not in known}
        if unknown:
            often = Counter(keys)
            familiar = np.array([often[key] >= _OFTEN for key in unknown])
            named = self._compare(tiles[list(unknown.values())], memory, familiar)
            # Seen oftener, an unread tile may yet be read.
            kept = familiar | (named[0] != UNREAD)
            memory.keep(compress(unknown, kept), named[0][kept], named[1][kept])
            known = known | decided_of(unknown, *named)
        decided = [known[key] for key in keys]
        return (
            np.array([code for code, _ in decided], np.int8),
            np.array([trust for _, trust in decided], np.float32),
        )

    def compare(self, tiles: Tiles) -> Named:
        """The same without the memory, in the light of the last board: every tile anew."""
        return self._compare(tiles, self._lit)

    def _memory_for(self, tiles: Tiles, keys: list[tuple[int, bytes]]) -> Memory:
        """What is known in the light of these tiles."""
        known = self._lit.known
        if len(tiles) < A_BOARD or all(known.get(key, _UNNAMED)[0] != UNREAD for key in keys):
            return self._lit
        if self._lit.light is not UNKNOWN and len(tiles) < _A_PART * self._board:
            read = self._compare(tiles, self._lit)[0] != UNREAD
            if read.mean() >= _MOSTLY:
                return self._lit
        self._board = max(self._board, len(tiles))
        exact = sum(key in self._own for key in keys)
        light = USUAL if exact >= _EXACT * len(keys) else self._lights.of(tiles)
        self._lit = self._usual if light.usual else Memory(self.skin, light)
        return self._lit

    def _compare(
        self, tiles: Tiles, memory: Memory, familiar: NDArray[np.bool_] | None = None
    ) -> Named:
        size, scaled = self._meeting(tiles, _FINEST)
        values = describe(tiles, size)
        references = memory.references(0, size, scaled)
        limits = (SCALED if scaled else LIMITS) if memory.light.usual else IN_OTHER_LIGHT
        codes, trust = decide(values, references, limits)
        if familiar is not None and memory.light is USUAL:
            again = np.nonzero(familiar & (codes == UNREAD))[0]
            if len(again):
                read, sure = decide(values[again], references, FAMILIAR)
                hint = read > 0
                codes[again[hint]], trust[again[hint]] = read[hint], sure[hint]
        for number in range(1, 1 + len(memory.light.others)):
            references = memory.references(number, size, scaled)
            rivals, _ = decide(values, references, LIKELY)
            codes[(rivals != codes) & (rivals != UNREAD)] = UNREAD
        return codes, trust

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
        pictures = self._reference(size, scaled).vectors
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
        reference = self._reference(size, scaled)
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
        pictures = self._reference(size, scaled).vectors
        return _spots(vectors, pictures, nearness(vectors, pictures).argmin(axis=1), size)

    def _meeting(self, tiles: Tiles, largest: int = LARGEST) -> tuple[tuple[int, int], bool]:
        """The size (width, height) at which they meet the pictures, and whether they differ."""
        width, height = int(tiles.shape[2]), int(tiles.shape[1])
        size = (
            min(width, self.skin.tile[0], largest),
            min(height, self.skin.tile[1], largest),
        )
        return size, (width, height) != self.skin.tile

    def _reference(self, size: tuple[int, int], scaled: bool) -> _Reference:
        key = size, scaled
        if key not in self._references:
            looks, codes = looks_of(self.skin)
            self._references[key] = _Reference(_vectors(looks, size, blur=scaled), codes)
        return self._references[key]


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
