"""Convert pictures of widgets from Qt to numpy, for tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtGui import QImage


def to_array(image: QImage) -> NDArray[np.uint8]:
    """Return (H, W, 3) uint8 BGR, a copy; transparency is dropped."""
    rows = image.convertToFormat(QImage.Format.Format_BGR888)
    memory = rows.constBits()
    assert memory is not None, "the picture is empty"
    memory.setsize(rows.sizeInBytes())
    padded = np.frombuffer(memory.asstring(), np.uint8).reshape(rows.height(), rows.bytesPerLine())
    return padded[:, : 3 * rows.width()].reshape(rows.height(), rows.width(), 3).copy()
