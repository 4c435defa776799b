"""The connection between the bot and the process that plays on a private screen.

Both ends are this program, and no other process has the connection. It carries the program's own
values, each with a keyword in front. The bot gives one order at a time. The player answers with
turns and questions, each of which waits for a reply, and at the end with 'over' or 'failed'.
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
"""Ends the current order."""
OVER: Final = "over"
"""The order is completed or stopped; with the result, if there is one."""
FAILED: Final = "failed"
"""The order failed; with a `Failure`."""
_BETWEEN_LOOKS: Final = 0.02
"""Seconds until a stop is passed on, at the most."""


class PlayedThere(RuntimeError):
    """An error on the private screen; `failure` describes it, with its picture."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Talk:
    """The bot's side of one order, until it is over.

    Args:
        game: The game of the player.
        line: To the player.
        word: The order.
        what: The order's arguments.
    """

    def __init__(self, game: PrivateGame, line: Line, word: str, what: object) -> None:
        self._game = game
        self._line = line
        self._stopped = False
        self.over = False
        line.send((word, what))

    def say(self, word: str, what: object = None) -> None:
        """Reply to the player."""
        self._line.send((word, what))

    def hear(self, stop: threading.Event, *, ends_with_game: bool = False) -> tuple[str, Any]:
        """Wait for the player's message.

        Args:
            stop: Passed on; the player then reports that it is over.
            ends_with_game: Stop waiting when the game has ended.

        Returns:
            A keyword and its value.

        Raises:
            PlayedThere: The order failed.
            PrivateScreenError: The game has ended.
            EOFError: The player has ended.
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
        """Stop the order, and wait until it is over."""
        if not self.over:
            self._stop()
        while not self.over:
            self.over = self._line.recv()[0] in (OVER, FAILED)

    def _stop(self) -> None:
        if not self._stopped:
            self._stopped = True
            self._line.send((STOP, None))
