"""The types of labels in the panel."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QSize, Qt
from PyQt6.QtGui import QPainter, QPaintEvent, QPalette
from PyQt6.QtWidgets import QLabel, QSizePolicy, QWidget

_ENDS: Final = (".", "?", "!", "\N{HORIZONTAL ELLIPSIS}")


def headline() -> QLabel:
    """Return a label for a page's main statement."""
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    font = label.font()
    font.setPointSizeF(font.pointSizeF() * 1.4)
    font.setBold(True)
    label.setFont(font)
    return label


def plain_label(name: str) -> QLabel:
    """Return a label of plain text that never shrinks below its text, named for screen readers."""
    label = QLabel()
    label.setAccessibleName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


def wrapped_label(name: str) -> QLabel:
    """Return a label that takes the available width and wraps its text."""
    label = plain_label(name)
    label.setWordWrap(True)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label


class ElidedLabel(QLabel):
    """A single line that is cut off if there is no room, with the full text in its tooltip.

    Args:
        name: For screen readers.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def minimumSizeHint(self) -> QSize:
        """Return the size of a few letters and the ellipsis."""
        few = self.fontMetrics().horizontalAdvance("mmm\N{HORIZONTAL ELLIPSIS}")
        hint = super().minimumSizeHint()
        return QSize(min(few, hint.width()), hint.height())

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Paint as much of the text as fits."""
        room = self.contentsRect()
        shown = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, room.width()
        )
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        painter.drawText(room, self.alignment(), shown)
        painter.end()


def explanation(name: str) -> QLabel:
    """Return a muted, wrapped label for explanations."""
    label = wrapped_label(name)
    label.setProperty("muted", True)
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    return label


def sentence(text: str) -> str:
    """Return the text with a capital at its beginning and a full stop at its end if it has none."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(_ENDS) else '.'}"
