"""How a session is painted in the list: its last board, and three lines beside it."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QModelIndex, QRect, QRectF, QSize, Qt
from PyQt6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QPalette, QPen
from PyQt6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from gui.panel.theme import LIGHT, SPACE, Theme
from gui.replay.library import DETAIL_ROLE, SUMMARY_ROLE
from vision.summaries import Summary

_THUMBNAIL: Final = QSize(84, 48)
_DOT: Final = 8.0


class SessionDelegate(QStyledItemDelegate):
    """Paints a row."""

    def set_theme(self, theme: Theme) -> None:
        """Choose the colours."""
        self._theme = theme

    _theme: Theme = LIGHT

    def sizeHint(self, option: QStyleOptionViewItem, _index: QModelIndex) -> QSize:
        """Room for three lines of text, and for the board."""
        line = QFontMetrics(option.font).height()
        return QSize(200, max(3 * line, _THUMBNAIL.height()) + 2 * SPACE)

    def paint(
        self, painter: QPainter | None, option: QStyleOptionViewItem, index: QModelIndex
    ) -> None:
        """One row, in the colours of the palette."""
        summary = index.data(SUMMARY_ROLE)
        if painter is None or not isinstance(summary, Summary):
            return
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole
        ink = option.palette.color(role.HighlightedText if chosen else role.Text)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen:
            _fill(painter, option.rect, option.palette.color(role.Highlight))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            _fill(painter, option.rect, option.palette.color(role.Window))
        row = option.rect.adjusted(SPACE, SPACE, -SPACE, -SPACE)
        picture = index.data(Qt.ItemDataRole.DecorationRole)
        place = QRect(row.left(), row.top(), _THUMBNAIL.width(), row.height())
        _thumbnail(painter, place, picture if isinstance(picture, QImage) else None, ink)
        text = row.adjusted(_THUMBNAIL.width() + SPACE, 0, 0, 0)
        color = ink if chosen else QColor(self._color(summary))
        _lines(painter, text, index, ink, color)
        painter.restore()

    def _color(self, summary: Summary) -> str:
        theme = self._theme
        colors = {"won": theme.accent, "lost": theme.danger, "broken": theme.danger}
        return colors.get(summary.result, theme.muted)


def _fill(painter: QPainter, rect: QRect, color: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), 6, 6)


def _thumbnail(painter: QPainter, place: QRect, picture: QImage | None, ink: QColor) -> None:
    if picture is None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(ink, 1, Qt.PenStyle.DotLine))
        painter.drawRoundedRect(QRectF(place).adjusted(18, 4, -18, -4), 4, 4)
        return
    size = picture.size().scaled(place.size(), Qt.AspectRatioMode.KeepAspectRatio)
    target = QRect(place.topLeft(), size)
    target.moveCenter(place.center())
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(target, picture)


def _lines(painter: QPainter, place: QRect, index: QModelIndex, ink: QColor, color: QColor) -> None:
    """The title in bold after a dot in the result's colour, the details below."""
    bold = QFont(painter.font())
    bold.setBold(True)
    lines = [(bold, str(index.data()))]
    lines += [(painter.font(), line) for line in index.data(DETAIL_ROLE)]
    height = QFontMetrics(bold).height()
    top = place.center().y() - height * len(lines) // 2
    dot = QRectF(place.left(), top + (height - _DOT) / 2, _DOT, _DOT)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawEllipse(dot)
    painter.setPen(ink)
    for number, (font, text) in enumerate(lines):
        indent = round(_DOT) + 6 if number == 0 else 0
        line = QRect(place.left() + indent, top + number * height, place.width() - indent, height)
        cut = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, line.width())
        painter.setFont(font)
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, cut)
