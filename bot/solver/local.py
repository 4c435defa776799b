"""Single-square search, edge search, sub-edge search, and a guess near the sides.

Source: 003, step by step, each one only where the steps before found no safe cell:

1. *Single-square search*: a constraint that has all its mines, or no more squares than
   mines, settles its squares. Repeated until it makes no progress.
2. *Edge search* (`edges`): all possibilities of an edge, each counted once. A square's
   mine probability is the share of possibilities with a mine there.
3. *Sub-edge search* (`subedges`): the same for each maximal sub-edge of an edge longer
   than `maximum`. What is guaranteed in one of them is guaranteed; else a square gets
   the geometric mean of its mine probabilities.
4. The expected mines of all edges, and the mines of the board, give every non-edge cell
   (floating cell) the same estimate.
5. *Guessing*: the likeliest safe cell; among equals the one nearest to a side.

Its three 'potential improvements' are in as well, each switched on by `Improvements`:
backtracking and the cache of bad parts (`edges`), look-ahead (`settling`).

Where we differ: a mine that shows or was marked is no constraint, only subtracted from
those around it. Marks start empty on each board; the published program keeps its marks
from move to move, so that mines guaranteed by a sub-edge help its next single-square
search: here they do at once, and the search starts again. The source is silent on the
expected mines of an edge that was searched by sub-edges: we sum its probabilities.

Possibilities that weigh the same, the geometric mean and the estimate for non-edge cells
are no exact probabilities: `exact` is always False. What is called certain is certain,
since a sub-edge checks its own constraints alone and nothing here looks at the number of
mines on the board to prove anything. For the same reason it is not complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import prod
from typing import Final

import numpy as np

from bot.analysis import Analysis, Evidence, Limit, Solver
from bot.board import Board, InconsistentBoard
from bot.solver.constraints import Constraint, System, system_of
from bot.solver.edges import Edge, Improvements, Spent, Work, edges, possibilities
from bot.solver.guessing import likeliest_safe
from bot.solver.settling import Listed, best_guess
from bot.solver.subedges import maximal_sub_edges
from bot.solver.words import hint_name, hint_names

MAXIMUM: Final = 10
"""Squares in the longest edge that is searched as a whole; the source names no number."""
FEWEST: Final = 8
"""A single hint may touch as many squares: a smaller maximum would leave it out."""
PUBLISHED: Final = Improvements()
_UNPROVED: Final = 1e-6
"""Estimates stay this far from 0 and 1, which are reserved for proofs."""

_SINGLE: Final = "single-square search"
_EDGE: Final = "edge search"
_SUB_EDGE: Final = "sub-edge search"


@dataclass
class Found:
    """What the searches know of the covered cells."""

    system: System
    marks: dict[int, int] = field(default_factory=dict)
    """Guaranteed: 1 for a mine, 0 for a safe square."""
    because: dict[int, tuple[str, tuple[int, ...]]] = field(default_factory=dict)
    """The search that guaranteed a square, and its hints."""
    chances: dict[int, float] = field(default_factory=dict)
    """Mine probability of the edges' squares that are not guaranteed."""
    listed: list[Listed] = field(default_factory=list)
    """The edges that were searched as a whole."""
    nodes: int = 0

    def mark(self, square: int, value: int, search: str, hints: Iterable[Constraint]) -> None:
        """Note a guaranteed square.

        Raises:
            InconsistentBoard: The opposite is guaranteed as well.
        """
        if self.marks.setdefault(square, value) != value:
            raise self.impossible(hints)
        self.because.setdefault(square, (search, tuple(rule.hint for rule in hints)))

    def impossible(self, rules: Iterable[Constraint]) -> InconsistentBoard:
        """The error for constraints that have no possibility, and for what was marked in them."""
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
        """Whether a safe move is known."""
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
        board: What is visible; flags count as covered.
        limit: What may be spent; a node is one constraint looked at by the single-square
            search, one square of a possibility, or one node of the tree of sub-edges.
        maximum: Squares in the longest edge that is searched as a whole, at least 8.
        improvements: As published without any.
        method: The name in the registry.

    Raises:
        InconsistentBoard: A hint, an edge or a sub-edge has no possibility.
        ValueError: A tile is unread, or `maximum` is too small.
        Cancelled: The user stopped.
    """
    system = system_of(board)
    work = Work(limit or Limit())
    found = search(system, work, maximum, improvements)
    return _answer(system, found, improvements.lookahead, work, method)


VARIANTS: Final[dict[str, Solver]] = {
    "local": solve,
    **{
        name: partial(solve, improvements=improvements, method=name)
        for name, improvements in (
            ("local-backtracking", Improvements(backtracking=True)),
            ("local-cache", Improvements(cache=True)),
            ("local-lookahead", Improvements(lookahead=True)),
            ("local-improved", Improvements(backtracking=True, cache=True, lookahead=True)),
        )
    },
}
"""As published, with one improvement each, and with all three."""


def search(
    system: System, work: Work, maximum: int = MAXIMUM, improvements: Improvements = PUBLISHED
) -> Found:
    """Steps 1 to 3; beyond the limit, what was found so far.

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
    except Spent:
        pass
    found.nodes = work.nodes
    return found


