"""The command that advises: what it prints, and that it ends with Ctrl-C."""

from __future__ import annotations

import io
from dataclasses import replace

from bot.analysis import Limit
from bot.assist.coach import MoveKind, Verdict
from bot.assist.patterns import Pattern
from bot.assist.watcher import WatchedTurn
from bot.board import Board, Cell
from bot.frame import Status
from bot.planner import Action, Move
from bot.solver import exact
from gui.commands.play import AdvicePrinter
from gui.console import Console
from tests.support.boards import reading_of


def turn(text: str, mines: int, number: int, *verdicts: Verdict) -> WatchedTurn:
    """A turn of such a board."""
    board = Board.parse(text, mines)
    reading = reading_of(board)
    if reading.status.over:
        return WatchedTurn(number, reading, None, (), verdicts=verdicts)
    analysis = exact.solve(board, Limit())
    assert analysis.best is not None
    moves = (Move(Action.OPEN, analysis.best),)
    return WatchedTurn(number, reading, analysis, moves, verdicts=verdicts)


def test_advice_and_verdicts_are_printed() -> None:
    """A line for each answer; of a move only what calls for it; at the end the lessons.

    A board that is covered meanwhile is reported once.
    """
    missed = Verdict(
        Move(Action.OPEN, Cell(0, 1), 0.5),
        MoveKind.MISSED,
        0.0,
        Cell(2, 0),
        Pattern("a 1-1"),
        died=True,
    )
    safe = Verdict(Move(Action.OPEN, Cell(2, 0)), MoveKind.SAFE)
    first = turn("1##/1##/###/###", 3, 0)
    covered = replace(first.reading, status=Status.BLOCKED)
    text = io.StringIO()
    printer = AdvicePrinter(Console(file=text, width=200))
    for one in (
        first,
        replace(first, analysis=None, moves=(), reading=covered),
        turn("1##/1##/1##/###", 3, 1),
        turn("1##/1##/1##/###", 3, 1, safe),
        turn("1!*/1##/1##/##*", 3, 2),
        turn("1!*/1##/1##/##*", 3, 2, missed),
    ):
        printer.add(one)
    advice, blocked, other, *verdicts = text.getvalue().splitlines()
    assert advice.startswith("0: open row 3, column 1: safe: ")
    assert blocked.startswith("something covers the board")
    assert other.startswith("1: open row ")
    assert verdicts == [
        "  A mine. That was a guess with a risk of 50%; row 3, column 1 was proved safe: a 1-1.",
        "Lost on an unnecessary guess with a risk of 50%.",
        "2 moves, 1 guess: 0 needed, 1 while a cell was proved safe, 0 riskier than another.",
        "You missed a 1-1, once.",
    ]
