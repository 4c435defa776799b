"""The rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.board import COVERED, Board, Cell, neighbours
from bot.digging.game import DigGame
from bot.frame import Status
from bot.game import EXPERT, FirstClick, Game

LAYOUT = np.array([[0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 1]], dtype=bool)
"""....  11 to the mines in the lower corners."""

sizes = st.tuples(st.integers(1, 8), st.integers(1, 8))


def shown(game: Game) -> str:
    """Return the visible tiles as text."""
    return game.board.rows_text()


def test_a_zero_opens_its_region_and_the_last_safe_cell_wins() -> None:
    """The cascade goes on from zeros only and opens the hints around them; a win flags mines."""
    game = Game.from_mines(LAYOUT)
    assert len(game.open((0, 0))) == 8
    assert shown(game) == "....\n1111\n####"
    game.open((2, 1))
    assert game.status is Status.PLAYING
    game.open((2, 2))
    assert game.status is Status.WON
    assert shown(game) == "....\n1111\nF11F"
    assert game.mines_left == 0


def test_flags_count_down_and_cycle_and_stop_the_cascade() -> None:
    """Covered, flag, (question mark,) covered: only flagged cells stay closed."""
    game = Game(1, 3, 1)
    game.flag((0, 0))
    game.flag((0, 1))
    assert game.mines_left == -1
    game.flag((0, 0))
    assert shown(game) == "#F#"
    game = Game.from_mines(LAYOUT, question_marks=True)
    for tiles in ("##F#", "##?#", "####", "##F#", "##?#"):
        game.flag((0, 2))
        assert shown(game).startswith(tiles)
    game.flag((0, 3))
    game.open((0, 0))
    assert shown(game) == "...F\n1111\n####"


def test_a_loss_shows_the_mines() -> None:
    """The mine that was hit, the others, and the flags that were wrong; right ones stay."""
    game = Game.from_mines(np.array([[1, 0, 1, 0, 1, 0]], dtype=bool))
    game.flag((0, 0))
    game.flag((0, 3))
    game.open((0, 2))
    assert game.status is Status.LOST
    assert shown(game) == "F#!x*#"
    # Afterwards nothing moves: neither opening nor flags nor chords.
    assert game.open((0, 1)) == game.flag((0, 1)) == game.chord((0, 1)) == ()
    assert shown(game) == "F#!x*#"


def test_flagged_and_opened_cells_do_not_open() -> None:
    """A click on a flag does nothing, even on the first click."""
    game = Game(9, 9, 10, seed=1)
    game.flag((4, 4))
    assert game.open((4, 4)) == ()
    assert not game.started
    game.flag((4, 4))
    game.open((4, 4))
    assert game.started
    assert game.open((4, 4)) == ()
    assert game.flag((4, 4)) == ()


def test_a_chord_needs_as_many_flags_as_the_hint_says() -> None:
    """Then it opens what is left around; with a wrong flag it hits the mine."""
    game = Game.from_mines(LAYOUT)
    game.open((0, 0))
    assert game.chord((1, 0)) == ()
    game.flag((2, 0))
    assert game.chord((1, 0)) == (Cell(2, 1),)
    game.flag((2, 2))
    game.chord((1, 3))
    assert game.status is Status.LOST
    assert shown(game) == "....\n1111\nF1x!"


@given(sizes, st.data())
def test_first_click_is_as_promised(size: tuple[int, int], data: st.DataObject) -> None:
    """As far as there is room, and always with the right number of mines."""
    rows, cols = size
    mines = data.draw(st.integers(0, rows * cols))
    cell = Cell(data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, cols - 1)))
    seed = data.draw(st.integers(0, 2**32))
    around = len(neighbours(rows, cols)[cell.row * cols + cell.col])
    for rule in FirstClick:
        game = Game(rows, cols, mines, seed, rule)
        game.open(cell)
        layout = game.layout
        assert layout is not None
        assert layout.sum() == mines
        if rule is not FirstClick.NONE and mines < rows * cols:
            assert not layout[cell]
        if rule is FirstClick.ZERO and mines < rows * cols - around:
            assert game.board[cell] == 0 or game.status is Status.WON


def test_the_same_seed_and_first_click_lay_the_same_mines() -> None:
    """And another seed lays others."""
    games = [Game.of_level(EXPERT, seed) for seed in (7, 7, 8)]
    for game in games:
        game.open((0, 0))
    first, same, other = (game.layout for game in games)
    assert np.array_equal(first, same)
    assert not np.array_equal(first, other)


def test_without_a_promise_the_first_click_may_hit_a_mine() -> None:
    """A first click may hit a mine: with 3 of 4 cells mined it mostly does."""
    lost = 0
    for seed in range(200):
        game = Game(2, 2, 3, seed, FirstClick.NONE)
        game.open((0, 0))
        lost += game.status is Status.LOST
    assert 120 < lost < 180


@given(sizes, st.integers(0, 2**32), st.data())
def test_every_game_ends(size: tuple[int, int], seed: int, data: st.DataObject) -> None:
    """Opening all cells in any order wins or loses, and the hints shown are true."""
    rows, cols = size
    game = Game(rows, cols, data.draw(st.integers(0, rows * cols - 1)), seed)
    for cell in data.draw(st.permutations(list(Board.covered(rows, cols, 0).cells()))):
        game.open(cell)
    assert game.status.over
    layout = game.layout
    assert layout is not None
    table = neighbours(rows, cols)
    for cell in game.board.cells(*range(9)):
        around = table[cell.row * cols + cell.col]
        assert game.board[cell] == layout.ravel()[list(around)].sum()


@pytest.mark.parametrize("kind", [Game, DigGame])
def test_impossible_games_and_cells_off_the_board_are_refused(kind: type[Game | DigGame]) -> None:
    """Negative cells too: they are not counted from the end."""
    for size in ((0, 5, 1), (5, 0, 1), (2, 2, 5), (2, 2, -1)):
        with pytest.raises(ValueError, match="are no game"):
            kind(*size)
    game = kind(2, 3, 1)
    for cell in ((-1, 0), (0, 3), (2, 0)):
        with pytest.raises(ValueError, match="is not on a board of 3 x 2"):
            game.open(cell)
    assert (game.board.tiles == COVERED).all()
