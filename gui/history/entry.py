"""What the history keeps of a game."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Final

from bot.game import FirstClick, Rules

FIRST_MINE: Final = 9
"""`Entry.first_tile` where the first click met a mine."""


class Result(StrEnum):
    """How a game ended."""

    WON = "won"
    LOST = "lost"
    ENDED = "ended"
    """It was not seen how, because the next game began at once."""
    STOPPED = "stopped"
    """Before its end: by the user, or because it could not be played on."""


class Player(StrEnum):
    """Who made the moves."""

    BOT = "bot"
    USER = "user"


@dataclass(frozen=True)
class Guess:
    """A move that could have gone wrong, after it was made."""

    risk: float
    """Probability of a mine as it was stated, above 0, at most 1."""
    hit: bool
    """Whether it was one."""
    first: bool = False
    """Whether nothing was open before: most programs make that click safe."""
    exact: bool = True
    """Whether the risk was exact, not an estimate."""


@dataclass(frozen=True)
class Entry:
    """A row of the history."""

    started: datetime
    """With its offset from UTC."""
    program: str
    """Its skin."""
    window: str
    """The window's title."""
    rows: int
    cols: int
    mines: int
    level: str
    """The program's name for this size; empty where it has none."""
    rules: Rules
    solver: str
    """Who decided, or advised; a hunter in the game of digging."""
    style: str
    player: Player
    whole: bool
    """Whether it was seen from its first click on."""
    seconds: float
    """From the first look at it to its end."""
    result: Result
    turns: int
    """That were carried out."""
    clicks: int
    """That were sent; of the user as many as explain what changed on the board."""
    guesses: int
    """Moves that could have gone wrong, and whose outcome was seen."""
    digs: int | None
    """Tiles dug, in the game of digging."""
    three_bv: int | None
    """3BV that was opened: the board's own where it was won. None in the game of digging."""
    first_click: FirstClick | None
    """What the program promises of the first click; None where nobody knows."""
    first_tile: int | None
    """What the first click opened: a hint, or FIRST_MINE; None where it was not seen."""
    session: str
    """The recording's folder: its name among the others, or where it is; empty for none."""
    note: str
    """Why it was stopped, where that was not the user's wish."""

    @property
    def speed(self) -> float | None:
        """3BV a second; None where it would say nothing."""
        told = self.three_bv is not None and self.whole and self.seconds > 0
        return self.three_bv / self.seconds if told and self.three_bv is not None else None

    @property
    def efficiency(self) -> float | None:
        """3BV a click; None where it would say nothing."""
        told = self.three_bv is not None and self.whole and self.clicks > 0
        return self.three_bv / self.clicks if told and self.three_bv is not None else None


FIELDS: Final = tuple(field.name for field in fields(Entry))
"""The columns of the history, in order."""
