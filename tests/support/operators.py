"""Operators whose answers are functions of a test."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from bot.loop import Stop, Turn
from gui.questions import Around, ProgramAnswer, ProgramQuestion
from gui.runner.states import Activity
from vision.learning.questions import Question


class Unattended:
    """An `Operator` without a user.

    Args:
        stopped: Ends the run.
        report: Receives what the run waits for; None to ignore it.
    """

    can_answer = can_resume = can_override = hurried = False

    def __init__(
        self, stopped: Stop | None = None, report: Callable[[str], None] | None = None
    ) -> None:
        self.stopped = stopped or Stop()
        self._report = report

    def ask(
        self, question: Question | ProgramQuestion, _around: Around | None = None, /
    ) -> int | ProgramAnswer | None:
        """Raise an error: the run has to end before it asks."""
        raise AssertionError(question)

    def report(self, waiting: str, /) -> None:
        """Pass on the reason for waiting."""
        if self._report is not None:
            self._report(waiting)

    def doing(self, _activity: Activity, /) -> AbstractContextManager[None]:
        """Return a context that does nothing."""
        return nullcontext()

    def show_interim(self, turn: Turn, /) -> None:
        """Show nothing: there is no user."""

    @property
    def allowed(self) -> bool:
        """Return True: the run never pauses."""
        return True

    def pause(self, why: str | Exception, /) -> None:
        """Raise an error: the run has to end before it pauses."""
        raise AssertionError(why)

    def wait_until_resumed(self) -> None:
        """Return: the run never pauses."""

    def hold_turn(self) -> bool:
        """Return False: the run never pauses."""
        return False

    def pop_resume_request(self) -> bool:
        """Return False: there are no buttons."""
        return False


class Scripted(Unattended):
    """An operator with the abilities for which it is given a function.

    Args:
        ask: Answers questions.
        hold: Called with an obstacle; its return resumes the run.
        stopped: Ends the run.
        report: Receives the reason for waiting.
    """

    def __init__(
        self,
        ask: Callable[..., Any] | None = None,
        hold: Callable[[Any], object] | None = None,
        stopped: Stop | None = None,
        report: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(stopped, report)
        self._ask, self._hold = ask, hold
        self.can_answer, self.can_resume = ask is not None, hold is not None

    def ask(self, question: Any, around: Any = None, /) -> Any:
        """Answer."""
        assert self._ask is not None, question
        return self._ask(question, around)

    def pause(self, why: str | Exception, /) -> None:
        """Handle an obstacle."""
        assert self._hold is not None, why
        self._hold(why)
