"""Read digits, mines, flags and question marks by shape, in any font and colour.

A tile becomes a *glyph mask*: the distance of each pixel from the tile's background, without the
cell's frame lines and bevels, cropped to the ink and scaled to one size. A small convolutional
network then classifies it. One was trained on masks of digits in some hundred fonts and of other
shapes (`tests/tools/train_digits.py`), one on symbols in many styles of drawing and handwriting
(`tests/tools/train_symbols.py`). They do not depend on any skin.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import FLAG, MINE, MISFLAG, QUESTION

GLYPH: Final = (16, 24)
"""Width and height of a glyph mask: aspect ratio kept, centred, padded."""
NO_DIGIT: Final = 10
"""The column of `Digits.scores` for everything that is no digit."""
SYMBOLS: Final = (MINE, FLAG, MISFLAG, QUESTION)
"""The first columns of `read_symbols`; the last one means none of these."""


@dataclass(frozen=True)
class GlyphLimits:
    """Limits of what counts as a glyph."""

    padding: int = 1
    faint: float = 16.0
    """Contrast in grey levels below which ink is no glyph but a shade of the background."""
    shares: tuple[float, float, float] = (0.35, 0.5, 0.65)
    """Thresholds as shares of a glyph's contrast, above which a pixel belongs to it: the next one
    is tried if the ink found reaches from side to side, which is the lighter end of a gradient
    and no glyph."""
    smallest: int = 6
    """Least side of a readable tile, in pixels."""
    alike: float = 24.0
    """Difference in grey levels within which two pixels count as the same background."""


_GLYPH: Final = GlyphLimits()


Masks = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Digits:
    """The digits on glyph masks."""

    digit: NDArray[np.int8]
    """(n,), 0..9, or -1 if 'no digit' is likeliest."""
    confidence: NDArray[np.float32]
    """(n,), 0..1: the probability of `digit` (of 'no digit' if it is -1)."""
    scores: NDArray[np.float32]
    """(n, 11), the probabilities of 0..9 and, last, of 'no digit'; they sum to 1."""
    question: NDArray[np.float32]
    """(n,), the probability of a question mark: a part of that of 'no digit'."""


def read_tiles(tiles: NDArray[np.uint8]) -> Digits:
    """Read the digit on each tile, (n, h, w, 3) uint8 BGR."""
    return read_glyphs(glyph_masks(tiles))


def read_glyphs(masks: Masks) -> Digits:
    """Classify glyph masks.

    Args:
        masks: (n, 24, 16) float32 0..1, as `glyph_masks` makes them; an empty mask is
            surely no digit.
    """
    probabilities = _probabilities(masks, "digits.npz")
    empty = ~masks.any(axis=(1, 2))
    probabilities[empty] = 0
    probabilities[empty, NO_DIGIT] = 1
    scores = probabilities[:, : NO_DIGIT + 1].copy()
    scores[:, NO_DIGIT] += probabilities[:, NO_DIGIT + 1]
    best = scores.argmax(axis=1)
    return Digits(
        digit=np.where(best == NO_DIGIT, -1, best).astype(np.int8),
        confidence=scores.max(axis=1, initial=0),
        scores=scores,
        question=probabilities[:, NO_DIGIT + 1].copy(),
    )


def read_symbols(masks: Masks) -> NDArray[np.float32]:
    """Return (n, 5) probabilities of `SYMBOLS` and of none, as hints, for masks (n, 24, 16)."""
    return _probabilities(masks, "symbols.npz")


def glyph_masks(tiles: NDArray[np.uint8]) -> Masks:
    """Return the glyph masks of tiles.

    Returns:
        (n, 24, 16) float32 0..1: the difference of each pixel from the background, without frame
        lines and bevels of the cell; all zero for a plain tile.
    """
    masks = np.zeros((len(tiles), GLYPH[1], GLYPH[0]), np.float32)
    if min(tiles.shape[1:3]) < _GLYPH.smallest:
        return masks
    for mask, tile in zip(masks, tiles, strict=True):
        mask[:] = shape_mask(_difference(tile, _background(tile)))
    return masks


def _difference(tile: NDArray[np.uint8], paper: NDArray[np.uint8]) -> NDArray[np.uint8]:
    ground: NDArray[np.uint8] = np.broadcast_to(paper, tile.shape).astype(np.uint8)
    apart = cv2.absdiff(tile, ground)
    blue, green, red = apart[..., 0], apart[..., 1], apart[..., 2]
    return np.maximum(np.maximum(blue, green), red)  # Several times faster than .max(axis=2).


def shape_mask(difference: NDArray[np.uint8]) -> Masks:
    """Return the mask (24, 16) of one tile, from each pixel's distance to the background (h, w)."""
    top, bottom, left, right = _without_frame(difference > _GLYPH.faint)
    inner = difference[top:bottom, left:right]
    height, width = inner.shape
    empty = np.zeros((GLYPH[1], GLYPH[0]), np.float32)
    if min(height, width) < 4:
        return empty
    middle = inner[height // 6 : height - height // 6, width // 6 : width - width // 6]
    count = max(3, middle.size // 200)
    peak = float(np.partition(middle, -count, axis=None)[-count:].mean())
    if peak < _GLYPH.faint:
        return empty
    for share in _GLYPH.shares:
        kept = _glyph_parts(inner > share * peak)
        if not (kept[:, 0].any() and kept[:, -1].any()):
            break
    rows, cols = np.flatnonzero(kept.any(axis=1)), np.flatnonzero(kept.any(axis=0))
    if len(rows) == 0 or rows[-1] - rows[0] + 1 < max(5, 0.12 * difference.shape[0]):
        return empty
    near = cv2.dilate(kept, np.ones((3, 3), np.uint8))
    ink = np.clip((inner.astype(np.float32) / peak - 0.12) / 0.7, 0, 1) * near
    return fitted(ink[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1])


def fitted(ink: NDArray[np.float32]) -> Masks:
    """Scale a cropped glyph (h, w) of any size to (24, 16): aspect ratio kept, centred."""
    room_x, room_y = GLYPH[0] - 2 * _GLYPH.padding, GLYPH[1] - 2 * _GLYPH.padding
    height, width = ink.shape
    scale = min(room_x / width, room_y / height)
    new = (max(1, round(width * scale)), max(1, round(height * scale)))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(ink, new, interpolation=how)
    mask = np.zeros((GLYPH[1], GLYPH[0]), np.float32)
    top, left = (GLYPH[1] - new[1]) // 2, (GLYPH[0] - new[0]) // 2
    mask[top : top + new[1], left : left + new[0]] = small
    return mask


def _background(tile: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the commonest colour near the four corners, inside the frame: no glyph is there."""
    height, width = tile.shape[:2]
    y, x = max(1, round(0.14 * height)), max(1, round(0.14 * width))
    deep, wide = max(2, height // 5), max(2, width // 5)
    rows = np.r_[y : y + deep, height - y - deep : height - y]
    cols = np.r_[x : x + wide, width - x - wide : width - x]
    pixels = tile[rows[:, None], cols].reshape(-1, 3)
    pixels = pixels[:: max(1, len(pixels) // 48)].astype(np.int16)
    alike = np.ones((len(pixels), len(pixels)), np.bool_)
    for channel in pixels.T:
        alike &= np.abs(channel[:, None] - channel) < _GLYPH.alike
    common = pixels[alike[alike.sum(axis=1).argmax()]]
    mean: NDArray[np.uint8] = np.rint(common.mean(axis=0)).astype(np.uint8)
    return mean


def _without_frame(drawn: NDArray[np.bool_]) -> tuple[int, int, int, int]:
    """Return the begin and end of the cell's inside, without lines and bevels along its sides.

    A row belongs to the frame if it is drawn at both of its ends and along most of its length, or
    along nearly all of it, and lies at the side or next to such a row. Glyphs do not reach from
    side to side.
    """
    height, width = drawn.shape
    deepest = (max(2, height // 4), max(2, width // 4))
    top, bottom, left, right = 0, height, 0, width
    for _ in range(3):
        before = (top, bottom, left, right)
        lines = _lines(drawn[:, left:right])
        top = _last(lines[: deepest[0]])
        bottom = height - _last(lines[::-1][: deepest[0]])
        lines = _lines(drawn[top:bottom].T)
        left = _last(lines[: deepest[1]])
        right = width - _last(lines[::-1][: deepest[1]])
        if (top, bottom, left, right) == before:
            break
    return top, bottom, left, right


def _lines(drawn: NDArray[np.bool_]) -> NDArray[np.bool_]:
    length = drawn.shape[1]
    end = max(2, length // 14)
    ends = drawn[:, :end].any(axis=1) & drawn[:, length - end :].any(axis=1)
    share = drawn.mean(axis=1)
    found: NDArray[np.bool_] = (ends & (share >= 0.75)) | (share >= 0.85)
    return found


def _last(lines: NDArray[np.bool_]) -> int:
    """Return the number of rows to remove: up to the last line, with gaps of at most one row."""
    peeled = 0
    for row in np.flatnonzero(lines):
        if row - peeled > 1:
            break
        peeled = int(row) + 1
    return peeled


def _glyph_parts(drawn: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return the drawn pixels of the glyph, without parts at the sides and a frame around it."""
    height, width = drawn.shape
    count, labels, stats, _ = cv2.connectedComponentsWithStats(drawn.astype(np.uint8))
    if count == 1:
        return np.zeros(drawn.shape, np.uint8)
    x, y, w, h, _ = stats.T
    at_edge = (x == 0) | (y == 0) | (x + w == width) | (y + h == height)
    central = (x < 0.65 * width) & (x + w > 0.35 * width)
    central &= (y < 0.65 * height) & (y + h > 0.35 * height)
    keep = central | ~at_edge
    keep[0] = False
    for one in np.flatnonzero(keep):
        inside = keep & (x > x[one]) & (x + w < (x + w)[one])
        inside &= (y > y[one]) & (y + h < (y + h)[one]) & (2 * h > h[one])
        part = labels[y[one] : y[one] + h[one], x[one] : x[one] + w[one]] == one
        if inside.any() and _is_frame(part):
            keep[one] = False
    kept: NDArray[np.uint8] = keep[labels].astype(np.uint8)
    return kept


def _is_frame(part: NDArray[np.bool_]) -> bool:
    """Return whether a part, cut to its pixels, is a rectangle of thin lines.

    Programs draw one around the text of the button that has the focus.
    """
    border = np.concatenate([part[0], part[-1], part[1:-1, 0], part[1:-1, -1]])
    return bool(border.all()) and not part[2:-2, 2:-2].any()


@cache
def _networks(name: str) -> tuple[tuple[NDArray[np.float32], ...], ...]:
    """Return the weights of a file, read once; a tuple for each network of the ensemble."""
    with np.load(Path(__file__).with_name(name), allow_pickle=False) as file:
        return tuple(
            tuple(file[f"{number}-{part}"].astype(np.float32) for part in range(8))
            for number in range(int(file["networks"]))
        )


def _probabilities(masks: Masks, name: str) -> NDArray[np.float32]:
    """Return (n, classes): the mean of the networks' softmaxes."""
    networks = _networks(name)
    total = np.zeros((len(masks), len(networks[0][-1])), np.float32)
    for weights in networks if len(masks) else ():
        total += softmax(forward(masks, weights)) / len(networks)
    return total


def forward(masks: Masks, weights: tuple[NDArray[np.float32], ...]) -> NDArray[np.float32]:
    """Return one network's scores (n, classes): two strided convolutions, two dense layers."""
    first, first_bias, second, second_bias, third, third_bias, last, last_bias = weights
    hidden = np.maximum(patches(masks[..., None], 5) @ first + first_bias, 0)
    hidden = np.maximum(patches(hidden, 3) @ second + second_bias, 0)
    hidden = np.maximum(hidden.reshape(len(masks), -1) @ third + third_bias, 0)
    scores: NDArray[np.float32] = hidden @ last + last_bias
    return scores


def patches(image: NDArray[np.float32], size: int) -> NDArray[np.float32]:
    """Return (n, h/2, w/2, size * size * c): inputs of a convolution of stride 2."""
    n, height, width, channels = image.shape
    reach = size // 2
    padded = np.pad(image, ((0, 0), (reach, reach), (reach, reach), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (size, size), axis=(1, 2))
    seen = windows[:, ::2, ::2].transpose(0, 1, 2, 4, 5, 3)
    return np.ascontiguousarray(seen).reshape(n, height // 2, width // 2, size * size * channels)


def softmax(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return probabilities along the last axis."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares: NDArray[np.float32] = powers / powers.sum(axis=-1, keepdims=True)
    return shares
