"""BruteSolve over the perimeter and along the fringe: the source's claims, counted."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from bot.analysis import Limit
from bot.board import Board, Cell
from bot.solver.constraints import Meter, system_of
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


@pytest.mark.parametrize("pairs", [30, 300])
def test_placements_come_one_at_a_time(pairs: int) -> None:
    """The first ones of 2^300 are there at once: a generator, as the source says of its own."""
    system = system_of(long_wall(pairs))
    meter = Meter(Limit())
    first = list(islice(backtrack(system, meter), 3))
    assert len(set(first)) == 3
    assert meter.nodes <= 3 * (pairs + 1)


def test_too_much_to_try_proves_nothing() -> None:
    """A perimeter too long, a fringe too long, a limit spent: the same honest answer."""
    too_long = solve_perimeter(long_wall(MOST_PERIMETER))
    too_deep = solve_backtracking(Board.parse("#1#x" * (MOST_FRINGE + 1), MOST_FRINGE + 1))
    spent = solve_backtracking(long_wall(30), Limit(nodes=1_000))
    for found in (too_long, too_deep, spent):
        assert not found.exact
        assert not found.safe
        assert not found.mines
        assert found.best == Cell(0, 0)
        assert found.reason.startswith("too many placements to try them all")
        assert np.nanmin(found.mine_probability) == np.nanmax(found.mine_probability) == 0.5
