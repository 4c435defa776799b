"""Waiting for the user in the terminal in which a run is followed; what stops the run ends it."""

from __future__ import annotations

import select
import sys
import threading
from typing import Final

from bot.loop import Stop, Stopped
from gui.commands.progress import GameLog
from gui.console import Console

_INTERVAL: Final = 0.1
"""Seconds between two looks at what stops the run."""


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
    """Waits for Enter; see `bot.manners.PauseControl`.

    Args:
        console: Where it is said.
        log: Makes way for it.
        stop: Ends the waiting, too.
    """

    def __init__(self, console: Console, log: GameLog, stop: Stop) -> None:
        self._console = console
        self._log = log
        self._stop = stop
        self._why = ""

    @property
    def allowed(self) -> bool:
        """Whether nobody is waited for: Enter goes on with what was begun."""
        return not self._why

    def pop_resume_request(self) -> bool:
        """Return False: there is no window with such buttons that could cover the game."""
        return False

    def pause(self, why: str) -> None:
        """Nothing more is carried out: whoever wants to asks `wait_until_resumed` first."""
        self._why = why

    def wait_until_resumed(self) -> None:
        """Wait for Enter, where it was paused.

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
