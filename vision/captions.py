"""The few words that are looked for in programs of unknown fonts: 'Mines' by a number, 'New game'.

A word is compared, letter by letter, with how it looks in the fonts that desktops and web pages
write with (`tests/train_captions.py` draws them). It is no reader of text: what is none of these
words, or is written in another hand, is not known.

Words that differ in one letter are told apart, with few exceptions ('Minus', 'Beset'): 15 of 8,192
words were taken for one of these, and 96 % of these were known in the fonts that were drawn, 74 %
in others (`python -m tests.train_captions FONTS --check`).
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
"""What starts a game, as buttons say it."""
IN_DIALOG: Final = tuple(text for text in NEW_GAME if text.upper() != "RESET")
"""The same in a dialog: there 'Reset' may delete the best times."""
MINES: Final = ("Mines", "mines", "MINES", "Bombs", "bombs", "BOMBS")
"""What a number counts, as labels say it."""
HEIGHT: Final = 24
"""Of a drawn word, in pixels."""

_FILE: Final = Path(__file__).with_name("captions.npz")
_ALIKE: Final = 0.8
"""Least mean of the worst letter's correlation and that of all letters."""
_ASPECT: Final = 1.14
"""Times that a word may be as wide or as narrow as the drawn one."""
_LEAST: Final = 6
"""Pixels that a word is high."""
_INK: Final = (0.1, 0.8, 0.24)
"""Of the contrast of a word with its ground: what counts as nothing, what is added to that until it
is all, and from which a pixel belongs to the word."""
_BLUR: Final = 0.04
"""Standard deviation by which a word is smoothed, of its height."""

Ink = NDArray[np.float32]


class Drawn(NamedTuple):
    """A word as a font draws it."""

    text: str
    ink: Ink
    """(HEIGHT, width), 0..1."""
    edges: tuple[float, ...]
    """Where each letter begins, in columns, and where the last one ends."""


def read_caption(image: NDArray[np.uint8], words: tuple[str, ...]) -> str | None:
    """Return which of some words a picture on an even ground shows, else None."""
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
    """Return what is drawn in a picture, cropped: (h, w), 0..1."""
    if min(image.shape[:2]) < _LEAST:
        return None
    ground = np.median(image.reshape(-1, 3), axis=0)
    apart = np.abs(image - ground).max(axis=2)
    none, rest, least = _INK
    ink: Ink = np.clip((apart / max(apart.max(), 1.0) - none) / rest, 0, 1).astype(np.float32)
    # What reaches the edge of the picture is a frame, or another word.
    _, parts = cv2.connectedComponents((ink > least).astype(np.uint8))
    rim = np.concatenate([parts[0], parts[-1], parts[:, 0], parts[:, -1]])
    ink[np.isin(parts, rim[rim > 0])] = 0
    rows, cols = (np.flatnonzero((ink > least).any(axis=axis)) for axis in (1, 0))
    if len(rows) == 0 or rows[-1] - rows[0] + 1 < _LEAST:
        return None
    ink = ink[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    # A page that is enlarged without smoothing has some columns twice.
    return cv2.GaussianBlur(ink, (0, 0), _BLUR * len(ink)).astype(np.float32)


def _likeness(ink: Ink, drawn: Drawn) -> float:
    """Return how much a word looks like a drawn one; at the size of the smaller of the two."""
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
