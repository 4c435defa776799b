"""The common parts of list rows with pictures: background, picture, lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from PyQt6.QtCore import QRect, QRectF, QSize, Qt
from PyQt6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QPalette, QPixmap
from PyQt6.QtWidgets import QStyle, QStyleOptionViewItem

from gui.panel.theme import SPACE

_GAP: Final = 6
"""Points between the dot and the title."""


def room(option: QStyleOptionViewItem, width: int, picture: QSize) -> QSize:
    """Return the size in points of three lines of text with the picture beside them."""
    line = QFontMetrics(option.font).height()
    return QSize(width, max(3 * line, picture.height()) + 2 * SPACE)


def is_chosen(option: QStyleOptionViewItem) -> bool:
    """Return whether the row is selected."""
    return bool(option.state & QStyle.StateFlag.State_Selected)


@contextmanager
def row_of(painter: QPainter, option: QStyleOptionViewItem) -> Iterator[tuple[QRect, QColor]]:
    """Paint a row's background; yield the area inside it and the colour of its text."""
    chosen, role = is_chosen(option), QPalette.ColorRole
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if chosen:
        _fill(painter, option.rect, option.palette.color(role.Highlight))
    elif option.state & QStyle.StateFlag.State_MouseOver:
        _fill(painter, option.rect, option.palette.color(role.Window))
    ink = option.palette.color(role.HighlightedText if chosen else role.Text)
    yield option.rect.adjusted(SPACE, SPACE, -SPACE, -SPACE), ink
    painter.restore()


def paint_thumbnail(painter: QPainter, place: QRect, picture: QImage | QPixmap) -> None:
    """Paint a picture centred in its place, as large as fits."""
    size = picture.size().scaled(place.size(), Qt.AspectRatioMode.KeepAspectRatio)
    target = QRect(place.topLeft(), size)
    target.moveCenter(place.center())
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    if isinstance(picture, QImage):
        painter.drawImage(target, picture)
    else:
        painter.drawPixmap(target, picture)


def paint_lines(
    painter: QPainter,
    place: QRect,
    lines: Iterable[str],
    ink: QColor,
    dot: tuple[float, QColor] | None = None,
) -> None:
    """Paint a title in bold and the details below it, each cut to the available width.

    Args:
        painter: Of the row.
        place: Beside the picture.
        lines: The title first.
        ink: Colour of the text.
        dot: Before the title: its width in points, and its colour.
    """
    bold = QFont(painter.font())
    bold.setBold(True)
    plain, height, texts = painter.font(), QFontMetrics(bold).height(), list(lines)
    top = place.center().y() - height * len(texts) // 2
    indent = 0
    if dot is not None:
        size, color = dot
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawEllipse(QRectF(place.left(), top + (height - size) / 2, size, size))
        indent = round(size) + _GAP
    painter.setPen(ink)
    for number, text in enumerate(texts):
        font, left = (plain, 0) if number else (bold, indent)
        line = QRect(place.left() + left, top + number * height, place.width() - left, height)
        cut = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, line.width())
        painter.setFont(font)
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, cut)


def _fill(painter: QPainter, rect: QRect, color: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), 6, 6)
