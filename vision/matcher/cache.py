"""Decided tiles, colour-corrected pictures, and the set of pictures that a board is drawn with.

A program whose pictures fill another share of the cell at every size has a set for each of several
sizes. An unscaled board uses the nearest set; a remote desktop or a scaled screen shows one size at
another: then the set is chosen by the similarity of its pictures (`drawn_like`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, UNREAD
from bot.unread import Unread
from vision.matcher.colour_correction import (
    FINER,
    UNKNOWN,
    USUAL,
    ColourCorrection,
    blocks_of,
    exemplars_of,
    greyed,
    recoloured,
)
from vision.matcher.description import Floats, References, Tiles, resized
from vision.matcher.scaling import Redrawn
from vision.skins import Skin

_CACHE_BYTES: Final = 24 << 20
Decision = tuple[int, float, Unread | None]
"""The code of a tile, its confidence, and why it is UNREAD if it is."""
_FADING: Final = (0.35, 0.5, 0.65)
"""Shares of a hint that is fading in which are compared; between them, a tile is near to one."""
_SHIFTS: Final = ((-1, -1), (-1, 1), (1, -1), (1, 1))


class MatchCache:
    """Decisions made with one colour correction, and the pictures with that correction."""

    def __init__(self, skin: Skin, correction: ColourCorrection) -> None:
        self.correction = correction
        self.known: dict[tuple[int, bytes], Decision] = {}
        self._held = 0
        self.skin = skin
        self._references: dict[tuple[int, tuple[int, int], bool, int, bool], References] = {}
        self._redrawn: dict[
            tuple[tuple[int, int], tuple[float, float], tuple[int, int]], Redrawn
        ] = {}
        if correction is USUAL or correction is UNKNOWN:
            looks, codes = looks_of(skin)
            keys = [(skin.tile[0], look.tobytes()) for look in looks]
            self.keep({key: (int(code), 1.0, None) for key, code in zip(keys, codes, strict=True)})

    def keep(self, decided: Mapping[tuple[int, bytes], Decision]) -> None:
        """Store decisions; drop old ones beyond the limit."""
        self._held += sum(len(key[1]) for key in decided)
        if self._held > _CACHE_BYTES:
            # Replaced, never cleared: another thread may be reading it.
            self.known, self._held = {}, 0
        self.known.update(decided)

    def redrawn(
        self, tile: tuple[int, int], pitch: tuple[float, float], size: tuple[int, int]
    ) -> Redrawn:
        """Return the pictures as scaling draws them, in the order of `References.numbers`.

        `tile` and `pitch` are width and height of the tiles and of a cell, in pixels; pictures and
        tiles are compared at `size`.
        """
        key = tile, pitch, size
        if key not in self._redrawn:
            some = [looks_of(skin) for skin in _around(self.skin, tile[0])]
            pictures = [look for looks, _ in some for look in looks]
            codes = np.concatenate([codes for _, codes in some])
            # Only for one board at a time: they take megabytes.
            self._redrawn = {key: Redrawn(pictures, codes, tile, pitch, size)}
        return self._redrawn[key]

    def references(
        self,
        size: tuple[int, int],
        scaled: bool,
        width: int,
        number: int = 0,
        *,
        fading: bool = True,
    ) -> References:
        """Return the colour-corrected pictures, to be compared at `size` with tiles.

        `scaled` is whether the pictures have another size than the tiles, `number` the index of the
        correction: 0 is the likeliest. With `fading`, those of a program whose cells fade in
        contain hints half-way, as UNREAD; not with corrected colours, whose shades are not exact.
        """
        fading &= self.skin.fades and self.correction is USUAL
        key = number, size, scaled, width, fading
        if key not in self._references:
            table = (self.correction.table, *self.correction.others)[number]
            met, codes, numbers = [], [], []
            first = 0
            for skin in _around(self.skin, width):
                looks, some = looks_of(skin)
                some_numbers = first + np.arange(len(looks))
                first += len(looks)
                shown = recoloured(greyed(looks) if self.correction.grey else looks, table)
                if scaled:
                    pixel = max(skin.tile[0] / size[0], 1.0)
                    moved = [
                        np.stack([_shifted(look, x * pixel, y * pixel) for look in shown])
                        for x, y in _SHIFTS
                    ]
                    shown, some = np.concatenate([shown, *moved]), np.tile(some, 1 + len(_SHIFTS))
                    some_numbers = np.tile(some_numbers, 1 + len(_SHIFTS))
                if fading:
                    half_way = _fading(skin)
                    shown = np.concatenate([shown, half_way])
                    some = np.append(some, np.full(len(half_way), UNREAD, np.int8))
                    some_numbers = np.append(some_numbers, np.full(len(half_way), -1))
                met.append(resized(shown, size))
                codes.append(some)
                numbers.append(some_numbers)
            self._references[key] = References.of(
                np.concatenate(met), np.concatenate(codes), size, np.concatenate(numbers)
            )
        return self._references[key]


def _around(skin: Skin, width: int) -> tuple[Skin, ...]:
    """Return the sets of pictures with which a board's tiles may be drawn.

    Between two sizes these are both. At a size with its own set, the set for one pixel more is
    included: some lines of a board may be a pixel wider (`Grid.wide_cols`).
    """
    sizes = sorted({one.tile[0] for one in skin.family})
    below = max((size for size in sizes if size < width), default=width)
    above = min((size for size in sizes if size > width), default=width)
    near = {below, above}
    if width in sizes:
        near = {width, above if above == width + 1 else width}
    if skin.tile[0] not in near:
        return (skin,)  # A board that was scaled as a picture.
    return tuple(one for one in skin.family if one.tile[0] in near)


@lru_cache(maxsize=64)
def usual_of(skin: Skin) -> MatchCache:
    """Return a skin's cache without a colour correction, shared by all its matchers."""
    return MatchCache(skin, USUAL)


