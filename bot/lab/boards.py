"""Sets of boards: the same mines and the same first cell for every player.

A set is drawn by seed, or read from a file. A `BoardSpec` is one board as it is sent to a worker.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import Cell
from bot.digging.game import DigGame
from bot.game import FirstClick, Game, Level

MOST_CELLS: Final = 100 * 100
"""Cells of the largest board."""
_MOST_BYTES: Final = 1 << 28
"""Bytes of the largest file."""
_SIZE_WORDS: Final = ("rows", "cols", "mines")
_COLUMNS: Final = ("first_row", "first_col", "mines_hex")


class BoardFileError(ValueError):
    """A file of boards is invalid; the message names the file, the line and the reason."""


class ImpossibleBoards(ValueError):
    """A size, a number of mines or a number of boards is impossible."""


@dataclass(frozen=True)
class BoardSpec:
    """One board of a set."""

    number: int
    """The board's index in the set."""
    rows: int
    cols: int
    mines: int
    first: Cell
    """The cell that is opened first."""
    seed: int = 0
    """Places the mines unless `layout` is given; also seeds a player's random choices."""
    first_click: FirstClick = FirstClick.SAFE
    layout: int | None = None
    """The mines: bit `row * cols + col`; None if they follow from the seed."""

    def game(self) -> Game:
        """Return the game, before its first cell is opened."""
        if self.layout is None:
            return Game(self.rows, self.cols, self.mines, self.seed, self.first_click)
        return Game.from_mines(self._mines(self.layout))

    def dig_game(self) -> DigGame:
        """Return the game of digging on the same board, before the first dig."""
        if self.layout is None:
            return DigGame(self.rows, self.cols, self.mines, self.seed)
        return DigGame.from_mines(self._mines(self.layout))

    def _mines(self, layout: int) -> NDArray[np.bool_]:
        size = self.rows * self.cols
        octets = np.frombuffer(layout.to_bytes(-(-size // 8), "little"), np.uint8)
        bits = np.unpackbits(octets, count=size, bitorder="little")
        return bits.astype(bool).reshape(self.rows, self.cols)


@dataclass(frozen=True)
class BoardSet:
    """Boards of one size."""

    label: str
    """A name for users: a level, a size, a file."""
    rows: int
    cols: int
    mines: int
    count: int
    """Number of boards."""
    origin: str
    """Origin of the boards: a seed and a rule, or the digest of a file."""
    seed: int = 0
    first_click: FirstClick = FirstClick.SAFE
    layouts: Sequence[tuple[Cell, int]] = ()
    """First cell and mines of each board that was read from a file."""

    @property
    def key(self) -> str:
        """A key that identifies the boards, independent of their label and number."""
        return f"{self.cols}x{self.rows}/{self.mines}: {self.origin}"

    def spec(self, number: int) -> BoardSpec:
        """Return one board.

        Raises:
            IndexError: There are fewer boards.
        """
        if not 0 <= number < self.count:
            raise IndexError(f"board {number} of {self.count}")
        size = (self.rows, self.cols, self.mines)
        if self.layouts:
            first, layout = self.layouts[number]
            return BoardSpec(number, *size, first, number, FirstClick.NONE, layout)
        # Imported here, because it loads the solvers, which a list of boards does not need.
        from bot.solver.player import first_click  # noqa: PLC0415

        first = first_click(self.rows, self.cols, self.first_click)
        return BoardSpec(number, *size, first, self.seed + number, self.first_click)


def draw_boards(
    level: Level, count: int, seed: int = 0, first_click: FirstClick = FirstClick.SAFE
) -> BoardSet:
    """Return boards drawn by seed: board n by seed + n.

    Raises:
        ImpossibleBoards: The size, the number of mines or the number of boards is impossible.
    """
    rows, cols, mines = level.rows, level.cols, level.mines
    if not _possible(rows, cols, mines):
        raise ImpossibleBoards(f"{mines} mines on {cols} x {rows} cells are no game")
    if count < 1 or seed < 0:
        raise ImpossibleBoards(
            f"{count} boards from seed {seed}: at least one, from a seed of 0 or more"
        )
    origin = f"seeds from {seed}, first click {first_click.value}"
    return BoardSet(level.name, rows, cols, mines, count, origin, seed, first_click)


def read_boards(path: Path, count: int | None = None) -> BoardSet:
    """Read boards from a file: `# rows=R cols=C mines=M`, column names, then one board per line.

    The columns are `first_row`, `first_col` and `mines_hex` (an integer whose bit
    `row * cols + col` is set for a mine), rows and columns from 0; others are ignored.

    Args:
        path: The file.
        count: Number of boards to use from the start of the file; all by default.

    Raises:
        BoardFileError: The file cannot be read, or a line of it is wrong.
    """
    try:
        if not path.is_file():
            raise BoardFileError(f"{path} is not a file")
        if path.stat().st_size > _MOST_BYTES:
            raise BoardFileError(f"{path}: larger than {_MOST_BYTES >> 20} MB is no file of boards")
        content = path.read_bytes()
        lines = content.decode("ascii").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BoardFileError(f"{path}: cannot be read as a file of boards: {error}") from error
    rows, cols, mines = _size(path, lines[0] if lines else "")
    try:
        layouts = list(_layouts(path, lines[1:], rows, cols, mines))
    except csv.Error as error:
        raise BoardFileError(f"{path}: {error}") from error
    if not layouts:
        raise BoardFileError(f"{path}: there is no board in it")
    if count is not None and count > len(layouts):
        raise BoardFileError(f"{path}: holds {len(layouts)} boards, not {count}")
    digest = hashlib.sha256(content).hexdigest()[:16]
    number = len(layouts) if count is None else count
    return BoardSet(path.stem, rows, cols, mines, number, f"file {digest}", layouts=layouts)


def _possible(rows: int, cols: int, mines: int) -> bool:
    return min(rows, cols) >= 1 and rows * cols <= MOST_CELLS and 0 <= mines <= rows * cols


def _size(path: Path, line: str) -> tuple[int, int, int]:
    words = dict(word.partition("=")[::2] for word in line.removeprefix("#").split())
    sizes = [words.get(k, "") for k in _SIZE_WORDS]
    if not line.startswith("#") or not all(size.isdecimal() and len(size) < 10 for size in sizes):
        wanted = "'# rows=R cols=C mines=M' is wanted"
        raise BoardFileError(f"{path}, line 1: {wanted}, not {line[:80]!r}")
    rows, cols, mines = map(int, sizes)
    if not _possible(rows, cols, mines):
        raise BoardFileError(f"{path}, line 1: {mines} mines on {cols} x {rows} cells are no game")
    return rows, cols, mines


def _layouts(
    path: Path, lines: list[str], rows: int, cols: int, mines: int
) -> Iterator[tuple[Cell, int]]:
    table = csv.reader(lines)
    heading = next(table, [])
    missing = [column for column in _COLUMNS if column not in heading]
    if missing:
        raise BoardFileError(f"{path}, line 2: there is no column {missing[0]!r}")
    row_at, col_at, mines_at = (heading.index(column) for column in _COLUMNS)
    for number, fields in enumerate(table, start=3):
        where = f"{path}, line {number}"
        if len(fields) != len(heading):
            raise BoardFileError(f"{where}: {len(fields)} columns, {len(heading)} are wanted")
        try:
            first = Cell(int(fields[row_at]), int(fields[col_at]))
            layout = int(fields[mines_at], 16)
        except ValueError as error:
            raise BoardFileError(f"{where}: {error}") from error
        if not (0 <= first.row < rows and 0 <= first.col < cols):
            raise BoardFileError(
                f"{where}: row {first.row}, column {first.col} is not on it (a file counts from 0)"
            )
        if layout < 0 or layout.bit_length() > rows * cols or layout.bit_count() != mines:
            raise BoardFileError(f"{where}: holds {layout.bit_count()} mines, not {mines}")
        yield first, layout
