"""A backend for the panel that adds a game on a private screen to the desktop.

The private game is played by its own process on its own screen, because the reader and the mouse
belong to one display each. It is the same process as the one that plays on the desktop.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from bot.frame import Frame
from bot.game import Rules
from gui.failures import Failure, ReportedFailure
from gui.private.game import SIZE, PrivateGame
from gui.private_screen import PrivateScreenError
from gui.runner.client import PlayerClient
from gui.runner.protocol import (
    Begin,
    Candidate,
    Ended,
    Event,
    Found,
    Message,
    RemoteBackend,
    RunEvent,
)

if TYPE_CHECKING:
    from vision.desktop import Window


_NONE: Final = "no game runs on a private screen: start one"
_NOT_WATCHED: Final = (
    "Assist does not work with a game on a private screen. Press Play to let the bot play it, or "
    "open the game on your own desktop"
)


@dataclass(frozen=True)
class PrivateBoard:
    """The key of a board on the private screen."""

    screen: str
    """Name of its display."""
    key: object
    """The key in its process."""


class PrivateScreens:
    """A `gui.runner.protocol.RemoteBackend` with a game on a private screen beside the desktop.

    Args:
        desktop: The user's desktop.
        looks: Whether to search for boards there too.
    """

    def __init__(self, desktop: RemoteBackend, *, looks: bool = True) -> None:
        self._desktop = desktop
        self._looks = looks
        self._heard: Callable[[Event], None] = lambda _event: None
        self._client: PlayerClient | None = None
        self.game: PrivateGame | None = None
        """The game that runs, or that has ended and was not closed."""

    @property
    def hears_stop_key(self) -> bool:
        """Whether a key can be heard on the desktop while another window has the focus."""
        return self._desktop.hears_stop_key

    def start(self, command: Sequence[str], size: tuple[int, int] = SIZE) -> PrivateGame:
        """Start a game on a private screen and end the previous one. Slow.

        Raises:
            PrivateScreenError: It cannot be started.
        """
        self.close()
        self.adopt(PrivateGame(command, size, player=True))
        assert self.game is not None  # noqa: S101 - as above
        return self.game

    def adopt(self, game: PrivateGame) -> None:
        """Play a game that runs already, by the process at the other end of its `line`."""
        self.game, self._client = game, PlayerClient(game.connect, game.lost)
        self._client.listen(self._heard)

    def await_board(self, stop: threading.Event) -> Candidate:
        """Return the game's board when it is visible. Slow.

        Raises:
            ReportedFailure: There is none, or the game or its screen ended.
            Stopped: `stop` was set.
        """
        game, client = self._running()
        board: Candidate = client.call("await_board", game.name, stop=stop, ended=game.ended)
        return self._marked(board)

    def close(self) -> None:
        """End the game and its screen. Slow."""
        game, client, self.game, self._client = self.game, self._client, None, None
        if game is not None:
            game.close()
        if client is not None:
            client.close()

    def boards(self, *, thorough: bool = False) -> Found:
        """Return the boards on the desktop and on the private screen."""
        found, private = self._desktop_boards(thorough=thorough), self._private_boards()
        return replace(
            found,
            boards=(*private.boards, *found.boards),
            remarks=(*private.remarks, *found.remarks),
        )

    def release_windows(self) -> None:
        """Undo what `boards` does to covered windows of the desktop."""
        self._desktop.release_windows()

    def snapshot(self, candidate: Candidate) -> tuple[Frame, Window | None]:
        """Return the window of a board with its current picture."""
        if not isinstance(candidate.key, PrivateBoard):
            return self._desktop.snapshot(candidate)
        return self._running()[1].snapshot(replace(candidate, key=candidate.key.key))

    def open_simulator(self, rules: Rules) -> None:
        """Open a built-in game on the desktop."""
        self._desktop.open_simulator(rules)

    def hold_key(self, key: str, *, keep: bool = True) -> None:
        """Hear a key on the desktop."""
        self._desktop.hold_key(key, keep=keep)

    def listen(self, heard: Callable[[Event], None]) -> None:
        """Pass on the events that belong to no run."""
        self._heard = heard
        self._desktop.listen(heard)

    def begin(self, begin: Begin, heard: Callable[[RunEvent], None]) -> Callable[[Message], None]:
        """Begin a run on the desktop or on the private screen."""
        if not isinstance(begin.board.key, PrivateBoard):
            return self._desktop.begin(begin, heard)
        game, client = self.game, self._client
        if begin.watch or game is None or client is None:
            heard(Ended(failure=Failure(_NOT_WATCHED if begin.watch else _NONE)))
            return lambda _message: None
        there = replace(begin, board=replace(begin.board, key=begin.board.key.key))
        return client.begin(there, partial(_explained, game, heard))

    def _desktop_boards(self, *, thorough: bool) -> Found:
        """Return the boards on the desktop; if it cannot be read, private games still work."""
        if not self._looks:
            return Found(())
        try:
            return self._desktop.boards(thorough=thorough)
        except ReportedFailure as error:
            if self.game is None:
                raise
            return Found((), (str(error),))

    def _private_boards(self) -> Found:
        """Return the boards on the private screen."""
        game, client = self.game, self._client
        if game is None or client is None or game.ended():
            return Found(())
        try:
            found = client.boards()
        except ReportedFailure as error:
            return Found((), (str(error),))
        return replace(found, boards=tuple(map(self._marked, found.boards)))

    def _marked(self, board: Candidate) -> Candidate:
        """Return a private board as the panel lists it, with its own key."""
        display = "" if self.game is None else self.game.display
        key = PrivateBoard(display, board.key)
        return replace(board, title=f"{board.title} (private)", key=key, region=None)

    def _running(self) -> tuple[PrivateGame, PlayerClient]:
        if self.game is None or self._client is None:
            raise PrivateScreenError(_NONE)
        return self.game, self._client


def _explained(game: PrivateGame, heard: Callable[[RunEvent], None], event: RunEvent) -> None:
    """Pass on an event; if the game or its screen has ended, that is why its run failed."""
    if isinstance(event, Ended) and event.failure is not None:
        event = replace(event, failure=game.explained(event.failure))
    heard(event)
