"""The operator of a run in the terminal."""

from __future__ import annotations

import select
import sys
import threading
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Final

from bot.loop import Stop, Stopped
from gui.commands.progress import GameLog
from gui.console import Console
from gui.failures import Failure
from gui.questions import ProgramQuestion
from gui.runner.protocol import Unattended

if TYPE_CHECKING:
    from gui.questions import Around, ProgramAnswer
    from vision.learning.questions import Question

_INTERVAL: Final = 0.1
"""Seconds between checks whether the run was stopped."""


def read_line(stop: threading.Event) -> str:
    """Wait for a line of the standard input and return it.

    Args:
        stop: Ends the waiting, also if a signal's handler sets it.

    Raises:
        EOFError: The input has ended.
        Stopped: `stop` was set.
    """
    while not stop.is_set():
        if select.select([sys.stdin], [], [], _INTERVAL)[0]:
            if line := sys.stdin.readline():
                return line
            raise EOFError
    raise Stopped


class TerminalOperator(Unattended):
    """The user of a run in the terminal: answers questions, and presses Enter to resume.

    Args:
        console: Receives questions and messages.
        log: Hidden meanwhile; None if there is none.
        stopped: Ends all waiting too.
        can_override: Whether the mouse is the user's own.
    """

    can_answer = True

    def __init__(
        self, console: Console, log: GameLog | None, stopped: Stop, *, can_override: bool = False
    ) -> None:
        from gui.commands.learn import Asked  # noqa: PLC0415 - loads the reader

        super().__init__(stopped, None if log is None else log.note)
        self._console = console
        self._log = log
        self._read = partial(read_line, stopped)
        self._asked = Asked(console, leaving="end the run", read=self._read)
        self._why = ""
        self.can_override = can_override

    def ask(
        self, question: Question | ProgramQuestion, around: Around | None = None, /
    ) -> int | ProgramAnswer | None:
        """Ask, and wait for the answer or a stop."""
        from gui.commands.learn import ask_about_program  # noqa: PLC0415 - loads the reader

        with self._log_paused():
            if isinstance(question, ProgramQuestion):
                return ask_about_program(question, self._console, self._read)
            return self._asked(question, around)

    @property
    def allowed(self) -> bool:
        """Whether the run is not paused."""
        return not self._why

    def pause(self, why: str | Failure, /) -> None:
        """Pause the run; `wait_until_resumed` does the waiting."""
        self._why = str(why)

    def wait_until_resumed(self) -> None:
        """Wait for Enter if the run is paused.

        Raises:
            Stopped: The run was stopped, or the input has ended.
        """
        if not self._why:
            return
        with self._log_paused():
            try:
                self._console.print(f"{self._why}. Press Enter to continue, Ctrl-C to end")
                self._read()
            except EOFError:
                self.stopped.stop("Stopped: the terminal's input has ended.")
                raise Stopped from None
            finally:
                self._why = ""

    def _log_paused(self) -> AbstractContextManager[None]:
        return nullcontext() if self._log is None else self._log.paused()


def operator_of(
    console: Console, log: GameLog | None, stopped: Stop, *, can_override: bool = False
) -> Unattended:
    """Return the operator of a run that was started in a terminal, or without one."""
    if sys.stdin.isatty():
        return TerminalOperator(console, log, stopped, can_override=can_override)
    return Unattended(stopped, None if log is None else log.note)
