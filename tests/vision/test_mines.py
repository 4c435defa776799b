"""How many mines: the counter, the user, the level, and what happens where they disagree."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Board
from bot.frame import Grid
from vision.numbers.counters import Counters
from vision.numbers.mines import MinesUnknown, settle_mines, shown_mines
from vision.skins import Skin

LEVEL = Grid(0, 0, 16, 16, rows=9, cols=9)
CUSTOM = Grid(0, 0, 16, 16, rows=9, cols=11)


@pytest.fixture
def skin(skins: tuple[Skin, ...]) -> Skin:
    """WineMine: 9 x 9 cells are its level with ten mines."""
    return next(one for one in skins if one.name == "winemine")


def test_flags_count_with_the_mines_that_are_left() -> None:
    """A counter that counts down has taken off every flag, the wrong ones too."""
    tiles = Board.parse("F##x/1.../####/####", mines=5).tiles
    assert shown_mines(Counters(mines_left=3), tiles) == 5
    assert shown_mines(Counters(mines_left=-1), tiles) == 1
    assert shown_mines(Counters(mines_left=3, mines_total=7), tiles) == 7


@pytest.mark.parametrize("counters", [Counters(), Counters(mines_left=-2), Counters(16)])
def test_what_cannot_be_the_number_of_mines_is_none(counters: Counters) -> None:
    """No counter, none left, and as many mines as cells."""
    assert shown_mines(counters, np.full((4, 4), -1, np.int8)) is None


def test_the_counter_comes_first_and_the_level_last(skin: Skin) -> None:
    """Whoever is alone is believed; where two agree nobody is named."""
    assert settle_mines(skin, LEVEL, None, None) == (10, "")
    assert settle_mines(skin, CUSTOM, 13, None) == (13, "")
    assert settle_mines(skin, CUSTOM, None, 14) == (14, "")
    assert settle_mines(skin, LEVEL, 10, 10) == (10, "")


def test_an_overruled_level_is_named(skin: Skin) -> None:
    """A custom board may have a level's size: the game on the screen knows better."""
    number, remark = settle_mines(skin, LEVEL, None, 12)
    assert number == 12
    assert "10 mines" in remark
    assert "its counter shows 12" in remark
    assert "you say that it has 13" in settle_mines(skin, LEVEL, 13, None).remark


@pytest.mark.parametrize(
    ("told", "shown", "message"),
    [
        (12, 10, "shows 10 mines, but 12 were given"),
        (99, None, "99 mines do not fit"),
        (99, 10, "99 mines do not fit"),
    ],
)
def test_a_contradiction_of_the_user_is_an_error(
    skin: Skin, told: int, shown: int | None, message: str
) -> None:
    """Playing on with a wrong number would make every probability wrong."""
    with pytest.raises(MinesUnknown, match=message):
        settle_mines(skin, LEVEL, told, shown)


def test_where_nobody_knows_the_user_is_asked(skin: Skin) -> None:
    """The error lists the levels, so that a board read too small is noticed."""
    with pytest.raises(MinesUnknown, match=r"expert 16 x 30.*--mines"):
        settle_mines(skin, CUSTOM, None, None)
