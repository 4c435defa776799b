"""Search locally: single squares, edges, sub-edges of long edges, then a guess near the sides.

Source 003. An *edge* is a set of covered cells (its *squares*) that are joined by shared
constraints. A *possibility* places mines on the squares of an edge so that each of its constraints
is satisfied; it is a bit mask, bit i for square i. Each step is carried out only if the steps
before found no safe cell:

1. *Single-square search*: a constraint that has all its mines, or as many squares left as mines,
   decides its squares. Repeated until nothing changes.
2. *Edge search*: all possibilities of an edge, each with the same weight. A square's mine
   probability is the share of possibilities with a mine there.
3. *Sub-edge search*: the same for each maximal sub-edge of an edge with more than `maximum`
   squares. A *sub-edge* is the set of all squares of some of an edge's constraints; it is maximal
   if no further constraint fits. A square that is certain in one of them is certain; any other gets
   the geometric mean of its mine probabilities.
4. All non-edge (floating) cells get the same estimate, from the number of mines and the expected
   mines of all edges.
5. *Guessing*: the cell with the lowest risk; among equals the one nearest to a side.

`Improvements` switches on the source's 'potential improvements': backtracking and a cache of bad
parts for the possibilities, and look-ahead for the guess. Look-ahead: the source wants a guess that
'removes any future guesses from the current edge'. Here it compares, for each square of an edge,

    P(safe) x sum over the hints that it may show of P(hint) x P(the next move on this edge
    survives)

The next move survives if another square of the edge is safe then, or all are certain; otherwise
with the probability of the safest one. Each edge proposes its best squares; among these and all
other cells the lowest risk decides, as published.

Differences from the source:

- Visible and marked mines are no constraints; they are subtracted from the hints around them.
- Marks start empty on each board. The published program keeps them between moves, so that mines
  found in a sub-edge help its next single-square search; here the search starts again at once.
- The expected mines of an edge that was searched by sub-edges are the sum of its probabilities; the
  source does not define them.
- In the tree of sub-edges, a node's children add any constraint that shares a covered cell with the
  *sub-edge*. As published they are 'adjacent' to the node's own constraint, and 'adjacent' is not
  defined; constraints that fit would be left out. Constraints inside a sub-edge join at once, and a
  sub-edge that was reached before is not followed again. Neither changes the result; without them
  the tree contains all orders of each path.

Equal weights, the geometric mean and the estimate of step 4 are not exact: `exact` is always False.
Certain cells are certain, as a sub-edge uses its own constraints alone and the number of mines
proves nothing. For the same reason the search is not complete.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import comb, prod
from typing import Final, NamedTuple, TypeVar

import numpy as np

from bot.analysis import Analysis, Evidence, Limit, Solver, clip_estimate
from bot.board import Board, InconsistentBoard, neighbours
from bot.solver.constraints import Constraint, OutOfBudget, System, system_of
from bot.solver.phrases import hint_name, hint_names, percent
from bot.solver.safest_cell import EQUAL, likeliest_safe, nearest_to_side

_NODES_BETWEEN_CHECKS: Final = 1_024
"""Nodes between two checks of the limit: less than a millisecond."""
MAXIMUM: Final = 10
"""Most squares of an edge that is searched as a whole; the source names no number."""
FEWEST: Final = 8
"""Least allowed maximum: one hint may touch as many squares."""


class Edge(NamedTuple):
    """Squares and their constraints."""

    squares: tuple[int, ...]
    """Flat indices in the order of a breadth-first search: neighbours are near each other."""
    constraints: tuple[Constraint, ...]


@dataclass(frozen=True)
class Improvements:
    """Which 'potential improvements' of the source are used; none by default, as published."""

    backtracking: bool = False
    cache: bool = False
    lookahead: bool = False


class Work:
    """Counts the nodes of a search: one square decided, or one cache lookup each."""

    def __init__(self, limit: Limit) -> None:
        self._limit = limit
        self._next_check = 0
        self.nodes = 0

    def spend(self, nodes: int = 1) -> None:
        """Count nodes and check the limit.

        Raises:
            OutOfBudget: The limit is reached.
            Cancelled: The user stopped.
        """
        self.nodes += nodes
        if self.nodes >= self._next_check:
            self._next_check = self.nodes + _NODES_BETWEEN_CHECKS
            if self._limit.spent(self.nodes):
                raise OutOfBudget


def edges(constraints: Iterable[Constraint]) -> list[Edge]:
    """Group squares by shared constraints, with the source's search queue.

    As published, a known mine would be a 'surrounding known square', and a floating cell would be
    an edge of its own; `constraints` contains neither.
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
    """Return every possibility of the edge, smallest mask first.

    Raises:
        OutOfBudget: The limit is reached.
        Cancelled: The user stopped.
    """
    if improvements.backtracking:
        return sorted(_backtrack(_Counts(edge), improvements.cache, work))
    return list(_all_masks(_Counts(edge), improvements.cache, work))


