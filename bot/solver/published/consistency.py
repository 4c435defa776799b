"""Check whether a board is consistent: key points, and a queue that propagates decisions.

Source 004 (J. Little, 'The Minesweeper Algorithim - Explanation'). A *numeric location* is a hint;
it is incomplete while a covered cell around it is undecided. A queue decides the cells that a
single numeric location decides. If nothing changes any more, the hints are ranked by their number
of combinations of mines (at most C(8, 4) = 70); those with the highest rank are *key points*. The
first combination of each that causes no contradiction is kept. No key point is processed twice, so
N hints need at most 70 N combinations.

Differences from the source:

- The source claims that the check is polynomial *and* complete. It is polynomial, and not complete:
  the consistency of Minesweeper boards is NP-complete (R. Kaye, 2000), and the combination that is
  kept may be the wrong one. So there are three outcomes. *Solved*: a solution is shown.
  *Inconsistent*: a contradiction while everything decided so far was forced; that is a proof, and
  the hints behind it are named. *Undecided*: anything else.
- A second combination is looked for, to find out whether a key point was forced.
- The number of mines, which the source does not use, is one more numeric location in the queue. It
  is never a key point.

The reader calls `impossible_hints` for each new board (`vision/tracking/tile_reader.py`) and treats
the hints that it returns as unread. The check assumes nothing about unread tiles, flags and the
number of mines. It takes about half as long as the exact solver. bot/RESULTS.md says which misread
tiles it detects.
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
from bot.solver.constraints import OutOfBudget, System, system_of
from bot.solver.phrases import hint_names
from bot.solver.published.proofs import Proof, analysis_of_proofs

METHOD: Final = "consistency"
UNKNOWN: Final = -1
"""The value of an undecided cell."""
_STEPS_BETWEEN_CHECKS: Final = 2_048
"""Numeric locations taken from the queue between two checks of the limit: about a millisecond."""


class Outcome(Enum):
    """The result of `check`."""

    INCONSISTENT = "inconsistent"
    """Proved: no solution exists."""
    SOLVED = "solved"
    """Proved: a solution is shown."""
    UNDECIDED = "undecided"
    """A contradiction after an arbitrary choice, or the limit was reached."""


@dataclass(frozen=True)
class Verdict:
    """The result of `check` with its evidence."""

    outcome: Outcome
    hints: tuple[Cell, ...] = ()
    """If inconsistent: hints that cannot all be true."""
    counted: bool = False
    """If inconsistent: whether the number of mines is part of the contradiction."""
    mines: tuple[Cell, ...] = ()
    """If solved: the mines of one solution; only those on the perimeter if the number of mines was
    left out."""
    combinations: int = 0
    """Combinations that were tried."""
    key_points: tuple[Cell, ...] = ()
    """The key points in the order in which they were processed."""


def check(
    board: Board,
    limit: Limit | None = None,
    *,
    count_mines: bool = True,
) -> Verdict:
    """Check whether a board has a solution.

    Args:
        board: The visible board.
        limit: The budget; a node is one combination of one key point.
        count_mines: Whether the number of mines is known.

    Raises:
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    if not count_mines:
        board = _with_shown_mines_only(board.tiles)
    try:
        system = system_of(board)
    except InconsistentBoard as impossible:
        return Verdict(Outcome.INCONSISTENT, impossible.hints, counted=not impossible.hints)
    configuration = Configuration(system, count_mines=count_mines, limit=limit)
    mines: tuple[Cell, ...] = ()
    reasons = 0
    try:
        configuration.propagate()
        outcome = Outcome.SOLVED if configuration.complete() else Outcome.UNDECIDED
    except Contradicted as contradiction:
        outcome, reasons = Outcome.INCONSISTENT, contradiction.reasons
    except OutOfBudget:
        outcome = Outcome.UNDECIDED
    if outcome is Outcome.SOLVED:
        mines = tuple(system.cell(c) for c, value in configuration.solution().items() if value)
    return Verdict(
        outcome,
        _hints(system, reasons),
        _includes_mine_count(system, reasons),
        mines,
        configuration.tried,
        tuple(system.cell(system.constraints[i].hint) for i in configuration.key_points),
    )


def impossible_hints(board: Board, limit: Limit | None = None) -> tuple[Cell, ...]:
    """Return hints that cannot all be true; empty if no contradiction was found.

    An unread tile may be anything, and the number of mines may be wrong. Finds the contradictions
    that `check` finds, in half the time, as it looks for nothing else.

    Args:
        board: The board as it was read.
        limit: The budget; a node is one combination of one key point.

    Raises:
        Cancelled: The user stopped.
    """
    tiles = np.where(board.tiles == UNREAD, np.int8(COVERED), board.tiles)
    try:
        system = system_of(_with_shown_mines_only(tiles))
    except InconsistentBoard as impossible:
        return impossible.hints
    try:
        Configuration(system, count_mines=False, limit=limit).find_contradiction()
    except Contradicted as contradiction:
        return _hints(system, contradiction.reasons)
    except OutOfBudget:
        pass  # Nothing was proved.
    return ()


