"""What no game shows, and what only odd ones do: a right answer, or an error that says why.

More mines than cells, and fewer than none, no board can hold at all (tests/bot/test_board.py).
"""

from __future__ import annotations

import threading

import pytest

from bot.analysis import Cancelled, Limit
from bot.board import Board, Cell, InconsistentBoard
from bot.game import FirstClick, Game
from bot.solver import SOLVERS
from tests.bot.solver.boards import at_odds

NAMING = [name for name in SOLVERS if name != "enumeration"]
"""The oracle is kept stupid: it says that a board cannot be, and no more."""
COUNTING = [name for name in NAMING if SOLVERS[name].complete]

every_solver = pytest.mark.parametrize("name", SOLVERS)


@pytest.mark.parametrize("name", NAMING)
@pytest.mark.parametrize(
    ("text", "mines", "hint", "said"),
    [
        ("8#", 1, (0, 0), "the 8 at row 1, column 1 cannot be: it touches 1 covered cell and 0 kn"),
        ("**0#", 2, (0, 2), "the 0 at row 1, column 3 cannot be: it touches 1 covered cell and 1 "),
        ("1##2", 3, (0, 3), "the 2 at row 1, column 4 cannot be: it touches 1 covered cell and 0 "),
        ("1.", 0, (0, 0), "the 1 at row 1, column 1 cannot be: it touches 0 covered cells and 0 "),
        ("***#", 2, None, "is said to hold 2 mines, but it shows 3 and has 1 covered cell"),
        ("3#/##", 4, None, "is said to hold 4 mines, but it shows 0 and has 3 covered cells"),
        ("..", 1, None, "is said to hold 1 mine, but it shows 0 and has 0 covered cells"),
    ],
)
def test_a_hint_or_a_number_of_mines_that_the_covered_cells_forbid(
    name: str, text: str, mines: int, hint: tuple[int, int] | None, said: str
) -> None:
    """The one hint is named, and what it touches; or how many mines show, whatever hints say."""
    with pytest.raises(InconsistentBoard, match=said) as refused:
        SOLVERS[name].solve(Board.parse(text, mines), Limit())
    assert refused.value.hints == (() if hint is None else (Cell(*hint),))


@pytest.mark.parametrize("name", NAMING)
@pytest.mark.parametrize("text", ["1#0#", "*1#1", "11#/00#", "####/1131"])
def test_hints_in_conflict(name: str, text: str) -> None:
    """They are named in the message, as numbers at places, and are at odds indeed."""
    board = Board.parse(text, 2)
    with pytest.raises(InconsistentBoard) as refused:
        SOLVERS[name].solve(board, Limit())
    hints = refused.value.hints
    assert at_odds(board, hints)
    assert f"the {board[hints[0]]} at {hints[0].position_text}" in str(refused.value)


@pytest.mark.parametrize("name", COUNTING)
@pytest.mark.parametrize(
    ("text", "mines", "said"),
    [
        ("1##1", 1, "is said to hold 1 mine, but its hints call for at least 2"),
        ("1#/##/##", 5, "is said to hold 5 mines, but its hints call for at most 3"),
        (".#", 1, "is said to hold 1 mine, but its hints call for at most 0"),
        ("2#2/###/2#2", 1, "is said to hold 1 mine, but its hints call for at least 3"),
    ],
)
def test_a_number_of_mines_that_the_hints_forbid(
    name: str, text: str, mines: int, said: str
) -> None:
    """No hint is to blame: the message says which number there should be."""
    with pytest.raises(InconsistentBoard, match=said) as refused:
        SOLVERS[name].solve(Board.parse(text, mines), Limit())
    assert not refused.value.hints


@every_solver
def test_an_unread_tile(name: str) -> None:
    """An unread tile is an error."""
    with pytest.raises(ValueError, match="row 2, column 3 is unread"):
        SOLVERS[name].solve(Board.parse("###/##~", 1), Limit())


@every_solver
def test_a_stop(name: str) -> None:
    """A user who stops gets no answer."""
    stop = threading.Event()
    stop.set()
    board = Board.parse("###1#/#22##/1#2##/#####", 7)
    with pytest.raises(Cancelled):
        SOLVERS[name].solve(board, Limit(cancel=stop))


@every_solver
def test_a_board_of_100x100_joined_in_the_middle(name: str) -> None:
    """No mine is called safe; a complete solver within its limit finds all that is certain."""
    game = Game(100, 100, 1_500, 1, FirstClick.ZERO)
    game.open((50, 50))
    found = SOLVERS[name].solve(game.board, Limit(nodes=20_000))
    assert found.best is not None
    mined = game.layout
    assert mined is not None
    assert not any(mined[cell] for cell in found.safe)
    assert all(mined[cell] for cell in found.mines)
    exact = SOLVERS["exact"].solve(game.board, Limit())
    assert not found.exact or (found.safe, found.mines) == (exact.safe, exact.mines)
