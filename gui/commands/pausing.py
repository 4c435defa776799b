"""A run that the user interrupted by taking the mouse, where it is followed in a terminal."""

from __future__ import annotations

import select
import sys
import threading

from rich.console import Console

from bot.loop import Stopped
from gui.commands.progress import GameLog


class TerminalPauses:
    """Waits for Enter; see `bot.manners.Pauses`.

    Args:
        console: Where it is said.
        log: Makes way for it.
        stop: Ends the waiting, too; set where Ctrl-C is the answer.
        waiting: Set while somebody is waited for: Ctrl-C is then an error, not a wish.
    """

    def __init__(
        self, console: Console, log: GameLog, stop: threading.Event, waiting: threading.Event
    ) -> None:
        self._console = console
        self._log = log
        self._stop = stop
        self._waiting = waiting
        self._why = ""

    @property
    def allowed(self) -> bool:
        """Whether nobody is waited for: Enter goes on with what was begun."""
        return not self._why

    def pause(self, why: str) -> None:
        """Nothing more is carried out: whoever wants to asks `until_resumed` first."""
        self._why = why

    def resume(self) -> None:
        """Go on, without Enter."""
        self._why = ""

    def waits(self, why: str) -> None:
        """Say it."""
        self._log.note(why)

    def until_resumed(self) -> None:
        """Wait for Enter, where it was paused.

        Raises:
            Stopped: Ctrl-C, the stop key, or nobody can type any more.
        """
        if not self._why:
            return
        with self._log.paused():
            self._waiting.set()
            try:
                self._console.print(f"{self._why}. Press Enter to go on, Ctrl-C to end")
                self._wait_for_enter()
            except KeyboardInterrupt:
                self._stop.set()
                raise Stopped from None
            finally:
                self._waiting.clear()
                self._why = ""

    def _wait_for_enter(self) -> None:
        while self._why:
            if self._stop.is_set():
                raise Stopped
            if select.select([sys.stdin], [], [], 0.1)[0]:
                if not sys.stdin.readline():
                    raise KeyboardInterrupt
                return
