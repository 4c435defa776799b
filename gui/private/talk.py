"""The line between the bot and the process that plays on a private screen.

Both ends are this program, and nobody else has the line: what goes over it are the program's
own values, each with a word in front. The bot gives one order at a time; the player answers
with turns and questions, each of which waits for a word of the bot, and at the end with
'over' or 'failed'.
"""

from __future__ import annotations

import threading
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, Final

from gui.failures import Failure
from gui.private.game import PrivateGame
from gui.private_screen import PrivateScreenError

if TYPE_CHECKING:
    Line = Connection[Any, Any]

STOP: Final = "stop"
"""Ends what is under way."""
OVER: Final = "over"
"""What was ordered is done, or stopped; with the answer, where there is one."""
FAILED: Final = "failed"
"""It went wrong; with a `Failure`."""
_BETWEEN_LOOKS: Final = 0.02
"""Seconds from a stop to its being passed on, at the most."""


class PlayedThere(RuntimeError):
    """Something went wrong on the private screen; `failure` tells it, with its picture."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Talk:
    """The bot's side: one order, until it is over.

    Args:
        game: Whose player is spoken to.
        line: To the player.
        word: The order.
        what: Belongs to it.
    """

    def __init__(self, game: PrivateGame, line: Line, word: str, what: object) -> None:
        self._game = game
        self._line = line
        self._stopped = False
        self.over = False
        line.send((word, what))

    def say(self, word: str, what: object = None) -> None:
        """Answer the player."""
        self._line.send((word, what))

    def hear(self, stop: threading.Event, *, ends_with_game: bool = False) -> tuple[str, Any]:
        """Wait for the player.

        Args:
            stop: Is passed on; the player then says that it is over.
            ends_with_game: Wait no longer where the game has ended.

        Returns:
            A word, and what belongs to it.

        Raises:
            PlayedThere: It went wrong.
            PrivateScreenError: The game has ended.
            EOFError: The player has gone.
        """
        while not self._line.poll(_BETWEEN_LOOKS):
            if stop.is_set():
                self._stop()
            if ends_with_game and (ended := self._game.ended()):
                raise PrivateScreenError(ended)
        word, what = self._line.recv()
        self.over = word in (OVER, FAILED)
        if word == FAILED:
            raise PlayedThere(what)
        return word, what

    def leave(self) -> None:
        """Stop what is under way, and wait until it is."""
        if not self.over:
            self._stop()
        while not self.over:
            self.over = self._line.recv()[0] in (OVER, FAILED)

    def _stop(self) -> None:
        if not self._stopped:
            self._stopped = True
            self._line.send((STOP, None))
