"""The thread that plays: it owns the generator of turns, and with it the reader and the mouse.

Shared state is limited to the stop event, the number of turns that may still be carried out, the
question that waits for its answer (all behind one condition) and the signals. Turns and questions
are immutable values.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from PyQt6.QtCore import QObject, QThread, pyqtSignal

from bot.analysis import Cancelled
from bot.loop import Stop, Stopped, Turn
from gui.failures import Failure, failure_of
from gui.runner.protocol import Operator
from gui.settings import AfterGame, Settings

if TYPE_CHECKING:
    # The panel's start must not load the reader's learning modules.
    from gui.questions import Around, ProgramAnswer, ProgramQuestion
    from vision.learning.questions import Question

UNLIMITED: Final = None
"""The number of allowed turns without a pause."""


class State(Enum):
    """The states of the player."""

    IDLE = "idle"
    PLAYING = "playing"
    PAUSED = "paused"
    ASKING = "asking"
    """It waits for the user's answer to a question."""
    STOPPING = "stopping"


def pauses_before(settings: Settings, turn: Turn) -> bool:
    """Return whether the user wants a pause before this turn, as a game has ended."""
    status = turn.reading.status
    # The first turn does not count: that game was already over.
    ended = status.over and turn.number > 0 and bool(turn.moves)
    return ended and settings.after_game(status) is AfterGame.PAUSE


