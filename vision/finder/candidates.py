"""Which skins a lattice may wear: refused cheaply, before anything is slid at full size.

A desktop is full of lattices that are no boards: tables, keys, calendars. Holding every
skin against every one of them at full size would make finding slower with every skin that
is added. So the faces' colours are asked first, which costs next to nothing, and then how
the faces look when a tile is eight pixels, all skins that are left in one matrix product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finder.combs import Ints, middle
from vision.finder.lattice import Lattice
from vision.finder.resemblance import Tiles, Vectors, nearness
from vision.skins import Skin

MARGIN: Final = 0.35
"""How far, in pitches, a face's middle may lie off its cell's."""

_PROBES: Final = 3
"""Faces of a lattice that are held against the skins."""
_FACES: Final = 12
"""Faces whose colour is asked."""
_COLOUR: Final = 40.0
"""Largest difference of a channel, in grey levels, between a face and the likest picture of
a skin: gamma 0.8 to 1.25 moves a colour by up to 21, JPEG of quality 75 by some more."""
_COARSE: Final = 8
"""Pixels a tile at which all skins are tried."""
_KINDRED: Final = 16
"""Faces of a lattice that are held against each other."""
_ALIKE_FACES: Final = 4
"""As many of them look alike on a board."""
_KIND: Final = 24
"""Grey levels by which a block of alike faces may differ: noise, JPEG, edges between pixels."""
_LIKEST: Final = 3
"""Pictures a probe that are worth a try at full size."""
_DISTANCE: Final = 0.2
"""Median distance of the probes to a skin at that size, beyond which it is refused. Measured
on 335 lattices of boards: 97 % lie under it, and nearly every board has several."""
_ALIKE: Final = 0.5
"""Least median correlation there; nine in ten lattices of boards have it, and one in seven of
others that agree in colour."""
_NEAR: Final = 0.03
"""Distance up to which a skin with faint lines is not refused for its correlation: a fresh board
of the dark look comes to 0.023 at 27 px, with a correlation of 0.48."""
_FARTHER: Final = 2.0
_APART: Final = 0.02
"""A skin this much farther than the likest one is not the one: that of a board is the likest, or
nearly, where its own pictures are brought to another size."""
_NO_STRUCTURE: Final = 1e-3
_STRUCTURE: Final = 6.0
"""Standard deviation, in grey levels, under which a picture fits anywhere."""
_INNER: Final = 0.2
"""Part of a picture at each side that may belong to lines and bevels."""
_STEP: Final = 6
"""About so many pixels across a face are asked for its colour."""


@dataclass(frozen=True, eq=False)
class Probe:
    """A face with its surroundings."""

    patch: NDArray[np.uint8]
    left: float
    """Pixel column of the patch, less what lies between the face's cell and column 0."""
    top: float


class Likely(NamedTuple):
    """A skin that a lattice may wear."""

    distance: float
    """Median of the probes, at the coarse size."""
    skin: Skin
    likest: Ints
    """(probes, pictures) numbers of the likest of `sliding_pictures`, the likest first."""


