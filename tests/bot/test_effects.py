"""Another game in the same window, distinguished from a misread."""

from __future__ import annotations

import pytest

from bot.board import Board, Cell
from bot.effects import is_other_game, opened_mine, opens_all
from bot.planner import Action, Move
from tests.support.boards import reading_of


@pytest.mark.parametrize(
    ("before", "after", "anew"),
    [
        ("11#/###", "111/###", False),
        ("11#/###", "21#/###", False),
        ("1100/1100/0000", "1#00/1100/0000", False),
        ("11#/###", "###/###", True),
        ("1100/1100/0000", "####/#000/#000", True),
        ("1100/1100/0000", "##11/1121/0000", True),
        ("1100/1100/0000", "0111/0111/0000", True),
        ("11#/###", "1####/#####", True),
    ],
)
def test_another_game_is_no_misread(before: str, after: str, anew: bool) -> None:
    """Most cells closed, or several of them closed or others: that no misread does."""
    assert is_other_game(Board.parse(before, 1), Board.parse(after, 1)) is anew


@pytest.mark.parametrize(
    ("action", "after", "hit"),
    [
        (Action.OPEN, "11/1*", True),
        (Action.OPEN, "*1/11", False),
        (Action.FLAG, "11/1*", False),
    ],
)
def test_opened_mine_means_a_loss_if_all_mines_are_shown(
    action: Action, after: str, hit: bool
) -> None:
    """A program that draws no exploded mine may show the same board at a win and at a loss."""
    before = reading_of(Board.parse("##/##", 1))
    now = reading_of(Board.parse(after, 1))
    assert opened_mine(now, before, (Move(action, Cell(1, 1), 0.25),)) is hit


@pytest.mark.parametrize(
    ("after", "clicked", "won"),
    [
        ("~2*20/##*30/##*20", (0, 0), True),
        ("~2*20/##*30/##*20", (0, 1), False),
        ("~2*20/##*30/##*20", (0, 2), False),
        ("~2*20/##*30/###20", (0, 0), False),
        ("~2*20/##!30/##*20", (0, 0), False),
    ],
    ids=["the last zeros", "another cell", "a mine", "a hidden mine", "an exploded mine"],
)
def test_a_win_that_looks_like_a_loss(after: str, clicked: tuple[int, int], won: bool) -> None:
    """All mines are shown, and what the last zeros open is still covered."""
    before = reading_of(Board.parse("###20/###30/###20", 3))
    now = reading_of(Board.parse(after, 3))
    assert opens_all(now, before, (Move(Action.OPEN, Cell(*clicked), 0.0),)) is won
