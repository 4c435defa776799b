"""Looks for boards by itself, and opens a simulated window: both in the errands' thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, cast

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from bot.rules import Rules
from gui.failures import Failure
from gui.panel.errands import Errands
from gui.protocol import Backend, Candidate, Found

LOOK_EVERY: Final = 3000
"""Milliseconds between two looks for boards."""
OPENING_EVERY: Final = 300
"""Milliseconds between two looks while a simulated window is opening."""
OPENING_PATIENCE: Final = 20_000
"""Milliseconds that a simulated window may take to be found."""


@dataclass(frozen=True)
class _Opening:
    """A simulated window that was asked for."""

    known: tuple[object, ...]
    """Keys of the boards that were there before."""
    play: bool


class Lookout(QObject):
    """Knows which boards there are.

    Args:
        backend: Asked for the boards, and to open a simulated window.
        wanted: Whether a look by itself makes sense at this moment.

    Signals:
        found(Found): What a look found.
        blind(): A look went wrong.
        opening_changed(): It began or ended to wait for a simulated window.
        opened(Candidate, bool): The simulated window that was asked for, and whether it is
            to be played.
        missed(): The simulated window opened but cannot be seen.
        failed(Failure): A look, an opening or another errand went wrong.
        ended(): The thread has ended, after `end`.
    """

    found = pyqtSignal(object)
    blind = pyqtSignal()
    opening_changed = pyqtSignal()
    opened = pyqtSignal(object, bool)
    missed = pyqtSignal()
    failed = pyqtSignal(object)
    ended = pyqtSignal()

    def __init__(
        self, backend: Backend, wanted: Callable[[], bool], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._backend = backend
        self._wanted = wanted
        self._boards: tuple[Candidate, ...] = ()
        self._opening: _Opening | None = None
        self._looking = self._ending = False
        self._last_trouble = ""
        self._errands = Errands(backend.failure, self)
        self._errands.done.connect(self._done)
        self._errands.failed.connect(self._failed)
        self._errands.finished.connect(self.ended)
        self._clock = QTimer(self)
        self._clock.setInterval(LOOK_EVERY)
        self._clock.timeout.connect(self._look_by_itself)
        self._again = _once(self, OPENING_EVERY, self.look)
        self._patience = _once(self, OPENING_PATIENCE, self._give_up)

    @property
    def opening(self) -> bool:
        """Whether a simulated window is being opened."""
        return self._opening is not None

    @property
    def running(self) -> bool:
        """Whether its thread runs."""
        return self._errands.isRunning()

    def start(self) -> None:
        """Look at once, and every few seconds from then on."""
        self._errands.start()
        self._clock.start()
        self.look()

    def end(self) -> None:
        """Finish what is under way and end the thread; does not wait, `ended` tells."""
        self._ending = True
        self._clock.stop()
        self.forget_opening()
        self._errands.end()

    def look(self) -> None:
        """Look for boards; one look at a time."""
        if not self._looking and not self._ending:
            self._looking = True
            self._errands.run_errand("look", self._backend.boards)

    def open_simulator(self, rules: Rules, *, play: bool) -> None:
        """Open a simulated window of that game and wait until it is found."""
        if self._opening is None and not self._ending:
            self._opening = _Opening(tuple(board.key for board in self._boards), play)
            self._errands.run_errand("open", partial(self._backend.open_simulator, rules))
            self.opening_changed.emit()

    def forget_opening(self) -> None:
        """Wait for the simulated window no longer."""
        self._again.stop()
        self._patience.stop()
        if self._opening is not None:
            self._opening = None
            self.opening_changed.emit()

    def also(self, errand: Callable[[], object]) -> None:
        """Have something else done in the same thread."""
        self._errands.run_errand("also", errand)

    def _look_by_itself(self) -> None:
        if self._opening is None and self._wanted():
            self.look()

    def _done(self, name: str, answer: object) -> None:
        if self._ending:
            return
        if name == "look":
            self._looking = False
            self._last_trouble = ""
            self._take(cast("Found", answer))
        elif name == "open" and self._opening is not None:
            self._patience.start()
            self.look()

    def _take(self, found: Found) -> None:
        self._boards = found.boards
        self.found.emit(found)
        opening = self._opening
        if opening is None:
            return
        fresh = next((board for board in found.boards if board.key not in opening.known), None)
        if fresh is None:
            self._again.start()
        else:
            self.forget_opening()
            self.opened.emit(fresh, opening.play)

    def _give_up(self) -> None:
        self.forget_opening()
        self.missed.emit()

    def _failed(self, name: str, failure: Failure) -> None:
        if name == "look":
            self._looking = False
            self.blind.emit()
            # What goes wrong every few seconds is told once.
            if failure.message == self._last_trouble:
                return
            self._last_trouble = failure.message
        if name in ("look", "open"):
            self.forget_opening()
        self.failed.emit(failure)


def _once(parent: QObject, milliseconds: int, what: Callable[[], None]) -> QTimer:
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(what)
    return timer
