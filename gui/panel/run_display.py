"""Shows a run in the window: its turns, its state, its questions and its obstacles.

The board is updated at every repaint, the statistics less often.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PyQt6.QtCore import QElapsedTimer, QObject, QTimer, pyqtSignal
from PyQt6.QtWidgets import QApplication, QWidget

from bot.loop import Turn
from gui.failures import Failure
from gui.panel.pages import PLAY
from gui.panel.placement import Placement
from gui.panel.play_page import Surface
from gui.panel.run import RUN, Run
from gui.panel.shell import Shell
from gui.panel.widgets import sentence
from gui.runner.player import State

if TYPE_CHECKING:
    # Starting the panel must not load the reader's learning modules.
    from gui.questions import Around, ProgramAnswer, ProgramQuestion
    from vision.learning.questions import Question

REPAINTS: Final = 30
"""Per second, for graphics."""
FIGURES: Final = 5
"""Per second, for text."""


class Throttle(QObject):
    """A filter that passes the newest value and drops those in between.

    Args:
        repaints: The largest number of values per second.

    Signals:
        passed(object): The newest value.
    """

    passed = pyqtSignal(object)

    def __init__(self, repaints: int = REPAINTS, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._interval = -(-1000 // repaints)
        self._newest: object = None
        self._since = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.flush)

    def offer(self, value: object) -> None:
        """Pass a value, at once if the last one was passed long enough ago."""
        self._newest = value
        if self._timer.isActive():
            return
        waited = self._since.elapsed() if self._since.isValid() else self._interval
        if waited >= self._interval:
            self.flush()
        else:
            self._timer.start(self._interval - int(waited))

    def flush(self) -> None:
        """Pass the pending value at once."""
        self._timer.stop()
        if self._newest is None:
            return
        value, self._newest = self._newest, None
        self._since.start()
        self.passed.emit(value)


class RunDisplay(QObject):
    """A display of a run, which brings the window to the front when the player needs the user.

    Args:
        run: The run.
        surface: The playing page. Turns between two repaints are skipped.
        shell: The pages.
        placement: The window's placement.
        window: The panel's window.

    Signals:
        changed(): A question is shown or was answered.
    """

    changed = pyqtSignal()

    def __init__(
        self, run: Run, surface: Surface, shell: Shell, placement: Placement, window: QWidget
    ) -> None:
        super().__init__(window)
        self._run, self._surface, self._shell = run, surface, shell
        self._placement, self._window = placement, window
        self._board, self._figures = Throttle(parent=self), Throttle(FIGURES, self)
        self._board.passed.connect(self._show_board)
        self._figures.passed.connect(self._show_statistics)
        run.turn_played.connect(self._board.offer)
        run.turn_played.connect(self._figures.offer)
        run.asked.connect(self._ask)
        run.held.connect(self._show_obstacle)
        surface.teach.answered.connect(self._answer)
        surface.program.answered.connect(self._answer)

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
        why = sentence(run.waiting) if run.waiting else ""
        if run.state is State.PAUSED:
            # When stepping, board and text must show the same turn.
            self.flush()
            why = f"{run.why}. Press Resume to continue." if run.why else why
        self._surface.show_state(
            run.state, opening=opening, outcome=run.outcome, assist=run.watching, why=why
        )

    def go_on(self) -> None:
        """Clear the reason of a pause when the user resumes."""
        if self._run.state is State.PAUSED:
            self._surface.banner.retract(RUN)
            self._placement.hide_again()

    def _show_board(self, turn: Turn) -> None:
        self._surface.show_board()
        self._surface.view.show_turn(turn, why=False)
        self._run.assist.show(turn)

    def _show_statistics(self, turn: Turn) -> None:
        # The text must belong to the board beside it.
        self._board.flush()
        self._surface.view.show_explanation()
        self._surface.details.show_turn(turn, self._run.statistics)

    def _ask(self, question: Question | ProgramQuestion, around: Around | None) -> None:
        """Show the player's question, unless it was stopped since."""
        if self._run.state is State.ASKING:
            self._call_user()
            self._surface.show_question(question, around)
            self.changed.emit()

    def _show_obstacle(self, why: Failure) -> None:
        """Report the obstacle, unless the player was stopped since."""
        if self._run.state is State.PAUSED:
            self._call_user()
            self._surface.banner.show_failure(why, about=RUN)

    def _answer(self, answer: int | ProgramAnswer | None) -> None:
        self._placement.hide_again()
        self._run.answer(answer)
        self.changed.emit()

    def _call_user(self) -> None:
        self._placement.show_for_question()
        self._shell.open(PLAY)
        QApplication.alert(self._window)
