"""Conversion of pictures between numpy and Qt by copying, so that no memory is shared."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtGui import QImage
from PyQt6.sip import voidptr


class Borrowed(QImage):
    """A picture in an array's own memory, which it keeps alive.

    Args:
        pixels: (H, W) or (H, W, channels), contiguous; must not be changed any more.
        kind: The pixel format.
    """

    def __init__(self, pixels: NDArray[Any], kind: QImage.Format) -> None:
        height, width = pixels.shape[:2]
        memory: Any = voidptr(pixels.ctypes.data)
        super().__init__(memory, width, height, pixels.strides[0], kind)
        self._pixels = pixels


def to_qimage(image: NDArray[np.uint8]) -> QImage:
    """Return a QImage with its own memory.

    Args:
        image: (H, W, 3) uint8 BGR; sliced, flipped or read-only arrays are allowed.

    Raises:
        ValueError: Another shape or type.
    """
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3 or image.size == 0:
        raise ValueError(f"a picture is (H, W, 3) uint8, not {image.shape} {image.dtype}")
    rows = np.ascontiguousarray(image)
    # Copied, in the format that a painter draws fastest.
    return Borrowed(rows, QImage.Format.Format_BGR888).convertToFormat(QImage.Format.Format_RGB32)


def from_qimage(image: QImage) -> NDArray[np.uint8]:
    """Return the pixels (H, W, 3) uint8 BGR of a QImage; transparency is dropped.

    Raises:
        ValueError: It is empty.
    """
    if image.isNull():
        raise ValueError("the picture is empty")
    flat = image.convertToFormat(QImage.Format.Format_RGB32)
    data = flat.constBits()
    assert data is not None  # noqa: S101 - the picture is not empty
    raw: NDArray[np.uint8] = np.frombuffer(data.asstring(flat.sizeInBytes()), np.uint8)
    rows = raw.reshape(flat.height(), flat.bytesPerLine() // 4, 4)
    return np.ascontiguousarray(rows[:, : flat.width(), :3])
