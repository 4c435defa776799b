"""The field of the built-in game: paints a game and converts mouse input to moves.

It contains no rules. The window sets what to show (`show_board`, `show_header`) and receives the
player's input by signals. The gestures are those of desktop games:

    left        pressed while held, opens the cell on which it is released
    right       flags at once
    middle, or left and right together
                its neighbourhood is pressed while held, chords on release
    face        starts the next game when it is released on the face
"""

from __future__ import annotations

from enum import Enum
from math import hypot

import numpy as np
from PyQt6.QtCore import (
    QElapsedTimer,
    QEvent,
    QPointF,
    QRectF,
    QSize,
    Qt,
    QTimer,
    pyqtSignal,
)
from PyQt6.QtGui import QHideEvent, QMouseEvent, QPainter, QPaintEvent
from PyQt6.QtWidgets import QWidget

from bot.board import COVERED, QUESTION, Board, Cell, neighbours
from gui.looks import HeaderState, Layout, Look, Touch, layout, paint_board, paint_header


class Gesture(Enum):
    """The meaning of the held buttons."""

    NONE = "none"
    OPEN = "open"
    CHORD = "chord"
    FACE = "face"
    SPENT = "spent"
    """A chord was made; the button that is still held has no effect."""


class Playfield(QWidget):
    """The header and the board.

    Signals:
        open_wanted(Cell), flag_wanted(Cell), chord_wanted(Cell): The player's moves.
        restart_wanted(): The face was clicked.
        gesture_changed(Gesture): The face may have to change.
        animation_finished(): An animation has ended.
        appeared(): The field was painted on the screen for the first time.
    """

    open_wanted = pyqtSignal(object)
    flag_wanted = pyqtSignal(object)
    chord_wanted = pyqtSignal(object)
    restart_wanted = pyqtSignal()
    gesture_changed = pyqtSignal(object)
    animation_finished = pyqtSignal()
    appeared = pyqtSignal()

    def __init__(self, board: Board, look: Look, cell: float) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setAccessibleName("Minesweeper board")
        self.frozen = False
        """Whether the game is over: the board accepts no more moves, but the face works."""
        self.shows_pressed = True
        """Whether a held cell looks opened.

        In the game of digging that would be an empty cell, which there says nothing about its
        neighbours.
        """
        self._board = self._shown = board
        self._header = HeaderState(board.mines, board.mines, 0)
        self._gesture = Gesture.NONE
        self._has_appeared = False
        self._pointer: QPointF | None = None
        self._touched: dict[Cell, Touch] = {}
        self._due: dict[Cell, float] = {}
        self._time = QElapsedTimer()
        self._ticks = QTimer(self)
        self._ticks.setInterval(16)
        self._ticks.timeout.connect(self._tick)
        self.arrange(look, cell)

    @property
    def place(self) -> Layout:
        """The layout, in the widget's coordinates."""
        return self._place

    @property
    def gesture(self) -> Gesture:
        """The current meaning of the held buttons."""
        return self._gesture

    @property
    def animating(self) -> bool:
        """Whether some cells do not show their final state yet."""
        return bool(self._due)

    def arrange(self, look: Look, cell: float, least_width: float = 0.0) -> None:
        """Set look, cell size, or width."""
        self._look = look
        self._place = layout(look, self._board.rows, self._board.cols, cell, least_width)
        self.setFixedSize(self.sizeHint())
        self._retouch()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of the field."""
        field = self._place.field
        return field.size().toSize()

    def show_fresh(self, board: Board) -> None:
        """Show a new game, maybe of another size, without animation; call `arrange` next."""
        self._due.clear()
        self._ticks.stop()
        self._board = self._shown = board
        self.update()

    def show_board(self, board: Board, origin: Cell | None = None, wave: float = 0.2) -> None:
        """Show the same game after a move.

        Args:
            board: The visible state.
            origin: The cell from which an opening spreads in waves; None shows it at once.
            wave: Seconds from the first to the last cell of it.
        """
        self._board = board
        changed = [Cell(int(r), int(c)) for r, c in np.argwhere(board.tiles != self._shown.tiles)]
        if origin is None:
            self._due.clear()
            self._reveal(changed)
            return
        if not self._due:
            self._time.start()
        waiting = [cell for cell in changed if cell not in self._due]
        reach = max((_distance(origin, cell) for cell in waiting), default=0.0) or 1.0
        begin = self._time.elapsed() / 1000
        for cell in waiting:
            self._due[cell] = begin + wave * _distance(origin, cell) / reach
        self._tick()
        if self._due:
            self._ticks.start()

    def show_header(self, state: HeaderState) -> None:
        """Show counters and face."""
        if state != self._header:
            self._header = state
            above = QRectF(0, 0, self._place.field.width(), self._place.board.top())
            self.update(above.toAlignedRect())

    def cell_at(self, position: QPointF) -> Cell | None:
        """Return the cell at a position of the widget; None outside the board."""
        board, cell = self._place.board, self._place.cell
        row, col = (
            int((position.y() - board.top()) // cell),
            int((position.x() - board.left()) // cell),
        )
        inside = 0 <= row < self._board.rows and 0 <= col < self._board.cols
        return Cell(row, col) if inside else None

    def paintEvent(self, event: QPaintEvent | None) -> None:  # noqa: D102 - Qt's
        if event is None:
            return
        dirty = QRectF(event.rect())
        painter = QPainter(self)
        painter.setClipRect(dirty)
        if not self._place.board.contains(dirty):
            paint_header(painter, self._look, self._place, self._header)
        paint_board(
            painter, self._shown, self._place.board, self._look, touched=self._touched, clip=dirty
        )
        painter.end()
        if not self._has_appeared:
            self._has_appeared = True
            # Qt shows what was painted when this event is finished.
            QTimer.singleShot(0, self.appeared.emit)

    def mousePressEvent(self, event: QMouseEvent | None) -> None:  # noqa: D102 - Qt's
        if event is None:
            return
        self._pointer = event.position()
        cell, button = self.cell_at(self._pointer), event.button()
        both = Qt.MouseButton.LeftButton | Qt.MouseButton.RightButton
        if self._gesture in (Gesture.FACE, Gesture.SPENT):
            return
        if button is Qt.MouseButton.LeftButton and self._place.face.contains(self._pointer):
            self._begin(Gesture.FACE)
        elif self.frozen or cell is None:
            return
        elif button is Qt.MouseButton.MiddleButton or event.buttons() & both == both:
            self._begin(Gesture.CHORD)
        elif button is Qt.MouseButton.LeftButton:
            self._begin(Gesture.OPEN)
        elif button is Qt.MouseButton.RightButton:
            self.flag_wanted.emit(cell)
            self._retouch()

    def mouseDoubleClickEvent(self, event: QMouseEvent | None) -> None:  # noqa: D102 - Qt's
        # The second press of a double click is treated as a press.
        self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:  # noqa: D102 - Qt's
        if event is not None:
            self._pointer = event.position()
            self._retouch()

    def mouseReleaseEvent(self, event: QMouseEvent | None) -> None:  # noqa: D102 - Qt's
        if event is None:
            return
        self._pointer = event.position()
        cell, gesture = self.cell_at(self._pointer), self._gesture
        none_held = event.buttons() == Qt.MouseButton.NoButton
        if gesture is Gesture.OPEN and event.button() is Qt.MouseButton.LeftButton:
            self._begin(Gesture.NONE)
            if cell is not None:
                self.open_wanted.emit(cell)
        elif gesture is Gesture.CHORD:
            self._begin(Gesture.NONE if none_held else Gesture.SPENT)
            if cell is not None:
                self.chord_wanted.emit(cell)
        elif gesture is Gesture.FACE and event.button() is Qt.MouseButton.LeftButton:
            self._begin(Gesture.NONE)
            if self._place.face.contains(self._pointer):
                self.restart_wanted.emit()
        elif gesture is Gesture.SPENT and none_held:
            self._begin(Gesture.NONE)
        self._retouch()

    def leaveEvent(self, event: QEvent | None) -> None:  # noqa: ARG002, D102 - Qt's
        self._pointer = None
        self._retouch()

    def hideEvent(self, event: QHideEvent | None) -> None:  # noqa: ARG002, D102 - Qt's
        # The release of a button goes to no window that was minimised meanwhile.
        self._pointer = None
        self._begin(Gesture.NONE)

    def _begin(self, gesture: Gesture) -> None:
        self._gesture = gesture
        self._retouch()
        self.gesture_changed.emit(gesture)

    def _retouch(self) -> None:
        """Update the cells that the pointer hovers over or holds down, and repaint changed ones."""
        touched = self._touches()
        if touched != self._touched:
            differ = {cell for cell, _ in touched.items() ^ self._touched.items()}
            self._touched = touched
            self._repaint(differ)

    def _touches(self) -> dict[Cell, Touch]:
        cell = None if self._pointer is None else self.cell_at(self._pointer)
        if cell is None or self.frozen or self._gesture in (Gesture.FACE, Gesture.SPENT):
            return {}
        if self._gesture is Gesture.NONE:
            return {cell: Touch.HOVER} if self._shown[cell] == COVERED else {}
        if not self.shows_pressed:
            return {}
        held = [cell]
        if self._gesture is Gesture.CHORD:
            cols = self._board.cols
            around = neighbours(self._board.rows, cols)[cell.row * cols + cell.col]
            held += [Cell(*divmod(index, cols)) for index in around]
        return {cell: Touch.PRESSED for cell in held if self._shown[cell] in (COVERED, QUESTION)}

    def _tick(self) -> None:
        """Show the cells that are due."""
        elapsed = self._time.elapsed() / 1000
        ready = [cell for cell, due in self._due.items() if due <= elapsed]
        for cell in ready:
            del self._due[cell]
        self._reveal(ready)
        if not self._due:
            self._ticks.stop()
            self.animation_finished.emit()

    def _reveal(self, cells: list[Cell]) -> None:
        if not cells:
            return
        tiles = self._shown.tiles.copy()
        for cell in cells:
            tiles[cell] = self._board.tiles[cell]
        self._shown = Board(tiles, self._board.mines)
        self._repaint(cells)
        self._retouch()

    def _repaint(self, cells: set[Cell] | list[Cell]) -> None:
        area = QRectF()
        for cell in cells:
            if cell.row < self._board.rows and cell.col < self._board.cols:
                area = area.united(self._area(cell))
        self.update(area.toAlignedRect())

    def _area(self, cell: Cell) -> QRectF:
        board, side = self._place.board, self._place.cell
        return QRectF(board.left() + cell.col * side, board.top() + cell.row * side, side, side)


def _distance(one: Cell, other: Cell) -> float:
    return hypot(one.row - other.row, one.col - other.col)
