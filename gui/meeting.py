"""Meeting a board: the first look, the level that was asked for, what the user has to say."""

from __future__ import annotations

import threading
import time
from typing import Final

from bot.frame import Reading
from bot.loop import Stopped
from bot.waiting import PATIENCE
from gui.protocol import Ask
from gui.questions import LeftOpen, around
from gui.settings import Settings
from vision.finder import BoardNotFound
from vision.learning.teaching import Puzzled, TileUnknown, answered
from vision.numbers.mines import MinesUnknown
from vision.reader import Reader
from vision.skins import Skin

_APPEARS_SECONDS: Final = 4.0
"""How long a board may be on its way to the front before it counts as not there."""
_STRANGE_SECONDS: Final = 0.7
"""How long a board must look like no known skin before it is taken for one never seen."""
_UNREAD_AFTER: Final = 20
"""The part of its patience after which `bot.waiting.insistent` takes a tile for unread."""


class WrongLevel(RuntimeError):
    """The window shows another level than the one that was asked for."""


def first_look(reader: Reader, stop: threading.Event) -> Reading:
    """Find the board, and wait a little for windows that are just getting out of its way.

    Raises:
        BoardNotFound: It stays unseen.
        MinesUnknown: Nobody says how many mines it has.
        Stopped: The user stopped.
    """
    begin = time.monotonic()
    deadline = begin + _APPEARS_SECONDS
    reader.strangers = woken = False
    while True:
        try:
            return reader.look()
        except (BoardNotFound, MinesUnknown):
            # Looking for all known skins may take as long; the others get their look, too.
            if time.monotonic() > deadline and reader.strangers:
                raise
            # A game that is still sliding in looks like none that is known.
            reader.strangers = time.monotonic() > begin + _STRANGE_SECONDS
            if reader.strangers and not woken:
                woken = True
                if reader.wake(stop.wait):
                    deadline = time.monotonic() + _APPEARS_SECONDS
        if stop.wait(_APPEARS_SECONDS / 20):
            raise Stopped


def ask_about(reader: Reader, puzzle: Puzzled, ask: Ask | None) -> None:
    """Ask what the commonest unknown kind of tile is; its answer may settle the others.

    Raises:
        TileUnknown: Nobody can be asked.
        LeftOpen: Nobody says: a board with a tile that is unknown cannot be played.
        Stopped: The user stopped in place of an answer.
    """
    question = puzzle.questions[0]
    if ask is None:
        raise TileUnknown(question, puzzle.reading)
    where = around(puzzle.reading, question.cells[0])
    if not answered(question, lambda again: ask(again, where), reader.answer):
        raise LeftOpen(question, puzzle.reading)


def check_level(reader: Reader, settings: Settings) -> None:
    """Make sure that the board has the level that was asked for, if any was.

    Raises:
        WrongLevel: It has another one.
    """
    if settings.level is None:
        return
    grid = reader.grid
    wanted = reader.skin.levels.get(settings.level)
    if wanted is None or wanted[:2] != (grid.rows, grid.cols):
        size = f" ({wanted[1]} x {wanted[0]})" if wanted else ""
        raise WrongLevel(
            f"the board has {grid.cols} x {grid.rows} cells, which is not this program's level "
            f"'{settings.level}'{size}: choose that level in the game's own menu, or leave "
            "--level out"
        )


def patience_of(skin: Skin) -> float:
    """Seconds that the loop waits for a board: no tile is unread before its animation is over."""
    return max(PATIENCE, _UNREAD_AFTER * skin.animation)
