"""An enlarged tile, or its neighbourhood with the tile in a frame."""

from __future__ import annotations

from typing import Final

import numpy as np
from PyQt6.QtCore import QRectF, QSize, Qt
from PyQt6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen
from PyQt6.QtWidgets import QSizePolicy, QWidget

from bot.frame import Region
from gui.images import to_qimage
from gui.panel.theme import LIGHT, Theme

LARGEST: Final = 162
"""Size in points of the enlarged tile with the line around it."""
_SMALLEST: Final = 72
_FRAME: Final = "#ffe14d"
"""The frame's colour: no program draws such a grid."""


class TileView(QWidget):
    """A view of a tile with square, unblurred pixels."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture: QImage | None = None
        self._framed: Region | None = None
        self._theme = LIGHT
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.setMinimumHeight(_SMALLEST)
        self.setMaximumHeight(LARGEST)

    def show_tile(self, picture: np.ndarray, framed: Region | None = None) -> None:
        """Show a picture, (h, w, 3) uint8 BGR.

        Args:
            picture: A tile, or several.
            framed: The region to frame, in pixels.
        """
        self._picture, self._framed = to_qimage(picture), framed
        high, wide = picture.shape[:2]
        self.setMaximumHeight(LARGEST if framed is None else min(LARGEST, LARGEST * high // wide))
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Choose the colours."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Return a square size."""
        return QSize(LARGEST, LARGEST)

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Paint the tile and a line around it."""
        painter = QPainter(self)
        if self._picture is not None:
            place = self.place()
            painter.fillRect(place.adjusted(-1, -1, 1, 1), QColor(self._theme.border))
            smooth = self._framed is not None or self._shrunk(place)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
            painter.drawImage(place, self._picture)
            if self._framed is not None:
                self._paint_frame(painter, place, self._framed)
        painter.end()

    def _shrunk(self, place: QRectF) -> bool:
        """Return whether the picture is shown at a reduced size."""
        picture = self._picture
        return picture is not None and place.width() * self.devicePixelRatioF() < picture.width()

    def _paint_frame(self, painter: QPainter, place: QRectF, framed: Region) -> None:
        """Paint a frame around a region, light inside dark, visible on any background."""
        if self._picture is None:
            return
        factor = place.width() / self._picture.width()
        tile = QRectF(framed.left, framed.top, framed.width, framed.height)
        meant = QRectF(tile.topLeft() * factor, tile.size() * factor).translated(place.topLeft())
        for grown, color in ((2.5, "#000000"), (1.0, _FRAME)):
            painter.setPen(QPen(QColor(color), 2, join=Qt.PenJoinStyle.MiterJoin))
            painter.drawRect(meant.adjusted(-grown, -grown, grown, grown))

    def place(self) -> QRectF:
        """Return where the picture is drawn, in points; a tile is scaled by a whole factor.

        A neighbourhood fills the space, as it shows the tile's position, not its details.
        """
        if self._picture is None:
            return QRectF()
        ratio, size = self.devicePixelRatioF(), self._picture.size()
        # One point on each side is for the line.
        room = QSize(round((self.width() - 2) * ratio), round((self.height() - 2) * ratio))
        factor = min(room.width() // size.width(), room.height() // size.height())
        whole = factor and self._framed is None
        shown = size * factor if whole else size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
        left, top = round(ratio), round(ratio)
        return QRectF(left / ratio, top / ratio, shown.width() / ratio, shown.height() / ratio)
