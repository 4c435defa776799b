"""Widgets in as many columns as fit."""

from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QGridLayout, QWidget

from gui.panel.theme import SPACE


class Reflow(QWidget):
    """A layout of widgets in rows of equal columns, adapted to the width.

    Args:
        parts: In reading order.
        least: Smallest width of a column in points; larger if a part needs more.
    """

    def __init__(self, parts: Sequence[QWidget], least: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts, self._least = tuple(parts), least
        self.across = 0
        """Current number of columns."""
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(SPACE)
        # The layout's own minimum would be that of all columns and prevent any narrowing.
        self.setMinimumWidth(least)
        self._spread(len(self._parts))

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Adapt the number of columns."""
        super().resizeEvent(event)
        least = max(self._least, *(part.minimumSizeHint().width() for part in self._parts))
        room = (self.width() + SPACE) // (least + SPACE)
        rows = -(-len(self._parts) // max(min(room, len(self._parts)), 1))
        # Rows are balanced: seven parts as four and three, not six and one.
        self._spread(-(-len(self._parts) // rows))

    def _spread(self, across: int) -> None:
        if across == self.across:
            return
        before, self.across = self.across, across
        for number, part in enumerate(self._parts):
            self._grid.addWidget(part, number // across, number % across)
        for column in range(max(before, across)):
            self._grid.setColumnStretch(column, 1 if column < across else 0)
