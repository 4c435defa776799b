"""The rules of Minesweeper: mines by seed, open, flag, chord, and the first click.

The same size, number of mines, seed, first-click rule and first opened cell always make
the same board. Mines are placed when the first cell is opened: the seed shuffles all cells
(numpy's default generator), protected cells move to the end, and the first ones get the
mines. So two first clicks on one seed give almost the same board.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION, Board, Cell, neighbours
from bot.frame import Status
from bot.metrics import hints_of


@dataclass(frozen=True)
class Level:
    """A named size of board."""

    name: str
    rows: int
    cols: int
    mines: int


BEGINNER: Final = Level("beginner", 9, 9, 10)
INTERMEDIATE: Final = Level("intermediate", 16, 16, 40)
EXPERT: Final = Level("expert", 16, 30, 99)
LEVELS: Final[dict[str, Level]] = {level.name: level for level in (BEGINNER, INTERMEDIATE, EXPERT)}


class FirstClick(StrEnum):
    """The guarantee for the first opened cell, as far as the mines leave room for it."""

    SAFE = "safe"
    """The cell is no mine ('classic')."""
    ZERO = "zero"
    """Neither the cell nor any neighbour is a mine: the click opens a region ('modern')."""
    NONE = "none"
    """No guarantee."""


class Game:
    """One game, from the first click to its end.

    Moves that the rules do not allow (a click on a flag, on an opened cell, after the
    end) do nothing, as in real programs.
    """

    def __init__(
        self,
        rows: int,
        cols: int,
        mines: int,
        seed: int | None = None,
        first_click: FirstClick = FirstClick.SAFE,
        question_marks: bool = False,
    ) -> None:
        """Start a game.

        Args:
            rows: Rows, at least 1.
            cols: Columns, at least 1.
            mines: 0 up to the number of cells.
            seed: Places the mines; None for a random board.
            first_click: What is promised of the first opened cell.
            question_marks: Whether `flag` goes from flag to question mark to covered.

        Raises:
            ValueError: The size or the number of mines is impossible.
        """
        check_size(rows, cols, mines)
        self.rows = rows
        self.cols = cols
        self.mines = mines
        self.first_click = first_click
        self.question_marks = question_marks
        self._seed = seed
        self._status = Status.PLAYING
        self._tiles: list[int] = [COVERED] * (rows * cols)
        self._hints: list[int] = []
        self._to_open = rows * cols - mines
        self._around = neighbours(rows, cols)

    @classmethod
    def of_level(
        cls, level: Level, seed: int | None = None, first_click: FirstClick = FirstClick.SAFE
    ) -> Game:
        """Return a new game of a named size."""
        return cls(level.rows, level.cols, level.mines, seed, first_click)

    @classmethod
    def from_mines(cls, mines: NDArray[np.bool_], question_marks: bool = False) -> Game:
        """Return a game with given mines, (rows, cols) bool, without a promise."""
        layout = np.asarray(mines, dtype=bool)
        rows, cols = layout.shape
        game = cls(
            rows, cols, int(layout.sum()), None, FirstClick.NONE, question_marks=question_marks
        )
        game._place(layout)
        return game

    @property
    def status(self) -> Status:
        """PLAYING, WON or LOST."""
        return self._status

    @property
    def started(self) -> bool:
        """Whether the mines are placed."""
        return bool(self._hints)

    @property
    def mines_left(self) -> int:
        """Mines minus flags, as the counter shows; negative with too many flags."""
        return self.mines - sum(1 for tile in self._tiles if tile in (FLAG, MISFLAG))

    @property
    def layout(self) -> NDArray[np.bool_] | None:
        """The positions of the mines: (rows, cols) bool; None before the first cell is opened."""
        if not self._hints:
            return None
        return np.array([hint == MINE for hint in self._hints]).reshape(self.rows, self.cols)

    @property
    def board(self) -> Board:
        """The visible board.

        At a loss all mines are shown, the ones that were hit as EXPLODED, and wrong flags as
        MISFLAG; right flags stay. At a win all mines carry flags.
        """
        return Board(np.array(self._tiles, np.int8).reshape(self.rows, self.cols), self.mines)

    def open(self, cell: tuple[int, int]) -> tuple[Cell, ...]:
        """Open a cell; a zero opens its neighbours too. Returns the cells that changed.

        Raises:
            ValueError: There is no such cell.
        """
        index = self._index(cell)
        if self._status.over or self._tiles[index] not in (COVERED, QUESTION):
            return ()
        if not self._hints:
            self._place(self._draw(index))
        return self._reveal([index])

    def flag(self, cell: tuple[int, int]) -> tuple[Cell, ...]:
        """Flag a covered cell, or remove the flag. Returns the cells that changed.

        Raises:
            ValueError: There is no such cell.
        """
        index = self._index(cell)
        after_flag = QUESTION if self.question_marks else COVERED
        follows = {COVERED: FLAG, FLAG: after_flag, QUESTION: COVERED}
        if self._status.over or self._tiles[index] not in follows:
            return ()
        self._tiles[index] = follows[self._tiles[index]]
        return self._cells([index])

    def chord(self, cell: tuple[int, int]) -> tuple[Cell, ...]:
        """Open all neighbours without a flag, if as many carry one as the hint says.

        Returns the cells that changed.

        Raises:
            ValueError: There is no such cell.
        """
        index = self._index(cell)
        hint = self._tiles[index]
        around = self._around[index]
        if self._status.over or hint < 0 or hint != sum(self._tiles[i] == FLAG for i in around):
            return ()
        return self._reveal([i for i in around if self._tiles[i] in (COVERED, QUESTION)])

    def _reveal(self, cells: list[int]) -> tuple[Cell, ...]:
        hit = [index for index in cells if self._hints[index] == MINE]
        changed = []
        queue = [index for index in cells if self._hints[index] != MINE]
        while queue:
            index = queue.pop()
            if self._tiles[index] not in (COVERED, QUESTION):
                continue
            self._tiles[index] = self._hints[index]
            changed.append(index)
            if not self._hints[index]:
                queue.extend(self._around[index])
        self._to_open -= len(changed)
        if hit:
            changed += self._lose(hit)
        elif not self._to_open:
            changed += self._win()
        return self._cells(changed)

    def _lose(self, hit: list[int]) -> list[int]:
        self._status = Status.LOST
        shown = dict.fromkeys(hit, EXPLODED)
        for index, tile in enumerate(self._tiles):
            if self._hints[index] == MINE and tile in (COVERED, QUESTION):
                shown.setdefault(index, MINE)
            elif self._hints[index] != MINE and tile == FLAG:
                shown[index] = MISFLAG
        return self._show(shown)

    def _win(self) -> list[int]:
        self._status = Status.WON
        return self._show(
            {
                i: FLAG
                for i, hint in enumerate(self._hints)
                if hint == MINE and self._tiles[i] != FLAG
            }
        )

    def _show(self, tiles: dict[int, int]) -> list[int]:
        for index, tile in tiles.items():
            self._tiles[index] = tile
        return list(tiles)

    def _draw(self, first: int) -> NDArray[np.bool_]:
        """Return the mines for a first click on cell `first`: (rows, cols) bool."""
        order = np.random.default_rng(self._seed).permutation(self.rows * self.cols)
        # Cells with more protection get a mine later.
        protection = np.zeros(order.size, np.int8)
        if self.first_click is FirstClick.ZERO:
            protection[list(self._around[first])] = 1
        if self.first_click is not FirstClick.NONE:
            protection[first] = 2
        order = order[np.argsort(protection[order], kind="stable")]
        layout = np.zeros(order.size, dtype=bool)
        layout[order[: self.mines]] = True
        return layout.reshape(self.rows, self.cols)

    def _place(self, layout: NDArray[np.bool_]) -> None:
        self._hints = hints_of(layout).ravel().tolist()

    def _index(self, cell: tuple[int, int]) -> int:
        row, col = check_cell(cell, self.rows, self.cols)
        return row * self.cols + col

    def _cells(self, indices: Iterable[int]) -> tuple[Cell, ...]:
        return tuple(Cell(*divmod(index, self.cols)) for index in indices)


def check_size(rows: int, cols: int, mines: int) -> None:
    """Check the size of a game.

    Raises:
        ValueError: The size or the number of mines is impossible.
    """
    if rows < 1 or cols < 1 or not 0 <= mines <= rows * cols:
        raise ValueError(f"{mines} mines on {cols} x {rows} cells are no game")


def check_cell(cell: tuple[int, int], rows: int, cols: int) -> Cell:
    """Return a position as a cell of a board.

    Raises:
        ValueError: There is no such cell.
    """
    row, col = cell
    if not (0 <= row < rows and 0 <= col < cols):
        where = Cell(row, col).position_text
        raise ValueError(f"{where} is not on a board of {cols} x {rows}")
    return Cell(row, col)


class Rules(Enum):
    """The two games, which differ in what a tile means and when a game is over."""

    CLASSIC = "classic"
    """Minesweeper: a mine ends the game, a zero opens its neighbours."""
    DIGGING = "digging"
    """Source 002's: a mine does not end the game, and each dig opens one cell (`bot.digging`)."""
