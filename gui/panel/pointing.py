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

    Signals:
        pointed(Cell | None): Another cell is meant; None where none is any more.
    """

    pointed = pyqtSignal(object)

    def __init__(self, view: BoardView) -> None:
        super().__init__(view)
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
            if Qt.Key(event.key()) in _STEPS:
                # Arrows mean cells here, whatever they are short for elsewhere.
                event.accept()
                return True
            # Escape stops a game wherever the focus is: it leaves the cell on its way there.
            if Qt.Key(event.key()) is Qt.Key.Key_Escape:
                self.leave()
        elif kind in _ENDS or (kind is QEvent.Type.Leave and not self._by_keys):
            self.leave()
        return False

    def leave(self) -> None:
        """No cell is meant any more."""
        self._mean(None, by_keys=False)

    def _move(self, position: QPointF) -> None:
        place = self._view.place()
        self._mean(place.cell_at(position) if place else None, by_keys=False)

    def _press(self, event: QKeyEvent) -> bool:
        """A key on the view; whether it is used up."""
        turn, step = self._view.turn, _STEPS.get(Qt.Key(event.key()))
        if turn is None or step is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
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
