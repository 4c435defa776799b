"""What starts the next game of a program that is not known, and what a new game looks like."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bot.board import Board, Cell
from bot.frame import Status
from bot.loop import Turn
from bot.planner import Action, Move
from gui.runner.restart import (
    completes,
    fresh_board,
    hidden_end,
    hides,
    infer_result,
    is_new_game,
    result_if_replaced,
    result_over_board,
    with_true_result,
)
from tests.support.boards import reading_of
from vision.skins import BUNDLED, LEARNED, load_skin

LOST = Board.parse("1*1###/112###/01####/02####/01####", mines=4)
FRESH = Board.covered(5, 6, 4)
OPENED = Board.parse("######/######/##211#/##100#/##100#", mines=4)


@pytest.mark.parametrize(
    ("after", "new"),
    [
        (FRESH, True),
        (OPENED, True),
        (Board.parse("######/###1##/######/######/######", mines=4), True),
        # The same opening as before: the old game, loaded again.
        (Board.parse("######/112###/01####/02####/01####", mines=4), False),
        (Board.parse("###1##/######/######/######/1#####", mines=4), False),
        # A click on the finished board may open a cell of the next game that shows the same.
        (Board.parse("######/1#####/######/######/######", mines=4), True),
        (Board.parse("######/###F##/######/######/######", mines=4), False),
        (Board.parse("######/###?##/######/######/######", mines=4), False),
        (Board.parse("######/###*##/######/######/######", mines=4), False),
        (Board.parse("######/###!##/######/######/######", mines=4), False),
        # The last move taken back.
        (Board.parse("1#1###/112###/01####/02####/01####", mines=4), False),
        (Board.covered(8, 8, 10), True),
    ],
)  # fmt: skip
def test_what_a_new_game_looks_like(after: Board, new: bool) -> None:
    """At most one opening, no mark, no mine, and other hints than the old game had there.

    A board that was covered already does not tell that anything happened.
    """
    assert is_new_game(LOST, after) is new
    assert not is_new_game(FRESH, FRESH)


@pytest.mark.parametrize(
    ("hidden", "risk", "status"),
    [
        ("11####/~~####/011###/001###/001###", 0.0, Status.LOST),  # Covered cells are left.
        ("112*11/~~~~11/~~~~00/011100/000000", 0.2, Status.LOST),
        ("112#11/~~~~11/~~~~00/011100/000000", 0.0, Status.WON),
        ("112#11/~~~~11/~~~~00/011100/000000", 0.2, Status.ENDED),  # A guess.
        ("112#11/~~2~11/~~~~00/011100/000000", 0.2, Status.WON),  # A guess that was right.
        ("~~~~~~/~~~~~~/~~~~~~/~~~~~~/~~~~~~", 0.0, Status.WON),
    ],
)
def test_how_a_game_has_ended_that_a_dialog_hides(hidden: str, risk: float, status: Status) -> None:
    """It is said only if it cannot be otherwise."""
    moves = (Move(Action.OPEN, Cell(1, 2), risk),)
    assert infer_result(Board.parse(hidden, mines=4), FRESH, moves) is status


@pytest.mark.parametrize(
    ("before", "risk", "status"),
    [("1##/111/000", 0.0, Status.WON), ("1##/###/000", 0.5, Status.ENDED)],
)
def test_how_a_game_has_ended_under_a_page_that_looks_empty(
    before: str, risk: float, status: Status
) -> None:
    """By its moves: the cells of the page are none of the game's."""
    moves = (Move(Action.OPEN, Cell(0, 2), risk),)
    turn = Turn(1, reading_of(Board.parse(before, mines=1)), None, moves)
    end = hidden_end(reading_of(Board.parse("000/000/000", mines=1)), turn)
    assert end.status is status
    assert end.board == Board.parse("~~~/~~~/000", mines=1)


@pytest.mark.parametrize(
    ("before", "risk", "status"),
    [
        ("1##/###/000", 0.0, Status.ENDED),  # Another game was started.
        ("1##/###/000", 0.5, Status.LOST),
        ("1##/111/000", 0.0, Status.WON),
        ("1##/111/000", 0.5, Status.ENDED),  # A guess at the last cell.
    ],
)
def test_how_a_game_has_ended_that_another_one_replaced(
    before: str, risk: float, status: Status
) -> None:
    """It is said only if it cannot be otherwise."""
    proved = np.zeros((3, 3), np.bool_)
    proved[0, 1] = True
    moves = (Move(Action.FLAG, Cell(0, 1)), Move(Action.OPEN, Cell(0, 2), risk))
    assert result_if_replaced(Board.parse(before, mines=1), moves, proved) is status


