"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final

import typer

from gui.logfile import be_verbose

MOST_GAMES: Final = 1_000_000
MOST_SEED: Final = 2**31 - 1
"""The limit in the settings, the laboratory's page and the built-in game."""

Mines = Annotated[
    int | None,
    typer.Option(min=1, max=10_000, help="Number of mines, if neither counter nor size shows it."),
]
Digging = Annotated[bool, typer.Option(help="The other game: find all mines with the fewest digs.")]


def _log_in_detail(wanted: bool) -> None:
    if wanted:
        be_verbose()


Verbose = Annotated[
    bool,
    typer.Option(
        "--verbose",
        callback=_log_in_detail,
        help="Log in detail, with titles of windows, to the log file and to standard error.",
    ),
]


class LevelName(StrEnum):
    """The usual levels."""

    BEGINNER = "beginner"
    INTERMEDIATE = "intermediate"
    EXPERT = "expert"


class LookName(StrEnum):
    """The looks of the built-in game."""

    CLASSIC = "classic"
    FLAT = "flat"
    DARK = "dark"
    ROUNDED = "rounded"
