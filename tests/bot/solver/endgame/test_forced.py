"""Forced guesses: on boards made by hand, and against the exhaustive search."""

from __future__ import annotations

import pytest

from bot.analysis import Limit
from bot.board import Board, Cell
from bot.solver import endgame
from tests.bot.solver.small_games import small_games


def test_a_pair_in_a_corner_is_independent() -> None:
    """Two cells, one mine, everything around them opened: one of two is won."""
    pair = endgame.forced_guess(Board.parse("#1.1##/#1.1##", 3))
    assert pair is not None
    assert pair == endgame.Forced(pair.cell, True, 2, 1)
    assert pair.cell in {Cell(0, 0), Cell(1, 0)}


def test_third_cell_that_separates_two_is_opened_first() -> None:
    """(0,0) or (1,0) looks like an even guess; (2,0), where it is safe, tells which it is."""
    board = Board.parse("#1/#2/##", 2)
    found = endgame.forced_guess(board)
    assert found is not None
    assert (found.independent, found.solutions, found.won) == (True, 4, 2)
    assert found.cell in {Cell(2, 0), Cell(2, 1)}
    whole = endgame.solve_endgame(board, every_cell=True)
    assert whole is not None
    assert whole.won_by_cell == {Cell(0, 0): 1, Cell(1, 0): 1, Cell(2, 0): 2, Cell(2, 1): 2}


def test_a_box_in_a_corner_with_its_mines_on_a_diagonal() -> None:
    """Two solutions and no cell that tells: one is won, at whichever cell one begins."""
    board = Board.parse("##1./##21/12#1/.111", 3)
    whole = endgame.solve_endgame(board, every_cell=True)
    assert whole is not None
    assert (whole.solutions, whole.won, whole.without_guess) == (2, 1, 1)
    corner = (Cell(0, 0), Cell(0, 1), Cell(1, 0), Cell(1, 1))
    assert whole.won_by_cell == dict.fromkeys(corner, 1)
    # Its corner touches no hint, and takes more or fewer mines from the rest of a board.
    assert endgame.forced_guess(board) is None


def test_an_exchangeable_pair_is_found_beside_unknown_cells() -> None:
    """A pair at the end of a corridor of two rows: everything behind touches both."""
    found = endgame.forced_guess(Board.parse("1####/1####", 3))
    assert found is not None
    assert found == endgame.Forced(found.cell, False, 2, 1)
    assert found.cell in {Cell(0, 1), Cell(1, 1)}


def test_cells_separated_by_a_neighbour_are_no_pair() -> None:
    """The same pair with a third row: cells there touch only one of the two."""
    assert endgame.forced_guess(Board.parse("1####/1####/#####", 3)) is None


@pytest.mark.slow
def test_forced_guesses_are_optimal() -> None:
    """The exhaustive search: the cell is optimal wherever a guess has to be made."""
    seen = {True: 0, False: 0}
    for board in small_games(6_000, seed=8):
        found = endgame.forced_guess(board)
        if found is None:
            continue
        whole = endgame.solve_endgame(board, every_cell=True)
        assert whole is not None
        if whole.mined == 0:
            continue
        seen[found.independent] += 1
        assert whole.won_by_cell[found.cell] == whole.won, str(board)
    assert min(seen.values()) > 10


def test_no_forced_guess_without_hints_or_beyond_the_limit() -> None:
    """A fresh board; a board that is decided; no time."""
    assert endgame.forced_guess(Board.covered(5, 5, 5)) is None
    assert endgame.forced_guess(Board.parse("#1", 1)) is None
    assert endgame.forced_guess(Board.parse("#1/#1", 1), Limit(seconds=0)) is None
