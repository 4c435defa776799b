"""Pictures laid out at once are where they would be if drawn one by one."""

from __future__ import annotations

import numpy as np
from PyQt6.QtGui import QColor, QImage, QPainter

from gui.tile_sheet import NOTHING, TileSheet, blank
from tests.images import to_array


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
    assert np.array_equal(to_array(sheet.laid_out(keys)), to_array(expected))


def test_nothing_is_transparent() -> None:
    """What is below shows."""
    image = TileSheet(drawn, 3, 2).laid_out(np.array([[NOTHING, 3]]))
    assert image.pixelColor(1, 1).alpha() == 0
    assert image.pixelColor(4, 1).alpha() == 255


def test_a_picture_is_drawn_once() -> None:
    """The second board of the same tiles costs no drawing."""
    asked: list[int] = []

    def draw(key: int) -> QImage:
        asked.append(key)
        return drawn(key)

    sheet = TileSheet(draw, 3, 2)
    for _ in range(3):
        sheet.laid_out(np.array([[4, 5], [5, 4]]))
    assert sorted(asked) == [4, 5]
