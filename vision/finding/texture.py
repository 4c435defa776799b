"""Boards without faces: texture that repeats from cell to cell, without a line between them.

KMines' theme of grass fills every covered cell with the same picture, and nothing divides
them. There the image repeats itself at the board's pitch, across and down, and a skin's
covered picture, slid over it, tells where a cell begins. Whole pitches only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED
from vision.finding.lattice import OBLONG
from vision.finding.native import faceless
from vision.finding.placing import Place, Span
from vision.finding.resemblance import resemblance_to
from vision.skins import Skin

Image = NDArray[np.uint8]

_PITCHES: Final = range(12, 123)
_LINES: Final = 240
"""Rows, or columns, of a picture on which its period is measured."""
_STRUCTURE: Final = 4
"""Grey levels between neighbouring pixels that make a texture."""
_SAME: Final = 5
"""Grey levels up to which it repeats itself."""
_STANDS_OUT: Final = 0.01
"""Part of the pixels by which more repeat themselves at a board's pitch than usually."""
_AS_OFTEN: Final = 0.9
"""Part of a multiple's repeats that a pitch has to have; a hatching inside cells has fewer."""
_PERIODS: Final = 3
"""Along each side."""
_REPEATS: Final = 0.55
"""Least part of the texture around a pixel that repeats itself there."""
_CELLS: Final = 3
"""Cells along a side of that surrounding."""
_ROUGH: Final = 0.05
"""Least part of its pixels that are such texture."""
CORE: Final = Span(0, 0, 2, 2)
"""The cells of a place that surely are of a texture."""
_MISFIT: Final = 0.3
"""Of the cells in the middle, to their pictures, beyond which it is no board of a skin."""
_WORSE: Final = 0.08
"""By how much less alike their pictures the cells of an outer line may be than all."""
_MAX_SKINS: Final = 3


class Texture(NamedTuple):
    """A part of a picture that repeats itself."""

    pitch_x: int
    pitch_y: int
    x: int
    """The middle of where it does so most."""
    y: int


