"""The visible board and its text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bot.board import (
    COVERED,
    EXPLODED,
    FLAG,
    MINE,
    MISFLAG,
    OPENED,
    QUESTION,
    TILE_CODES,
    UNREAD,
    Board,
    Cell,
    neighbours,
)

boards = st.tuples(st.integers(1, 6), st.integers(1, 6)).flatmap(
    lambda shape: st.builds(
        Board,
        arrays(np.int8, shape, elements=st.sampled_from(TILE_CODES)),
        st.integers(0, shape[0] * shape[1]),
    )
)


@given(boards)
def test_text_round_trips(board: Board) -> None:
    """Every board can be written down and read back, in lines or with slashes."""
    assert Board.parse(str(board)) == board
    assert Board.parse(board.rows_text().replace("\n", "/"), board.mines) == board
    assert hash(Board.parse(str(board))) == hash(board)


def test_every_character_has_its_meaning() -> None:
    """The legend of the module's docstring is what `parse` does."""
    board = Board.parse(".0123/45678/#F?*!/x~###", mines=3)
    assert board.tiles.tolist() == [
        [0, 0, 1, 2, 3],
        [4, 5, 6, 7, 8],
        [COVERED, FLAG, QUESTION, MINE, EXPLODED],
        [MISFLAG, UNREAD, COVERED, COVERED, COVERED],
    ]
    assert Board.parse("##\nmines: 1").mines == 1
    # A number that is given counts, not the text's.
    assert Board.parse("##\nmines: 1", 2).mines == 2


@pytest.mark.parametrize(
    ("text", "mines", "said"),
    [
        ("#1\n#", 1, "row 2 has 1 tiles, row 1 has 2"),
        ("#1\n#y", 1, "unknown tile 'y' in row 2, column 2"),
        ("#1", None, "number of mines is missing"),
        ("mines: 3", None, "at least one row"),
        ("", 1, "at least one row"),
        ("##\nmines: ³", None, "no number of mines"),
        ("##\nmines: -1", None, "no number of mines"),
        ("##", 3, "3 mines do not fit on 2 x 1 cells"),
        ("##", -1, "-1 mines do not fit"),
    ],
)
def test_bad_text_is_refused(text: str, mines: int | None, said: str) -> None:
    """The error names what is wrong and where."""
    with pytest.raises(ValueError, match=said):
        Board.parse(text, mines)


def test_boards_differ_by_their_tiles_and_by_their_mines() -> None:
    """One of the two is enough, in a set as well, and nothing else is a board."""
    board = Board.parse("#1", 1)
    others = [Board.parse("#1", 0), Board.parse("1#", 1), Board.parse("#/1", 1)]
    assert board not in others
    assert len({hash(one) for one in (board, *others)}) == 4
    assert board != str(board)


def test_bad_arrays_are_refused() -> None:
    """Neither a code that no tile has nor a board without cells."""
    with pytest.raises(ValueError, match="0 to 8"):
        Board(np.full((2, 2), 9, np.int8), 0)
    with pytest.raises(ValueError, match="0 to 8"):
        Board(np.full((2, 2), OPENED - 1, np.int8), 0)
    with pytest.raises(ValueError, match="shape"):
        Board(np.zeros((0, 4), np.int8), 0)


def test_a_board_is_frozen() -> None:
    """Nobody writes on a board, not even through the array that it was made from."""
    tiles = np.full((2, 2), COVERED, np.int8)
    board = Board(tiles, 1)
    tiles[0, 0] = 5
    assert board[0, 0] == COVERED
    with pytest.raises(ValueError, match="read-only"):
        board.tiles[0, 0] = 5


def test_unopened_are_the_cells_that_can_be_opened() -> None:
    """Covered, flagged and marked cells; nothing that an end of a game shows."""
    board = Board.parse("#F?1*!x~", 3)
    assert board.unopened.tolist() == [[True, True, True] + [False] * 5]
    assert list(board.cells(FLAG, MINE)) == [Cell(0, 1), Cell(0, 4)]
    assert len(list(board.cells())) == 8


def test_neighbours_are_adjacent_cells() -> None:
    """Three at a corner, five at a side, eight inside, and the relation is symmetric."""
    table = neighbours(3, 4)
    assert table[0] == (1, 4, 5)
    assert sorted(len(around) for around in table) == [3] * 4 + [5] * 6 + [8] * 2
    assert all(cell in table[other] for cell, around in enumerate(table) for other in around)
    assert neighbours(1, 1) == ((),)
