"""Describe a tile picture.

Its structure has three parts: the *ground* (background: commonest colour of its middle), the
*rim* (lines, bevel or gap along its sides), and the *mark* upon the ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

READ_AT: Final = 48
"""Largest size at which marks are read, in pixels."""
SIDE: Final = 24
"""Largest side at which pictures are compared, in pixels."""


@dataclass(frozen=True)
class FeatureLimits:
    """Limits of what counts as a mark, a rim or a line of a tile.

    Measured by `python -m tests.benchmarks.learning`; `vision/RESULTS.md` says what single ones
    are worth.
    """

    smooth: int = 10
    """Grey levels between neighbouring blurred pixels of a background, gradients included."""
    faint: int = 12
    """Difference in grey levels from any gradient that counts as a mark: skins' plain tiles reach
    11, marks begin at 13."""
    drawn: int = 16
    """Difference from the background, in grey levels, of a pixel in a line, a bevel or a mark."""
    lined: float = 0.8
    """Least share of drawn pixels in a row that belongs to the rim."""
    rim: float = 0.14
    """Share of a side covered by lines, bevels and gaps: 2 of 16 pixels in most programs."""
    dot: int = 3
    """Size in pixels of the smallest part of a mark that counts."""
    uneven: float = 0.1
    """Relative tolerance, in addition to one pixel, for the sizes of such parts."""
    one_shape: float = 0.6
    """Least overlap of two parts: dots and the strokes of roman numbers mostly reach 0.7 and more
    on cells of 12 to 60 pixels; a V and an I at most 0.58."""


_FEATURE: Final = FeatureLimits()


@dataclass(frozen=True, eq=False)
class Features:
    """The features of a kind's picture."""

    ground: NDArray[np.float32]
    """(3,) BGR."""
    plain: bool
    """Whether there is no mark: flat or a gradient."""
    raised: float
    """Grey levels by which the upper and left sides are lighter than the lower and right ones."""
    structure: float
    """Grey levels between rim and background, which characterise a cell."""
    rim: NDArray[np.float32]
    """(m, 3) BGR of the outermost pixels."""
    mark: NDArray[np.float32]
    """(SIDE, SIDE) 0..1: the difference of each pixel from the background, without the rim."""
    drawn: NDArray[np.float32]
    """(SIDE, SIDE, 3): the mark as differences from the background, without the rim."""
    colours: NDArray[np.float32]
    """(2, 3) BGR: the mark's commonest colour, and its second commonest one (or the same)."""


def features_of(picture: NDArray[np.uint8]) -> Features:
    """Return the features of a tile picture (h, w, 3)."""
    small = at_most(picture, SIDE)
    ground = ground_of(small)
    differs = np.abs(small.astype(np.float32) - ground).max(axis=2)
    side = max(round(_FEATURE.rim * min(small.shape[:2])), 1)
    inside = _inside(differs > _FEATURE.drawn, side)
    plain = _smooth(small[inside])
    close = at_most(legible(picture), SIDE)
    mark = np.zeros(close.shape[:2], np.float32)
    if not plain:
        apart = np.abs(close.astype(np.float32) - ground).max(axis=2)
        within = _inside(apart > _FEATURE.drawn, side)
        mark[within] = (apart[within] / max(float(apart[within].max()), 32.0)).clip(0, 1)
    drawn = (close.astype(np.float32) - ground) * (mark > 0)[:, :, None]
    rim = np.concatenate([small[0], small[-1], small[:, 0], small[:, -1]]).astype(np.float32)
    brightness = small.astype(np.float32).mean(axis=2)
    upper = (brightness[:side, side:-side].mean() + brightness[side:-side, :side].mean()) / 2
    lower = (brightness[-side:, side:-side].mean() + brightness[side:-side, -side:].mean()) / 2
    edge = max(
        float(band.mean()) for band in (differs[0], differs[-1], differs[:, 0], differs[:, -1])
    )
    return Features(
        ground=ground,
        plain=plain,
        raised=float(upper - lower),
        structure=edge,
        rim=rim,
        mark=_at_side(mark),
        drawn=_at_side(drawn),
        colours=_colours(close, mark, ground),
    )


