"""Cards with controls, and columns of cards that stand side by side if there is room."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QBoxLayout, QFormLayout, QFrame, QLabel, QVBoxLayout, QWidget

from gui.panel.choices import set_least_height
from gui.panel.theme import SPACE
from gui.panel.tray import scrolled

WIDE: Final = 620
"""Width in points from which two columns stand side by side."""


class Card(QFrame):
    """A heading with rows of controls below it.

    Args:
        heading: The title of the controls.
    """

    def __init__(self, heading: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self.form = QFormLayout(self)
        self.form.setContentsMargins(*[SPACE + 4] * 4)
        self.form.setSpacing(SPACE)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self.form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        label = QLabel(heading)
        label.setProperty("heading", True)
        self.form.addRow(label)

    def row(self, text: str, control: QWidget, name: str, tip: str) -> None:
        """Add a control with its label, its name for screen readers and its tooltip."""
        control.setAccessibleName(name)
        control.setToolTip(tip)
        set_least_height(control)
        self.form.addRow(text, control)

    def whole(self, control: QWidget) -> None:
        """Add a control over the whole width."""
        self.form.addRow(control)


class Columns(QWidget):
    """Two columns of cards, stacked if the width is small."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(SPACE)

    def add(self, *cards: QWidget, stretch: int = 1) -> None:
        """Add a column."""
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        for card in cards:
            column.addWidget(card)
        column.addStretch(1)
        self._row.addWidget(holder, stretch, Qt.AlignmentFlag.AlignTop)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Arrange the columns side by side or stacked."""
        super().resizeEvent(event)
        wide = self.width() >= WIDE
        direction = QBoxLayout.Direction
        self._row.setDirection(direction.LeftToRight if wide else direction.TopToBottom)


def fill(page: QWidget, title: QLabel, columns: Columns) -> None:
    """Fill a page with a title and its columns in a vertical scroll area."""
    content = QWidget()
    column = QVBoxLayout(content)
    column.setContentsMargins(*[SPACE + 4] * 4)
    column.setSpacing(SPACE)
    column.addWidget(title)
    column.addWidget(columns)
    column.addStretch(1)
    whole = QVBoxLayout(page)
    whole.setContentsMargins(0, 0, 0, 0)
    whole.addWidget(scrolled(content))
