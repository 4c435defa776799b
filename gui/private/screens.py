"""A backend for the panel that adds a game on a private screen to the desktop.

The private game is played by its own process on its own screen, because the reader and the mouse
belong to one display each. Its turns come over a connection, one at a time, and are treated like
local ones.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from bot.frame import Frame
from bot.game import Rules
from bot.loop import Stopped, Turn
from gui.failures import Failure
from gui.private.game import SIZE, PrivateGame
from gui.private.talk import PlayedThere, Talk
from gui.private_screen import PrivateScreenError
from gui.runner.protocol import Backend, Candidate, Found, Operator
from gui.settings import Choices

if TYPE_CHECKING:
    from vision.desktop import StopKey, Window

_LEAVE_SECONDS: Final = 5.0
"""Seconds that a running game has to be left."""


@dataclass(frozen=True)
class PrivateBoard:
    """The key of a board on the private screen."""

    screen: str
    """Name of its display."""
    key: object
    """The key in its process."""


class PrivateScreens:
    """A `gui.runner.protocol.Backend` with a game on a private screen beside the desktop.

    Args:
        desktop: The user's desktop.
        looks: Whether to search for boards there too.
    """

    def __init__(self, desktop: Backend, *, looks: bool = True) -> None:
        self._desktop = desktop
        self._looks = looks
        self._talking = threading.Lock()
        self._listed = Found(())
        self.game: PrivateGame | None = None
        """The game that runs, or that has ended and was not closed."""

    def start(self, command: Sequence[str], size: tuple[int, int] = SIZE) -> PrivateGame:
        """Start a game on a private screen and end the previous one. Slow.

        Raises:
            PrivateScreenError: It cannot be started.
        """
        self.close()
        self.game = PrivateGame(command, size, player=True)
        return self.game

    def await_board(self, stop: threading.Event) -> Candidate:
        """Return the game's board when it is visible. Slow.

        Raises:
            PlayedThere: There is none.
            PrivateScreenError: The game or its screen ended.
            Stopped: `stop` was set.
        """
        name = "" if self.game is None else self.game.name
        with self._talk("await", name) as talk:
            board = talk.hear(stop, ends_with_game=True)[1]
        if board is None:
            raise Stopped
        return self._marked(board)

    def close(self) -> None:
        """End the game and its screen. Slow."""
        game = self.game
        if game is None:
            return
        left = self._talking.acquire(timeout=_LEAVE_SECONDS)
        try:
            game.close()
        finally:
            self.game, self._listed = None, Found(())
            if left:
                self._talking.release()

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

    def turns(self, candidate: Candidate, choices: Choices, operator: Operator) -> Iterator[Turn]:
        """Play the chosen number of games, on the desktop or on the private screen."""
        if isinstance(candidate.key, PrivateBoard):
            there = replace(candidate, key=candidate.key.key)
            return self._turns(there, choices, operator)
        return self._desktop.turns(candidate, choices, operator)

    def watch(self, candidate: Candidate, choices: Choices, operator: Operator) -> Iterator[Turn]:
        """Watch the user play, on the desktop only."""
        if isinstance(candidate.key, PrivateBoard):
            raise PrivateScreenError(
                "Assist does not work with a game on a private screen. Press Play to let the bot "
                "play it, or open the game on your own desktop"
            )
        return self._desktop.watch(candidate, choices, operator)

    def snapshot(self, candidate: Candidate) -> tuple[Frame, Window | None]:
        """Return the window of a board with its current picture."""
        if not isinstance(candidate.key, PrivateBoard):
            return self._desktop.snapshot(candidate)
        there = replace(candidate, key=candidate.key.key)
        with self._talk("snapshot", there) as talk:
            seen: tuple[Frame, Window | None] = talk.hear(threading.Event())[1]
        return seen

    def open_simulator(self, rules: Rules) -> None:
        """Open a built-in game on the desktop."""
        self._desktop.open_simulator(rules)

    def stop_key(self, pressed: Callable[[], None]) -> StopKey | None:
        """Listen for the stop key on the desktop."""
        return self._desktop.stop_key(pressed)

    def failure(self, error: BaseException) -> Failure:
        """Convert an error of either screen to a failure."""
        if not isinstance(error, PlayedThere):
            return self._desktop.failure(error)
        game = self.game
        return error.failure if game is None else game.explained(error.failure)

    def _desktop_boards(self, *, thorough: bool) -> Found:
        """Return the boards on the desktop; if it cannot be read, private games still work."""
        if not self._looks:
            return Found(())
        from vision.desktop import ScreenError  # noqa: PLC0415 - loads the reader

        try:
            return self._desktop.boards(thorough=thorough)
        except ScreenError as error:
            if self.game is None:
                raise
            return Found((), (str(error),))

    def _private_boards(self) -> Found:
        """Return the boards on the private screen, cached while the player is busy."""
        game = self.game
        if game is None or game.ended():
            return Found(())
        try:
            with self._talk("boards", wait=False) as talk:
                found = talk.hear(threading.Event())[1]
            self._listed = replace(found, boards=tuple(map(self._marked, found.boards)))
        except _Busy:
            pass
        except (PlayedThere, PrivateScreenError) as error:
            self._listed = Found((), (str(error),))
        return self._listed

    def _marked(self, board: Candidate) -> Candidate:
        """Return a private board as the panel lists it, with its own key."""
        display = "" if self.game is None else self.game.display
        key = PrivateBoard(display, board.key)
        return replace(board, title=f"{board.title} (private)", key=key, region=None)

    def _turns(self, board: Candidate, choices: Choices, operator: Operator) -> Iterator[Turn]:
        with self._talk("play", (board, choices())) as talk:
            while True:
                word, what = talk.hear(operator.stopped)
                if word == "turn":
                    yield what
                    talk.say("next", choices())
                elif word == "ask":
                    talk.say("answer", operator.ask(*what))
                elif word == "hold":
                    operator.pause(what)
                    operator.wait_until_resumed()
                    talk.say("go")
                elif word == "tell":
                    operator.report(what)
                else:
                    if what is not None:
                        reason, failed = what
                        operator.stopped.stop(reason, failed=failed)
                    return

    @contextmanager
    def _talk(self, word: str, what: object = None, *, wait: bool = True) -> Iterator[Talk]:
        """Send the player an order, and block other orders until it is over.

        Raises:
            PrivateScreenError: There is no player, or it has ended.
            _Busy: It has another order, and `wait` is False.
        """
        if not self._talking.acquire(blocking=wait):
            raise _Busy
        game = self.game
        try:
            if game is None or game.line is None:
                raise PrivateScreenError("no game runs on a private screen: start one")
            talk = Talk(game, game.line, word, what)
            try:
                yield talk
            finally:
                talk.leave()
        except (EOFError, OSError) as error:
            raise PrivateScreenError(game.lost() if game else str(error)) from error
        finally:
            self._talking.release()


class _Busy(Exception):
    """The player has another order."""