def looks_of(skin: Skin) -> tuple[Tiles, NDArray[np.int8]]:
    """Return all pictures of a skin (k, h, w, 3), and their codes (k,)."""
    looks = [(code, look) for code, some in skin.pictures.items() for look in some]
    return np.stack([look for _, look in looks]), np.array([code for code, _ in looks], np.int8)


def _fading(skin: Skin) -> Tiles:
    """Return a skin's hints as they look while they fade in (k, h, w, 3)."""
    looks, codes = looks_of(skin)
    hints, covered = looks[codes > 0], skin.pictures[COVERED][0].astype(np.float32)
    return np.concatenate(
        [np.rint(share * hints + (1 - share) * covered).astype(np.uint8) for share in _FADING]
    )


def _shifted(picture: NDArray[np.uint8], x: float, y: float) -> NDArray[np.uint8]:
    """Return the picture shifted in units of half a pixel, wrapped around because tiles repeat."""
    tripled = np.tile(picture, (3, 3, 1))
    height, width = picture.shape[:2]
    move = np.array([[1.0, 0.0, x / 2 - width], [0.0, 1.0, y / 2 - height]], np.float32)
    return np.asarray(cv2.warpAffine(tripled, move, (width, height)), np.uint8)


_BETTER: Final = 0.9
"""Ratio to the misfit of the set for the tiles' size, below which another set is preferred."""
_PLAIN: Final = 1e-4
"""Mean square of structure below which a tile is plain."""


def drawn_like(tiles: Tiles, skin: Skin) -> Skin:
    """Return the set of a skin's pictures, of any size, that a board's tiles resemble.

    Returns `skin` unless another set is clearly likelier.
    """
    if len(skin.family) == 1:
        return skin
    exemplars = exemplars_of(blocks_of(tiles, FINER))[0]
    shapes = _shapes(exemplars)
    misfits = {one: _misfit(shapes, _looks(one)) for one in skin.family}
    best = min(skin.family, key=misfits.__getitem__)
    return best if misfits[best] < _BETTER * misfits[skin] else skin


def _misfit(shapes: Floats, looks: Floats) -> float:
    """Return the share of the tiles' structure that the pictures do not explain, in any colours."""
    energy = np.square(shapes).sum(axis=1)
    explained = np.square(shapes @ looks.T).max(axis=1)
    return float((energy - explained).sum() / max(energy.sum(), 1e-9))


@lru_cache(maxsize=64)
def _looks(skin: Skin) -> Floats:
    """Return (k, d): the pictures' structures, each of length one, without plain ones."""
    shapes = _shapes(blocks_of(looks_of(skin)[0], FINER))
    energy = np.square(shapes).sum(axis=1)
    seen = energy > _PLAIN * shapes.shape[1]
    looks: Floats = shapes[seen] / np.sqrt(energy[seen])[:, None]
    return looks


def _shapes(blocks: Floats) -> Floats:
    """Return (n, d): blocks (n, b, 3) without their mean colour."""
    shapes: Floats = (blocks - blocks.mean(axis=1, keepdims=True)).reshape(len(blocks), -1)
    return shapes
