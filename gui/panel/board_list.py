"""The list of boards that can be played, its heading and its button.

The last row is always the built-in game, which is opened when it is selected.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from PyQt6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    pyqtSignal,
)
from PyQt6.QtGui import QColor, QPainter, QPen, QPixmap
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QListView,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from gui.images import to_qimage
from gui.panel.icons import icon
from gui.panel.theme import SPACE, on_theme_change
from gui.panel.widgets import explanation, paint_lines, paint_thumbnail, room, row_of, sentence
from gui.runner.protocol import Candidate

SIMULATED: Final = "Built-in game"
_SIMULATED_DETAIL: Final = "Opens the built-in game"
_THUMBNAIL: Final = QSize(64, 48)
CANDIDATE_ROLE: Final = Qt.ItemDataRole.UserRole
"""The Candidate; None for the built-in game."""
DETAIL_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""The second and third lines."""


def described(candidate: Candidate, entered: int | None = None) -> tuple[str, str]:
    """Return a board's skin and occlusion, and its size and mines, as text.

    Args:
        candidate: The board.
        entered: The number of mines that the user entered, used if nothing else gives it.
    """
    count = entered if candidate.mines is None else candidate.mines
    mines = "mines unknown" if count is None else f"{count} mines"
    return (
        f"{candidate.skin}, covered" if candidate.covered else candidate.skin,
        f"{candidate.cols} \N{MULTIPLICATION SIGN} {candidate.rows} \N{MIDDLE DOT} {mines}",
    )


class Candidates(QAbstractListModel):
    """A model of the boards found by the last search, and the built-in game."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._found: tuple[Candidate, ...] = ()
        self._pictures: list[QPixmap] = []
        self._entered: tuple[object, int | None] = (None, None)

    @property
    def found(self) -> tuple[Candidate, ...]:
        """The boards, without the built-in game's row."""
        return self._found

    def set_mines(self, key: object, mines: int | None) -> None:
        """Set the number of mines that the user entered, for one board at a time."""
        self._entered = key, mines
        if self._found:
            self.dataChanged.emit(self.index(0), self.index(len(self._found) - 1))

    def set_found(self, found: Sequence[Candidate]) -> None:
        """Set the result of a search; if the boards are the same, their rows are kept."""
        pictures = [QPixmap.fromImage(to_qimage(candidate.thumbnail)) for candidate in found]
        same = [candidate.key for candidate in found] == [old.key for old in self._found]
        if not same:
            self.beginResetModel()
        self._found, self._pictures = tuple(found), pictures
        if not same:
            self.endResetModel()
        elif found:
            self.dataChanged.emit(self.index(0), self.index(len(found) - 1))

    def row_of(self, key: object) -> int | None:
        """Return a board's row, or None if it is gone."""
        return next((row for row, board in enumerate(self._found) if board.key == key), None)

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        """Return the number of boards plus one for the built-in game."""
        return 0 if parent is not None and parent.isValid() else len(self._found) + 1

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a row's title, lines, thumbnail, or the candidate itself."""
        row = index.row()
        if not 0 <= row < self.rowCount():
            return None
        board = self._found[row] if row < len(self._found) else None
        title = board.title if board else SIMULATED
        entered = self._entered[1] if board and board.key == self._entered[0] else None
        lines = described(board, entered) if board else (_SIMULATED_DETAIL,)
        text = f"{title}, {', '.join(lines)}"
        picture = self._pictures[row] if board else None
        answers: dict[int, Any] = {
            Qt.ItemDataRole.DisplayRole: title,
            Qt.ItemDataRole.DecorationRole: picture,
            Qt.ItemDataRole.AccessibleTextRole: text,
            Qt.ItemDataRole.ToolTipRole: text,
            CANDIDATE_ROLE: board,
            DETAIL_ROLE: lines,
        }
        return answers.get(role)


class CandidateDelegate(QStyledItemDelegate):
    """A delegate that paints the thumbnail, and beside it the title over the details."""

    def sizeHint(self, option: QStyleOptionViewItem, _index: QModelIndex) -> QSize:
        """Return a size for three lines of text and the thumbnail."""
        return room(option, 180, _THUMBNAIL)

    def paint(
        self, painter: QPainter | None, option: QStyleOptionViewItem, index: QModelIndex
    ) -> None:
        """Paint one row in the colours of the palette."""
        if painter is None:
            return
        with row_of(painter, option) as (row, ink):
            place = QRect(row.topLeft(), QSize(_THUMBNAIL.width(), row.height()))
            picture = index.data(Qt.ItemDataRole.DecorationRole)
            if isinstance(picture, QPixmap):
                paint_thumbnail(painter, place, picture)
            else:
                _paint_plus(painter, place, ink)
            beside = row.adjusted(_THUMBNAIL.width() + SPACE, 0, 0, 0)
            paint_lines(painter, beside, [str(index.data()), *index.data(DETAIL_ROLE)], ink)


def _paint_plus(painter: QPainter, place: QRect, ink: QColor) -> None:
    """Paint a frame with a plus in it, the icon of something that can be opened."""
    box = QRectF(0, 0, _THUMBNAIL.height(), _THUMBNAIL.height())
    box.moveCenter(QRectF(place).center())
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(ink, 1.5, Qt.PenStyle.DashLine))
    painter.drawRoundedRect(box, 6, 6)
    painter.setPen(QPen(ink, 2.5, cap=Qt.PenCapStyle.RoundCap))
    arm = box.width() / 5
    for tip in (QPointF(arm, 0), QPointF(0, arm)):
        painter.drawLine(box.center() - tip, box.center() + tip)


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
        on_theme_change(self._draw_icon)

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

    def _draw_icon(self) -> None:
        self.refresh.setIcon(icon("refresh"))

    def set_mines(self, mines: int) -> None:
        """Set the selected board's number of mines as the user entered it; 0 for unknown."""
        if self.current is not None:
            self.model.set_mines(self.current.key, mines or None)

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