def test_moves_that_may_not_have_ended_the_game_do_not_tell_its_end() -> None:
    """A chord opens no cell that its turn flags, so safe ones are left; a zero may open all."""
    board = Board.parse("##000/#1000/0001#/0001#", mines=2)
    moves = (Move(Action.FLAG, Cell(0, 0)), Move(Action.CHORD, Cell(1, 1)))
    assert result_if_replaced(board, moves, np.zeros((4, 5), np.bool_)) is Status.ENDED
    board, unproved = Board.parse("####/####", mines=1), np.zeros((2, 4), np.bool_)
    moves = (Move(Action.OPEN, Cell(0, 3), 0.125),)
    assert result_if_replaced(board, moves, unproved) is Status.ENDED


@pytest.mark.parametrize(
    ("after", "risk", "whole"),
    [
        ("1~1/11~", 0.0, True),  # A box over open cells, and over the one that was proved.
        ("1~1/11~", 0.2, False),  # A guess may have hit the mine.
        ("1~1/11#", 0.0, False),  # The click has had no effect.
        ("1#1/~~1", 0.2, True),  # The cell is seen open.
        ("1*1/~~1", 0.2, False),
        ("1~1", 0.0, False),  # Another level.
    ],
)
def test_a_game_is_complete_when_as_many_cells_as_mines_may_be_closed(
    after: str, risk: float, whole: bool
) -> None:
    """What hides cells that were open before does not matter."""
    move = Move(Action.OPEN, Cell(1, 2), risk)
    assert completes(Board.parse("1#1/11#", 1), (move,), Board.parse(after, 1)) is whole


def test_the_moves_tell_the_result_that_an_unread_tile_hides() -> None:
    """Beside all mines, of which one may have kept its flag."""
    before, after = (Board.parse(text, mines=2) for text in ("#F#/221", "*F~/221"))
    sent = Turn(1, reading_of(before), None, (Move(Action.OPEN, Cell(0, 2)),))
    shown = replace(reading_of(after), status=Status.ENDED)
    assert with_true_result(shown, sent, digging=False).status is Status.WON


@pytest.mark.parametrize(
    ("now", "covered"),
    [("~~*/112", True), ("1~*/111", False), ("1#*/112", False), ("~~*", False)],
    ids=["a menu", "another board", "nothing", "another size"],
)
def test_what_covers_a_finished_board_is_found(now: str, covered: bool) -> None:
    """A level's menu may open over it; no tile below is asked about."""
    before = Board.parse("1#*/112", 2).tiles
    assert hides(Board.parse(now, 2).tiles, before) is covered


@pytest.mark.parametrize(
    ("row", "fresh"), [("####~#####", True), ("###~~#####", False), ("#1##~#####", False)]
)
def test_a_mark_on_a_board_without_a_move_is_a_covered_cell(row: str, fresh: bool) -> None:
    """If there are few, and nothing is open."""
    found = fresh_board(reading_of(Board.parse("/".join([row, *["##########"] * 2]), 4)))
    assert (found is not None) is fresh
    assert found is None or found.board == Board.covered(3, 10, 4)


@pytest.mark.parametrize(
    ("end", "risk", "stated", "result"),
    [
        ("~~1###/~~2###/01####/02####/01####", 0.0, Status.WON, None),
        ("~~1###/~~2###/01####/02####/01####", 0.0, Status.LOST, None),
        ("~~1###/~~2###/01####/02####/01####", 0.3, Status.LOST, Status.LOST),
        ("~~1###/~~2*##/01####/02####/01####", 0.0, Status.LOST, Status.LOST),
    ],
)
def test_result_in_a_box_counts_if_the_last_moves_can_cause_it(
    end: str, risk: float, stated: Status, result: Status | None
) -> None:
    """One in the middle of a game may speak of wins, or of a loss after a proved move."""
    before = Board.parse("1#1###/112###/01####/02####/01####", mines=4)
    last = Turn(3, reading_of(before), None, (Move(Action.OPEN, Cell(0, 3), risk),))
    skin = load_skin(BUNDLED / "classic").model_copy(update={"program": LEARNED})
    reader: Any = SimpleNamespace(skin=skin, window=None, end_over_board=lambda: stated)
    assert result_over_board(reader, Board.parse(end, mines=4), last) is result
