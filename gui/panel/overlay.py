"""Windows over the user's own that take no input: every click and key reaches what is below."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QObject, QRect, Qt, QTimer
from PyQt6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PyQt6.QtWidgets import QWidget

from bot.frame import Region
from gui.panel.marks import CHOSEN, ON_PROOF
from gui.panel.placement import logical
from vision.desktop import desktop

OUTLINE: Final = "Outline of the chosen board"
"""The title of the windows of an outline."""
_WIDTH: Final = 5
"""Width of an outline's bars in points, less than the margin of one cell around each board."""


class Overlay(QWidget):
    """A window above all others without input, focus and frame.

    Args:
        name: Its title, and its name for screen readers.
    """

    def __init__(self, name: str) -> None:
        kind = Qt.WindowType
        super().__init__(
            None,
            kind.Tool
            | kind.FramelessWindowHint
            | kind.WindowStaysOnTopHint
            | kind.WindowTransparentForInput
            | kind.WindowDoesNotAcceptFocus
            | kind.BypassWindowManagerHint,
        )
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.setWindowTitle(name)
        self.setAccessibleName(name)


class _Bar(Overlay):
    """A side of an outline."""

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Paint the bar with a light rim, visible on any background."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), ON_PROOF)
        painter.fillRect(self.rect().adjusted(1, 1, -1, -1), CHOSEN)
        painter.end()


class Outline(QObject):
    """An outline that is shown for a moment around a board on the screen.

    It consists of four windows around the board, so that no capture of the board contains them.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bars: tuple[_Bar, ...] = ()
        self._clock = QTimer(self)
        self._clock.setSingleShot(True)
        self._clock.setInterval(1200)
        self._clock.timeout.connect(self.hide)

    def show_around(self, region: Region) -> None:
        """Show it around a region of the desktop in points, inside the screen."""
        if not desktop().overlays:
            return
        inner = logical(region)
        screen = QGuiApplication.screenAt(inner.center()) or QGuiApplication.primaryScreen()
        around = inner.adjusted(-_WIDTH, -_WIDTH, _WIDTH, _WIDTH)
        outer = around.intersected(screen.geometry()) if screen is not None else around
        if not self._bars:
            self._bars = tuple(_Bar(OUTLINE) for _ in range(4))
        places = (
            QRect(outer.left(), outer.top(), outer.width(), _WIDTH),
            QRect(outer.left(), outer.bottom() + 1 - _WIDTH, outer.width(), _WIDTH),
            QRect(outer.left(), outer.top(), _WIDTH, outer.height()),
            QRect(outer.right() + 1 - _WIDTH, outer.top(), _WIDTH, outer.height()),
        )
        for bar, place in zip(self._bars, places, strict=True):
            bar.setGeometry(place)
            bar.show()
            bar.raise_()
        self._clock.start()

    def hide(self) -> None:
        """Hide it."""
        self._clock.stop()
        for bar in self._bars:
            bar.hide()
