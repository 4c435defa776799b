"""A Minesweeper of the family with Qt: `python -m tests.support.family.qt OPTIONS [SEED]`."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable

from PyQt6.QtCore import QPointF, QRectF, Qt, QTimer
from PyQt6.QtGui import (
    QColor,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QMoveEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PyQt6.QtWidgets import QApplication, QMessageBox, QWidget

from tests.support.family.art import Shape
from tests.support.family.options import Options
from tests.support.family.play import Play

_BUTTONS = {
    Qt.MouseButton.LeftButton: "left",
    Qt.MouseButton.MiddleButton: "middle",
    Qt.MouseButton.RightButton: "right",
}


class Window(QWidget):
    """The main window."""

    def __init__(self, options: Options, seed: int | None) -> None:
        super().__init__()
        self.setWindowTitle("Minefield")
        self._play = Play(options, self, seed)
        self.setFixedSize(self._play.width, self._play.height)
        self._play.begin()

    def repaint(self) -> None:
        """See `Shell`."""
        self.update()

    def after(self, milliseconds: int, call: Callable[[], None]) -> None:
        """See `Shell`."""
        QTimer.singleShot(milliseconds, call)

    def show_dialog(self, text: str, button: str, closed: Callable[[], None]) -> None:
        """See `Shell`."""
        box = QMessageBox(self)
        box.setWindowTitle("Game over")
        box.setText(text)
        box.addButton(button, QMessageBox.ButtonRole.AcceptRole)
        box.finished.connect(closed)
        box.open()

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Pass a press on."""
        self._pass_on(self._play.press, event)

    def mouseDoubleClickEvent(self, event: QMouseEvent | None) -> None:
        """Pass the second press of a double click on."""
        self._pass_on(self._play.press, event)

    def mouseReleaseEvent(self, event: QMouseEvent | None) -> None:
        """Pass a release on."""
        self._pass_on(self._play.release, event)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Pass a key on."""
        assert event
        self._play.key("F2" if event.key() == Qt.Key.Key_F2 else event.text() or str(event.key()))

    def _pass_on(
        self, handle: Callable[[str, float, float, float], None], event: QMouseEvent | None
    ) -> None:
        assert event
        at = event.position()
        if event.button() in _BUTTONS:
            handle(_BUTTONS[event.button()], at.x(), at.y(), event.timestamp())

    def moveEvent(self, _event: QMoveEvent | None) -> None:
        """Report the new position."""
        QTimer.singleShot(0, self._placed)

    def _placed(self) -> None:
        if self.isVisible():
            at = self.mapToGlobal(QPointF(0, 0))
            self._play.report_ready(at.x(), at.y())

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Paint the shapes."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._play.ground))
        paint(painter, self._play.shapes())
        painter.end()
        QTimer.singleShot(0, self._placed)


def paint(painter: QPainter, shapes: Iterable[Shape]) -> None:
    """Paint shapes, with smooth edges."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for kind, name, *rest in shapes:
        colour = QColor(name)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        if kind == "poly":
            painter.drawPolygon(QPolygonF(map(QPointF, rest[::2], rest[1::2])))
        elif kind == "oval":
            painter.drawEllipse(QRectF(*rest))
        elif kind == "line":
            width, *places = rest
            painter.setPen(QPen(colour, width))
            painter.drawLine(QPointF(*places[:2]), QPointF(*places[2:]))
        else:
            size, family, bold, x, y, text = rest
            font = QFont(family)
            font.setPixelSize(round(size))
            font.setBold(bold)
            painter.setFont(font)
            painter.setPen(colour)
            middle = QRectF(x - 200, y - 50, 400, 100)
            painter.drawText(middle, Qt.AlignmentFlag.AlignCenter, text)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    application = QApplication(["minefield"])
    window = Window(Options.parse(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else None)
    window.move(120, 90)
    window.show()
    sys.exit(application.exec())
