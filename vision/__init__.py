"""Frame -> Reading: find Minesweeper boards on the screen and read them.

It also defines the limits of playable boards and the words in the names of such programs.
"""

from __future__ import annotations

from typing import Final

GAME_WORDS: Final = ("mine", "sweep", "bomb")
"""Words of which one is in the name of every known Minesweeper program."""

GAME_NAMES: Final = (
    r"[a-z]sweeper|mine sweeper|\b(libre|gnome-|sgt-|[gkx])?mines\b|minefield|d[e\u00e9]mineur|"
    r"buscaminas|campo ?minado|saper\b|\bwine?mine\b|"
    r"\u0441\u0430\u043f[\u0435\u0451]\u0440|\u626b\u96f7|\u8e29\u5730\u96f7"
)
"""Names of the game, as a regular expression for lower-case titles: one of them says that a window
is this game, and not another one whose pieces look alike."""

LEAST_CELL: Final = 10
"""Height of the smallest cell that is found, in pixels."""
LARGEST_CELL: Final = 200
"""Height of the largest cell that is found, in pixels."""
LEAST_LINES: Final = 4
"""Least number of rows, and of columns, of a board."""
MOST_LINES: Final = 100
"""Largest number of rows, and of columns, of a board."""
MOST_KINDS: Final = 16
"""Kinds of cells that a board may have: it shows 15 tile states, or 16 with OPENED."""
SUPPORTED: Final = (
    f"Only boards of cells of at least {LEAST_CELL} pixels and at most {LARGEST_CELL}, up to 2.5 "
    f"times as wide as high, with {LEAST_LINES} to {MOST_LINES} rows and columns, are recognised"
)
"""The message to the user whenever no board is found."""
