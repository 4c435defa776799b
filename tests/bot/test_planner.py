"""From an opinion to moves."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from bot.analysis import Analysis
from bot.board import Board, Cell
from bot.planner import Action, Move, Style, plan


def opinion(probability: list[list[float]], best: Cell | None) -> Analysis:
    """An analysis that says just this."""
    return Analysis(np.array(probability), best, True, "exact", "because")


def test_all_that_is_safe_is_opened_in_one_go() -> None:
    """Certain moves carry no risk, and no guess is made beside them."""
    board = Board.parse("###1#", 1)
    moves = plan(board, opinion([[0.5, 0.0, 0.5, np.nan, 0.0]], Cell(0, 1)))
    assert moves == (Move(Action.OPEN, Cell(0, 1)), Move(Action.OPEN, Cell(0, 4)))


def test_without_a_safe_cell_the_best_one_is_guessed() -> None:
    """One guess, with its risk."""
    board = Board.parse("###", 1)
    moves = plan(board, opinion([[0.4, 0.25, 0.35]], Cell(0, 1)))
    assert moves == (Move(Action.OPEN, Cell(0, 1), 0.25),)


@pytest.mark.parametrize("style", Style)
def test_nothing_left_to_open_is_no_move_but_flags(style: Style) -> None:
    """A board of mines alone: flags where the style wants them, nothing else."""
    moves = plan(Board.parse("F#1", 2), opinion([[1.0, 1.0, np.nan]], None), style)
    flags = (Move(Action.FLAG, Cell(0, 1)),)
    assert moves == (() if style is Style.NO_FLAGS else flags)


def test_a_hunter_digs_one_cell_at_a_time() -> None:
    """Neither what is proved safe nor what is proved a mine is touched before the end."""
    board = Board.parse("####1", 2)
    moves = plan(board, opinion([[0.0, 1.0, 0.4, 0.6, np.nan]], Cell(0, 3)), Style.HUNT)
    assert moves == (Move(Action.OPEN, Cell(0, 3), 0.6),)


def test_flags_are_put_on_proved_mines_only() -> None:
    """A likely mine gets no flag, a flagged one no second click."""
    board = Board.parse("##F#", 3)
    moves = plan(board, opinion([[1.0, 0.99, 1.0, 0.0]], Cell(0, 3)), Style.FLAGS)
    assert moves == (Move(Action.FLAG, Cell(0, 0)), Move(Action.OPEN, Cell(0, 3)))


@pytest.mark.parametrize("style", Style)
def test_a_wrong_flag_is_taken_away_before_opening(style: Style) -> None:
    """Programs do not open a flagged cell."""
    moves = plan(Board.parse("F1#", 1), opinion([[0.0, np.nan, 0.5]], Cell(0, 0)), style)
    assert moves == (Move(Action.FLAG, Cell(0, 0)), Move(Action.OPEN, Cell(0, 0)))


def test_the_way_is_short() -> None:
    """A full board is walked with hardly a jump, each cell once."""
    board = Board.covered(16, 30, 0)
    moves = plan(board, opinion(np.zeros((16, 30)).tolist(), Cell(0, 0)))
    cells = [move.cell for move in moves if move.cell is not None]
    assert sorted(cells) == list(board.cells())
    way = sum(abs(a.row - b.row) + abs(a.col - b.col) for a, b in pairwise(cells))
    assert way < 1.25 * len(cells)


def test_each_step_of_the_way_is_the_nearest() -> None:
    """The quick search for neighbours finds what a search of all cells finds."""
    rng = np.random.default_rng(5)
    probability = np.where(rng.random((20, 30)) < 0.3, 0.0, 0.5)
    moves = plan(Board.covered(20, 30, 5), opinion(probability.tolist(), Cell(0, 0)))
    cells = [move.cell for move in moves if move.cell is not None]
    for place, (here, following) in enumerate(pairwise(cells)):
        distances = [(c.row - here.row) ** 2 + (c.col - here.col) ** 2 for c in cells[place + 1 :]]
        assert distances[0] == min(distances), following