def at_most(picture: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """Return a picture, reduced if it is larger than `side`."""
    height, width = picture.shape[:2]
    if max(height, width) <= side:
        return picture
    size = min(width, side), min(height, side)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def legible(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a picture at the size at which marks are read, without the empty area around one.

    A digit that is a sixth of its cell would be too small once the whole cell is reduced.
    """
    differs = np.abs(picture.astype(np.float32) - ground_of(picture)).max(axis=2)
    rim = max(round(_FEATURE.rim * min(picture.shape[:2])), 1)
    inside = _inside(differs > _FEATURE.drawn, rim)
    spans = []
    for axis, span in enumerate(inside):
        drawn = np.flatnonzero((differs[inside] > _FEATURE.drawn).any(axis=1 - axis)) + span.start
        begin, end = (int(drawn[0]), int(drawn[-1]) + 1) if len(drawn) else (span.start, span.stop)
        spans.append((begin, end))
    side = max(READ_AT, 2 * max(end - begin for begin, end in spans))
    cut = []
    for (begin, end), length in zip(spans, picture.shape[:2], strict=True):
        first = min(max((begin + end - side) // 2, 0), max(length - side, 0))
        cut.append(slice(first, first + side))
    return at_most(picture[cut[0], cut[1]], READ_AT)


def moved(
    picture: NDArray[Any], x: float, y: float, border: int = cv2.BORDER_REPLICATE
) -> NDArray[Any]:
    """Return a picture moved by a part of a pixel."""
    move = np.array([[1, 0, x], [0, 1, y]], np.float32)
    size = picture.shape[1], picture.shape[0]
    return np.asarray(cv2.warpAffine(picture, move, size, borderMode=border))


def ground_of(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return (3,): the commonest colour near the corners, inside the rim, where few marks reach.

    The dots of a die do reach there. Then the whole picture and its outermost pixels agree on
    another colour.
    """
    height, width = picture.shape[:2]
    y, x = max(round(_FEATURE.rim * height), 1), max(round(_FEATURE.rim * width), 1)
    inside = picture[y : height - y, x : width - x]
    deep, wide = max(height // 5, 2), max(width // 5, 2)
    rows, cols = np.r_[:deep, -deep:0], np.r_[:wide, -wide:0]
    corners = _commonest(inside[np.ix_(rows, cols)].reshape(-1, 3))
    frame = np.ones(inside.shape[:2], bool)
    frame[deep // 2 : -(deep // 2), wide // 2 : -(wide // 2)] = False
    whole, outermost = _commonest(inside.reshape(-1, 3)), _commonest(inside[frame])
    agree = np.abs(whole - outermost).max() < _FEATURE.drawn
    return whole if agree and np.abs(whole - corners).max() > _FEATURE.drawn else corners


def equal_parts(
    picture: NDArray[np.uint8], ground: NDArray[np.float32]
) -> tuple[int, NDArray[np.float32] | None]:
    """Return the number of separate parts of one shape in a mark; 0 if they are not alike.

    Also return the shape: the ink of one part, 0..1.
    """
    differs = np.abs(picture.astype(np.float32) - ground).max(axis=2)
    mark = differs[_inside(differs > _FEATURE.drawn, 1)]
    ink = (mark / max(float(mark.max()), 32.0)).clip(0, 1)
    _, _, found, _ = cv2.connectedComponentsWithStats((ink > 0.5).astype(np.uint8), connectivity=8)
    parts = found[1:]
    if len(parts) == 0 or parts[:, cv2.CC_STAT_AREA].min() < _FEATURE.dot:
        return 0, None
    width, height = parts[:, 2:4].max(axis=0)
    if np.ptp(parts[:, 2:4], axis=0).max() > 1 + _FEATURE.uneven * max(width, height):
        return 0, None
    wide = np.pad(ink, ((2, 2 + height), (2, 2 + width)))
    one, *others = (wide[y : y + height + 4, x : x + width + 4] for x, y in parts[:, :2].tolist())
    alike = all(_overlap(one, other) >= _FEATURE.one_shape for other in others)
    return (len(parts), one) if alike else (0, None)


def same_part(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Return whether parts of two marks, as `equal_parts` returns them, have one size and shape."""
    height, width = np.maximum(one.shape, other.shape)
    if np.abs(np.subtract(one.shape, other.shape)).max() > 1 + _FEATURE.uneven * max(width, height):
        return False
    wide = [
        np.pad(part, ((0, height - part.shape[0]), (0, width - part.shape[1])))
        for part in (one, other)
    ]
    return _overlap(wide[0], wide[1]) >= _FEATURE.one_shape


def _overlap(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Return the overlap of two marks within a pixel; 1 if they are equal."""
    inner = one[1:-1, 1:-1]
    height, width = inner.shape
    moved = [other[y : y + height, x : x + width] for y in range(3) for x in range(3)]
    return max(float(np.minimum(inner, its).sum() / np.maximum(inner, its).sum()) for its in moved)


def _at_side(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    size = (SIDE, SIDE)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), np.float32)


def _inside(drawn: NDArray[np.bool_], side: int) -> tuple[slice, slice]:
    """Return the part of a picture inside its rim: a bevel may be deeper than usual."""
    spans = []
    for axis in (1, 0):
        length = drawn.shape[1 - axis]
        lines = (drawn[:, side:-side] if axis else drawn[side:-side]).mean(
            axis=axis
        ) > _FEATURE.lined
        first, last = side, length - side
        while first < length // 4 and lines[first]:
            first += 1
        while length - last < length // 4 and lines[last - 1]:
            last -= 1
        spans.append(slice(first, last))
    return spans[0], spans[1]


def _commonest(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return (3,): the mean of the pixels near the commonest colour."""
    # Two histograms, so that a colour on a border between bins is not split.
    best = np.zeros(0, np.uint8)
    for offset in (0, 8):
        boxes = (pixels.astype(np.int32) + offset) >> 4
        codes = boxes[:, 0] << 12 | boxes[:, 1] << 6 | boxes[:, 2]
        names, counts = np.unique(codes, return_counts=True)
        chosen = pixels[codes == names[counts.argmax()]]
        best = chosen if len(chosen) > len(best) else best
    mean: NDArray[np.float32] = best.astype(np.float32).mean(axis=0)
    return mean


def _smooth(middle: NDArray[np.uint8]) -> bool:
    """Return whether a picture is only a flat colour or a gradient."""
    soft = np.asarray(cv2.GaussianBlur(middle, (3, 3), 0), np.uint8)
    across = cv2.absdiff(soft[:, 1:], soft[:, :-1])
    down = cv2.absdiff(soft[1:], soft[:-1])
    return (
        max(int(across.max()), int(down.max())) <= _FEATURE.smooth and _bent(soft) <= _FEATURE.faint
    )


def _bent(soft: NDArray[np.uint8]) -> float:
    """Return the largest deviation in grey levels from the best-fitting gradient: faint marks."""
    height, width = soft.shape[:2]
    y, x = (np.linspace(-1, 1, n) for n in (height, width))
    grid = np.broadcast_arrays(1.0, x, y[:, None], x * x, y[:, None] ** 2, x * y[:, None])
    terms = np.stack([one.ravel() for one in grid], axis=1)
    values = soft.reshape(-1, 3).astype(np.float64)
    fit, *_ = np.linalg.lstsq(terms, values)
    return float(np.abs(values - terms @ fit).max())


def _colours(
    small: NDArray[np.uint8], mark: NDArray[np.float32], ground: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return (2, 3): the two commonest colours of a mark.

    Mixed pixels between mark and background do not count.
    """
    strong = small[mark > 0.5]
    if not len(strong):
        return np.stack([ground, ground])
    first = _commonest(strong)
    toward = first - ground
    along = (strong - ground) @ toward / max(float(toward @ toward), 1.0)
    off = np.linalg.norm(strong - ground - along[:, None] * toward, axis=1)
    others = strong[(off > 60) | (along > 1.6)]
    if len(others) < 3:
        return np.stack([first, first])
    return np.stack([first, _commonest(others)])
