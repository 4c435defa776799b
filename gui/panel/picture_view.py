"""A view of a picture, with frames around parts of it."""

from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtCore import QPointF, QRectF, QSizeF, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent
from PyQt6.QtWidgets import QWidget

from gui.panel.marks import paint_frame
from gui.panel.theme import current_theme


class PictureView(QWidget):
    """A picture as large as fits, at the top, with a line around it.

    Args:
        name: For screen readers.

    Signals:
        clicked(QPointF): A point was clicked, in pixels of the picture.
    """

    clicked = pyqtSignal(QPointF)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.picture = QImage()
        """The picture; null for none."""
        self._frames: Sequence[QRectF] = ()
        self.setAccessibleName(name)

    def show_picture(self, picture: QImage, frames: Sequence[QRectF] = ()) -> None:
        """Show a picture, and frames around parts of it, in its pixels."""
        self.picture, self._frames = picture, frames
        self.update()

    def factor(self, largest: float) -> float:
        """Return the pixels of the screen per pixel of the picture, of which this many fit."""
        return largest

    def place(self) -> QRectF:
        """Return where the picture is drawn, in points."""
        if self.picture.isNull():
            return QRectF()
        ratio, size = self.devicePixelRatioF(), self.picture.size().toSizeF()
        # One point on each side is for the line.
        room = (self.size().toSizeF() - QSizeF(2, 2)) * ratio
        factor = self.factor(min(room.width() / size.width(), room.height() / size.height()))
        shown = size * (factor / ratio)
        left = 1 + round((room.width() / ratio - shown.width()) / 2 * ratio) / ratio
        return QRectF(QPointF(left, 1), shown)

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Paint the picture and its frames."""
        place = self.place()
        if place.isEmpty():
            return
        factor, image = place.width() / self.picture.width(), self.picture
        with QPainter(self) as painter:
            line = current_theme().accent if self.hasFocus() else current_theme().border
            painter.fillRect(place.adjusted(-1, -1, 1, 1), QColor(line))
            pixels = factor * self.devicePixelRatioF()
            if pixels < 1:
                size = (place.size() * self.devicePixelRatioF()).toSize()
                smooth = Qt.TransformationMode.SmoothTransformation
                image = image.scaled(size, transformMode=smooth)
            # Enlarged by a whole factor, the pixels stay squares.
            whole = pixels == round(pixels)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not whole)
            painter.drawImage(place, image)
            for number, part in enumerate(self._frames):
                frame = QRectF(part.topLeft() * factor, part.size() * factor)
                self.paint_frame(painter, frame.translated(place.topLeft()), number)

    def paint_frame(self, painter: QPainter, frame: QRectF, _number: int) -> None:
        """Paint the frame of this number."""
        paint_frame(painter, frame)

    def mouseReleaseEvent(self, event: QMouseEvent | None) -> None:
        """Emit the clicked point of the picture."""
        place = self.place()
        left = event is not None and event.button() == Qt.MouseButton.LeftButton
        if event is not None and left and place.contains(event.position()):
            at = event.position() - place.topLeft()
            self.clicked.emit(at * (self.picture.width() / place.width()))
