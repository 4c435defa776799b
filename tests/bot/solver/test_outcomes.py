"""What opening a cell would show, held against all placings of the mines."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from bot.analysis import Cancelled, Limit
from bot.board import EXPLODED, Board, Cell, InconsistentBoard, neighbours
from bot.solver.outcomes import NearbyHint, Outcomes, nearby_hints, possible_outcomes
from tests.bot.solver.boards import all_solutions, perfect_play


def counted(board: Board, cell: Cell) -> dict[int, tuple[float, int, int]]:
    """By value: its chance, and the cells that all placings with it agree on for the first time."""
    index = cell.row * board.cols + cell.col
    around = set(neighbours(board.rows, board.cols)[index])
    worlds = all_solutions(board)
    covered = set(np.flatnonzero(board.unopened).tolist())
    safe_before = {one for one in covered if not any(one in world for world in worlds)}
    mines_before = set.intersection(*map(set, worlds))
    by_value: dict[int, list[frozenset[int]]] = {}
    for world in worlds:
        if index not in world:
            by_value.setdefault(len(world & around), []).append(world)
    found = {}
    for value, left in by_value.items():
        safe = {one for one in covered - {index} if not any(one in world for world in left)}
        mines = set.intersection(*map(set, left))
        gained = len(safe - safe_before), len(mines - mines_before)
        found[value] = (len(left) / len(worlds), *gained)
    return found


BOARDS = [
    ("###/1##/##2", 3),
    ("#2#/###/1##", 3),
    ("####/1221/....", 2),
    ("1###/####", 2),
    ("F?#/2##/###", 3),
]


@pytest.mark.parametrize(("text", "mines"), BOARDS)
def test_outcomes_are_those_of_all_solutions(text: str, mines: int) -> None:
    """Chances, cells proved and the chance to win, for every covered cell."""
    board = Board.parse(text, mines)
    total, (_, won) = len(all_solutions(board)), perfect_play(board)
    for row, col in np.argwhere(board.unopened):
        cell = Cell(int(row), int(col))
        reported, expected = possible_outcomes(board, cell), counted(board, cell)
        got = {one.value: (one.chance, one.safe, one.mines) for one in reported.by_hint}
        assert got.keys() == expected.keys()
        for value, (chance, *gained) in expected.items():
            assert got[value] == (pytest.approx(chance), *gained)
        if expected:
            assert reported.win == pytest.approx(won[cell.row * board.cols + cell.col] / total)


def test_nothing_is_said_of_what_cannot_be_counted() -> None:
    """No win of a fresh Beginner board, or after a dug mine, which ends no game.

    No chances where the solver only estimates.
    """
    assert possible_outcomes(Board.covered(9, 9, 10), Cell(4, 4)).win is None
    dug = Board.parse("!#/##", 2)
    assert EXPLODED in dug.tiles
    assert possible_outcomes(dug, Cell(0, 1)).win is None
    assert len(possible_outcomes(dug, Cell(0, 1)).by_hint) == 1
    board = Board.parse("########/#1#2#2##/########/##2#1###/########", 12)
    assert possible_outcomes(board, Cell(0, 0), Limit(nodes=1)) == Outcomes((), None)


def test_hints_around_a_cell() -> None:
    """Every hint around it, with what it lacks; a hint speaks for itself; floating cells none."""
    board = Board.parse("*2##/12##/####", 4)
    assert nearby_hints(board, Cell(0, 2)) == (
        NearbyHint(Cell(0, 1), 2, 1, 2),
        NearbyHint(Cell(1, 1), 2, 1, 5),
    )
    assert nearby_hints(board, Cell(1, 0)) == (NearbyHint(Cell(1, 0), 1, 0, 2),)
    assert nearby_hints(board, Cell(0, 3)) == ()
    assert nearby_hints(board, Cell(0, 0)) == ()


def test_impossible_questions_are_errors() -> None:
    """An opened cell, an impossible board, and a cancelled question."""
    with pytest.raises(ValueError, match="row 1, column 1 is not covered"):
        possible_outcomes(Board.parse("1#", 1), Cell(0, 0))
    with pytest.raises(InconsistentBoard):
        possible_outcomes(Board.parse("3#", 1), Cell(0, 1))
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        possible_outcomes(Board.parse("1##/###", 2), Cell(0, 1), Limit(cancel=cancel))
