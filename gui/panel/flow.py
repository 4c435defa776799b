"""A layout that arranges widgets in rows and wraps them, like words in a line."""

from __future__ import annotations

from PyQt6.QtCore import QPoint, QRect, QSize, Qt
from PyQt6.QtWidgets import QLayout, QLayoutItem, QWidget

from gui.panel.theme import SPACE


class Flow(QLayout):
    """A layout of items from left to right, each at its preferred width."""

    def __init__(self, *parts: QWidget) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        for part in parts:
            self.addWidget(part)

    def addItem(self, item: QLayoutItem | None) -> None:  # noqa: N802 - Qt's name
        """Add an item."""
        if item is not None:
            self._items.append(item)

    def count(self) -> int:
        """Return the number of items."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802 - Qt's name
        """Return an item, or None."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802 - Qt's name
        """Remove and return an item, or None."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802 - Qt's name
        """Return no directions: the height follows from the rows."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Return True: a narrow layout is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all rows at a width."""
        return self._lay_out(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        """Return the size of a single row."""
        shown = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(size.width() + SPACE for size in shown)
        return QSize(width, max((size.height() for size in shown), default=0))

    def minimumSize(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the size of the widest item."""
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802 - Qt's name
        """Place the items."""
        super().setGeometry(rect)
        self._lay_out(rect, move=True)

    def _lay_out(self, rect: QRect, *, move: bool) -> int:
        """Place the items if asked to, and return the height of all rows."""
        top = rect.top()
        for line in self._lines(rect.width()):
            high = max(size.height() for _, size in line)
            left = rect.left()
            for item, size in line if move else ():
                middle = QPoint(left, top + (high - size.height()) // 2)
                item.setGeometry(QRect(middle, size))
                left += size.width() + SPACE
            top += high + SPACE
        return max(0, top - SPACE - rect.top())

    def _lines(self, width: int) -> list[list[tuple[QLayoutItem, QSize]]]:
        """Return the visible items row by row, each with its size."""
        lines: list[list[tuple[QLayoutItem, QSize]]] = []
        left = 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint().expandedTo(item.minimumSize()).boundedTo(item.maximumSize())
            if not lines or left + size.width() > width:
                lines.append([])
                left = 0
            lines[-1].append((item, size))
            left += size.width() + SPACE
        return lines
