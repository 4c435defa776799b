"""BruteSolve over the perimeter and along the fringe: the source's claims, counted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from bot.analysis import Limit
from bot.board import Board, Cell
from bot.solver.constraints import Meter, system_of
from bot.solver.published import enumeration
from bot.solver.published.placements import (
    MOST_FRINGE,
    MOST_PERIMETER,
    Generator,
    Placement,
    backtrack,
    every_subset,
    solve_backtracking,
    solve_perimeter,
)
from tests.bot.solver.seeded import answered


def possible(count: int, seed: int) -> Iterator[Board]:
    """Boards that can be."""
    return (board for board, oracle in answered(count, seed) if oracle is not None)


def generated(board: Board, generator: Generator) -> tuple[list[Placement], int]:
    """All placements, and what they cost."""
    meter = Meter(Limit())
    return list(generator(system_of(board), meter)), meter.nodes


@pytest.mark.slow
def test_same_placements_at_three_costs() -> None:
    """2^b subsets of the board, 2^p of the perimeter, at most (f + 1) 2^p calls of SPHelper.

    What the oracle finds, cut down to the perimeter, is what the others find.
    """
    cheaper = total = 0
    for board in possible(300, seed=1):
        system = system_of(board)
        covered = [system.cell(cell) for cell in system.covered]
        perimeter = {system.cell(cell) for cell in system.perimeter}
        tried = list(enumeration.subsets(covered))
        everywhere = {
            placement & perimeter
            for placement in tried
            if enumeration.satisfactory(board, placement)
        }
        by_subsets, subsets = generated(board, every_subset)
        by_backtracking, calls = generated(board, backtrack)
        p, f = len(system.perimeter), len(system.constraints)
        assert (len(tried), subsets) == (2 ** len(covered), 2**p)
        assert calls <= (f + 1) * 2**p
        assert len(set(by_subsets)) == len(by_subsets)
        assert sorted(by_subsets, key=sorted) == sorted(by_backtracking, key=sorted)
        room = range(system.mines - len(system.floating), system.mines + 1)
        found = {frozenset(map(system.cell, x)) for x in by_subsets if len(x) in room}
        assert found == everywhere
        cheaper += calls < subsets
        total += 1
    assert cheaper > total / 4


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
