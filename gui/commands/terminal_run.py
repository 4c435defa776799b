"""A run in a terminal: the panel's player, in a thread of this process.

It takes the same messages and sends the same events (`gui.runner.protocol`). The main thread prints
them, asks its user, and handles signals.
"""

from __future__ import annotations

import queue
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from bot.loop import Stop, Stopped, Turn
from gui.commands.progress import GameLog
from gui.console import Console, is_terminal, read_line
from gui.failures import Failure
from gui.questions import ProgramQuestion
from gui.runner.player import Player
from gui.runner.process import ServedRun
from gui.runner.protocol import Abilities, Asked, Backend, Begin, Ended, Event, State, Status

if TYPE_CHECKING:
    from gui.questions import Around, ProgramAnswer
    from vision.learning.questions import Question


class TerminalRun:
    """A run whose user, if there is one, reads and types in the terminal.

    The user answers questions, and presses Enter to resume after taking the mouse. At an
    obstacle the run waits, and ends if it stays: nothing can be resumed then.

    Args:
        console: Receives questions.
        log: Receives the turns' results and messages; None to show no messages.
        stop: Ends the run.
        can_override: Whether the mouse is the user's own.
        pause_key: The key that pauses and resumes.
    """

    def __init__(
        self,
        console: Console,
        log: GameLog | None,
        stop: Stop,
        *,
        can_override: bool = False,
        pause_key: str = "",
    ) -> None:
        self._console, self._log, self._stop, self._pause_key = console, log, stop, pause_key
        self._read = partial(read_line, stop)
        attended = is_terminal(sys.stdin)
        self._user = Abilities(
            can_answer=attended, can_resume=False, can_override=attended and can_override
        )
        self._events: queue.SimpleQueue[Event | Turn] = queue.SimpleQueue()
        self._player: Player | None = None
        self._asks_tile: Callable[..., int | None] | None = None
        self._waiting = ""
        self._begins_paused = self._paused = self._prompting = False

    def follow(
        self, backend: Backend, begin: Begin, show: Callable[[Turn], object]
    ) -> Failure | None:
        """Play to the end; return why it ended early, or None.

        Args:
            backend: Plays.
            begin: The run to begin.
            show: Called with each turn.
        """
        begin = replace(begin, user=self._user, paused=self._begins_paused)
        run = ServedRun(backend, begin, self._events.put, self._stop)
        self._player = run.player
        run.start()
        with ExitStack() as interrupted:
            # Also after KeyboardInterrupt: nothing is clicked any more.
            interrupted.callback(run.end)
            while not isinstance(event := self._events.get(), Ended):
                if isinstance(event, Turn):
                    show(event)
                elif isinstance(event, Asked):
                    self._answer(event)
                elif isinstance(event, Status):
                    self._show(run.player.status, event.waiting)
            interrupted.pop_all()
        run.join()
        return None if self._stop.is_set() else event.failure

    def pause_or_resume(self) -> None:
        """Pause, or resume if paused; callable from any thread."""
        if self._player is None:
            self._begins_paused = not self._begins_paused
        elif not self._prompting:
            self._player.pause_or_resume()

    def ask(
        self, question: Question | ProgramQuestion, around: Around | None = None
    ) -> int | ProgramAnswer | None:
        """Ask, and return the answer; None if the question is left open.

        Raises:
            Stopped: The run was stopped.
        """
        # Imported here, because it loads the reader.
        from gui.commands.learn import Asked, ask_about_program  # noqa: PLC0415

        with self._log_paused():
            if isinstance(question, ProgramQuestion):
                return ask_about_program(question, self._console, self._read)
            if self._asks_tile is None:
                self._asks_tile = Asked(self._console, leaving="end the run", read=self._read)
            return self._asks_tile(question, around)

    def _answer(self, asked: Asked) -> None:
        assert self._player is not None  # noqa: S101 - it has asked
        try:
            self._player.answer(self.ask(asked.question, asked.around))
        except Stopped:
            return

    def _show(self, status: Status, waiting: str) -> None:
        """Print what has changed: the reason for waiting, and a pause."""
        if waiting != self._waiting:
            self._waiting = waiting
            self._note(waiting)
        paused = status.state is State.PAUSED
        if paused and status.why:
            self._wait_for_enter(status.why)
        elif paused != self._paused:
            self._paused = paused
            self._note(f"Paused. Press {self._pause_key} to continue" if paused else "Resumed")

    def _wait_for_enter(self, why: str) -> None:
        """Resume when the user presses Enter; stop at the end of the input."""
        assert self._player is not None  # noqa: S101 - it has paused
        self._prompting = True
        try:
            with self._log_paused():
                self._console.print(f"{why}. Press Enter to continue, Ctrl-C to end")
                self._read()
        except EOFError:
            self._stop.stop("Stopped: the terminal's input has ended.")
        except Stopped:
            return
        else:
            self._player.resume()
        finally:
            self._prompting = False

    def _note(self, text: str) -> None:
        if self._log is not None:
            self._log.note(text)

    def _log_paused(self) -> AbstractContextManager[None]:
        return nullcontext() if self._log is None else self._log.paused()