class _Counts:
    """The source's temporary counts: the mines that each constraint of an edge still needs."""

    def __init__(self, edge: Edge) -> None:
        place = {square: number for number, square in enumerate(edge.squares)}
        self.owed = [constraint.mines for constraint in edge.constraints]
        self.at: list[list[tuple[int, int]]] = [[] for _ in edge.squares]
        """For each square its constraints, each with its number of later squares."""
        self.open_before: list[list[int]] = [[] for _ in edge.squares]
        """For each square the constraints that contain it or a later square."""
        for number, constraint in enumerate(edge.constraints):
            cells = sorted(place[cell] for cell in constraint.cells)
            for left, square in enumerate(reversed(cells)):
                self.at[square].append((number, left))
            for square in range(cells[-1] + 1):
                self.open_before[square].append(number)


def _all_masks(counts: _Counts, cache: bool, work: Work) -> Iterator[int]:
    """Test all masks from 0 to 2^n - 1, as published.

    With the cache, a mask that begins like one that was found bad is skipped.
    """
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
    """Subtract a mask's mines from the counts; return the first bad square, None if none is."""
    for square, constraints in enumerate(at):
        mine = mask >> square & 1
        for constraint, left in constraints:
            owed[constraint] -= mine
            if not 0 <= owed[constraint] <= left:
                return square
    return None


def _backtrack(counts: _Counts, cache: bool, work: Work) -> Iterator[int]:
    """Decide one square after another, and go back when a constraint cannot be satisfied.

    The same start never occurs twice, so the cache keeps counts without any completion.
    """
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


_T = TypeVar("_T")


@dataclass(eq=False)
class _Node:
    """A node of the tree of sub-edges."""

    constraint: int
    """The constraint that this node adds."""
    parent: _Node | None
    sub_edge: int = 0
    """Squares, as a bit mask: those of the parent, and once processed also its own."""
    adjacent: frozenset[int] = frozenset()
    """Constraints that share a square with them."""
    children: list[_Node] = field(default_factory=list)


def maximal_sub_edges(edge: Edge, most: int, work: Work) -> list[Edge]:
    """Return the maximal sub-edges, each with all constraints inside it.

    Args:
        edge: An edge with more than `most` squares.
        most: Most squares of a sub-edge; no constraint may have more.
        work: Counts the nodes of the tree.

    Raises:
        OutOfBudget: The limit is reached.
        Cancelled: The user stopped.
    """
    place = {square: 1 << number for number, square in enumerate(edge.squares)}
    masks = [sum(place[cell] for cell in rule.cells) for rule in edge.constraints]
    found = []
    for leaf, adjacent in without_subsets(_grow(edge, masks, most, work)).items():
        work.spend()
        inside = [number for number in sorted(adjacent) if not masks[number] & ~leaf]
        squares = {square for number in inside for square in edge.constraints[number].cells}
        found.append(
            Edge(
                tuple(sorted(squares, key=place.__getitem__)),
                tuple(edge.constraints[number] for number in inside),
            )
        )
    return found


