"""Show what the player of a run does and asks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtWidgets import QApplication, QWidget

from bot.loop import Turn
from gui.failures import Failure
from gui.panel.pages import PLAY
from gui.panel.placement import Placement
from gui.panel.play_page import Surface
from gui.panel.run import RUN, Run
from gui.panel.shell import Shell
from gui.panel.widgets import sentence
from gui.runner.protocol import State

if TYPE_CHECKING:
    # Starting the panel must not load the reader's learning modules.
    from gui.questions import Around, ProgramAnswer, ProgramQuestion
    from vision.learning.questions import Question

_THINKING: Final = "Thinking about a guess"


class RunDisplay(QObject):
    """A display of a run, which brings the window to the front when the player needs the user.

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
        run.turn_shown.connect(self._show_board)
        run.turn_explained.connect(self._show_statistics)
        run.interim_shown.connect(self._show_interim)
        surface.move_now.clicked.connect(run.move_now)
        run.asked.connect(self._ask)
        run.held.connect(self._show_obstacle)
        surface.teach.answered.connect(self._answer)
        surface.program.answered.connect(self._answer)

    def show_state(self, *, opening: bool) -> None:
        """Show the player's state.

        Args:
            opening: A built-in game is being opened to be played.
        """
        run = self._run
        why = sentence(run.waiting) if run.waiting else ""
        if run.state is State.PAUSED:
            why = f"{run.why}. Press Resume to continue." if run.why else why
        if run.thinking and not why and run.state is State.PLAYING:
            why = _THINKING
        self._surface.show_state(
            run.state,
            opening=opening,
            outcome=run.outcome,
            assist=run.watching,
            why=why,
            thinking=run.thinking,
            progress=run.progress,
        )

    def go_on(self) -> None:
        """Clear the reason of a pause when the user resumes."""
        if self._run.state is State.PAUSED:
            self._surface.banner.retract(RUN)
            self._placement.hide_again()

    def _show_board(self, turn: Turn) -> None:
        if self._run.state is State.PAUSED:
            # A step was carried out, in front of the panel.
            self._placement.show_for_question()
        self._surface.show_board()
        self._surface.chooser.show_played(turn.reading)
        self._surface.view.show_turn(turn, why=False)
        self._run.assist.show(turn)

    def _show_interim(self, turn: Turn) -> None:
        self._surface.show_board()
        self._surface.view.show_turn(turn)
        self._surface.details.show_interim(turn)

    def _show_statistics(self, turn: Turn) -> None:
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
            message = f"{sentence(why.message)} Press Resume to continue."
            self._surface.banner.show_failure(replace(why, message=message), about=RUN)

    def _answer(self, answer: int | ProgramAnswer | None) -> None:
        self._placement.hide_again()
        self._run.answer(answer)
        self.changed.emit()

    def _call_user(self) -> None:
        self._placement.show_for_question()
        self._shell.open(PLAY)
        QApplication.alert(self._window)