@lru_cache(maxsize=4096)
def _spread(n: int, most: int) -> tuple[int, ...]:
    places = np.linspace(0, n - 1, min(n, most + 2))[1:-1]
    return tuple(sorted({round(at) for at in places} or {n // 2}))


def spread(n: int, most: int) -> list[int]:
    """Up to `most` numbers below n, far from each other."""
    return list(_spread(n, most))


def probes_of(image: NDArray[np.uint8], lattice: Lattice) -> list[Probe]:
    """Return some faces of a lattice, far from each other."""
    return [_probe(image, lattice, number) for number in spread(len(lattice), _PROBES)]


def kindred(image: NDArray[np.uint8], lattice: Lattice) -> bool:
    """Return whether some of a lattice's faces look alike: keys and calendars have another in each.

    Args:
        image: (H, W, 3) uint8.
        lattice: Of equal faces.
    """
    chosen = spread(len(lattice), _KINDRED)
    if len(chosen) < _KINDRED:
        return True
    width, height = round(lattice.face_width), round(lattice.face_height)
    lefts = np.rint(lattice.x(lattice.cols[chosen])).astype(np.intp)
    tops = np.rint(lattice.y(lattice.rows[chosen])).astype(np.intp)
    corners = zip(tops.clip(0).tolist(), lefts.clip(0).tolist(), strict=True)
    faces = [image[top : top + height, left : left + width] for top, left in corners]
    blocks = np.stack(
        [cv2.resize(face, (_COARSE, _COARSE), interpolation=cv2.INTER_AREA) for face in faces]
    ).astype(np.int16)[:, 1:-1, 1:-1]
    differs = np.abs(blocks[:, None] - blocks).reshape(len(faces), len(faces), -1).max(axis=2)
    return int((differs <= _KIND).sum(axis=1).max()) >= _ALIKE_FACES


def likely_skins(
    image: NDArray[np.uint8], lattice: Lattice, probes: Sequence[Probe], skins: tuple[Skin, ...]
) -> list[Likely]:
    """Return the skins that a lattice's faces look like from afar, the most similar first.

    Args:
        image: (H, W, 3) uint8.
        lattice: Of equal faces.
        probes: Of that lattice.
        skins: Those that may be there.
    """
    if not skins:
        return []
    catalogue = _catalogue(skins)
    coloured = np.flatnonzero(_colour_distances(image, lattice, catalogue) <= _COLOUR)
    if not len(coloured):
        return []
    windows = Vectors.of(np.concatenate([_windows(probe.patch) for probe in probes]))
    likely = []
    for number in coloured.tolist():
        slides = catalogue.slides[number]
        distances = nearness(windows, slides).reshape(len(probes), -1, len(slides.values))
        nearest = distances.reshape(len(probes), -1).argmin(axis=1)
        least = distances.min(axis=1)
        distance = middle(least.min(axis=1))
        if distance > _DISTANCE:
            continue
        if distance <= _NEAR or _correlation(windows, slides, nearest) >= _ALIKE:
            likely.append(Likely(distance, skins[number], least.argsort(axis=1)[:, :_LIKEST]))
    likely.sort(key=lambda one: one.distance)
    return [one for one in likely if one.distance <= _FARTHER * likely[0].distance + _APART]


def _correlation(windows: Vectors, slides: Vectors, nearest: Ints) -> float:
    """Median over the probes of how alike in structure the nearest pairs are.

    Args:
        windows: (probes * places) what is seen.
        slides: (pictures) of a skin.
        nearest: (probes,) number of each probe's nearest pair, places by pictures.
    """
    place, picture = np.divmod(nearest, len(slides.values))
    place = place + np.arange(len(nearest)) * (len(windows.values) // len(nearest))
    seen = windows.values[place] - windows.means[place]
    own = slides.values[picture] - slides.means[picture]
    energy = np.einsum("nd,nd->n", seen, seen) * np.einsum("nd,nd->n", own, own)
    products = np.einsum("nd,nd->n", seen, own)
    return middle(products / np.sqrt(np.maximum(energy, _NO_STRUCTURE**2)))


@lru_cache(maxsize=256)
def sliding_pictures(skin: Skin, size: tuple[int, int]) -> tuple[NDArray[np.uint8], ...]:
    """Return a skin's pictures in grey at one size, without those that would fit anywhere."""
    looks = [look for looks in skin.pictures.values() for look in looks]
    kept = [look for look in looks if look.std(axis=(0, 1)).max() >= _STRUCTURE] or looks
    greys = [cv2.cvtColor(look, cv2.COLOR_BGR2GRAY) for look in kept]
    return tuple(
        np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8) for grey in greys
    )


@dataclass(frozen=True, eq=False)
class _Catalogue:
    """What is asked of all skins at once."""

    colours: NDArray[np.float32]
    """(k, 3) the colour of each picture's face, skin by skin."""
    begins: Ints
    """(skins,) where each skin's colours begin."""
    slides: tuple[Vectors, ...]
    """Of each skin, coarse."""


@lru_cache(maxsize=32)
def _catalogue(skins: tuple[Skin, ...]) -> _Catalogue:
    colours = [
        [_face_colour(look) for looks in skin.pictures.values() for look in looks] for skin in skins
    ]
    sizes = [len(some) for some in colours]
    return _Catalogue(
        np.array([colour for some in colours for colour in some], np.float32),
        np.cumsum([0, *sizes[:-1]]),
        tuple(
            Vectors.of(np.stack(sliding_pictures(skin, (_COARSE, _COARSE)))[..., None])
            for skin in skins
        ),
    )


def _face_colour(picture: NDArray[np.uint8]) -> NDArray[np.float64]:
    """(3,) the median of each channel; that of a hatching lies between its two colours."""
    across, down = (round(_INNER * length) for length in picture.shape[1::-1])
    inner = picture[down : len(picture) - down, across : picture.shape[1] - across]
    pixels = inner.reshape(-1, 3)
    middles = (len(pixels) - 1) // 2, len(pixels) // 2
    colour: NDArray[np.float64] = np.partition(pixels, middles, axis=0)[list(middles)].mean(axis=0)
    return colour


def _colour_distances(
    image: NDArray[np.uint8], lattice: Lattice, catalogue: _Catalogue
) -> NDArray[np.float32]:
    """(skins,) how far, in grey levels, the faces' colours are from each skin's."""
    chosen = spread(len(lattice), _FACES)
    xs, ys = (
        np.rint(
            places[:, None] + np.linspace(1, size - 2, min(_STEP, max(round(size) - 2, 1)))
        ).astype(np.intp)
        for places, size in (
            (lattice.x(lattice.cols[chosen]), lattice.face_width),
            (lattice.y(lattice.rows[chosen]), lattice.face_height),
        )
    )
    np.clip(xs, 0, image.shape[1] - 1, out=xs)
    np.clip(ys, 0, image.shape[0] - 1, out=ys)
    seen = image[ys[:, :, None], xs[:, None, :]].reshape(len(chosen), -1, 3)
    colours = np.partition(seen, seen.shape[1] // 2, axis=1)[:, seen.shape[1] // 2]
    differs = np.abs(colours[:, None].astype(np.float32) - catalogue.colours).max(axis=2)
    nearest = np.minimum.reduceat(differs, catalogue.begins, axis=1)
    half = len(chosen) // 2
    middle: NDArray[np.float32] = np.partition(nearest, half, axis=0)[half]
    return middle


def _probe(image: NDArray[np.uint8], lattice: Lattice, number: int) -> Probe:
    height, width = image.shape[:2]
    across = float(lattice.x(lattice.cols[number])) - lattice.left
    down = float(lattice.y(lattice.rows[number])) - lattice.top
    middle_x = lattice.left + across + lattice.face_width / 2
    middle_y = lattice.top + down + lattice.face_height / 2
    reach_x = (0.5 + MARGIN) * lattice.pitch_x
    reach_y = (0.5 + MARGIN) * lattice.pitch_y
    x0, x1 = max(round(middle_x - reach_x), 0), min(round(middle_x + reach_x), width)
    y0, y1 = max(round(middle_y - reach_y), 0), min(round(middle_y + reach_y), height)
    return Probe(image[y0:y1, x0:x1], x0 - across, y0 - down)


def _windows(patch: NDArray[np.uint8]) -> Tiles:
    """Every coarse tile that a patch may contain."""
    wide = round(_COARSE * (1 + 2 * MARGIN))
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (wide, wide), interpolation=cv2.INTER_AREA)
    views: Tiles = np.lib.stride_tricks.sliding_window_view(small, (_COARSE, _COARSE))
    return views.reshape(-1, _COARSE, _COARSE, 1)
