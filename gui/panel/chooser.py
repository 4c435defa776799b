"""The list of windows to play in, its heading and its button."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PyQt6.QtCore import QModelIndex, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QIcon
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QListView,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gui.panel.candidates import CANDIDATE_ROLE, CandidateDelegate, Candidates
from gui.panel.labels import explanation, sentence
from gui.panel.theme import SPACE
from gui.runner.protocol import Candidate


class Chooser(QWidget):
    """The list of the boards found, with the selected one.

    Signals:
        chosen(Candidate | None): Another row is current; None is the built-in game.
        opened(): The built-in game's row was clicked, or Enter was pressed on it.
        refresh_wanted(): The user asked for another search.
    """

    chosen = pyqtSignal(object)
    opened = pyqtSignal()
    refresh_wanted = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = Candidates(self)
        self.view = QListView()
        self.view.setModel(self.model)
        self.view.setItemDelegate(CandidateDelegate(self.view))
        self.view.setMouseTracking(True)
        self.view.setUniformItemSizes(True)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setAccessibleName("Minesweeper windows")
        self.view.setAccessibleDescription("Boards found on the screen, and the built-in game")
        self.heading = QLabel("Minesweeper &windows")
        self.heading.setProperty("heading", True)
        self.heading.setBuddy(self.view)
        self.refresh = QPushButton("Refresh")
        self.refresh.setAccessibleName("Look for windows again")
        self.refresh.setToolTip("Look for windows again (Ctrl+R)")
        self.refresh.setShortcut("Ctrl+R")
        top = QHBoxLayout()
        top.addWidget(self.heading, 1)
        top.addWidget(self.refresh)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        column.addLayout(top)
        column.addWidget(self.view, 1)
        self.remarks = explanation("Boards that cannot be played")
        self.remarks.hide()
        column.addWidget(self.remarks)
        self._key: object = None
        self._title = ""
        self._listing = False
        self.refresh.clicked.connect(self.refresh_wanted)
        self.view.clicked.connect(self._activate)
        self.view.activated.connect(self._activate)
        selection = self.view.selectionModel()
        if selection is not None:
            selection.currentChanged.connect(self._changed)
        self.select(0)

    def append(self, button: QWidget) -> None:
        """Add another button below the list."""
        column = self.layout()
        if column is not None:
            column.addWidget(button)

    @property
    def current(self) -> Candidate | None:
        """The selected board; None for the built-in game."""
        board = self.view.currentIndex().data(CANDIDATE_ROLE)
        return board if isinstance(board, Candidate) else None

    @property
    def lost(self) -> str:
        """The title of the selected board if it is no longer found, else empty."""
        return self._title if self._key is not None and self.current is None else ""

    def set_icon(self, icon: QIcon) -> None:
        """Set the refresh button's icon."""
        self.refresh.setIcon(icon)

    def tell_mines(self, mines: int) -> None:
        """Set the selected board's number of mines as the user entered it; 0 for unknown."""
        if self.current is not None:
            self.model.tell_mines(self.current.key, mines or None)

    def show_remarks(self, remarks: Iterable[str]) -> None:
        """Show below the list which boards were found but cannot be played."""
        self.remarks.setText("\n".join(map(sentence, remarks)))
        self.remarks.setVisible(bool(self.remarks.text()))

    def show_found(self, found: Sequence[Candidate]) -> None:
        """List the result of a search; the selection is cleared if its board is gone.

        If the user selected no board, the first one is selected, as the built-in game cannot be
        played before it is open.
        """
        wanted = self._key
        self._listing = True
        self.model.set_found(found)
        # Selecting another row would suggest that it is played next.
        self.select(0 if wanted is None else self.model.row_of(wanted))
        self._listing = False

    def select(self, row: int | None) -> None:
        """Select a row; None for none."""
        self.view.setCurrentIndex(QModelIndex() if row is None else self.model.index(row))

    def select_board(self, board: Candidate) -> None:
        """Select a listed board."""
        row = self.model.row_of(board.key)
        if row is not None:
            self.select(row)

    def _changed(self) -> None:
        board = self.current
        if board is not None:
            self._key, self._title = board.key, board.title
        elif not self._listing:
            # The user selected it, as opposed to the default.
            self._key = None
        self.chosen.emit(board)

    def _activate(self) -> None:
        if self.current is None:
            self._key = None
            # A double click is a click too: open it once, after the list has been updated.
            QTimer.singleShot(0, self.opened.emit)
