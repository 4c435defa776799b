"""Widgets in a row that goes on below where there is no room, like words in a line."""

from __future__ import annotations

from PyQt6.QtCore import QPoint, QRect, QSize, Qt
from PyQt6.QtWidgets import QLayout, QLayoutItem, QWidget

from gui.panel.theme import SPACE


class Flow(QLayout):
    """Lays its parts out from left to right, each as wide as it likes to be."""

    def __init__(self, *parts: QWidget) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        for part in parts:
            self.addWidget(part)

    def addItem(self, item: QLayoutItem | None) -> None:  # noqa: N802 - Qt's name
        """One more part."""
        if item is not None:
            self._items.append(item)

    def count(self) -> int:
        """How many parts there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802 - Qt's name
        """A part."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802 - Qt's name
        """A part, which is no part any more."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802 - Qt's name
        """None: it is as high as its lines."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Narrow rows are higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Room for as many lines as the parts need."""
        return self._lay_out(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        """One line."""
        shown = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(size.width() + SPACE for size in shown)
        return QSize(width, max((size.height() for size in shown), default=0))

    def minimumSize(self) -> QSize:  # noqa: N802 - Qt's name
        """The widest part."""
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802 - Qt's name
        """Put the parts where they belong."""
        super().setGeometry(rect)
        self._lay_out(rect, move=True)

    def _lay_out(self, rect: QRect, *, move: bool) -> int:
        """The height that it takes."""
        left, top, high = rect.left(), rect.top(), 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            if left > rect.left() and left + size.width() > rect.right() + 1:
                left, top, high = rect.left(), top + high + SPACE, 0
            if move:
                item.setGeometry(QRect(QPoint(left, top), size))
            left += size.width() + SPACE
            high = max(high, size.height())
        return top + high - rect.top()