class Player(QThread):
    """A thread that advances a generator of turns.

    It is the `gui.runner.protocol.Operator` of its run.

    Args:
        turns: Creates the generator, given this operator.
        failure: Converts an error to a failure.
        rests: Whether to pause before a turn by itself.

    Signals:
        turn_played(Turn): A turn that is about to be carried out.
        asked(Question | ProgramQuestion, Around | None): It waits for `answer`, and does nothing
            else.
        state_changed(State): The player began, paused, resumed, or is stopping.
        held(Failure): It paused by itself because of an obstacle.
        failed(Failure): An error ended it.
        finished(): Inherited: the thread ended, for whatever reason.
    """

    turn_played = pyqtSignal(object)
    asked = pyqtSignal(object, object)
    state_changed = pyqtSignal(object)
    held = pyqtSignal(object)
    failed = pyqtSignal(object)

    def __init__(
        self,
        turns: Callable[[Operator], Iterator[Turn]],
        failure: Callable[[BaseException], Failure],
        parent: QObject | None = None,
        rests: Callable[[Turn], bool] = lambda _turn: False,
    ) -> None:
        super().__init__(parent)
        self._turns = turns
        self._failure = failure
        self._rests = rests
        self._gate = threading.Condition()
        self.stopped = Stop(self._wake)
        """The stop event with its reason."""
        self.can_answer = self.can_resume = self.can_override = True
        self._allowed: int | None = UNLIMITED
        self._stepping = False
        """A step is in progress, without a pause since."""
        self._called = False
        """Whether Resume or Step was pressed since `pop_resume_request` was last called."""
        self._why = self.waiting = ""
        self._obstructed = False
        """Whether it paused because of an obstacle."""
        self._asking = False
        self._answer: int | ProgramAnswer | None = None
        self._pace: float | None = None

    @property
    def state(self) -> State:
        """The requested state; a signal from the thread may be outdated."""
        with self._gate:
            if self.stopped.is_set():
                return State.STOPPING
            if self._asking:
                return State.ASKING
            return State.PLAYING if self._allowed is UNLIMITED else State.PAUSED

    @property
    def why(self) -> str:
        """Why it paused by itself; else empty."""
        with self._gate:
            return self._why

    @property
    def allowed(self) -> bool:
        """Whether a turn that was begun may still be carried out."""
        with self._gate:
            return self._allowed is UNLIMITED or self._stepping

    def pop_resume_request(self) -> bool:
        """Return whether the user has pressed Resume or Step since the last call."""
        with self._gate:
            called, self._called = self._called, False
            return called

    def report(self, waiting: str, /) -> None:
        """Set what is waited for, empty for nothing; called in the player's thread."""
        self.waiting = waiting
        self.state_changed.emit(self.state)

    def pause(self, why: str | Failure = "", /) -> None:
        """Make no further moves until `resume` or `step`; callable from any thread.

        Args:
            why: An obstacle, with its picture; or a reason, which has no effect while it waits for
                the user or steps; empty if the user pauses it.
        """
        with self._gate:
            if isinstance(why, Failure):
                self._obstructed = True
            elif why and (self._asking or self._allowed is not UNLIMITED):
                return
            else:
                self._why = why
            self._allowed, self._stepping = 0, False
            self._gate.notify_all()
        if isinstance(why, Failure):
            self.held.emit(why)
        self.state_changed.emit(State.PAUSED)

    def resume(self) -> None:
        """Resume; callable from any thread."""
        with self._gate:
            self._allowed, self._called = UNLIMITED, True
            self._why, self._obstructed = "", False
            self._gate.notify_all()
        self.state_changed.emit(State.PLAYING)

    def wait_until_resumed(self) -> None:
        """Wait until the user resumes after a pause with a reason; raise `Stopped` at a stop."""
        with self._gate:
            obstructed = self._obstructed
            # Resumed and paused again at once, it still waits.
            while (
                self._why or self._obstructed or (obstructed and self._allowed == 0)
            ) and not self.stopped.is_set():
                self._gate.wait()
            if self.stopped.is_set():
                raise Stopped
            if obstructed and self._allowed is not UNLIMITED:
                # This step was for the rest of the turn under way.
                self._allowed, self._stepping = self._allowed - 1, True
        self.state_changed.emit(self.state)

    def step(self) -> None:
        """Carry out one turn, then pause and show the next one."""
        with self._gate:
            self._allowed, self._called = (self._allowed or 0) + 1, True
            self._why, self._obstructed = "", False
            self._gate.notify_all()

    def ask(
        self, question: Question | ProgramQuestion, around: Around | None = None, /
    ) -> int | ProgramAnswer | None:
        """Wait until the user answers a question.

        Raises:
            Stopped: The user stopped instead.
        """
        with self._gate:
            self._asking = True
        self.asked.emit(question, around)
        self.state_changed.emit(State.ASKING)
        with self._gate:
            while self._asking and not self.stopped.is_set():
                self._gate.wait()
            self._asking = False
            if self.stopped.is_set():
                raise Stopped
            answer = self._answer
        self.state_changed.emit(self.state)
        return answer

    def answer(self, answer: int | ProgramAnswer | None) -> None:
        """Answer the question; ignored if there is none.

        Args:
            answer: A tile code, or an answer about the program; None leaves the question open.
        """
        with self._gate:
            if self._asking:
                self._asking, self._answer = False, answer
                self._gate.notify_all()

    def stop(self, reason: str = "") -> None:
        """End as soon as possible without further clicks.

        Args:
            reason: Why it stops, in a sentence.
        """
        self.halt(reason)
        self.state_changed.emit(State.STOPPING)

    def halt(self, reason: str = "") -> None:
        """Stop without a signal, from any thread and even after the end."""
        self.stopped.stop(reason)

    def _wake(self) -> None:
        """End all waiting after the stop event was set."""
        with self._gate:
            self._gate.notify_all()

    def set_pace(self, pace: float | None) -> None:
        """Limit the clicks per second at once; None for no limit.

        Each turn is then one click (`gui.runner.decisions.planning`).
        """
        with self._gate:
            self._pace = pace
            self._gate.notify_all()

    def run(self) -> None:
        """Run the thread."""
        try:
            self.drive()
        except (Stopped, Cancelled):
            return
        except Exception as error:  # noqa: BLE001 - the one place where a failure is reported
            self.failed.emit(failure_of(self._failure, error))

    def drive(self) -> None:
        """Advance the generator as pause, step and stop allow; close it in this thread."""
        turns: Any = self._turns(self)
        try:
            if self.stopped.is_set():
                return
            self.state_changed.emit(State.PLAYING)
            clicked = time.monotonic()
            for turn in turns:
                if self.waiting:
                    self.report("")
                self.turn_played.emit(turn)
                if self._rests(turn):
                    self._allow(0)
                if turn.moves:
                    self._keep_pace(clicked)
                if not self._may_go_on():
                    break
                clicked = time.monotonic()
        finally:
            turns.close()

    def _keep_pace(self, clicked: float) -> None:
        """Wait until the next click is due, or a pause, a step or a stop."""
        with self._gate:
            while self._allowed is UNLIMITED and not self.stopped.is_set():
                left = clicked + 1 / self._pace - time.monotonic() if self._pace else 0.0
                if left <= 0:
                    return
                self._gate.wait(left)

    def _allow(self, turns: int | None) -> None:
        with self._gate:
            self._allowed = turns
            self._gate.notify_all()

    def _may_go_on(self) -> bool:
        """Wait until the shown turn may be carried out; return False if it never may."""
        with self._gate:
            if self._allowed == 0 and not self.stopped.is_set():
                self.state_changed.emit(State.PAUSED)
            while self._allowed == 0 and not self.stopped.is_set():
                self._gate.wait()
            self._stepping = self._allowed is not UNLIMITED
            if self._allowed is not UNLIMITED:
                self._allowed -= 1
            return not self.stopped.is_set()
