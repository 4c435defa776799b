"""Whole games, played by the rules and the exact solver alone."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import UNOPENED
from bot.frame import Status
from bot.game import LEVELS, FirstClick, Game
from bot.planner import Action, Style, plan
from bot.solver import exact


@pytest.mark.parametrize("rule", FirstClick)
@pytest.mark.parametrize("level", LEVELS)
def test_games_end_and_proofs_hold(level: str, rule: FirstClick) -> None:
    """No cell of probability 0.0 is a mine, none of 1.0 is safe, and only guesses lose."""
    for seed in range(4):
        game = Game.of_level(LEVELS[level], seed, rule)
        while not game.status.over:
            play_turn(game)
        layout = game.layout
        assert layout is not None
        if game.status is Status.WON:
            assert (game.board.unopened == layout).all()


def play_turn(game: Game) -> None:
    """One analysis and its moves, each checked against the mines."""
    board = game.board
    analysis = exact.solve(board)
    layout = game.layout
    if layout is not None:
        assert not layout[analysis.mine_probability == 0].any()
        assert layout[analysis.mine_probability == 1].all()
    assert np.nansum(analysis.mine_probability) == pytest.approx(board.mines, rel=1e-10)
    moves = plan(board, analysis, Style.FLAGS)
    assert any(move.action is Action.OPEN for move in moves), str(board)
    for move in moves:
        assert move.cell is not None
        if move.action is Action.FLAG:
            game.flag(move.cell)
            continue
        if game.status is Status.WON:
            # A cascade opened what this move was for.
            return
        assert game.status is Status.PLAYING
        assert board[move.cell] in UNOPENED
        game.open(move.cell)
        if game.status is Status.LOST:
            assert move.risk > 0


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
