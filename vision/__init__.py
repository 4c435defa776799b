"""Frame -> Reading: find Minesweeper boards on the screen and read them.

Here are the limits of what can be played, and how programs that have a board are called.
"""

from __future__ import annotations

from typing import Final

GAME_WORDS: Final = ("mine", "sweep", "bomb")
"""One of them is in the name of every Minesweeper that we know."""

LEAST_CELL: Final = 10
"""Pixels of the smallest cell of a board that is found."""
LEAST_LINES: Final = 4
"""Rows, and columns, of the smallest board."""
MAX_SIDE: Final = 100
"""Rows, and columns, of the largest board."""
SUPPORTED: Final = (
    f"This program plays boards of square cells of {LEAST_CELL} pixels or more, with at least "
    f"{LEAST_LINES} rows and columns: no smaller cells, no hexagons, triangles or text"
)
"""What is said whenever no board is found."""
