"""Numeric locations, a queue that propagates, and key points: the machinery of `consistency`.

Source: J. Little, 'The Minesweeper Algorithim - Explanation' (004). A *numeric location*
is a hint; it is incomplete while a cell around it is undecided. The number of mines on
the board, which the source does not know, is one more numeric location: it goes round in
the queue, and is never a key point.

Is this configuration consistent? Key points, and a queue that propagates.

Source: J. Little, 'The Minesweeper Algorithim - Explanation' (004), as published: the
hints are ranked by how many combinations of mines they can have (at most C(8, 4) = 70);
those that share the highest rank are the key points; the first combination of each that
propagation finds no fault with is kept; no key point is processed twice; until none is
left. So at most 70 N combinations are tried, with N hints.

Where this differs from the source, and why:

- The source holds the check to be polynomial *and* complete. It is polynomial; complete
  it cannot be, unless P = NP: consistency is NP-complete (R. Kaye, 2000). What it keeps of
  a key point may be the wrong combination. So there are three answers: *solved* (a placing
  is shown), *inconsistent* (a key point, or the queue, failed while everything placed so
  far was forced: a proof, and the hints it rests on are named), else *undecided*.
- To know whether a key point was forced, a second combination is looked for.
- The number of mines on the board is one more location in the queue.
- Fewest combinations first, and no choice before all hints were tried, are variants to
  measure (`Order`): `python -m tests.bench_consistency`.

The eye asks `impossible_hints` of every board that it has not seen before: which numbers,
as read, cannot all be true. What they say is not believed then (vision/following/tracking.py).
It presumes nothing of unread tiles, of flags and of the number of mines. A wrong number in the
middle of a game is nearly always out of place, and nearly always found, in about half the time
that the exact solver takes on the same board. An opened cell that was read as covered
contradicts no hint; a look at the zeros finds some of those. Figures: README.md beside this.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Analysis, Evidence, Limit
from bot.board import COVERED, EXPLODED, MINE, UNREAD, Board, Cell, InconsistentBoard
from bot.solver.constraints import System, system_of
from bot.solver.phrases import hint_names
from bot.solver.published.shares import Proof, settled_or_shared

UNKNOWN: Final = -1
_STEPS_BETWEEN_CHECKS: Final = 2_048
"""Looks at a numeric location between two looks at the limit: about a millisecond."""


class Order(Enum):
    """Which numeric locations become key points."""

    MOST = "most combinations first"
    """As published."""
    FEWEST = "fewest combinations first"
    """The opposite: a choice that is forced comes before one that is not."""
    PATIENT = "none is chosen before all are tried"
    """Ours: what all combinations but one contradict is settled first, wherever it is."""


class OutOfBudget(Exception):
    """The limit is reached."""


class Contradicted(Exception):
    """A numeric location cannot be right.

    Attributes:
        why: The numeric locations that are at odds, as a bit mask.
    """

    def __init__(self, why: int) -> None:
        super().__init__(why)
        self.why = why


class Configuration:
    """A board that is being filled with mines and 'no mine'.

    Args:
        system: The board.
        order: Which numeric locations become key points.
        count_mines: Whether the number of mines on the board is a numeric location too.
        limit: A node is one combination of one key point.
    """

    def __init__(
        self,
        system: System,
        order: Order = Order.MOST,
        *,
        count_mines: bool = True,
        limit: Limit | None = None,
    ) -> None:
        self._order = order
        self._limit = limit or Limit()
        self._cells = [rule.cells for rule in system.constraints]
        self._hints = len(self._cells)
        """Numeric locations before the number of mines."""
        self._owed = [rule.mines for rule in system.constraints]
        self._left = [len(rule.cells) for rule in system.constraints]
        self._on = {cell: system.touching.get(cell, ()) for cell in system.covered}
        self._because: dict[int, int] = {}
        self._trail: list[int] = []
        self.value = dict.fromkeys(system.covered, UNKNOWN)
        """1 for a mine, 0 for none, of every covered cell."""
        self.forced = True
        """Whether no choice was arbitrary so far."""
        self.tried = 0
        """Combinations tried."""
        self.key_points: list[int] = []
        """Those processed, in order."""
        if count_mines:
            self._on = {cell: (*on, self._hints) for cell, on in self._on.items()}
            self._cells.append(system.covered)
            self._owed.append(system.mines)
            self._left.append(len(system.covered))

    @property
    def mines_left(self) -> int:
        """Mines that no cell was given so far, where they are counted."""
        return self._owed[self._hints] if len(self._owed) > self._hints else 0

    def suppose(self, cells: Mapping[int, int]) -> tuple[int, dict[int, int]]:
        """Return what comes of deciding some cells; everything is taken back after.

        Returns:
            The numeric locations that are at odds, as a bit mask (0 if no contradiction was
            proved), and the value of every cell if all were decided (else empty).

        Raises:
            OutOfBudget: The limit is reached.
        """
        mark = len(self._trail)
        try:
            for cell, value in cells.items():
                self.place(cell, value, 0)
            self.propagate()
            return 0, self.filled() if self.complete() else {}
        except Contradicted as contradiction:
            return contradiction.why, {}
        finally:
            self._back(mark)
            self.forced = True

    def filled(self) -> dict[int, int]:
        """Return the value of every cell after `complete`: mines left go to the first cells."""
        values, mines = dict(self.value), self.mines_left
        for cell in self.value:
            if values[cell] == UNKNOWN:
                values[cell] = int(mines > 0)
                mines -= 1
        return values

    def place(self, cell: int, value: int, why: int) -> None:
        """Decide a cell, because of some numeric locations (a bit mask; 0 for an assumption)."""
        self.value[cell] = value
        self._because[cell] = why
        self._trail.append(cell)
        for i in self._on[cell]:
            self._left[i] -= 1
            self._owed[i] -= value

    def _back(self, mark: int) -> None:
        """Take away what was placed since the trail was so long."""
        while len(self._trail) > mark:
            cell = self._trail.pop()
            for i in self._on[cell]:
                self._left[i] += 1
                self._owed[i] += self.value[cell]
            self.value[cell] = UNKNOWN

    def because(self, cell: int) -> int:
        """Return the numeric locations that decided a cell, as a bit mask."""
        return self._because[cell]

    def propagate(self) -> None:
        """Source: the queue. Decide what single numeric locations decide.

        Raises:
            Contradicted: (1) An inconsistency has been detected.
            OutOfBudget: The limit is reached.
        """
        owed, left = self._owed, self._left
        queue = deque(i for i in range(len(left)) if left[i] or owed[i])
        unchanged = steps = 0
        while queue:  # (3) The queue has been cleared.
            if unchanged >= len(queue):  # (2) A full rotation without any changes.
                return
            steps += 1
            if not steps % _STEPS_BETWEEN_CHECKS:
                self._check()
            i = queue.popleft()
            if not 0 <= owed[i] <= left[i]:
                raise Contradicted(self._why(i))
            if owed[i] not in {0, left[i]}:
                queue.append(i)
                unchanged += 1
                continue
            blank = self._blank(i)
            if blank:
                unchanged = 0
                value, why = int(owed[i] > 0), self._why(i)
                for cell in blank:
                    self.place(cell, value, why)

    def complete(self) -> bool:
        """Process key points until none is left; False where that came to nothing.

        Raises:
            Contradicted: A key point supports no combination, and nothing before it was
                an arbitrary choice.
            OutOfBudget: The limit is reached.
        """
        if self._order is Order.PATIENT:
            self._force()
        while ranked := self._rank():
            for point in ranked:
                if self._left[point] and not self._process(point):
                    return False
        return True

    def refute(self) -> None:
        """Look for a contradiction, as `propagate` and `complete` do, and for nothing else.

        After the first choice that was not forced none would be a proof: it ends there.

        Raises:
            Contradicted: One was found.
            OutOfBudget: The limit is reached.
        """
        self.propagate()
        while self.forced and (ranked := self._rank()):
            for point in ranked:
                if self.forced and self._left[point]:
                    self._process(point)

    def _rank(self) -> list[int]:
        """Return the key points: the incomplete hints that share the highest rank."""
        number = {
            i: comb(self._left[i], self._owed[i]) for i in range(self._hints) if self._left[i]
        }
        choose = max if self._order is Order.MOST else min
        high = choose(number.values(), default=0)
        return [i for i in number if number[i] == high]

    def _process(self, point: int) -> bool:
        """Place the first valid combination of a key point; whether there is one."""
        self.key_points.append(point)
        valid, why = self._valid(point, 2 if self.forced else 1)
        if not valid:
            if self.forced:
                raise Contradicted(why)
            return False
        self.forced = self.forced and len(valid) == 1
        self._put(point, valid[0], why)
        return True

    def _force(self) -> None:
        """Settle every hint that supports only one combination, until none does."""
        changed = True
        while changed:
            changed = False
            number = [comb(self._left[i], self._owed[i]) for i in range(self._hints)]
            for point in sorted(range(self._hints), key=number.__getitem__):
                if not self._left[point]:
                    continue
                valid, why = self._valid(point, 2)
                if not valid:
                    raise Contradicted(why)
                if len(valid) == 1:
                    self._put(point, valid[0], why)
                    changed = True

    def _valid(self, point: int, most: int) -> tuple[list[tuple[int, ...]], int]:
        """Return the first combinations of mines that propagation accepts, at most `most`.

        Returns:
            Them, and the numeric locations that speak against the others.
        """
        valid = []
        own = self._why(point)
        why = own
        blank = self._blank(point)
        for mines in combinations(blank, self._owed[point]):
            self.tried += 1
            self._check()
            mark = len(self._trail)
            try:
                self._put(point, mines, own)
                valid.append(mines)
            except Contradicted as contradiction:
                why |= contradiction.why
            finally:
                self._back(mark)
            if len(valid) == most:
                break
        return valid, why

    def _put(self, point: int, mines: Sequence[int], why: int) -> None:
        for cell in self._blank(point):
            self.place(cell, int(cell in mines), why)
        self.propagate()

    def _blank(self, i: int) -> list[int]:
        return [cell for cell in self._cells[i] if self.value[cell] == UNKNOWN]

    def _why(self, i: int) -> int:
        """Return a numeric location, and all that decided the cells around it."""
        why = 1 << i
        for cell in self._cells[i]:
            if self.value[cell] != UNKNOWN:
                why |= self._because[cell]
        return why

    def _check(self) -> None:
        if self._limit.spent(self.tried):
            raise OutOfBudget


METHOD: Final = "consistency"


class Outcome(Enum):
    """What can be said of a configuration."""

    INCONSISTENT = "inconsistent"
    """Proved: no placing of the mines agrees with it."""
    SOLVED = "solved"
    """Proved: a placing that agrees is shown."""
    UNDECIDED = "undecided"
    """A choice that need not have been made came to nothing, or the limit was reached."""


@dataclass(frozen=True)
class Verdict:
    """The answer of `check`."""

    outcome: Outcome
    hints: tuple[Cell, ...] = ()
    """Inconsistent: hints that cannot all be true."""
    counted: bool = False
    """Inconsistent: whether the number of mines is part of the contradiction."""
    mines: tuple[Cell, ...] = ()
    """Solved: where the mines may be, all that are covered (on the perimeter alone, where
    the number of mines was left out)."""
    combinations: int = 0
    """Combinations that were tried."""
    key_points: tuple[Cell, ...] = ()
    """The key points processed, in order."""


def check(
    board: Board,
    limit: Limit | None = None,
    *,
    order: Order = Order.MOST,
    count_mines: bool = True,
) -> Verdict:
    """Return whether any placing of the mines agrees with a board.

    Args:
        board: What is visible.
        limit: What may be spent; a node is one combination of one key point.
        order: Which hints become key points.
        count_mines: Whether the number of mines on the board is known.

    Raises:
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    if not count_mines:
        board = _uncounted(board.tiles)
    try:
        system = system_of(board)
    except InconsistentBoard as impossible:
        return Verdict(Outcome.INCONSISTENT, impossible.hints, counted=not impossible.hints)
    configuration = Configuration(system, order, count_mines=count_mines, limit=limit)
    mines: tuple[Cell, ...] = ()
    why = 0
    try:
        configuration.propagate()
        outcome = Outcome.SOLVED if configuration.complete() else Outcome.UNDECIDED
    except Contradicted as contradiction:
        outcome, why = Outcome.INCONSISTENT, contradiction.why
    except OutOfBudget:
        outcome = Outcome.UNDECIDED
    if outcome is Outcome.SOLVED:
        mines = tuple(system.cell(c) for c, value in configuration.filled().items() if value)
    return Verdict(
        outcome,
        _hints(system, why),
        _counted(system, why),
        mines,
        configuration.tried,
        tuple(system.cell(system.constraints[i].hint) for i in configuration.key_points),
    )


