"""From an opinion to moves: which cells are opened or flagged, and in what order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.analysis import Analysis
from bot.board import FLAG, QUESTION, Board, Cell
from bot.chords import thrifty
from bot.outlook import Outlook, without_waste
from bot.way import short_way


class Action(Enum):
    """What a move does."""

    OPEN = "open"
    FLAG = "flag"
    CHORD = "chord"
    RESTART = "restart"


@dataclass(frozen=True)
class Move:
    """One thing to do in the game's window."""

    action: Action
    cell: Cell | None = None
    """Where; None for a restart."""
    risk: float = 0.0
    """Probability of dying by it: 0.0 is a proof of safety."""


class Style(Enum):
    """How a player likes to play."""

    NO_FLAGS = "no flags"
    """Opens only: few clicks to a win, and few looks."""
    FLAGS = "flags"
    """Flags every proved mine as well."""
    CHORDS = "chords"
    """Flags where it pays and chords: the fewest clicks, at the price of more looks."""
    HUNT = "hunt"
    """In the game of digging: one dig where the hunter wants to; when the list of mines is
    complete, a flag on every one that was not dug."""


def plan(board: Board, analysis: Analysis, style: Style = Style.NO_FLAGS) -> tuple[Move, ...]:
    """What is certain, less what it may open by itself; without it the one best guess.

    A safe cell that is left out is opened after the next look, where need be: a guess is
    made only when no safe cell is left. A flag on a cell that is to be opened is taken
    away first: programs do not open a flagged cell.

    Returns:
        Moves in an order that keeps the pointer's way short; empty where nothing is left
        to open.
    """
    if style is Style.HUNT:
        return _visited(_guess(board, analysis) or _flags(board, analysis))
    outlook = Outlook(board, analysis)
    if style is Style.CHORDS and outlook.safe:
        return _thrifty(board, outlook)
    safe = (Cell(*divmod(index, board.cols)) for index in without_waste(outlook))
    clicks = {cell: _opening(board, cell) for cell in safe} or _guess(board, analysis)
    if style is Style.FLAGS:
        clicks |= _flags(board, analysis)
    return _visited(clicks)


_Clicks = dict[Cell, tuple[Move, ...]]
"""What is done at each cell, in that order."""


def _visited(clicks: _Clicks) -> tuple[Move, ...]:
    return tuple(move for cell in short_way(clicks) for move in clicks[cell])


def _guess(board: Board, analysis: Analysis) -> _Clicks:
    if analysis.best is None:
        return {}
    risk = float(analysis.mine_probability[analysis.best])
    return {analysis.best: _opening(board, analysis.best, risk)}


def _opening(board: Board, cell: Cell, risk: float = 0.0) -> tuple[Move, ...]:
    move = Move(Action.OPEN, cell, risk)
    return (Move(Action.FLAG, cell), move) if board[cell] == FLAG else (move,)


def _flags(board: Board, analysis: Analysis) -> _Clicks:
    return {cell: _flagging(board, cell) for cell in analysis.mines if board[cell] != FLAG}


def _flagging(board: Board, cell: Cell) -> tuple[Move, ...]:
    """A right click sets a flag or takes it away; it makes a question mark a covered cell."""
    return (Move(Action.FLAG, cell),) * (2 if board[cell] == QUESTION else 1)


def _thrifty(board: Board, outlook: Outlook) -> tuple[Move, ...]:
    def cell_of(index: int) -> Cell:
        return Cell(*divmod(index, board.cols))

    steps = {cell_of(step.cell): step for step in thrifty(outlook)}
    moves: list[Move] = []
    clicked: set[int] = set()
    for cell in short_way(steps):
        step = steps[cell]
        missing = [index for index in step.flags if index not in clicked]
        clicked.update(missing)
        moves += _visited({cell_of(index): _flagging(board, cell_of(index)) for index in missing})
        if step.opens:
            moves.append(Move(Action.OPEN, cell))
        if step.chords:
            moves.append(Move(Action.CHORD, cell))
    return tuple(moves)
