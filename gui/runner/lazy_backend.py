"""A lazy backend for a panel that is just opening: the reader is loaded after the window.

Loading the reader with OpenCV and its training data takes longer than showing a window. It is done
by the first thread that needs it, never by the main thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from bot.frame import Frame
from bot.game import Rules
from bot.loop import Stop, Turn
from gui.failures import Failure
from gui.runner.protocol import Ask, Candidate, Found, Tell, untold
from gui.runner.user_override import PauseControl
from gui.settings import Choices
from vision.desktop import StopKey, desktop

if TYPE_CHECKING:
    from gui.runner.backend import Desktop
    from vision.desktop import Window


class LateDesktop:
    """A `gui.runner.protocol.Backend` that loads the real one on first use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: Desktop | None = None

    @property
    def desktop(self) -> Desktop:
        """The real backend."""
        with self._lock:
            if self._made is None:
                from gui.runner.backend import Desktop  # noqa: PLC0415 - what this class is for

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
        """Play the chosen number of games."""
        return self.desktop.turns(candidate, choices, stop, ask, hold, pauses, tell)

    def snapshot(self, candidate: Candidate) -> tuple[Frame, Window | None]:
        """Return the window of a board with its current picture."""
        return self.desktop.snapshot(candidate)

    def watch(
        self, candidate: Candidate, choices: Choices, stop: threading.Event, ask: Ask
    ) -> Iterator[Turn]:
        """Watch the user play."""
        return self.desktop.watch(candidate, choices, stop, ask)

    def open_simulator(self, rules: Rules) -> None:
        """Open a built-in game."""
        self.desktop.open_simulator(rules)

    def stop_key(self, pressed: Callable[[], None]) -> StopKey | None:
        """Listen for the stop key in all windows, without loading the reader."""
        return desktop().open_stop_key(pressed)

    def failure(self, error: BaseException) -> Failure:
        """Convert an error to a failure."""
        return self.desktop.failure(error)

    def close(self) -> None:
        """End the built-in games that were opened."""
        with self._lock:
            if self._made is not None:
                self._made.simulators.close()
