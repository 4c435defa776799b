"""The end game against published values, a recording of another engine, and a stupid oracle."""

from __future__ import annotations

import threading
from bisect import bisect_left

import pytest

from bot.analysis import Cancelled, Limit
from bot.board import Board, Cell, InconsistentBoard
from bot.solver import endgame
from tests.bot.solver.boards import all_solutions, board_of, perfect_play, positions, small_games

pytestmark = pytest.mark.long

PATIENCE = 10_000_000
"""Nodes: none of these tests is to run out of them."""


def test_recorded_end_games_and_all_their_cells_are_valued_right() -> None:
    """The value, all optimal cells and the wins of each cell that the 80 recordings list."""
    for position in positions("endgames.jsonl"):
        board, limit = board_of(position), Limit(nodes=PATIENCE)
        found = endgame.solve_endgame(board, limit, all_best=True)
        valued = endgame.solve_endgame(board, limit, every_cell=True)
        assert found is not None
        assert valued is not None
        assert found.solutions == position["solutions"]
        assert found.won == position["best_wins"], position["id"]
        assert [list(cell) for cell in found.best] == position["best_moves"], position["id"]
        recorded = {Cell(row, col): won for row, col, won in position["wins_by_cell"]}
        ours = {cell: won for cell, won in valued.won_by_cell.items() if cell in recorded}
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


@pytest.mark.parametrize(("text", "mines"), [("#1/#1", 1), ("##1./##21/12#1/.111", 3)])
def test_solutions_without_a_further_guess_are_counted(text: str, mines: int) -> None:
    """A pair, and a box with its mines on a diagonal: half of the two, and nothing is left then."""
    found = endgame.solve_endgame(Board.parse(text, mines))
    assert found is not None
    assert (found.solutions, found.mined, found.won, found.without_guess) == (2, 1, 1, 1)
    assert found.chance == 0.5


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("3#", InconsistentBoard, None),
        ("1.#", InconsistentBoard, None),
        ("2#/##", InconsistentBoard, None),
        ("#~", ValueError, "row 1, column 2 is unread"),
    ],
    ids=["too high a hint", "no covered neighbour", "too few mines", "unread"],
)
def test_impossible_boards_and_unread_tiles_are_errors(
    text: str, error: type[Exception], said: str | None
) -> None:
    """An unread tile is never guessed; the message names it."""
    with pytest.raises(error, match=said):
        endgame.solve_endgame(Board.parse(text, 1))


def test_too_many_solutions_or_nodes_are_no_answer() -> None:
    """84 solutions on 3x3 with 3 mines, more than ten states, a fresh board, and mid-games."""
    board = Board.covered(3, 3, 3)
    assert endgame.solve_endgame(board, most=83) is None
    assert endgame.solve_endgame(board, Limit(nodes=10)) is None
    assert endgame.solve_endgame(board, Limit(seconds=0)) is None
    assert endgame.solve_endgame(Board.covered(16, 30, 99)) is None
    for position in positions("positions.jsonl"):
        solutions = int(position["solutions"] or 10**9)
        found = endgame.solve_endgame(board_of(position), Limit(nodes=PATIENCE), most=5000)
        assert (found and found.solutions) == (solutions if solutions <= 5000 else None)


def test_a_board_beyond_the_range_of_floats_is_searched() -> None:
    """912 covered cells, of which only two are uncertain."""
    found = endgame.solve_endgame(Board.parse("#1#x" + "#" * 910, 911), every_cell=True)
    assert found is not None
    assert (found.solutions, found.won_by_cell) == (2, {Cell(0, 0): 1, Cell(0, 2): 1})


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
