"""Parts beside each other, in as many columns as there is room for."""

from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QGridLayout, QWidget

from gui.panel.theme import SPACE


class Reflow(QWidget):
    """Lays parts out in rows of equal columns, and again whenever its width changes.

    Args:
        parts: In reading order.
        least: Width of a column, in points, below which there is one less; more where a part needs
            more.
    """

    def __init__(self, parts: Sequence[QWidget], least: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts, self._least = tuple(parts), least
        self.across = 0
        """Columns at this moment."""
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(SPACE)
        # The layout's own would be that of all columns, and nothing could be made narrower.
        self.setMinimumWidth(least)
        self._spread(len(self._parts))

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """There may be room for more, or for less."""
        super().resizeEvent(event)
        least = max(self._least, *(part.minimumSizeHint().width() for part in self._parts))
        room = (self.width() + SPACE) // (least + SPACE)
        rows = -(-len(self._parts) // max(min(room, len(self._parts)), 1))
        # Rows are filled evenly: seven parts in four columns and three, not six and one.
        self._spread(-(-len(self._parts) // rows))

    def _spread(self, across: int) -> None:
        if across == self.across:
            return
        before, self.across = self.across, across
        for number, part in enumerate(self._parts):
            self._grid.addWidget(part, number // across, number % across)
        for column in range(max(before, across)):
            self._grid.setColumnStretch(column, 1 if column < across else 0)
