"""The newest turn on the page that plays: the board at every repaint, the figures less often."""

from __future__ import annotations

from PyQt6.QtCore import QObject

from bot.loop import Turn
from gui.panel.run import Run
from gui.panel.surface import Surface
from gui.panel.throttle import FIGURES, Throttle


class Showing(QObject):
    """Shows a run's turns; those between two repaints are left out.

    Args:
        surface: The page that plays.
        run: Whose turns are shown.
    """

    def __init__(self, surface: Surface, run: Run, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._surface, self._run = surface, run
        self._board, self._figures = Throttle(parent=self), Throttle(FIGURES, self)
        self._board.passed.connect(self._show)
        self._figures.passed.connect(self._tell)
        run.turn_played.connect(self._board.offer)
        run.turn_played.connect(self._figures.offer)

    def flush(self) -> None:
        """Show the newest turn at once: board and words of the same one."""
        self._board.flush()
        self._figures.flush()

    def _show(self, turn: Turn) -> None:
        self._surface.show_board()
        self._surface.view.show_turn(turn)
        self._run.assist.show(turn)

    def _tell(self, turn: Turn) -> None:
        self._surface.details.show_turn(turn, self._run.tally)
