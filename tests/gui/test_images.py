"""Pictures between numpy and Qt, and pictures laid out at once."""

from __future__ import annotations

import numpy as np
import pytest
from PyQt6.QtGui import QColor, QImage, QPainter

from gui.images import from_qimage, to_qimage
from gui.tile_sheet import NOTHING, TileSheet, blank


def picture(height: int, width: int) -> np.ndarray:
    """Noise: any mix-up of rows, columns or channels shows."""
    return np.random.default_rng(1).integers(0, 256, (height, width, 3), np.uint8)


@pytest.mark.parametrize(("height", "width"), [(1, 1), (7, 2), (64, 641)])
def test_a_picture_is_the_same_in_qt(height: int, width: int) -> None:
    """Blue first, also with padded rows, and if the array is a part or changed afterwards.

    An array that is grey, has alpha or is empty is refused.
    """
    image = picture(height, width)
    for part in (image, image[::-1], image[:, ::2], image[:, :, ::-1]):
        assert np.array_equal(from_qimage(to_qimage(part)), part)
    shown, last = to_qimage(image), image[-1, -1].tolist()
    image[:] = 0
    corner = shown.pixelColor(width - 1, height - 1)
    assert [corner.blue(), corner.green(), corner.red()] == last
    for shape in ((4, 4), (4, 4, 4), (0, 4, 3)):
        with pytest.raises(ValueError, match="uint8"):
            to_qimage(np.zeros(shape, np.uint8))


def drawn(key: int) -> QImage:
    """A picture of 3 x 2 pixels, another one for every key."""
    image = QImage(3, 2, QImage.Format.Format_RGB32)
    image.fill(QColor(10 * key, 200, 0))
    image.setPixelColor(0, 1, QColor(0, 0, 10 * key))
    return image


def test_every_picture_is_in_its_place() -> None:
    """Held against the same pictures drawn by Qt one after the other."""
    keys = np.array([[1, 2, NOTHING], [7, 1, 2]])
    sheet = TileSheet(drawn, 3, 2)
    sheet.laid_out(np.array([[2]]))
    expected = blank(9, 4)
    painter = QPainter(expected)
    for (row, col), key in np.ndenumerate(keys):
        if key != NOTHING:
            painter.drawImage(3 * col, 2 * row, drawn(key))
    painter.end()
    assert np.array_equal(from_qimage(sheet.laid_out(keys)), from_qimage(expected))
