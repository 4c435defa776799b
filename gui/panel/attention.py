"""Calls for the user: brings the window to the front with a question or an obstacle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtWidgets import QApplication, QWidget

from gui.failures import Failure
from gui.panel.pages import PLAY
from gui.panel.run import RUN, Run
from gui.panel.shell import Shell
from gui.panel.standing import Standing
from gui.panel.surface import Surface
from gui.runner.player import State

if TYPE_CHECKING:
    # Starting the panel must not load the reader's learning modules.
    from gui.questions import Around, ProgramAnswer, ProgramQuestion
    from vision.learning.questions import Question


class Attention(QObject):
    """A notifier of the user while the player waits.

    Args:
        run: The run whose player waits.
        surface: The page that plays.
        shell: The pages.
        standing: The window's placement.
        window: The panel's window.

    Signals:
        changed(): A question is shown or was answered.
    """

    changed = pyqtSignal()

    def __init__(
        self, run: Run, surface: Surface, shell: Shell, standing: Standing, window: QWidget
    ) -> None:
        super().__init__(window)
        self._run, self._surface, self._shell, self._standing = run, surface, shell, standing
        self._window = window
        run.asked.connect(self._ask)
        run.held.connect(self._tell)
        surface.teach.answered.connect(self._answer)
        surface.program.answered.connect(self._answer)

    def go_on(self) -> None:
        """Clear the reason of a pause when the user resumes."""
        if self._run.state is State.PAUSED:
            self._surface.banner.retract(RUN)
            self._standing.hide_again()

    def _ask(self, question: Question | ProgramQuestion, around: Around | None) -> None:
        """Show the player's question, unless it was stopped since."""
        if self._run.state is State.ASKING:
            self._call()
            self._surface.show_question(question, around)
            self.changed.emit()

    def _tell(self, why: Failure) -> None:
        """Report the obstacle, unless the player was stopped since."""
        if self._run.state is State.PAUSED:
            self._call()
            self._surface.banner.tell_failure(why, about=RUN)

    def _answer(self, answer: int | ProgramAnswer | None) -> None:
        self._standing.hide_again()
        self._run.answer(answer)
        self.changed.emit()

    def _call(self) -> None:
        self._standing.show_for_question()
        self._shell.open(PLAY)
        QApplication.alert(self._window)
