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