def single_square_search(
    constraints: Sequence[Constraint], found: Found, work: Work
) -> list[Constraint]:
    """Mark what single constraints settle; what is left of the others.

    Raises:
        InconsistentBoard: A hint cannot be true.
        Spent: The limit is reached.
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
    """A constraint without its marked squares."""
    unknown = tuple([square for square in rule.cells if square not in marks])
    return Constraint(rule.hint, unknown, rule.mines - sum(marks.get(c, 0) for c in rule.cells))


def _search_edge(
    edge: Edge, maximum: int, improvements: Improvements, found: Found, work: Work
) -> bool:
    """Search one edge, as a whole or by its sub-edges; whether it was by sub-edges."""
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
    """The possibilities, and each square's share of them; what is guaranteed is marked.

    Raises:
        InconsistentBoard: There is none.
        Spent: The limit is reached.
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
    """The geometric mean of mine probabilities."""
    return float(prod(shares) ** (1 / len(shares)))


def _answer(system: System, found: Found, lookahead: bool, work: Work, method: str) -> Analysis:
    """Steps 4 and 5."""
    known = {**found.marks, **found.chances}
    rest = [cell for cell in system.covered if cell not in known]
    if sum(found.marks.values()) > system.mines:
        raise InconsistentBoard(
            f"the hints call for more mines than {system.board.mines}, which the board is said "
            f"to hold: is the number of mines right?"
        )
    non_edge = _inside((system.mines - sum(known.values())) / max(len(rest), 1))
    chances = {cell: float(known.get(cell, non_edge)) for cell in system.covered}
    probability = np.full(system.board.tiles.shape, np.nan)
    probability.ravel()[list(chances)] = list(chances.values())
    best, equals = likeliest_safe(probability)
    reason = "no cell is covered" if not chances else "every covered cell is a mine"
    evidence = Evidence()
    if best is not None:
        ahead = _ahead(system, found, chances, non_edge, work) if lookahead else None
        if ahead is not None and ahead != best:
            best = ahead
            reason = f"a guess: about {chances[best]:.1%} risk, the best with the next move here"
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


def _ahead(
    system: System, found: Found, chances: dict[int, float], non_edge: float, work: Work
) -> int | None:
    """What looking ahead prefers; None where a safe cell is known or the limit is reached."""
    if found.safe:
        return None
    try:
        return best_guess(system, chances, found.listed, non_edge, work)
    except Spent:
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
    return f"a guess {where}: about {chances[best]:.1%} risk of a mine here, {rank}"


def _inside(chance: float) -> float:
    return min(max(chance, _UNPROVED), 1 - _UNPROVED)
