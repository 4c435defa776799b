"""BruteSolve over the perimeter and along the fringe: the source's claims, counted."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from itertools import combinations, islice

import numpy as np
import pytest

from bot.analysis import Limit, Solver
from bot.board import Board, Cell, InconsistentBoard
from bot.solver.constraints import Meter, System, system_of
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

REFUTES = Board.parse("111/1#1/111", 1)
RING = Board.parse("#####/#222#/#202#/#222#/#####", 8)


def possible(count: int, seed: int) -> Iterator[Board]:
    """Boards that can be."""
    return (board for board, oracle in answered(count, seed) if oracle is not None)


def generated(board: Board, generator: Generator) -> tuple[list[Placement], int]:
    """All placements, and what they cost."""
    meter = Meter(Limit())
    return list(generator(system_of(board), meter)), meter.nodes


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


def test_the_bound_of_the_source_is_refuted() -> None:
    """'At the beginning of each call placement stores a different subset': nine calls, not 2^1."""
    system = system_of(REFUTES)
    assert len(system.perimeter) == 1
    placements, calls = generated(REFUTES, backtrack)
    assert placements == [frozenset({4})]
    assert calls == 9 > 2**1
    assert calls <= (8 + 1) * 2**1


def test_fringe_and_perimeter_are_of_one_order() -> None:
    """001, claim 3: p <= 8 f and f <= 8 p."""
    for board in possible(300, seed=2):
        system = system_of(board)
        p, f = len(system.perimeter), len(system.constraints)
        assert p <= 8 * f
        assert f <= 8 * p


def test_ring_of_the_sources() -> None:
    """All 16 covered cells are settled by both, at 65,536 subsets and a few hundred calls."""
    for solve in (solve_perimeter, solve_backtracking):
        found = solve(RING)
        assert found.solutions == 1
        assert len(found.safe) + len(found.mines) == 16
    assert generated(RING, every_subset)[1] == 65_536
    assert generated(RING, backtrack)[1] < 500


def as_published(
    system: System, fresh: list[tuple[int, ...]], i: int, placement: set[int], returns: bool
) -> Iterator[set[int]]:
    """SPHelper with the placement itself, and its base case with or without `return`."""
    if i == len(system.constraints):
        yield placement
        if returns:
            return
    point = system.constraints[i]
    missing = point.mines - len(placement & set(point.cells))
    if missing == 0:
        yield from as_published(system, fresh, i + 1, placement, returns)
    elif missing > 0:
        for new_flags in combinations(fresh[i], missing):
            placement |= set(new_flags)
            yield from as_published(system, fresh, i + 1, placement, returns)
            placement -= set(new_flags)


def test_the_base_case_needs_a_return_and_a_copy() -> None:
    """Without the one it runs off the fringe; without the other every placement ends up empty."""
    system = system_of(Board.parse("##/x1", 1))
    fresh = [system.constraints[0].cells]
    with pytest.raises(IndexError):
        list(as_published(system, fresh, 0, set(), returns=False))
    assert list(as_published(system, fresh, 0, set(), returns=True)) == [set(), set()]
    assert list(backtrack(system, Meter(Limit()))) == [{0}, {1}]


def test_certain_flags_are_an_intersection() -> None:
    """`Mines := Mines | P`, as version 2 of 001 has it, would flag both cells of a 50/50."""
    board = Board.parse("##/x1", 1)
    placements, _ = generated(board, every_subset)
    perimeter = set(system_of(board).perimeter)
    assert perimeter.union(*placements) == {0, 1}
    assert perimeter.intersection(*placements) == set()
    assert solve_perimeter(board).mines == ()


@pytest.mark.parametrize("solve", [solve_perimeter, solve_backtracking])
def test_floating_cells_can_be_certain(solve: Solver) -> None:
    """Both texts claim that no certain move lies off the perimeter: the number of mines knows."""
    assert solve(Board.parse("1####", 1)).safe == (Cell(0, 2), Cell(0, 3), Cell(0, 4))
    assert solve(Board.parse("1####", 4)).mines == (Cell(0, 1), Cell(0, 2), Cell(0, 3), Cell(0, 4))


@pytest.mark.parametrize("solve", [solve_perimeter, solve_backtracking])
def test_no_placement_with_more_mines_than_are_left(solve: Solver) -> None:
    """Two hints that share a cell: with one mine in all it must be there."""
    board = Board.parse("#1#1#", 1)
    assert len(generated(board, backtrack)[0]) == 2
    found = solve(board)
    assert found.mines == (Cell(0, 2),)
    assert found.solutions == 1


@pytest.mark.parametrize("solve", [solve_perimeter, solve_backtracking])
@pytest.mark.parametrize(("text", "mines"), [("1#0", 1), ("1##1", 1), ("1#/##/##", 5)])
def test_no_placement_is_an_error(solve: Solver, text: str, mines: int) -> None:
    """As published, every cell would be flagged and revealed."""
    with pytest.raises(InconsistentBoard):
        solve(Board.parse(text, mines))


@pytest.mark.parametrize("solve", [solve_perimeter, solve_backtracking])
def test_floating_cells_are_weighed(solve: Solver) -> None:
    """Placements with fewer mines stand for more solutions: counted alike they would say 1/2."""
    found = solve(Board.parse("#1#1#" + "x####", 2))
    assert found.mine_probability[0, 2] == pytest.approx(4 / 5)
    assert found.mine_probability[0, 6] == pytest.approx(4 / 5 / 4)
    assert found.solutions == 5
    assert found.exact


def test_the_reason_counts() -> None:
    """How many of the solutions, and the hints around."""
    found = solve_backtracking(Board.parse("#1###", 2))
    assert found.reason == "50.0% of the 4 solutions left have a mine here, the same in 4 cells"
    assert found.evidence.hints == (Cell(0, 1),)
    found = solve_perimeter(Board.parse("*1#", 1))
    assert found.reason == "safe: a mine here is in none of the solutions left (1)"


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


def test_they_take_the_space_of_one() -> None:
    """O(p): thirty times the placements with twice the perimeter take no three times the memory."""
    peaks = []
    for pairs in (5, 10):
        system = system_of(long_wall(pairs))
        system.perimeter  # noqa: B018 - computed once, before it is measured
        tracemalloc.start()
        count = sum(1 for _ in backtrack(system, Meter(Limit())))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert count == 2**pairs
    assert peaks[1] < 3 * peaks[0]


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


def test_a_limit_with_nothing_covered() -> None:
    """Nothing is divided by no cell."""
    for solve in (solve_perimeter, solve_backtracking, enumeration.solve):
        assert solve(Board.parse("..", 0), Limit(nodes=0, seconds=0)).best is None
