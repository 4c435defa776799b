"""What the user can be asked about a tile, in words: shared by the panel and the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION, Cell

if TYPE_CHECKING:
    # Words load nothing of the eye.
    from vision.learning.learner import Question

STATE_WORDS: Final[dict[int, str]] = {
    0: "empty",
    **{hint: str(hint) for hint in range(1, 9)},
    COVERED: "covered",
    FLAG: "flag",
    QUESTION: "question mark",
    MINE: "mine",
    EXPLODED: "exploded mine",
    MISFLAG: "wrong flag",
}
"""Every state that a tile can have, in the order in which they are offered."""

_NAMED: Final = 2
"""Cells named one by one; the others are counted."""


def cells_in_words(question: Question) -> str:
    """How many cells show the tile, and where, as a sentence."""
    cells = question.cells
    if len(cells) == 1:
        return f"One cell looks like this: {_place(cells[0])}."
    places = [_place(cell) for cell in cells[:_NAMED]]
    if len(cells) > _NAMED:
        places.append(f"and {len(cells) - _NAMED} more")
    return f"{len(cells)} cells look like this: {'; '.join(places)}."


def likely_in_words(question: Question) -> str:
    """What it looks most like, as a sentence; empty where it looks like nothing."""
    words = [STATE_WORDS[code] for code in question.likely]
    if len(words) < 2:
        return f"It looks most like: {words[0]}." if words else ""
    return f"It looks most like: {', '.join(words[:-1])} or {words[-1]}."


def _place(cell: Cell) -> str:
    return f"row {cell.row}, column {cell.col}"
