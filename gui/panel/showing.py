"""Shows the run's newest turn and state on the playing page.

The board is updated at every repaint, the figures less often.
"""

from __future__ import annotations

from PyQt6.QtCore import QObject

from bot.loop import Turn
from gui.panel.labels import sentence
from gui.panel.run import Run
from gui.panel.surface import Surface
from gui.panel.throttle import FIGURES, Throttle
from gui.runner.player import State


class Showing(QObject):
    """A display of a run's turns that skips those between two repaints.

    Args:
        surface: The playing page.
        run: The run whose turns are shown.
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
        """Show the newest turn at once, with board and text of the same turn."""
        self._board.flush()
        self._figures.flush()

    def show_state(self, *, opening: bool) -> None:
        """Show the player's state.

        Args:
            opening: A built-in game is being opened.
        """
        run = self._run
        if run.state is State.PAUSED:
            # When stepping, board and text must show the same turn.
            self.flush()
        self._surface.show_state(
            run.state,
            opening=opening,
            outcome=run.outcome,
            assist=run.watching,
            why=self._reason(),
        )

    def _reason(self) -> str:
        run = self._run
        if run.state is State.PAUSED and run.why:
            return f"{run.why}. Press Resume to continue."
        return sentence(run.waiting) if run.waiting else ""

    def _show(self, turn: Turn) -> None:
        self._surface.show_board()
        self._surface.view.show_turn(turn, why=False)
        self._run.assist.show(turn)

    def _tell(self, turn: Turn) -> None:
        # The text must belong to the board beside it.
        self._board.flush()
        self._surface.view.tell_why()
        self._surface.details.show_turn(turn, self._run.tally)
