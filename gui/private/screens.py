"""A backend for the panel that adds a game on a private screen to the desktop.

The private game is played by its own process on its own screen, because the reader and the mouse
belong to one display each. It is the same process as the one that plays on the desktop.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from bot.frame import Frame
from gui.failures import Failure, ReportedFailure
from gui.private import PrivateScreenError
from gui.private.game import SIZE, PrivateGame
from gui.runner import protocol
from gui.runner.client import DesktopPlayer, PlayerClient

if TYPE_CHECKING:
    from bot.loop import Turn
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


class _PrivatePlayer(PlayerClient):
    """The process that plays on a private screen."""

    def __init__(self, game: PrivateGame) -> None:
        super().__init__()
        self._game = game

    def _connect(self) -> protocol.Line:
        return self._game.connect()

    def _kill(self) -> None:
        # Its keeper ends the process; the game ends with the screen.
        self._game.close()

    def _lost(self) -> str:
        return self._game.lost()

    def _take(self, event: protocol.Event) -> None:
        if isinstance(event, protocol.Ended) and event.failure is not None:
            # If the game or its screen has ended, the run failed for that reason.
            event = replace(event, failure=self._game.explained(event.failure))
        super()._take(event)


class PrivateScreens(DesktopPlayer):
    """Backend for the desktop, and for a game on a private screen beside it.

    Args:
        looks: Whether to search for boards on the desktop.
    """

    def __init__(self, *, looks: bool = True) -> None:
        super().__init__()
        self._looks = looks
        self._private: _PrivatePlayer | None = None
        self._seen: set[PrivateBoard] = set()
        """The keys of all boards that were found on private screens."""
        self.game: PrivateGame | None = None
        """The game that runs, or that has ended and was not closed."""

    def start(self, command: Sequence[str], size: tuple[int, int] = SIZE) -> PrivateGame:
        """Start a game on a private screen and end the previous one. Slow.

        Raises:
            PrivateScreenError: It cannot be started.
        """
        self.end_game()
        game = PrivateGame(command, size)
        self.adopt(game)
        return game

    def adopt(self, game: PrivateGame) -> None:
        """Play a game that runs already."""
        self.game, self._private = game, _PrivatePlayer(game)
        self._private.listen(self._heard)

    def await_board(
        self, stop: threading.Event, wanted: str | None = None, mines: int | None = None
    ) -> protocol.Candidate:
        """Return the game's board when it is visible. Slow.

        Args:
            stop: Ends the waiting.
            wanted: A part of its window's title, class or skin, if it has several boards.
            mines: The number of mines, if the user gave it.

        Raises:
            ReportedFailure: There is none, or the game or its screen ended.
            Stopped: `stop` was set.
        """
        game, player = self._running()
        board: protocol.Candidate = player.call(
            "await_board", game.name, wanted, mines, stop=stop, ended=game.ended
        )
        return self._marked(board)

    def end_game(self) -> None:
        """End the game and its screen. Slow."""
        game, player, self.game, self._private = self.game, self._private, None, None
        if game is not None:
            game.close()
        if player is not None:
            player.close()

    def close(self) -> None:
        """End all that plays, and wait for that. Slow."""
        self.end_game()
        super().close()

    def boards(self, *, thorough: bool = False, every: bool = False) -> protocol.Found:
        """Return the boards on the desktop and on the private screen."""
        found = self._desktop_boards(thorough=thorough, every=every)
        private = self._private_boards(every=every)
        keys = (board.key for board in private.boards)
        self._seen.update(key for key in keys if isinstance(key, PrivateBoard))
        game = self.game
        screen = game.display if game is not None and not game.ended() else None
        return replace(
            found,
            boards=(*private.boards, *found.boards),
            remarks=(*private.remarks, *found.remarks),
            incomplete=found.incomplete or private.incomplete,
            closed=found.closed.union(key for key in self._seen if key.screen != screen),
        )

    def analyse(
        self, candidate: protocol.Candidate, solver_name: str, *, fresh: bool
    ) -> Turn | None:
        """Return a board as it looks now, analysed; None too if its private screen has ended."""
        if not isinstance(candidate.key, PrivateBoard):
            return super().analyse(candidate, solver_name, fresh=fresh)
        player = self._private
        if player is None or self.game is None or self.game.display != candidate.key.screen:
            return None
        there = replace(candidate, key=candidate.key.key)
        return player.analyse(there, solver_name, fresh=fresh)

    def snapshot(self, candidate: protocol.Candidate) -> tuple[Frame, Window | None]:
        """Return the window of a board with its current picture."""
        if not isinstance(candidate.key, PrivateBoard):
            return super().snapshot(candidate)
        return self._running()[1].snapshot(replace(candidate, key=candidate.key.key))

    def begin(
        self, begin: protocol.Begin, heard: Callable[[protocol.RunEvent], None]
    ) -> Callable[[protocol.Message], None]:
        """Begin a run on the desktop or on the private screen."""
        board = begin.board
        if not isinstance(board, protocol.Candidate) or not isinstance(board.key, PrivateBoard):
            return super().begin(begin, heard)
        player = self._private
        if begin.watch or player is None:
            heard(protocol.Ended(failure=Failure(_NOT_WATCHED if begin.watch else _NONE)))
            return lambda _message: None
        there = replace(begin, board=replace(board, key=board.key.key))
        return player.begin(there, heard)

    def _take(self, event: protocol.Event) -> None:
        private = self._private
        if isinstance(event, protocol.KeyPressed) and private is not None:
            # The desktop's process hears the keys for both.
            private.pass_key(event)
        super()._take(event)

    def _desktop_boards(self, *, thorough: bool, every: bool) -> protocol.Found:
        """Return the boards on the desktop; if it cannot be read, private games still work."""
        if not self._looks:
            return protocol.Found(())
        try:
            return super().boards(thorough=thorough, every=every)
        except ReportedFailure as error:
            if self.game is None:
                raise
            return protocol.Found((), (str(error),))

    def _private_boards(self, *, every: bool) -> protocol.Found:
        """Return the boards on the private screen."""
        game, player = self.game, self._private
        if game is None or player is None or game.ended():
            return protocol.Found(())
        try:
            found = player.boards(every=every)
        except ReportedFailure as error:
            # The user may have ended the game meanwhile.
            return protocol.Found((), (str(error),) if self.game is game else ())
        return replace(found, boards=tuple(map(self._marked, found.boards)))

    def _marked(self, board: protocol.Candidate) -> protocol.Candidate:
        """Return a private board as the panel lists it, with its own key."""
        display = "" if self.game is None else self.game.display
        key = PrivateBoard(display, board.key)
        return replace(board, title=f"{board.title} (private)", key=key, region=None)

    def _running(self) -> tuple[PrivateGame, PlayerClient]:
        if self.game is None or self._private is None:
            raise PrivateScreenError(_NONE)
        return self.game, self._private
