"""The solvers that try all placings, the oracle among them, on boards that can be counted by hand.

That of the perimeter and that along the fringe are BruteSolve, with the source's claims.
"""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from bot.analysis import Limit, Solver
from bot.board import Board, Cell
from bot.solver import SOLVERS, solver
from bot.solver.constraints import Meter, system_of
from bot.solver.published import enumeration
from bot.solver.published.placements import (
    MOST_FRINGE,
    MOST_PERIMETER,
    backtrack,
    solve_backtracking,
    solve_perimeter,
)


def long_wall(pairs: int) -> Board:
    """A row of pairs, each with one mine: 2^pairs placements."""
    return Board.parse("#1#x" * pairs, pairs)


def test_counted_by_hand() -> None:
    """A 1 with two cells beside it and two floating ones, two mines: 2 x 2 solutions."""
    found = enumeration.solve(Board.parse("#1###", 2))
    assert found.solutions == 4
    np.testing.assert_array_equal(found.mine_probability, [[0.5, np.nan, 0.5, 0.5, 0.5]])


def test_enumeration_tries_every_subset() -> None:
    """2 ** n of them, each once."""
    cells = [Cell(0, col) for col in range(5)]
    tried = list(enumeration.subsets(cells))
    assert len(tried) == len(set(tried)) == 32


@pytest.mark.parametrize("pairs", [30, 300])
def test_placements_come_one_at_a_time(pairs: int) -> None:
    """The first ones of 2^300 are there at once: a generator, as the source says of its own."""
    meter = Meter(Limit())
    first = list(islice(backtrack(system_of(long_wall(pairs)), meter), 3))
    assert len(set(first)) == 3
    assert meter.nodes <= 3 * (pairs + 1)


@pytest.mark.parametrize(
    ("solve", "board", "limit"),
    [
        (enumeration.solve, Board.covered(9, 10, 45), Limit()),
        (enumeration.solve, Board.covered(2, 5, 5), Limit(nodes=10)),
        (solve_perimeter, long_wall(MOST_PERIMETER), Limit()),
        (solve_backtracking, long_wall(MOST_FRINGE + 1), Limit()),
        (solve_backtracking, long_wall(30), Limit(nodes=1_000)),
    ],
)
def test_too_much_to_try_proves_nothing(solve: Solver, board: Board, limit: Limit) -> None:
    """Too many cells or hints, or a spent limit: the same honest answer."""
    found = solve(board, limit)
    assert (found.exact, found.safe, found.mines) == (False, (), ())
    assert found.error >= 0.5
    assert found.best == Cell(0, 0)
    assert "too many" in found.reason
    assert np.nanmin(found.mine_probability) == np.nanmax(found.mine_probability) == 0.5


def test_solvers_are_found_by_name() -> None:
    """A miss lists the names that there are."""
    assert solver("exact").name == "exact"
    assert all(name == info.name for name, info in SOLVERS.items())
    with pytest.raises(ValueError, match="no solver 'exakt'; there are: ") as miss:
        solver("exakt")
    assert str(miss.value).partition("there are: ")[2].split(", ") == list(SOLVERS)
