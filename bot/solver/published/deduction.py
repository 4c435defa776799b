"""How far a human-like player has come on a board: hints seen, mines marked, cells revealed.

Source: the game G of J. Slagle, 'Minesweeper Solver Analysis', 2019 (000, 001), on which
the strategies of `deduction` flag and reveal. Only what shows a mine, and what was proved
to be one, is a mark.

The human-like player: seven strategies on one hint or two, and the points to look at next.

Source: J. Slagle, 'Minesweeper Solver Analysis', 2019 (000) and its revision (001), the
sections on human-like solving. The names are the source's, in lower case:

    p, p1, p2   points: cells that show a hint
    m, m1, m2   mines that a point still needs beyond those that are marked around it
    b, b1, b2   the blank cells around it: neither opened nor marked
    i           b1 & b2, the blank cells that two points share

Where this differs from the source, each with a test that shows the difference:

- `i_max` is the *least* of m1, m2 and |i|: an upper bound. Both texts write 'max', and
  then strategies 3 and 4 never flag anything, not even on the source's own 2-1 example.
- A point that was revealed this moment is looked at too, not only the revealed points
  beside it: with the pseudocode alone a hint opened singly waits for a change beside it.
- Marks are what was proved here: they start empty, and a flag on the screen is none.
- A contradiction that it meets on its way is an error. The source assumes a true board.
- The registered solver sees one board and opens nothing: a cell that a strategy reveals
  counts as proved safe, without a hint.

It is sound and not complete, as the source shows with the ring of eight 2s; it never
looks at the number of mines, but for a board with more marks than mines. A point is
looked at nine times at the most, in constant time: O(b) for b cells, in O(b) space.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from bot.analysis import Analysis, Evidence, Limit
from bot.board import EXPLODED, MINE, Board, Cell, InconsistentBoard, neighbours
from bot.solver.constraints import System, system_of
from bot.solver.phrases import hint_at, many
from bot.solver.published.shares import Proof, settled_or_shared

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
        """Return where HumanSolve begins."""
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
        """Return the error for points that can no longer get their mines, and for their causes."""
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


METHOD: Final = "human"
NOTHING: Final[Cells] = frozenset()


def strategy_1(m: int, b: Cells) -> Cells:
    """As many mines needed as cells are blank: flag all of b."""
    return b if m == len(b) else NOTHING


def strategy_2(m: int, b: Cells) -> Cells:
    """No mine needed: reveal all of b."""
    return b if m == 0 else NOTHING


def i_max(m1: int, b1: Cells, m2: int, b2: Cells) -> int:
    """Return the most mines that i can hold (the source's 'max' would be no bound)."""
    return min(m1, m2, len(b1 & b2))


def i_min(m1: int, b1: Cells, m2: int, b2: Cells) -> int:
    """Return the fewest mines that i must hold: what does not fit in the rest of b1, or of b2."""
    i = b1 & b2
    return max(m1 - len(b1 - i), m2 - len(b2 - i))


def strategy_3(m1: int, b1: Cells, m2: int, b2: Cells) -> Cells:
    """Return what i cannot hold of m1 fills the rest of b1: flag it."""
    i = b1 & b2
    return b1 - i if m1 - i_max(m1, b1, m2, b2) == len(b1 - i) else NOTHING


def strategy_4(m1: int, b1: Cells, m2: int, b2: Cells) -> Cells:
    """Return what i cannot hold of m2 fills the rest of b2: flag it."""
    i = b1 & b2
    return b2 - i if m2 - i_max(m1, b1, m2, b2) == len(b2 - i) else NOTHING


def strategy_5(m1: int, b1: Cells, m2: int, b2: Cells) -> Cells:
    """As many mines must lie in i as it has cells: flag i."""
    i = b1 & b2
    return i if i_min(m1, b1, m2, b2) == len(i) else NOTHING


def strategy_6(m1: int, b1: Cells, m2: int, b2: Cells) -> Cells:
    """Return all of m1 must lie in i: reveal the rest of b1."""
    i = b1 & b2
    return b1 - i if i_min(m1, b1, m2, b2) == m1 else NOTHING


def strategy_7(m1: int, b1: Cells, m2: int, b2: Cells) -> Cells:
    """Return all of m2 must lie in i: reveal the rest of b2."""
    i = b1 & b2
    return b2 - i if i_min(m1, b1, m2, b2) == m2 else NOTHING


ON_ONE: Final = ((1, strategy_1, Progress.flag_all), (2, strategy_2, Progress.reveal_all))
ON_TWO: Final = (
    (3, strategy_3, Progress.flag_all),
    (4, strategy_4, Progress.flag_all),
    (5, strategy_5, Progress.flag_all),
    (6, strategy_6, Progress.reveal_all),
    (7, strategy_7, Progress.reveal_all),
)
"""Each strategy by its number in the source, and what it does with the cells that it names."""


def apply_strategies(game: Progress, p: int) -> set[int]:
    """Source: ApplyStrategies. All seven on one point; the cells flagged or revealed by them.

    What a strategy flags or reveals, the next one already sees.

    Raises:
        InconsistentBoard: A contradiction was met.
    """
    just: set[int] = set()
    for number, strategy, act in ON_ONE:
        just |= act(game, strategy(game.m(p), game.b(p)), number, p)
    p1 = p
    for p2 in game.sharing(p1):
        m1, b1, m2, b2 = game.m(p1), game.b(p1), game.m(p2), game.b(p2)
        for number, strategy_of_two, act in ON_TWO:
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
    """Source: HumanSolve. Apply the strategies until none of them has anything left to do.

    Args:
        board: Where the game stands; at least one cell should be open.
        open_cell: Opens a cell of the game; without it, revealed cells show nothing.
        proved_mines: Marks to begin with. A wrong one makes everything else wrong.
        limit: What may be spent; a node is one call of `apply_strategies`, of which no
            point gets more than nine.

    Raises:
        InconsistentBoard: A contradiction was met (not every impossible board is noticed).
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
        active += to_look_at(game, just)
    return game


def to_look_at(game: Progress, just: set[int]) -> list[int]:
    """Return the points just revealed, and those beside a cell just revealed or flagged."""
    return sorted({q for cell in just for q in (cell, *game.around(cell)) if q in game.hints})


def solve(
    board: Board, limit: Limit | None = None, proved_mines: Iterable[tuple[int, int]] = ()
) -> Analysis:
    """Analyse one board with HumanSolve, opening nothing; what it leaves open is estimated.

    Raises:
        InconsistentBoard: A contradiction was met (not every impossible board is noticed).
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
            f"the hints and {many(board.mines, 'mine')} on the board contradict each other"
        )
    proofs = {
        cell: Proof(f"safe: {_words(fired)}", _evidence(system, fired, cell))
        for fired in game.fired
        if not fired.mines
        for cell in fired.cells
    }
    marking = [_words(fired) for fired in game.fired if fired.mines]
    return settled_or_shared(system, known, proofs, METHOD, "; ".join(marking[-1:]))


_BECAUSE: Final = {
    1: "as many mines are lacking as cells are left",
    2: "it has all its mines",
    3: "what the cells they share cannot hold of the first fills the rest of it",
    4: "what the cells they share cannot hold of the second fills the rest of it",
    5: "the cells they share must all be mines",
    6: "all mines that the first lacks lie in the cells they share",
    7: "all mines that the second lacks lie in the cells they share",
}


def _words(fired: Deduction) -> str:
    """'strategy 6 on the 1 at row 2, column 3 and the 2 at row 2, column 2: ...'."""
    points = " and ".join(fired.names)
    return f"strategy {fired.strategy} on {points}: {_BECAUSE[fired.strategy]}"


def _evidence(system: System, fired: Deduction, best: int) -> Evidence:
    cells = dict.fromkeys((best, *fired.cells))
    return Evidence(
        tuple(map(system.cell, fired.points)), tuple(system.cell(cell) for cell in cells)
    )
