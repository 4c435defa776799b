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


def percent(share: float, places: int = 0) -> str:
    """Return a share in percent: '41%', 'under 1%'; 0% and 100% only if it is 0 or 1.

    Args:
        share: The share, 0 to 1.
        places: The decimal places.
    """
    text, least = f"{share:.{places}%}", 0.01 / 10**places
    if share > 0 and text == f"{0:.{places}%}":
        return f"under {least:.{places}%}"
    if share < 1 and text == f"{1:.{places}%}":
        return f"over {1 - least:.{places}%}"
    return text


def short_percent(share: float) -> str:
    """Return a share in percent in at most three characters: '41', '<1', '>99'; see `percent`."""
    return percent(share).replace("under ", "<").replace("over ", ">").removesuffix("%")


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
