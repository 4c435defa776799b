"""Numeric locations, a queue that propagates, and key points: the machinery of `consistency`.

Source: J. Little, 'The Minesweeper Algorithim - Explanation' (004). A *numeric location*
is a hint; it is incomplete while a cell around it is undecided. The number of mines on
the board, which the source does not know, is one more numeric location: it goes round in
the queue, and is never a key point.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import combinations
from math import comb
from typing import Final

from bot.analysis import Limit
from bot.solver.constraints import System

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
        """What comes of deciding some cells; everything is taken back after.

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
        """The value of every cell after `complete`: mines that are left go to the first cells."""
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
        """The numeric locations that decided a cell, as a bit mask."""
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
        """The key points: the incomplete hints that share the highest rank."""
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
        """The first combinations of mines that propagation finds no fault with, `most` at most.

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
        """A numeric location, and all that decided the cells around it."""
        why = 1 << i
        for cell in self._cells[i]:
            if self.value[cell] != UNKNOWN:
                why |= self._because[cell]
        return why

    def _check(self) -> None:
        if self._limit.spent(self.tried):
            raise OutOfBudget
