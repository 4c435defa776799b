"""The boards on the screen: search, list and selection, with the built-in game."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtWidgets import QWidget

from gui.failures import Failure
from gui.panel.lookout import Lookout
from gui.panel.run import RUN, Run
from gui.panel.surface import Surface
from gui.runner.player import State
from gui.runner.protocol import Backend, Candidate, Found
from gui.settings import Choices

_MISSED = (
    "The built-in game was opened but cannot be seen on the screen. "
    "Move other windows away from it, then press Refresh."
)


class Finding(QObject):
    """The list of boards and the opening of the built-in game; idle while a game is played.

    Args:
        backend: Searches for boards.
        surface: The page that plays, with the list.
        run: The run.
        choices: The user's choices.
        window: The panel's window. Searches run only while it is visible.

    Signals:
        changed(): Another board is selected, or the list changed.
    """

    changed = pyqtSignal()

    def __init__(
        self,
        backend: Backend,
        surface: Surface,
        run: Run,
        choices: Choices,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._surface, self._run, self._choices = surface, run, choices
        self._window = window
        self._begin: Callable[[Candidate], None] | None = None
        self._unseen = self._hidden = False
        """Whether the run reported a hidden board, and whether a search confirmed that since."""
        run.failed.connect(self._note_failure)
        run.held.connect(self._note_failure)
        self.lookout = Lookout(backend, self._may_look, self)
        surface.chooser.chosen.connect(self._chosen)
        surface.chooser.refresh_wanted.connect(partial(self.lookout.look, thorough=True))
        run.state_changed.connect(self._note_state)
        self.lookout.found.connect(self._list)
        self.lookout.blind.connect(surface.set_blind)
        self.lookout.opening_changed.connect(self.changed)
        self.lookout.opened.connect(self._opened)
        self.lookout.missed.connect(self._missed)

    def open_simulator(self, begin: Callable[[Candidate], None] | None = None) -> None:
        """Open a built-in game and select it when it is found.

        Args:
            begin: Called with its board.
        """
        if not self._run.playing and not self.lookout.opening:
            self._surface.banner.retract(_MISSED)
            self._begin = begin
            self.lookout.open_simulator(self._choices().rules)

    def choose(self, board: Candidate) -> None:
        """Select a board, listed or not."""
        chooser = self._surface.chooser
        others = [one for one in chooser.model.found if one.key != board.key]
        row = chooser.model.row_of(board.key)
        others.insert(len(others) if row is None else row, board)
        chooser.show_found(others)
        chooser.show_remarks(())
        chooser.select_board(board)

    def _chosen(self, board: Candidate | None) -> None:
        self._surface.options.ask_mines(board)
        self.changed.emit()

    def _may_look(self) -> bool:
        window = self._window
        # The condition that a paused run waits for may be met now.
        waits = self._unseen and self._run.state is State.PAUSED
        idle = waits or not self._run.playing
        return idle and window.isVisible() and not window.isMinimized()

    def _note_state(self) -> None:
        if self._run.state is State.PLAYING:
            self.lookout.release_windows()

    def _note_failure(self, failure: Failure) -> None:
        self._unseen, self._hidden = failure.unseen, False

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

    def _list(self, found: Found) -> None:
        self._retract_unseen(found)
        if not self._run.playing:
            self._surface.show_found(found)
            # The screen may show the selected board's number of mines by now, or no longer.
            self._surface.options.ask_mines(self._surface.chooser.current)
            self.changed.emit()

    def _opened(self, board: Candidate) -> None:
        self._surface.chooser.select_board(board)
        if self._begin is not None:
            self._begin(board)

    def _missed(self) -> None:
        self._surface.banner.tell(_MISSED, about=_MISSED)
