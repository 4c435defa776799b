"""The visible board of a game.

A `Board` holds the tiles and the number of mines that the game announced. Its text form
round-trips (`Board.parse(str(board)) == board`) and is used by tests, recordings and bug reports:

    .  opened, no mine next to it (`0` is accepted too)     1-8  opened, a hint
    #  covered      F  flag      ?  question mark
    *  mine         !  exploded  x  wrong flag    ~  unread    o  opened, its hint unknown

Rows are written below each other (or separated by `/`); a last line `mines: N` says how
many mines the whole board holds; `mines: N, assumed` says that this number is not certain.
Positions in code and files are zero-based; sentences for a user count from 1
(`Cell.position_text`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

COVERED: Final = -1
FLAG: Final = -2
QUESTION: Final = -3
MINE: Final = -4
EXPLODED: Final = -5
MISFLAG: Final = -6
UNREAD: Final = -7
OPENED: Final = -8

TILE_CODES: Final = (*range(9), COVERED, FLAG, QUESTION, MINE, EXPLODED, MISFLAG, UNREAD, OPENED)
"""Every value that a tile can have."""

STATE_WORDS: Final[dict[int, str]] = {
    0: "empty",
    **{hint: str(hint) for hint in range(1, 9)},
    COVERED: "covered",
    FLAG: "flag",
    QUESTION: "question mark",
    MINE: "mine",
    EXPLODED: "exploded mine",
    MISFLAG: "wrong flag",
    OPENED: "opened, hint unknown",
}
"""The states of a tile, in the order in which they are offered."""

UNOPENED: Final = (COVERED, FLAG, QUESTION)
"""Tiles that a player may still open. Solvers ignore flags."""

_CHARACTERS: Final = {
    0: ".",
    **{hint: str(hint) for hint in range(1, 9)},
    COVERED: "#",
    FLAG: "F",
    QUESTION: "?",
    MINE: "*",
    EXPLODED: "!",
    MISFLAG: "x",
    UNREAD: "~",
    OPENED: "o",
}
_CODES: Final = {character: code for code, character in _CHARACTERS.items()} | {"0": 0}
_MINES_LABEL: Final = "mines:"
_ASSUMED: Final = ", assumed"


class Cell(NamedTuple):
    """A position on the board, zero-based, row first."""

    row: int
    col: int

    @property
    def position_text(self) -> str:
        """The position for a sentence, counted from 1: 'row 1, column 2'."""
        return f"row {self.row + 1}, column {self.col + 1}"


class InconsistentBoard(ValueError):
    """The board has no solution.

    Attributes:
        hints: The opened cells whose numbers contradict each other; empty if only the number
            of mines is wrong.
    """

    def __init__(self, message: str, hints: Iterable[Cell] = ()) -> None:
        super().__init__(message)
        self.hints = tuple(hints)


@dataclass(frozen=True, eq=False)
class Board:
    """The visible tiles and the number of mines."""

    tiles: NDArray[np.int8]
    """(rows, cols) int8, read-only: 0..8 or one of the negative tile codes."""
    mines: int
    """Mines on the whole board, including those already found."""
    assumed: bool = False
    """Whether `mines` is only assumed: a solver of the registry then proves nothing by it."""

    def __post_init__(self) -> None:
        tiles = np.array(self.tiles, dtype=np.int8)
        if tiles.ndim != 2 or tiles.size == 0:
            raise ValueError(f"a board has rows and columns; this one has shape {tiles.shape}")
        if tiles.min() < OPENED or tiles.max() > 8:
            raise ValueError("a tile is 0 to 8 or one of the tile codes of bot.board")
        if not 0 <= self.mines <= tiles.size:
            raise ValueError(
                f"{self.mines} mines do not fit on {tiles.shape[1]} x {tiles.shape[0]} cells"
            )
        tiles.flags.writeable = False
        object.__setattr__(self, "tiles", tiles)

    @classmethod
    def covered(cls, rows: int, cols: int, mines: int) -> Board:
        """Return a board on which nothing is opened."""
        return cls(np.full((rows, cols), COVERED, np.int8), mines)

    @classmethod
    def parse(cls, text: str, mines: int | None = None) -> Board:
        """Parse the text form.

        Args:
            text: The rows, and `mines: N` as the last one unless `mines` is given.
            mines: The number of mines; overrides the text.

        Raises:
            ValueError: No rows, rows of different length, an unknown character, or no
                number of mines; the message names the position.
        """
        rows = [line.strip() for line in text.replace("/", "\n").splitlines() if line.strip()]
        assumed = False
        if rows and rows[-1].startswith(_MINES_LABEL):
            announced = rows.pop().removeprefix(_MINES_LABEL).strip()
            assumed = mines is None and announced.endswith(_ASSUMED)
            announced = announced.removesuffix(_ASSUMED)
            mines = _number_of_mines(announced) if mines is None else mines
        if mines is None:
            raise ValueError("the number of mines is missing: add a last line 'mines: N'")
        if not rows:
            raise ValueError("a board's text has at least one row of tiles")
        for number, row in enumerate(rows):
            if len(row) != len(rows[0]):
                raise ValueError(f"row {number + 1} has {len(row)} tiles, row 1 has {len(rows[0])}")
            for col, character in enumerate(row):
                if character not in _CODES:
                    where = Cell(number, col).position_text
                    raise ValueError(f"unknown tile {character!r} in {where}")
        return cls(np.array([[_CODES[c] for c in row] for row in rows], np.int8), mines, assumed)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.tiles.shape[0])

    @property
    def cols(self) -> int:
        """Number of columns."""
        return int(self.tiles.shape[1])

    @property
    def unopened(self) -> NDArray[np.bool_]:
        """(rows, cols) bool: covered, flagged or marked with a question mark."""
        return (self.tiles <= COVERED) & (self.tiles >= QUESTION)

    @property
    def has_hints(self) -> bool:
        """Whether any cell shows a hint; if none does, the next click is the first one."""
        return bool((self.tiles >= 0).any())

    def __getitem__(self, cell: tuple[int, int]) -> int:
        return int(self.tiles[cell])

    def cells(self, *codes: int) -> Iterator[Cell]:
        """Yield the cells whose tile is one of `codes`, or all cells, row by row."""
        chosen = np.isin(self.tiles, codes) if codes else np.ones_like(self.tiles, dtype=bool)
        for row, col in np.argwhere(chosen):
            yield Cell(int(row), int(col))

    def around(self, cell: Cell) -> tuple[Cell, ...]:
        """Return the up to eight neighbours of a cell, row by row."""
        near = neighbours(self.rows, self.cols)[cell.row * self.cols + cell.col]
        return tuple(Cell(*divmod(index, self.cols)) for index in near)

    def rows_text(self) -> str:
        """Return the text of the tiles, one line per row."""
        return "\n".join("".join(_CHARACTERS[int(tile)] for tile in row) for row in self.tiles)

    def __str__(self) -> str:
        assumed = _ASSUMED if self.assumed else ""
        return f"{self.rows_text()}\n{_MINES_LABEL} {self.mines}{assumed}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        number = (self.mines, self.assumed) == (other.mines, other.assumed)
        return number and np.array_equal(self.tiles, other.tiles)

    def __hash__(self) -> int:
        return hash((self.mines, self.tiles.shape, self.tiles.tobytes()))


def _number_of_mines(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"'{_MINES_LABEL} {text}' is no number of mines")
    return int(text)


@cache
def neighbours(rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    """Return the up to eight neighbours of every cell, as flat indices `row * cols + col`.

    Cached: rules and solvers share this table.
    """
    return tuple(
        tuple(
            r * cols + c
            for r in range(max(row - 1, 0), min(row + 2, rows))
            for c in range(max(col - 1, 0), min(col + 2, cols))
            if (r, c) != (row, col)
        )
        for row in range(rows)
        for col in range(cols)
    )


def count_neighbours(mask: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Return how many of the up to eight neighbours of each cell are set.

    Args:
        mask: (..., rows, cols) bool: one or more boards.

    Returns:
        int8 of the same shape.
    """
    *boards, rows, cols = mask.shape
    padded = np.zeros((*boards, rows + 2, cols + 2), np.int8)
    padded[..., 1:-1, 1:-1] = mask
    across = padded[..., :-2] + padded[..., 1:-1] + padded[..., 2:]
    total: NDArray[np.int8] = across[..., :-2, :] + across[..., 1:-1, :] + across[..., 2:, :]
    return total - padded[..., 1:-1, 1:-1]
