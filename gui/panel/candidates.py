"""The list of boards that can be played: its model, and how a row is painted.

The last row is always the built-in game, which is opened when it is selected.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PyQt6.QtCore import QAbstractListModel, QModelIndex, QObject, QPointF, QRect, QRectF, QSize, Qt
from PyQt6.QtGui import QColor, QPainter, QPen, QPixmap
from PyQt6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from gui.images import to_qimage
from gui.panel.theme import SPACE
from gui.rows import paint_lines, paint_thumbnail, room, row_of
from gui.runner.protocol import Candidate

SIMULATED: Final = "Built-in game"
_SIMULATED_DETAIL: Final = "Opens the built-in game"
_THUMBNAIL: Final = QSize(64, 48)

CANDIDATE_ROLE: Final = Qt.ItemDataRole.UserRole
"""The Candidate; None for the built-in game."""
DETAIL_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""The second and third lines."""


def described(candidate: Candidate, told: int | None = None) -> tuple[str, str]:
    """Return a board's skin and occlusion, and its size and mines, as text.

    Args:
        candidate: The board.
        told: The number of mines that the user entered, used if nothing else gives it.
    """
    count = told if candidate.mines is None else candidate.mines
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
        self._told: tuple[object, int | None] = (None, None)

    @property
    def found(self) -> tuple[Candidate, ...]:
        """The boards, without the built-in game's row."""
        return self._found

    def tell_mines(self, key: object, mines: int | None) -> None:
        """Set the number of mines that the user entered, for one board at a time."""
        self._told = key, mines
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
        told = self._told[1] if board and board.key == self._told[0] else None
        lines = described(board, told) if board else (_SIMULATED_DETAIL,)
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
