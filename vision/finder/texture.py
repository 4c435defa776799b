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

from bot.board import COVERED
from vision.finder.lattice import OBLONG
from vision.finder.placing import Place, Span, faceless
from vision.finder.resemblance import resemblance_to
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
    as_often: float = 0.9
    """Part of a multiple's repeats that a pitch has to have; a hatching inside cells has fewer."""
    periods: int = 3
    """Along each side."""
    repeats: float = 0.55
    """Least part of the texture around a pixel that repeats itself there."""
    some: float = 0.42
    """The same for a place to be tried: half a pixel aside texture is not quite the same. Measured
    on KMines' themes enlarged by 1.1 to 2.5: 0.5 on boards, 0.36 to 0.68 elsewhere on full
    desktops."""
    places: int = 3
    """Places that are tried for each pair of pitches."""
    cells: int = 3
    """Cells along a side of that surrounding."""
    rough: float = 0.05
    """Least part of its pixels that are such texture."""
    soft: int = 3
    """Pixels over which texture is blurred before it is compared with itself."""
    far: tuple[int, int, int] = (2, 4, 8)
    """Lines apart of the cells whose distance tells the pitch; the next where the last one did."""
    near: tuple[int, int, int] = (0, -1, 1)
    """Pixels by which that distance may be off."""
    misfit: float = 0.3
    """Of the cells in the middle, to their pictures, beyond which it is no board of a skin."""
    surely: float = 0.9
    """Correlation of covered or empty cells from which on no other state is slid."""
    worse: float = 0.08
    """By how much less alike their pictures the cells of an outer line may be than all."""
    max_skins: int = 3


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
    """Return where a picture repeats itself across and down."""
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
        if 1 / OBLONG <= x / y <= OBLONG
        for texture in _textures(grey, rough, x, y)
    ]


def fit_texture(image: Image, texture: Texture, skins: Sequence[Skin]) -> list[tuple[Skin, Place]]:
    """Return the skins that a texture may be of, the most similar first; where its cells are."""
    x, y = round(texture.pitch_x), round(texture.pitch_y)
    patch_left, patch_top = max(texture.x - x, 0), max(texture.y - y, 0)
    patch = image[patch_top : texture.y + y, patch_left : texture.x + x]
    if patch.shape[0] < y or patch.shape[1] < x:
        return []
    fits: list[tuple[float, Skin, int, int]] = []
    for skin in filter(faceless, (skin.drawn_at((x + y) / 2) for skin in skins)):
        alike, at = _likest(patch, skin, (COVERED, 0), (x, y))
        if alike < _TEXTURE.surely:  # as where a lost game shows mines everywhere
            alike, at = max((alike, at), _likest(patch, skin, tuple(skin.pictures), (x, y)))
        fits.append((alike, skin, patch_left + at[0], patch_top + at[1]))
    fits.sort(key=lambda fit: -fit[0])
    placed: list[tuple[float, Skin, Place]] = []
    for _, skin, left, top in fits[: _TEXTURE.max_skins]:
        # The corner that four cells share, nearest to the middle, is that of the core.
        col, row = round((texture.x - left) / x) - 1, round((texture.y - top) / y) - 1
        corner = float(left + x * col), float(top + y * row)
        place = Place(*corner, texture.pitch_x, texture.pitch_y)
        likeness = resemblance_to(skin).likeness(place.cut(image, CORE), grey=True)
        misfit = 1 - float(np.median(likeness.correlation))
        if misfit <= _TEXTURE.misfit:
            placed.append((misfit, skin, place))
    placed.sort(key=lambda fit: fit[0])
    return [(skin, place) for _, skin, place in placed]


def _likest(
    patch: Image, skin: Skin, states: tuple[int, ...], size: tuple[int, int]
) -> tuple[float, tuple[int, int]]:
    """Return how well the best of some pictures fits a patch, and where (x, y)."""
    fits = (
        cv2.minMaxLoc(cv2.matchTemplate(patch, _sized(look, *size), cv2.TM_CCOEFF_NORMED))
        for code in states
        for look in skin.pictures[code]
    )
    return max((alike, (at[0], at[1])) for _, alike, _, at in fits)