def impossible_hints(board: Board, limit: Limit | None = None) -> tuple[Cell, ...]:
    """Hints of a board as it was read that cannot all be true; none if none were found.

    An unread tile may be anything, and the number of mines may be wrong. Those that `check`
    proves, and no more; nothing else is looked for, which takes half the time.

    Args:
        board: What was read.
        limit: What may be spent; a node is one combination of one key point.

    Raises:
        Cancelled: The user stopped.
    """
    tiles = np.where(board.tiles == UNREAD, np.int8(COVERED), board.tiles)
    try:
        system = system_of(_uncounted(tiles))
    except InconsistentBoard as impossible:
        return impossible.hints
    try:
        Configuration(system, count_mines=False, limit=limit).refute()
    except Contradicted as contradiction:
        return _hints(system, contradiction.why)
    except OutOfBudget:
        pass  # Nothing was proved.
    return ()


def _uncounted(tiles: NDArray[np.int8]) -> Board:
    """Return a board of whose mines nothing is known but those that show."""
    return Board(tiles, int(np.count_nonzero((tiles == MINE) | (tiles == EXPLODED))))


def solve(board: Board, limit: Limit | None = None) -> Analysis:
    """Analyse a board: a cell is safe if a mine there would be inconsistent, and the reverse.

    A cell of which neither is proved gets an estimate, as in `shares`.

    Raises:
        InconsistentBoard: The board was proved inconsistent (not every one is).
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    system = system_of(board)
    configuration = Configuration(system, limit=limit)
    try:
        configuration.propagate()
        _assume(system, configuration)
    except Contradicted as contradiction:
        raise _inconsistent(system, contradiction.why) from None
    except OutOfBudget:
        pass  # What was placed so far is proved.
    known = {cell: value for cell, value in configuration.value.items() if value != UNKNOWN}
    best = next((cell for cell in sorted(known) if not known[cell]), None)
    proofs = {} if best is None else {best: _proof(system, best, configuration.because(best))}
    return settled_or_shared(system, known, proofs, METHOD)


def _assume(system: System, configuration: Configuration) -> None:
    """Decide the cells of which one value is proved inconsistent, one cell after the other.

    A value that a placing was shown for needs no check.

    Raises:
        Contradicted: The board itself is.
        OutOfBudget: The limit is reached.
    """
    loose = system.floating
    why, placing = configuration.suppose({})
    if why:
        raise Contradicted(why)
    shown = set(placing.items())
    for cell in (*system.perimeter, *loose[:1]):
        # No hint tells one floating cell from another.
        alike = loose if cell in loose[:1] else (cell,)
        for value in (1, 0):
            decided = configuration.value[cell] != UNKNOWN
            if decided or any((other, value) in shown for other in alike):
                continue
            why, placing = configuration.suppose({cell: value})
            shown.update(placing.items())
            if why:
                for other in alike:
                    configuration.place(other, 1 - value, why)
                configuration.propagate()


def _hints(system: System, why: int) -> tuple[Cell, ...]:
    return tuple(system.cell(c.hint) for i, c in enumerate(system.constraints) if why >> i & 1)


def _counted(system: System, why: int) -> bool:
    """Return whether the number of mines is among the locations of a bit mask."""
    return bool(why >> len(system.constraints))


def _names(system: System, why: int) -> str:
    counted = ("the number of mines",) if _counted(system, why) else ()
    return hint_names(system.board, _hints(system, why), *counted)


def _inconsistent(system: System, why: int) -> InconsistentBoard:
    hints = () if _counted(system, why) else _hints(system, why)
    return InconsistentBoard(f"these cannot all be true: {_names(system, why)}", hints)


def _proof(system: System, cell: int, why: int) -> Proof:
    return Proof(
        f"safe: with a mine here these could not all be true: {_names(system, why)}",
        Evidence(_hints(system, why), (system.cell(cell),)),
    )
