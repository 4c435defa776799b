"""The oracle itself, on boards that can be counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from bot.analysis import Limit
from bot.board import Board, Cell
from bot.solver import SOLVERS, solver
from bot.solver.published import enumeration


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


@pytest.mark.parametrize(
    ("board", "limit"),
    [
        (Board.covered(9, 9, 10), Limit()),
        (Board.covered(2, 5, 3), Limit(nodes=10)),
    ],
)
def test_too_many_cells_prove_nothing(board: Board, limit: Limit) -> None:
    """Neither 81 covered cells nor a spent limit hangs it or makes it lie."""
    found = enumeration.solve(board, limit)
    assert not found.exact
    assert not found.safe
    assert not found.mines
    assert found.error >= 0.5


def test_solvers_are_found_by_name() -> None:
    """A miss lists the names that there are."""
    assert solver("exact").name == "exact"
    assert all(name == info.name for name, info in SOLVERS.items())
    with pytest.raises(ValueError, match="no solver 'exakt'; there are: ") as miss:
        solver("exakt")
    assert str(miss.value).partition("there are: ")[2].split(", ") == list(SOLVERS)
