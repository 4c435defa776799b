"""The boards on the screen: looked for, listed, chosen; the simulated window is one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtWidgets import QWidget

from gui.panel.lookout import Lookout
from gui.panel.placement import logical
from gui.panel.run import Run
from gui.panel.surface import Surface
from gui.protocol import Backend, Candidate, Found
from gui.settings import Choices

_MISSED = (
    "The simulated window was opened but cannot be seen on the screen. "
    "Move other windows away from it, then press Refresh."
)


class Finding(QObject):
    """Keeps the list of boards, and opens a simulated window; nothing of it while one is played.

    Args:
        backend: Asked for the boards.
        surface: The page that plays, with the list.
        run: What is played.
        choices: What the user chose.
        window: The panel's: it looks only while that can be seen, and knows what is under it.

    Signals:
        play_wanted(Candidate): The simulated window that was to be played is open.
        changed(): Another board is chosen, or there are others.
    """

    play_wanted = pyqtSignal(object)
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
        self.lookout = Lookout(backend, self._may_look, self)
        surface.chooser.chosen.connect(self._chosen)
        surface.chooser.refresh_wanted.connect(self.lookout.look)
        self.lookout.found.connect(self._list)
        self.lookout.blind.connect(surface.empty.set_blind)
        self.lookout.opening_changed.connect(self.changed)
        self.lookout.opened.connect(self._opened)
        self.lookout.missed.connect(self._missed)

    def open_simulator(self, *, play: bool = False) -> None:
        """Open a simulated window, choose it when it is found, and play it if asked to."""
        if not self._run.playing:
            self.lookout.open_simulator(self._choices().rules, play=play)

    def choose(self, board: Candidate) -> None:
        """Choose a board, listed or not."""
        chooser = self._surface.chooser
        if chooser.model.row_of(board.key) is None:
            chooser.show_found([*chooser.model.found, board])
        chooser.select_board(board)

    def _chosen(self, board: Candidate | None) -> None:
        self._surface.options.ask_mines(board)
        self.changed.emit()

    def _may_look(self) -> bool:
        window = self._window
        return not self._run.playing and window.isVisible() and not window.isMinimized()

    def _list(self, found: Found) -> None:
        if not self._run.playing:
            boards = (*found.boards, *self._under_the_panel(found.boards))
            self._surface.show_found(replace(found, boards=boards))
            self.changed.emit()

    def _under_the_panel(self, found: Sequence[Candidate]) -> list[Candidate]:
        """Boards seen before that the panel itself lies over: it makes way for them."""
        seen = {board.key for board in found}
        place = self._window.frameGeometry()
        return [
            board
            for board in self._surface.chooser.model.found
            if board.key not in seen
            and board.region is not None
            and place.intersects(logical(board.region))
        ]

    def _opened(self, board: Candidate, play: bool) -> None:
        self._surface.chooser.select_board(board)
        if play:
            self.play_wanted.emit(board)

    def _missed(self) -> None:
        self._surface.banner.tell(_MISSED)
