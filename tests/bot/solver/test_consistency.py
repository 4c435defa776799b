"""The check of source 004: its examples, its three answers, and what it is worth."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from bot.analysis import Limit
from bot.board import COVERED, UNREAD, Board, Cell
from bot.solver.published import enumeration
from bot.solver.published.consistency import (
    Outcome,
    check,
    impossible_hints,
    solve,
)
from tests.bot.solver.boards import any_boards, at_odds, oracle

pytestmark = pytest.mark.long

FOUR = "###/#4#/###"
"""The source's first example: an incomplete numeric location among eight questionable areas."""


def test_all_seventy_combinations_of_a_four_are_tried() -> None:
    """Four mines are too many for a board of three: each combination is refuted, then it is out."""
    found = check(Board.parse(FOUR, 3))
    assert found.outcome is Outcome.INCONSISTENT
    assert found.combinations == 70
    assert found.counted
    assert check(Board.parse(FOUR, 3), count_mines=False).outcome is Outcome.SOLVED


def test_solutions_and_contradictions_are_those_of_the_oracle() -> None:
    """Solved: the placing shown is one. Inconsistent: there is none, even of those hints alone."""
    said: Counter[tuple[Outcome, bool]] = Counter()

    @settings(max_examples=300, derandomize=True)
    @given(any_boards())
    def compare(board: Board) -> None:
        found, possible = check(board), oracle(board) is not None
        said[found.outcome, possible] += 1
        if found.outcome is Outcome.SOLVED:
            assert possible
            assert enumeration.satisfactory(board, frozenset(found.mines))
        elif found.outcome is Outcome.INCONSISTENT:
            assert not possible
            assert found.counted or at_odds(board, found.hints)

    compare()
    assert not said[Outcome.SOLVED, False]
    assert not said[Outcome.INCONSISTENT, True]
    possible = said[Outcome.SOLVED, True] / sum(said[outcome, True] for outcome in Outcome)
    impossible = said[Outcome.INCONSISTENT, False] / sum(said[o, False] for o in Outcome)
    assert possible > 0.85
    assert impossible > 0.85


@pytest.mark.parametrize(
    ("text", "mines", "can"),
    [
        ("##/1#/#1/##/1#/#1", 2, True),
        ("2##1#/##x2#", 4, False),
        ("#2#2#1#/#2x#12#", 4, False),
    ],
)
def test_after_an_arbitrary_choice_a_failure_proves_nothing(
    text: str, mines: int, can: bool
) -> None:
    """The source holds its check to be complete; here it is not.

    On the first board the combination that was kept is the wrong one; on the others there is no
    right one, but the key point that fails comes after a choice elsewhere.
    """
    board = Board.parse(text, mines)
    assert (oracle(board) is not None) == can
    assert check(board).outcome is Outcome.UNDECIDED


def test_a_spent_limit_is_undecided() -> None:
    """One combination is not enough here."""
    assert check(Board.parse(FOUR, 4), Limit(nodes=0)).outcome is Outcome.UNDECIDED
    found = solve(Board.parse("1#xxx###/xxxxx#4#/xxxxx###", 5), Limit(nodes=0))
    assert found.mines == (Cell(0, 1),)


def test_cells_are_proved_by_assuming_the_contrary() -> None:
    """A 2-1 at the wall: neither hint alone says it; the reason names both."""
    found = solve(Board.parse("####/x21x/xxxx", 2))
    assert found.mines == (Cell(0, 0),)
    assert found.best == Cell(0, 3)
    assert found.reason == (
        "safe: a mine here would contradict the 2 at row 2, column 2 and the 1 at row 2, column 3"
    )
    assert set(found.evidence.hints) == {Cell(1, 1), Cell(1, 2)}


def test_hints_that_contradict_are_returned() -> None:
    """Contradicting hints of a board with an unread tile and an unknown number of mines."""
    seen = Board.parse("x*x#1/*4*2#/x*x*~", 0)
    assert impossible_hints(seen) == (Cell(0, 4), Cell(1, 3))
    assert impossible_hints(Board.parse("x*x#~/*4*2#/x*x*1", 0)) == ()
    assert impossible_hints(Board.parse("~~~/~8~/~~~", 0)) == ()
    assert impossible_hints(Board.parse("~~./~8~/~~~", 0)) != ()


def test_an_unread_tile_may_be_anything() -> None:
    """Whatever it shows, and however many mines there are: what is found impossible is."""
    said = Counter[bool]()
    for first, second in product((0, 1, 2, 3, COVERED), repeat=2):
        true = np.array([[1, first, 1], [second, 1, -1]], np.int8)
        for row, col in ((0, 1), (1, 0), (0, 0)):
            seen = true.copy()
            seen[row, col] = UNREAD
            found = bool(impossible_hints(Board(seen, 0)))
            said[found] += 1
            possible = any(oracle(Board(true, mines)) for mines in range(7))
            assert not (found and possible)
    assert min(said[True], said[False]) > 0
