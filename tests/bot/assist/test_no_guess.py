"""Boards without guesses: found by the exact solver, checked by another one."""

from __future__ import annotations

import pytest

from bot.assist.no_guess import find_seed
from bot.board import Cell
from bot.frame import Status
from bot.game import BEGINNER, INTERMEDIATE, FirstClick, Game, Level
from bot.solver import exact
from bot.solver.published import consistency

START = Cell(4, 4)


def won_by_proofs(level: Level, seed: int) -> bool:
    """Whether opening what another solver proves wins the game."""
    game = Game.of_level(level, seed, FirstClick.ZERO)
    game.open(START)
    while not game.status.over:
        safe = consistency.solve(game.board).safe
        if not safe:
            return False
        for cell in safe:
            game.open(cell)
    return game.status is Status.WON


@pytest.mark.parametrize(("level", "first"), [(BEGINNER, 1), (BEGINNER, 100), (INTERMEDIATE, 1)])
def test_the_board_needs_no_guess_and_those_before_it_do(level: Level, first: int) -> None:
    """It is the first one from the given seed."""
    seed = find_seed(level, START, first, exact.solve)
    assert [won_by_proofs(level, one) for one in range(first, seed + 1)] == (
        [False] * (seed - first) + [True]
    )
