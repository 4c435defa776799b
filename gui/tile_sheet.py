"""Arranges many small pictures of equal size as the cells of a board.

Copying hundreds of pictures one by one blocks the interpreter, and with it the player, for
milliseconds; numpy does it in one step.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QImage

from gui.images import Borrowed

NOTHING = -1
"""The key of a cell that stays transparent."""


def blank(width: int, height: int) -> QImage:
    """Return a transparent picture of at least one pixel."""
    image = QImage(max(width, 1), max(height, 1), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    return image


class Canvas:
    """A previous board, whose unchanged cells are not arranged again."""

    def __init__(self) -> None:
        self.sheet: TileSheet | None = None
        self.keys: NDArray[np.int64] = np.zeros((0, 0), np.int64)
        self.pixels: NDArray[np.uint32] = np.zeros((0, 0), np.uint32)


class TileSheet:
    """A cache of pictures of one size; can be used from several threads.

    Args:
        draw: Draws the picture of a key at the full size.
        width: Of each, in pixels.
        height: Of each, in pixels.
    """

    def __init__(self, draw: Callable[[int], QImage], width: int, height: int) -> None:
        self._draw = draw
        self._lock = threading.Lock()
        self._width, self._height = max(width, 1), max(height, 1)
        self._places = {NOTHING: 0}
        self._drawn = {NOTHING: blank(width, height)}
        self._pictures = np.zeros((1, self._height, self._width), np.uint32)

    def laid_out(self, keys: NDArray[np.int64], canvas: Canvas | None = None) -> QImage:
        """Return the picture of a whole board.

        Args:
            keys: (rows, cols): the picture of each cell.
            canvas: Of the previous board. The result uses its memory, so draw it before the next
                board.
        """
        canvas = canvas or Canvas()
        rows, cols = keys.shape
        if canvas.sheet is not self or canvas.keys.shape != keys.shape:
            canvas.sheet = self
            canvas.keys = np.full(keys.shape, NOTHING)
            canvas.pixels = np.zeros((rows * self._height, cols * self._width), np.uint32)
        row, col = np.nonzero(keys != canvas.keys)
        changed = keys[row, col].tolist()
        self._learn(changed)
        cells = canvas.pixels.reshape(rows, self._height, cols, self._width)
        cells[row, :, col] = self._pictures[[self._places[key] for key in changed]]
        canvas.keys = keys.copy()
        return Borrowed(canvas.pixels, QImage.Format.Format_ARGB32_Premultiplied)

    def picture(self, key: int) -> QImage:
        """Return a single picture."""
        self._learn([key])
        return self._drawn[key]

    def _learn(self, keys: list[int]) -> None:
        with self._lock:
            new = sorted(set(keys) - self._places.keys())
            if not new:
                return
            first = len(self._pictures)
            self._drawn |= {key: self._draw(key) for key in new}
            pixels = np.stack([self._pixels(self._drawn[key]) for key in new])
            self._pictures = np.concatenate([self._pictures, pixels])
            # Last, so that other threads that find its position find the picture too.
            self._places |= {key: first + number for number, key in enumerate(new)}

    def _pixels(self, image: QImage) -> NDArray[np.uint32]:
        image = image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
        data = image.constBits()
        assert data is not None  # noqa: S101 - the picture is not empty
        raw = np.frombuffer(data.asstring(image.sizeInBytes()), np.uint32)
        return raw.reshape(self._height, -1)[:, : self._width]
