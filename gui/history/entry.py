"""The data that the history stores about a game."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Final

from bot.game import FirstClick, Rules

FIRST_MINE: Final = 9
"""`Entry.first_tile` if the first click hit a mine."""


class Result(StrEnum):
    """The result of a game."""

    WON = "won"
    LOST = "lost"
    ENDED = "ended"
    """The result is unknown because the next game began at once."""
    STOPPED = "stopped"
    """Stopped before its end: by the user, or because it could not be continued."""


class Player(StrEnum):
    """The player who made the moves."""

    BOT = "bot"
    USER = "user"


@dataclass(frozen=True)
class Guess:
    """A move that could have gone wrong, with its result."""

    risk: float
    """The stated probability of a mine, above 0, at most 1."""
    hit: bool
    """Whether it was a mine."""
    first: bool = False
    """Whether no cell was open before: most programs make that click safe."""
    exact: bool = True
    """Whether the risk was exact, as opposed to an estimate."""


@dataclass(frozen=True)
class Entry:
    """A row of the history."""

    started: datetime
    """With its offset from UTC."""
    program: str
    """The skin's name."""
    window: str
    """The window's title."""
    rows: int
    cols: int
    mines: int
    level: str
    """The program's name for this size; empty if it has none."""
    rules: Rules
    solver: str
    """The solver that chose or suggested the moves; a hunter in the game of digging."""
    style: str
    player: Player
    whole: bool
    """Whether it was observed from its first click."""
    seconds: float
    """From the first reading to the end."""
    result: Result
    turns: int
    """Turns that were carried out."""
    clicks: int
    """Clicks that were sent; for the user, as many as explain the board's changes."""
    guesses: int
    """Number of moves with a risk whose result was observed."""
    digs: int | None
    """Tiles dug, in the game of digging."""
    three_bv: int | None
    """Opened 3BV, the board's own for a win; None in the game of digging."""
    first_click: FirstClick | None
    """The program's rule for the first click; None if unknown."""
    first_tile: int | None
    """The result of the first click: a hint, or FIRST_MINE; None if it was not observed."""
    session: str
    """The recording's folder: its name among the others, or its path; empty for none."""
    note: str
    """Why it was stopped, unless the user wanted it."""

    @property
    def speed(self) -> float | None:
        """3BV per second; None if it would be meaningless."""
        told = self.three_bv is not None and self.whole and self.seconds > 0
        return self.three_bv / self.seconds if told and self.three_bv is not None else None

    @property
    def efficiency(self) -> float | None:
        """3BV per click; None if it would be meaningless."""
        told = self.three_bv is not None and self.whole and self.clicks > 0
        return self.three_bv / self.clicks if told and self.three_bv is not None else None


FIELDS: Final = tuple(field.name for field in fields(Entry))
"""The columns of the history, in order."""
