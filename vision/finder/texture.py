"""Boards without faces: texture that repeats from cell to cell, without a line between them.

KMines' theme of grass fills every covered cell with the same picture, and nothing divides
them. There the image repeats itself at the board's pitch, across and down, and a skin's
covered picture, slid over it, tells where a cell begins. A pitch that is no whole number shows
in how far apart cells repeat themselves that are several lines away from each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finder.lattice import OBLONG
from vision.finder.placing import Place, Span, faceless
from vision.skins import Skin

Image = NDArray[np.uint8]

_PITCHES: Final = range(12, 123)


@dataclass(frozen=True)
class TextureLimits:
    """When a texture that repeats itself is a board."""

    lines: int = 240
    """Rows, or columns, of a picture on which its period is measured."""
    structure: int = 4
    """Grey levels between neighbouring pixels that make a texture."""
    same: int = 5
    """Grey levels up to which it repeats itself."""
    stands_out: float = 0.006
    """Part of the pixels by which more repeat themselves at a board's pitch than usually."""
    places: int = 3
    """Places that are tried."""
    cells: int = 3
    """Cells along a side of the surrounding in which a pixel's repeats are counted."""
    far: tuple[int, int, int] = (2, 4, 8)
    """Lines apart of the cells whose distance tells the pitch, one after the other."""
    near: tuple[int, int, int] = (0, -1, 1)
    """Pixels by which that distance may be off."""


_TEXTURE: Final = TextureLimits()
CORE: Final = Span(0, 0, 2, 2)
"""The cells of a place that surely are of a texture."""


class Texture(NamedTuple):
    """A part of a picture that repeats itself."""

    pitch_x: float
    pitch_y: float
    x: int
    """The middle of where it does so most."""
    y: int


