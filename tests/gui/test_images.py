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


@pytest.mark.parametrize(("height", "width"), [(1, 1), (3, 5), (7, 2), (480, 30), (64, 641)])
def test_there_and_back(height: int, width: int) -> None:
    """Any width round-trips, those whose rows Qt pads included."""
    image = picture(height, width)
    shown = to_qimage(image)
    assert np.array_equal(from_qimage(shown), image)
    last = shown.pixelColor(width - 1, height - 1)
    assert [last.blue(), last.green(), last.red()] == image[-1, -1].tolist()


def test_blue_comes_first() -> None:
    """The first channel is blue."""
    image = to_qimage(np.array([[[255, 128, 0]]], np.uint8))
    assert image.pixelColor(0, 0) == QColor(0, 128, 255)


def test_sliced_arrays_are_fine() -> None:
    """A region of a frame, a flipped and a read-only picture."""
    frame = picture(50, 60)
    frame.flags.writeable = False
    for part in (frame[10:20, 5:18], frame[::-1], frame[:, ::2], frame[:, :, ::-1]):
        assert np.array_equal(from_qimage(to_qimage(part)), part)


def test_the_memory_is_its_own() -> None:
    """Changing the array afterwards changes nothing in the picture, and the other way round."""
    array = picture(4, 4)
    before = array.copy()
    image = to_qimage(array)
    array[:] = 0
    assert np.array_equal(from_qimage(image), before)
    back = from_qimage(image)
    image.fill(0)
    assert np.array_equal(back, before)


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((4, 4), np.uint8),
        np.zeros((4, 4, 4), np.uint8),
        np.zeros((4, 4, 3), np.float32),
        np.zeros((0, 4, 3), np.uint8),
    ],
)
def test_other_shapes_are_refused(array: np.ndarray) -> None:
    """Grey, with alpha, of floats, empty: an error that says what came."""
    with pytest.raises(ValueError, match="uint8"):
        to_qimage(array)


def test_pictures_of_qt_in_other_formats() -> None:
    """A picture with alpha or with 32 bits a pixel loses nothing but the alpha."""
    image = QImage(5, 3, QImage.Format.Format_ARGB32)
    image.fill(QColor(10, 20, 30))
    assert from_qimage(image).reshape(-1, 3).tolist() == [[30, 20, 10]] * 15


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
