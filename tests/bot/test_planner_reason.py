"""The sentence of a turn is about what is done."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bot.analysis import Analysis, Limit
from bot.board import Board, Cell
from bot.planner import Action, Move, Style, describe_moves, plan
from bot.solver import solver
from bot.solver.explain import with_explanation

TEXT = "###/#1#/222"
"""Four safe cells around a 1, and its mine at the top."""


def opinion(best: Cell) -> tuple[Board, Analysis]:
    """Return a board and its analysis with a best cell."""
    board = Board.parse(TEXT, 1)
    nan = np.nan
    chance = np.array([[0.0, 1.0, 0.0], [0.0, nan, 0.0], [nan, nan, nan]])
    return board, Analysis(chance, best, True, "exact", "about the best")


def test_what_opens_the_best_cell_keeps_its_reason() -> None:
    """A click on it, or a chord beside it."""
    board, analysis = opinion(Cell(0, 2))
    for move in (Move(Action.OPEN, Cell(0, 2)), Move(Action.CHORD, Cell(1, 1))):
        assert describe_moves(board, analysis, (move,)) is analysis
    assert describe_moves(board, analysis, ()) is analysis
    assert describe_moves(board, analysis, (Move(Action.RESTART),)) is analysis


def test_another_cell_has_a_reason_of_its_own() -> None:
    """That of the proof that this cell is safe, with the hints that it rests on."""
    board = Board.parse("###/111/...", 1)
    analysis = solver("exact").solve(board, Limit())
    (best, other) = analysis.safe
    analysis = replace(analysis, best=best, reason="about the best")
    said = with_explanation(board, describe_moves(board, analysis, (Move(Action.OPEN, other),)))
    assert said.reason
    assert said.best == other
    assert said.reason.startswith("safe: ")
    assert other in said.evidence.cells


def test_a_single_flag_is_told_as_such() -> None:
    """What is flagged is a proved mine; a flag that stands on none is taken away."""
    board, analysis = opinion(Cell(0, 2))
    said = describe_moves(board, analysis, (Move(Action.FLAG, Cell(0, 1)),))
    assert said.reason == "a flag on a proved mine at row 1, column 2"
    assert said.evidence.cells == (Cell(0, 1),)
    wrong = describe_moves(board, analysis, (Move(Action.FLAG, Cell(0, 0)),))
    assert wrong.reason == "the flag at row 1, column 1 is on no mine and is removed"


def test_in_whole_games_the_best_cell_is_opened_by_the_moves() -> None:
    """Every style, on boards of the middle game: the reason is about one of the moves."""
    board = Board.parse("1#####/12####/.12###/..12##/...1##/...1##", 6)
    analysis = solver("exact").solve(board, Limit())
    for style in (Style.NO_FLAGS, Style.FLAGS, Style.CHORDS):
        moves = plan(board, analysis, style)
        for count in range(1, len(moves) + 1):
            said = with_explanation(board, describe_moves(board, analysis, moves[:count]))
            assert said.reason
            done = {move.cell for move in moves[:count]}
            chords = any(move.action is Action.CHORD for move in moves[:count])
            assert chords or said.best in done or said.evidence.cells[0] in done
