"""The private screen as it looks at this moment: a small picture, and a window to see it large."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QRect, QSize, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PyQt6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.panel.labels import ElidedLabel, explanation
from gui.panel.theme import SPACE

LOOK_EVERY: Final = 200
"""Milliseconds from one picture to the next."""
_NARROW: Final = 200
"""Points of width: the list beside it decides how wide it is."""


class LiveView(QWidget):
    """Paints a picture again and again, as large as there is room, in its own shape.

    Signals:
        enlarged(): It was clicked, or Enter pressed on it.
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
        """Show a picture that changes by itself; a null one for nothing."""
        self._picture = picture
        if picture.isNull():
            self._clock.stop()
        else:
            self._clock.start()
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """As narrow as may be, in the picture's shape."""
        return QSize(_NARROW, self.heightForWidth(_NARROW))

    def heightForWidth(self, width: int) -> int:
        """In the picture's shape."""
        shape = self._picture.size()
        return width * shape.height() // shape.width() if shape.width() else 0

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """The picture, scaled down evenly or up by whole pixels' likeness."""
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
        """A click enlarges it."""
        self.enlarged.emit()

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Enter, too."""
        if event is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.enlarged.emit()
        else:
            super().keyPressEvent(event)


class PrivateBox(QFrame):
    """The private screen's place beside the list: its name, its picture, and what ends it.

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
        self.view, self.words = LiveView(), explanation("What the private screen is about")
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
        """Say something about it; nothing for none."""
        self.words.setText(words)
        self.words.setVisible(bool(words))

    def forget(self) -> None:
        """There is no such screen any more."""
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
