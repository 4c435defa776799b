"""Waits for the user in the terminal of a run; stopping the run ends the waiting."""

from __future__ import annotations

import select
import sys
import threading
from typing import Final

from bot.loop import Stop, Stopped
from gui.commands.progress import GameLog
from gui.console import Console

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


class TerminalPauses:
    """A pause control that waits for Enter; see `gui.runner.user_override.PauseControl`.

    Args:
        console: Receives the message.
        log: Hidden during the pause.
        stop: Ends the waiting too.
    """

    def __init__(self, console: Console, log: GameLog, stop: Stop) -> None:
        self._console = console
        self._log = log
        self._stop = stop
        self._why = ""

    @property
    def allowed(self) -> bool:
        """Whether the run is not paused."""
        return not self._why

    def pop_resume_request(self) -> bool:
        """Return False: there is no window with such buttons that could cover the game."""
        return False

    def pause(self, why: str) -> None:
        """Pause the run; `wait_until_resumed` does the waiting."""
        self._why = why

    def wait_until_resumed(self) -> None:
        """Wait for Enter if the run is paused.

        Raises:
            Stopped: The run was stopped, or the input has ended.
        """
        if not self._why:
            return
        with self._log.paused():
            try:
                self._console.print(f"{self._why}. Press Enter to go on, Ctrl-C to end")
                read_line(self._stop)
            except EOFError:
                self._stop.stop("Stopped: the terminal's input has ended.")
                raise Stopped from None
            finally:
                self._why = ""
