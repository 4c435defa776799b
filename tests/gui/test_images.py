"""Pictures between numpy and Qt."""

from __future__ import annotations

import numpy as np
import pytest
from PyQt6.QtGui import QColor, QImage

from gui.images import to_qimage
from tests.support.images import to_array


def picture(height: int, width: int) -> np.ndarray:
    """Noise: any mix-up of rows, columns or channels shows."""
    return np.random.default_rng(1).integers(0, 256, (height, width, 3), np.uint8)


@pytest.mark.parametrize(("height", "width"), [(1, 1), (3, 5), (7, 2), (480, 30), (64, 641)])
def test_there_and_back(height: int, width: int) -> None:
    """Any width round-trips, those whose rows Qt pads included."""
    image = picture(height, width)
    assert np.array_equal(to_array(to_qimage(image)), image)


def test_blue_comes_first() -> None:
    """The first channel is blue."""
    image = to_qimage(np.array([[[255, 128, 0]]], np.uint8))
    assert image.pixelColor(0, 0) == QColor(0, 128, 255)


def test_sliced_arrays_are_fine() -> None:
    """A region of a frame, a flipped and a read-only picture."""
    frame = picture(50, 60)
    frame.flags.writeable = False
    for part in (frame[10:20, 5:18], frame[::-1], frame[:, ::2], frame[:, :, ::-1]):
        assert np.array_equal(to_array(to_qimage(part)), part)


def test_the_memory_is_its_own() -> None:
    """Changing the array afterwards changes nothing in the picture, and the other way round."""
    array = picture(4, 4)
    before = array.copy()
    image = to_qimage(array)
    array[:] = 0
    assert np.array_equal(to_array(image), before)
    back = to_array(image)
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
    assert to_array(image).reshape(-1, 3).tolist() == [[30, 20, 10]] * 15
