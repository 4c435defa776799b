"""Algorithm A and Algorithm B of source 002: find all mines with few digs.

A player is created for each game of `bot.digging.game`, as the algorithms keep sets between their
steps; one call is one step of the source's `performAI`. In its `Analysis`, `best` is the tile to
dig next, or None if the list is complete; `mines` are the deduced mines that are not dug; `safe`
are the deduced safe tiles.

Both algorithms compare the board with the last step to see what was dug, so they can also start
in the middle of a game.

Where the source is ambiguous:

- Whether Algorithm A may dig tiles that it deduced to be safe. `algorithm-a` never does: they leave
  its `unopenedSquares`. In `algorithm-a-loose` that set holds all tiles that are neither opened nor
  known mines, so a random probe may hit a safe one.
- What counts as found in Algorithm B. We count dug mines: its queue holds 'squares that we know are
  bombs but haven't opened yet', and it opens them one by one.
"""

from __future__ import annotations

import random
from collections.abc import Collection

import numpy as np

from bot.analysis import Analysis, Evidence, Limit, clip_estimate
from bot.board import Board, InconsistentBoard
from bot.solver.constraints import Constraint, System, system_of
from bot.solver.phrases import hint_name


class AlgorithmA:
    """Single hints ('obvious' clues), and a random probe if they decide nothing.

    Source: 002, Algorithm A, after D. Becerra's Double Set Single Point, 2015.
    """

    def __init__(self, seed: int, strict: bool = True) -> None:
        self._random = random.Random(seed)
        self._strict = strict
        self._method = "algorithm-a" if strict else "algorithm-a-loose"
        self._seen: set[int] = set()
        self.unopened: set[int] = set()
        """`unopenedSquares`, without tiles that are known."""
        self.bombs: set[int] = set()
        """`bombsFoundSoFar`, dug or deduced."""
        self.questionable: set[int] = set()
        """`questionableQueue`: hints that decided nothing so far."""
        self.probed: set[int] = set()
        """`probedQueue`: tiles that were dug and not processed yet."""
        self.safe: set[int] = set()
        """Deduced to be safe and not dug; not a set of the source."""

    def __call__(self, board: Board, limit: Limit | None = None) -> Analysis:
        """Return the next tile to dig.

        Raises:
            InconsistentBoard: The hints contradict each other.
            ValueError: A tile is unread.
            Cancelled: The user stopped.
        """
        limit = limit or Limit()
        limit.spent(0)
        system = system_of(board)
        hints = {rule.hint: rule for rule in system.constraints}
        self._update(system)
        self._process_probed(system, hints)
        while len(self.bombs) < board.mines and self._process_questionable(system, hints):
            limit.spent(0)
        if len(self.bombs) >= board.mines:
            return _final_analysis(system, self.bombs, self._method)
        reason = "a random probe: no single hint decides a tile"
        dig = self._probe_if_needed()
        return _analysis(system, dig, self.bombs, self.safe, self._method, reason)

    def _update(self, system: System) -> None:
        """Register what was dug since the last step."""
        covered = set(system.covered)
        opened = set(range(system.board.tiles.size)) - covered
        self.probed |= opened - self._seen
        if not self._seen:
            self.unopened = covered
        self._seen = opened
        self.unopened -= opened
        self.safe -= opened

    def _process_probed(self, system: System, hints: dict[int, Constraint]) -> None:
        """Sort what was dug: a mine, a 0 with safe neighbours, or a hint to process later."""
        tiles = system.board.tiles.ravel()
        for square in self.probed:
            if tiles[square] < 0:
                self.bombs.add(square)
            elif square in hints and tiles[square] == 0:
                self._clear(hints[square].cells)
            elif square in hints:
                self.questionable.add(square)
        self.probed = set()

    def _process_questionable(self, system: System, hints: dict[int, Constraint]) -> bool:
        """Decide the neighbours of each questionable hint if all are mines, or all safe.

        Returns:
            Whether any neighbour was decided.
        """
        decided = False
        for square in sorted(self.questionable):
            unmarked, owed = self._unmarked_neighbours(square, hints)
            if not 0 <= owed <= len(unmarked):
                raise _contradiction(system, square)
            if owed not in (0, len(unmarked)):
                continue
            if owed:
                self.bombs.update(unmarked)
                self.unopened.difference_update(unmarked)
            else:
                self._clear(unmarked)
            self.questionable.discard(square)
            decided = decided or bool(unmarked)
        return decided

    def _unmarked_neighbours(
        self, square: int, hints: dict[int, Constraint]
    ) -> tuple[list[int], int]:
        """Return the unknown neighbours, and how many of them are mines."""
        if square not in hints:
            return [], 0
        rule = hints[square]
        known = sum(cell in self.bombs for cell in rule.cells)
        return [cell for cell in rule.cells if cell in self.unopened], rule.mines - known

    def _clear(self, cells: Collection[int]) -> None:
        self.safe.update(cell for cell in cells if cell in self.unopened)
        self.unopened.difference_update(cells)

    def _probe_if_needed(self) -> int:
        """Choose any tile that is not opened; in the strict reading, an unknown one."""
        choice = self.unopened if self._strict else self.unopened | self.safe
        if not choice:
            raise InconsistentBoard(f"no tile is left for more than {len(self.bombs)} mines")
        return self._random.choice(sorted(choice))