def _grow(edge: Edge, masks: list[int], most: int, work: Work) -> dict[int, frozenset[int]]:
    """Build the tree; return the masks of its leaves with their adjacent constraints."""
    adjacent = _adjacent(edge)
    queue = deque(_Node(number, None) for number in range(len(masks)))
    reached: set[int] = set()
    nodes = []
    while queue:
        node = queue.popleft()
        work.spend()
        node.sub_edge |= masks[node.constraint]
        if node.sub_edge.bit_count() > most:
            if node.parent:
                node.parent.children.remove(node)
            continue
        if node.sub_edge in reached:
            continue
        reached.add(node.sub_edge)
        nodes.append(node)
        node.adjacent |= adjacent[node.constraint]
        node.children = [
            _Node(number, node, node.sub_edge, node.adjacent)
            for number in sorted(node.adjacent)
            if masks[number] & ~node.sub_edge
        ]
        queue.extend(node.children)
    return {node.sub_edge: node.adjacent for node in nodes if not node.children}


def _adjacent(edge: Edge) -> list[frozenset[int]]:
    """Return for each constraint those that share a square with it, including itself."""
    at: dict[int, list[int]] = {}
    for number, rule in enumerate(edge.constraints):
        for square in rule.cells:
            at.setdefault(square, []).append(number)
    return [
        frozenset(number for square in rule.cells for number in at[square])
        for rule in edge.constraints
    ]


def without_subsets(masks: Mapping[int, _T]) -> dict[int, _T]:
    """Return the masks that are no subset of another one, the largest first.

    The source compares all pairs. Here only masks that contain the lowest bit are compared.
    """
    kept: dict[int, list[int]] = {}
    result = {}
    for mask in sorted(masks, key=int.bit_count, reverse=True):
        if any(mask & ~other == 0 for other in kept.get(mask & -mask, ())):
            continue
        result[mask] = masks[mask]
        rest = mask
        while rest:
            kept.setdefault(rest & -rest, []).append(mask)
            rest &= rest - 1
    return result


class Listed(NamedTuple):
    """An edge and its possibilities."""

    squares: tuple[int, ...]
    possible: list[int]
    """Bit masks of mines, bit i for square i."""


class _Seen(NamedTuple):
    """The possibilities in which a cell is safe and touches a given number of mines of its edge."""

    number: int
    mines: list[int]
    """For each square the number of possibilities with a mine there."""


def best_guess(
    system: System,
    chances: Mapping[int, float],
    listed: Sequence[Listed],
    non_edge: float,
    work: Work,
) -> int:
    """Return the cell with the lowest risk among the best squares of edges and all other cells.

    Among equals the cell nearest to a side comes first, then row by row.

    Args:
        system: The board.
        chances: The mine probability of every covered cell; some are below 1, none is 0.
        listed: The edges whose possibilities are known.
        non_edge: Mine probability of a non-edge cell.
        work: Counts one node for each square and hint.

    Raises:
        OutOfBudget: The limit is reached.
        Cancelled: The user stopped.
    """
    rows, cols = system.board.rows, system.board.cols
    uncertain = {cell for cell in chances if 0 < chances[cell] < 1}
    on_edges = {square for edge in listed for square in edge.squares}
    choice = [cell for cell in chances if cell not in on_edges and chances[cell] < 1]
    for edge in listed:
        open_squares = [square for square in edge.squares if chances[square] < 1]
        if not open_squares:
            continue
        values = {
            square: value(system, uncertain, edge, square, non_edge, work)
            for square in open_squares
        }
        highest = max(values.values())
        choice += [square for square in open_squares if values[square] >= highest - EQUAL]
    least = min(chances[cell] for cell in choice)
    equals = [cell for cell in choice if chances[cell] <= least + EQUAL]
    return min(equals, key=lambda cell: (nearest_to_side(cell, rows, cols), cell))


