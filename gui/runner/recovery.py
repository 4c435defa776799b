"""Recovery of a run from obstacles: wait, report and pause, ask, or end the run.

`RULES` is the table of answers: how each condition is handled. `timeouts` has the limits of
waiting. `Games.find_obstacle` detects the conditions. The guarantees are in `bot/FAULTS.md`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from bot.frame import Status
from bot.waiting import POLL, SILENT, BoardNotSettled, Waits
from gui.runner import timeouts
from gui.runner.startup import WrongLevel
from gui.runner.states import Activity
from vision.click_guard import NotAnswering
from vision.counters.mines import MinesUnknown
from vision.finder import BoardNotFound
from vision.focus import NotInFront, StrangeDialog
from vision.tracking.pagedialog import PageDialog
from vision.tracking.targets import SeveralBoards
from vision.tracking.tracked_board import PageLeft, WindowClosed

if TYPE_CHECKING:
    from gui.runner.runner import Games

_log = logging.getLogger(__name__)


class Then(Enum):
    """The action for a condition that does not pass."""

    PAUSE = "report it, and pause until the user resumes; without a user, end the run"
    ASK = "ask the user"
    END = "end the run"


@dataclass(frozen=True)
class Rule:
    """A row of the table of conditions."""

    types: tuple[type[Exception], ...]
    attended: float
    """Seconds that the condition may last if a user can resume, or answer."""
    unattended: float
    """The same without a user."""
    then: Then
    when: Callable[[Exception], bool] = lambda _error: True
    first: Callable[[Games], bool] = lambda _run: False
    """Done instead of waiting, if it returns True."""


def _clicks_lost(error: Exception) -> bool:
    """Return whether clicks had no effect, even when repeated, and nothing covers the board."""
    if not isinstance(error, BoardNotSettled):
        return False
    return bool(error.missing) and error.reading.status is not Status.BLOCKED


_LONG: Final = timeouts.OBSTACLE_PASSES, timeouts.UNATTENDED
_SHORT: Final = timeouts.USER_NEEDED, timeouts.UNATTENDED

RULES: Final = (
    Rule((WindowClosed,), timeouts.WINDOW_REPLACED, timeouts.WINDOW_RETURNS, Then.END),
    Rule((PageLeft,), timeouts.WINDOW_RETURNS, timeouts.WINDOW_RETURNS, Then.PAUSE),
    # These were waited for before they became a condition.
    Rule((BoardNotSettled,), 0.0, 0.0, Then.PAUSE, _clicks_lost),
    Rule((BoardNotSettled,), 0.0, timeouts.UNATTENDED, Then.PAUSE),
    Rule((MinesUnknown,), *_SHORT, Then.ASK),
    Rule((StrangeDialog,), *_SHORT, Then.PAUSE, first=lambda run: run.leave_dialogs()),
    Rule((PageDialog,), *_LONG, Then.PAUSE, first=lambda run: run.close_box()),
    Rule(
        (BoardNotFound, MinesUnknown, NotAnswering, NotInFront, SeveralBoards, WrongLevel),
        *_LONG,
        Then.PAUSE,
    ),
)
"""The conditions that may pass by themselves or by the user's action. The first rule that applies
counts. Nothing is clicked but a page's box (`first` of `PageDialog`) and dialogs that a known key
or place closes (`Games.check_program`)."""

OBSTACLES: Final[tuple[type[Exception], ...]] = tuple(
    {error for rule in RULES for error in rule.types}
)


class Recovery:
    """A handler of obstacles that waits, asks, or gives up."""

    def __init__(self, run: Games, clock: Callable[[], float] = time.perf_counter) -> None:
        self._run, self._operator, self._clock = run, run.operator, clock
        self._waits = Waits(run.operator.stopped.wait, clock=clock)

    def overcome(self, error: Exception, *, again: bool = False) -> bool:
        """Return when there is no obstacle any more.

        Args:
            error: The obstacle.
            again: Whether the obstacle has returned too often to wait again.

        Returns:
            Whether the last action is obsolete: another window, or the user was asked.

        Raises:
            Exception: The error, or a later one: it does not pass.
            Stopped: The user stopped.
        """
        _log.info("Obstacle: %s", type(error).__name__)
        _log.debug("%s", error)
        error = self._cause_of(error)
        if self._rule(error).first(self._run):
            return True
        with self._operator.doing(Activity.WAITING):
            return self._outlast(error, 0.0 if again else self._patience(error))

    def _cause_of(self, error: Exception) -> Exception:
        """Return the obstacle behind a board that is not stable: a program may hang in drawing."""
        if isinstance(error, BoardNotSettled):
            try:
                self._run.check_program()
            except OBSTACLES as cause:
                return cause
        return error

    def _outlast(self, error: Exception, patience: float) -> bool:
        """Wait as the rules say, until there is no obstacle; return as `overcome` does."""
        asked = False
        while (left := self._outlasting(error, patience)) is not None:
            then = self._rule(left).then
            if then is Then.ASK and isinstance(left, MinesUnknown):
                self._run.ask_mines(left)
            elif then is Then.END or not self._operator.can_resume:
                raise left
            else:
                self._operator.pause(left)
                self._operator.wait_until_resumed()
                self._run.forget_moves()
            asked = True
            met = self._met()
            if met is None:
                break
            # The user resumed too early, or the window is still being drawn.
            error, patience = met, self._patience(met) or timeouts.OBSTACLE_PASSES
        _log.info("The obstacle is gone")
        return asked or isinstance(error, WindowClosed)

    def _rule(self, error: Exception) -> Rule:
        """Return the first rule that applies; skip rules that ask if no user can answer."""
        return next(
            rule
            for rule in RULES
            if isinstance(error, rule.types)
            and rule.when(error)
            and (rule.then is not Then.ASK or self._operator.can_answer)
        )

    def _patience(self, error: Exception) -> float:
        """Return the seconds to wait for a condition; zero if that was done already."""
        rule = self._rule(error)
        attended = rule.then is Then.ASK or self._operator.can_resume
        return rule.attended if attended else rule.unattended

    def _outlasting(self, error: Exception, patience: float) -> Exception | None:
        """Wait, and return the remaining obstacle or None."""
        begin = self._clock()
        reported = False
        if isinstance(error, WindowClosed):
            self._run.await_other_window(error.successor)
        try:
            while (waited := self._clock() - begin) < patience:
                if not reported and (waited > SILENT or isinstance(error, WindowClosed)):
                    reported = True
                    self._operator.report(f"Waiting: {error}")
                met = self._met()
                if met is None:
                    return None
                if isinstance(met, WindowClosed):
                    self._run.await_other_window(met.successor)
                if not isinstance(error, WindowClosed):
                    error = met
                    if isinstance(met, WindowClosed):
                        # The first obstacle was that it closed.
                        patience = min(patience, waited + self._patience(met))
                self._waits.rest(POLL)
            return error
        finally:
            if reported:
                self._operator.report("")

    def _met(self) -> Exception | None:
        """Return the current obstacle; None if there is none now and a moment later."""
        for rest in (timeouts.OBSTACLE_GONE, 0.0):
            try:
                self._run.find_obstacle()
            except OBSTACLES as error:
                return error
            if rest:
                self._waits.rest(rest)
        return None
