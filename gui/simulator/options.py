"""Options of the built-in game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.game import FirstClick
from gui.looks import look_named

LARGEST: Final = 100
"""Largest number of rows and columns."""
MOST_SEED: Final = 2**31 - 1
MOST_SECONDS: Final = 999
SMALLEST_SCALE: Final = 0.25
LARGEST_SCALE: Final = 10.0


@dataclass(frozen=True)
class SimulatorOptions:
    """Initial options of a window."""

    rows: int = 9
    cols: int = 9
    mines: int = 10
    look: str = "classic"
    scale: float = 1.0
    """Factor of the look's natural cell size; reduced if the screen is too small."""
    first_click: FirstClick = FirstClick.SAFE
    seed: int | None = None
    """Seed of the first game; each further game uses the next number. None: random."""
    question_marks: bool = False
    """The right button puts a question mark after the flag."""
    animation: bool = False
    """Show openings in waves."""
    wave: float = 0.2
    """Seconds from the first to the last cell of a wave."""
    clock: int = 0
    """Initial value of each game's clock, to reach a program's limit of 999 early."""
    win_dialog: bool = False
    """Show a dialog after a win."""
    digging: bool = False
    """The game of digging: find all mines with the fewest digs (`bot/digging/game.py`)."""

    def __post_init__(self) -> None:
        look_named(self.look)
        if not (2 <= self.rows <= LARGEST and 2 <= self.cols <= LARGEST):
            raise ValueError(
                f"a board has 2 to {LARGEST} rows and columns, not {self.cols} x {self.rows}"
            )
        if not 1 <= self.mines < self.rows * self.cols:
            raise ValueError(
                f"{self.cols} x {self.rows} cells hold 1 to {self.rows * self.cols - 1} mines, "
                f"not {self.mines}"
            )
        if not SMALLEST_SCALE <= self.scale <= LARGEST_SCALE:
            raise ValueError(
                f"the scale is {SMALLEST_SCALE:g} to {LARGEST_SCALE:g}, not {self.scale:g}"
            )
        if not 0 <= self.clock <= MOST_SECONDS:
            raise ValueError(f"a clock shows 0 to {MOST_SECONDS}, not {self.clock}")
        if self.seed is not None and not 0 <= self.seed <= MOST_SEED:
            raise ValueError(f"a seed is 0 to {MOST_SEED}, not {self.seed}")
