"""Solve like a human player: seven strategies on one or two hints, applied until none fires.

Source: J. Slagle, 'Minesweeper Solver Analysis', 2019 (000) and its revision (001), the sections on
human-like solving. `Progress` is the source's game G. The names are the source's, in lower case:

    p, p1, p2   points: cells that show a hint
    m, m1, m2   mines that a point still needs beyond those marked around it
    b, b1, b2   the blank cells around it: neither opened nor marked
    i           b1 & b2, the blank cells that two points share

Differences from the source, each with a test:

- `i_max` is the *least* of m1, m2 and |i|, as it is an upper bound. Both texts write 'max'; then
  strategies 3 and 4 never flag anything, not even in the source's own 2-1 example.
- A point that was just revealed is processed too, not only the revealed points beside it. With the
  pseudocode alone, a hint that is opened singly waits for a change beside it.
- Marks are mines that show or were proved here. They start empty; a flag on the screen is no mark.
- A contradiction is an error. The source assumes a consistent board.
- The registered solver sees one board and opens nothing: a cell that a strategy reveals counts as
  proved safe, without a hint.

It is sound and not complete, as the source shows with the ring of eight 2s. It does not use the
number of mines, except to report a board with more marks than mines. A point is processed at most
nine times, in constant time: O(b) time and O(b) space for b cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from bot.analysis import Analysis, Evidence, Limit
from bot.board import EXPLODED, MINE, Board, Cell, InconsistentBoard, neighbours
from bot.solver.constraints import System, system_of
from bot.solver.phrases import hint_at, quantity
from bot.solver.published.proofs import Proof, analysis_of_proofs

Cells = frozenset[int]
Open = Callable[[Cell], Iterable[tuple[Cell, int]]]
"""Opens a safe cell in the game; returns the cells that changed, each with its tile code."""


class Deduction(NamedTuple):
    """One strategy that fired."""

    strategy: int
    """1 to 7."""
    points: tuple[int, ...]
    """p, or p1 and p2, as flat indices."""
    names: tuple[str, ...]
    """The names of the points for a sentence."""
    mines: bool
    """Whether it flagged the cells; else it revealed them."""
    cells: tuple[int, ...]
    """The cells that it flagged or revealed, row by row, as flat indices."""


@dataclass
class Progress:
    """A board with the marks and revealed cells so far: the source's game G."""

    board: Board
    open_cell: Open | None = None
    hints: dict[int, int] = field(default_factory=dict)
    """The hint of each revealed point."""
    blank: set[int] = field(default_factory=set)
    """Cells neither revealed nor marked."""
    marks: set[int] = field(default_factory=set)
    """Visible and proved mines."""
    fired: list[Deduction] = field(default_factory=list)
    """The deductions so far, in order."""

    @classmethod
    def of(
        cls, system: System, open_cell: Open | None, proved_mines: Iterable[tuple[int, int]]
    ) -> Progress:
        """Return the state in which HumanSolve begins."""
        board = system.board
        marks = {row * board.cols + col for row, col in proved_mines}
        game = cls(board, open_cell, blank=set(system.covered) - marks, marks=marks)
        for index, tile in enumerate(board.tiles.ravel().tolist()):
            game._show(index, tile)
        return game

    def m(self, p: int) -> int:
        """Return the mines that a point needs beyond those marked around it.

        Raises:
            InconsistentBoard: The number is negative or larger than the number of its blank cells.
        """
        m = self.hints[p] - sum(cell in self.marks for cell in self.around(p))
        if not 0 <= m <= len(self.b(p)):
            raise self.contradiction(p)
        return m

    def b(self, p: int) -> Cells:
        """Return the blank cells around a point."""
        return frozenset(self.blank.intersection(self.around(p)))

    def around(self, index: int) -> tuple[int, ...]:
        """Return the up to eight neighbours of a cell."""
        return neighbours(self.board.rows, self.board.cols)[index]

    def fringe(self) -> list[int]:
        """Return the points with a blank neighbour, row by row."""
        return [p for p in sorted(self.hints) if self.b(p)]

    def sharing(self, p1: int) -> list[int]:
        """Return the points that share a blank neighbour with p1, row by row."""
        near = {q for cell in self.b(p1) for q in self.around(cell) if q in self.hints}
        return sorted(near - {p1})

    def flag_all(self, cells: Cells, strategy: int, *points: int) -> Cells:
        """Mark cells as mines and return them (source: flagAll)."""
        if cells:
            self._note(cells, strategy, points, mines=True)
            self.marks |= cells
        return cells

    def reveal_all(self, cells: Cells, strategy: int, *points: int) -> Cells:
        """Reveal cells (source: revealAll); return them and the cells that zeros opened."""
        if not cells:
            return cells
        self._note(cells, strategy, points, mines=False)
        revealed = set(cells)
        for index in sorted(cells) if self.open_cell is not None else ():
            revealed |= self._open(index)
        return frozenset(revealed)

    def contradiction(self, *points: int) -> InconsistentBoard:
        """Return the error for points whose mines no longer fit; names all hints involved."""
        by = {cell: fired for fired in self.fired for cell in fired.cells}
        hints = list(dict.fromkeys(points))
        for p in hints:
            settled = [by[cell] for cell in self.around(p) if cell in by]
            hints += sorted({q for fired in settled for q in fired.points}.difference(hints))
        names = " and ".join(map(self._name, points))
        return InconsistentBoard(
            f"{names} cannot be true with what the hints nearby prove", map(self._cell, hints)
        )

    def _note(self, cells: Cells, strategy: int, points: tuple[int, ...], *, mines: bool) -> None:
        names = tuple(map(self._name, points))
        self.fired.append(Deduction(strategy, points, names, mines, tuple(sorted(cells))))
        self.blank -= cells

    def _open(self, index: int) -> set[int]:
        """Open a cell unless a zero has just opened it; return the cells that now show a hint."""
        if self.open_cell is None or index in self.hints:
            return set()
        return {
            opened
            for (row, col), tile in self.open_cell(self._cell(index))
            if self._show(opened := row * self.board.cols + col, tile)
        }

    def _show(self, index: int, tile: int) -> bool:
        """Register the tile of a cell; return whether it is a hint."""
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


