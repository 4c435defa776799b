"""Many equal pictures laid out at once, as the cells of a board.

To copy some hundred small pictures one by one keeps the interpreter busy for milliseconds,
in which nobody else plays; numpy lays them out in one step.
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
    """A transparent picture, at least a pixel large."""
    image = QImage(max(width, 1), max(height, 1), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    return image


class Mosaic:
    """Pictures of one size, each drawn once; may be used from several threads.

    Args:
        draw: Draws the picture of a key: all of the size below.
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

    def laid_out(self, keys: NDArray[np.int64]) -> QImage:
        """The picture of a whole board.

        Args:
            keys: (rows, cols): which picture is where.
        """
        rows, cols = keys.shape
        found, inverse = np.unique(keys, return_inverse=True)
        self._learn(found.tolist())
        places = np.array([self._places[key] for key in found.tolist()])
        cells = self._pictures[places[inverse.reshape(rows, cols)]]
        whole = cells.transpose(0, 2, 1, 3).reshape(rows * self._height, cols * self._width)
        return Borrowed(whole, QImage.Format.Format_ARGB32_Premultiplied)

    def picture(self, key: int) -> QImage:
        """One of the pictures alone."""
        self._learn([key])
        return self._drawn[key]

    def _learn(self, keys: list[int]) -> None:
        with self._lock:
            new = [key for key in keys if key not in self._places]
            if not new:
                return
            first = len(self._pictures)
            self._drawn |= {key: self._draw(key) for key in new}
            pixels = np.stack([self._pixels(self._drawn[key]) for key in new])
            self._pictures = np.concatenate([self._pictures, pixels])
            # Last: whoever finds a place there finds the picture as well.
            self._places |= {key: first + number for number, key in enumerate(new)}

    def _pixels(self, image: QImage) -> NDArray[np.uint32]:
        image = image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
        data = image.constBits()
        assert data is not None  # noqa: S101 - the picture is not empty
        raw = np.frombuffer(data.asstring(image.sizeInBytes()), np.uint32)
        return raw.reshape(self._height, -1)[:, : self._width]
