"""Pictures from numpy to Qt: copied, so that neither side can pull memory from under the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtGui import QImage


def to_qimage(image: NDArray[np.uint8]) -> QImage:
    """A QImage of its own memory.

    Args:
        image: (H, W, 3) uint8 BGR; sliced, flipped or read-only arrays are fine.

    Raises:
        ValueError: Another shape or type.
    """
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3 or image.size == 0:
        raise ValueError(f"a picture is (H, W, 3) uint8, not {image.shape} {image.dtype}")
    rows = np.ascontiguousarray(image)
    height, width = rows.shape[:2]
    borrowed = QImage(rows.tobytes(), width, height, 3 * width, QImage.Format.Format_BGR888)
    return borrowed.copy()


def from_qimage(image: QImage) -> NDArray[np.uint8]:
    """The pixels (H, W, 3) uint8 BGR of a QImage; transparency is dropped.

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
