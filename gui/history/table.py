"""The table model of the games, which loads visible rows on demand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, pyqtSignal

from gui.history.entry import Entry, Result
from gui.history.filters import NEWEST_FIRST, Order

NOTHING: Final = "\N{EN DASH}"
_WAITED_FOR: Final = "\N{HORIZONTAL ELLIPSIS}"
_KEPT: Final = 4000
"""Number of games that are cached."""
_ROLE: Final = Qt.ItemDataRole
_ROOT: Final = QModelIndex()


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
    size = f"{cols} \N{MULTIPLICATION SIGN} {rows}, {mines}"
    return f"{size} ({level})" if level else size


def _told(value: float | None, digits: int) -> str:
    return NOTHING if value is None else f"{value:.{digits}f}"


_RESULTS: Final = {
    Result.WON: "\N{CHECK MARK} won",
    Result.LOST: "\N{MULTIPLICATION X} lost",
    Result.ENDED: "? unknown",
    Result.STOPPED: "\N{EN DASH} unfinished",
}

COLUMNS: Final = (
    Column("Began", "started", lambda e: f"{e.started:%Y-%m-%d %H:%M:%S}", "When", number=False),
    Column("Result", "result", lambda e: _RESULTS[e.result], "How it ended", number=False),
    Column("Program", "program", lambda e: e.program, "Its skin", number=False),
    Column(
        "Board", "size", lambda e: board_text(e.rows, e.cols, e.mines, e.level),
        "Columns, rows, mines and level", number=False,
    ),
    Column("Time", "seconds", lambda e: f"{e.seconds:.2f} s", "From the first look to the end"),
    Column("3BV", "three_bv", lambda e: _told(e.three_bv, 0), "3BV that was opened"),
    Column("3BV/s", "speed", lambda e: _told(e.speed, 2), "3BV a second"),
    Column("Efficiency", "efficiency", lambda e: _told(e.efficiency, 2), "3BV a click"),
    Column("Guesses", "guesses", lambda e: str(e.guesses), "Moves with a risk"),
    Column("Digs", "digs", lambda e: _told(e.digs, 0), "Tiles dug, in the game of digging"),
    Column("Clicks", "clicks", lambda e: str(e.clicks), "Clicks that were sent"),
    Column("Solver", "solver", lambda e: e.solver, "Solver of moves or advice", number=False),
    Column("Played by", "player", lambda e: e.player.value, "The bot, or you", number=False),
    Column("Window", "window", lambda e: e.window, "The window's title", number=False),
)  # fmt: skip


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

    def set_numbers(self, numbers: NDArray[np.int64], order: Order) -> None:
        """Show other games, or another order."""
        self.beginResetModel()
        self.numbers, self.order = numbers, order
        self.endResetModel()

    def take(self, entries: Mapping[int, Entry]) -> None:
        """Add loaded games."""
        if len(self._entries) > _KEPT:
            self._entries.clear()
        self._entries.update(entries)
        if len(self.numbers):
            last = self.index(len(self.numbers) - 1, len(COLUMNS) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def clear(self) -> None:
        """Clear the cache, as its content may be outdated."""
        self._entries.clear()

    def wanting(self, first: int, last: int) -> list[int]:
        """Return the numbers of the games of these rows that are not loaded yet."""
        rows = self.numbers[max(first, 0) : last + 1].tolist()
        return [number for number in rows if number not in self._entries]

    def entry(self, row: int) -> Entry | None:
        """Return the game of a row; None if it is not loaded or does not exist."""
        known = 0 <= row < len(self.numbers)
        return self._entries.get(int(self.numbers[row])) if known else None

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
            return f"{column.about}. Click to sort"
        if role == _ROLE.TextAlignmentRole:
            return _alignment(column)
        return column.title if role == _ROLE.DisplayRole else None

    def data(self, index: QModelIndex, role: int = _ROLE.DisplayRole) -> Any:
        """Return a cell's content; a game that is not loaded yet is requested."""
        if not index.isValid():
            return None
        column = COLUMNS[index.column()]
        if role == _ROLE.TextAlignmentRole:
            return _alignment(column)
        if role not in (_ROLE.DisplayRole, _ROLE.ToolTipRole, _ROLE.AccessibleTextRole):
            return None
        entry = self.entry(index.row())
        if entry is None:
            self.missing.emit()
            return _WAITED_FOR if role == _ROLE.DisplayRole else None
        if role == _ROLE.ToolTipRole:
            return entry.note or None
        text = column.text(entry)
        return f"{column.title} {text}" if role == _ROLE.AccessibleTextRole else text

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Request another order; the history does the sorting."""
        if 0 <= column < len(COLUMNS):
            wanted = Order(COLUMNS[column].by, order is Qt.SortOrder.DescendingOrder)
            if wanted != self.order:
                self.ordered.emit(wanted)


def _alignment(column: Column) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column.number else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
