"""What the panel is given: the desktop that it is on, and beside it a game on a private screen.

The private game is played by a process of its own on its own screen: eye and hand belong to
one display each. Here its turns come over a line, one at a time, and go on as if they had
been made here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from bot.frame import Frame
from bot.game import Rules
from bot.loop import Stop, Stopped, Turn
from bot.manners import PauseControl
from gui.failures import Failure
from gui.private.game import SIZE, PrivateGame
from gui.private.talk import PlayedThere, Talk
from gui.private_screen import PrivateScreenError
from gui.protocol import Ask, Backend, Candidate, Found, Tell, untold
from gui.settings import Choices

if TYPE_CHECKING:
    from vision.desktop import StopKey, Window

_LEAVE_SECONDS: Final = 5.0
"""That a game which is being played has to be left."""


@dataclass(frozen=True)
class PrivateBoard:
    """The key of a board on the private screen."""

    screen: str
    """Its display."""
    key: object
    """As the process there knows it."""


class PrivateScreens:
    """A `gui.protocol.Backend` with a game on a private screen beside the desktop.

    Args:
        desktop: The user's.
        looks: Whether boards are looked for there, too.
    """

    def __init__(self, desktop: Backend, *, looks: bool = True) -> None:
        self._desktop = desktop
        self._looks = looks
        self._talking = threading.Lock()
        self._listed = Found(())
        self.game: PrivateGame | None = None
        """The one that runs, or has ended and was not closed."""

    def start(self, command: Sequence[str], size: tuple[int, int] = SIZE) -> PrivateGame:
        """Start a game on a private screen; the one before is ended. Slow.

        Raises:
            PrivateScreenError: It cannot be started.
        """
        self.close()
        self.game = PrivateGame(command, size, player=True)
        return self.game

    def await_board(self, stop: threading.Event) -> Candidate:
        """The game's board, when it is there. Slow.

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

    def turns(
        self,
        candidate: Candidate,
        choices: Choices,
        stop: Stop,
        ask: Ask,
        hold: Callable[[Failure], None],
        pauses: PauseControl | None = None,
        tell: Tell = untold,
    ) -> Iterator[Turn]:
        """Plays as many games as are chosen, here or there."""
        if isinstance(candidate.key, PrivateBoard):
            there = replace(candidate, key=candidate.key.key)
            return self._turns(there, choices, stop, ask, hold, tell)
        return self._desktop.turns(candidate, choices, stop, ask, hold, pauses, tell)

    def watch(
        self, candidate: Candidate, choices: Choices, stop: threading.Event, ask: Ask
    ) -> Iterator[Turn]:
        """Watches somebody play, on the desktop alone."""
        if isinstance(candidate.key, PrivateBoard):
            raise PrivateScreenError(
                "Assist does not work with a game on a private screen. Press Play to let the bot "
                "play it, or open the game on your own desktop"
            )
        return self._desktop.watch(candidate, choices, stop, ask)

    def snapshot(self, candidate: Candidate) -> tuple[Frame, Window | None]:
        """The window of a board as it looks, and the window."""
        if not isinstance(candidate.key, PrivateBoard):
            return self._desktop.snapshot(candidate)
        there = replace(candidate, key=candidate.key.key)
        with self._talk("snapshot", there) as talk:
            seen: tuple[Frame, Window | None] = talk.hear(threading.Event())[1]
        return seen

    def open_simulator(self, rules: Rules) -> None:
        """Opens a built-in game on the desktop."""
        self._desktop.open_simulator(rules)

    def stop_key(self, pressed: Callable[[], None]) -> StopKey | None:
        """Hears the key that stops from everywhere on the desktop."""
        return self._desktop.stop_key(pressed)

    def failure(self, error: BaseException) -> Failure:
        """Words for an error, here or there."""
        if not isinstance(error, PlayedThere):
            return self._desktop.failure(error)
        game = self.game
        return error.failure if game is None else game.explained(error.failure)

    def _desktop_boards(self, *, thorough: bool) -> Found:
        """What is on the desktop; one that nobody may read hides no private game."""
        if not self._looks:
            return Found(())
        from vision.desktop import ScreenError  # noqa: PLC0415 - loads the eye

        try:
            return self._desktop.boards(thorough=thorough)
        except ScreenError as error:
            if self.game is None:
                raise
            return Found((), (str(error),))

    def _private_boards(self) -> Found:
        """What is on the private screen; while it is spoken to, what was there last."""
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
        """As the panel knows it: in nobody's way, and not mistaken for one of the desktop."""
        display = "" if self.game is None else self.game.display
        key = PrivateBoard(display, board.key)
        return replace(board, title=f"{board.title} (private)", key=key, region=None)

    def _turns(
        self,
        board: Candidate,
        choices: Choices,
        stop: Stop,
        ask: Ask,
        hold: Callable[[Failure], None],
        tell: Tell,
    ) -> Iterator[Turn]:
        with self._talk("play", (board, choices())) as talk:
            while True:
                word, what = talk.hear(stop)
                if word == "turn":
                    yield what
                    talk.say("next", choices())
                elif word == "ask":
                    talk.say("answer", ask(*what))
                elif word == "hold":
                    hold(what)
                    talk.say("go")
                elif word == "tell":
                    tell(what)
                else:
                    if what is not None:
                        reason, failed = what
                        stop.stop(reason, failed=failed)
                    return

    @contextmanager
    def _talk(self, word: str, what: object = None, *, wait: bool = True) -> Iterator[Talk]:
        """Give the player an order; nobody else does until it is over.

        Raises:
            PrivateScreenError: There is no player, or it has gone.
            _Busy: It has another order, and that is not to be waited for.
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
    """The player is spoken to by somebody else."""
