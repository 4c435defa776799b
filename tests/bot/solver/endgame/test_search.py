"""The end game against published values, a recording of another engine, and a stupid oracle."""

from __future__ import annotations

import threading
from bisect import bisect_left

import pytest

from bot.analysis import Cancelled, Limit
from bot.board import Board, Cell, InconsistentBoard
from bot.solver import endgame
from tests.bot.solver.boards import all_solutions, board_of, perfect_play, positions
from tests.bot.solver.small_games import small_games

pytestmark = pytest.mark.long

PATIENCE = 10_000_000
"""Nodes: none of these tests is to run out of them."""


def test_every_recorded_end_game_is_valued_right_and_has_all_its_best_moves() -> None:
    """The value and all optimal cells of the 80 end games of tests/positions."""
    for position in positions("endgames.jsonl"):
        found = endgame.solve_endgame(board_of(position), Limit(nodes=PATIENCE), all_best=True)
        assert found is not None
        assert found.solutions == position["solutions"]
        assert found.won == position["best_wins"], position["id"]
        assert [list(cell) for cell in found.best] == position["best_moves"], position["id"]


def test_every_cell_of_the_recorded_end_games_is_valued_right() -> None:
    """Solutions won after each first cell, for all that the recording lists."""
    for position in positions("endgames.jsonl"):
        found = endgame.solve_endgame(board_of(position), Limit(nodes=PATIENCE), every_cell=True)
        assert found is not None
        recorded = {Cell(row, col): won for row, col, won in position["wins_by_cell"]}
        ours = {cell: won for cell, won in found.won_by_cell.items() if cell in recorded}
        assert ours == recorded, position["id"]


def test_values_are_those_of_trying_all_orders() -> None:
    """Value, all best cells and the value of every cell, by trying all orders of opening."""
    for board in small_games(400, seed=5):
        solutions = all_solutions(board)
        if not 1 < len(solutions) <= 40:
            continue
        found = endgame.solve_endgame(board, every_cell=True)
        assert found is not None
        value, by_cell = perfect_play(board)
        assert (found.won, found.solutions) == (value, len(solutions)), str(board)
        flat = {cell.row * board.cols + cell.col: won for cell, won in found.won_by_cell.items()}
        assert flat.items() <= by_cell.items(), str(board)
        safe = [cell for cell in by_cell if all(cell not in s for s in solutions)]
        assert flat.keys() == (set(safe) or by_cell.keys()), str(board)
        assert by_cell[found.best[0].row * board.cols + found.best[0].col] == value


def test_solutions_without_a_further_guess_are_counted() -> None:
    """A corner of two cells and one mine: half of the solutions, and nothing is left then."""
    found = endgame.solve_endgame(Board.parse("#1/#1", 1))
    assert found is not None
    assert (found.solutions, found.mined, found.won, found.without_guess) == (2, 1, 1, 1)
    assert found.chance == 0.5


@pytest.mark.parametrize("text", ["3#", "1.#", "2#/##"])
def test_an_impossible_board_is_an_error(text: str) -> None:
    """Hints above their neighbours, a hint without neighbours, and a wrong number of mines."""
    with pytest.raises(InconsistentBoard):
        endgame.solve_endgame(Board.parse(text, 1))


def test_an_unread_tile_is_an_error() -> None:
    """It is never guessed; the message names it."""
    with pytest.raises(ValueError, match="row 1, column 2 is unread"):
        endgame.solve_endgame(Board.parse("#~", 1))


def test_too_many_solutions_or_nodes_are_no_answer() -> None:
    """The limits: 84 solutions on 3x3 with 3 mines, and more than ten states."""
    board = Board.covered(3, 3, 3)
    assert endgame.solve_endgame(board, most=83) is None
    assert endgame.solve_endgame(board, Limit(nodes=10)) is None
    assert endgame.solve_endgame(board, Limit(seconds=0)) is None
    assert endgame.solve_endgame(Board.covered(16, 30, 99)) is None


def test_the_same_nodes_are_the_same_answer() -> None:
    """A budget of nodes is deterministic, whatever was asked before."""
    board = Board.covered(4, 3, 3)

    def is_solved(nodes: int) -> bool:
        return endgame.solve_endgame(board, Limit(nodes=nodes)) is not None

    enough = bisect_left(range(5000), True, key=is_solved)
    endgame.solve_endgame(Board.covered(3, 3, 3))
    assert not is_solved(enough - 1)
    assert is_solved(enough)


def test_a_stop_breaks_off() -> None:
    """Set before, and while the kernel works on what takes much longer."""
    cancel = threading.Event()
    limit = Limit(nodes=10**12, cancel=cancel)
    threading.Timer(0.1, cancel.set).start()
    with pytest.raises(Cancelled):
        endgame.solve_endgame(Board.covered(5, 5, 4), limit, most=12_650, every_cell=True)
    with pytest.raises(Cancelled):
        endgame.solve_endgame(Board.covered(3, 3, 3), limit)