METHOD: Final = "human"
NOTHING: Final[Cells] = frozenset()


def strategy_1(m: int, b: Cells) -> Cells:
    """Return b, to be flagged, if as many mines are needed as there are blank cells."""
    return b if m == len(b) else NOTHING


def strategy_2(m: int, b: Cells) -> Cells:
    """Return b, to be revealed, if no mine is needed."""
    return b if m == 0 else NOTHING


def i_max(m1: int, b1: Cells, m2: int, b2: Cells) -> int:
    """Return an upper bound of the mines in i (the source's 'max' would be no bound)."""
    return min(m1, m2, len(b1 & b2))


def i_min(m1: int, b1: Cells, m2: int, b2: Cells) -> int:
    """Return a lower bound of the mines in i: those that do not fit in the rest of b1, or of b2."""
    i = b1 & b2
    return max(m1 - len(b1 - i), m2 - len(b2 - i))


def strategy_3(m1: int, b1: Cells, m2: int, b2: Cells) -> Cells:
    """Return the rest of b1, to be flagged, if it must be full of mines."""
    i = b1 & b2
    return b1 - i if m1 - i_max(m1, b1, m2, b2) == len(b1 - i) else NOTHING


def strategy_4(m1: int, b1: Cells, m2: int, b2: Cells) -> Cells:
    """Return the rest of b2, to be flagged, if it must be full of mines."""
    i = b1 & b2
    return b2 - i if m2 - i_max(m1, b1, m2, b2) == len(b2 - i) else NOTHING


def strategy_5(m1: int, b1: Cells, m2: int, b2: Cells) -> Cells:
    """Return i, to be flagged, if it must be full of mines."""
    i = b1 & b2
    return i if i_min(m1, b1, m2, b2) == len(i) else NOTHING


def strategy_6(m1: int, b1: Cells, m2: int, b2: Cells) -> Cells:
    """Return the rest of b1, to be revealed, if all mines of m1 are in i."""
    i = b1 & b2
    return b1 - i if i_min(m1, b1, m2, b2) == m1 else NOTHING


def strategy_7(m1: int, b1: Cells, m2: int, b2: Cells) -> Cells:
    """Return the rest of b2, to be revealed, if all mines of m2 are in i."""
    i = b1 & b2
    return b2 - i if i_min(m1, b1, m2, b2) == m2 else NOTHING


ON_ONE: Final = (
    (1, strategy_1, Progress.flag_all, "it needs as many mines as it has cells left"),
    (2, strategy_2, Progress.reveal_all, "it has all its mines"),
)
"""The strategies on one point: the number in the source, the function, the action on the cells that
it returns, and the reason for the user. `bot.assist.patterns` names what they find."""
ON_TWO: Final = (
    (
        3, strategy_3, Progress.flag_all,
        "the mines of the first that the shared cells cannot hold fill its other cells",
    ),
    (
        4, strategy_4, Progress.flag_all,
        "the mines of the second that the shared cells cannot hold fill its other cells",
    ),
    (5, strategy_5, Progress.flag_all, "the shared cells must all be mines"),
    (
        6, strategy_6, Progress.reveal_all,
        "all mines that the first still needs are in the shared cells",
    ),
    (
        7, strategy_7, Progress.reveal_all,
        "all mines that the second still needs are in the shared cells",
    ),
)  # fmt: skip
"""The same on two points. There are no more: `bot/RESULTS.md` says how that was checked."""


