"""The rules of the tests' own Minesweeper programs, and their reports.

The programs run with any interpreter that has their toolkit, such as Debian's: this module imports
nothing beside Python. They are started with the repository's folder in PYTHONPATH, as
`python3 -m tests.support.family.tk OPTIONS`.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Iterator

Cell = tuple[int, int]


def report(event: str, **values: object) -> None:
    """Write a line of JSON."""
    line = json.dumps({"event": event, "time": time.monotonic(), **values})
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class Game:
    """The rules. A cell is a pair (row, col).

    Args:
        rows: Number of rows.
        cols: Number of columns.
        count: Number of mines.
        zero: Whether the first cell has no mine beside it, either, if there is room.
        generator: Generates the mines when the first cell is opened.
        flood: The cells that an empty cell opens, as in `Options`.
        flags_to_win: Whether a game is won only when its mines are flagged, too.
    """

    def __init__(
        self,
        rows: int,
        cols: int,
        count: int,
        zero: bool,
        generator: random.Random,
        flood: str = "all",
        *,
        flags_to_win: bool = False,
    ) -> None:
        self._flood = flood
        self._flags_to_win = flags_to_win
        self.cells = [(row, col) for row in range(rows) for col in range(cols)]
        self.count = count
        self.mines: set[Cell] = set()
        self.opened: set[Cell] = set()
        self.flags: set[Cell] = set()
        self.hit: set[Cell] = set()
        self._zero = zero
        self._generator = generator

    @property
    def won(self) -> bool:
        """Whether every cell without a mine is open, and nothing else is left to do."""
        opened = not self.hit and len(self.opened) == len(self.cells) - self.count
        return opened and (not self._flags_to_win or self.flags == self.mines)

    @property
    def over(self) -> bool:
        """Whether the game was won or lost."""
        return self.won or bool(self.hit)

    def near(self, cell: Cell) -> Iterator[Cell]:
        """Return the neighbours of a cell."""
        (row, col), (rows, cols) = cell, self.cells[-1]
        for other in ((row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1)):
            if other != cell and 0 <= other[0] <= rows and 0 <= other[1] <= cols:
                yield other

    def hint(self, cell: Cell) -> int:
        """Return how many neighbours of a cell are mines."""
        return sum(near in self.mines for near in self.near(cell))

    def flag(self, cell: Cell) -> str:
        """Set or remove a flag."""
        if self.over or cell in self.opened:
            return "nothing"
        self.flags ^= {cell}
        return "flag" if cell in self.flags else "unflag"

    def open(self, cell: Cell) -> str:
        """Open a cell, and its area if it has no mine beside it."""
        if self.over or cell in self.opened or cell in self.flags:
            return "nothing"
        if not self.opened:
            kept = {cell, *self.near(cell)} if self._zero else {cell}
            free = [one for one in self.cells if one not in kept]
            if len(free) < self.count:
                free = [one for one in self.cells if one != cell]
            self.mines = set(self._generator.sample(free, self.count))
        waiting = [cell]
        while waiting:
            one = waiting.pop()
            if one in self.mines:
                self.hit.add(one)
            elif one not in self.opened:
                self.opened.add(one)
                if not self.hint(one):
                    waiting += [near for near in self._flooded(one) if near not in self.flags]
        return "open"

    def _flooded(self, cell: Cell) -> Iterator[Cell]:
        beside = {"all": 2, "orthogonal": 1, "none": 0}[self._flood]
        for near in self.near(cell):
            if abs(near[0] - cell[0]) + abs(near[1] - cell[1]) <= beside:
                yield near

    def chord(self, cell: Cell) -> str:
        """Open the neighbours of an open cell that has as many flags as mines beside it."""
        near = set(self.near(cell))
        closed = near - self.flags - self.opened
        wanted = self.hint(cell)
        if self.over or cell not in self.opened or not closed or len(near & self.flags) != wanted:
            return "nothing"
        for one in sorted(closed):
            self.open(one)
        return "chord"

    def sign(self, cell: Cell, marks: str) -> str:
        """Return a cell's content: a character of a board's text form."""
        if cell in self.opened:
            return str(self.hint(cell) or ".")
        if self.hit:
            if cell in self.hit:
                return "*" if marks == "plain" else "!"
            if cell in self.flags:
                return "x" if marks == "wrong" and cell not in self.mines else "F"
            return "*" if cell in self.mines else "#"
        flagged = cell in self.flags or (self.won and marks == "wrong")
        return "F" if flagged else "#"
