"""Operators whose answers are functions of a test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.loop import Stop
from gui.runner.protocol import Unattended


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
