"""The board in a terminal: three characters per cell."""

from __future__ import annotations

from typing import Final

import numpy as np
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from bot.analysis import Analysis
from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION, Board, Cell
from gui.lookcolours import DARK

CELL: Final = 3
"""Characters per cell."""

_MARKS: Final = {
    COVERED: ("\N{MIDDLE DOT}", DARK.covered_light),
    FLAG: ("\N{BLACK FLAG}", DARK.flag),
    QUESTION: ("?", DARK.question),
    MINE: ("*", DARK.mine),
    EXPLODED: ("*", DARK.mine),
    MISFLAG: ("\N{MULTIPLICATION X}", DARK.cross),
}
_SAFE: Final = (46, 160, 67)
_DEADLY: Final = (201, 60, 55)
_BEST: Final = "#1f6feb"
_INK: Final = "#f5f7fa"


class BoardField(ScrollView, can_focus=True):
    """A board with a cursor and the probabilities of a hint.

    Messages:
        Pressed(cell, button): A cell was clicked: button 1 is the left, 2 the middle, 3 the right
            one.
    """

    DEFAULT_CSS = "BoardField { max-width: 100%; max-height: 100%; }"

    class Pressed(Message):
        """A click on a cell."""

        def __init__(self, cell: Cell, button: int) -> None:
            super().__init__()
            self.cell = cell
            self.button = button

    def __init__(self, board: Board) -> None:
        super().__init__()
        self.cursor = Cell(board.rows // 2, board.cols // 2)
        self.show(board)

    @property
    def board(self) -> Board:
        """The board."""
        return self._board

    def show(self, board: Board, hint: Analysis | None = None) -> None:
        """Show a board, and a solver's analysis of it."""
        self._board = board
        self._hint = hint
        self.cursor = Cell(
            min(self.cursor.row, board.rows - 1), min(self.cursor.col, board.cols - 1)
        )
        self.virtual_size = Size(CELL * board.cols, board.rows)
        self.styles.width, self.styles.height = self.virtual_size
        self.refresh()

    def move(self, rows: int, cols: int) -> None:
        """Move the cursor within the board."""
        row = min(max(self.cursor.row + rows, 0), self._board.rows - 1)
        col = min(max(self.cursor.col + cols, 0), self._board.cols - 1)
        self.point_at(Cell(row, col))

    def point_at(self, cell: Cell) -> None:
        """Move the cursor to a cell and scroll it into view."""
        self.cursor = cell
        self.scroll_to_region(Region(CELL * cell.col, cell.row, CELL, 1), animate=False)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return one row of cells."""
        row = y + self.scroll_offset.y
        if not 0 <= row < self._board.rows:
            return Strip.blank(self.size.width)
        cells = [self._segment(Cell(row, col)) for col in range(self._board.cols)]
        left = self.scroll_offset.x
        return Strip(cells).crop(left, left + self.size.width)

    def _segment(self, cell: Cell) -> Segment:
        tile = self._board[cell]
        mark, ink = _MARKS.get(tile) or (str(tile) if tile else " ", DARK.hints[tile - 1])
        ground = DARK.opened if tile >= 0 else DARK.covered
        if tile == EXPLODED:
            ground = DARK.exploded
        if self._hint is not None and not np.isnan(self._hint.mine_probability[cell]):
            chance = float(self._hint.mine_probability[cell])
            ground, ink = _BEST if cell == self._hint.best else _between(chance), _INK
            mark = mark if tile == FLAG else _percent(chance)
        pointed = cell == self.cursor and self.has_focus
        style = Style(color=ink, bgcolor=ground, bold=tile > 0, reverse=pointed)
        return Segment(mark.center(CELL), style)

    def on_click(self, event: events.Click) -> None:
        """Post the clicked cell."""
        col, row = (event.x + self.scroll_offset.x) // CELL, event.y + self.scroll_offset.y
        if 0 <= row < self._board.rows and 0 <= col < self._board.cols:
            self.point_at(Cell(row, col))
            self.post_message(self.Pressed(Cell(row, col), event.button))


def _percent(chance: float) -> str:
    """Return a percentage; 0 and 100 are only used for proofs."""
    if chance in (0.0, 1.0):
        return "0" if chance == 0 else "100"
    return str(min(max(round(100 * chance), 1), 99))


def _between(chance: float) -> str:
    parts = (round(a + (b - a) * chance) for a, b in zip(_SAFE, _DEADLY, strict=True))
    return "#{:02x}{:02x}{:02x}".format(*parts)
