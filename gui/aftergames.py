"""What follows the end of a game, as the user chose it."""

from __future__ import annotations

from bot.frame import Status
from bot.loop import Turn
from gui.settings import AfterGame, Settings


def after(settings: Settings, status: Status) -> AfterGame:
    """What follows a game that was won, or lost."""
    return settings.after_win if status is Status.WON else settings.after_loss


def rests(settings: Settings, turn: Turn) -> bool:
    """Whether the user wants a pause before this turn is carried out: a game has ended."""
    status = turn.reading.status
    # The first turn of all is no game's end: that game was over when we came.
    ended = status.over and turn.number > 0 and bool(turn.moves)
    return ended and after(settings, status) is AfterGame.PAUSE
