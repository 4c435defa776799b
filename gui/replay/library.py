"""The list of recorded sessions: loaded in the background, newest first, with a filter."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from operator import is_
from pathlib import Path
from typing import Any, Final

from PyQt6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QSortFilterProxyModel,
    Qt,
    pyqtSignal,
)

from bot.game import LEVELS
from gui.panel.jobs import Jobs, Progress
from gui.replay.thumbnails import Thumbnails
from vision.sessions.session_files import age
from vision.sessions.summaries import Summary, session_folders, stamp, summarise

SUMMARY_ROLE: Final = Qt.ItemDataRole.UserRole
DETAIL_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""The lines below the title."""
KINDS: Final = ("all", "won", "lost", "unfinished", "broken", "kept")
_DOT: Final = " \N{MIDDLE DOT} "
_BATCH: Final = 40
"""Sessions that are read before the list is updated."""
_Stamped = tuple[tuple[object, ...], Summary]
_Found = tuple[int, list[_Stamped], list[Path]]
"""The number of the scan, what it read, and the remaining folders."""


def titled(summary: Summary) -> str:
    """Return the first line of a row: the game's result and level."""
    result = summary.result.capitalize()
    if summary.board is None:
        return f"{result}{_DOT}{summary.folder.name}"
    board = summary.board
    sizes = {(level.rows, level.cols, level.mines): name for name, level in LEVELS.items()}
    level = sizes.get((board.rows, board.cols, board.mines))
    size = f"{board.cols} \N{MULTIPLICATION SIGN} {board.rows}, {board.mines} mines"
    return f"{result}{_DOT}{f'{level.capitalize()}, ' if level else ''}{size}"


def detailed(summary: Summary) -> tuple[str, ...]:
    """Return the lines below: program, player, time and duration."""
    when = summary.started.strftime("%Y-%m-%d %H:%M")
    mark = ("kept",) if summary.kept else ()
    if summary.problem:
        return summary.problem, _DOT.join((when, *mark))
    info = summary.info
    who: tuple[str, ...] = ()
    if info:
        # When the user plays, no solver decides.
        by = ("you played",) if info.player == "user" else (info.solver, info.style)
        who = (info.window or info.skin, info.skin, *by)
    turns = f"{summary.turns} turn{'' if summary.turns == 1 else 's'}"
    torn = ("cut off",) if summary.torn else ()
    return (
        _DOT.join(dict.fromkeys(one.replace("\n", " ") for one in who if one)),
        _DOT.join((when, turns, f"{summary.seconds:.1f} s", *torn, *mark)),
    )


def _told(summary: Summary) -> str:
    return "\n".join((titled(summary), *detailed(summary), str(summary.folder)))


