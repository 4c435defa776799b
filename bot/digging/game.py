"""The other game, source 002's: find all mines with the fewest digs.

A dig opens exactly one tile. A hint reads 0 to 8 and a dug mine reads 9, which does not
end the game; on the `Board` it shows as EXPLODED. A zero opens nothing else: the source
says of its neighbours that they are safe 'without having to open them'. The game ends
when the player hands in the list of mines, dug ones and deduced ones alike: the right
list wins, any other loses. What counts is the number of digs.

Flags are how a player in front of a window writes the list: as soon as dug mines and
flags are as many as the board has mines, that list is handed in.

`DigGame` has the moves and views of `Game`, so that a window can show either.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, Board, Cell
from bot.frame import Status
from bot.metrics import hints_of

DUG_MINE: Final = 9
"""What a dug mine reads."""


class DigGame:
    """One game of source 002. Moves that the rules do not allow do nothing."""

    def __init__(self, rows: int, cols: int, mines: int, seed: int | None = None) -> None:
        """Begin a game: nothing is promised, the first dig may be a mine.

        Args:
            rows: Rows, at least 1.
            cols: Columns, at least 1.
            mines: 0 up to the number of cells.
            seed: Lays the mines, as `Game` does without a promise; None for a board that
                nobody can lay again.

        Raises:
            ValueError: The size or the number of mines is impossible.
        """
        if rows < 1 or cols < 1 or not 0 <= mines <= rows * cols:
            raise ValueError(f"{mines} mines on {cols} x {rows} cells are no game")
        layout = np.zeros(rows * cols, dtype=bool)
        layout[np.random.default_rng(seed).permutation(rows * cols)[:mines]] = True
        self._lay(layout.reshape(rows, cols))

    @classmethod
    def from_mines(cls, mines: NDArray[np.bool_]) -> DigGame:
        """Return a game whose mines are known: (rows, cols) bool."""
        layout = np.asarray(mines, dtype=bool)
        rows, cols = layout.shape
        game = cls(rows, cols, int(layout.sum()))
        game._lay(layout)
        return game

    def _lay(self, layout: NDArray[np.bool_]) -> None:
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
        """PLAYING; WON or LOST once the list is handed in."""
        return self._status

    @property
    def started(self) -> bool:
        """Whether a tile was dug."""
        return self.digs > 0

    @property
    def mines_left(self) -> int:
        """Mines that are neither dug nor flagged; negative with too many flags."""
        return self.mines - len(self.found)

    @property
    def found(self) -> tuple[Cell, ...]:
        """The list so far: dug mines and flags, row by row."""
        marks = np.isin(self._tiles, (EXPLODED, FLAG, MISFLAG))
        return tuple(Cell(int(row), int(col)) for row, col in np.argwhere(marks))

    @property
    def layout(self) -> NDArray[np.bool_]:
        """Where the mines are: (rows, cols) bool."""
        return self._layout.copy()

    @property
    def board(self) -> Board:
        """What is visible; after a loss the mines that were missed and the wrong flags, too."""
        return Board(self._tiles, self.mines)

    def open(self, cell: tuple[int, int]) -> tuple[Cell, ...]:
        """Dig one tile. Returns the cells that changed.

        Raises:
            ValueError: There is no such cell.
        """
        place = self._place(cell)
        if self._status.over or self._tiles[place] != COVERED:
            return ()
        self.digs += 1
        hint = self._hints[place]
        self._tiles[place] = EXPLODED if hint == MINE else hint
        self._hand_in_if_complete()
        return (place,)

    def flag(self, cell: tuple[int, int]) -> tuple[Cell, ...]:
        """Put a covered cell on the list, or take it off. Returns the cells that changed.

        Raises:
            ValueError: There is no such cell.
        """
        place = self._place(cell)
        follows = {COVERED: FLAG, FLAG: COVERED}
        tile = int(self._tiles[place])
        if self._status.over or tile not in follows:
            return ()
        self._tiles[place] = follows[tile]
        self._hand_in_if_complete()
        return (place,)

    def chord(self, cell: tuple[int, int]) -> tuple[Cell, ...]:
        """Nothing: this game has no chords."""
        self._place(cell)
        return ()

    def submit(self, mines: Iterable[tuple[int, int]]) -> Status:
        """Hand in the list of all mines; the right one wins, any other loses.

        After the end nothing changes.
        """
        if self._status.over:
            return self._status
        listed = {self._place(cell) for cell in mines}
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

    def _hand_in_if_complete(self) -> None:
        if len(self.found) == self.mines:
            self.submit(self.found)

    def _place(self, cell: tuple[int, int]) -> Cell:
        row, col = cell
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            raise ValueError(
                f"row {row}, column {col} is not on a board of {self.cols} x {self.rows}"
            )
        return Cell(row, col)
