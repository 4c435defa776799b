"""Edges, and what is possible on one: source 003's brute search with two of its improvements.

An *edge* is a set of covered cells (its *squares*, as the source says) joined by the
constraints that they share. A *possibility* places mines on the squares of an edge so
that each of its constraints is met; it is a bit mask, bit i for square i. The number of
mines on the board is not looked at.

There are three ways to the same possibilities:

- as published, all masks from 0 to 2^n - 1 are checked one after the other;
- with the cache of bad parts, a mask that begins like one that was found bad is skipped;
- with backtracking, squares are decided one after the other, and a bad start is left at
  once. A start never comes up twice there, so what the cache keeps is what a start
  leaves to be done: the constraints' temporary counts at a square.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.analysis import Limit
from bot.solver.constraints import Constraint

_CHECKED_EVERY = 1_024
"""Nodes between two looks at the limit: under a millisecond."""


class Spent(Exception):
    """The limit is reached."""


class Edge(NamedTuple):
    """Squares, and the constraints on them."""

    squares: tuple[int, ...]
    """In the order in which the search came to them: neighbours are near each other."""
    constraints: tuple[Constraint, ...]


@dataclass(frozen=True)
class Improvements:
    """Which of the source's 'potential improvements' are switched on; none as published."""

    backtracking: bool = False
    cache: bool = False
    lookahead: bool = False


class Work:
    """What a search has cost: a node is one square decided, or one look into the cache."""

    def __init__(self, limit: Limit) -> None:
        self._limit = limit
        self._next_look = 0
        self.nodes = 0

    def spend(self, nodes: int = 1) -> None:
        """Note so many more.

        Raises:
            Spent: The limit is reached.
            Cancelled: The user stopped.
        """
        self.nodes += nodes
        if self.nodes >= self._next_look:
            self._next_look = self.nodes + _CHECKED_EVERY
            if self._limit.spent(self.nodes):
                raise Spent


def edges(constraints: Iterable[Constraint]) -> list[Edge]:
    """Group squares by the constraints that they share, with the source's search queue.

    As published, a known mine would count as a 'surrounding known square' and a square
    that touches no constraint would be an edge of its own; `constraints` holds neither.
    """
    around: dict[int, list[Constraint]] = {}
    for constraint in constraints:
        for square in constraint.cells:
            around.setdefault(square, []).append(constraint)
    visited: set[int] = set()
    visited_constraints: set[int] = set()
    found = []
    for start in sorted(around):
        squares: list[int] = []
        known: list[Constraint] = []
        queue = deque([start] if start not in visited else ())
        while queue:
            current = queue.popleft()
            if current in visited:
                continue
            for constraint in around[current]:
                if constraint.hint not in visited_constraints:
                    visited_constraints.add(constraint.hint)
                    known.append(constraint)
                    queue.extend(constraint.cells)
            squares.append(current)
            visited.add(current)
        if squares:
            found.append(Edge(tuple(squares), tuple(known)))
    return found


def possibilities(edge: Edge, improvements: Improvements, work: Work) -> list[int]:
    """Every possibility of the edge, smallest mask first.

    Raises:
        Spent: The limit is reached.
        Cancelled: The user stopped.
    """
    if improvements.backtracking:
        return sorted(_backtrack(_Counts(edge), improvements.cache, work))
    return list(_all_masks(_Counts(edge), improvements.cache, work))


class _Counts:
    """The temporary counts of an edge's constraints: mines that each still owes."""

    def __init__(self, edge: Edge) -> None:
        place = {square: number for number, square in enumerate(edge.squares)}
        self.owed = [constraint.mines for constraint in edge.constraints]
        self.at: list[list[tuple[int, int]]] = [[] for _ in edge.squares]
        """For each square its constraints, and how many squares each has left after it."""
        self.open_before: list[list[int]] = [[] for _ in edge.squares]
        """For each square, the constraints that have it or reach beyond it."""
        for number, constraint in enumerate(edge.constraints):
            cells = sorted(place[cell] for cell in constraint.cells)
            for left, square in enumerate(reversed(cells)):
                self.at[square].append((number, left))
            for square in range(cells[-1] + 1):
                self.open_before[square].append(number)


def _all_masks(counts: _Counts, cache: bool, work: Work) -> Iterator[int]:
    """Check the integers from 0 to 2^n - 1, each until a count cannot come out at 0."""
    squares = len(counts.at)
    bad: list[set[int]] = [set() for _ in range(squares)]
    for mask in range(1 << squares):
        if cache and any(mask & (2 << last) - 1 in parts for last, parts in enumerate(bad)):
            work.spend()
            continue
        stopped = _decrement(mask, counts.owed.copy(), counts.at)
        if stopped is None:
            work.spend(squares)
            yield mask
        else:
            work.spend(stopped + 1)
            if cache:
                bad[stopped].add(mask & (2 << stopped) - 1)


def _decrement(mask: int, owed: list[int], at: Sequence[Sequence[tuple[int, int]]]) -> int | None:
    """Take the mask's mines off the counts; the square at which it turned out bad, if any."""
    for square, constraints in enumerate(at):
        mine = mask >> square & 1
        for constraint, left in constraints:
            owed[constraint] -= mine
            if not 0 <= owed[constraint] <= left:
                return square
    return None


def _backtrack(counts: _Counts, cache: bool, work: Work) -> Iterator[int]:
    """Decide square after square; go back where a constraint cannot be met any more."""
    bad: set[tuple[int, ...]] = set()
    owed = counts.owed.copy()

    def decide(square: int, mask: int) -> Iterator[int]:
        if square == len(counts.at):
            yield mask
            return
        key = (square, *(owed[constraint] for constraint in counts.open_before[square]))
        if cache and key in bad:
            return
        fruitless = True
        for mine in (0, 1):
            work.spend()
            for constraint, _ in counts.at[square]:
                owed[constraint] -= mine
            if all(0 <= owed[constraint] <= left for constraint, left in counts.at[square]):
                for found in decide(square + 1, mask | mine << square):
                    fruitless = False
                    yield found
            for constraint, _ in counts.at[square]:
                owed[constraint] += mine
        if cache and fruitless:
            bad.add(key)

    yield from decide(0, 0)
