"""How the solvers name hints and numbers in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.board import Board, Cell

_NAMED: Final = 4
"""Of more hints only these are named: the others light up."""


def hint_name(board: Board, hint: Cell) -> str:
    """Name a hint: 'the 2 at row 1, column 4'."""
    return hint_at(board[hint], hint)


def hint_at(number: int, cell: Cell) -> str:
    """Return the same, where the hint was opened after the board was seen."""
    return f"the {number} at {cell.position_text}"


def hint_names(board: Board, hints: Sequence[Cell], *besides: str) -> str:
    """List hints: 'the 2 at row 1, column 4, the 1 at row 1, column 5 and 7 more'."""
    names = [hint_name(board, hint) for hint in hints[:_NAMED]]
    if len(hints) > _NAMED:
        names.append(f"{len(hints) - _NAMED} more")
    return joined([*names, *besides])


def joined(names: Sequence[str]) -> str:
    """Join names: 'this, that and the other'."""
    return " and ".join([*([", ".join(names[:-1])] if len(names) > 1 else []), names[-1]])


def many(number: int, noun: str) -> str:
    """Return a number with its noun: '1 mine', '2,000 mines'."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def percent(share: float) -> str:
    """Return a share in percent: '41%'; 0% and 100% only if it is 0 or 1."""
    if 0 < share < 0.005:
        return "under 1%"
    if 0.995 <= share < 1:
        return "over 99%"
    return f"{share:.0%}"


def wrong_number(mines: int, fewest: int, most: int) -> str:
    """Explain that the hints leave no solution for a number of mines.

    Args:
        mines: The number announced.
        fewest: The hints call for.
        most: The hints have room for; some number in between may still be impossible.
    """
    needed = f"at least {fewest:,}" if mines < fewest else f"at most {most:,}"
    if fewest <= mines <= most:
        needed = "another number"
    return (
        f"the board is said to hold {many(mines, 'mine')}, but its hints call for {needed}: "
        f"is the number of mines right?"
    )
