"""The list of all solutions of large boards; the search of end games uses that of small ones."""

from __future__ import annotations

import numpy as np

from bot.board import Board
from bot.solver.endgame.solutions import SHOWS_MINE, TOO_MANY, list_solutions
from bot.solver.kernel.position import MOST_NODES, solve_position
from bot.solver.kernel.tables import SOLVED, TOO_WIDE, allocate
from tests.bot.solver.boards import board_of, positions


def _listed(board: Board, most: int) -> tuple[int, list[list[int]], list[int]]:
    work = allocate(board.rows, board.cols, 1 << 13)
    status = solve_position(board.tiles.copy(), board.mines, work, MOST_NODES)
    if status == TOO_WIDE:
        return TOO_MANY, [], []
    if status != SOLVED:
        return 0, [], []
    number, table = list_solutions(work, most)
    return int(number), table.tolist(), np.flatnonzero(board.unopened).tolist()


def test_a_board_beyond_the_range_of_floats_is_listed() -> None:
    """912 covered cells, of which only two are uncertain."""
    number, table, places = _listed(Board.parse("#1#x" + "#" * 910, 911), 10)
    assert (number, len(places)) == (2, 912)
    assert [[shows[0], shows[1]] for shows in table] == [[SHOWS_MINE, 0], [0, SHOWS_MINE]]
    assert all(value == SHOWS_MINE for shows in table for value in shows[2:])


def test_boards_that_cannot_be_listed_are_given_up_at_once() -> None:
    """A fresh board of Expert, and every recorded position with more solutions than asked for."""
    assert _listed(Board.covered(16, 30, 99), 5000)[0] == TOO_MANY
    for position in positions("positions.jsonl"):
        number = _listed(board_of(position), 5000)[0]
        solutions = int(position["solutions"]) if position["solutions"] else 10**9
        assert number == (solutions if solutions <= 5000 else TOO_MANY), position["id"]
