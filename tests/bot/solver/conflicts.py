"""Whether hints contradict each other, by the oracle."""

from __future__ import annotations

from collections.abc import Collection

from bot.board import EXPLODED, MINE, Board, Cell
from bot.solver.published.enumeration import subsets


def at_odds(board: Board, hints: Collection[Cell]) -> bool:
    """Whether no placing, of whatever number of mines, satisfies these hints.

    Args:
        board: With few covered cells around the hints: all subsets of these are tried.
        hints: Opened cells.
    """
    shown = {
        hint: sum(_touch(hint, mine) for mine in board.cells(MINE, EXPLODED)) for hint in hints
    }
    near = [
        cell
        for cell in board.cells()
        if board.unopened[cell] and any(_touch(hint, cell) for hint in hints)
    ]
    return not any(
        all(
            board[hint] == shown[hint] + sum(_touch(hint, mine) for mine in placing)
            for hint in hints
        )
        for placing in subsets(near)
    )


def _touch(one: Cell, other: Cell) -> bool:
    return max(abs(one.row - other.row), abs(one.col - other.col)) == 1
