"""The next game of a program of which nobody knows how it begins."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from bot.frame import Reading
from bot.loop import Turn
from bot.mouse import Hand
from bot.restart import USUAL_KEYS, Way, find_restart
from vision.reader import Reader

_BUTTON: Final = "the button above the board"


def find_next_game(
    reader: Reader, hand: Hand, turn: Turn, look: Callable[[], Reading], stop: threading.Event
) -> None:
    """Begin the next game of a program of which nobody knows how, and note what did.

    Raises:
        HandError: Nothing that is usual does.
        Stopped: The user stopped.
    """

    def press(key: str) -> None:
        reader.focus(stop.wait)
        hand.press(key)

    ways = [Way(key, partial(press, key)) for key in USUAL_KEYS]
    button = reader.button()
    if button is not None:
        faced = replace(turn.reading.grid, face=button.region(turn.reading.grid))
        click = replace(turn, reading=replace(turn.reading, grid=faced))
        ways.insert(1, Way(_BUTTON, partial(hand.act, click)))
    found = find_restart(ways, look, stop.wait)
    if found.name == _BUTTON:
        reader.note_restart(face=button)
    else:
        reader.note_restart(found.name)
