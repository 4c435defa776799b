"""The thread that plays: it owns the generator of turns, and with it the eye and the hand.

Nothing is shared but the stop event, the number of turns that may still be carried out, the
question that waits for its answer (all behind one condition) and the signals; turns and
questions are immutable values.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from PyQt6.QtCore import QObject, QThread, pyqtSignal

from bot.analysis import Cancelled
from bot.loop import Stop, Stopped, Turn
from gui.failures import Failure, told
from gui.pace import Pace
from gui.protocol import Ask

if TYPE_CHECKING:
    # The panel's start loads none of the eye's learning.
    from gui.questions import Around, ProgramAnswer, ProgramQuestion
    from vision.learning.learner import Question

UNLIMITED: Final = None
"""How many turns may still be carried out where nobody paused."""


class State(Enum):
    """What the player is doing."""

    IDLE = "idle"
    PLAYING = "playing"
    PAUSED = "paused"
    ASKING = "asking"
    """It waits for the user's answer to a question."""
    STOPPING = "stopping"


class Player(QThread):
    """Drives a generator of turns.

    Args:
        turns: Makes the generator; told what stops it, and who answers a question.
        failure: Puts an error into words.
        rests: Whether to pause before a turn by itself.

    Signals:
        turn_played(Turn): About to be carried out.
        asked(Question | ProgramQuestion, Around | None): It waits for `answer`, and does nothing
            else.
        state_changed(State): The player began, paused, went on, is stopping.
        held(Failure): It paused by itself: something is in the way.
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
        turns: Callable[[Stop, Ask], Iterator[Turn]],
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
        """What stops it, and why."""
        self._allowed: int | None = UNLIMITED
        self._stepping = False
        """A step is under way, and nobody paused since."""
        self._called = False
        """Whether Resume or Step was pressed since `pop_resume_request` was called last."""
        self._why = self.waiting = ""
        self._asking = False
        self._answer: int | ProgramAnswer | None = None
        self._pace: float | None = None

    @property
    def state(self) -> State:
        """What was asked of it last: a signal from the thread may come too late to be true."""
        with self._gate:
            if self.stopped.is_set():
                return State.STOPPING
            if self._asking:
                return State.ASKING
            return State.PLAYING if self._allowed is UNLIMITED else State.PAUSED

    @property
    def why(self) -> str:
        """Why it is paused, where that was not the user's wish; else empty."""
        with self._gate:
            return self._why

    @property
    def allowed(self) -> bool:
        """Whether a turn that was begun may still be carried out: nobody paused since."""
        with self._gate:
            return self._allowed is UNLIMITED or self._stepping

    def pop_resume_request(self) -> bool:
        """Return whether the user has pressed Resume or Step since this was asked last."""
        with self._gate:
            called, self._called = self._called, False
            return called

    def waits(self, why: str) -> None:
        """Be told what is waited for (`waiting`), empty for nothing; in the player's thread."""
        self.waiting = why
        self.state_changed.emit(self.state)

    def pause(self, why: str = "") -> None:
        """No further move until `resume` or `step`; from any thread.

        With words it pauses by itself: nothing is done where it waits for the user, or steps.
        """
        with self._gate:
            if why and (self._asking or self._allowed is not UNLIMITED):
                return
            self._allowed, self._why, self._stepping = 0, why, False
            self._gate.notify_all()
        self.state_changed.emit(State.PAUSED)

    def resume(self) -> None:
        """Go on; from any thread."""
        with self._gate:
            self._allowed, self._why, self._called = UNLIMITED, "", True
            self._gate.notify_all()
        self.state_changed.emit(State.PLAYING)

    def wait_until_resumed(self) -> None:
        """Wait until the user goes on, where it paused by itself; `Stopped` if he stops instead."""
        with self._gate:
            while self._why and not self.stopped.is_set():
                self._gate.wait()
            if self.stopped.is_set():
                raise Stopped

    def step(self) -> None:
        """Carry out one turn, show the next one and pause before it."""
        with self._gate:
            self._allowed, self._why, self._called = (self._allowed or 0) + 1, "", True
            self._gate.notify_all()

    def answer(self, answer: int | ProgramAnswer | None) -> None:
        """Answer what was asked; ignored if nothing is asked.

        Args:
            answer: A tile code, or what is done; None leaves the question open.
        """
        with self._gate:
            if self._asking:
                self._asking, self._answer = False, answer
                self._gate.notify_all()

    def stop(self, reason: str = "") -> None:
        """End as soon as can be; nothing more is clicked.

        Args:
            reason: What stops it, in a sentence.
        """
        self.halt(reason)
        self.state_changed.emit(State.STOPPING)

    def halt(self, reason: str = "") -> None:
        """Stop, from any thread and even when the player has ended: no signal is sent."""
        self.stopped.stop(reason)

    def _wake(self) -> None:
        """End all waiting: the stop event is set."""
        with self._gate:
            self._gate.notify_all()

    def hold(self, why: Failure) -> None:
        """Pause by itself until the user goes on; called in the player's thread.

        Args:
            why: What is in the way, with its picture.

        Raises:
            Stopped: The user stopped instead.
        """
        self._allow(0)
        self.held.emit(why)
        if not self._may_go_on():
            raise Stopped
        self.state_changed.emit(self.state)

    def set_pace(self, pace: float | None) -> None:
        """At most so many clicks a second, at once; None for no limit.

        A turn is then one click (`gui.brain.planning`).
        """
        with self._gate:
            self._pace = pace
            self._gate.notify_all()

    def run(self) -> None:
        """The thread's body."""
        try:
            self.drive()
        except (Stopped, Cancelled):
            return
        except Exception as error:  # noqa: BLE001 - the one place where a failure is told
            self.failed.emit(told(self._failure, error))

    def drive(self) -> None:
        """Advance the generator as pause, step and stop allow; close it in this thread."""
        turns: Any = self._turns(self.stopped, self._ask)
        try:
            if self.stopped.is_set():
                return
            self.state_changed.emit(State.PLAYING)
            pace = Pace()
            for turn in turns:
                if self.waiting:
                    self.waits("")
                self.turn_played.emit(turn)
                if self._rests(turn):
                    self._allow(0)
                if turn.moves:
                    self._keep(pace)
                if not self._may_go_on():
                    break
                pace.click()
        finally:
            turns.close()

    def _keep(self, pace: Pace) -> None:
        """Wait until the next click is due; a pause, a step and a stop do not wait with it."""
        with self._gate:
            while self._allowed is UNLIMITED and not self.stopped.is_set():
                left = pace.left(self._pace)
                if not left:
                    return
                self._gate.wait(left)

    def _allow(self, turns: int | None) -> None:
        with self._gate:
            self._allowed = turns
            self._gate.notify_all()

    def _ask(
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

    def _may_go_on(self) -> bool:
        """Wait until the turn just shown may be carried out; False for never."""
        with self._gate:
            if self._allowed == 0 and not self.stopped.is_set():
                self.state_changed.emit(State.PAUSED)
            while self._allowed == 0 and not self.stopped.is_set():
                self._gate.wait()
            self._stepping = self._allowed is not UNLIMITED
            if self._allowed is not UNLIMITED:
                self._allowed -= 1
            return not self.stopped.is_set()
