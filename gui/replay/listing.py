"""The page's first view: the list of sessions."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PyQt6.QtCore import QItemSelectionModel, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QKeySequence, QShortcut
from PyQt6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gui.panel.icons import icon
from gui.panel.theme import SPACE, on_theme_change
from gui.panel.widgets import Flow, explanation
from gui.replay.library import KINDS, SUMMARY_ROLE, SessionFilter, Sessions
from gui.replay.rows import SessionDelegate
from vision.sessions.summaries import Summary

KEYS: Final = {
    "open": "Return",
    "keep": "K",
    "delete": "Del",
    "reveal": "Ctrl+D",
    "other": "Ctrl+O",
    "search": "Ctrl+F",
    "refresh": "F5",
}
_NOTHING_YET: Final = (
    "No recorded games yet. Games that the bot plays appear here while 'Record' is on. Open a game "
    "from elsewhere with 'Open folder …', or drop it here."
)
_NOTHING_FOUND: Final = (
    "No recorded game contains all these words. Clear the search, or choose 'All'."
)


class Listing(QWidget):
    """The sessions, a search field, and actions on the selected one.

    Args:
        model: The sessions.

    Signals:
        opened(Path): Show that session.
        other_wanted(): Show one that is not in the list.
        keep_wanted(Summary): Mark it as kept, or remove the mark.
        delete_wanted(Summary): Delete it.
        reveal_wanted(Path): Show its folder.
        refresh_wanted(): Scan again.
    """

    opened = pyqtSignal(object)
    other_wanted = pyqtSignal()
    keep_wanted = pyqtSignal(object)
    delete_wanted = pyqtSignal(object)
    reveal_wanted = pyqtSignal(object)
    refresh_wanted = pyqtSignal()

    def __init__(self, model: Sessions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
        for kind in KINDS:
            self.kind.addItem(kind.capitalize(), kind)
        self.kind.setAccessibleName("Which recorded games")
        self.kind.setToolTip("Which recorded games are shown")
        self.refresh.setAccessibleName("Look for recorded games again")
        self.refresh.setToolTip(f"Look for recorded games again ({KEYS['refresh']})")
        self.view.setModel(self.filter)
        self.view.setItemDelegate(self._delegate)
        self.view.setAccessibleName("Recorded games")
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
            button.setAccessibleName(tips[name])
            button.setToolTip(f"{tips[name]} ({KEYS[name]})")
        self.buttons["open"].setProperty("primary", True)
        self.buttons["keep"].setCheckable(True)
        top = QHBoxLayout()
        top.setSpacing(SPACE)
        top.addWidget(self.search, 1)
        top.addWidget(self.kind)
        top.addWidget(self.refresh)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        column.addLayout(top)
        column.addWidget(self.view, 1)
        column.addWidget(self.note)
        column.addLayout(Flow(*self.buttons.values()))

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
        self.buttons["open"].clicked.connect(self._open)
        self.buttons["keep"].clicked.connect(lambda: self._tell(self.keep_wanted))
        self.buttons["delete"].clicked.connect(lambda: self._tell(self.delete_wanted))
        self.buttons["reveal"].clicked.connect(self._reveal)
        self.buttons["other"].clicked.connect(self.other_wanted)
        self.refresh.clicked.connect(self.refresh_wanted)
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
            self.note.setText(_NOTHING_YET)
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
        if self.current is not None:
            self.reveal_wanted.emit(self.current.folder)

    def _tell(self, signal: object) -> None:
        if self.current is not None:
            signal.emit(self.current)  # type: ignore[attr-defined]  # bound signals have no type
        self._update()
