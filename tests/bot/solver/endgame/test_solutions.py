"""The list of all solutions, against trying all subsets."""

from __future__ import annotations

import numpy as np

from bot.board import MINE, Board, neighbours
from bot.solver.endgame.solutions import SHOWS_MINE, TOO_MANY, list_solutions
from bot.solver.kernel.position import MOST_NODES, solve_position
from bot.solver.kernel.tables import SOLVED, TOO_WIDE, allocate
from tests.bot.solver.boards import all_solutions, board_of, positions, small_games


def _listed(board: Board, most: int) -> tuple[int, list[list[int]], list[int]]:
    work = allocate(board.rows, board.cols, 1 << 13)
    status = solve_position(board.tiles.copy(), board.mines, work, MOST_NODES)
    if status == TOO_WIDE:
        return TOO_MANY, [], []
    if status != SOLVED:
        return 0, [], []
    number, table = list_solutions(work, most)
    return int(number), table.tolist(), np.flatnonzero(board.unopened).tolist()


def test_lists_what_trying_all_subsets_finds() -> None:
    """The same solutions, each once, and in each what every cell shows."""
    for board in small_games(300, seed=3):
        wanted = set(all_solutions(board))
        number, table, places = _listed(board, 2000)
        known = {row * board.cols + col for row, col in board.cells(MINE)}
        found = set()
        for shows in table:
            mined = {p for p, value in zip(places, shows, strict=True) if value == SHOWS_MINE}
            found.add(frozenset(mined))
            for place, value in zip(places, shows, strict=True):
                around = neighbours(board.rows, board.cols)[place]
                expected = len((mined | known).intersection(around))
                assert value == (SHOWS_MINE if place in mined else expected)
        assert (number, found) == (len(wanted), wanted), str(board)


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
