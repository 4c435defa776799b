"""Which cell of a board view is meant: by the pointer, or by a cursor that arrow keys move."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QEvent, QObject, QPointF, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent, QMouseEvent

from bot.board import Cell
from gui.panel.boardview import BoardView

_STEPS: Final = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
_ENDS: Final = (QEvent.Type.FocusOut, QEvent.Type.Hide)


class Pointing(QObject):
    """Follows the pointer and the keys over a board view.

    Args:
        view: The board view.
        modifier: Held while arrow keys move the cursor, where they alone mean something else.
        keeps_escape: Whether Escape does nothing else while there is a cursor.

    Signals:
        pointed(Cell | None): Another cell is meant; None where none is any more.
    """

    pointed = pyqtSignal(object)

    def __init__(
        self,
        view: BoardView,
        modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
        *,
        keeps_escape: bool = True,
    ) -> None:
        super().__init__(view)
        self._modifier, self._keeps_escape = modifier, keeps_escape
        self.cell: Cell | None = None
        """What is meant."""
        self._view = view
        self._by_keys = False
        view.setMouseTracking(True)
        view.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        view.installEventFilter(self)

    def eventFilter(  # noqa: N802 - Qt's name
        self, watched: QObject | None, event: QEvent | None
    ) -> bool:
        """What happens to the view."""
        if event is None or watched is not self._view:
            return False
        kind = event.type()
        if kind is QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            self._move(event.position())
        elif kind is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._press(event)
        elif kind is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            return self._override(event)
        elif kind in _ENDS or (kind is QEvent.Type.Leave and not self._by_keys):
            self.leave()
        return False

    def leave(self) -> None:
        """No cell is meant any more."""
        self._mean(None, by_keys=False)

    def _move(self, position: QPointF) -> None:
        place = self._view.place()
        self._mean(place.cell_at(position) if place else None, by_keys=False)

    def _override(self, event: QKeyEvent) -> bool:
        """Whether a key is meant for the view, whatever it is short for elsewhere."""
        escape = Qt.Key(event.key()) is Qt.Key.Key_Escape
        if escape and not self._keeps_escape:
            self.leave()
            return False
        if (escape and self._by_keys) or self._step_of(event) is not None:
            event.accept()
            return True
        return False

    def _step_of(self, event: QKeyEvent) -> tuple[int, int] | None:
        """Rows and columns that an arrow key goes; None where it is no such key."""
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        return _STEPS.get(Qt.Key(event.key())) if held == self._modifier else None

    def _press(self, event: QKeyEvent) -> bool:
        """A key on the view; whether it is used up."""
        if Qt.Key(event.key()) is Qt.Key.Key_Escape and self._by_keys:
            self.leave()
            return True
        turn, step = self._view.turn, self._step_of(event)
        if turn is None or step is None:
            return False
        board, analysis = turn.reading.board, turn.analysis
        if self.cell is None:
            best = analysis.best if analysis is not None else None
            cell = best or Cell(0, 0)
        else:
            row, col = self.cell.row + step[0], self.cell.col + step[1]
            cell = Cell(min(max(row, 0), board.rows - 1), min(max(col, 0), board.cols - 1))
        self._mean(cell, by_keys=True)
        return True

    def _mean(self, cell: Cell | None, *, by_keys: bool) -> None:
        self._by_keys = by_keys
        if cell != self.cell:
            self.cell = cell
            self.pointed.emit(cell)
