"""The common base of both parts of the page: a board, with texts and controls beside it."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QEvent, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent, QMouseEvent
from PyQt6.QtWidgets import QWidget

from bot.board import Cell
from gui.panel.boardview import BoardView, Pointing, Show
from gui.panel.cell_info import about
from gui.panel.jobs import JobBar
from gui.panel.pages import Context
from gui.panel.widgets import ANY_SIZE, SideBySide, scrolled

_WIDTH: Final = 250
_HEIGHT: Final = 140
"""Size of the texts beside and below the board, in points."""
_OPENS: Final = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class BoardPart(SideBySide):
    """A board with its texts and controls: beside it, or below it if the width is small.

    Signals:
        failed(Failure): Something went wrong.
    """

    failed = pyqtSignal(object)

    def __init__(self, context: Context, bar: JobBar) -> None:
        super().__init__()
        self._context, self._bar = context, bar
        self.view = BoardView()
        self.view.set_layers(Show.PARSED)
        self.input = CellInput(self.view)
        self.side = QWidget()
        """The texts and controls."""
        self._area = scrolled(self.side, _WIDTH)
        self.parts.addWidget(self.view, 1)
        self.parts.addWidget(self._area)

    def arrange(self, *, wide: bool) -> None:
        """Give the texts a constant width beside the board, or a constant height below it."""
        self._area.set_fixed(fixed=wide)
        self._area.setMinimumHeight(0 if wide else _HEIGHT)
        self._area.setMaximumHeight(ANY_SIZE if wide else _HEIGHT)


class CellInput(Pointing):
    """Converts mouse and key events of a board view to moves, and describes the current cell.

    Signals:
        opened(Cell): The left button was released on the cell on which it was pressed, or Space
            or Enter was pressed.
        flagged(Cell): The right button or F was pressed.
    """

    opened = pyqtSignal(object)
    flagged = pyqtSignal(object)

    def __init__(self, view: BoardView) -> None:
        super().__init__(view)
        self._pressed: Cell | None = None
        self.pointed.connect(self._describe)
        view.changed.connect(self._describe)

    def handle_mouse(self, event: QMouseEvent, cell: Cell | None) -> None:
        """Open or flag a cell."""
        kind, button = event.type(), event.button()
        presses = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
        if button is Qt.MouseButton.RightButton and kind in presses and cell is not None:
            self.flagged.emit(cell)
        elif button is Qt.MouseButton.LeftButton and kind in presses:
            self._pressed = cell
        elif button is Qt.MouseButton.LeftButton and kind is QEvent.Type.MouseButtonRelease:
            pressed, self._pressed = self._pressed, None
            if cell is not None and cell == pressed:
                self.opened.emit(cell)

    def handle_key(self, event: QKeyEvent, held: Qt.KeyboardModifier) -> bool:
        """Open or flag the current cell; return whether the key does so."""
        key, cell = Qt.Key(event.key()), self.cell
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
        cell, turn = self.cell, self._view.turn
        self._view.light_up(cell)
        if cell is not None and turn is not None:
            board = turn.reading.board
            if cell.row < board.rows and cell.col < board.cols:
                self._view.describe(about(board, turn.analysis, cell).title)
        else:
            self._view.describe()
