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
from gui.protocol import Candidate


class Chooser(QWidget):
    """Shows the boards found and says which one is chosen.

    Signals:
        chosen(Candidate | None): Another row is current; None is the built-in game.
        opened(): The built-in game's row was clicked, or Enter pressed on it.
        refresh_wanted(): The user asked for another look.
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
        self.view.setAccessibleName("Windows to play in")
        self.view.setAccessibleDescription("Boards found on the screen, and the built-in game")
        self.heading = QLabel("&Windows to play in")
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
        """Put another way to a game below the list."""
        column = self.layout()
        if column is not None:
            column.addWidget(button)

    @property
    def current(self) -> Candidate | None:
        """The chosen board; None for the built-in game."""
        board = self.view.currentIndex().data(CANDIDATE_ROLE)
        return board if isinstance(board, Candidate) else None

    @property
    def lost(self) -> str:
        """The title of the board that is chosen but not seen any more; empty where it is."""
        return self._title if self._key is not None and self.current is None else ""

    def set_icon(self, icon: QIcon) -> None:
        """The refresh button's sign."""
        self.refresh.setIcon(icon)

    def tell_mines(self, mines: int) -> None:
        """Note how many mines the chosen board has as the user says; 0 for nobody knows."""
        if self.current is not None:
            self.model.tell_mines(self.current.key, mines or None)

    def show_remarks(self, remarks: Iterable[str]) -> None:
        """Say below the list which boards are seen but cannot be played."""
        self.remarks.setText("\n".join(map(sentence, remarks)))
        self.remarks.setVisible(bool(self.remarks.text()))

    def show_found(self, found: Sequence[Candidate]) -> None:
        """List what a look found; a choice that is not there any more leaves none.

        Where nobody chose a board, the first one is chosen: there is nothing to play in
        the built-in game before it is open.
        """
        wanted = self._key
        self._listing = True
        self.model.set_found(found)
        # Another row would look as if it were played next.
        self.select(0 if wanted is None else self.model.row_of(wanted))
        self._listing = False

    def select(self, row: int | None) -> None:
        """Choose a row; None for none."""
        self.view.setCurrentIndex(QModelIndex() if row is None else self.model.index(row))

    def select_board(self, board: Candidate) -> None:
        """Choose a board that is listed."""
        row = self.model.row_of(board.key)
        if row is not None:
            self.select(row)

    def _changed(self) -> None:
        board = self.current
        if board is not None:
            self._key, self._title = board.key, board.title
        elif not self._listing:
            # Chosen on purpose, and not because nothing else is there.
            self._key = None
        self.chosen.emit(board)

    def _activate(self) -> None:
        if self.current is None:
            self._key = None
            # A double click is a click as well: opened once, when the list has settled.
            QTimer.singleShot(0, self.opened.emit)
