"""Labels of which there are several in the panel."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QLabel, QSizePolicy

_ENDS: Final = (".", "?", "!", "\N{HORIZONTAL ELLIPSIS}")


def headline() -> QLabel:
    """What a page has to say first."""
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    font = label.font()
    font.setPointSizeF(font.pointSizeF() * 1.4)
    font.setBold(True)
    label.setFont(font)
    return label


def plain_label(name: str) -> QLabel:
    """A label that never asks for more width than there is, with a name for screen readers."""
    label = QLabel()
    label.setAccessibleName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label


def explanation(name: str) -> QLabel:
    """Small print: muted, in as many lines as it takes."""
    label = plain_label(name)
    label.setWordWrap(True)
    label.setProperty("muted", True)
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    return label


def sentence(text: str) -> str:
    """With a capital at its beginning and a full stop at its end, if nothing else ends it."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(_ENDS) else '.'}"
