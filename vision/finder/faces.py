"""Faces: the connected parts of a picture that its edges leave, as boxes."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finder.combs import Ints

MIN_FACE: Final = 5
"""Pixels: the face of a bevelled cell at a pitch of 10."""
MAX_FACE: Final = 150
_EDGE: Final = 5
"""Grey levels between neighbouring pixels that make an edge; sgt-mines' opened cells are
lined with 26, gradients of the looks we know stay under 4."""
BLURS: Final = {0: _EDGE, 3: 6, 5: 3}
"""Size of the blur, in pixels, and the grey levels that make an edge after it: noise of sigma 4
leaves 2 and 1 between neighbouring pixels."""
_FILLED: Final = 0.25
"""Least part of its box that a face fills: a glyph takes the rest."""

_STRIPE: Final = 32
"""Rows of a picture in which edges are looked for at once."""

_CROWDED: Final = 0.15
"""Part of a picture's pixels that are edges beyond which outlines would be too many. Measured
on a screen of 1280x800: 12 % on a desktop of many things (5 ms by outlines, 9 by components),
and as long either way when it is full of text; noise makes outlines ten times slower."""


def edges(image: NDArray[np.uint8], least: int = _EDGE) -> NDArray[np.uint8]:
    """(H, W) uint8: 255 where a pixel differs from the one to its left or above."""
    found = np.zeros(image.shape[:2], np.uint8)
    if min(found.shape) < 2:
        return found
    # In stripes, whose differences stay in the processor's cache: new memory costs most of all.
    differs = np.empty((_STRIPE, *image.shape[1:]), np.uint8)
    grey = np.empty((_STRIPE, image.shape[1]), np.uint8)
    for top in range(0, len(image), _STRIPE):
        stripe, marks = image[top : top + _STRIPE], found[top : top + _STRIPE]
        height = len(stripe)
        cv2.absdiff(stripe[:, 1:], stripe[:, :-1], dst=differs[:height, 1:])
        cv2.cvtColor(differs[:height, 1:], cv2.COLOR_BGR2GRAY, dst=marks[:, 1:])
        first = 1 if top == 0 else 0
        above = image[top + first - 1 : top + height - 1]
        cv2.absdiff(stripe[first:], above, dst=differs[: height - first])
        cv2.cvtColor(differs[: height - first], cv2.COLOR_BGR2GRAY, dst=grey[: height - first])
        cv2.max(marks[first:], grey[: height - first], dst=marks[first:])
        cv2.threshold(marks, least, 255, cv2.THRESH_BINARY, dst=marks)
    return found


def faces_of(image: NDArray[np.uint8], blur: int = 0) -> Ints:
    """(n, 4) boxes x, y, w, h of the connected faces that may be cells."""
    if blur:
        image = np.asarray(cv2.GaussianBlur(image, (blur, blur), 0), np.uint8)
    return faces_between(edges(image, BLURS[blur]))


def faces_between(found: NDArray[np.uint8]) -> Ints:
    """(n, 4) boxes x, y, w, h of the faces that edges leave."""
    crowded = cv2.countNonZero(found) > _CROWDED * found.size
    x, y, w, h, area = (_components if crowded else _holes)(found)
    fits = (w >= MIN_FACE) & (w <= MAX_FACE) & (h >= MIN_FACE) & (h <= MAX_FACE)
    fits &= (2 * w >= h) & (2 * h >= w)
    fits &= area >= _FILLED * w * h
    return np.stack([x[fits], y[fits], w[fits], h[fits]], axis=1).astype(np.intp)


def _components(found: NDArray[np.uint8]) -> tuple[NDArray[Any], ...]:
    """x, y, w, h and area of the connected components between edges: at one cost, always."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(
        cv2.bitwise_not(found), connectivity=4, ltype=cv2.CV_32S
    )
    return tuple(stats.T)


def _holes(found: NDArray[np.uint8]) -> tuple[NDArray[Any], ...]:
    """Return the same from holes in the edges: several times faster if edges are few.

    The area is that within the outline, with what a glyph takes of it.
    """
    walled = cv2.copyMakeBorder(found, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=255)
    outlines, nesting = cv2.findContours(walled, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    kept = [outlines[number] for number in np.flatnonzero(nesting[0, :, 3] >= 0).tolist()]
    if not kept:
        return tuple(np.empty((5, 0), np.intp))
    sizes = np.fromiter(map(len, kept), np.intp, len(kept))
    points = np.concatenate(kept)[:, 0].astype(np.intp)
    starts = np.cumsum(sizes) - sizes
    x, y = np.minimum.reduceat(points, starts).T
    right, bottom = np.maximum.reduceat(points, starts).T
    following = np.arange(1, len(points) + 1)
    following[starts + sizes - 1] = starts
    cross = points[:, 0] * points[following, 1] - points[:, 1] * points[following, 0]
    # The outline runs over the edges, and the wall has moved everything by a pixel.
    return x, y, right - x - 1, bottom - y - 1, np.abs(np.add.reduceat(cross, starts)) // 2
