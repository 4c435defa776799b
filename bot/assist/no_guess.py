"""Find boards that can be won without a guess, and play what is proved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

from bot.analysis import Analysis
from bot.board import Board, Cell
from bot.frame import Status
from bot.game import FirstClick, Game, Level


def play_proved(
    game: Game, start: Cell, solve: Callable[[Board], Analysis]
) -> Iterator[tuple[Board, Analysis]]:
    """Open a cell, then all cells that are proved safe, until the game is won or none is proved.

    Args:
        game: A new game; it is played.
        start: The first cell to open.
        solve: A solver that finds every proof.

    Yields:
        Each board with a proved cell, and its analysis.
    """
    game.open(start)
    while game.status is Status.PLAYING:
        board = game.board
        analysis = solve(board)
        if not analysis.safe:
            return
        yield board, analysis
        for cell in analysis.safe:
            game.open(cell)


def find_seed(
    level: Level, start: Cell, first_seed: int, solve: Callable[[Board], Analysis]
) -> int:
    """Return the first seed whose game can be won without a guess, if `start` is opened first.

    The first click is safe and opens a region (`FirstClick.ZERO`). One game in ten on Expert, and
    one in two on smaller boards, needs no guess.

    Args:
        level: The size of the board.
        start: The first cell to open.
        first_seed: The seeds are tried upwards from this one.
        solve: A solver that finds every proof; may raise to end the search.
    """
    for seed in count(first_seed):
        game = Game.of_level(level, seed, FirstClick.ZERO)
        for _ in play_proved(game, start, solve):
            pass
        if game.status is Status.WON:
            return seed
    raise AssertionError
