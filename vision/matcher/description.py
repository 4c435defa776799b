"""Describe tiles by features that survive a screen, a remote desktop, another size.

A tile is described by its brightness, pixel by pixel, slightly blurred, and by its colours at half
the resolution, which JPEG and video preserve. Pictures may be slightly moved, blurred or sharpened
to fit a tile; a slightly shifted glyph differs in both directions at its edges, and a foreign
object differs in one direction over a spot.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Tiles = NDArray[np.uint8]
"""(n, h, w, 3) uint8, BGR."""
Floats = NDArray[np.float32]
Ints = NDArray[np.intp]

_LUMA: Final = np.array([0.114, 0.587, 0.299], np.float32)
"""Weights of B, G, R (ITU-R BT.601, as JFIF uses it)."""


@dataclass(frozen=True)
class SpotLimits:
    """Limits and weights of the comparison of spots.

    Measured by `python -m tests.benchmarks.reading`; `vision/RESULTS.md` says what single ones
    are worth.
    """

    chroma_weight: float = 0.7
    """Weight of colours relative to brightness: JPEG preserves them worse."""
    stiff: float = 1e-3
    even: float = 0.05
    """Mean difference tolerated in a spot of a plain picture."""
    uneven: float = 0.5
    """Additional tolerance, as a share of the picture's variation in the spot."""


_SPOT: Final = SpotLimits()

SPOT: Final = 4
"""Side of a spot, in pixels."""
_LEAST: Final = np.array([-0.8, -0.8, -1.0], np.float32)
"""Largest shifts of pictures, in pixels, and largest blur; negative is sharpened."""
_MOST: Final = np.array([0.8, 0.8, 1.5], np.float32)


@dataclass(frozen=True, eq=False)
class References:
    """Pictures of one size, prepared for comparison."""

    values: Floats
    """(k, d)."""
    codes: NDArray[np.int8]
    """(k,)."""
    size: tuple[int, int]
    """Width and height."""
    coarse: Floats
    """(k, c): the values at half the resolution."""
    apart: Floats
    """(k, k): squared distances of these values."""
    numbers: Ints
    """(k,): index of the picture that each one shows, unchanged or moved."""

    @classmethod
    def of(
        cls, pictures: Tiles, codes: NDArray[np.int8], size: tuple[int, int], numbers: Ints
    ) -> References:
        """Return references from pictures (k, h, w, 3)."""
        values = describe(pictures, size)
        rough = coarse(values, size)
        energy = np.einsum("kc,kc->k", rough, rough)
        apart = energy[:, None] + energy - 2 * rough @ rough.T
        return cls(values, codes, size, rough, apart, numbers)


