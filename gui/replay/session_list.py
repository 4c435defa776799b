"""The list of recorded sessions: loaded in the background, filtered, painted, with its actions."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import partial
from operator import is_
from pathlib import Path
from typing import Any, Final

from PyQt6.QtCore import (
    QAbstractListModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QRect,
    QRectF,
    QSize,
    QSortFilterProxyModel,
    Qt,
    pyqtSignal,
)
from PyQt6.QtGui import QColor, QImage, QKeySequence, QPainter, QPen, QShortcut
from PyQt6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QListView,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from bot.board import Board
from bot.game import LEVELS
from gui.dialogs import open_folder
from gui.failures import Failure
from gui.looks import look_named, render_board
from gui.panel.icons import icon
from gui.panel.jobs import Jobs, Progress
from gui.panel.theme import SPACE, current_theme, on_theme_change
from gui.panel.widgets import (
    Flow,
    explanation,
    is_chosen,
    lay_column,
    lay_row,
    name_control,
    paint_lines,
    paint_thumbnail,
    room,
    row_of,
)
from gui.replay.film import turns_text
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
"""The number of the scan, the summaries read, and the remaining folders."""
LARGEST: Final = (144, 96)
"""Width and height of a thumbnail in pixels; shown at half that size to be sharp on any screen."""
KEPT: Final = 600
"""Thumbnails that are cached."""
_PAINTED_AT_ONCE: Final = 16
_Key = tuple[Path, Board | None]
_Painted = tuple[str, list[tuple[Summary, QImage]]]
_THUMBNAIL: Final = QSize(84, 48)
_DOT_SIZE: Final = 8.0
KEYS: Final = {
    "open": "Return",
    "keep": "K",
    "delete": "Del",
    "reveal": "Ctrl+D",
    "other": "Ctrl+O",
    "search": "Ctrl+F",
    "refresh": "F5",
}
_READING: Final = "Reading the recorded games \N{HORIZONTAL ELLIPSIS}"
_NOTHING_YET: Final = (
    "No recorded games yet. Games that the bot plays appear here while 'Record every game' is on. "
    "Open a game from elsewhere with 'Open folder …', or drop it here."
)
_NOTHING_FOUND: Final = (
    "No recorded game contains all these words. Clear the search, or choose 'All'."
)


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
    mark = ("protected",) if summary.kept else ()
    if summary.problem:
        return summary.problem, _DOT.join((when, *mark))
    info = summary.info
    who: tuple[str, ...] = ()
    if info:
        # When the user plays, no solver decides.
        by = ("you played",) if info.player == "user" else (info.solver, info.style)
        who = (info.window or info.skin, info.skin, *by)
    torn = ("incomplete",) if summary.torn else ()
    return (
        _DOT.join(dict.fromkeys(one.replace("\n", " ") for one in who if one)),
        _DOT.join((when, turns_text(summary.turns), f"{summary.seconds:.1f} s", *torn, *mark)),
    )


def _summary_text(summary: Summary) -> str:
    return "\n".join((titled(summary), *detailed(summary), str(summary.folder)))


class Sessions(QAbstractListModel):
    """A list model of the sessions of a folder.

    Args:
        jobs: Runs the reading.
        thumbnails: Paints the boards.

    Attributes:
        reading: Whether a scan has not ended yet.

    Signals:
        failed(Failure): The folder cannot be read.
        reading_changed(): A scan has begun or ended.
    """

    failed = pyqtSignal(object)
    reading_changed = pyqtSignal()

    def __init__(self, jobs: Jobs, thumbnails: Thumbnails, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs, self._thumbnails = jobs, thumbnails
        self._known: dict[Path, _Stamped] = {}
        self._rows: list[Summary] = []
        self._read: list[_Stamped] = []
        self._scan = 0
        self.reading = False
        thumbnails.painted.connect(self._repaint)

    def scan(self, folder: Path) -> None:
        """Scan the folder; unchanged sessions are not read again."""
        self._scan += 1
        self._read = []
        self._set_reading(True)
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
            Qt.ItemDataRole.AccessibleTextRole: _summary_text,
            Qt.ItemDataRole.ToolTipRole: _summary_text,
        }
        return answers[role](summary) if role in answers else None

    def _start(self, title: str, work: Callable[[Progress], _Found]) -> None:
        job = self._jobs.start(title, work)
        job.done.connect(self._go_on)
        job.failed.connect(self._fail)

    def _fail(self, failure: Failure) -> None:
        self._set_reading(False)
        self.failed.emit(failure)

    def _set_reading(self, reading: bool) -> None:
        self.reading = reading
        self.reading_changed.emit()

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
            self._set_reading(False)

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
        progress.report(None)
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


def thumbnail(board: Board, look: str) -> QImage:
    """Return a picture of a board that fits into `LARGEST`."""
    cell = min(LARGEST[0] / board.cols, LARGEST[1] / board.rows, 12.0)
    if cell >= 1:
        return render_board(board, look_named(look), int(cell))
    # With more cells than pixels, a sample of them is enough.
    rows, cols = min(board.rows, LARGEST[1]), min(board.cols, LARGEST[0])
    part = Board(board.tiles[:rows, :cols], min(board.mines, rows * cols))
    return render_board(part, look_named(look), 1)


class Thumbnails(QObject):
    """A cache of the boards of visible sessions.

    Args:
        jobs: Runs the painting.

    Signals:
        painted(Path): A session's picture is available.
    """

    painted = pyqtSignal(object)

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._kept: OrderedDict[_Key, QImage] = OrderedDict()
        self._wanted: dict[_Key, Summary] = {}
        self._look = current_theme().look
        self._working = False
        on_theme_change(self._change_look)

    def _change_look(self) -> None:
        look = current_theme().look
        if look != self._look:
            self._look = look
            self._kept.clear()

    def get(self, summary: Summary) -> QImage | None:
        """Return a session's picture, or None and start painting it."""
        if summary.board is None:
            return None
        key = _key(summary)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        self._wanted[key] = summary
        self._go_on()
        return None

    def _go_on(self) -> None:
        if self._working or not self._wanted:
            return
        self._working = True
        # The most recent request is for the visible row.
        chosen = list(self._wanted.values())[-_PAINTED_AT_ONCE:]
        for summary in chosen:
            del self._wanted[_key(summary)]
        job = self._jobs.start("Painting boards", partial(_paint, chosen, self._look))
        job.done.connect(self._take)
        job.ended.connect(self._rest)

    def _take(self, painted: _Painted) -> None:
        look, pictures = painted
        if look != self._look:
            return
        for summary, picture in pictures:
            self._kept[_key(summary)] = picture
            self.painted.emit(summary.folder)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def _rest(self) -> None:
        self._working = False
        self._go_on()