def find_textures(image: Image) -> list[Texture]:
    """Where a picture repeats itself across and down.

    Args:
        image: (H, W, 3) uint8 BGR.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    if min(grey.shape) < 2 * _PITCHES.start:
        return []
    rough = _rough(grey)
    across = _periods(grey, rough)
    down = _periods(grey.T, rough.T) if across else []
    return [
        texture
        for x in across
        for y in down
        if 1 / OBLONG <= x / y <= OBLONG and (texture := _texture(grey, rough, x, y)) is not None
    ]


def fit_texture(image: Image, texture: Texture, skins: Sequence[Skin]) -> list[tuple[Skin, Place]]:
    """The skins that a texture may be of, the likest first; where its cells are.

    Args:
        image: (H, W, 3) uint8 BGR.
        texture: Of that picture.
        skins: Those that may be there.
    """
    x, y = texture.pitch_x, texture.pitch_y
    patch_left, patch_top = max(texture.x - x, 0), max(texture.y - y, 0)
    patch = image[patch_top : texture.y + y, patch_left : texture.x + x]
    if patch.shape[0] < y or patch.shape[1] < x:
        return []
    fits: list[tuple[float, Skin, int, int]] = []
    for skin in filter(faceless, (skin.drawn_at((x + y) / 2) for skin in skins)):
        likest = max(
            cv2.minMaxLoc(cv2.matchTemplate(patch, _sized(look, x, y), cv2.TM_CCOEFF_NORMED))[1::2]
            for code in (COVERED, 0)
            for look in skin.pictures[code]
        )
        fits.append((likest[0], skin, patch_left + likest[1][0], patch_top + likest[1][1]))
    fits.sort(key=lambda fit: -fit[0])
    placed: list[tuple[float, Skin, Place]] = []
    for _, skin, left, top in fits[:_MAX_SKINS]:
        # The corner that four cells share, nearest to the middle, is that of the core.
        col, row = round((texture.x - left) / x) - 1, round((texture.y - top) / y) - 1
        place = Place(float(left + x * col), float(top + y * row), float(x), float(y))
        likeness = resemblance_to(skin).likeness(place.cut(image, CORE), grey=True)
        misfit = 1 - float(np.median(likeness.correlation))
        if misfit <= _MISFIT:
            placed.append((misfit, skin, place))
    placed.sort(key=lambda fit: fit[0])
    return [(skin, place) for _, skin, place in placed]


def exact(image: Image, place: Place, span: Span, skin: Skin) -> bool:
    """Whether a board of a whole pitch ends where it seems to, its outer lines as good as any.

    At a pitch that is nearly right, cells drift away from their pictures towards the sides.
    """
    if place.pitch_x != round(place.pitch_x) or place.pitch_y != round(place.pitch_y):
        return False
    alike = resemblance_to(skin).likeness(place.cut(image, span), grey=True).correlation
    alike = alike.reshape(span.rows, span.cols)
    sides = (alike[0], alike[-1], alike[:, 0], alike[:, -1])
    least = min(float(np.median(side)) for side in sides)
    if least < float(np.median(alike)) - _WORSE:
        return False
    return not _repeats_beyond(image, place, span)


def _repeats_beyond(image: Image, place: Place, span: Span) -> bool:
    """Whether a picture still repeats itself in the second line beyond a board.

    Then what looks like a board is a part of something that another pitch would fit; in the
    first line, KMines has a fence with a post for each cell.
    """
    height, width = image.shape[:2]
    left, right = (int(at) for at in place.x(np.array([span.left, span.right])))
    top, bottom = (int(at) for at in place.y(np.array([span.top, span.bottom])))
    x, y = round(place.pitch_x), round(place.pitch_y)
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    rows, columns = slice(max(top, 0), bottom), slice(max(left, 0), right)
    strips = (
        (grey[rows, max(left - 2 * x, 0) : max(left - x, 0)].T, y),
        (grey[rows, min(right + x, width) : right + 2 * x].T, y),
        (grey[max(top - 2 * y, 0) : max(top - y, 0), columns], x),
        (grey[min(bottom + y, height) : bottom + 2 * y, columns], x),
    )
    for strip, pitch in strips:
        if min(strip.shape) < 2 or strip.shape[1] <= pitch:
            continue
        line = np.ascontiguousarray(strip)
        rough = np.zeros_like(line)
        rough[:, 1:] = cv2.absdiff(line[:, 1:], line[:, :-1]) > _STRUCTURE
        often = cv2.countNonZero(rough[:, :-pitch])
        same = cv2.countNonZero(_repeating(line, rough, pitch))
        if often >= _ROUGH * line.size and same >= _REPEATS * often:
            return True
    return False


def _sized(look: Image, width: int, height: int) -> Image:
    return np.asarray(cv2.resize(look, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _rough(grey: Image) -> Image:
    """(H, W) uint8: 1 where a pixel differs from the one to its left or above."""
    rough = np.zeros_like(grey)
    rough[:, 1:] = cv2.absdiff(grey[:, 1:], grey[:, :-1])
    np.maximum(rough[1:], cv2.absdiff(grey[1:], grey[:-1]), out=rough[1:])
    return np.asarray(cv2.threshold(rough, _STRUCTURE, 1, cv2.THRESH_BINARY)[1], np.uint8)


def _repeating(grey: Image, rough: Image, pitch: int) -> Image:
    """(H, W - pitch) uint8: 1 where texture is the same a pitch to the right."""
    differs = cv2.absdiff(grey[:, pitch:], grey[:, :-pitch])
    same = cv2.threshold(differs, _SAME, 1, cv2.THRESH_BINARY_INV)[1]
    return np.asarray(cv2.bitwise_and(same, rough[:, :-pitch]), np.uint8)


def _periods(grey: Image, rough: Image) -> list[int]:
    """The pitches at which rows repeat themselves more than at others, the likeliest first."""
    step = max(len(grey) // _LINES, 1)
    grey, rough = np.ascontiguousarray(grey[::step]), np.ascontiguousarray(rough[::step])
    pitches = [pitch for pitch in _PITCHES if 2 * pitch < grey.shape[1]]
    counts = [cv2.countNonZero(_repeating(grey, rough, pitch)) for pitch in pitches]
    excess = (np.array(counts) - np.median(counts)) / grey.size
    peaks = [
        n
        for n in range(1, len(pitches) - 1)
        if excess[n] >= _STANDS_OUT and excess[n] >= excess[n - 1] and excess[n] > excess[n + 1]
    ]
    # What repeats itself does so at every multiple.
    first = [
        n
        for n in peaks
        if not any(
            pitches[n] % pitches[m] == 0 and excess[m] > _AS_OFTEN * excess[n]
            for m in peaks
            if m < n
        )
    ]
    first.sort(key=lambda n: -excess[n])
    return [pitches[n] for n in first[:_PERIODS]]


def _texture(grey: Image, rough: Image, x: int, y: int) -> Texture | None:
    """Where a picture repeats itself most at two pitches; None where nothing does."""
    height, width = grey.shape
    same = np.zeros((2, height, width), np.float32)
    right, below = _repeating(grey, rough, x), _repeating(grey.T, rough.T, y).T
    same[0, :, :-x], same[0, :, x:] = right, np.maximum(same[0, :, x:], right)
    same[1, :-y], same[1, y:] = below, np.maximum(same[1, y:], below)
    around = _CELLS * x, _CELLS * y
    share = cv2.blur(same.min(axis=0), around)
    often = cv2.blur(rough.astype(np.float32), around)
    _, most, _, (col, row) = cv2.minMaxLoc(np.where(share >= _REPEATS * often, share, 0))
    return Texture(x, y, col, row) if most >= _ROUGH else None
