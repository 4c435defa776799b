"""The table of games: a model that loads visible rows on demand, and its view."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    Qt,
    pyqtSignal,
)
from PyQt6.QtGui import QKeyEvent, QShowEvent
from PyQt6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from bot.solver.phrases import percent
from gui.history.store import NEWEST_FIRST, Entry, Order, Recording, Result
from gui.panel.widgets import tip_text
from gui.run_statistics import GUESSES

NOTHING: Final = "\N{EN DASH}"
_WAITED_FOR: Final = "\N{HORIZONTAL ELLIPSIS}"


@dataclass(frozen=True)
class TableLimits:
    """Limits and sizes of the table; sizes in points."""

    kept: int = 4000
    """Number of games that are cached."""
    least_height: int = 170
    padding: int = 18
    sign: int = 14
    """Points beside a title for the sort indicator."""


_TABLE: Final = TableLimits()

_ROLE: Final = Qt.ItemDataRole
_ROOT: Final = QModelIndex()
_ONLY_ROWS: Final = (
    QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
)
_SAMPLES: Final = {
    "Began": "2026-12-30 23:59",
    "Result": "\N{EN DASH} unfinished",
    "Recording": "protected",
    "Program": "kmines-graveyard",
    "Board": "30 \N{MULTIPLICATION SIGN} 16, 99 (intermediate)",
    "Time": "1000.00 s",
    "Solver": "algorithm-a-loose",
}
"""The longest usual text of a column; its title by default."""


class Column(NamedTuple):
    """A column of the table."""

    title: str
    by: str
    """The sort key."""
    text: Callable[[Entry], str]
    about: str
    number: bool = True
    """Whether it is aligned to the right."""


def board_text(rows: int, cols: int, mines: int, level: str) -> str:
    """Return a board's size as text."""
    if not rows:
        return NOTHING
    size = f"{cols} \N{MULTIPLICATION SIGN} {rows}, {mines}"
    return f"{size} ({level})" if level else size


def decimal_text(value: float | None, digits: int) -> str:
    """Return a number with so many decimals; a dash for None."""
    return NOTHING if value is None else f"{value:.{digits}f}"


def percent_text(value: float | None) -> str:
    """Return a ratio in percent; a dash for None."""
    return NOTHING if value is None else f"{value:.0%}"


_RESULTS: Final = {
    Result.WON: "\N{CHECK MARK} won",
    Result.LOST: "\N{MULTIPLICATION X} lost",
    Result.ENDED: "? unknown",
    Result.STOPPED: "\N{EN DASH} unfinished",
}

# The panel's usual width shows all up to the recording; the others are scrolled to.
COLUMNS: Final = (
    Column("Began", "started", lambda e: f"{e.started:%Y-%m-%d %H:%M}", "When", number=False),
    Column("Result", "result", lambda e: _RESULTS[e.result], "How it ended", number=False),
    Column("Program", "program", lambda e: e.program, "Its skin", number=False),
    Column(
        "Board", "size", lambda e: board_text(e.rows, e.cols, e.mines, e.level),
        "Columns, rows, mines and level", number=False,
    ),
    Column("Time", "seconds", lambda e: f"{e.seconds:.2f} s", "From the first reading to the end"),
    Column("Guesses", "guesses", lambda e: str(e.guesses), GUESSES),
    Column(
        "Worst guess", "worst_guess",
        lambda e: NOTHING if e.worst_guess is None else percent(e.worst_guess, 1),
        "Largest risk of its guesses, without the first click",
    ),
    Column("Recording", "recording", lambda e: e.session, "Whether it can be opened"),
    Column("3BV", "three_bv", lambda e: decimal_text(e.three_bv, 0), "3BV that was opened"),
    Column("3BV/s", "speed", lambda e: decimal_text(e.speed, 2), "3BV per second"),
    Column("Efficiency", "efficiency", lambda e: percent_text(e.efficiency), "3BV per click"),
    Column("Digs", "digs", lambda e: decimal_text(e.digs, 0), "Tiles dug, in the game of digging"),
    Column("Clicks", "clicks", lambda e: str(e.clicks), "Clicks that were sent"),
    Column("Solver", "solver", lambda e: e.solver, "Solver of moves or advice", number=False),
    Column("Played by", "player", lambda e: e.player.value, "The bot, or you", number=False),
    Column("Window", "window", lambda e: e.window, "The window's title", number=False),
)  # fmt: skip

_COUNTED: Final = ("guesses", "clicks")
"""Columns that are unknown of recordings without a row in the history."""