def _key(summary: Summary) -> _Key:
    return summary.folder, summary.board


def _paint(summaries: list[Summary], look: str, progress: Progress) -> _Painted:
    painted = []
    for summary in summaries:
        progress.report(None)
        if summary.board is not None:
            painted.append((summary, thumbnail(summary.board, look)))
    return look, painted


class SessionDelegate(QStyledItemDelegate):
    """A delegate that paints a session."""

    def sizeHint(self, option: QStyleOptionViewItem, _index: QModelIndex) -> QSize:
        """Return a size for three lines of text and the board."""
        return room(option, 200, _THUMBNAIL)

    def paint(
        self, painter: QPainter | None, option: QStyleOptionViewItem, index: QModelIndex
    ) -> None:
        """Paint one row in the colours of the palette."""
        summary = index.data(SUMMARY_ROLE)
        if painter is None or not isinstance(summary, Summary):
            return
        with row_of(painter, option) as (row, ink):
            picture = index.data(Qt.ItemDataRole.DecorationRole)
            place = QRect(row.left(), row.top(), _THUMBNAIL.width(), row.height())
            if isinstance(picture, QImage):
                paint_thumbnail(painter, place, picture)
            else:
                _paint_nothing(painter, place, ink)
            beside = row.adjusted(_THUMBNAIL.width() + SPACE, 0, 0, 0)
            color = ink if is_chosen(option) else QColor(self._color(summary))
            lines = [str(index.data()), *index.data(DETAIL_ROLE)]
            paint_lines(painter, beside, lines, ink, dot=(_DOT_SIZE, color))

    def _color(self, summary: Summary) -> str:
        theme = current_theme()
        colors = {"won": theme.accent, "lost": theme.danger, "broken": theme.danger}
        return colors.get(summary.result, theme.muted)


