"""The first click, before anything is known."""

from __future__ import annotations

from bot.board import Cell
from bot.game import FirstClick


def first_click(rows: int, cols: int, rule: FirstClick | None = None) -> Cell:
    """Where to begin.

    A corner is the likeliest cell to show a zero. Where the first click opens a zero anyway,
    the region is larger a little way in.

    Args:
        rows: Of the board.
        cols: Of the board.
        rule: What the first click is promised; None where that is not known.
    """
    if rule is not FirstClick.ZERO:
        return Cell(0, 0)
    inside = 3 if min(rows, cols) >= 16 else 2
    return Cell(min(inside, rows - 1), min(inside, cols - 1))


def why_first(risk: float, rule: FirstClick | None = None) -> str:
    """Why there, in one sentence; `risk` is the mine probability before the game's promise."""
    if rule is FirstClick.ZERO:
        return "the first click opens a region here, and away from the sides it is larger"
    if rule is FirstClick.SAFE:
        return "the first click is safe, and a corner is the likeliest cell to open a region"
    return (
        f"the first click: a corner is the likeliest cell to open a region "
        f"({risk:.1%} risk of a mine, unless the game promises a safe start)"
    )