def apply_strategies(game: Progress, p: int) -> set[int]:
    """Apply all strategies to one point; return the cells that were flagged or revealed.

    Each strategy uses the results of those before it. Source: ApplyStrategies.

    Raises:
        InconsistentBoard: A contradiction was found.
    """
    just: set[int] = set()
    for number, strategy, act, _ in ON_ONE:
        just |= act(game, strategy(game.m(p), game.b(p)), number, p)
    p1 = p
    for p2 in game.sharing(p1):
        m1, b1, m2, b2 = game.m(p1), game.b(p1), game.m(p2), game.b(p2)
        for number, strategy_of_two, act, _ in ON_TWO:
            if not b1 & b2:
                break
            if i_min(m1, b1, m2, b2) > i_max(m1, b1, m2, b2):
                raise game.contradiction(p1, p2)
            found = strategy_of_two(m1, b1, m2, b2)
            if found:
                just |= act(game, found, number, p1, p2)
                m1, b1, m2, b2 = game.m(p1), game.b(p1), game.m(p2), game.b(p2)
    return just


def human_solve(
    board: Board,
    open_cell: Open | None = None,
    *,
    proved_mines: Iterable[tuple[int, int]] = (),
    limit: Limit | None = None,
) -> Progress:
    """Apply the strategies until none fires. Source: HumanSolve.

    Args:
        board: The visible board; at least one cell should be open.
        open_cell: Opens a cell of the game; without it, revealed cells show no hint.
        proved_mines: Marks to begin with. A wrong one makes all results unreliable.
        limit: The budget; a node is one call of `apply_strategies`, at most nine for each point.

    Raises:
        InconsistentBoard: A contradiction was found (not every inconsistent board is detected).
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    limit = limit or Limit()
    game = Progress.of(system_of(board), open_cell, proved_mines)
    active = game.fringe()
    calls = 0
    while active and not limit.spent(calls):
        calls += 1
        p = active.pop()
        just = apply_strategies(game, p)
        active += points_to_process(game, just)
    return game


def points_to_process(game: Progress, just: set[int]) -> list[int]:
    """Return the points among cells just revealed or flagged, and those beside them."""
    return sorted({q for cell in just for q in (cell, *game.around(cell)) if q in game.hints})


def solve(
    board: Board, limit: Limit | None = None, proved_mines: Iterable[tuple[int, int]] = ()
) -> Analysis:
    """Analyse one board with HumanSolve, opening nothing; undecided cells are estimated.

    Raises:
        InconsistentBoard: A contradiction was found (not every inconsistent board is detected).
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    system = system_of(board)
    game = human_solve(board, proved_mines=proved_mines, limit=limit)
    covered = frozenset(system.covered)
    known = dict.fromkeys(sorted(game.marks & covered), 1)
    known |= dict.fromkeys(sorted(covered - game.marks - game.blank), 0)
    left = system.mines - sum(known.values())
    if not 0 <= left <= len(covered) - len(known):
        raise InconsistentBoard(
            f"the hints and {quantity(board.mines, 'mine')} on the board contradict each other"
        )
    proofs = {
        cell: Proof(f"safe: {_describe(fired)}", _evidence(system, fired, cell))
        for fired in game.fired
        if not fired.mines
        for cell in fired.cells
    }
    last_mines = next((_describe(fired) for fired in reversed(game.fired) if fired.mines), "")
    return analysis_of_proofs(system, known, proofs, METHOD, last_mines)


_BECAUSE: Final = {number: because for number, *_, because in (*ON_ONE, *ON_TWO)}


def _describe(fired: Deduction) -> str:
    """Return 'strategy 6 on the 1 at row 2, column 3 and the 2 at row 2, column 2: ...'."""
    points = " and ".join(fired.names)
    return f"strategy {fired.strategy} on {points}: {_BECAUSE[fired.strategy]}"


def _evidence(system: System, fired: Deduction, best: int) -> Evidence:
    cells = dict.fromkeys((best, *fired.cells))
    return Evidence(
        tuple(map(system.cell, fired.points)), tuple(system.cell(cell) for cell in cells)
    )
