"""Look-ahead: the guess that is best for this move and the next one on its edge.

Source: 003, 'Lookahead': a guess with a higher risk may win more if it 'removes any
future guesses from the current edge'. The source leaves it at that; this is one step of
it. For a square of an edge whose possibilities are listed,

    value = P(it is safe) x sum over what it may show of P(it shows that) x next

where `next` is how likely the following move *on this edge* is to survive: 1 if one of
its other squares is safe then, or all of them are certain (the edge is settled), else
what the safest of them is.

On each such edge the square of the highest value is the one to guess at. Where to guess
at all, on which edge or off the edges, is left to the risk, as published: every edge has
to be settled some time, and what is elsewhere does not change its value.

As everywhere in 003 the possibilities of an edge weigh the same, and uncertain neighbours
outside the edge hold mines independently of each other, with the non-edge probability.
So the values are estimates, as the probabilities are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb
from typing import NamedTuple

from bot.board import neighbours
from bot.solver.constraints import System
from bot.solver.edges import Work
from bot.solver.guessing import EQUAL, nearest_to_side


class Listed(NamedTuple):
    """An edge and its possibilities."""

    squares: tuple[int, ...]
    possible: list[int]
    """Bit masks of mines, bit i for square i."""


class _Seen(NamedTuple):
    """The possibilities in which a cell is safe and has a given number of mines on its edge."""

    number: int
    mines: list[int]
    """For each square, in how many of them it is a mine."""


def best_guess(
    system: System,
    chances: Mapping[int, float],
    listed: Sequence[Listed],
    non_edge: float,
    work: Work,
) -> int:
    """The least risk among the squares that are best on their edges, and all other cells.

    Among equals what is nearest to a side comes first, then row by row.

    Args:
        system: The board.
        chances: The mine probability of every covered cell; some are below 1, none is 0.
        listed: The edges whose possibilities are known.
        non_edge: Mine probability of a non-edge cell.
        work: A node of it is one square after one thing that a cell may show.

    Raises:
        Spent: The limit is reached.
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
    """P(safe) x sum of P(shown) x next, of a square of the edge.

    Raises:
        Spent: The limit is reached.
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
    """How likely the following move is to survive, from the other squares' chances to be safe."""
    if all(chance <= EQUAL for chance in safe):
        return 1.0
    return max(safe)


def _by_mines_around(system: System, edge: Listed, cell: int) -> dict[int, _Seen]:
    """The possibilities in which the cell is safe, by the mines of the edge that it touches."""
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
