"""Paints a row of the session list: the last board, and three lines beside it."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QModelIndex, QRect, QRectF, QSize, Qt
from PyQt6.QtGui import QColor, QImage, QPainter, QPen
from PyQt6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from gui.panel.theme import SPACE, current_theme
from gui.replay.library import DETAIL_ROLE, SUMMARY_ROLE
from gui.rows import is_chosen, paint_lines, paint_thumbnail, room, row_of
from vision.sessions.summaries import Summary

_THUMBNAIL: Final = QSize(84, 48)
_DOT: Final = 8.0


class SessionDelegate(QStyledItemDelegate):
    """A delegate that paints a session."""

    def sizeHint(self, option: QStyleOptionViewItem, _index: QModelIndex) -> QSize:
        """Return a size for three lines of text and the board."""
        return room(option, 200, _THUMBNAIL)

    def paint(
        self, painter: QPainter | None, option: QStyleOptionViewItem, index: QModelIndex
    ) -> None:
        """Paint one row in the colours of the palette."""
        summary = index.data(SUMMARY_ROLE)
        if painter is None or not isinstance(summary, Summary):
            return
        with row_of(painter, option) as (row, ink):
            picture = index.data(Qt.ItemDataRole.DecorationRole)
            place = QRect(row.left(), row.top(), _THUMBNAIL.width(), row.height())
            if isinstance(picture, QImage):
                paint_thumbnail(painter, place, picture)
            else:
                _paint_nothing(painter, place, ink)
            beside = row.adjusted(_THUMBNAIL.width() + SPACE, 0, 0, 0)
            color = ink if is_chosen(option) else QColor(self._color(summary))
            lines = [str(index.data()), *index.data(DETAIL_ROLE)]
            paint_lines(painter, beside, lines, ink, dot=(_DOT, color))

    def _color(self, summary: Summary) -> str:
        theme = current_theme()
        colors = {"won": theme.accent, "lost": theme.danger, "broken": theme.danger}
        return colors.get(summary.result, theme.muted)


def _paint_nothing(painter: QPainter, place: QRect, ink: QColor) -> None:
    """Paint a placeholder for a missing picture."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(ink, 1, Qt.PenStyle.DotLine))
    painter.drawRoundedRect(QRectF(place).adjusted(18, 4, -18, -4), 4, 4)
