"""Source 003's searches and guesses, as published and with its three improvements."""

from __future__ import annotations

import numpy as np
import pytest

from bot.analysis import Limit
from bot.board import Board, Cell, InconsistentBoard
from bot.game import FirstClick, Game
from bot.solver import SOLVERS, exact
from bot.solver.published.local import Improvements, solve
from tests.bot.solver.boards import all_solutions, perfect_play

VARIANTS = {name: info.solve for name, info in SOLVERS.items() if name.startswith("local")}
"""As published, with one improvement each, and with all three."""
FASTEST = Improvements(backtracking=True, cache=True)
EXAMPLE = Board.parse("001######/123######" + "/#########" * 7, 10)
"""The source's example: 'a 90.5797% chance that any non-edge square in the grid is safe'."""


@pytest.mark.parametrize("name", VARIANTS)
def test_the_worked_example(name: str) -> None:
    """Four possibilities, (2,2) a mine, the rest even, and the guess is (0,4)."""
    found = VARIANTS[name](EXAMPLE, Limit())
    assert found.mines == (Cell(2, 2),)
    for cell in ((0, 3), (1, 3), (2, 0), (2, 1), (2, 3)):
        assert found.mine_probability[cell] == 0.5
    others = np.isclose(1 - found.mine_probability, 0.905797, atol=5e-7)
    assert others.sum() == 69
    assert found.mine_probability[0, 4] == pytest.approx((10 - 3.5) / 69)
    assert found.best == Cell(0, 4)
    assert found.method == name


def test_sub_edge_certainties_are_certain() -> None:
    """On boards with long edges, of games that the solver plays, by the exact solver."""
    certain = 0
    for seed in range(12):
        game = Game(9, 9, 16, seed, FirstClick.ZERO)
        game.open((4, 4))
        while not game.status.over:
            truth = exact.solve(game.board).mine_probability
            found = solve(game.board, maximum=8, improvements=FASTEST)
            assert all(truth[cell] == 0 for cell in found.safe)
            assert all(truth[cell] == 1 for cell in found.mines)
            certain += len(found.safe)
            for cell in found.safe or (found.best,):
                assert cell is not None
                game.open(cell)
    assert certain > 50


def test_lookahead_takes_the_higher_risk_that_settles_the_edge() -> None:
    """Against the true chance to win, found by trying everything: 1/3 and 1/2."""
    board = Board.parse("####1/#433#/##1##/22211/1#1..", 7)
    published, ahead = solve(board), VARIANTS["local-lookahead"](board, Limit())
    assert published.best is not None
    assert ahead.best is not None
    assert published.mine_probability[published.best] == pytest.approx(1 / 3)
    assert ahead.mine_probability[ahead.best] == pytest.approx(1 / 2)
    assert "the best with the next move" in ahead.reason
    _, won = perfect_play(board)
    chances = [
        won[best.row * board.cols + best.col] / len(all_solutions(board))
        for best in (published.best, ahead.best)
    ]
    assert chances == pytest.approx([1 / 3, 1 / 2])


def test_certain_mines_above_the_number_of_the_board_and_a_small_maximum_are_refused() -> None:
    """A hint with eight squares would be in no sub-edge."""
    with pytest.raises(InconsistentBoard, match="call for more mines than 1"):
        solve(Board.parse("#1..1#/11..11", 1))
    with pytest.raises(ValueError, match="a maximum of 7 is too few"):
        solve(EXAMPLE, maximum=7)


def test_a_spent_limit_proves_less_and_lies_never() -> None:
    """The look-ahead is left out as well."""
    found = VARIANTS["local-improved"](EXAMPLE, Limit(nodes=0))
    assert not found.mines
    assert found.best is not None
    assert found.mine_probability[0, 4] == pytest.approx(10 / 75)
