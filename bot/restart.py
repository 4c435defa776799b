"""How the next game begins where nobody knows: what most programs use is tried."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from bot.board import COVERED
from bot.frame import Reading, Status
from bot.loop import Stopped
from bot.mouse import HandError
from bot.waiting import LOOK_INTERVAL

USUAL_KEYS: Final = ("f2", "ctrl+r", "ctrl+n", "n", "r")
"""GNOME's ctrl+n leaves the board for a menu, so its ctrl+r comes first."""
_PATIENCE: Final = 1.5
"""Seconds in which a key must show an effect."""


class Way(NamedTuple):
    """Something that may begin the next game."""

    name: str
    """A key, or words for it."""
    take: Callable[[], None]


def find_restart(
    ways: Sequence[Way],
    look: Callable[[], Reading],
    wait: Callable[[float], bool],
    clock: Callable[[], float] = time.monotonic,
) -> Way:
    """Try one way after the other, until a game is over no more.

    Args:
        ways: The likeliest first.
        look: One look at the board.
        wait: Waits the given seconds; True when the user stopped (an event's `wait`).
        clock: Monotonic seconds.

    Returns:
        The way that began another game.

    Raises:
        HandError: None of them does.
        Stopped: The user stopped.
    """
    before = _covered(look())
    for way in ways:
        way.take()
        deadline = clock() + _PATIENCE
        while clock() < deadline:
            reading = look()
            # Some programs open a first region by themselves: begun is not all covered.
            if reading.status is Status.PLAYING and _covered(reading) > before:
                return way
            if wait(LOOK_INTERVAL):
                raise Stopped
    tried = ", ".join(way.name for way in ways)
    raise HandError(
        f"nobody knows how this program starts its next game, and none of {tried} does: start "
        "it yourself, then start again; or give its skin a [restart]"
    )


def _covered(reading: Reading) -> int:
    return int(np.count_nonzero(reading.board.tiles == COVERED))
