"""The user's choice of what follows the end of a game."""

from __future__ import annotations

from bot.frame import Status
from bot.loop import Turn
from gui.settings import AfterGame, Settings


def after(settings: Settings, status: Status) -> AfterGame:
    """Return what to do after a game is won or lost."""
    return settings.after_win if status is Status.WON else settings.after_loss


def rests(settings: Settings, turn: Turn) -> bool:
    """Return whether the user wants a pause before this turn, as a game has ended."""
    status = turn.reading.status
    # The first turn does not count: that game was already over.
    ended = status.over and turn.number > 0 and bool(turn.moves)
    return ended and after(settings, status) is AfterGame.PAUSE
