"""The buttons' icons, drawn as shapes to fit every scale and theme."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QFont, QIcon, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from gui.panel.theme import current_theme

_SIZE: Final = 64
"""Size in pixels at which an icon is drawn; Qt scales it down for a button."""


def _play(path: QPainterPath) -> None:
    path.addPolygon(QPolygonF([QPointF(16, 8), QPointF(56, 32), QPointF(16, 56)]))


def _pause(path: QPainterPath) -> None:
    path.addRoundedRect(QRectF(12, 8, 15, 48), 3, 3)
    path.addRoundedRect(QRectF(37, 8, 15, 48), 3, 3)


def _step(path: QPainterPath) -> None:
    path.addPolygon(QPolygonF([QPointF(8, 8), QPointF(42, 32), QPointF(8, 56)]))
    path.addRoundedRect(QRectF(45, 8, 11, 48), 3, 3)


def _previous(path: QPainterPath) -> None:
    path.addPolygon(QPolygonF([QPointF(56, 8), QPointF(22, 32), QPointF(56, 56)]))
    path.addRoundedRect(QRectF(8, 8, 11, 48), 3, 3)


def _first(path: QPainterPath) -> None:
    path.addRoundedRect(QRectF(5, 8, 9, 48), 3, 3)
    for x in (14, 36):
        path.addPolygon(QPolygonF([QPointF(x + 22, 10), QPointF(x, 32), QPointF(x + 22, 54)]))


def _last(path: QPainterPath) -> None:
    path.addRoundedRect(QRectF(50, 8, 9, 48), 3, 3)
    for x in (6, 28):
        path.addPolygon(QPolygonF([QPointF(x, 10), QPointF(x + 22, 32), QPointF(x, 54)]))


def _stop(path: QPainterPath) -> None:
    path.addRoundedRect(QRectF(11, 11, 42, 42), 5, 5)


def _history(path: QPainterPath) -> None:
    for number, height in enumerate((22, 36, 16, 46)):
        path.addRoundedRect(QRectF(8 + 13 * number, 56 - height, 9, height), 2, 2)


def _analyse(path: QPainterPath) -> None:
    for radius in (22, 15):
        path.addEllipse(QPointF(26, 26), radius, radius)
    path.addPolygon(QPolygonF(QPointF(x, y) for x, y in ((45, 38), (60, 53), (53, 60), (38, 45))))


def _practice(path: QPainterPath) -> None:
    for radius in (27, 19, 11, 4):
        path.addEllipse(QPointF(32, 32), radius, radius)


def _games(path: QPainterPath) -> None:
    path.addRoundedRect(QRectF(6, 8, 52, 34), 5, 5)
    path.addPolygon(QPolygonF([QPointF(25, 15), QPointF(43, 25), QPointF(25, 35)]))
    path.addRoundedRect(QRectF(6, 50, 52, 5), 2, 2)
    path.addEllipse(QPointF(26, 52.5), 6, 6)


def _lab(path: QPainterPath) -> None:
    path.addPolygon(
        QPolygonF(
            QPointF(x, y)
            for x, y in (
                (25, 8),
                (39, 8),
                (39, 26),
                (54, 52),
                (50, 57),
                (14, 57),
                (10, 52),
                (25, 26),
            )
        )
    )
    path.addRect(QRectF(21, 5, 22, 6))


def _skins(path: QPainterPath) -> None:
    for x in (8, 34):
        for y in (8, 34):
            path.addRoundedRect(QRectF(x, y, 22, 22), 4, 4)


def _settings(path: QPainterPath) -> None:
    for y, knob in ((14, 42), (32, 20), (50, 36)):
        path.addRoundedRect(QRectF(6, y - 2.5, 52, 5), 2, 2)
        path.addEllipse(QPointF(knob, y), 8, 8)


def _assist(path: QPainterPath) -> None:
    path.moveTo(QPointF(4, 32))
    path.quadTo(QPointF(32, 2), QPointF(60, 32))
    path.quadTo(QPointF(32, 62), QPointF(4, 32))
    path.addEllipse(QPointF(32, 32), 14, 14)
    path.addEllipse(QPointF(32, 32), 7, 7)


def _help(path: QPainterPath) -> None:
    font = QFont()
    font.setPixelSize(50)
    font.setBold(True)
    path.addEllipse(QPointF(32, 32), 26, 26)
    letter = QPainterPath()
    letter.addText(0, 0, font, "?")
    path.addPath(letter.translated(QPointF(32, 32) - letter.boundingRect().center()))


_FILLED: Final[dict[str, Callable[[QPainterPath], None]]] = {
    "pause": _pause,
    "step": _step,
    "assist": _assist,
    "stop": _stop,
    "first": _first,
    "previous": _previous,
    "last": _last,
    "play": _play,
    "analyse": _analyse,
    "practice": _practice,
    "games": _games,
    "history": _history,
    "lab": _lab,
    "skins": _skins,
    "settings": _settings,
    "help": _help,
}


def icon(name: str, *, on_accent: bool = False) -> QIcon:
    """Return an icon in the current theme's colours.

    Args:
        name: play, pause, step, stop, assist, first, previous, last, refresh, sidebar, or a page's.
        on_accent: For a button that has the accent colour.
    """
    made, theme = QIcon(), current_theme()
    color = theme.accent_text if on_accent else theme.text
    made.addPixmap(_drawn(name, QColor(color)), QIcon.Mode.Normal)
    made.addPixmap(_drawn(name, QColor(theme.border)), QIcon.Mode.Disabled)
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