def exact(image: Image, place: Place, span: Span, skin: Skin) -> bool:
    """Return whether a board's outer lines are as good as any: at a wrong pitch cells drift."""
    if falling_off(image, place, span, skin) > _TEXTURE.worse:
        return False
    return not _repeats_beyond(image, place, span)


def falling_off(image: Image, place: Place, span: Span, skin: Skin) -> float:
    """By how much less alike its pictures the worst outer line of a board is than all of it."""
    alike = resemblance_to(skin).likeness(place.cut(image, span), grey=True).correlation
    alike = alike.reshape(span.rows, span.cols)
    sides = (alike[0], alike[-1], alike[:, 0], alike[:, -1])
    return float(np.median(alike)) - min(float(np.median(side)) for side in sides)


def _repeats_beyond(image: Image, place: Place, span: Span) -> bool:
    """Return whether a picture still repeats itself in the second line beyond a board.

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
        rough[:, 1:] = cv2.absdiff(line[:, 1:], line[:, :-1]) > _TEXTURE.structure
        often = cv2.countNonZero(rough[:, :-pitch])
        same = cv2.countNonZero(_repeating(line, rough, pitch))
        if often >= _TEXTURE.rough * line.size and same >= _TEXTURE.repeats * often:
            return True
    return False


def _sized(look: Image, width: int, height: int) -> Image:
    return np.asarray(cv2.resize(look, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


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


def _periods(grey: Image, rough: Image) -> list[int]:
    """Return the pitches at which rows repeat themselves most, the most likely first."""
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
    # What repeats itself does so at every multiple.
    first = [
        n
        for n in peaks
        if not any(
            pitches[n] % pitches[m] == 0 and excess[m] > _TEXTURE.as_often * excess[n]
            for m in peaks
            if m < n
        )
    ]
    first.sort(key=lambda n: -excess[n])
    return [pitches[n] for n in first[: _TEXTURE.periods]]


def _textures(grey: Image, rough: Image, x: int, y: int) -> list[Texture]:
    """Return where a picture repeats itself most at two pitches."""
    height, width = grey.shape
    same = np.zeros((2, height, width), np.float32)
    # Between two pixels, a repeated texture is blurred.
    grey = np.asarray(cv2.blur(grey, (_TEXTURE.soft, _TEXTURE.soft)), np.uint8)
    right, below = _repeating(grey, rough, x), _repeating(grey.T, rough.T, y).T
    same[0, :, :-x], same[0, :, x:] = right, np.maximum(same[0, :, x:], right)
    same[1, :-y], same[1, y:] = below, np.maximum(same[1, y:], below)
    around = _TEXTURE.cells * x, _TEXTURE.cells * y
    share = cv2.blur(same.min(axis=0), around, borderType=cv2.BORDER_CONSTANT)
    often = cv2.blur(rough.astype(np.float32), around, borderType=cv2.BORDER_CONSTANT)
    left = np.where(share >= _TEXTURE.some * often, share, np.float32(0))
    found = []
    for _ in range(_TEXTURE.places):
        _, most, _, (col, row) = cv2.minMaxLoc(left)
        if most < _TEXTURE.rough:
            break
        rows, cols = (
            slice(max(at - _TEXTURE.cells * step // 2, 0), at + _TEXTURE.cells * step // 2)
            for at, step in ((row, y), (col, x))
        )
        fine_x = _fine(grey[rows], rough[rows], x, col)
        fine_y = _fine(grey[:, cols].T, rough[:, cols].T, y, row)
        found.append(Texture(fine_x, fine_y, col, row))
        left[
            max(row - 2 * _TEXTURE.cells * y, 0) : row + 2 * _TEXTURE.cells * y,
            max(col - 2 * _TEXTURE.cells * x, 0) : col + 2 * _TEXTURE.cells * x,
        ] = 0
    return found


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
        same = [cv2.countNonZero(_repeating(grey, marks, step)) for step in steps]
        often = [max(cv2.countNonZero(marks[:, :-step]), 1) for step in steps]
        shares = [some / all_ for some, all_ in zip(same, often, strict=True)]
        if not shares or max(shares) < _TEXTURE.some:
            break
        fine = steps[int(np.argmax(shares))] / lines
    return fine
