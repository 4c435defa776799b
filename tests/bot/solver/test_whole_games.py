"""Whole games, played by the rules and the exact solver alone."""

from __future__ import annotations

from bot.frame import Status
from bot.game import FirstClick, Game
from bot.planner import plan
from bot.solver import exact


def test_guesses_come_true_as_often_as_predicted() -> None:
    """Over some hundred guesses on small boards the mines hit are about those expected."""
    expected = variance = hit = 0.0
    for seed in range(150):
        game = Game(6, 6, 8, seed, FirstClick.NONE)
        while not game.status.over:
            analysis = exact.solve(game.board)
            (*_, move) = plan(game.board, analysis)
            assert move.cell is not None
            expected += move.risk
            variance += move.risk * (1 - move.risk)
            game.open(move.cell)
            hit += game.status is Status.LOST
    assert abs(hit - expected) < 4 * variance**0.5
