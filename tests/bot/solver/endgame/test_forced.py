"""Forced guesses: on boards made by hand, and against the exhaustive search."""

from __future__ import annotations

import pytest

from bot.analysis import Limit
from bot.board import Board, Cell
from bot.solver import endgame
from tests.bot.solver.boards import small_games


@pytest.mark.parametrize(
    ("text", "mines", "independent", "solutions", "won", "cells"),
    [
        # Two cells, one mine, everything around them opened: one of two is won.
        ("#1.1##/#1.1##", 3, True, 2, 1, {(0, 0), (1, 0)}),
        # (0,0) or (1,0) looks like an even guess; (2,0), where it is safe, tells which it is.
        ("#1/#2/##", 2, True, 4, 2, {(2, 0), (2, 1)}),
        # A pair at the end of a corridor of two rows: everything behind touches both.
        ("1####/1####", 3, False, 2, 1, {(0, 1), (1, 1)}),
    ],
    ids=["independent pair", "a third cell separates two", "exchangeable pair"],
)
def test_forced_guesses(
    text: str, mines: int, independent: bool, solutions: int, won: int, cells: set[Cell]
) -> None:
    """The forced cell is opened, with the placements of its component that it wins."""
    found = endgame.forced_guess(Board.parse(text, mines))
    assert found is not None
    assert found == endgame.Forced(found.cell, independent, solutions, won)
    assert found.cell in cells


@pytest.mark.parametrize(
    ("board", "limit"),
    [
        # The corner of this box touches no hint, and takes more or fewer mines from elsewhere.
        (Board.parse("##1./##21/12#1/.111", 3), Limit()),
        # The exchangeable pair with a third row: cells there touch only one of the two.
        (Board.parse("1####/1####/#####", 3), Limit()),
        (Board.covered(5, 5, 5), Limit()),
        (Board.parse("#1", 1), Limit()),
        (Board.parse("#1/#1", 1), Limit(seconds=0)),
    ],
    ids=["box", "separated by a neighbour", "no hints", "decided", "no time"],
)
def test_no_guess_is_forced(board: Board, limit: Limit) -> None:
    """If later hints may distinguish the cells, or the search runs out of time, none is forced."""
    assert endgame.forced_guess(board, limit) is None


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
