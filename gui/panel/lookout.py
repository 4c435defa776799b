"""Looks for boards by itself, and opens a built-in game: both in the errands' thread."""

from __future__ import annotations

from collections.abc import Callable
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
"""Milliseconds between two looks while a built-in game is opening."""
OPENING_PATIENCE: Final = 20_000
"""Milliseconds that a built-in game may take to be found."""


class Lookout(QObject):
    """Knows which boards there are.

    Args:
        backend: Asked for the boards, and to open a built-in game.
        wanted: Whether a look by itself makes sense at this moment.

    Signals:
        found(Found): What a look found.
        blind(): A look went wrong.
        opening_changed(): It began or ended to wait for a built-in game.
        opened(Candidate): The built-in game that was asked for.
        missed(): The built-in game opened but cannot be seen.
        failed(Failure, str): A look, an opening or another errand went wrong; its name.
        went_well(str): An errand of that name did not.
        ended(): The thread has ended, after `end`.
    """

    found = pyqtSignal(object)
    blind = pyqtSignal()
    opening_changed = pyqtSignal()
    opened = pyqtSignal(object)
    missed = pyqtSignal()
    failed = pyqtSignal(object, str)
    went_well = pyqtSignal(str)
    ended = pyqtSignal()

    def __init__(
        self, backend: Backend, wanted: Callable[[], bool], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._backend = backend
        self._wanted = wanted
        self._boards: tuple[Candidate, ...] = ()
        self._known: tuple[object, ...] | None = None
        """Keys of the boards that were there before the built-in game that is being opened."""
        self._looking = self._ending = self._thorough = False
        self._last_trouble = ""
        self._errands = Errands(backend.failure, self)
        self._errands.done.connect(self._done)
        self._errands.failed.connect(self._failed)
        self._errands.finished.connect(self.ended)
        self._clock = QTimer(self)
        self._clock.setInterval(LOOK_EVERY)
        self._clock.timeout.connect(self._look_by_itself)
        self._again = _once(self, OPENING_EVERY, self._look_again)
        self._patience = _once(self, OPENING_PATIENCE, self._give_up)

    @property
    def opening(self) -> bool:
        """Whether a built-in game is being opened."""
        return self._known is not None

    @property
    def running(self) -> bool:
        """Whether its thread runs."""
        return self._errands.isRunning()

    def start(self) -> None:
        """Look at once, and every few seconds from then on."""
        self._errands.start()
        self._clock.start()
        self.look()

    def look_soon(self) -> None:
        """Look in a moment, once, however often this is called until then."""
        self._again.start()

    def end(self) -> None:
        """Finish what is under way and end the thread; does not wait, `ended` tells."""
        self._ending = True
        self._clock.stop()
        self.forget_opening()
        self._errands.end()

    def look(self, *, thorough: bool = False) -> None:
        """Look for boards; one look at a time.

        Args:
            thorough: Whether windows are searched that are unlikely to have one; if a look is
                under way, after that.
        """
        self._thorough |= thorough
        if not self._looking and not self._ending:
            self._looking = True
            look = partial(self._backend.boards, thorough=self._thorough)
            self._thorough = False
            self._errands.run_errand("look", look)

    def release_windows(self) -> None:
        """Undo what the looks did to covered windows, after the look that is under way."""
        self._errands.run_errand("release", self._backend.release_windows)

    def open_simulator(self, rules: Rules) -> None:
        """Open a built-in game of that game and wait until it is found."""
        if self._known is None and not self._ending:
            self._known = tuple(board.key for board in self._boards)
            self._errands.run_errand("open", partial(self._backend.open_simulator, rules))
            self.opening_changed.emit()

    def forget_opening(self) -> None:
        """Wait for the built-in game no longer."""
        self._again.stop()
        self._patience.stop()
        if self._known is not None:
            self._known = None
            self.opening_changed.emit()

    def also(self, errand: Callable[[], object]) -> None:
        """Have something else done in the same thread."""
        self._errands.run_errand("also", errand)

    def _look_by_itself(self) -> None:
        if self._known is None and self._wanted():
            self.look()

    def _look_again(self) -> None:
        if self._known is not None or self._wanted():
            self.look()

    def _done(self, name: str, answer: object) -> None:
        if self._ending:
            return
        self.went_well.emit(name)
        if name == "look":
            self._looking = False
            self._last_trouble = ""
            self._take(cast("Found", answer))
            if self._thorough:
                self.look()
        elif name == "open" and self._known is not None:
            self._patience.start()
            self.look()

    def _take(self, found: Found) -> None:
        self._boards = found.boards
        self.found.emit(found)
        known = self._known
        if known is None:
            if found.incomplete:
                self._again.start()
            return
        fresh = next((board for board in found.boards if board.key not in known), None)
        if fresh is None:
            self._again.start()
        else:
            self.forget_opening()
            self.opened.emit(fresh)

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
        self.failed.emit(failure, name)


def _once(parent: QObject, milliseconds: int, what: Callable[[], None]) -> QTimer:
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(what)
    return timer
