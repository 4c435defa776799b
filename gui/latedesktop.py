"""The desktop for a panel that is just opening: the eye is loaded behind the window.

Loading the eye, with OpenCV and all that it has learned, takes longer than showing a
window. It is done by the first thread that asks for it, never by the main one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from bot.frame import Frame
from bot.game import Rules
from bot.loop import Stop, Turn
from bot.manners import PauseControl
from gui.failures import Failure
from gui.protocol import Ask, Candidate, Found, Tell, untold
from gui.settings import Choices
from vision.desktop import StopKey, desktop

if TYPE_CHECKING:
    from gui.backend import Desktop
    from vision.desktop import Window


class LateDesktop:
    """A `gui.protocol.Backend` that becomes one when it is asked for the first time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: Desktop | None = None

    @property
    def desktop(self) -> Desktop:
        """The real one."""
        with self._lock:
            if self._made is None:
                from gui.backend import Desktop  # noqa: PLC0415 - what this class is for

                self._made = Desktop()
            return self._made

    def boards(self, *, thorough: bool = False) -> Found:
        """Return the boards on the screen."""
        return self.desktop.boards(thorough=thorough)

    def release_windows(self) -> None:
        """Undo what `boards` does to covered windows."""
        with self._lock:
            made = self._made
        if made is not None:
            made.release_windows()

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
        """Plays as many games as are chosen."""
        return self.desktop.turns(candidate, choices, stop, ask, hold, pauses, tell)

    def snapshot(self, candidate: Candidate) -> tuple[Frame, Window | None]:
        """The window of a board as it looks."""
        return self.desktop.snapshot(candidate)

    def watch(
        self, candidate: Candidate, choices: Choices, stop: threading.Event, ask: Ask
    ) -> Iterator[Turn]:
        """Watches somebody play."""
        return self.desktop.watch(candidate, choices, stop, ask)

    def open_simulator(self, rules: Rules) -> None:
        """Opens a built-in game."""
        self.desktop.open_simulator(rules)

    def stop_key(self, pressed: Callable[[], None]) -> StopKey | None:
        """Hears the key that stops from everywhere, without waiting for the eye."""
        return desktop().open_stop_key(pressed)

    def failure(self, error: BaseException) -> Failure:
        """Words for an error."""
        return self.desktop.failure(error)

    def close(self) -> None:
        """End the built-in games that were opened."""
        with self._lock:
            if self._made is not None:
                self._made.simulators.close()
