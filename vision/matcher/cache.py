"""The cache of a matcher: decided tiles, and the pictures with a colour correction applied."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.matcher.colour_correction import UNKNOWN, USUAL, ColourCorrection, greyed, under
from vision.matcher.description import Floats, References, Tiles, resized
from vision.matcher.scaling import Redrawn
from vision.skins import Skin

_CACHE_BYTES: Final = 24 << 20
_SHIFTS: Final = ((-1, -1), (-1, 1), (1, -1), (1, 1))


class DecisionCache:
    """Decisions with one colour correction, and the pictures with it applied."""

    def __init__(self, skin: Skin, correction: ColourCorrection) -> None:
        self.correction = correction
        self.known: dict[tuple[int, bytes], tuple[int, float]] = {}
        self._held = 0
        self.skin = skin
        self._references: dict[tuple[bool, tuple[int, int], bool, int], References] = {}
        self._redrawn: dict[
            tuple[tuple[int, int], tuple[float, float], tuple[int, int]], Redrawn
        ] = {}
        if correction is USUAL or correction is UNKNOWN:
            looks, codes = looks_of(skin)
            keys = [(skin.tile[0], look.tobytes()) for look in looks]
            self.keep(keys, codes, np.ones(len(codes), np.float32))

    def shows(self, key: tuple[int, bytes]) -> bool:
        """Return whether a tile is a picture of the skin, byte for byte, and seen as it is."""
        plain = self.correction is USUAL or self.correction is UNKNOWN
        looks = looks_of(self.skin)[0]
        return plain and key in {(self.skin.tile[0], look.tobytes()) for look in looks}

    def keep(
        self, keys: Iterable[tuple[int, bytes]], codes: NDArray[np.int8], trust: Floats
    ) -> None:
        """Remember what was decided; what would be too much is forgotten."""
        decided = decided_of(keys, codes, trust)
        self._held += sum(len(key[1]) for key in decided)
        if self._held > _CACHE_BYTES:
            # Replaced, never emptied: another thread may be reading the memory.
            self.known, self._held = {}, 0
        self.known.update(decided)

    def redrawn(
        self, tile: tuple[int, int], pitch: tuple[float, float], size: tuple[int, int]
    ) -> Redrawn:
        """Return the pictures as scaling draws them, in the order of `References.numbers`.

        Args:
            tile: Width and height of the tiles, in pixels.
            pitch: Width and height of a cell, not rounded.
            size: Width and height at which pictures and tiles are compared.
        """
        key = tile, pitch, size
        if key not in self._redrawn:
            some = [looks_of(skin) for skin in _around(self.skin, tile[0])]
            pictures = [look for looks, _ in some for look in looks]
            codes = np.concatenate([codes for _, codes in some])
            # Of one board at a time: they take megabytes.
            self._redrawn = {key: Redrawn(pictures, codes, tile, pitch, size)}
        return self._redrawn[key]

    def references(
        self, size: tuple[int, int], scaled: bool, width: int, *, other: bool = False
    ) -> References:
        """Return the pictures with the colour correction applied.

        Args:
            size: Width and height at which pictures and tiles are compared.
            scaled: Whether the pictures have another size than the tiles.
            width: Of the tiles, in pixels.
            other: Whether in `Light.other`.
        """
        key = other, size, scaled, width
        if key not in self._references:
            table = self.correction.other if other else self.correction.table
            assert table is not None  # noqa: S101 - asked for only if there is another
            met, codes, numbers = [], [], []
            first = 0
            for skin in _around(self.skin, width):
                looks, some = looks_of(skin)
                some_numbers = first + np.arange(len(looks))
                first += len(looks)
                lit = under(greyed(looks) if self.correction.grey else looks, table)
                if scaled:
                    pixel = max(skin.tile[0] / size[0], 1.0)
                    moved = [
                        np.stack([_shifted(look, x * pixel, y * pixel) for look in lit])
                        for x, y in _SHIFTS
                    ]
                    lit, some = np.concatenate([lit, *moved]), np.tile(some, 1 + len(_SHIFTS))
                    some_numbers = np.tile(some_numbers, 1 + len(_SHIFTS))
                met.append(resized(lit, size))
                codes.append(some)
                numbers.append(some_numbers)
            self._references[key] = References.of(
                np.concatenate(met), np.concatenate(codes), size, np.concatenate(numbers)
            )
        return self._references[key]


def _around(skin: Skin, width: int) -> tuple[Skin, ...]:
    """Return the sets of pictures that tiles of a board may be drawn with.

    Between two sizes these are both. At a size that has a set of its own, the set for one pixel
    more belongs to it: some lines of a board may be a pixel wider (`Grid.wide_cols`).
    """
    sizes = sorted({one.tile[0] for one in skin.family})
    below = max((size for size in sizes if size < width), default=width)
    above = min((size for size in sizes if size > width), default=width)
    near = {below, above}
    if width in sizes:
        near = {width, above if above == width + 1 else width}
    if skin.tile[0] not in near:
        return (skin,)  # a board that was made larger or smaller as a picture
    return tuple(one for one in skin.family if one.tile[0] in near)


@lru_cache(maxsize=64)
def usual_of(skin: Skin) -> DecisionCache:
    """Return the cache of a skin in the usual colours.

    All matchers of the skin share its decisions.
    """
    return DecisionCache(skin, USUAL)


def decided_of(
    keys: Iterable[tuple[int, bytes]], codes: NDArray[np.int8], trust: Floats
) -> dict[tuple[int, bytes], tuple[int, float]]:
    """Return what was decided, by tile."""
    return dict(zip(keys, zip(codes.tolist(), trust.tolist(), strict=True), strict=True))


def looks_of(skin: Skin) -> tuple[Tiles, NDArray[np.int8]]:
    """All pictures of a skin (k, h, w, 3), and their codes (k,)."""
    looks = [(code, look) for code, some in skin.pictures.items() for look in some]
    return np.stack([look for _, look in looks]), np.array([code for code, _ in looks], np.int8)


def _shifted(picture: NDArray[np.uint8], x: float, y: float) -> NDArray[np.uint8]:
    """Return the picture moved by half a pixel a unit, wrapped around because tiles repeat."""
    tripled = np.tile(picture, (3, 3, 1))
    height, width = picture.shape[:2]
    move = np.array([[1.0, 0.0, x / 2 - width], [0.0, 1.0, y / 2 - height]], np.float32)
    return np.asarray(cv2.warpAffine(tripled, move, (width, height)), np.uint8)
