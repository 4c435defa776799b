"""Boards without guesses: found by the exact solver, checked by another one."""

from __future__ import annotations

import pytest

from bot.analysis import Analysis, Cancelled, Limit
from bot.assist.no_guess import find_seed, play_proved
from bot.board import Board, Cell
from bot.frame import Status
from bot.game import BEGINNER, EXPERT, LEVELS, FirstClick, Game, Level
from bot.solver import exact
from bot.solver.published import consistency

START = Cell(4, 4)


def solve(board: Board) -> Analysis:
    """Exact."""
    return exact.solve(board, Limit())


def won_by_proofs(level: Level, seed: int) -> bool:
    """Whether opening what another solver proves wins the game."""
    game = Game.of_level(level, seed, FirstClick.ZERO)
    game.open(START)
    while not game.status.over:
        safe = consistency.solve(game.board, Limit()).safe
        if not safe:
            return False
        for cell in safe:
            game.open(cell)
    return game.status is Status.WON


@pytest.mark.parametrize("first", [1, 100])
def test_the_board_needs_no_guess_and_those_before_it_do(first: int) -> None:
    """It is the first one from the given seed."""
    seed = find_seed(BEGINNER, START, first, solve)
    assert [won_by_proofs(BEGINNER, one) for one in range(first, seed + 1)] == (
        [False] * (seed - first) + [True]
    )


@pytest.mark.parametrize("level", LEVELS.values(), ids=lambda level: level.name)
def test_every_level_has_such_boards(level: Level) -> None:
    """The game that is found is won, and no cell that is opened is a mine."""
    game = Game.of_level(level, find_seed(level, START, 1, solve), FirstClick.ZERO)
    boards = [board for board, _ in play_proved(game, START, solve)]
    assert game.status is Status.WON
    opened = [int((board.tiles >= 0).sum()) for board in boards]
    assert opened == sorted(set(opened))


def test_the_search_ends_with_an_error_of_the_solver() -> None:
    """A cancelled solver ends it."""

    def cancelled(_board: Board) -> Analysis:
        raise Cancelled

    with pytest.raises(Cancelled):
        find_seed(EXPERT, START, 1, cancelled)
