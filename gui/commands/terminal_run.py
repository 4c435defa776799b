"""A run in a terminal: the same player as for the panel; its user reads and types here.

It sends the same messages and receives the same events as the panel (`gui.runner.protocol`). The
main thread prints the events, asks its user, and handles signals.
"""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from bot.loop import Stop, Stopped, Turn
from gui.commands.progress import GameLog
from gui.console import Console, is_terminal, read_line
from gui.failures import Failure
from gui.questions import ProgramQuestion
from gui.runner import protocol, states
from gui.runner.client import PlayerClient
from gui.settings import KeyName

if TYPE_CHECKING:
    from gui.questions import Around, ProgramAnswer
    from vision.learning.questions import Question

_INSTEAD: Final[Mapping[KeyName, str]] = {
    "stop key": " Ctrl-C in this terminal stops as well.",
    "pause key": "",
}
"""What remains if a key is not available."""


class TerminalRun:
    """A run whose user, if there is one, reads and types in the terminal.

    The user answers questions, and presses Enter to resume after taking the mouse. At an
    obstacle the run waits, and ends if it stays: nothing can be resumed then.

    Args:
        player: Plays.
        console: Receives questions and messages.
        log: Its live line is hidden while something is asked; None if there is none.
        stop: Ends the run.
        can_override: Whether the mouse is the user's own.
        keys: The keys to hear in any window, if the desktop supports it.
    """

    def __init__(
        self,
        player: PlayerClient,
        console: Console,
        log: GameLog | None,
        stop: Stop,
        *,
        can_override: bool = False,
        keys: Mapping[KeyName, str] | None = None,
    ) -> None:
        self._player, self._console, self._log, self._stop = player, console, log, stop
        self._over = threading.Event()
        """Set when the run has ended, or is to end: nothing is asked any more."""
        stop.call_when_set(self._over.set)
        self._read = partial(read_line, self._over)
        attended = is_terminal(sys.stdin)
        self._user = protocol.Abilities(
            can_answer=attended, can_resume=False, can_override=attended and can_override
        )
        self._events: queue.SimpleQueue[protocol.Event | None] = queue.SimpleQueue()
        self._send: Callable[[protocol.Message], None]
        self._orders = 0
        self._asks_tile: Callable[..., int | None] | None = None
        self._waiting = ""
        self._paused = False
        self._keys = keys or {}
        player.listen(self._hear_key)
        for name, key in self._keys.items():
            player.hold_key(name, key)

    def follow(self, begin: protocol.Begin, show: Callable[[Turn], object]) -> Failure | None:
        """Play to the end; return why it ended early, or None."""
        self._send = self._player.begin(replace(begin, user=self._user), self._receive)
        self._stop.call_when_set(lambda: self._events.put(None))
        while not isinstance(event := self._events.get(), protocol.Ended):
            if event is None:
                self._order(states.Event.STOP, self._stop.reason)
            elif isinstance(event, protocol.Played):
                for turn in event.turns:
                    show(turn)
            elif isinstance(event, protocol.Asked):
                self._answer(event)
            elif isinstance(event, protocol.Status) and event.acknowledged == self._orders:
                self._show(event)
        if event.reason:
            self._stop.stop(event.reason, failed=event.failed)
        return event.failure

    def _receive(self, event: protocol.Event) -> None:
        """Queue an event for the main thread; called in another one."""
        self._events.put(event)
        if isinstance(event, protocol.Ended):
            self._over.set()

    def ask(
        self, question: Question | ProgramQuestion, around: Around | None = None
    ) -> int | ProgramAnswer | None:
        """Ask, and return the answer; None if the question is left open.

        Raises:
            Stopped: The run was stopped.
        """
        # Imported here, because it loads the reader.
        from gui.commands import learn  # noqa: PLC0415

        with self._log_paused():
            if isinstance(question, ProgramQuestion):
                return learn.ask_about_program(question, self._console, self._read)
            if self._asks_tile is None:
                self._asks_tile = learn.Asked(self._console, leaving="end the run", read=self._read)
            return self._asks_tile(question, around)

    def _order(self, event: states.Event, argument: object = "") -> None:
        self._orders += 1
        self._send(protocol.Order(self._orders, event, argument))

    def _answer(self, asked: protocol.Asked) -> None:
        try:
            self._order(states.Event.ANSWER, self.ask(asked.question, asked.around))
        except Stopped:
            return

    def _hear_key(self, event: protocol.Event) -> None:
        """Stop, also before the run begins; called in another thread."""
        if isinstance(event, protocol.KeyPressed) and event.name == "stop key":
            self._stop.stop(f"Stopped with {event.key}.")
        elif isinstance(event, protocol.KeyRefused):
            self._console.note(f"{event.why}{_INSTEAD[event.name]}")

    def _show(self, status: protocol.Status) -> None:
        """Print what has changed: the reason for waiting, and a pause."""
        if status.waiting != self._waiting:
            self._waiting = status.waiting
            self._console.note(status.waiting)
        paused = status.state is protocol.State.PAUSED
        if paused and status.why:
            self._wait_for_enter(status.why)
        elif paused != self._paused:
            self._paused = paused
            key = self._keys.get("pause key")
            self._console.note(f"Paused. Press {key} to continue" if paused else "Resumed")

    def _wait_for_enter(self, why: str) -> None:
        """Resume when the user presses Enter, and only then; stop at the end of the input."""
        pause_key = self._keys.get("pause key", "")
        self._player.hold_key("pause key", "")
        try:
            with self._log_paused():
                self._console.print(f"{why}. Press Enter to continue, Ctrl-C to end")
                self._read()
        except EOFError:
            self._stop.stop("Stopped: the terminal's input has ended.")
        except Stopped:
            return
        else:
            self._order(states.Event.RESUME)
        finally:
            self._player.hold_key("pause key", pause_key)

    def _log_paused(self) -> AbstractContextManager[None]:
        return nullcontext() if self._log is None else self._log.paused()
