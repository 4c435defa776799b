"""Recognise a few words in unknown fonts beside a board: 'Mines' next to a number, 'New game'.

A word is compared, letter by letter, with its image in the fonts of desktops and web pages
(`tests/tools/train_captions.py` draws them). This is no general text reader: any other word, or one
in a handwritten font, is not recognised.

Words that differ in one letter are distinguished, with few exceptions ('Minus', 'Beset'): 15 of
8,192 words were mistaken for one of these, and 96 % of these were recognised in the fonts that were
drawn, 74 % in others (`python -m tests.tools.train_captions FONTS --check`).
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

NEW_GAME: Final = (
    "New game", "New Game", "NEW GAME", "Restart", "RESTART", "Reset", "Play again", "Play Again",
    "New",
)  # fmt: skip
"""Labels of buttons that start a game."""
IN_DIALOG: Final = tuple(text for text in NEW_GAME if text.upper() != "RESET")
"""The labels that count in a dialog: there 'Reset' may delete the best times."""
MINES: Final = ("Mines", "mines", "MINES", "Bombs", "bombs", "BOMBS")
"""Labels of a number that counts mines."""
HEIGHT: Final = 24
"""Height of a drawn word, in pixels."""

_FILE: Final = Path(__file__).with_name("captions.npz")
_ALIKE: Final = 0.8
"""Least mean of the worst letter's correlation and the correlation of all letters."""
_ASPECT: Final = 1.14
"""Largest ratio between the aspect ratios of a word and of the drawn one."""
_LEAST: Final = 6
"""Least height of a word, in pixels."""
_INK: Final = (0.1, 0.8, 0.24)
"""Shares of the contrast between a word and its background: the level that counts as nothing, the
increase from there to full ink, and the threshold above which a pixel belongs to the word."""
_BLUR: Final = 0.04
"""Standard deviation of the blur of a word, as a share of its height."""

Ink = NDArray[np.float32]


class Drawn(NamedTuple):
    """A word as drawn in one font."""

    text: str
    ink: Ink
    """(HEIGHT, width), 0..1."""
    edges: tuple[float, ...]
    """Columns at which the letters begin, and the end of the last one."""


def read_caption(image: NDArray[np.uint8], words: tuple[str, ...]) -> str | None:
    """Return the given word that a picture on an even background shows; None if none of them."""
    image = np.ascontiguousarray(image)
    return _remembered(image.tobytes(), image.shape[0], image.shape[1], words)


@lru_cache(maxsize=256)
def _remembered(pixels: bytes, height: int, width: int, words: tuple[str, ...]) -> str | None:
    ink = _ink_of(np.frombuffer(pixels, np.uint8).reshape(height, width, 3))
    if ink is None:
        return None
    alike, text = max((_likeness(ink, one), one.text) for one in _drawn() if one.text in words)
    return text if alike >= _ALIKE else None


def _ink_of(image: NDArray[np.uint8]) -> Ink | None:
    """Return the ink in a picture, cropped: (h, w), 0..1."""
    if min(image.shape[:2]) < _LEAST:
        return None
    ground = np.median(image.reshape(-1, 3), axis=0)
    apart = np.abs(image - ground).max(axis=2)
    none, rest, least = _INK
    ink: Ink = np.clip((apart / max(apart.max(), 1.0) - none) / rest, 0, 1).astype(np.float32)
    # Anything that reaches the edge of the picture is a frame, or another word.
    _, parts = cv2.connectedComponents((ink > least).astype(np.uint8))
    rim = np.concatenate([parts[0], parts[-1], parts[:, 0], parts[:, -1]])
    ink[np.isin(parts, rim[rim > 0])] = 0
    rows, cols = (np.flatnonzero((ink > least).any(axis=axis)) for axis in (1, 0))
    if len(rows) == 0 or rows[-1] - rows[0] + 1 < _LEAST:
        return None
    ink = ink[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    # A page enlarged without smoothing has some columns twice.
    return cv2.GaussianBlur(ink, (0, 0), _BLUR * len(ink)).astype(np.float32)


def _likeness(ink: Ink, drawn: Drawn) -> float:
    """Return the similarity of a word and a drawn one, at the size of the smaller of the two."""
    (high, wide), width = ink.shape, drawn.ink.shape[1]
    if not 1 / _ASPECT < (wide / high) / (width / HEIGHT) < _ASPECT:
        return -1.0
    height = min(HEIGHT, high)
    size = max(1, round(width * height / HEIGHT)), height
    how = cv2.INTER_AREA if high > height else cv2.INTER_LINEAR
    seen = np.pad(cv2.resize(ink, size, interpolation=how), ((1, 1), (3, 3)))
    known = cv2.resize(drawn.ink, size, interpolation=cv2.INTER_AREA)
    reach = 1 if height <= 14 else 2
    alike = []
    for letter, begin, end in zip(drawn.text, drawn.edges, drawn.edges[1:], strict=False):
        first, last = (min(size[0], max(0, round(edge * size[0] / width))) for edge in (begin, end))
        if letter == " " or last == first:
            continue
        part = np.ascontiguousarray(known[:, first:last])
        around = np.ascontiguousarray(seen[:, first + 3 - reach : last + 3 + reach])
        alike.append(float(cv2.matchTemplate(around, part, cv2.TM_CCOEFF_NORMED).max()))
    return (min(alike) + sum(alike) / len(alike)) / 2


@cache
def _drawn() -> tuple[Drawn, ...]:
    with np.load(_FILE, allow_pickle=False) as file:
        texts, widths, edges = file["texts"].tolist(), file["widths"].tolist(), file["edges"]
        ink = file["ink"].astype(np.float32) / np.float32(file["levels"])
    words, column = [], 0
    for text, width, row in zip(texts, widths, edges.tolist(), strict=True):
        words.append(Drawn(text, ink[:, column : column + width], tuple(row[: len(text) + 1])))
        column += width
    return tuple(words)
