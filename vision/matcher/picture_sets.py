"""Which of a skin's sets of pictures a board is drawn with.

A program whose pictures take another share of the cell at every size has a set for each of
several sizes. A board that is seen at its own size is of the nearest one; a remote desktop or
a scaled screen shows one size at another: then the set is told by what its pictures look like.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from vision.matcher.cache import looks_of
from vision.matcher.colour_correction import blocks_of, exemplars_of
from vision.matcher.description import Floats, Tiles
from vision.skins import Skin

_BLOCKS: Final = (20, 20)
"""Blocks that tiles and pictures are averaged to: the smallest pictures have so many pixels."""
_BETTER: Final = 0.9
"""Part of the misfit of the set of the tiles' size under which another is believed."""
_PLAIN: Final = 1e-4
"""Mean square of structure that is none."""


def drawn_like(tiles: Tiles, skin: Skin) -> Skin:
    """Return the set of a skin's pictures, at whatever size, that tiles of a board look like.

    Args:
        tiles: (n, h, w, 3) uint8.
        skin: The set that is taken where no other is clearly likelier.
    """
    if len(skin.family) == 1:
        return skin
    exemplars = exemplars_of(blocks_of(tiles, _BLOCKS))[0]
    shapes = _shapes(exemplars)
    misfits = {one: _misfit(shapes, _looks(one)) for one in skin.family}
    best = min(skin.family, key=misfits.__getitem__)
    return best if misfits[best] < _BETTER * misfits[skin] else skin


def _misfit(shapes: Floats, looks: Floats) -> float:
    """Return the part of the tiles' structure that the pictures leave, in any colours."""
    energy = np.square(shapes).sum(axis=1)
    explained = np.square(shapes @ looks.T).max(axis=1)
    return float((energy - explained).sum() / max(energy.sum(), 1e-9))


@lru_cache(maxsize=64)
def _looks(skin: Skin) -> Floats:
    """(k, d): the pictures' structures, each of length one; plain ones are left out."""
    shapes = _shapes(blocks_of(looks_of(skin)[0], _BLOCKS))
    energy = np.square(shapes).sum(axis=1)
    seen = energy > _PLAIN * shapes.shape[1]
    looks: Floats = shapes[seen] / np.sqrt(energy[seen])[:, None]
    return looks


def _shapes(blocks: Floats) -> Floats:
    """(n, d): blocks (n, b, 3) without their mean colour."""
    shapes: Floats = (blocks - blocks.mean(axis=1, keepdims=True)).reshape(len(blocks), -1)
    return shapes
