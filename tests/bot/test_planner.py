"""From an opinion to moves."""

from __future__ import annotations

import numpy as np
import pytest

from bot.analysis import Analysis
from bot.board import Board, Cell
from bot.planner import Action, Move, Style, plan


def opinion(probability: list[list[float]], best: Cell | None) -> Analysis:
    """Return an analysis with these probabilities."""
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
    """A board of mines alone: flags where the style wants every one, nothing else."""
    moves = plan(Board.parse("F#1", 2), opinion([[1.0, 1.0, np.nan]], None), style)
    flags = (Move(Action.FLAG, Cell(0, 1)),)
    assert moves == (flags if style in (Style.FLAGS, Style.HUNT) else ())


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


@pytest.mark.parametrize("style", [Style.NO_FLAGS, Style.FLAGS, Style.CHORDS])
def test_what_a_zero_opens_needs_no_click(style: Style) -> None:
    """A zero opens the cells around it; one click opens a board that has no mine."""
    board = Board.covered(20, 30, 0)
    assert len(plan(board, opinion(np.zeros((20, 30)).tolist(), Cell(0, 0)), style)) == 1
    chance = [[0.9, 0.0, 0.0, 0.0, 0.9]] * 3
    (move,) = plan(Board.covered(3, 5, 5), opinion(chance, Cell(0, 1)), style)
    assert move.cell is not None
    assert move.cell.col == 2


def test_an_unlikely_zero_keeps_nothing_waiting() -> None:
    """Both cells are opened though the first one may open the second."""
    board = Board.parse("####", 1)
    moves = plan(board, opinion([[0.8, 0.0, 0.0, 0.9]], Cell(0, 1)))
    assert moves == (Move(Action.OPEN, Cell(0, 1)), Move(Action.OPEN, Cell(0, 2)))


def test_a_question_mark_on_a_mine_takes_two_clicks_to_flag() -> None:
    """The first one makes it a covered cell."""
    moves = plan(Board.parse("?1#", 1), opinion([[1.0, np.nan, 0.5]], None), Style.FLAGS)
    assert moves == (Move(Action.FLAG, Cell(0, 0)),) * 2


def flagged(*cells: tuple[int, int]) -> tuple[Move, ...]:
    """Right clicks there."""
    return tuple(Move(Action.FLAG, Cell(*cell)) for cell in cells)


@pytest.mark.parametrize(
    ("board", "probability", "moves"),
    [
        # One flag and one click in place of four clicks.
        ("###/#1#/222", "010/0.0/...", (*flagged((0, 1)), Move(Action.CHORD, Cell(1, 1)))),
        # The flag is there: one click in place of two.
        ("#F#/111", "010/...", (Move(Action.CHORD, Cell(1, 1)),)),
        # A chord costs a flag more than the click that it saves.
        ("##1/111", "10./...", (Move(Action.OPEN, Cell(0, 1)),)),
    ],
)
def test_a_chord_is_made_where_it_saves_clicks(
    board: str, probability: str, moves: tuple[Move, ...]
) -> None:
    """Flags count as clicks, as the community counts them."""
    chance = [
        [np.nan if one == "." else float(one) for one in row] for row in probability.split("/")
    ]
    assert plan(Board.parse(board, 1), opinion(chance, None), Style.CHORDS) == moves


def test_no_chord_beside_a_flag_that_is_not_proved() -> None:
    """The hint counts as many flags as it has, and still nobody knows whether they are right."""
    board = Board.parse("F##/#1#/###", 1)
    chance = [[0.5, 0.5, 0.0], [0.0, np.nan, 0.0], [0.0, 0.0, 0.0]]
    moves = plan(board, opinion(chance, Cell(0, 2)), Style.CHORDS)
    assert Action.CHORD not in {move.action for move in moves}
    assert Action.FLAG not in {move.action for move in moves}


def test_a_wrong_flag_is_taken_away_before_a_chord() -> None:
    """Its cell would stay closed, and the hint would count one flag too many."""
    board = Board.parse("F##/#1#/###", 1)
    chance = [[0.0, 1.0, 0.0], [0.0, np.nan, 0.0], [0.0, 0.0, 0.0]]
    moves = plan(board, opinion(chance, Cell(0, 2)), Style.CHORDS)
    assert set(moves[:2]) == set(flagged((0, 0), (0, 1)))
    assert moves[2:] == (Move(Action.CHORD, Cell(1, 1)),)
