"""Options of the terminal game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.game import FirstClick

LARGEST: Final = 100
"""Largest number of rows and columns."""


@dataclass(frozen=True)
class TerminalOptions:
    """Initial options of the game."""

    rows: int
    cols: int
    mines: int
    first_click: FirstClick = FirstClick.SAFE
    seed: int | None = None
    question_marks: bool = False
    solver: str | None = None
    """The initial solver or hunter; by default the strongest."""
    digging: bool = False
    """The game of source 002."""

    def __post_init__(self) -> None:
        """Check the board.

        Raises:
            ValueError: It is invalid.
        """
        if not (1 <= self.rows <= LARGEST and 1 <= self.cols <= LARGEST):
            raise ValueError(
                f"a board has 1 to {LARGEST} rows and columns, not {self.cols} x {self.rows}"
            )
        if not 0 <= self.mines <= self.rows * self.cols:
            raise ValueError(f"{self.mines} mines on {self.cols} x {self.rows} cells are no game")
