"""The enlarged tile pictures of a skin with their labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QRectF, QSize, Qt
from PyQt6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PyQt6.QtWidgets import QSizePolicy, QWidget

from gui.images import to_qimage
from gui.panel.theme import SPACE, current_theme

SIDE: Final = 52
"""Size of a picture in points."""
_WIDE: Final = 84
"""Width in points of a picture with its label."""


class TileSheet(QWidget):
    """A sheet of labelled pictures in rows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tiles: list[tuple[QImage, str]] = []
        self.setAccessibleName("Tiles")
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_tiles(self, tiles: Sequence[tuple[NDArray[np.uint8], str]]) -> None:
        """Show pictures, (h, w, 3) uint8 BGR, with their labels."""
        self._tiles = [(to_qimage(picture), words) for picture, words in tiles]
        self.setAccessibleDescription(", ".join(words for _, words in tiles))
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        """Return True: a narrow sheet is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all rows."""
        rows = -(-len(self._tiles) // self._across(width))
        return rows * self._high()

    def sizeHint(self) -> QSize:
        """Return the size with five pictures per row."""
        return QSize(5 * _WIDE, self.heightForWidth(5 * _WIDE))

    def minimumSizeHint(self) -> QSize:
        """Return the size with two pictures per row, with all rows at this width."""
        return QSize(2 * _WIDE, self.heightForWidth(max(self.width(), 2 * _WIDE)))

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Paint every picture in a frame, with its label below."""
        painter = QPainter(self)
        across, high = self._across(self.width()), self._high()
        for number, (picture, words) in enumerate(self._tiles):
            row, col = divmod(number, across)
            place = QRectF(col * _WIDE + (_WIDE - SIDE) / 2, row * high + 1, SIDE, SIDE)
            painter.fillRect(place.adjusted(-1, -1, 1, 1), QColor(current_theme().border))
            smooth = picture.width() > SIDE * self.devicePixelRatioF()
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
            painter.drawImage(place, picture)
            painter.setPen(QColor(current_theme().text))
            below = QRectF(col * _WIDE, place.bottom() + 2, _WIDE, high - SIDE - 4)
            flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
            painter.drawText(below, flags | Qt.TextFlag.TextWordWrap, words)
        painter.end()

    def _across(self, width: int) -> int:
        return max(1, width // _WIDE)

    def _high(self) -> int:
        return SIDE + 2 * self.fontMetrics().lineSpacing() + SPACE