def loose_algorithm_a(seed: int) -> AlgorithmA:
    """Create an Algorithm A that may probe tiles known to be safe."""
    return AlgorithmA(seed, strict=False)


class AlgorithmB:
    """Digs where one hint alone gives the highest probability of a mine, mines first of all.

    Source: 002, Algorithm B.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._method = "algorithm-b"
        self.queue: set[int] = set()
        """Known to be mines and not dug yet."""
        self.dont_open: set[int] = set()
        """Known to be safe: they are never dug."""

    def __call__(self, board: Board, limit: Limit | None = None) -> Analysis:
        """Return the next tile to dig.

        Raises:
            InconsistentBoard: The hints contradict each other.
            ValueError: A tile is unread.
            Cancelled: The user stopped.
        """
        (limit or Limit()).spent(0)
        system = system_of(board)
        covered = set(system.covered)
        self.queue &= covered
        self.dont_open &= covered
        if not system.mines:
            return _final_analysis(system, (), self._method)
        if self.queue:
            return self._next_dig(system, min(self.queue), "a known mine, still to be dug")
        highest = 0.0
        unrevealed: tuple[int, ...] = ()
        for rule in system.constraints:
            probability = self._calculate_probability(system, rule)
            if probability == 1:
                self.queue.update(self._openable(rule.cells))
                return self._next_dig(
                    system, min(self.queue), "the hint's unknown tiles are all mines"
                )
            if probability == 0:
                self.dont_open.update(rule.cells)
            elif probability > highest:
                highest, unrevealed = probability, rule.cells
        openable = self._openable(unrevealed)
        if openable:
            reason = f"the highest probability of a mine that one hint gives: {highest:.0%}"
            return self._next_dig(system, openable[0], reason)
        choice = self._openable(system.covered)
        if not choice:
            raise InconsistentBoard(f"no tile is left for {system.mines} mines")
        reason = "a random tile: no hint gives a probability"
        return self._next_dig(system, self._random.choice(choice), reason)

    def _calculate_probability(self, system: System, rule: Constraint) -> float:
        """Return the mines that a hint still needs, divided by the tiles that may hold them."""
        unrevealed = len(self._openable(rule.cells))
        if rule.mines > unrevealed:
            raise _contradiction(system, rule.hint)
        return rule.mines / unrevealed if unrevealed else 0.0

    def _openable(self, cells: Collection[int]) -> list[int]:
        return [cell for cell in cells if cell not in self.dont_open]

    def _next_dig(self, system: System, dig: int, reason: str) -> Analysis:
        return _analysis(system, dig, self.queue, self.dont_open, self._method, reason)


def _analysis(
    system: System,
    dig: int,
    mines: Collection[int],
    safe: Collection[int],
    method: str,
    reason: str,
) -> Analysis:
    """Return known tiles, the tile to dig, and the share of remaining mines for the others."""
    known = set(mines) & set(system.covered)
    unknown = len(system.covered) - len(known) - len(safe)
    share = clip_estimate((system.mines - len(known)) / max(unknown, 1))
    probability = np.where(system.board.unopened, share, np.nan)
    probability.ravel()[list(known)] = 1.0
    probability.ravel()[list(safe)] = 0.0
    cell = system.cell(dig)
    error = max(share, 1 - share) if unknown else 0.0
    evidence = Evidence(cells=(cell,))
    return Analysis(probability, cell, False, method, reason, error=error, evidence=evidence)


def _final_analysis(system: System, mines: Collection[int], method: str) -> Analysis:
    """Return the complete list: every other covered tile is safe.

    Raises:
        InconsistentBoard: It has more mines than the board.
    """
    known = set(mines) & set(system.covered)
    if len(known) != system.mines:
        raise InconsistentBoard(
            f"the hints need more mines than {system.board.mines}, the number of the board"
        )
    probability = np.where(system.board.unopened, 0.0, np.nan)
    probability.ravel()[list(known)] = 1.0
    reason = f"all {system.board.mines} mines are found"
    return Analysis(probability, None, True, method, reason, 1)


def _contradiction(system: System, square: int) -> InconsistentBoard:
    hint = system.cell(square)
    name = hint_name(system.board, hint)
    return InconsistentBoard(f"{name} contradicts what the other hints prove", [hint])
