"""The view of the table of games."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent, QShowEvent
from PyQt6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from gui.history.table import COLUMNS, Games

_LEAST_HEIGHT: Final = 170
_PADDING: Final = 18
_SIGN: Final = 14
"""Points beside a title for the sort indicator."""
_ONLY_ROWS: Final = (
    QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
)
_SAMPLES: Final = {
    "Began": "2026-12-30 23:59:59",
    "Result": "\N{EN DASH} stopped",
    "Program": "kmines-graveyard",
    "Board": "30 \N{MULTIPLICATION SIGN} 16, 99 (intermediate)",
    "Time": "1000.00 s",
    "Solver": "algorithm-a-loose",
}
"""The longest usual text of a column; its title by default."""


class GamesView(QTableView):
    """A table view of the games: rows can be selected, sorted, opened and deleted.

    Signals:
        opened(int): A row was double-clicked, or Enter was pressed on it.
        deleted(): The selected rows are to be deleted.
    """

    opened = pyqtSignal(int)
    deleted = pyqtSignal()

    def __init__(self, model: Games, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setAccessibleName("Games played")
        self.setAccessibleDescription("Enter replays a game, Delete deletes it from the history")
        self.setMinimumHeight(_LEAST_HEIGHT)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        self._size_rows(self.verticalHeader())
        self._size_columns(self.horizontalHeader())
        self.setSortingEnabled(True)
        self.doubleClicked.connect(lambda index: self.opened.emit(index.row()))

    def _size_rows(self, header: QHeaderView | None) -> None:
        if header is not None:
            header.hide()
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setDefaultSectionSize(self.fontMetrics().height() + 8)

    def _size_columns(self, header: QHeaderView | None) -> None:
        """Set the widths to those of usual texts; measuring every game would load them all."""
        if header is None:
            return
        # To decide whether a column is selected, the model goes through all rows: with 100,000 of
        # them selected, every repaint of the header took two seconds.
        header.setSelectionModel(QItemSelectionModel(self.model(), header))
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        header.setSortIndicator(0, Qt.SortOrder.DescendingOrder)
        width = self.fontMetrics().horizontalAdvance
        for number, column in enumerate(COLUMNS):
            sample = _SAMPLES.get(column.title, "")
            widest = max(width(sample), width(column.title) + _SIGN)
            self.setColumnWidth(number, widest + _PADDING)

    def showEvent(self, event: QShowEvent | None) -> None:
        """Widen the columns for their titles, as style and font are known only now."""
        super().showEvent(event)
        header = self.horizontalHeader()
        for number in range(len(COLUMNS)) if header is not None else ():
            least = header.sectionSizeHint(number) if header is not None else 0
            self.setColumnWidth(number, max(self.columnWidth(number), least))

    def rows_seen(self) -> tuple[int, int]:
        """Return the first and the last visible row."""
        port = self.viewport()
        height = port.height() if port is not None else 0
        first, last = self.rowAt(0), self.rowAt(height - 1)
        model = self.model()
        end = model.rowCount() - 1 if model is not None else -1
        return max(first, 0), end if last < 0 else last

    @property
    def any_chosen(self) -> bool:
        """Whether a row is selected."""
        selection = self.selectionModel()
        return selection is not None and selection.hasSelection()

    def choose(self, rows: NDArray[np.intp]) -> None:
        """Select rows, and no others: (n,), ascending."""
        selection, model = self.selectionModel(), self.model()
        if selection is None or model is None or not len(rows):
            return
        blocks = QItemSelection()
        for run in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1):
            blocks.select(model.index(int(run[0]), 0), model.index(int(run[-1]), 0))
        selection.select(blocks, _ONLY_ROWS)

    def rows_chosen(self) -> list[int]:
        """Return the selected rows, from the top, without a list of their cells."""
        selection = self.selectionModel()
        if selection is None:
            return []
        blocks = selection.selection()
        rows: set[int] = set()
        for number in range(len(blocks)):
            rows.update(range(blocks[number].top(), blocks[number].bottom() + 1))
        return sorted(rows)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Open on Enter, delete on Delete."""
        if event is None:
            return
        index: QModelIndex = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            self.opened.emit(index.row())
        elif event.key() == Qt.Key.Key_Delete:
            self.deleted.emit()
        else:
            super().keyPressEvent(event)
