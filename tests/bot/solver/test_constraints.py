"""Reading a board into constraints, and the simple deductions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from bot.board import Board
from bot.solver.constraints import Constraint, Contradiction, simplify, system_of
from bot.solver.published import enumeration
from tests.bot.solver.boards import possible_boards


@pytest.mark.parametrize(
    "rules",
    [
        [Constraint(9, (1, 2), 2), Constraint(8, (2, 1), 1)],
        [Constraint(9, (1, 2, 3), 1), Constraint(8, (1, 2), 2)],
        [Constraint(9, (1, 2, 3, 4), 1), Constraint(8, (1, 2), 1), Constraint(7, (3, 4), 1)],
    ],
)
def test_contradictions_are_found(rules: list[Constraint]) -> None:
    """By single hints, by equal sets of cells, by subtraction."""
    with pytest.raises(Contradiction):
        simplify(rules)


@settings(max_examples=60, deadline=None)
@given(possible_boards())
def test_simple_deduction_is_sound(board: Board) -> None:
    """Whatever it settles, the oracle calls certain; every cell has exactly one place."""
    system = system_of(board)
    simple = simplify(system.constraints)
    probability = enumeration.solve(board).mine_probability.ravel()
    for cell, value in simple.known.items():
        assert probability[cell] == value
    boxed = [cell for part in simple.components for box in part.boxes for cell in box]
    assert sorted([*boxed, *simple.known, *system.floating]) == list(system.covered)