def value(
    system: System,
    uncertain: set[int],
    edge: Listed,
    cell: int,
    non_edge: float,
    work: Work,
) -> float:
    """Return the look-ahead value of a square of an edge: the chance to survive two moves.

    Raises:
        OutOfBudget: The limit is reached.
        Cancelled: The user stopped.
    """
    seen = _by_mines_around(system, edge, cell)
    around = neighbours(system.board.rows, system.board.cols)[cell]
    outside = sum(c in uncertain and c not in edge.squares for c in around)
    binomial = [
        comb(outside, k) * non_edge**k * (1 - non_edge) ** (outside - k) for k in range(outside + 1)
    ]
    total = 0.0
    for shown in range(max(seen, default=0) + outside + 1):
        weights = {
            mines: binomial[shown - mines] for mines in seen if 0 <= shown - mines <= outside
        }
        number = sum(weight * seen[mines].number for mines, weight in weights.items())
        if not number:
            continue
        work.spend(len(edge.squares))
        safe = [
            1 - sum(weight * seen[mines].mines[place] for mines, weight in weights.items()) / number
            for place, square in enumerate(edge.squares)
            if square != cell
        ]
        total += number * _next(safe)
    return total / len(edge.possible)


def _next(safe: list[float]) -> float:
    """Return the chance to survive the following move, from the other squares' chances."""
    if all(chance <= EQUAL for chance in safe):
        return 1.0
    return max(safe)


def _by_mines_around(system: System, edge: Listed, cell: int) -> dict[int, _Seen]:
    """Group the possibilities in which a cell is safe by the mines around it."""
    around = neighbours(system.board.rows, system.board.cols)[cell]
    near = sum(1 << place for place, square in enumerate(edge.squares) if square in around)
    own = 1 << edge.squares.index(cell)
    seen: dict[int, _Seen] = {}
    for mask in edge.possible:
        if mask & own:
            continue
        mines = (mask & near).bit_count()
        number, mined = seen.get(mines, _Seen(0, [0] * len(edge.squares)))
        seen[mines] = _Seen(
            number + 1, [count + (mask >> place & 1) for place, count in enumerate(mined)]
        )
    return seen


PUBLISHED: Final = Improvements()

_SINGLE: Final = "single-square search"
_EDGE: Final = "edge search"
_SUB_EDGE: Final = "sub-edge search"


@dataclass
class Found:
    """The results of the searches."""

    system: System
    marks: dict[int, int] = field(default_factory=dict)
    """Certain squares: 1 for a mine, 0 for a safe one."""
    because: dict[int, tuple[str, tuple[int, ...]]] = field(default_factory=dict)
    """The search that proved a square, and its hints."""
    chances: dict[int, float] = field(default_factory=dict)
    """Mine probability of the edges' other squares."""
    listed: list[Listed] = field(default_factory=list)
    """The edges that were searched as a whole."""
    nodes: int = 0

    def mark(self, square: int, value: int, search: str, hints: Iterable[Constraint]) -> None:
        """Register a certain square.

        Raises:
            InconsistentBoard: The opposite is certain as well.
        """
        if self.marks.setdefault(square, value) != value:
            raise self.impossible(hints)
        self.because.setdefault(square, (search, tuple(rule.hint for rule in hints)))

    def impossible(self, rules: Iterable[Constraint]) -> InconsistentBoard:
        """Return the error for constraints without a possibility; names all hints involved."""
        around = {rule.hint: rule.cells for rule in self.system.constraints}
        found = list(dict.fromkeys(rule.hint for rule in rules))
        for hint in found:
            marked = [square for square in around[hint] if square in self.because]
            behind = {other for square in marked for other in self.because[square][1]}
            found += sorted(behind.difference(found))
        hints = [self.system.cell(hint) for hint in found]
        named = hint_names(self.system.board, hints)
        return InconsistentBoard(f"these hints cannot all be true: {named}", hints)

    @property
    def safe(self) -> bool:
        """Whether a safe square is known."""
        return 0 in self.marks.values()


