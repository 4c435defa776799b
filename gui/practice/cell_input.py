"""The user's moves on a board view: by mouse, or with the arrow keys, Space, Enter and F."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QEvent, QObject, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent, QMouseEvent

from bot.board import Cell
from gui.panel.boardview import BoardView
from gui.panel.cell_info import Pointing, about

_OPENS: Final = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class CellInput(QObject):
    """Converts mouse and key events of a board view to moves, and describes the current cell.

    Args:
        view: The board view.

    Signals:
        opened(Cell): The left button was released on the cell on which it was pressed, or Space
            or Enter was pressed.
        flagged(Cell): The right button or F was pressed.
    """

    opened = pyqtSignal(object)
    flagged = pyqtSignal(object)

    def __init__(self, view: BoardView) -> None:
        super().__init__(view)
        self._view = view
        self._pressed: Cell | None = None
        self.pointing = Pointing(view)
        self.pointing.pointed.connect(self._describe)
        view.changed.connect(self._describe)
        view.installEventFilter(self)

    def eventFilter(  # noqa: N802 - Qt's name
        self, watched: QObject | None, event: QEvent | None
    ) -> bool:
        """Handle the view's mouse and key events."""
        if watched is not self._view or event is None:
            return False
        if isinstance(event, QMouseEvent):
            self._handle_mouse(event)
        elif isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            return self._handle_key(event)
        return False

    def _handle_mouse(self, event: QMouseEvent) -> None:
        kind, place, button = event.type(), self._view.place(), event.button()
        cell = place.cell_at(event.position()) if place is not None else None
        presses = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
        if button is Qt.MouseButton.RightButton and kind in presses and cell is not None:
            self.flagged.emit(cell)
        elif button is Qt.MouseButton.LeftButton and kind in presses:
            self._pressed = cell
        elif button is Qt.MouseButton.LeftButton and kind is QEvent.Type.MouseButtonRelease:
            pressed, self._pressed = self._pressed, None
            if cell is not None and cell == pressed:
                self.opened.emit(cell)

    def _handle_key(self, event: QKeyEvent) -> bool:
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        key, cell = Qt.Key(event.key()), self.pointing.cell
        if cell is None or held is not Qt.KeyboardModifier.NoModifier:
            return False
        if key in _OPENS:
            self.opened.emit(cell)
        elif key is Qt.Key.Key_F:
            self.flagged.emit(cell)
        else:
            return False
        return True

    def _describe(self) -> None:
        """Mark the current cell, and describe it to screen readers."""
        cell, turn = self.pointing.cell, self._view.turn
        self._view.light_up(cell)
        if cell is not None and turn is not None:
            board = turn.reading.board
            if cell.row < board.rows and cell.col < board.cols:
                self._view.describe(about(board, turn.analysis, cell).title)
        else:
            self._view.describe()
