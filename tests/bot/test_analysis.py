"""What an analysis holds, and what is worked out on demand."""

from __future__ import annotations

import pickle

from bot.analysis import Evidence
from bot.board import Board, Cell
from bot.solver import exact
from bot.solver.explain import Explanation, count_solutions, explain, with_explanation


def test_an_explanation_is_worked_out_on_demand() -> None:
    """A decision of the exact solver carries none; asked twice it is the same one."""
    board = Board.parse("1#/1#", 1)
    found = exact.solve(board)
    assert (found.reason, found.solutions) == (None, None)
    assert count_solutions(board, found) == 2
    reason = explain(board, found)
    assert "50/50" in reason.reason
    assert found.best in reason.evidence.cells
    assert explain(board, found) is reason


def test_a_reason_that_was_given_stays() -> None:
    """What a decision rests on, or a recording says, is not worked out again."""
    board = Board.parse("1#/1#", 1)
    found = with_explanation(board, exact.solve(board))
    there = pickle.loads(pickle.dumps(found))  # noqa: S301 - our own bytes
    assert explain(board, there) == (found.reason, found.evidence)
    assert found.evidence == Evidence((Cell(0, 0), Cell(1, 0)), (Cell(0, 1),))
    assert isinstance(explain(board, there), Explanation)
