"""From an opinion to moves: which cells are opened or flagged, and in what order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from bot.analysis import Analysis
from bot.board import FLAG, Board, Cell


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
    """Opens only: the fewest clicks to a win."""
    FLAGS = "flags"
    """Flags every proved mine as well."""
    HUNT = "hunt"
    """In the game of digging: one dig where the hunter wants to; when the list of mines is
    complete, a flag on every one that was not dug."""


def plan(board: Board, analysis: Analysis, style: Style = Style.NO_FLAGS) -> tuple[Move, ...]:
    """All that is certain in one go, else the one best guess.

    A flag on a cell that is to be opened is taken away first: programs do not open a
    flagged cell.

    Returns:
        Moves in an order that keeps the pointer's way short; empty where nothing is left
        to open.
    """
    hunts = style is Style.HUNT
    opens = [] if hunts else [Move(Action.OPEN, cell) for cell in _short_way(analysis.safe)]
    if not opens and analysis.best is not None:
        risk = float(analysis.mine_probability[analysis.best])
        opens = [Move(Action.OPEN, analysis.best, risk)]
    moves = [part for move in opens for part in _without_flag(board, move)]
    if style is Style.NO_FLAGS or (hunts and moves):
        return tuple(moves)
    unflagged = [cell for cell in analysis.mines if board[cell] != FLAG]
    return (*(Move(Action.FLAG, cell) for cell in _short_way(unflagged)), *moves)


def _without_flag(board: Board, move: Move) -> Iterator[Move]:
    if move.cell is not None and board[move.cell] == FLAG:
        yield Move(Action.FLAG, move.cell)
    yield move


def _short_way(cells: Iterable[Cell]) -> list[Cell]:
    """The cells, each followed by the one nearest to it; the first as given."""
    left = dict.fromkeys(cells)
    here = next(iter(left), None)
    way: list[Cell] = []
    while here is not None:
        del left[here]
        way.append(here)
        here = _nearest(here, left)
    return way


def _nearest(here: Cell, cells: Collection[Cell]) -> Cell | None:
    """The cell with the smallest distance; the upper left one of several."""
    if len(cells) > len(_CLOSE_BY):
        for rows, cols in _CLOSE_BY:
            cell = Cell(here.row + rows, here.col + cols)
            if cell in cells:
                return cell
    return min(
        cells,
        key=lambda cell: (_square(cell.row - here.row, cell.col - here.col), cell),
        default=None,
    )


def _square(rows: int, cols: int) -> int:
    return rows * rows + cols * cols


_CLOSE_BY: Final = sorted(
    (
        (rows, cols)
        for rows in range(-3, 4)
        for cols in range(-3, 4)
        if 0 < _square(rows, cols) <= 9
    ),
    key=lambda step: (_square(*step), step),
)
"""Steps to the cells within a distance of three, nearest first: with many cells to go to,
looking there is cheaper than looking at all of them."""
