"""Whether every text of a window can be read whole, whatever the font."""

from __future__ import annotations

from collections.abc import Iterator

from PyQt6.QtCore import QPoint, QRect, Qt
from PyQt6.QtGui import QFontMetrics, QTextDocument
from PyQt6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QHeaderView,
    QLabel,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QWidget,
)

from gui.panel.widgets import ElidedLabel


def clipped(window: QWidget) -> list[str]:
    """The visible texts of a window that are cut off, each with the reason."""
    return [
        f"{type(part).__name__} {_text(part) or part.accessibleName()!r}: {why}"
        for part in window.findChildren(QWidget)
        if part.isVisible()
        for why in _misfits(part)
    ]


def _text(part: QWidget) -> str:
    if isinstance(part, QLabel | QAbstractButton):
        return part.text()
    return part.currentText() if isinstance(part, QComboBox) else ""


def _misfits(part: QWidget) -> Iterator[str]:
    if isinstance(part, QHeaderView):
        yield from _header_misfits(part)
    elif _text(part):
        yield from _text_misfits(part)


def _text_misfits(part: QWidget) -> Iterator[str]:
    if isinstance(part, QLabel):
        yield from _label_misfits(part)
    elif isinstance(part, QComboBox):
        option = QStyleOptionComboBox()
        part.initStyleOption(option)
        style = part.style()
        field = style.subControlRect(
            QStyle.ComplexControl.CC_ComboBox,
            option,
            QStyle.SubControl.SC_ComboBoxEditField,
            part,
        )
        needed = QFontMetrics(part.font()).horizontalAdvance(part.currentText())
        if field.width() < needed:
            yield f"{field.width()} wide, needs {needed}"
    elif part.width() < part.minimumSizeHint().width():
        yield f"{part.width()} wide, needs {part.minimumSizeHint().width()}"
    if not isinstance(part, QLabel) and part.height() < part.minimumSizeHint().height():
        yield f"{part.height()} high, needs {part.minimumSizeHint().height()}"
    yield from _outside(part)


def _label_misfits(label: QLabel) -> Iterator[str]:
    if isinstance(label, ElidedLabel):
        if label.height() < label.sizeHint().height():
            yield f"{label.height()} high, needs {label.sizeHint().height()}"
        return
    if label.wordWrap():
        needed = label.heightForWidth(label.width())
        if label.height() < needed:
            yield f"{label.height()} high, needs {needed} at a width of {label.width()}"
        metrics = QFontMetrics(label.font())
        rich = QTextDocument()
        rich.setHtml(label.text())
        text = rich.toPlainText() if Qt.mightBeRichText(label.text()) else label.text()
        # Lines are broken there, too.
        words = text.replace("\u200b", " ").split()
        longest = max(map(metrics.horizontalAdvance, words), default=0)
        if label.contentsRect().width() < longest:
            yield f"{label.width()} wide, its longest word needs {longest}"
        return
    needed = label.sizeHint()
    if label.width() < needed.width():
        yield f"{label.width()} wide, needs {needed.width()}"
    if label.height() < needed.height():
        yield f"{label.height()} high, needs {needed.height()}"


def _header_misfits(header: QHeaderView) -> Iterator[str]:
    """Its sections are at least as large as their titles."""
    model = header.model()
    across = header.orientation() is Qt.Orientation.Horizontal
    if model is None or not across:
        return
    for section in range(header.count()):
        needed = header.sectionSizeHint(section)
        if not header.isSectionHidden(section) and header.sectionSize(section) < needed:
            title = model.headerData(section, header.orientation())
            yield f"{title!r} is {header.sectionSize(section)} wide, needs {needed}"


def _outside(part: QWidget) -> Iterator[str]:
    """Whether a part reaches out of what shows it; where something scrolls it can be reached."""
    place = QRect(QPoint(0, 0), part.size())
    widget = part
    down = across = False
    while (parent := widget.parentWidget()) is not None and not widget.isWindow():
        place.translate(widget.pos())
        room = parent.rect()
        area = parent.parentWidget()
        if isinstance(area, QAbstractScrollArea) and parent is area.viewport():
            down |= area.verticalScrollBarPolicy() is not Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            across |= area.horizontalScrollBarPolicy() is not Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if not across and (place.left() < room.left() or place.right() > room.right()):
            yield f"reaches {place.right() - room.right()} points out at the side"
            return
        if not down and (place.top() < room.top() or place.bottom() > room.bottom()):
            yield f"reaches {place.bottom() - room.bottom()} points out below"
            return
        if area is not None and isinstance(area, QScrollArea) and parent is area.viewport():
            # Scrolled to it, it is seen.
            return
        widget = parent
