"""Tile pictures of a board sorted into kinds by what they look like.

Equal pictures are one kind. So are nearly equal ones: a fractional pitch moves a tile by a
part of a pixel, compression and noise change it a little. Several kinds may mean one state (a
checkered board has two shades of each), but none must ever hold two: in doubt they are apart.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.learning.features import SIDE, Features, at_most, features_of, ground_of

Tiles = NDArray[np.uint8]
"""(n, h, w, 3) uint8, BGR."""
Ints = NDArray[np.intp]

_UNLIKE: Final = 20
"""Grey levels by which a blurred pixel of one kind's pictures may differ from another's. On
the four looks and `tests/strange.py`'s skins at 12 to 60 px two states differ by 26 or more."""
_SHADE: Final = 5
"""Grey levels between the grounds of one kind: a covered and an opened cell of a flat look
may differ in little else."""
_FAR: Final = 14.0
"""Mean difference beyond which moving a picture by half a pixel is not tried."""
_MANY: Final = 48
"""Kinds beyond which pictures are taken to be spoiled by noise or compression."""
_COARSER: Final = 1.6
_MEMORY_BYTES: Final = 16 << 20
_MOVES: Final = tuple((x / 2, y / 2) for y in (-1, 0, 1) for x in (-1, 0, 1) if x or y)


class Grouping:
    """Kinds met so far, numbered from 0; pictures of one size."""

    def __init__(self) -> None:
        self.pictures: list[NDArray[np.uint8]] = []
        """The first picture of each kind, (h, w, 3)."""
        self.features: list[Features] = []
        self._met: list[_Met] = []
        self._known: dict[bytes, int] = {}
        self._bytes = 0
        self._coarse = 1.0

    def __len__(self) -> int:
        return len(self.pictures)

    def group(self, tiles: Tiles) -> Ints:
        """Return the kind of each tile, (n,), and add new kinds."""
        if self._bytes > _MEMORY_BYTES:
            self._known, self._bytes = {}, 0
        keys = [tile.tobytes() for tile in tiles]
        pictures = dict(zip(keys, tiles, strict=True))
        counts = Counter(key for key in keys if key not in self._known)
        # The commonest first: they are what the rare ones are compared with.
        for key, _ in counts.most_common():
            self._known[key] = self._kind_of(pictures[key])
            self._bytes += len(key)
        return np.array([self._known[key] for key in keys], np.intp)

    def find(self, tiles: Tiles) -> Ints:
        """Return the kind of each tile, (n,), as `group` tells it.

        -1 where it was not met before.
        """
        keys = [tile.tobytes() for tile in tiles]
        pictures = dict(zip(keys, tiles, strict=True))
        kinds = {key: self._known.get(key, -1) for key in pictures}
        kinds |= {key: self._nearest(pictures[key]) for key, kind in kinds.items() if kind < 0}
        return np.array([kinds[key] for key in keys], np.intp)

    def add(self, picture: NDArray[np.uint8]) -> int:
        """Add a kind for a picture, without comparison."""
        self.pictures.append(np.array(picture))
        self.features.append(features_of(picture))
        self._met.append(_Met.of(picture))
        return len(self.pictures) - 1

    def _kind_of(self, tile: NDArray[np.uint8]) -> int:
        if len(self) >= _MANY * self._coarse:
            self._coarse *= _COARSER
        nearest = self._nearest(tile)
        return self.add(tile) if nearest < 0 else nearest

    def _nearest(self, tile: NDArray[np.uint8]) -> int:
        """Return the kind that a picture is of, -1 where there is none."""
        met = _Met.of(tile)
        nearest, least = -1, self._coarse
        for kind, other in enumerate(self._met):
            unlike = met.unlike(other, least)
            if unlike < least:
                nearest, least = kind, unlike
        return nearest


@dataclass(frozen=True, eq=False)
class _Met:
    """A picture at the size at which pictures meet."""

    soft: NDArray[np.int16]
    """(h, w, 3) blurred."""
    ground: NDArray[np.float32]
    moved: list[NDArray[np.int16]]
    """The same by half a pixel to every side; filled when first wanted."""
    low: NDArray[np.int16]
    """Darkest of the pixels around each."""
    high: NDArray[np.int16]

    @classmethod
    def of(cls, picture: NDArray[np.uint8]) -> _Met:
        small = at_most(picture, SIDE)
        soft = cv2.GaussianBlur(small, (3, 3), 0)
        around = np.ones((3, 3), np.uint8)
        return cls(
            soft.astype(np.int16),
            ground_of(small),
            [],
            cv2.erode(soft, around).astype(np.int16),
            cv2.dilate(soft, around).astype(np.int16),
        )

    def unlike(self, other: _Met, least: float) -> float:
        """How far apart two pictures are; 1 is the most within a kind. Above `least`: any."""
        shade = float(np.abs(self.ground - other.ground).max()) / _SHADE
        if self.soft.shape != other.soft.shape or shade >= least:
            return np.inf
        differs = np.abs(self.soft - other.soft)
        far = max(float(differs.max()) / _UNLIKE, shade)
        if far < least or differs.mean() > _FAR:
            return far
        if max(self._rims_apart(other), other._rims_apart(self)) / _UNLIKE >= least:
            return np.inf
        if not other.moved:
            other.moved.extend(_moved(other.soft, x, y) for x, y in _MOVES)
        inner = slice(1, -1), slice(1, -1)
        moved = min(int(np.abs((self.soft - one)[inner]).max()) for one in other.moved)
        return max(moved / _UNLIKE, shade)

    def _rims_apart(self, other: _Met) -> int:
        """Grey levels by which the rim leaves the range of the other's pixels near there.

        In a large tile the outermost pixels may be those of its neighbours, where the pitch
        is no whole number: those beside them count.
        """
        below, above = other.low - self.soft, self.soft - other.high
        beyond = np.maximum(below, above)
        at = 1 if min(beyond.shape[:2]) >= SIDE else 0
        rims = beyond[at], beyond[-1 - at], beyond[:, at], beyond[:, -1 - at]
        return max(int(rim.max()) for rim in rims)


def _moved(soft: NDArray[np.int16], x: float, y: float) -> NDArray[np.int16]:
    move = np.array([[1, 0, x], [0, 1, y]], np.float32)
    size = soft.shape[1], soft.shape[0]
    moved: NDArray[np.int16] = cv2.warpAffine(
        soft, move, size, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.int16)
    return moved


def resized(picture: NDArray[np.uint8], tile: tuple[int, int]) -> NDArray[np.uint8]:
    """Return a picture at another size (width, height)."""
    if picture.shape[1::-1] == tile:
        return picture
    smaller = picture.shape[1] * picture.shape[0] > tile[0] * tile[1]
    how = cv2.INTER_AREA if smaller else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, tile, interpolation=how), np.uint8)
