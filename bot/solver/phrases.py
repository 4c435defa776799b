"""Names of hints, and numbers with nouns, for sentences to the user."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.board import Board, Cell

_NAMED: Final = 4
"""Hints that a list names; the panel highlights all of them."""


def hint_name(board: Board, hint: Cell) -> str:
    """Name a hint: 'the 2 at row 1, column 4'."""
    return hint_at(board[hint], hint)


def hint_at(number: int, cell: Cell) -> str:
    """Name a hint that the board does not show yet."""
    return f"the {number} at {cell.position_text}"


def hint_names(board: Board, hints: Sequence[Cell], *besides: str) -> str:
    """List hints: 'the 2 at row 1, column 4, the 1 at row 1, column 5 and 7 more'."""
    names = [hint_name(board, hint) for hint in hints[:_NAMED]]
    if len(hints) > _NAMED:
        names.append(f"{len(hints) - _NAMED} more")
    return join_names([*names, *besides])


def join_names(names: Sequence[str]) -> str:
    """Join names: 'this, that and the other'."""
    return " and ".join([*([", ".join(names[:-1])] if len(names) > 1 else []), names[-1]])


def quantity(number: int, noun: str) -> str:
    """Return a number with its noun: '1 mine', '2,000 mines', '2 guesses'."""
    plural = "" if number == 1 else "es" if noun.endswith("s") else "s"
    return f"{number:,} {noun}{plural}"


def percent(share: float) -> str:
    """Return a share in percent: '41%'; 0% and 100% only if it is 0 or 1."""
    if 0 < share < 0.005:
        return "under 1%"
    if 0.995 <= share < 1:
        return "over 99%"
    return f"{share:.0%}"


def wrong_number(mines: int, fewest: int, most: int) -> str:
    """Explain that no solution has the announced number of mines.

    Args:
        mines: The announced number.
        fewest: The fewest mines that agree with the hints.
        most: The most mines that agree with them; a number in between may still be impossible.
    """
    needed = f"at least {fewest:,}" if mines < fewest else f"at most {most:,}"
    if fewest <= mines <= most:
        needed = "another number"
    return (
        f"the board is said to hold {quantity(mines, 'mine')}, but its hints call for {needed}: "
        f"is the number of mines right?"
    )
