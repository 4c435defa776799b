"""The player: safe cells first, then the end game, then what nothing can change."""

from __future__ import annotations

import threading

import pytest

from bot.analysis import Cancelled, Limit
from bot.board import Board, Cell, InconsistentBoard
from bot.solver import exact
from bot.solver.lookahead import METHOD, solve

LIMIT = Limit(nodes=100_000)


def test_a_safe_cell_comes_first() -> None:
    """Where something is certain nothing is guessed."""
    analysis = solve(Board.parse("1##/###/###", 2), LIMIT)
    known = exact.solve(Board.parse("11#/###/###", 1), LIMIT)
    assert analysis.method == METHOD
    assert known.safe
    assert solve(Board.parse("11#/###/###", 1), LIMIT).best == known.best


def test_the_first_click_is_a_corner() -> None:
    """And says why."""
    analysis = solve(Board.parse("\n".join(["#" * 30] * 16), 99), LIMIT)
    assert analysis.best == Cell(0, 0)
    assert "first click" in analysis.reason
    assert analysis.evidence.cells == (Cell(0, 0),)


def test_a_hopeless_pair_is_an_even_chance() -> None:
    """One mine under two cells: the numbers are told."""
    analysis = solve(Board.parse("##/11", 1), LIMIT)
    told = "a 50/50 that nothing can change: 1 of the 2 solutions left has a mine here"
    assert analysis.reason == told
    assert set(analysis.evidence.hints) == {Cell(1, 0), Cell(1, 1)}


def test_too_small_a_limit_still_gives_a_guess() -> None:
    """One candidate is looked at whatever the limit."""
    board = Board.parse("\n".join(["#" * 16] * 7 + ["###3####2#######"] + ["#" * 16] * 8), 50)
    analysis = solve(board, Limit(nodes=3000))
    assert analysis.best is not None
    assert "wins an estimated" in analysis.reason


def test_a_stop_is_heard() -> None:
    """Whoever has stopped gets no answer."""
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        solve(Board.parse("#####/##2##/#####", 4), Limit(cancel=stop))


def test_an_impossible_board_is_named() -> None:
    """As the exact solver does."""
    with pytest.raises(InconsistentBoard):
        solve(Board.parse("1#0", 1), LIMIT)


def test_large_boards_are_guessed_on_too() -> None:
    """The number of solutions is beyond all floats."""
    rows = [["#"] * 60 for _ in range(60)]
    rows[30][30] = "3"
    analysis = solve(Board.parse("\n".join(map("".join, rows)), 800), LIMIT)
    assert analysis.best is not None
    assert 0 < analysis.mine_probability[analysis.best] < 0.4