def _paint_nothing(painter: QPainter, place: QRect, ink: QColor) -> None:
    """Paint a placeholder for a missing picture."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(ink, 1, Qt.PenStyle.DotLine))
    painter.drawRoundedRect(QRectF(place).adjusted(18, 4, -18, -4), 4, 4)


class Listing(QWidget):
    """The sessions, a search field, and actions on the selected one.

    Args:
        model: The sessions.

    Signals:
        opened(Path): Show that session.
        keep_wanted(Summary): Mark it as kept, or remove the mark.
        delete_wanted(Summary): Delete it.
        message(str): Why its folder cannot be shown.
    """

    opened = pyqtSignal(object)
    keep_wanted = pyqtSignal(object)
    delete_wanted = pyqtSignal(object)
    message = pyqtSignal(str)

    def __init__(self, model: Sessions) -> None:
        super().__init__()
        self._model = model
        self.filter = SessionFilter(model, self)
        self.search, self.kind, self.view = QLineEdit(), QComboBox(), QListView()
        self.note = explanation("About the list")
        self._chosen: Path | None = None
        self._delegate = SessionDelegate(self.view)
        self.buttons = {
            "open": QPushButton("Open"),
            "keep": QPushButton("Protect"),
            "delete": QPushButton("Delete"),
            "reveal": QPushButton("Show folder"),
            "other": QPushButton("Open folder …"),
        }
        self.refresh = QPushButton()
        self._build()
        self._connect()
        self._update()
        on_theme_change(self._draw_icon)

    @property
    def current(self) -> Summary | None:
        """The selected session."""
        summary = self.view.currentIndex().data(SUMMARY_ROLE)
        return summary if isinstance(summary, Summary) else None

    def select(self, folder: Path) -> None:
        """Select a session, if it is shown."""
        for row in range(self.filter.rowCount()):
            index = self.filter.index(row, 0)
            if index.data(SUMMARY_ROLE).folder == folder:
                how = QItemSelectionModel.SelectionFlag.ClearAndSelect
                selection = self.view.selectionModel()
                if selection is not None:
                    selection.setCurrentIndex(index, how)
                self.view.scrollTo(index)

    def _draw_icon(self) -> None:
        self.refresh.setIcon(icon("refresh"))

    def _build(self) -> None:
        self.search.setPlaceholderText("Search: program, solver, size, day \N{HORIZONTAL ELLIPSIS}")
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName("Search the recorded games")
        self.search.setToolTip(f"Recorded games that contain all these words ({KEYS['search']})")
        words = {"kept": "Protected", "all": "All games"}
        for kind in KINDS:
            self.kind.addItem(words.get(kind, kind.capitalize()), kind)
        name_control(self.kind, "Which recorded games", "Which recorded games are shown")
        self.refresh.setAccessibleName("Look for recorded games again")
        self.refresh.setToolTip(f"Look for recorded games again ({KEYS['refresh']})")
        self.view.setModel(self.filter)
        self.view.setItemDelegate(self._delegate)
        self.view.setAccessibleName("Recorded games")
        self.view.setAccessibleDescription("Enter replays the selected game")
        self.view.setUniformItemSizes(True)
        self.view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.view.setMinimumSize(QSize(200, 90))
        tips = {
            "open": "Show the chosen game",
            "keep": "Never delete the chosen game automatically",
            "delete": "Delete the chosen game",
            "reveal": "Open the folder of the chosen game",
            "other": "Open a recorded game from elsewhere, such as a bug report",
        }
        for name, button in self.buttons.items():
            name_control(button, tips[name], f"{tips[name]} ({KEYS[name]})")
        self.buttons["open"].setProperty("primary", True)
        self.buttons["keep"].setCheckable(True)
        top = lay_row((self.search, 1), self.kind, self.refresh)
        lay_column(top, (self.view, 1), self.note, Flow(*self.buttons.values()), on=self)

    def _connect(self) -> None:
        self.search.textChanged.connect(self.filter.set_words)
        self.kind.currentIndexChanged.connect(
            lambda row: self.filter.set_kind(self.kind.itemData(row))
        )
        self.search.returnPressed.connect(self._open_first)
        self.view.activated.connect(lambda _index: self._open())
        selection = self.view.selectionModel()
        if selection is not None:
            selection.currentChanged.connect(lambda *_: self._remember())
        for signal in (self.filter.rowsInserted, self.filter.rowsRemoved, self.filter.dataChanged):
            signal.connect(lambda *_: self._update())
        self.filter.modelReset.connect(self._choose_again)
        self.filter.layoutChanged.connect(self._update)
        self._model.reading_changed.connect(self._update)
        self.buttons["open"].clicked.connect(self._open)
        self.buttons["keep"].clicked.connect(self._keep)
        self.buttons["delete"].clicked.connect(self._delete)
        self.buttons["reveal"].clicked.connect(self._reveal)
        # Only on the list: in the search field, letters, Del and Return edit text.
        for name, parent in (
            ("keep", self.view),
            ("delete", self.view),
            ("reveal", self),
            ("other", self),
        ):
            self._shortcut(KEYS[name], parent).activated.connect(self.buttons[name].click)
        self._shortcut(KEYS["search"], self).activated.connect(self.search.setFocus)
        self._shortcut(KEYS["refresh"], self).activated.connect(self.refresh.click)

    @staticmethod
    def _shortcut(key: str, parent: QWidget) -> QShortcut:
        context = Qt.ShortcutContext.WidgetWithChildrenShortcut
        return QShortcut(QKeySequence(key), parent, context=context)

    def _remember(self) -> None:
        if self.current is not None:
            self._chosen = self.current.folder
        self._update()

    def _choose_again(self) -> None:
        if self._chosen is not None:
            self.select(self._chosen)
        self._update()

    def _update(self) -> None:
        shown, there = self.filter.rowCount(), self._model.rowCount()
        summary = self.current
        self.buttons["open"].setEnabled(summary is not None and not summary.problem)
        for name in ("keep", "delete", "reveal"):
            self.buttons[name].setEnabled(summary is not None)
        self.buttons["keep"].setChecked(summary is not None and summary.kept)
        if not there:
            self.note.setText(_READING if self._model.reading else _NOTHING_YET)
        elif not shown:
            self.note.setText(_NOTHING_FOUND)
        else:
            every = f"{there} recorded game{'' if there == 1 else 's'}"
            self.note.setText(every if shown == there else f"{shown} of {every}")

    def _open_first(self) -> None:
        """Move the focus from the search field to the first result."""
        if self.filter.rowCount():
            self.view.setFocus()
            self.view.setCurrentIndex(self.filter.index(0, 0))

    def _open(self) -> None:
        if self.current is not None and not self.current.problem:
            self.opened.emit(self.current.folder)

    def _reveal(self) -> None:
        """Show the folder in the desktop's file manager."""
        if self.current is not None:
            open_folder(self.current.folder, self.message.emit)

    def _keep(self) -> None:
        if self.current is not None:
            self.keep_wanted.emit(self.current)
        self._update()

    def _delete(self) -> None:
        if self.current is not None:
            self.delete_wanted.emit(self.current)
