"""How the next game begins where nobody knows: by one of the keys that most programs use."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from bot.board import COVERED
from bot.frame import Reading
from bot.loop import LOOK_INTERVAL, Stopped
from bot.mouse import HandError

USUAL_KEYS: Final = ("f2", "ctrl+n", "n", "r")
_PATIENCE: Final = 1.5
"""Seconds in which a key must show an effect."""


def find_restart_key(
    press: Callable[[str], None],
    look: Callable[[], Reading],
    wait: Callable[[float], bool],
    clock: Callable[[], float] = time.monotonic,
) -> str:
    """Press the usual keys, one after the other, until a game is over no more.

    Args:
        press: Types a key into the game's window.
        look: One look at the board.
        wait: Waits the given seconds; True when the user stopped (an event's `wait`).
        clock: Monotonic seconds.

    Returns:
        The key that began another game.

    Raises:
        HandError: None of them does.
        Stopped: The user stopped.
    """
    for key in USUAL_KEYS:
        press(key)
        deadline = clock() + _PATIENCE
        while clock() < deadline:
            if (look().board.tiles == COVERED).all():
                return key
            if wait(LOOK_INTERVAL):
                raise Stopped
    raise HandError(
        "nobody knows how this program starts its next game, and none of "
        f"{', '.join(USUAL_KEYS)} does: start it yourself, then start again; or give its skin "
        "a [restart]"
    )
