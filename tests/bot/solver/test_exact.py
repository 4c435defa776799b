"""Exact probabilities, against references and at the edges; test_contract has the oracle."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings

from bot.analysis import Limit
from bot.board import COVERED, Board, InconsistentBoard
from bot.metrics import hints_of
from bot.solver import exact
from bot.solver.explain import count_solutions, explain
from bot.solver.published import deduction
from tests.bot.solver.boards import any_boards, at_odds, board_of, positions

POSITIONS = positions("positions.jsonl")


@settings(max_examples=200, deadline=None)
@given(any_boards())
def test_no_hint_that_is_named_can_be_left_out(board: Board) -> None:
    """The hints in conflict are named, and only those that are needed for it."""
    try:
        exact.solve(board)
    except InconsistentBoard as impossible:
        hints = impossible.hints
    else:
        hints = ()
    for hint in hints:
        assert not at_odds(board, [other for other in hints if other != hint])


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position["id"])
def test_reference_positions(position: dict) -> None:
    """Probabilities within 1e-9, the same certain cells, the same number of solutions."""
    board = board_of(position)
    found = exact.solve(board, Limit(nodes=2_000_000))
    if position["mine_probability"] is None:
        assert found.best is not None
        return
    reference = np.array(position["mine_probability"])
    probability = found.mine_probability[board.unopened]
    assert np.abs(probability - reference).max() < 1e-9
    assert np.array_equal(probability == 0, reference == 0)
    assert np.array_equal(probability == 1, reference == 1)
    assert count_solutions(board, found) == int(position["solutions"])


def test_a_small_conflict_is_found_on_a_large_board() -> None:
    """One hint of a real Expert position is changed: few of its many hints are named."""
    board = board_of(POSITIONS[0])
    tiles = board.tiles.copy()
    tiles[12, 21] = 7
    with pytest.raises(InconsistentBoard) as caught:
        exact.solve(Board(tiles, board.mines))
    assert 1 <= len(caught.value.hints) <= 6
    assert all(abs(hint.row - 12) <= 4 and abs(hint.col - 21) <= 4 for hint in caught.value.hints)


WIDE = next(board_of(p) for p in POSITIONS if p["id"] == "stress-14")


@pytest.mark.parametrize("nodes", [0, 100, 2_000])
def test_beyond_its_limit_it_estimates(nodes: int) -> None:
    """No certainty that is not one, and an error that is no smaller than the true one."""
    reference = exact.solve(WIDE)
    found = exact.solve(WIDE, Limit(nodes=nodes))
    assert not found.exact
    assert count_solutions(WIDE, found) is None
    assert found.best is not None
    assert set(found.safe) <= set(reference.safe)
    assert set(found.mines) <= set(reference.mines)
    off = np.abs(found.mine_probability - reference.mine_probability)
    assert np.nanmax(off) <= found.error
    assert np.nanmean(off) < 0.05


def test_cached_components_change_no_answer() -> None:
    """A limit counts the same nodes whether a component was counted before or not."""
    limit = Limit(nodes=2_000)
    first = exact.solve(WIDE, limit)
    exact.solve(WIDE)
    again = exact.solve(WIDE, limit)
    assert np.array_equal(first.mine_probability, again.mine_probability, equal_nan=True)
    assert (first.exact, first.best) == (again.exact, again.best)
    assert explain(WIDE, first) == explain(WIDE, again)


@pytest.mark.parametrize("mines", [1, 500, 1_800, 5_000, 9_990])
def test_large_boards_keep_their_precision(mines: int) -> None:
    """100x100 with one hint: 8 cells share one mine, the others share the rest."""
    tiles = np.full((100, 100), -1, np.int8)
    tiles[50, 50] = 1
    found = exact.solve(Board(tiles, mines))
    assert found.mine_probability[50, 51] == pytest.approx(1 / 8, rel=1e-13)
    loose = (mines - 1) / (10_000 - 9)
    assert found.mine_probability[0, 0] == pytest.approx(loose, rel=1e-12)


def test_extreme_numbers_of_mines_keep_their_precision() -> None:
    """In each of 500 groups the middle cell is a mine, or both others are: M counts them."""
    row = "x".join(["#1#1#"] * 20)
    board = Board.parse("/".join([row, "x" * len(row)] * 25), 500)
    for mines in (500, 501, 750, 999, 1_000):
        board = Board(board.tiles, mines)
        found = exact.solve(board)
        middle = (1_000 - mines) / 500
        assert found.mine_probability[0, 2] == pytest.approx(middle, rel=1e-12)
        assert found.mine_probability[48, 118] == pytest.approx(1 - middle, rel=1e-12)
        assert count_solutions(board, found) == comb(500, mines - 500)
        assert len(found.safe) == {500: 1_000, 1_000: 500}.get(mines, 0)


def test_beyond_the_limit_what_two_hints_prove_stays_certain() -> None:
    """A component too wide to count, and all that deduction finds in it."""
    rng = np.random.default_rng(0)
    layout = rng.random((50, 50)) < 0.5
    hints = np.zeros_like(layout)
    hints[1::2, 1::2] = rng.random((25, 25)) < 0.9
    layout &= ~hints
    board = Board(np.where(hints, hints_of(layout), COVERED), int(layout.sum()))
    proved = deduction.solve(board)
    found = exact.solve(board)
    assert not found.exact
    assert len(proved.safe) + len(proved.mines) > 0
    assert set(proved.safe) <= set(found.safe)
    assert set(proved.mines) <= set(found.mines)
    assert not any(layout[cell] for cell in found.safe)
    assert all(layout[cell] for cell in found.mines)
