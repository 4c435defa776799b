"""The few signs on the buttons, drawn as shapes so that they fit every scale and theme."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

_SIZE: Final = 64
"""Pixels that a sign is drawn at; Qt scales it down to what a button wants."""


def _play(path: QPainterPath) -> None:
    path.addPolygon(QPolygonF([QPointF(16, 8), QPointF(56, 32), QPointF(16, 56)]))


def _pause(path: QPainterPath) -> None:
    path.addRoundedRect(QRectF(12, 8, 15, 48), 3, 3)
    path.addRoundedRect(QRectF(37, 8, 15, 48), 3, 3)


def _step(path: QPainterPath) -> None:
    path.addPolygon(QPolygonF([QPointF(8, 8), QPointF(42, 32), QPointF(8, 56)]))
    path.addRoundedRect(QRectF(45, 8, 11, 48), 3, 3)


def _stop(path: QPainterPath) -> None:
    path.addRoundedRect(QRectF(11, 11, 42, 42), 5, 5)


_FILLED: Final[dict[str, Callable[[QPainterPath], None]]] = {
    "start": _play,
    "pause": _pause,
    "step": _step,
    "stop": _stop,
}


def icon(name: str, color: str, disabled: str) -> QIcon:
    """A sign in a colour.

    Args:
        name: start, pause, step, stop, refresh or sidebar.
        color: #rrggbb.
        disabled: #rrggbb, on a button that cannot be pressed.
    """
    made = QIcon()
    made.addPixmap(_drawn(name, QColor(color)), QIcon.Mode.Normal)
    made.addPixmap(_drawn(name, QColor(disabled)), QIcon.Mode.Disabled)
    return made


def _drawn(name: str, color: QColor) -> QPixmap:
    pixmap = QPixmap(_SIZE, _SIZE)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if name in _FILLED:
            path = QPainterPath()
            _FILLED[name](path)
            painter.fillPath(path, color)
            return pixmap
        painter.setPen(QPen(color, 6, cap=Qt.PenCapStyle.RoundCap))
        if name == "refresh":
            painter.drawArc(QRectF(12, 12, 40, 40), 60 * 16, 290 * 16)
            painter.setBrush(color)
            painter.drawPolygon(QPolygonF([QPointF(34, 6), QPointF(50, 14), QPointF(36, 24)]))
        else:
            painter.drawRoundedRect(QRectF(7, 10, 50, 44), 6, 6)
            painter.drawLine(QPointF(25, 10), QPointF(25, 54))
    return pixmap