def solve(
    board: Board,
    limit: Limit | None = None,
    maximum: int = MAXIMUM,
    improvements: Improvements = PUBLISHED,
    method: str = "local",
) -> Analysis:
    """Analyse a board.

    Args:
        board: The visible board; flags count as covered.
        limit: The budget; a node is one constraint in the single-square search, one square of a
            possibility, or one node of the tree of sub-edges.
        maximum: Most squares of an edge that is searched as a whole, at least `FEWEST`.
        improvements: None by default, as published.
        method: The name in the registry.

    Raises:
        InconsistentBoard: A hint, an edge or a sub-edge has no possibility.
        ValueError: A tile is unread, or `maximum` is too small.
        Cancelled: The user stopped.
    """
    system = system_of(board)
    work = Work(limit or Limit())
    found = search(system, work, maximum, improvements)
    return _analysis(system, found, improvements.lookahead, work, method)


def _variant(name: str, **improvements: bool) -> Solver:
    return partial(solve, improvements=Improvements(**improvements), method=name)


solve_backtracking: Final = _variant("local-backtracking", backtracking=True)
solve_cache: Final = _variant("local-cache", cache=True)
solve_lookahead: Final = _variant("local-lookahead", lookahead=True)
solve_improved: Final = _variant("local-improved", backtracking=True, cache=True, lookahead=True)


def search(
    system: System, work: Work, maximum: int = MAXIMUM, improvements: Improvements = PUBLISHED
) -> Found:
    """Carry out steps 1 to 3; beyond the limit, return the results so far.

    Raises:
        InconsistentBoard: A hint, an edge or a sub-edge has no possibility.
        ValueError: `maximum` is too small.
        Cancelled: The user stopped.
    """
    if maximum < FEWEST:
        raise ValueError(f"one hint may touch {FEWEST} squares: a maximum of {maximum} is too few")
    found = Found(system)
    try:
        while True:
            constraints = single_square_search(system.constraints, found, work)
            before = len(found.marks)
            if found.safe:
                break
            found.chances.clear()
            found.listed.clear()
            sub_edges = [
                _search_edge(edge, maximum, improvements, found, work)
                for edge in edges(constraints)
            ]
            if found.safe or len(found.marks) == before or not any(sub_edges):
                break
    except OutOfBudget:
        pass
    found.nodes = work.nodes
    return found


def single_square_search(
    constraints: Sequence[Constraint], found: Found, work: Work
) -> list[Constraint]:
    """Mark the squares that single constraints decide; return the reduced other constraints.

    Raises:
        InconsistentBoard: A hint cannot be true.
        OutOfBudget: The limit is reached.
        Cancelled: The user stopped.
    """
    rules = list(constraints)
    progress = True
    while progress:
        progress = False
        for rule in rules:
            work.spend()
            unknown = [square for square in rule.cells if square not in found.marks]
            owed = rule.mines - sum(found.marks.get(square, 0) for square in rule.cells)
            if not 0 <= owed <= len(unknown):
                raise found.impossible([rule])
            if unknown and owed in (0, len(unknown)):
                for square in unknown:
                    found.mark(square, 1 if owed else 0, _SINGLE, [rule])
                progress = True
    left = (_reduced(rule, found.marks) for rule in rules)
    return [rule for rule in left if rule.cells]


def _reduced(rule: Constraint, marks: dict[int, int]) -> Constraint:
    """Return a constraint without its marked squares."""
    unknown = tuple([square for square in rule.cells if square not in marks])
    return Constraint(rule.hint, unknown, rule.mines - sum(marks.get(c, 0) for c in rule.cells))


def _search_edge(
    edge: Edge, maximum: int, improvements: Improvements, found: Found, work: Work
) -> bool:
    """Search one edge; return whether it was searched by sub-edges."""
    if len(edge.squares) <= maximum:
        possible, chances = _check(edge, improvements, found, _EDGE, work)
        found.listed.append(Listed(edge.squares, possible))
        found.chances |= {c: p for c, p in chances.items() if c not in found.marks}
        return False
    reconciled: dict[int, list[float]] = {}
    for part in maximal_sub_edges(edge, maximum, work):
        _, chances = _check(part, improvements, found, _SUB_EDGE, work)
        for square, chance in chances.items():
            reconciled.setdefault(square, []).append(chance)
    for square, shares in reconciled.items():
        if square not in found.marks:
            found.chances[square] = geometric_mean(shares)
    return True


