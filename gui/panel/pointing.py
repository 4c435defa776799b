"""The current cell of a board view, under the pointer or the keyboard cursor."""

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
    """A tracker of the current cell of a board view.

    Args:
        view: The board view.
        modifier: Held while arrow keys move the cursor, if they have another meaning alone.
        keeps_escape: Whether Escape does nothing else while there is a cursor.

    Signals:
        pointed(Cell | None): The current cell changed; None for none.
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
        """The current cell."""
        self._view = view
        self._by_keys = False
        view.setMouseTracking(True)
        view.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        view.installEventFilter(self)

    def eventFilter(  # noqa: N802 - Qt's name
        self, watched: QObject | None, event: QEvent | None
    ) -> bool:
        """Handle the view's mouse and key events."""
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
        """Clear the current cell."""
        self._mean(None, by_keys=False)

    def _move(self, position: QPointF) -> None:
        place = self._view.place()
        self._mean(place.cell_at(position) if place else None, by_keys=False)

    def _override(self, event: QKeyEvent) -> bool:
        """Return whether the view handles a key, even if it is a shortcut elsewhere."""
        escape = Qt.Key(event.key()) is Qt.Key.Key_Escape
        if escape and not self._keeps_escape:
            self.leave()
            return False
        if (escape and self._by_keys) or self._step_of(event) is not None:
            event.accept()
            return True
        return False

    def _step_of(self, event: QKeyEvent) -> tuple[int, int] | None:
        """Return the rows and columns that an arrow key moves, or None for another key."""
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        return _STEPS.get(Qt.Key(event.key())) if held == self._modifier else None

    def _press(self, event: QKeyEvent) -> bool:
        """Handle a key on the view; return whether it was used."""
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
