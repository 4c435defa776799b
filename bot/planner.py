"""From an opinion to moves: which cells are opened or flagged, and in what order.

The pointer's way: in what order cells are visited so that it stays short.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from math import dist
from typing import Final

from bot.analysis import NO_EVIDENCE, Analysis, Evidence
from bot.board import FLAG, QUESTION, Board, Cell
from bot.chords import Outlook, thrifty, without_waste


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
    """Return what is certain, less what it may open by itself; without it the one best guess.

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


def about_moves(board: Board, analysis: Analysis, moves: tuple[Move, ...]) -> Analysis:
    """Return the same analysis, its best cell and its reason being about the moves.

    A plan leaves out a safe cell that a zero or a chord beside it is likely to open, be it
    the one that the solver named; a turn may also be a single flag.

    Args:
        board: What was analysed.
        analysis: By a solver; its reason is about `analysis.best`.
        moves: What is done.

    Returns:
        `analysis` where one of the moves opens its best cell, or nothing is opened or
        flagged; else with the first cell that they open (`explain` says why), or with a reason
        for the flag if they open none.
    """
    opened = _opened(board, analysis, moves)
    if not moves or analysis.best in opened:
        return analysis
    if opened:
        return replace(analysis, best=opened[0], reason=None, evidence=NO_EVIDENCE)
    flagged = next((move.cell for move in moves if move.cell is not None), None)
    if flagged is None:
        return analysis
    reason = f"a flag on a proved mine at {flagged.words}"
    if analysis.mine_probability[flagged] != 1.0:
        reason = f"the flag at {flagged.words} is on no mine: it goes"
    return replace(analysis, reason=reason, evidence=Evidence((), (flagged,)))


def _opened(board: Board, analysis: Analysis, moves: tuple[Move, ...]) -> list[Cell]:
    """Return the cells that the moves open by themselves, in their order."""
    opened: list[Cell] = []
    for move in moves:
        if move.cell is None:
            continue
        if move.action is Action.OPEN:
            opened.append(move.cell)
        elif move.action is Action.CHORD:
            around = board.around(move.cell)
            opened += [cell for cell in around if analysis.mine_probability[cell] == 0.0]
    return opened


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
    """Return the right clicks: each sets a flag, takes one away, or covers a question mark."""
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


_UNTANGLED: Final = 16
"""Most cells for which turning parts of the way round is tried: its cost grows with the square.
For three to nine safe cells of a turn it finds the shortest way in 95 to 98 of 100 cases
(`python -m tests.bench_planner`); nearest first alone did in 83."""
_ROUNDING: Final = 1e-9


def short_way(cells: Iterable[Cell]) -> list[Cell]:
    """Return the cells in an order that keeps the way from the first to the last one short.

    Each is followed by the one nearest to it; then parts of the way are turned round as
    long as that makes it shorter. It begins at the end that is nearer to the upper left
    corner, where the hand parks the pointer.

    Args:
        cells: Each of them once.

    Source: the 2-opt exchange of G. A. Croes, Operations Research 6 (1958).
    """
    way = _nearest_first(cells)
    if 2 < len(way) <= _UNTANGLED:
        way = _untangled(way)
    if way and sum(way[-1]) < sum(way[0]):
        way.reverse()
    return way


def _nearest_first(cells: Iterable[Cell]) -> list[Cell]:
    left = dict.fromkeys(cells)
    here = next(iter(left), None)
    way: list[Cell] = []
    while here is not None:
        del left[here]
        way.append(here)
        here = _nearest(here, left)
    return way


def _nearest(here: Cell, cells: Collection[Cell]) -> Cell | None:
    """Return the cell with the smallest distance; one of several."""
    row, col = here
    if len(cells) > len(_CLOSE_BY):
        for down, right in _CLOSE_BY:
            cell = Cell(row + down, col + right)
            if cell in cells:
                return cell
    best, least = None, 0
    for cell in cells:
        square = (cell[0] - row) ** 2 + (cell[1] - col) ** 2
        if best is None or square < least:
            best, least = cell, square
    return best


_CLOSE_BY: Final = sorted(
    (
        (down, right)
        for down in range(-3, 4)
        for right in range(-3, 4)
        if 0 < down * down + right * right <= 9
    ),
    key=lambda step: (step[0] ** 2 + step[1] ** 2, step),
)
"""Steps to the cells within a distance of three, nearest first: with many cells to go to,
looking there is cheaper than looking at all of them."""


def _untangled(way: list[Cell]) -> list[Cell]:
    far = [[dist(one, other) for other in way] for one in way]
    order = list(range(len(way)))
    last = len(way) - 1
    better = True
    while better:
        better = False
        for begin in range(last):
            first = far[order[begin]]
            before = far[order[begin - 1]] if begin else None
            for end in range(begin + 1, last + 1):
                final = order[end]
                gain = before[order[begin]] - before[final] if before else 0.0
                if end < last:
                    beyond = order[end + 1]
                    gain += far[final][beyond] - first[beyond]
                if gain > _ROUNDING:
                    order[begin : end + 1] = order[begin : end + 1][::-1]
                    first = far[order[begin]]
                    better = True
    return [way[place] for place in order]
