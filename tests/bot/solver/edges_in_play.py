"""Source 003's example, and edges as they come up in games: for its tests."""

from __future__ import annotations

from bot.analysis import Limit
from bot.board import Board
from bot.game import FirstClick, Game
from bot.solver.constraints import system_of
from bot.solver.published.local import Edge, Improvements, Work, edges, solve

PUBLISHED = Improvements()
WAYS = (
    PUBLISHED,
    Improvements(cache=True),
    Improvements(backtracking=True),
    Improvements(backtracking=True, cache=True),
)
EXAMPLE = Board.parse("001######/123######" + "/#########" * 7, 10)
"""The source's example: 'a 90.5797% chance that any non-edge square in the grid is safe'."""


def free() -> Work:
    """Without a limit."""
    return Work(Limit())


def edges_of(board: Board) -> list[Edge]:
    """Before any single-square search."""
    return edges(system_of(board).constraints)


def boards_in_play(games: int, size: tuple[int, int, int] = (9, 9, 12)) -> list[Board]:
    """What is visible after each guess of games that the solver itself plays."""
    boards = []
    for seed in range(games):
        game = Game(*size, seed=seed, first_click=FirstClick.ZERO)
        game.open((4, 4))
        while not game.status.over:
            boards.append(game.board)
            analysis = solve(game.board, improvements=WAYS[-1])
            for cell in analysis.safe or (analysis.best,):
                assert cell is not None
                game.open(cell)
    return boards
