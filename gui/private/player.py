"""The process that plays on a private screen, for a panel on another screen.

The bot at the other end of the connection sends one order at a time. Each turn is sent to it before
it is carried out, and so are questions.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, Final

from bot.analysis import Cancelled
from bot.loop import Stop, Stopped
from bot.solver.explain import with_explanation
from bot.solver.warmup import PREPARATION
from gui.logfile import start_logging
from gui.private.talk import FAILED, OVER, STOP
from gui.runner.protocol import Unattended
from gui.settings import Settings

if TYPE_CHECKING:
    from gui.failures import Failure
    from gui.private.talk import Line
    from gui.questions import Around, ProgramAnswer, ProgramQuestion
    from gui.runner.backend import Desktop
    from gui.runner.protocol import Candidate
    from vision.learning.questions import Question


class LinePlayer:
    """An executor of orders from the connection.

    Args:
        line: To the bot.
        desktop: Plays.
    """

    def __init__(self, line: Line, desktop: Desktop) -> None:
        self._line = line
        self._desktop = desktop
        self._heard: queue.SimpleQueue[tuple[str, Any, Stop]] = queue.SimpleQueue()
        self._stop = Stop()
        self._settings = Settings()

    def hear(self) -> None:
        """Receive messages until the bot closes the connection."""
        with suppress(EOFError, OSError):
            while True:
                word, what = self._line.recv()
                if word == STOP:
                    self._stop.set()
                elif word in _ORDERS:
                    # Each order has its own event, so that a late stop does not affect the next
                    # order.
                    self._stop = Stop()
                self._heard.put((word, what, self._stop))
        self.end()

    def end(self) -> None:
        """Stop the current order and accept no more."""
        self._stop.set()
        self._heard.put(("end", None, self._stop))

    def serve(self) -> None:
        """Carry out one order after the other until the bot closes the connection."""
        while (heard := self._heard.get())[0] != "end":
            word, what, stop = heard
            if word not in _ORDERS:
                continue
            try:
                answer = _ORDERS[word](self, what, stop)
            except (Stopped, Cancelled):
                self._line.send((OVER, None))
            except EOFError:
                return
            except Exception as error:  # noqa: BLE001 - the bot reports it
                self._line.send((FAILED, self._desktop.failure(error)))
            else:
                self._line.send((OVER, answer))

    def _boards(self, _what: None, _stop: Stop) -> object:
        return self._desktop.boards()

    def _await(self, name: str, stop: Stop) -> Candidate:
        from gui.private.opening import await_board  # noqa: PLC0415 - loads the reader

        return await_board(self._desktop, name, lambda: "", None, None, stop)

    def _snapshot(self, board: Candidate, _stop: Stop) -> object:
        return self._desktop.snapshot(board)

    def _play(self, what: tuple[Candidate, Settings], stop: Stop) -> tuple[str, bool] | None:
        board, self._settings = what
        operator = _RemoteOperator(self, stop)
        turns = self._desktop.turns(board, lambda: self._settings, operator)
        with closing(turns):  # type: ignore[type-var]  # a generator
            for turn in turns:
                # The panel's process, which paints it, has not compiled the solver.
                analysis = turn.analysis and with_explanation(turn.reading.board, turn.analysis)
                self.send("turn", replace(turn, analysis=analysis))
                self._settings = self.receive()
        # Something on this screen may have stopped it, which the bot cannot know.
        return (stop.reason, stop.failed) if stop.reason else None

    def send(self, word: str, what: object) -> None:
        """Send the bot a message."""
        self._line.send((word, what))

    def receive(self) -> Any:
        """Wait for the bot's reply to the last message.

        Raises:
            Stopped: It stops instead.
            EOFError: It has closed the connection.
        """
        word, what, _ = self._heard.get()
        if word == STOP:
            raise Stopped
        if word == "end":
            raise EOFError
        return what


class _RemoteOperator(Unattended):
    """The user in front of the panel, at the other end of the connection."""

    can_answer = can_resume = True

    def __init__(self, player: LinePlayer, stopped: Stop) -> None:
        super().__init__(stopped, lambda waiting: player.send("tell", waiting))
        self._player = player

    def ask(
        self, question: Question | ProgramQuestion, around: Around | None = None, /
    ) -> int | ProgramAnswer | None:
        """Ask the user, and wait."""
        self._player.send("ask", (question, around))
        answer: int | ProgramAnswer | None = self._player.receive()
        return answer

    def pause(self, why: str | Failure, /) -> None:
        """Pause there because of an obstacle."""
        self._player.send("hold", why)

    def wait_until_resumed(self) -> None:
        """Wait until the user resumes after `pause`."""
        self._player.receive()


_ORDERS: Final[dict[str, Callable[[LinePlayer, Any, Stop], object]]] = {
    "boards": LinePlayer._boards,  # noqa: SLF001 - its own table
    "await": LinePlayer._await,  # noqa: SLF001
    "snapshot": LinePlayer._snapshot,  # noqa: SLF001
    "play": LinePlayer._play,  # noqa: SLF001
}


def main(line: str, folder: str) -> None:
    """Run the player process until the bot or the keeper has ended.

    Args:
        line: The descriptor of its end of the connection.
        folder: The bot's working folder, for relative paths.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    start_logging()
    PREPARATION.begin()
    with ExitStack() as resources:
        from gui.runner.backend import Desktop  # noqa: PLC0415 - before the folder changes

        player = LinePlayer(resources.enter_context(Connection(int(line))), Desktop())
        os.chdir(folder)
        signal.signal(signal.SIGTERM, lambda *_: player.end())
        threading.Thread(target=player.hear, name="line", daemon=True).start()
        with suppress(OSError):
            player.serve()


if __name__ == "__main__":
    main(*sys.argv[1:])
