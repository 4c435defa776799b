"""Searches for boards periodically and opens a built-in game, both on the worker thread."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, cast

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from bot.game import Rules
from gui.failures import Failure
from gui.panel.errands import Errands
from gui.runner.protocol import Backend, Candidate, Found

LOOK_EVERY: Final = 3000
"""Milliseconds between two searches for boards."""
OPENING_EVERY: Final = 300
"""Milliseconds between two searches while a built-in game is opening."""
OPENING_PATIENCE: Final = 20_000
"""Milliseconds after which a built-in game counts as not found."""


class Lookout(QObject):
    """A periodic search for boards.

    Args:
        backend: Searches for boards and opens a built-in game.
        wanted: Whether a periodic search makes sense now.

    Signals:
        found(Found): The result of a search.
        blind(): A search failed.
        opening_changed(): Waiting for a built-in game began or ended.
        opened(Candidate): The built-in game was found.
        missed(): The built-in game opened but cannot be seen.
        failed(Failure, str): A search, an opening or another errand failed, with its name.
        went_well(str): The errand of that name succeeded.
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
        """Keys of the boards that existed before the built-in game that is being opened."""
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
        """Whether the worker thread runs."""
        return self._errands.isRunning()

    def start(self) -> None:
        """Search at once, and then every few seconds."""
        self._errands.start()
        self._clock.start()
        self.look()

    def look_soon(self) -> None:
        """Search soon, once for all calls until then."""
        self._again.start()

    def end(self) -> None:
        """End the thread after its current work, without waiting; then `ended` is emitted."""
        self._ending = True
        self._clock.stop()
        self.forget_opening()
        self._errands.end()

    def look(self, *, thorough: bool = False) -> None:
        """Search for boards, one search at a time.

        Args:
            thorough: Whether to search windows that are unlikely to have a board; if a search is
                running, after that.
        """
        self._thorough |= thorough
        if not self._looking and not self._ending:
            self._looking = True
            look = partial(self._backend.boards, thorough=self._thorough)
            self._thorough = False
            self._errands.run_errand("look", look)

    def release_windows(self) -> None:
        """Undo what the searches did to covered windows, after the current search."""
        self._errands.run_errand("release", self._backend.release_windows)

    def open_simulator(self, rules: Rules) -> None:
        """Open a built-in game with these rules and wait until it is found."""
        if self._known is None and not self._ending:
            self._known = tuple(board.key for board in self._boards)
            self._errands.run_errand("open", partial(self._backend.open_simulator, rules))
            self.opening_changed.emit()

    def forget_opening(self) -> None:
        """Stop waiting for the built-in game."""
        self._again.stop()
        self._patience.stop()
        if self._known is not None:
            self._known = None
            self.opening_changed.emit()

    def also(self, errand: Callable[[], object]) -> None:
        """Run something else in the same thread."""
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
            # Report a failure that repeats every few seconds only once.
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
