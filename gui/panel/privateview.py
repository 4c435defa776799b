"""Live views of the private screen: a small picture and a window with a large one."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QRect, QSize, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PyQt6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.panel.theme import SPACE
from gui.panel.widgets import ElidedLabel, explanation

LOOK_EVERY: Final = 200
"""Milliseconds between pictures."""
_NARROW: Final = 200
"""Width in points; the list beside it determines the actual width."""


class LiveView(QWidget):
    """A live picture, scaled to the available space with its aspect ratio.

    Signals:
        enlarged(): It was clicked, or Enter was pressed on it.
    """

    enlarged = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture = QImage()
        self._clock = QTimer(self)
        self._clock.setInterval(LOOK_EVERY)
        self._clock.timeout.connect(self.update)
        self.setAccessibleName("The private screen, live")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_picture(self, picture: QImage) -> None:
        """Show a picture whose content changes by itself; a null one for nothing."""
        self._picture = picture
        if picture.isNull():
            self._clock.stop()
        else:
            self._clock.start()
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the smallest width, in the picture's aspect ratio."""
        return QSize(_NARROW, self.heightForWidth(_NARROW))

    def heightForWidth(self, width: int) -> int:
        """Return the height in the picture's aspect ratio."""
        shape = self._picture.size()
        return width * shape.height() // shape.width() if shape.width() else 0

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Paint the picture, scaled down smoothly or up by whole pixels."""
        painter = QPainter(self)
        if self._picture.isNull():
            return
        ratio = self.devicePixelRatioF()
        room = QSize(round(self.width() * ratio), round(self.height() * ratio))
        scaled = self._picture.scaled(
            room, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        scaled.setDevicePixelRatio(ratio)
        size = QSize(round(scaled.width() / ratio), round(scaled.height() / ratio))
        target = QRect(0, 0, size.width(), size.height())
        target.moveCenter(self.rect().center())
        painter.drawImage(target.topLeft(), scaled)
        if self.hasFocus():
            painter.setPen(self.palette().highlight().color())
            painter.drawRect(target.adjusted(0, 0, -1, -1))

    def mouseReleaseEvent(self, _event: QMouseEvent | None) -> None:
        """Emit `enlarged` on a click."""
        self.enlarged.emit()

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Emit `enlarged` on Enter."""
        if event is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.enlarged.emit()
        else:
            super().keyPressEvent(event)


class PrivateBox(QFrame):
    """A box for the private screen: its name, its picture, and a button that ends it.

    Signals:
        closed(): The user ends the game.
    """

    closed = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self.heading = ElidedLabel("Game on the private screen")
        self.heading.setProperty("heading", True)
        self.close_game = QPushButton("End")
        self.close_game.setAccessibleName("End the game on the private screen")
        self.close_game.setToolTip("End this game and its screen")
        self.view, self.words = LiveView(), explanation("About the private screen")
        self.view.setToolTip("Your mouse is not on this screen. Click to see it larger")
        self._large: LiveView | None = None
        self._picture = QImage()
        top = QHBoxLayout()
        top.addWidget(self.heading, 1)
        top.addWidget(self.close_game)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[SPACE] * 4)
        column.setSpacing(SPACE)
        column.addLayout(top)
        column.addWidget(self.view)
        column.addWidget(self.words)
        self.close_game.clicked.connect(self.closed)
        self.view.enlarged.connect(self._enlarge)
        self.hide()

    def show_game(self, name: str, picture: QImage) -> None:
        """Show a game's screen."""
        self._picture = picture
        self.heading.setText(name)
        self.view.show_picture(picture)
        self.view.setVisible(not picture.isNull())
        self.show()

    def tell(self, words: str) -> None:
        """Show a message about it; nothing if empty."""
        self.words.setText(words)
        self.words.setVisible(bool(words))

    def forget(self) -> None:
        """Hide the box's screen after the game has ended."""
        self._picture = QImage()
        self.view.show_picture(self._picture)
        self.view.hide()
        self._shrink()

    def _enlarge(self) -> None:
        self._shrink()
        large = LiveView()
        large.setWindowTitle(f"{self.heading.text()} on a private screen")
        large.show_picture(self._picture)
        large.resize(self._picture.size())
        large.show()
        self._large = large

    def _shrink(self) -> None:
        if self._large is not None:
            self._large.close()
            self._large = None
