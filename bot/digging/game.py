"""The rules of source 002's game: find all mines with the fewest digs.

A dig opens exactly one tile. A hint reads 0 to 8 and a dug mine reads 9, which does not
end the game; on the `Board` it is EXPLODED. A zero opens nothing else: the source says of
its neighbours that they are safe 'without having to open them'. The game ends when the
player submits the list of all mines, dug or deduced: the right list wins, any other loses.
The score is the number of digs.

In a window, flags make up the list: as soon as there are as many dug mines and flags as
mines, the list is submitted.

`DigGame` has the same moves and properties as `Game`, so that a window can show either.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, Board, Cell
from bot.frame import Status
from bot.game import check_cell, check_size
from bot.metrics import hints_of

DUG_MINE: Final = 9
"""The value that a dug mine shows."""


class DigGame:
    """One game of source 002. Moves that the rules do not allow do nothing."""

    def __init__(self, rows: int, cols: int, mines: int, seed: int | None = None) -> None:
        """Start a game; the first dig may be a mine.

        Args:
            rows: Rows, at least 1.
            cols: Columns, at least 1.
            mines: 0 up to the number of cells.
            seed: Places the mines, as `Game` does without a promise; None for a random board.

        Raises:
            ValueError: The size or the number of mines is impossible.
        """
        check_size(rows, cols, mines)
        layout = np.zeros(rows * cols, dtype=bool)
        layout[np.random.default_rng(seed).permutation(rows * cols)[:mines]] = True
        self._place_mines(layout.reshape(rows, cols))

    @classmethod
    def from_mines(cls, mines: NDArray[np.bool_]) -> DigGame:
        """Return a game with given mines, (rows, cols) bool."""
        layout = np.asarray(mines, dtype=bool)
        rows, cols = layout.shape
        game = cls(rows, cols, int(layout.sum()))
        game._place_mines(layout)
        return game

    def _place_mines(self, layout: NDArray[np.bool_]) -> None:
        self.rows, self.cols = layout.shape
        self.mines = int(layout.sum())
        self.digs = 0
        """Tiles dug so far, mines among them."""
        self._layout = layout
        self._hints = hints_of(layout)
        self._tiles = np.full(layout.shape, COVERED, np.int8)
        self._status = Status.PLAYING

    @property
    def status(self) -> Status:
        """PLAYING; WON or LOST once the list is submitted."""
        return self._status

    @property
    def started(self) -> bool:
        """Whether a tile was dug."""
        return self.digs > 0

    @property
    def mines_left(self) -> int:
        """Mines that are neither dug nor flagged; negative with too many flags."""
        return self.mines - len(self.listed_mines)

    @property
    def listed_mines(self) -> tuple[Cell, ...]:
        """The list so far: dug mines and flags, row by row."""
        marks = np.isin(self._tiles, (EXPLODED, FLAG, MISFLAG))
        return tuple(Cell(int(row), int(col)) for row, col in np.argwhere(marks))

    @property
    def layout(self) -> NDArray[np.bool_]:
        """The positions of the mines: (rows, cols) bool."""
        return self._layout.copy()

    @property
    def board(self) -> Board:
        """The visible board; after a loss also missed mines and wrong flags."""
        return Board(self._tiles, self.mines)

    def open(self, cell: tuple[int, int]) -> tuple[Cell, ...]:
        """Dig one tile. Returns the cells that changed.

        Raises:
            ValueError: There is no such cell.
        """
        place = self._cell(cell)
        if self._status.over or self._tiles[place] != COVERED:
            return ()
        self.digs += 1
        hint = self._hints[place]
        self._tiles[place] = EXPLODED if hint == MINE else hint
        self._submit_if_complete()
        return (place,)

    def flag(self, cell: tuple[int, int]) -> tuple[Cell, ...]:
        """Flag a covered cell, or remove the flag. Returns the cells that changed.

        Raises:
            ValueError: There is no such cell.
        """
        place = self._cell(cell)
        follows = {COVERED: FLAG, FLAG: COVERED}
        tile = int(self._tiles[place])
        if self._status.over or tile not in follows:
            return ()
        self._tiles[place] = follows[tile]
        self._submit_if_complete()
        return (place,)

    def chord(self, cell: tuple[int, int]) -> tuple[Cell, ...]:
        """Do nothing: this game has no chords."""
        self._cell(cell)
        return ()

    def submit(self, mines: Iterable[tuple[int, int]]) -> Status:
        """Submit the list of all mines; the right one wins, any other loses.

        After the end this does nothing.
        """
        if self._status.over:
            return self._status
        listed = {self._cell(cell) for cell in mines}
        right = {Cell(int(row), int(col)) for row, col in np.argwhere(self._layout)}
        self._status = Status.WON if listed == right else Status.LOST
        self._tiles[self._tiles == FLAG] = COVERED
        for cell in listed | right:
            if self._tiles[cell] == COVERED:
                self._tiles[cell] = (
                    MISFLAG if cell not in right else FLAG if cell in listed else MINE
                )
        return self._status

    def __str__(self) -> str:
        """Return the board's text with a dug mine as 9, as the source has it."""
        return str(self.board).replace("!", str(DUG_MINE))

    def _submit_if_complete(self) -> None:
        if len(self.listed_mines) == self.mines:
            self.submit(self.listed_mines)

    def _cell(self, cell: tuple[int, int]) -> Cell:
        return check_cell(cell, self.rows, self.cols)
