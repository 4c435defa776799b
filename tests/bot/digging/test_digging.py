"""The rules of source 002's game."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import EXPLODED, Cell
from bot.digging.game import DigGame
from bot.frame import Status
from bot.game import FirstClick, Game

LAYOUT = np.array([[0, 0, 0, 1], [0, 0, 0, 0], [1, 0, 0, 0]], dtype=bool)


def test_a_dig_opens_one_tile() -> None:
    """A zero does not open its neighbours: they are safe without being opened."""
    game = DigGame.from_mines(LAYOUT)
    assert game.open((0, 0)) == (Cell(0, 0),)
    assert game.board.rows_text() == ".###\n####\n####"
    # Digging it again costs nothing, and there are no chords.
    assert game.open((0, 0)) == game.flag((0, 0)) == game.chord((0, 0)) == ()
    assert game.digs == 1


def test_a_dug_mine_reads_nine_and_the_game_goes_on() -> None:
    """On the board it is EXPLODED, a mine that the solvers know."""
    game = DigGame.from_mines(LAYOUT)
    game.open((2, 0))
    assert game.status is Status.PLAYING
    assert game.board[2, 0] == EXPLODED
    assert str(game) == "####\n####\n9###\nmines: 2"
    assert game.mines_left == 1
    # The right list wins, whether its mines were dug or deduced.
    assert game.submit([(2, 0), (0, 3)]) is Status.WON
    assert game.board.rows_text() == "###F\n####\n!###"


@pytest.mark.parametrize("mines", [[(2, 0)], [(2, 0), (1, 1)], [(2, 0), (0, 3), (1, 1)], []])
def test_any_other_list_loses(mines: list[tuple[int, int]]) -> None:
    """Too short, wrong, or too long; what was wrong shows, and nothing moves any more."""
    game = DigGame.from_mines(LAYOUT)
    with pytest.raises(ValueError, match="is not on a board of 4 x 3"):
        game.submit([(-1, 0)])
    assert game.submit(mines) is Status.LOST
    assert (game.board.rows_text()[5:9] == "#x##") == ((1, 1) in mines)
    assert game.submit([(2, 0), (0, 3)]) is Status.LOST
    assert game.open((0, 0)) == game.flag((0, 0)) == ()


def test_flags_are_the_list_of_a_player_at_a_window() -> None:
    """The last one hands it in, right or wrong; until then they can be taken back."""
    game = DigGame.from_mines(LAYOUT)
    game.flag((1, 1))
    assert game.open((1, 1)) == ()
    game.flag((1, 1))
    game.flag((0, 3))
    assert not game.status.over
    game.open((2, 0))
    assert game.status is Status.WON
    game = DigGame.from_mines(LAYOUT)
    game.flag((0, 3))
    game.flag((0, 0))
    assert game.status is Status.LOST
    assert game.board.rows_text() == "x##F\n####\n*###"


def test_the_mines_are_those_of_the_usual_game_without_a_promise() -> None:
    """So that both games can be played on the same boards."""
    game = Game(8, 9, 20, seed=3, first_click=FirstClick.NONE)
    game.open((0, 0))
    layout = game.layout
    assert layout is not None
    assert np.array_equal(DigGame(8, 9, 20, seed=3).layout, layout)
