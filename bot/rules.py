"""Which game is played: what a tile may mean, and when it is over."""

from __future__ import annotations

from enum import Enum


class Rules(Enum):
    """The two games."""

    CLASSIC = "classic"
    """Minesweeper: a mine ends the game, a zero opens its neighbours."""
    DIGGING = "digging"
    """Source 002's: a mine does not end the game, each dig opens one cell; see `bot/digging.py`."""