def _check(
    edge: Edge, improvements: Improvements, found: Found, name: str, work: Work
) -> tuple[list[int], dict[int, float]]:
    """Mark certain squares; return the possibilities and each square's mine probability.

    Raises:
        InconsistentBoard: There is no possibility.
        OutOfBudget: The limit is reached.
        Cancelled: The user stopped.
    """
    possible = possibilities(edge, improvements, work)
    if not possible:
        raise found.impossible(edge.constraints)
    chances = {
        square: sum(mask >> place & 1 for mask in possible) / len(possible)
        for place, square in enumerate(edge.squares)
    }
    for square, chance in chances.items():
        if chance in (0.0, 1.0):
            found.mark(square, int(chance), name, edge.constraints)
    return possible, chances


def geometric_mean(shares: Sequence[float]) -> float:
    """Return the geometric mean of mine probabilities."""
    return float(prod(shares) ** (1 / len(shares)))


def _analysis(system: System, found: Found, lookahead: bool, work: Work, method: str) -> Analysis:
    """Carry out steps 4 and 5."""
    known = {**found.marks, **found.chances}
    rest = [cell for cell in system.covered if cell not in known]
    if sum(found.marks.values()) > system.mines:
        raise InconsistentBoard(
            f"the hints call for more mines than {system.board.mines}, which the board is said "
            f"to hold: is the number of mines right?"
        )
    non_edge = clip_estimate((system.mines - sum(known.values())) / max(len(rest), 1))
    chances = {cell: float(known.get(cell, non_edge)) for cell in system.covered}
    probability = np.full(system.board.tiles.shape, np.nan)
    probability.ravel()[list(chances)] = list(chances.values())
    best, equals = likeliest_safe(probability)
    reason = "no cell is covered" if not chances else "every covered cell is a mine"
    evidence = Evidence()
    if best is not None:
        ahead = _lookahead_cell(system, found, chances, non_edge, work) if lookahead else None
        if ahead is not None and ahead != best:
            best = ahead
            reason = (
                f"a guess: about {percent(chances[best], 1)} risk, the best with the next move here"
            )
        else:
            reason = _why(system, found, chances, best, len(equals))
        hints = found.because.get(best, ("", ()))[1]
        evidence = Evidence(tuple(map(system.cell, hints)), (system.cell(best),))
    unproved = [max(p, 1 - p) for p in chances.values() if 0 < p < 1]
    return Analysis(
        probability,
        None if best is None else system.cell(best),
        False,
        method,
        reason,
        error=max(unproved, default=0.0),
        evidence=evidence,
    )


def _lookahead_cell(
    system: System, found: Found, chances: dict[int, float], non_edge: float, work: Work
) -> int | None:
    """Return the cell chosen by look-ahead; None beyond the limit or if a cell is safe."""
    if found.safe:
        return None
    try:
        return best_guess(system, chances, found.listed, non_edge, work)
    except OutOfBudget:
        return None


def _why(system: System, found: Found, chances: dict[int, float], best: int, equals: int) -> str:
    if best in found.because:
        search_name, hints = found.because[best]
        if search_name is _SINGLE:
            hint = hint_name(system.board, system.cell(hints[0]))
            return f"{_SINGLE}: {hint} has all its mines"
        return f"{search_name}: in no possibility for these {len(hints)} hints there is a mine here"
    where = "on an edge" if best in found.chances else "away from the edges"
    rank = "the least" if equals == 1 else f"the same in {equals} cells"
    return f"a guess {where}: about {percent(chances[best], 1)} risk of a mine here, {rank}"
