"""A table of the laboratory at its full height."""

from __future__ import annotations

from typing import Any

from PyQt6.QtCore import QAbstractTableModel, QModelIndex, QObject, QSize, Qt
from PyQt6.QtWidgets import QFrame, QHeaderView, QTableView, QVBoxLayout, QWidget

from gui.commands.lab_tables import Sheet
from gui.panel.widgets import explanation

_ALIGN_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_ALIGN_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class SheetModel(QAbstractTableModel):
    """A table model of a sheet."""

    def __init__(self, sheet: Sheet, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sheet = sheet

    def show(self, sheet: Sheet) -> None:
        """Show another sheet; for one of the same shape the view keeps its position."""
        same = sheet.head == self._sheet.head and len(sheet.rows) == len(self._sheet.rows)
        if same:
            self._sheet = sheet
            self.dataChanged.emit(
                self.index(0, 0), self.index(len(sheet.rows) - 1, len(sheet.head) - 1)
            )
            return
        self.beginResetModel()
        self._sheet = sheet
        self.endResetModel()

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's default
        """Return the number of rows without the head."""
        return 0 if parent.isValid() else len(self._sheet.rows)

    def columnCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's default
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self._sheet.head)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell's text; numbers are right-aligned."""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _ALIGN_RIGHT if index.column() else _ALIGN_LEFT
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        row = self._sheet.rows[index.row()]
        return row[index.column()] if index.column() < len(row) else ""

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return a column's title; rows have none."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _ALIGN_RIGHT if section else _ALIGN_LEFT
        return self._sheet.head[section] if role == Qt.ItemDataRole.DisplayRole else None


class _Table(QTableView):
    """A table as high as its rows: the page scrolls, not the table."""

    def updateGeometries(self) -> None:  # noqa: N802 - Qt's name
        """Update the geometry when the scroll bar becomes necessary."""
        super().updateGeometries()
        if self.height() != self._height():
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return the size of head and rows."""
        return QSize(super().sizeHint().width(), self._height())

    def minimumSizeHint(self) -> QSize:
        """Return the full height and a small width."""
        return QSize(80, self._height())

    def _height(self) -> int:
        model, head = self.model(), self.horizontalHeader()
        rows = model.rowCount() if model is not None else 0
        height = head.sizeHint().height() if head is not None else 0
        bar = self.horizontalScrollBar()
        scroll = bar.sizeHint().height() if bar is not None and bar.maximum() > 0 else 0
        return height + sum(self.rowHeight(row) for row in range(rows)) + scroll + 4


class SheetView(QWidget):
    """A table with its title."""

    def __init__(self, sheet: Sheet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = explanation("What the table is of")
        self.table = _Table()
        # Delete the view before its model, as a view without one logs warnings.
        self.model = SheetModel(sheet, self.table)
        self.table.setModel(self.model)
        self.table.setFrameShape(QFrame.Shape.NoFrame)
        self.table.setShowGrid(False)
        self.table.setAlternatingRowColors(True)
        self.table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setTabKeyNavigation(False)
        down, across = self.table.verticalHeader(), self.table.horizontalHeader()
        if down is not None and across is not None:
            down.hide()
            down.setDefaultSectionSize(24)
            across.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
            across.setHighlightSections(False)
            across.setStretchLastSection(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.title)
        column.addWidget(self.table)
        self.show_sheet(sheet)

    def show_sheet(self, sheet: Sheet) -> None:
        """Show another sheet."""
        self.model.show(sheet)
        self.title.setText(sheet.title)
        self.table.setAccessibleName(f"Table: {sheet.title}")
        self.table.setVisible(bool(sheet.rows))
        self.table.updateGeometry()
