"""Skins at their own size: where their cells are follows from a table.

Most programs draw their board in one size, and nothing between them and the screen changes
a pixel. Where the faces of a lattice are as large as those of a skin's tiles, and as far
apart, nothing has to be slid to find the place.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED
from vision.finder.candidates import spread
from vision.finder.faces import faces_of
from vision.finder.lattice import Lattice
from vision.finder.placing import SAMPLES, THE_ONE, TWIN, Place, misfit_of
from vision.finder.resemblance import resemblance_to
from vision.skins import Skin

_CENTRAL: Final = 0.25
"""Part of a tile by which the middle of its face may lie beside its own."""


def native_fits(
    image: NDArray[np.uint8], lattice: Lattice, skins: Sequence[Skin]
) -> list[tuple[Skin, Place]]:
    """Return the skins whose very pictures a lattice's cells are, and where; twins are several.

    Args:
        image: (H, W, 3) uint8.
        lattice: Of equal faces.
        skins: Those that may be there.
    """
    pitch = (lattice.pitch_x + lattice.pitch_y) / 2
    face = round(lattice.face_width), round(lattice.face_height)
    widths = lattice.pitch_x, lattice.pitch_y, lattice.wide_cols, lattice.wide_rows
    chosen = spread(len(lattice), SAMPLES)
    rows, cols = lattice.rows[chosen], lattice.cols[chosen]
    fits: list[tuple[float, Skin, Place]] = []
    for skin in (skin.drawn_at(pitch) for skin in skins):
        if not resemblance_to(skin).own_size(lattice.pitch_x, lattice.pitch_y):
            continue
        for x, y in _corners(skin).get(face, ()):
            place = Place(float(round(lattice.left) - x), float(round(lattice.top) - y), *widths)
            tiles = place.tiles_at(image, rows, cols)
            misfit = misfit_of(resemblance_to(skin), tiles) if len(tiles) else 1.0
            if misfit <= THE_ONE:
                fits.append((misfit, skin, place))
    least = min((misfit for misfit, *_ in fits), default=0.0)
    fits.sort(key=lambda fit: fit[0])
    return [(skin, place) for misfit, skin, place in fits if misfit <= least + TWIN]


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
    inner = (aside_x < _CENTRAL * width) & (aside_y < _CENTRAL * height)
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