class Games(QAbstractTableModel):
    """The games of a filter.

    Signals:
        missing(): A visible game is not loaded yet.
        ordered(Order): The user wants them sorted.
    """

    missing = pyqtSignal()
    ordered = pyqtSignal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.numbers: NDArray[np.int64] = np.empty(0, np.int64)
        """Numbers of the games, in order."""
        self.order = NEWEST_FIRST
        self._entries: dict[int, Entry] = {}
        self._recordings: Mapping[int, Recording] = {}

    def set_numbers(
        self, numbers: NDArray[np.int64], order: Order, recordings: Mapping[int, Recording]
    ) -> None:
        """Show other games, or another order, or what changed in their recordings."""
        self.beginResetModel()
        self.numbers, self.order, self._recordings = numbers, order, recordings
        self.endResetModel()

    def take(self, entries: Mapping[int, Entry]) -> None:
        """Add loaded games."""
        if len(self._entries) > _TABLE.kept:
            self._entries.clear()
        self._entries.update(entries)
        if len(self.numbers):
            last = self.index(len(self.numbers) - 1, len(COLUMNS) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def wanting(self, first: int, last: int) -> list[int]:
        """Return the numbers of the games of these rows that are not loaded yet."""
        rows = self.numbers[max(first, 0) : last + 1].tolist()
        return [number for number in rows if number not in self._entries]

    def entry(self, row: int) -> Entry | None:
        """Return the game of a row; None if it is not loaded or does not exist."""
        known = 0 <= row < len(self.numbers)
        return self._entries.get(int(self.numbers[row])) if known else None

    def recording(self, row: int) -> Recording | None:
        """Return the recording of a row's game; None if there is none."""
        known = 0 <= row < len(self.numbers)
        return self._recordings.get(int(self.numbers[row])) if known else None

    def row_of(self, number: int) -> int | None:
        """Return a game's row; None if it is not shown."""
        found = np.flatnonzero(self.numbers == number)
        return int(found[0]) if len(found) else None

    def rowCount(self, parent: QModelIndex = _ROOT) -> int:
        """Return the number of games."""
        return 0 if parent.isValid() else len(self.numbers)

    def columnCount(self, parent: QModelIndex = _ROOT) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole
    ) -> Any:
        """Return a column's title, or its description as a tooltip."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        column = COLUMNS[section]
        if role == _ROLE.ToolTipRole:
            return tip_text(f"{column.about}. Click to sort")
        if role == _ROLE.TextAlignmentRole:
            # The sort indicator is painted at the right, over the end of a title there.
            return _alignment(right=column.number and column.by != self.order.by)
        if role == _ROLE.InitialSortOrderRole and (column.number or column.by == NEWEST_FIRST.by):
            return Qt.SortOrder.DescendingOrder.value
        return column.title if role == _ROLE.DisplayRole else None

    def data(self, index: QModelIndex, role: int = _ROLE.DisplayRole) -> Any:
        """Return a cell's content; a game that is not loaded yet is requested."""
        if not index.isValid():
            return None
        column = COLUMNS[index.column()]
        if role == _ROLE.TextAlignmentRole:
            return _alignment(right=column.number)
        if role not in (_ROLE.DisplayRole, _ROLE.ToolTipRole, _ROLE.AccessibleTextRole):
            return None
        entry = self.entry(index.row())
        if entry is None:
            self.missing.emit()
            return _WAITED_FOR if role == _ROLE.DisplayRole else None
        if role == _ROLE.ToolTipRole:
            return tip_text(entry.note) if entry.note else None
        text = column.text(entry)
        if column.by == "recording":
            found = self.recording(index.row())
            text = found.state.value if found is not None else NOTHING
        elif column.by in _COUNTED and self.numbers[index.row()] < 0:
            text = NOTHING
        return f"{column.title} {text}" if role == _ROLE.AccessibleTextRole else text

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Request another order; the history does the sorting."""
        if 0 <= column < len(COLUMNS):
            wanted = Order(COLUMNS[column].by, order is Qt.SortOrder.DescendingOrder)
            if wanted != self.order:
                self.ordered.emit(wanted)


def _alignment(*, right: bool) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


class GamesView(QTableView):
    """A table view of the games: rows can be selected, sorted, opened and deleted.

    Signals:
        opened(int): A row was double-clicked, or Enter was pressed on it.
    """

    opened = pyqtSignal(int)

    def __init__(self, model: Games) -> None:
        super().__init__()
        self.setModel(model)
        self.setAccessibleName("Games played")
        self.setAccessibleDescription("Enter opens a game, Delete deletes it")
        self.setMinimumHeight(_TABLE.least_height)
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
            widest = max(width(sample), width(column.title) + _TABLE.sign)
            self.setColumnWidth(number, widest + _TABLE.padding)

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
        """Open on Enter."""
        if event is None:
            return
        index: QModelIndex = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            self.opened.emit(index.row())
        else:
            super().keyPressEvent(event)