def _with_shown_mines_only(tiles: NDArray[np.int8]) -> Board:
    """Return a board whose number of mines is that of the visible ones."""
    return Board(tiles, int(np.count_nonzero((tiles == MINE) | (tiles == EXPLODED))))


def solve(board: Board, limit: Limit | None = None) -> Analysis:
    """Analyse a board: a cell is safe if a mine there is inconsistent, and a mine if safety is.

    A cell for which neither is proved gets an estimate (`proofs.estimate`).

    Raises:
        InconsistentBoard: The board was proved inconsistent (not every inconsistent board is).
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    system = system_of(board)
    configuration = Configuration(system, limit=limit)
    try:
        configuration.propagate()
        _decide_by_contradiction(system, configuration)
    except Contradicted as contradiction:
        raise _inconsistent(system, contradiction.reasons) from None
    except OutOfBudget:
        pass  # The cells decided so far are proved.
    known = {cell: value for cell, value in configuration.values.items() if value != UNKNOWN}
    best = next((cell for cell in sorted(known) if not known[cell]), None)
    proofs = {} if best is None else {best: _proof(system, best, configuration.reasons_of(best))}
    return analysis_of_proofs(system, known, proofs, METHOD)


def _decide_by_contradiction(system: System, configuration: Configuration) -> None:
    """Decide the cells for which one of the two values is inconsistent, one cell after another.

    A value that occurs in a solution found on the way needs no check.

    Raises:
        Contradicted: The board itself is inconsistent.
        OutOfBudget: The limit is reached.
    """
    floating = system.floating
    reasons, solution = configuration.try_values({})
    if reasons:
        raise Contradicted(reasons)
    possible = set(solution.items())
    for cell in (*system.perimeter, *floating[:1]):
        # No hint distinguishes the floating cells.
        alike = floating if cell in floating[:1] else (cell,)
        for value in (1, 0):
            decided = configuration.values[cell] != UNKNOWN
            if decided or any((other, value) in possible for other in alike):
                continue
            reasons, solution = configuration.try_values({cell: value})
            possible.update(solution.items())
            if reasons:
                for other in alike:
                    configuration.assign(other, 1 - value, reasons)
                configuration.propagate()


def _hints(system: System, reasons: int) -> tuple[Cell, ...]:
    """Return the hints among the numeric locations of a bit mask."""
    return tuple(system.cell(c.hint) for i, c in enumerate(system.constraints) if reasons >> i & 1)


def _includes_mine_count(system: System, reasons: int) -> bool:
    """Return whether the number of mines is among the numeric locations of a bit mask."""
    return bool(reasons >> len(system.constraints))


def _names(system: System, reasons: int) -> str:
    counted = ("the number of mines",) if _includes_mine_count(system, reasons) else ()
    return hint_names(system.board, _hints(system, reasons), *counted)


def _inconsistent(system: System, reasons: int) -> InconsistentBoard:
    hints = () if _includes_mine_count(system, reasons) else _hints(system, reasons)
    return InconsistentBoard(f"these cannot all be true: {_names(system, reasons)}", hints)


def _proof(system: System, cell: int, reasons: int) -> Proof:
    return Proof(
        f"safe: a mine here would contradict {_names(system, reasons)}",
        Evidence(_hints(system, reasons), (system.cell(cell),)),
    )


class Contradicted(Exception):
    """A numeric location cannot be right.

    Attributes:
        reasons: The numeric locations that contradict each other, as a bit mask.
    """

    def __init__(self, reasons: int) -> None:
        super().__init__(reasons)
        self.reasons = reasons


class Configuration:
    """A board whose covered cells are decided step by step.

    Numeric locations are numbered like the constraints of the system; the number of mines comes
    last. Reasons are sets of them, as bit masks.

    Args:
        system: The board.
        count_mines: Whether the number of mines is a numeric location too.
        limit: The budget; a node is one combination of one key point.
    """

    def __init__(
        self,
        system: System,
        *,
        count_mines: bool = True,
        limit: Limit | None = None,
    ) -> None:
        self._limit = limit or Limit()
        self._cells = [rule.cells for rule in system.constraints]
        self._hints = len(self._cells)
        """Numeric locations without the number of mines."""
        self._owed = [rule.mines for rule in system.constraints]
        """Mines that each numeric location still needs."""
        self._left = [len(rule.cells) for rule in system.constraints]
        """Undecided cells of each."""
        self._locations = {cell: system.touching.get(cell, ()) for cell in system.covered}
        self._reasons: dict[int, int] = {}
        self._trail: list[int] = []
        """Decided cells, in order."""
        self.values = dict.fromkeys(system.covered, UNKNOWN)
        """Of every covered cell: 1 for a mine, 0 for a safe cell, or UNKNOWN."""
        self.forced = True
        """Whether no choice was arbitrary so far."""
        self.tried = 0
        """Combinations tried."""
        self.key_points: list[int] = []
        """Those processed, in order."""
        if count_mines:
            self._locations = {c: (*at, self._hints) for c, at in self._locations.items()}
            self._cells.append(system.covered)
            self._owed.append(system.mines)
            self._left.append(len(system.covered))

    def try_values(self, values: Mapping[int, int]) -> tuple[int, dict[int, int]]:
        """Assign values to some cells, look for a contradiction or a solution, and undo all.

        Returns:
            The reasons of a proved contradiction (0 if there is none), and a solution (empty if
            none was found).

        Raises:
            OutOfBudget: The limit is reached.
        """
        mark = len(self._trail)
        try:
            for cell, value in values.items():
                self.assign(cell, value, 0)
            self.propagate()
            return 0, self.solution() if self.complete() else {}
        except Contradicted as contradiction:
            return contradiction.reasons, {}
        finally:
            self._undo(mark)
            self.forced = True

    def solution(self) -> dict[int, int]:
        """Return the values of all cells after `complete`; remaining mines go to the first ones."""
        values = dict(self.values)
        mines = self._owed[self._hints] if len(self._owed) > self._hints else 0
        for cell in self.values:
            if values[cell] == UNKNOWN:
                values[cell] = int(mines > 0)
                mines -= 1
        return values

    def assign(self, cell: int, value: int, reasons: int) -> None:
        """Decide a cell; `reasons` is 0 for an assumption."""
        self.values[cell] = value
        self._reasons[cell] = reasons
        self._trail.append(cell)
        for i in self._locations[cell]:
            self._left[i] -= 1
            self._owed[i] -= value

    def _undo(self, mark: int) -> None:
        """Undo the decisions since the trail had this length."""
        while len(self._trail) > mark:
            cell = self._trail.pop()
            for i in self._locations[cell]:
                self._left[i] += 1
                self._owed[i] += self.values[cell]
            self.values[cell] = UNKNOWN

    def reasons_of(self, cell: int) -> int:
        """Return the numeric locations that decided a cell."""
        return self._reasons[cell]

    def propagate(self) -> None:
        """Decide what single numeric locations decide (source: the queue).

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
                self._check_limit()
            i = queue.popleft()
            if not 0 <= owed[i] <= left[i]:
                raise Contradicted(self._reasons_at(i))
            if owed[i] not in {0, left[i]}:
                queue.append(i)
                unchanged += 1
                continue
            undecided = self._undecided(i)
            if undecided:
                unchanged = 0
                value, reasons = int(owed[i] > 0), self._reasons_at(i)
                for cell in undecided:
                    self.assign(cell, value, reasons)

    def complete(self) -> bool:
        """Process key points until none is left; return False after a failed arbitrary choice.

        Raises:
            Contradicted: A key point has no valid combination, and everything decided before was
                forced.
            OutOfBudget: The limit is reached.
        """
        while key_points := self._key_points():
            for point in key_points:
                if self._left[point] and not self._process(point):
                    return False
        return True

    def find_contradiction(self) -> None:
        """Propagate and process key points until the first choice that is not forced.

        A contradiction after that would be no proof.

        Raises:
            Contradicted: One was found.
            OutOfBudget: The limit is reached.
        """
        self.propagate()
        while self.forced and (key_points := self._key_points()):
            for point in key_points:
                if self.forced and self._left[point]:
                    self._process(point)

    def _key_points(self) -> list[int]:
        """Return the incomplete hints that share the highest rank."""
        number = {
            i: comb(self._left[i], self._owed[i]) for i in range(self._hints) if self._left[i]
        }
        highest = max(number.values(), default=0)
        return [i for i in number if number[i] == highest]

    def _process(self, point: int) -> bool:
        """Keep the first valid combination of a key point; return whether there is one."""
        self.key_points.append(point)
        valid, reasons = self._valid_combinations(point, 2 if self.forced else 1)
        if not valid:
            if self.forced:
                raise Contradicted(reasons)
            return False
        self.forced = self.forced and len(valid) == 1
        self._assign_combination(point, valid[0], reasons)
        return True

    def _valid_combinations(self, point: int, most: int) -> tuple[list[tuple[int, ...]], int]:
        """Return the first `most` combinations of mines that propagation accepts.

        Returns:
            The combinations, and the reasons that exclude the others.
        """
        valid = []
        own = self._reasons_at(point)
        reasons = own
        for mines in combinations(self._undecided(point), self._owed[point]):
            self.tried += 1
            self._check_limit()
            mark = len(self._trail)
            try:
                self._assign_combination(point, mines, own)
                valid.append(mines)
            except Contradicted as contradiction:
                reasons |= contradiction.reasons
            finally:
                self._undo(mark)
            if len(valid) == most:
                break
        return valid, reasons

    def _assign_combination(self, point: int, mines: Sequence[int], reasons: int) -> None:
        for cell in self._undecided(point):
            self.assign(cell, int(cell in mines), reasons)
        self.propagate()

    def _undecided(self, i: int) -> list[int]:
        return [cell for cell in self._cells[i] if self.values[cell] == UNKNOWN]

    def _reasons_at(self, i: int) -> int:
        """Return a numeric location together with everything that decided its cells."""
        reasons = 1 << i
        for cell in self._cells[i]:
            if self.values[cell] != UNKNOWN:
                reasons |= self._reasons[cell]
        return reasons

    def _check_limit(self) -> None:
        if self._limit.spent(self.tried):
            raise OutOfBudget
