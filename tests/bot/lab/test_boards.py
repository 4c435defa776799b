"""Boards from a seed and from a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bot.board import Cell
from bot.game import EXPERT, FirstClick, Level
from bot.lab.boards import BoardFileError, draw_boards, read_boards

GOOD = """\
# rows=2 cols=3 mines=2
first_row,first_col,mines_hex,record_won
0,0,30,1
1,2,3,0
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Write a file of two boards."""
    path = tmp_path / "boards.csv"
    path.write_text(GOOD)
    return path


def test_bits_are_the_places_of_mines(file: Path) -> None:
    """0x30 is bits 4 and 5: the second row's last two cells."""
    deal = read_boards(file).spec(0)
    game = deal.game()
    assert game.layout is not None
    assert np.argwhere(game.layout).tolist() == [[1, 1], [1, 2]]
    assert deal.first == Cell(0, 0)
    assert np.argwhere(deal.dig_game().layout).tolist() == [[1, 1], [1, 2]]


def test_a_file_can_be_read_in_part(file: Path) -> None:
    """The first board is the same, and the set's key too: results of it can go on."""
    whole, part = read_boards(file), read_boards(file, 1)
    assert (whole.count, part.count) == (2, 1)
    assert part.spec(0) == whole.spec(0)
    assert part.key == whole.key
    with pytest.raises(IndexError):
        part.spec(1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1"),
        ("rows=2 cols=3 mines=2\n", "line 1"),
        ("# rows=2 cols=3 mines=7\n", "line 1: 7 mines"),
        ("# rows=2 cols=x mines=2\n", "line 1"),
        ("# rows=2 cols=3 mines=2\na,b\n", "line 2: there is no column 'first_row'"),
        (GOOD + "0,0\n", "line 5: 2 columns"),
        (GOOD + "0,0,zz,1\n", "line 5"),
        (GOOD + "0,0,7,1\n", "line 5: holds 3 mines, not 2"),
        (GOOD + "0,0,-30,1\n", "line 5: holds"),
        (GOOD + "2,0,30,1\n", "line 5: row 2, column 0 is not on it"),
        (GOOD + "0,0,c00,1\n", "line 5: holds"),
        ("\n".join(GOOD.splitlines()[:2]), "no board"),
    ],
)
def test_a_wrong_line_is_named(file: Path, text: str, message: str) -> None:
    """The file, the line's number and the reason."""
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BoardFileError, match=message) as caught:
        read_boards(file)
    assert str(file) in str(caught.value)


def test_a_file_that_is_none(file: Path) -> None:
    """Fewer boards than wanted, a folder, a missing file, bytes that are no text."""
    with pytest.raises(BoardFileError, match="holds 2 boards, not 3"):
        read_boards(file, 3)
    file.write_bytes(b"\x89PNG\xff")
    for path in (file.parent, file.with_name("none.csv"), file):
        with pytest.raises(BoardFileError, match=r"is not a file|cannot be read"):
            read_boards(path)


def test_drawn_boards_follow_from_the_seed() -> None:
    """Board n of seed s is board 0 of seed s + n, and keeps what the first click is promised."""
    boards = draw_boards(EXPERT, 3, 40, FirstClick.ZERO)
    later = draw_boards(EXPERT, 1, 42, FirstClick.ZERO)
    mine, theirs = boards.spec(2), later.spec(0)
    games = [mine.game(), theirs.game()]
    for game in games:
        game.open(mine.first)
    assert mine.first == Cell(3, 3)
    assert games[0].board == games[1].board
    assert games[0].board[mine.first] == 0
    assert boards.key != later.key


@pytest.mark.parametrize(
    ("rows", "cols", "mines", "count"),
    [(0, 5, 1, 1), (5, 5, 26, 1), (101, 100, 1, 1), (5, 5, 5, 0)],
)
def test_impossible_sets(rows: int, cols: int, mines: int, count: int) -> None:
    """Sizes that are none, too many mines, too large, no boards."""
    with pytest.raises(ValueError, match=r"no game|at least one"):
        draw_boards(Level("bad", rows, cols, mines), count)
