"""A legend of the marks on the board."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PyQt6.QtCore import QRectF, QSize, Qt
from PyQt6.QtGui import QFontMetricsF, QLinearGradient, QPainter, QPaintEvent, QPalette, QPen
from PyQt6.QtWidgets import QWidget

from bot.board import UNREAD
from gui.looks import look_named
from gui.panel.boardview import BoardView
from gui.panel.marks import paint_chip, paint_evidence, paint_move, paint_unsure
from gui.panel.probabilitycolours import probability_color, text_on
from gui.panel.theme import SPACE

_MARKS: Final = ("0", "50", "100")
"""Percentages on the scale's bar."""
_GAP: Final = 4
"""Points between a symbol and its meaning; at the initial width all entries fit in one line."""
_DESCRIPTION: Final = (
    "Numbers are the probability of a mine in percent, light for low and dark for high. "
    "A tick marks a cell proved safe, a cross a proved mine, a ring the next moves, a dotted frame "
    "the cells that the reason names. A dashed frame marks a cell that was read with low "
    "confidence; its corner shows what was read."
)


class Legend(QWidget):
    """One line with the scale and each mark's meaning; more lines if it is narrow.

    Args:
        view: The board view with the marks; a rare mark is explained only while it is shown.
    """

    def __init__(self, view: BoardView | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._unsure = False
        if view is not None:
            view.changed.connect(lambda: self._show_unsure(view.unsure))
        self.setAccessibleName("Legend")
        self.setAccessibleDescription(_DESCRIPTION)
        self.setToolTip(_DESCRIPTION)
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        """Return True: a narrow legend is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all lines at a width."""
        return self._lay_out(None, width)

    def sizeHint(self) -> QSize:
        """Return the size of a single line."""
        return QSize(480, self._side() + 2)

    def minimumSizeHint(self) -> QSize:
        """Return the size of the widest entry."""
        width = QFontMetricsF(self.font()).horizontalAdvance
        wide = max(sign + _GAP + width(text) for sign, text, _ in self._entries())
        return QSize(int(wide) + 1, self._side() + 2)

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Paint the entries from left to right."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._lay_out(painter, self.width())
        painter.end()

    def _show_unsure(self, unsure: bool) -> None:
        """Show or hide the explanation of the low-confidence mark."""
        if unsure != self._unsure:
            self._unsure = unsure
            self.updateGeometry()
            self.update()

    @property
    def _bar(self) -> float:
        """Width of the scale's bar, so that the texts 50 and 100 do not touch."""
        width = QFontMetricsF(self.font()).horizontalAdvance
        return 2 * (width(_MARKS[1]) / 2 + width(_MARKS[2]) + 2 * _GAP)

    def _side(self) -> int:
        return self.fontMetrics().height() + 4

    def _lay_out(self, painter: QPainter | None, width: int) -> int:
        """Place the entries, paint them if there is a painter, and return the height."""
        metrics = QFontMetricsF(self.font())
        side = float(self._side())
        left = top = 0.0
        for sign_width, text, paint in self._entries():
            wide = sign_width + _GAP + metrics.horizontalAdvance(text)
            if left and left + wide > width:
                left, top = 0.0, top + side + 4
            if painter is not None:
                paint(painter, QRectF(left, top, sign_width, side))
                painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
                place = QRectF(left + sign_width + _GAP, top, wide, side)
                painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
            left += wide + SPACE + _GAP
        return int(top + side + 2)

    def _entries(self) -> list[tuple[float, str, Callable[[QPainter, QRectF], None]]]:
        side = float(self._side())
        entries: list[tuple[float, str, Callable[[QPainter, QRectF], None]]] = [
            (self._bar, "% mine", self._paint_scale),
            (side, "proved safe", lambda painter, place: paint_chip(painter, place, 0.0)),
            (side, "proved mine", lambda painter, place: paint_chip(painter, place, 1.0)),
            (side, "next", lambda painter, place: paint_move(painter, place, first=True)),
            (side, "reason", lambda painter, place: paint_evidence(painter, [place])),
        ]
        if self._unsure:
            entries.append((side, "hard to read", _paint_unsure))
        return entries

    def _paint_scale(self, painter: QPainter, place: QRectF) -> None:
        bar = place.adjusted(0, 2, 0, -2)
        gradient = QLinearGradient(bar.topLeft(), bar.topRight())
        for step in range(11):
            gradient.setColorAt(step / 10, probability_color(step / 10))
        painter.setBrush(gradient)
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Mid), 1))
        painter.drawRoundedRect(bar, 3, 3)
        inner = bar.adjusted(4, 0, -4, 0)
        align = Qt.AlignmentFlag
        flags = (align.AlignLeft, align.AlignHCenter, align.AlignRight)
        for flag, text in zip(flags, _MARKS, strict=True):
            painter.setPen(text_on(probability_color(int(text) / 100)))
            painter.drawText(inner, flag | Qt.AlignmentFlag.AlignVCenter, text)


def _paint_unsure(painter: QPainter, place: QRectF) -> None:
    paint_unsure(painter, UNREAD, place, look_named("flat"))