def find_textures(image: Image) -> list[Texture]:
    """Return the places where a picture repeats itself most, across and down."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    if min(grey.shape) < 2 * _PITCHES.start:
        return []
    rough = _rough(grey)
    x = _period(grey, rough)
    y = _period(grey.T, rough.T) if x else None
    if x is None or y is None or not 1 / OBLONG <= x / y <= OBLONG:
        return []
    same = np.zeros((2, *grey.shape), np.float32)
    right, below = _repeating(grey, rough, x), _repeating(grey.T, rough.T, y).T
    same[0, :, :-x], same[0, :, x:] = right, np.maximum(same[0, :, x:], right)
    same[1, :-y], same[1, y:] = below, np.maximum(same[1, y:], below)
    around = _TEXTURE.cells * x, _TEXTURE.cells * y
    share = cv2.blur(same.min(axis=0), around, borderType=cv2.BORDER_CONSTANT)
    found = []
    for _ in range(_TEXTURE.places):
        col, row = cv2.minMaxLoc(share)[3]
        rows, cols = (
            slice(max(at - _TEXTURE.cells * step // 2, 0), at + _TEXTURE.cells * step // 2)
            for at, step in ((row, y), (col, x))
        )
        fine_x = _fine(grey[rows], rough[rows], x, col)
        fine_y = _fine(grey[:, cols].T, rough[:, cols].T, y, row)
        found.append(Texture(fine_x, fine_y, col, row))
        share[
            max(row - 2 * _TEXTURE.cells * y, 0) : row + 2 * _TEXTURE.cells * y,
            max(col - 2 * _TEXTURE.cells * x, 0) : col + 2 * _TEXTURE.cells * x,
        ] = 0
    return found


def fit_texture(image: Image, texture: Texture, skins: Sequence[Skin]) -> tuple[Skin, Place] | None:
    """Return the skin that a texture is most like and where its cells are, if there is one."""
    x, y = round(texture.pitch_x), round(texture.pitch_y)
    left, top = max(texture.x - x, 0), max(texture.y - y, 0)
    patch = image[top : texture.y + y, left : texture.x + x]
    drawn = [skin.drawn_at((x + y) / 2) for skin in skins]
    drawn = list(filter(faceless, drawn))
    if patch.shape[0] < y or patch.shape[1] < x or not drawn:
        return None
    fits = [(*_likest(patch, skin, (x, y)), skin) for skin in drawn]
    _, at, skin = max(fits, key=lambda fit: fit[0])
    left, top = left + at[0], top + at[1]
    # The corner that four cells share, nearest to the middle, is that of the core.
    col, row = round((texture.x - left) / x) - 1, round((texture.y - top) / y) - 1
    corner = float(left + x * col), float(top + y * row)
    return skin, Place(*corner, texture.pitch_x, texture.pitch_y)


def _likest(patch: Image, skin: Skin, size: tuple[int, int]) -> tuple[float, tuple[int, int]]:
    """Return how well the likest picture of a cell fits a patch, and where (x, y)."""
    fits = (
        cv2.matchTemplate(
            patch, cv2.resize(look, size, interpolation=cv2.INTER_AREA), cv2.TM_CCOEFF_NORMED
        )
        for looks in skin.pictures.values()
        for look in looks
    )
    return max((alike, (at[0], at[1])) for _, alike, _, at in map(cv2.minMaxLoc, fits))


def _rough(grey: Image) -> Image:
    """(H, W) uint8: 1 where a pixel differs from the one to its left or above."""
    rough = np.zeros_like(grey)
    rough[:, 1:] = cv2.absdiff(grey[:, 1:], grey[:, :-1])
    np.maximum(rough[1:], cv2.absdiff(grey[1:], grey[:-1]), out=rough[1:])
    return np.asarray(cv2.threshold(rough, _TEXTURE.structure, 1, cv2.THRESH_BINARY)[1], np.uint8)


def _repeating(grey: Image, rough: Image, pitch: int) -> Image:
    """(H, W - pitch) uint8: 1 where texture is the same a pitch to the right."""
    differs = cv2.absdiff(grey[:, pitch:], grey[:, :-pitch])
    same = cv2.threshold(differs, _TEXTURE.same, 1, cv2.THRESH_BINARY_INV)[1]
    return np.asarray(cv2.bitwise_and(same, rough[:, :-pitch]), np.uint8)


def _period(grey: Image, rough: Image) -> int | None:
    """Return the pitch at which rows repeat themselves most; None if at none more than usual."""
    step = max(len(grey) // _TEXTURE.lines, 1)
    grey, rough = np.ascontiguousarray(grey[::step]), np.ascontiguousarray(rough[::step])
    pitches = [pitch for pitch in _PITCHES if 2 * pitch < grey.shape[1]]
    counts = [cv2.countNonZero(_repeating(grey, rough, pitch)) for pitch in pitches]
    excess = (np.array(counts) - np.median(counts)) / grey.size
    peaks = [
        n
        for n in range(1, len(pitches) - 1)
        if excess[n] >= _TEXTURE.stands_out
        and excess[n] >= excess[n - 1]
        and excess[n] > excess[n + 1]
    ]
    return pitches[max(peaks, key=lambda n: float(excess[n]))] if peaks else None


def _fine(strip: Image, rough: Image, pitch: int, middle: int) -> float:
    """Return the pitch of a strip (h, L) of cells in fractions of a pixel.

    At `middle` it surely does, about a whole `pitch` on.
    """
    fine = float(pitch)
    for lines in _TEXTURE.far:
        reach = lines * pitch // 2 + pitch
        part = slice(max(middle - reach, 0), middle + reach)
        grey, marks = np.ascontiguousarray(strip[:, part]), np.ascontiguousarray(rough[:, part])
        steps = [
            step for by in _TEXTURE.near if 0 < (step := round(lines * fine) + by) < grey.shape[1]
        ]
        if not steps:
            break
        same = [cv2.countNonZero(_repeating(grey, marks, step)) for step in steps]
        often = [max(cv2.countNonZero(marks[:, :-step]), 1) for step in steps]
        shares = [some / all_ for some, all_ in zip(same, often, strict=True)]
        fine = steps[int(np.argmax(shares))] / lines
    return fine
