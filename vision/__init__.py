"""Frame -> Reading: find Minesweeper boards on the screen and read them.

It also defines the limits of playable boards and the words in the names of such programs.
"""

from __future__ import annotations

from typing import Final

GAME_WORDS: Final = ("mine", "sweep", "bomb")
"""Words of which one is in the name of every known Minesweeper program."""

LEAST_CELL: Final = 10
"""Side of the smallest cell of a board that is found, in pixels."""
LEAST_LINES: Final = 4
"""Least number of rows, and of columns, of a board."""
MAX_SIDE: Final = 100
"""Largest number of rows, and of columns, of a board."""
SUPPORTED: Final = (
    f"Only boards of square cells of at least {LEAST_CELL} pixels, with at least {LEAST_LINES} "
    "rows and columns, are recognised"
)
"""The message to the user whenever no board is found."""
