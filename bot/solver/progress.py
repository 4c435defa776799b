"""How far a human-like player has come on a board: hints seen, mines marked, cells revealed.

Source: the game G of J. Slagle, 'Minesweeper Solver Analysis', 2019 (000, 001), on which
the strategies of `deduction` flag and reveal. Only what shows a mine, and what was proved
to be one, is a mark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.board import EXPLODED, MINE, Board, Cell, InconsistentBoard, neighbours
from bot.solver.constraints import System
from bot.solver.words import hint_at

Cells = frozenset[int]
Open = Callable[[Cell], Iterable[tuple[Cell, int]]]
"""Opens a safe cell in the game; answers the cells that changed, each with what it shows."""


class Deduction(NamedTuple):
    """One strategy that fired."""

    strategy: int
    """1 to 7."""
    points: tuple[int, ...]
    """p, or p1 and p2, as flat indices."""
    names: tuple[str, ...]
    """The same in words."""
    mines: bool
    """Whether it flagged the cells; else it revealed them."""
    cells: tuple[int, ...]
    """What it settled, row by row, as flat indices."""


@dataclass
class Progress:
    """A board, and what was marked and revealed on it so far: the source's G."""

    board: Board
    open_cell: Open | None = None
    hints: dict[int, int] = field(default_factory=dict)
    """What each revealed point shows."""
    blank: set[int] = field(default_factory=set)
    """Cells neither revealed nor marked."""
    marks: set[int] = field(default_factory=set)
    """Mines: those that show, and those that were proved."""
    fired: list[Deduction] = field(default_factory=list)
    """What was done, in order."""

    @classmethod
    def of(
        cls, system: System, open_cell: Open | None, proved_mines: Iterable[tuple[int, int]]
    ) -> Progress:
        """Where HumanSolve begins."""
        board = system.board
        marks = {row * board.cols + col for row, col in proved_mines}
        game = cls(board, open_cell, blank=set(system.covered) - marks, marks=marks)
        for index, tile in enumerate(board.tiles.ravel().tolist()):
            game._show(index, tile)
        return game

    def m(self, p: int) -> int:
        """Mines that a point needs beyond those marked around it.

        Raises:
            InconsistentBoard: More than it has blank cells, or fewer than none.
        """
        m = self.hints[p] - sum(cell in self.marks for cell in self.around(p))
        if not 0 <= m <= len(self.b(p)):
            raise self.contradiction(p)
        return m

    def b(self, p: int) -> Cells:
        """The blank cells around a point."""
        return frozenset(self.blank.intersection(self.around(p)))

    def around(self, index: int) -> tuple[int, ...]:
        """The up to eight neighbours of a cell."""
        return neighbours(self.board.rows, self.board.cols)[index]

    def fringe(self) -> list[int]:
        """The points with a blank neighbour, row by row."""
        return [p for p in sorted(self.hints) if self.b(p)]

    def sharing(self, p1: int) -> list[int]:
        """The points that share a blank neighbour with p1, row by row."""
        near = {q for cell in self.b(p1) for q in self.around(cell) if q in self.hints}
        return sorted(near - {p1})

    def flag_all(self, cells: Cells, strategy: int, *points: int) -> Cells:
        """Source: flagAll. The cells that were marked by it."""
        if cells:
            self._note(cells, strategy, points, mines=True)
            self.marks |= cells
        return cells

    def reveal_all(self, cells: Cells, strategy: int, *points: int) -> Cells:
        """Source: revealAll. The cells that were revealed by it, those of a region included."""
        if not cells:
            return cells
        self._note(cells, strategy, points, mines=False)
        revealed = set(cells)
        for index in sorted(cells) if self.open_cell is not None else ():
            revealed |= self._open(index)
        return frozenset(revealed)

    def contradiction(self, *points: int) -> InconsistentBoard:
        """The error for points that can no longer get their mines, and for those behind it."""
        by = {cell: fired for fired in self.fired for cell in fired.cells}
        hints = list(dict.fromkeys(points))
        for p in hints:
            settled = [by[cell] for cell in self.around(p) if cell in by]
            hints += sorted({q for fired in settled for q in fired.points}.difference(hints))
        names = " and ".join(map(self._name, points))
        return InconsistentBoard(
            f"{names} cannot be, after what the hints nearby settle", map(self._cell, hints)
        )

    def _note(self, cells: Cells, strategy: int, points: tuple[int, ...], *, mines: bool) -> None:
        names = tuple(map(self._name, points))
        self.fired.append(Deduction(strategy, points, names, mines, tuple(sorted(cells))))
        self.blank -= cells

    def _open(self, index: int) -> set[int]:
        """Open a cell, unless a region that was opened just before has done so."""
        if self.open_cell is None or index in self.hints:
            return set()
        return {
            opened
            for (row, col), tile in self.open_cell(self._cell(index))
            if self._show(opened := row * self.board.cols + col, tile)
        }

    def _show(self, index: int, tile: int) -> bool:
        """Note what a cell shows; whether it is a hint."""
        if tile >= 0:
            self.hints[index] = tile
        elif tile in {MINE, EXPLODED}:
            self.marks.add(index)
        else:
            return False
        self.blank.discard(index)
        return tile >= 0

    def _cell(self, index: int) -> Cell:
        return Cell(*divmod(index, self.board.cols))

    def _name(self, p: int) -> str:
        return hint_at(self.hints[p], self._cell(p))