class Sessions(QAbstractListModel):
    """A list model of the sessions of a folder.

    Args:
        jobs: Runs the reading.
        thumbnails: Paints the boards.

    Signals:
        scanned(int): All sessions were read; their number.
        failed(Failure): The folder cannot be read.
    """

    scanned = pyqtSignal(int)
    failed = pyqtSignal(object)

    def __init__(self, jobs: Jobs, thumbnails: Thumbnails, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs, self._thumbnails = jobs, thumbnails
        self._known: dict[Path, _Stamped] = {}
        self._rows: list[Summary] = []
        self._read: list[_Stamped] = []
        self._scan = 0
        thumbnails.painted.connect(self._repaint)

    def scan(self, folder: Path) -> None:
        """Scan the folder; unchanged sessions are not read again."""
        self._scan += 1
        self._read = []
        scan = self._scan
        self._start("Looking for sessions", lambda _progress: (scan, [], session_folders(folder)))

    def forget(self, folder: Path) -> None:
        """Remove a deleted session."""
        row = next((n for n, one in enumerate(self._rows) if one.folder == folder), None)
        if row is not None:
            self.beginRemoveRows(QModelIndex(), row, row)
            self._known.pop(folder, None)
            del self._rows[row]
            self.endRemoveRows()

    def renew(self, summary: Summary) -> None:
        """Update a session; the next scan reads it again."""
        self._known.pop(summary.folder, None)
        for row, old in enumerate(self._rows):
            if old.folder == summary.folder:
                self._rows[row] = summary
                self.dataChanged.emit(self.index(row), self.index(row))

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        """Return the number of sessions."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a row's title, lines, thumbnail, or the summary itself."""
        if not 0 <= index.row() < len(self._rows):
            return None
        summary = self._rows[index.row()]
        answers: dict[int, Callable[[Summary], Any]] = {
            SUMMARY_ROLE: lambda summary: summary,
            DETAIL_ROLE: detailed,
            Qt.ItemDataRole.DisplayRole: titled,
            Qt.ItemDataRole.DecorationRole: self._thumbnails.get,
            Qt.ItemDataRole.AccessibleTextRole: _told,
            Qt.ItemDataRole.ToolTipRole: _told,
        }
        return answers[role](summary) if role in answers else None

    def _start(self, title: str, work: Callable[[Progress], _Found]) -> None:
        job = self._jobs.start(title, work)
        job.done.connect(self._go_on)
        job.failed.connect(self.failed)

    def _go_on(self, found: _Found) -> None:
        """Add a batch to the list and read the next one."""
        scan, batch, rest = found
        if scan != self._scan:
            return
        self._read += batch
        if len(self._read) > len(self._rows) or not rest:
            self._take(self._read)
        if rest:
            known = dict(self._known)
            self._start("Reading sessions", partial(_read, scan, rest, known))
        else:
            self.scanned.emit(len(self._rows))

    def _take(self, read: Iterable[_Stamped]) -> None:
        found = sorted(
            read, key=lambda one: (one[1].started, age(one[1].folder.name)), reverse=True
        )
        rows = [summary for _stamp, summary in found]
        if len(rows) == len(self._rows) and all(map(is_, rows, self._rows)):
            return
        self.beginResetModel()
        self._rows = rows
        self._known = {one[1].folder: one for one in found}
        self.endResetModel()

    def _repaint(self, folder: Path) -> None:
        for row, summary in enumerate(self._rows):
            if summary.folder == folder:
                index = self.index(row)
                self.dataChanged.emit(index, index, [Qt.ItemDataRole.DecorationRole])


def _read(
    scan: int, folders: list[Path], known: dict[Path, _Stamped], progress: Progress
) -> _Found:
    """Return the summaries of some folders, and the remaining folders."""
    found: list[_Stamped] = []
    for folder in folders[:_BATCH]:
        progress.tell(None)
        at_once = stamp(folder)
        old = known.get(folder)
        same = old is not None and old[0] == at_once
        found.append(old if old is not None and same else (at_once, summarise(folder)))
    return scan, found, folders[_BATCH:]


class SessionFilter(QSortFilterProxyModel):
    """A filter for sessions of a kind that contain all words."""

    def __init__(self, model: Sessions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words: tuple[str, ...] = ()
        self._kind = KINDS[0]
        self.setSourceModel(model)

    def set_words(self, text: str) -> None:
        """Set the words, each of which must occur anywhere."""
        self._words = tuple(text.casefold().split())
        self.invalidate()

    def set_kind(self, kind: str) -> None:
        """Set one of `KINDS`."""
        self._kind = kind
        self.invalidate()

    def filterAcceptsRow(  # noqa: N802 - Qt's name
        self, row: int, _parent: QModelIndex
    ) -> bool:
        """Return whether a session is shown."""
        model = self.sourceModel()
        summary = model.data(model.index(row, 0), SUMMARY_ROLE) if model is not None else None
        if not isinstance(summary, Summary):
            return False
        if self._kind == "kept" and not summary.kept:
            return False
        if self._kind not in ("all", "kept", summary.result):
            return False
        text = "\n".join((titled(summary), *detailed(summary), summary.folder.name)).casefold()
        return all(word in text for word in self._words)
