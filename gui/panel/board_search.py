"""The boards on the screen: their search, their list, and the opening of the built-in game."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, cast

from PyQt6.QtCore import QObject, QTimer, pyqtSignal
from PyQt6.QtWidgets import QWidget

from gui.failures import Failure, describe
from gui.panel.jobs import Job, Jobs, Progress
from gui.panel.play_page import Surface
from gui.panel.run import RUN, Run
from gui.runner.client import PlayerClient
from gui.runner.protocol import UNKNOWN_SKIN, Candidate, Found, State
from gui.runner.timeouts import WINDOW_REPLACED
from gui.settings import Choices

LOOK_EVERY: Final = 3000
"""Milliseconds between two searches for boards."""
OPENING_EVERY: Final = 300
"""Milliseconds between two searches while a built-in game is opening."""
OPENING_PATIENCE: Final = 20_000
"""Milliseconds after which a built-in game counts as not found."""
_MISSED: Final = (
    "The built-in game was opened but cannot be seen on the screen. "
    "Move other windows away from it, then press Refresh."
)


class BoardSearch(QObject):
    """A periodic search for boards, idle while a game is played, whose result is listed.

    Args:
        backend: Searches for boards and opens a built-in game.
        surface: The page that plays, with the list.
        run: The run.
        choices: Returns the current settings.
        window: The panel's window. Periodic searches run only while it is visible.

    Signals:
        changed(): Another board is selected, the list changed, or waiting for a built-in game
            began or ended.
        found(Found): The result of a search.
        blind(): A search failed.
        failed(Failure, str): A search, an opening or other work failed, with its name.
        went_well(str): The work of that name succeeded.
        ended(): All work has ended, after `end`.
    """

    changed = pyqtSignal()
    found = pyqtSignal(object)
    blind = pyqtSignal()
    failed = pyqtSignal(object, str)
    went_well = pyqtSignal(str)
    ended = pyqtSignal()

    def __init__(
        self, backend: PlayerClient, surface: Surface, run: Run, choices: Choices, window: QWidget
    ) -> None:
        super().__init__(window)
        self._backend, self._surface, self._run = backend, surface, run
        self._choices, self._window = choices, window
        self._boards: tuple[Candidate, ...] = ()
        self._order: dict[object, None] = {}
        """The keys of all boards, in the order in which they were found first."""
        self._known: tuple[object, ...] | None = None
        """Keys of the boards that existed before the built-in game that is being opened."""
        self._begin: Callable[[Candidate], None] = lambda _board: None
        self._looking = self._ending = self._thorough = False
        self._last_trouble = ""
        self._closed: float | None = None
        """When a search first saw that the window of the paused run was closed."""
        self._open: frozenset[object] = frozenset()
        """The boards that were listed before."""
        self._unseen = self._hidden = False
        """Whether the run reported a hidden board, and whether a search confirmed that since."""
        # In order: a search sees the built-in game that was opened before.
        self._jobs = Jobs(partial(describe, frame=None), self, workers=1)
        self._jobs.ended.connect(self.ended)
        self._clock = QTimer(self)
        self._clock.setInterval(LOOK_EVERY)
        self._clock.timeout.connect(self._look_by_itself)
        self._again = _once(self, OPENING_EVERY, self._look_again)
        self._patience = _once(self, OPENING_PATIENCE, self._give_up)
        run.failed.connect(self._note_failure)
        run.held.connect(self._note_failure)
        run.state_changed.connect(self._note_state)
        surface.chooser.chosen.connect(self._chosen)
        surface.chooser.refresh_wanted.connect(partial(self.look, thorough=True))

    @property
    def opening(self) -> bool:
        """Whether a built-in game is being opened."""
        return self._known is not None

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return not self._ending or self._jobs.running

    def start(self) -> None:
        """Search at once, and then every few seconds."""
        self._clock.start()
        self.look()

    def look_soon(self) -> None:
        """Search soon, once for all calls until then."""
        self._again.start()

    def end(self) -> None:
        """End after the work that was started, without waiting; then `ended` is emitted."""
        self._ending = True
        self._clock.stop()
        self.forget_opening()
        self._backend.leave()
        self._jobs.end(cancel=False)

    def look(self, *, thorough: bool = False) -> None:
        """Search for boards, one search at a time.

        Args:
            thorough: Whether to search windows that are unlikely to have a board; if a search is
                running, after that.
        """
        self._thorough |= thorough
        if not self._looking and not self._ending:
            self._looking = True
            if self._thorough:
                self._surface.show_search()
            every = self._surface.chooser.every.isChecked()
            look = partial(self._backend.boards, thorough=self._thorough, every=every)
            self._thorough = False
            self._work("look", look)

    def open_simulator(self, begin: Callable[[Candidate], None]) -> None:
        """Open a built-in game and select it when it is found.

        Args:
            begin: Called with its board.
        """
        if self._run.playing or self.opening or self._ending:
            return
        self._surface.banner.retract(_MISSED)
        self._begin = begin
        self._known = tuple(board.key for board in self._boards)
        options = ["--digging"] if self._choices().digging else []
        self._work("open", partial(self._backend.open_simulator, *options))
        self.changed.emit()

    def forget_opening(self) -> None:
        """Stop waiting for the built-in game."""
        self._again.stop()
        self._patience.stop()
        if self._known is not None:
            self._known = None
            self.changed.emit()

    def also(self, work: Callable[[], object], name: str = "also") -> Job:
        """Run something else in the same thread; its failure is reported under this name."""
        return self._work(name, work)

    def choose(self, board: Candidate) -> None:
        """Select a board, listed or not."""
        chooser = self._surface.chooser
        others = [one for one in chooser.found if one.key != board.key]
        row = chooser.row_of(board.key)
        others.insert(len(others) if row is None else row, board)
        chooser.show_found(others)
        chooser.show_remarks(())
        chooser.select_board(board)

    def _work(self, name: str, work: Callable[[], object]) -> Job:
        def run(_progress: Progress) -> object:
            return work()

        job = self._jobs.start(name, run)
        job.done.connect(partial(self._done, name))
        job.failed.connect(partial(self._failed, name))
        return job

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
        elif name == "open" and self.opening:
            self._patience.start()
            self.look()

    def _failed(self, name: str, failure: Failure) -> None:
        if name == "look":
            self._looking = False
            if self._ending:
                return
            self._surface.set_blind()
            self.blind.emit()
            # Report a failure that repeats every few seconds only once.
            if failure.message == self._last_trouble:
                return
            self._last_trouble = failure.message
        if name in ("look", "open"):
            self.forget_opening()
        self.failed.emit(failure, name)

    def _take(self, found: Found) -> None:
        # A row stays where it is, whichever window is in front.
        self._order.update({one.key: None for one in found.boards if one.key not in self._order})
        places = {key: place for place, key in enumerate(self._order)}
        boards = tuple(sorted(found.boards, key=lambda one: places[one.key]))
        found = replace(found, boards=boards)
        self._boards = found.boards
        self._list(found)
        self.found.emit(found)
        known = self._known
        if known is None:
            if found.incomplete:
                self._again.start()
            return
        fresh = next((one for one in found.boards if one.key not in known and one.rows), None)
        if fresh is None:
            self._again.start()
            return
        self.forget_opening()
        self._surface.chooser.select_board(fresh)
        self._begin(fresh)

    def _list(self, found: Found) -> None:
        self._stop_if_closed(found)
        self._retract_unseen(found)
        if not self._run.playing:
            self._surface.show_found(found)
            # The screen may show the selected board's number of mines by now, or no longer.
            self._surface.options.ask_mines(self._surface.chooser.current)
            self.changed.emit()

    def _stop_if_closed(self, found: Found) -> None:
        """Stop a paused run whose window was closed: the player would notice it at Resume.

        If its program opens another one soon, the player continues in that.
        """
        current = self._surface.chooser.current
        closed = current is not None and current.key in found.closed
        if current is None or not closed or self._run.state is not State.PAUSED:
            self._closed = None
            self._open = frozenset(one.key for one in found.boards)
            return
        left = [one for one in found.boards if one.key not in found.closed]
        for one in left:
            if one.rows and one.skin == current.skin != UNKNOWN_SKIN and one.key not in self._open:
                self._surface.chooser.show_found(left, found.closed)
                self._surface.chooser.select_board(one)
                return
        now = time.monotonic()
        self._closed = self._closed or now
        if now - self._closed < WINDOW_REPLACED:
            self._again.start()
            return
        self._run.stop(f"The window '{current.title}' was closed.")
        self._surface.banner.retract(RUN)

    def _retract_unseen(self, found: Found) -> None:
        """Remove the message about a hidden board after it was hidden and became visible again."""
        current = self._surface.chooser.current
        if not self._unseen or current is None:
            return
        seen = any(one.key == current.key and not one.covered for one in found.boards)
        if seen and self._hidden:
            self._unseen = False
            self._surface.banner.retract(RUN)
        self._hidden = not seen

    def _give_up(self) -> None:
        self.forget_opening()
        self._surface.banner.show_message(_MISSED, about=_MISSED)

    def _look_by_itself(self) -> None:
        if not self.opening and self.may_look:
            self.look()

    def _look_again(self) -> None:
        if self.opening or self.may_look:
            self.look()

    @property
    def may_look(self) -> bool:
        """Whether nothing is played at the moment, and the panel can be seen."""
        window = self._window
        # A paused run may wait for a hidden board, and its window may be closed.
        idle = self._run.state is State.PAUSED or not self._run.playing
        return idle and window.isVisible() and not window.isMinimized()

    def _chosen(self, board: Candidate | None) -> None:
        self._surface.options.ask_mines(board)
        self.changed.emit()

    def _note_state(self) -> None:
        if self._run.state is State.PLAYING:
            # Undo what the searches did to covered windows, after the current search.
            self._work("release", self._backend.release_windows)

    def _note_failure(self, failure: Failure) -> None:
        self._unseen, self._hidden = failure.unseen, False


def _once(parent: QObject, milliseconds: int, what: Callable[[], None]) -> QTimer:
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(what)
    return timer