def planes_of(size: tuple[int, int]) -> tuple[slice, slice, slice]:
    """Return the slices of brightness and of the two colours in a description."""
    pixels, halves = size[0] * size[1], -(-size[0] // 2) * -(-size[1] // 2)
    return (
        slice(0, pixels),
        slice(pixels, pixels + halves),
        slice(pixels + halves, pixels + 2 * halves),
    )


@lru_cache(maxsize=64)
def parts_of(size: tuple[int, int]) -> Floats:
    """Return (d, 9): the ninth of the tile that contains each value of a description."""
    width, height = size
    planes = []
    for w, h in ((width, height), *[(-(-width // 2), -(-height // 2))] * 2):
        part = np.arange(h)[:, None] * 3 // h * 3 + np.arange(w) * 3 // w
        planes.append(part.ravel())
    return np.eye(9, dtype=np.float32)[np.concatenate(planes)]


@lru_cache(maxsize=64)
def fringe_of(size: tuple[int, int]) -> Floats:
    """Return (d,): 1 for a value along a side of the tile, where neighbours may bleed in."""
    parts = []
    width, height = size
    for w, h, deep in (width, height, 2), *[(-(-width // 2), -(-height // 2), 1)] * 2:
        inner = np.ones((h, w), np.float32)
        inner[deep : h - deep, deep : w - deep] = 0
        parts.append(inner.ravel())
    return np.concatenate(parts)


def resized(tiles: Tiles, size: tuple[int, int]) -> Tiles:
    """Return the tiles at another size (width, height)."""
    n, height, width = tiles.shape[:3]
    if (width, height) == size:
        return tiles
    met = np.empty((n, size[1], size[0], 3), np.uint8)
    for tile, small in zip(tiles, met, strict=True):
        cv2.resize(tile, size, dst=small, interpolation=cv2.INTER_AREA)
    return met


def describe(tiles: Tiles, size: tuple[int, int]) -> Floats:
    """Return (n, d) float32: brightness, slightly blurred, and colours at half the resolution."""
    met = resized(tiles, size)
    n, height, width = met.shape[:3]
    pixels = met.reshape(-1, 3).astype(np.float32)
    pixels *= np.float32(1 / 255)
    luma = pixels @ _LUMA
    # (B - Y) and (R - Y), scaled to -0.5..0.5 as JFIF does; four pixels share one value.
    weight = np.float32(2 * _SPOT.chroma_weight)
    blue = (pixels[:, 0] - luma) * (weight * np.float32(0.564))
    red = (pixels[:, 2] - luma) * (weight * np.float32(0.713))
    planes = [_blurred(plane.reshape(n, height, width)) for plane in (luma, blue, red)]
    parts = [planes[0].reshape(n, -1)]
    parts += [_halved(plane).reshape(n, -1) for plane in planes[1:]]
    return np.concatenate(parts, axis=1)


def _blurred(planes: Floats) -> Floats:
    """Return (n, h, w) blurred with a quarter of each neighbour, along both axes."""
    for axis in (1, 2):
        lines, sums = planes.swapaxes(1, axis), np.empty_like(planes)
        # At a side the line itself takes the place of the missing neighbour.
        around = sums.swapaxes(1, axis)
        np.add(lines[:, :-2], lines[:, 2:], out=around[:, 1:-1])
        around[:, 0] = lines[:, 0] + lines[:, :2][:, -1]
        around[:, -1] = lines[:, -2:][:, 0] + lines[:, -1]
        planes = sums * np.float32(0.25) + planes * np.float32(0.5)
    return planes


def _halved(planes: Floats) -> Floats:
    """Return averages of two by two pixels; an odd last line stays single."""
    odd = planes.shape[1] % 2, planes.shape[2] % 2
    if any(odd):
        planes = np.pad(planes, ((0, 0), (0, odd[0]), (0, odd[1])), mode="edge")
    rows = planes[:, ::2] + planes[:, 1::2]
    return (rows[:, :, ::2] + rows[:, :, 1::2]) * np.float32(0.25)


def coarse(values: Floats, size: tuple[int, int]) -> Floats:
    """Return described tiles at half the resolution, enough to select likely pictures."""
    (width, height), halves = size, (-(-size[0] // 2), -(-size[1] // 2))
    parts = [
        2 * _halved(values[:, part].reshape(-1, h, w)).reshape(len(values), -1)
        for part, (w, h) in zip(planes_of(size), ((width, height), halves, halves), strict=True)
    ]
    return np.concatenate(parts, axis=1)


def fitted(values: Floats, pictures: Floats, size: tuple[int, int]) -> Floats:
    """Return pictures (n, m, d), each moved, blurred or sharpened to fit its tile best.

    To the first order a picture that is moved by x is the picture less x times its slope.
    Source: tangent distance, Simard, Le Cun and Denker, 1993.
    """
    n, many, d = pictures.shape
    flat = pictures.reshape(-1, d)
    tangents = _tangents(flat, size)
    gap = np.repeat(values, many, axis=0) - flat
    products = tangents @ tangents.transpose(0, 2, 1)
    products += np.eye(3, dtype=np.float32) * np.float32(_SPOT.stiff)
    amounts = np.linalg.solve(products, tangents @ gap[:, :, None])[:, :, 0]
    amounts = amounts.clip(_LEAST, _MOST).astype(np.float32)
    moved: Floats = flat + np.einsum("nt,ntd->nd", amounts, tangents)
    return moved.reshape(n, many, d)


def _tangents(pictures: Floats, size: tuple[int, int]) -> Floats:
    """Return (n, 3, d): the changes of pictures when moved right, moved down, and blurred."""
    width, height = size
    parts = []
    for part, (w, h) in zip(
        planes_of(size), ((width, height), *[(-(-width // 2), -(-height // 2))] * 2), strict=True
    ):
        plane = pictures[:, part].reshape(-1, h, w)
        wide = np.pad(plane, ((0, 0), (1, 1), (1, 1)), mode="edge")
        step = np.float32(0.5 if w == width else 0.25)
        right = (wide[:, 1:-1, :-2] - wide[:, 1:-1, 2:]) * step
        down = (wide[:, :-2, 1:-1] - wide[:, 2:, 1:-1]) * step
        around = wide[:, 1:-1, :-2] + wide[:, 1:-1, 2:] + wide[:, :-2, 1:-1] + wide[:, 2:, 1:-1]
        blurred = (around - 4 * plane) * np.float32(0.25 if w == width else 0.08)
        parts.append(np.stack([right, down, blurred], axis=1).reshape(len(plane), 3, -1))
    return np.concatenate(parts, axis=2)


def worst_spot(gap: Floats, own: Floats, size: tuple[int, int]) -> Floats:
    """Return (n,): the largest ratio of a spot's mean difference to the tolerated one.

    A slightly shifted glyph differs in both directions at its edges. A spot that differs in one
    direction, above all in a plain picture, shows something else.
    """
    worst = np.zeros(len(gap), np.float32)
    width, height = size
    halves = -(-width // 2), -(-height // 2)
    for part, (w, h), side in zip(
        planes_of(size),
        ((width, height), halves, halves),
        (SPOT, SPOT // 2, SPOT // 2),
        strict=True,
    ):
        means = np.abs(_spots(gap[:, part].reshape(-1, h, w), side))
        plane = own[:, part].reshape(-1, h, w)
        squares = _spots(np.square(plane), side)
        uneven = np.sqrt(np.maximum(squares - np.square(_spots(plane, side)), 0))
        # JPEG may have kept only a quarter of the colours' resolution.
        scale = 1 if side == SPOT else 4 * _SPOT.chroma_weight
        ratio = means / (scale * _SPOT.even + _SPOT.uneven * uneven)
        worst = np.maximum(worst, ratio.reshape(len(gap), -1).max(axis=1))
    return worst


def largest_spot(step: Floats, size: tuple[int, int]) -> Floats:
    """Return the largest mean difference of a spot, in brightness or colour, (n,)."""
    width, height = size
    halves = -(-width // 2), -(-height // 2)
    largest = np.zeros(len(step), np.float32)
    for part, (w, h) in zip(planes_of(size), ((width, height), halves, halves), strict=True):
        side = SPOT if w == width else SPOT // 2
        means = np.abs(_spots(step[:, part].reshape(-1, h, w), side)).reshape(len(step), -1)
        scale = 1 if w == width else 2 * _SPOT.chroma_weight
        largest = np.maximum(largest, means.max(axis=1) / scale)
    return largest


def _spots(planes: Floats, side: int) -> Floats:
    """Return means over spots; (n, h, w) -> (n, h // side, w // side)."""
    height, width = planes.shape[1:]
    down, across = max(height // side, 1), max(width // side, 1)
    tall, wide = height // down, width // across
    inner = planes[:, : down * tall, : across * wide]
    # Line by line: numpy's mean over the axes of small blocks takes several times as long.
    rows = inner[:, ::tall].copy()
    for line in range(1, tall):
        rows += inner[:, line::tall]
    total: Floats = rows[:, :, ::wide].copy()
    for line in range(1, wide):
        total += rows[:, :, line::wide]
    return total * np.float32(1 / (tall * wide))
