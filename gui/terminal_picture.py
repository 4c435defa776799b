"""Pictures in a terminal: two pixels per character, one above the other, in 24-bit colour."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from rich.text import Text

from gui.console import Console

COLUMNS: Final = 40
"""Largest width of a picture in characters."""
_HALF: Final = "\N{UPPER HALF BLOCK}"
_COLOURS: Final = ("256", "truecolor")
"""Rich's names for terminals with enough colours to show a picture."""


def shows_pictures(console: Console) -> bool:
    """Return whether the terminal can show a picture."""
    return console.is_terminal and console.color_system in _COLOURS


def terminal_picture(image: NDArray[np.uint8], columns: int = COLUMNS) -> Text:
    """Return a small picture enlarged by a whole factor, or a large one shrunk.

    Args:
        image: (h, w, 3) uint8 BGR.
        columns: Largest width in characters.
    """
    height, width = image.shape[:2]
    if width > columns:
        shown = _shrunk(image, columns, max(round(height * columns / width), 1))
    else:
        shown = enlarged(image, columns // width)
    text = Text(no_wrap=True)
    for row in range(0, len(shown), 2):
        above, below = shown[row], shown[row + 1] if row + 1 < len(shown) else None
        for col, ink in enumerate(above):
            ground = "" if below is None else f" on {_colour(below[col])}"
            text.append(_HALF, f"{_colour(ink)}{ground}")
        text.append("\n")
    text.right_crop()
    return text


def enlarged(image: NDArray[np.uint8], factor: int) -> NDArray[np.uint8]:
    """Return a picture enlarged by `factor`, which is at least 1."""
    factor = max(factor, 1)
    return image.repeat(factor, axis=0).repeat(factor, axis=1)


def _shrunk(image: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    """Return a picture in which each pixel is the mean of those it replaces."""
    total: NDArray[np.float64] = image.astype(np.float64)
    for axis, size in enumerate((height, width)):
        edges = np.arange(size + 1) * total.shape[axis] // size
        counts = np.diff(edges).reshape((-1, 1, 1) if axis == 0 else (1, -1, 1))
        total = np.add.reduceat(total, edges[:-1], axis=axis) / counts
    return np.rint(total).astype(np.uint8)


def _colour(pixel: NDArray[np.uint8]) -> str:
    blue, green, red = pixel.tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"
