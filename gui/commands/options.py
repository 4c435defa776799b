"""What several commands are asked in the same way."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final

import typer

MOST_GAMES: Final = 1_000_000
MOST_SEED: Final = 2**31 - 1
"""The bounds of the settings, the laboratory's page and the built-in game."""

Mines = Annotated[
    int | None,
    typer.Option(min=1, max=10_000, help="Mines on the board, where its size does not tell."),
]
Digging = Annotated[bool, typer.Option(help="The other game: find all mines with the fewest digs.")]


class LevelName(StrEnum):
    """The usual levels."""

    BEGINNER = "beginner"
    INTERMEDIATE = "intermediate"
    EXPERT = "expert"


class LookName(StrEnum):
    """How the built-in game is drawn."""

    CLASSIC = "classic"
    FLAT = "flat"
    DARK = "dark"
    ROUNDED = "rounded"
