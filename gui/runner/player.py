"""The player of a run: it owns the generator of turns, and with it the reader and the mouse.

It is driven by a thread of its own and obeys its user's orders, which come in another one. Shared
state is one value (`gui.runner.states`) behind one condition, beside the stop event, the answer to
a question and the settings.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bot.analysis import Cancelled
from bot.loop import Stop, Stopped, Turn
from bot.solver.warmup import IN_WORDS, PREPARATION
from gui.failures import Failure, failure_of
from gui.questions import LeftOpen
from gui.runner.protocol import (
    Asked,
    Begin,
    Change,
    Ended,
    Held,
    Interim,
    Order,
    RunEvent,
    State,
    Status,
)
from gui.runner.states import Activity, Event, PausesItself, WaitsFor, after
from gui.settings import AfterGame, Settings
from vision.tracking.tracked_board import WindowClosed

if TYPE_CHECKING:
    # The panel's start must not load the reader's learning modules.
    from gui.questions import Around, ProgramAnswer, ProgramQuestion
    from gui.runner.backend import Desktop
    from vision.learning.questions import Question

_log = logging.getLogger(__name__)


def _pauses_before(settings: Settings, turn: Turn) -> bool:
    """Return whether the user wants a pause before this turn, as a game has ended."""
    status = turn.reading.status
    # The first turn does not count: that game was already over.
    ended = status.over and turn.number > 0 and bool(turn.moves)
    return ended and settings.after_game(status) is AfterGame.PAUSE


class Player:
    """A run: it advances a generator of turns, and is its `gui.runner.protocol.Operator`.

    Args:
        backend: Plays.
        begin: The run to begin.
        put: Called with each turn before it is carried out, and each event; an obstacle and a
            question come before the status that they lead to. It is called in the thread in which
            that happens, and must not wait.
    """

    def __init__(
        self, backend: Desktop, begin: Begin, put: Callable[[RunEvent | Turn], object]
    ) -> None:
        self._backend, self._begin, self._put = backend, begin, put
        self._settings = begin.settings
        self._gate = threading.Condition()
        self.stopped = Stop()
        """The stop event with its reason."""
        self.stopped.call_when_set(self._wake)
        user = begin.user
        self.can_answer, self.can_resume = user.can_answer, user.can_resume
        self.can_override = user.can_override
        self._status = Status(turns_left=0 if begin.paused else None)
        self._acknowledged = 0
        self._reporting = threading.RLock()
        self._answer: int | ProgramAnswer | None = None
        self._thread = threading.Thread(target=self.run, name="player", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def end(self) -> None:
        """Stop, and wait until everything is closed."""
        self.stop()
        self._thread.join()

    def take(self, message: Order | Change) -> None:
        """Carry out an order; the settings of game and mines stay fixed."""
        if isinstance(message, Change):
            fixed = {"digging": self._settings.digging, "mines": self._settings.mines}
            with self._gate:
                self._settings = message.settings.model_copy(update=fixed)
                self._gate.notify_all()
            return
        # A state from before the order must not count as one that includes it.
        with self._reporting:
            self._acknowledged = message.number
            if message.event is Event.STOP:
                self.stop(message.argument)
            elif message.event is Event.ANSWER:
                self.answer(message.argument)
            else:
                self._change(message.event)
            self.report_status()

    def report_status(self) -> None:
        """Send the state, which depends on the compiler too."""
        with self._reporting:
            status = self.status
            waiting = status.waiting or (IN_WORDS if PREPARATION.compiling else "")
            self._put(replace(status, acknowledged=self._acknowledged, waiting=waiting))

    @property
    def status(self) -> Status:
        """The current state."""
        status = self._status
        return after(status, Event.STOP) if self.stopped.is_set() else status

    def _change(self, event: Event | Activity | WaitsFor | PausesItself) -> Status:
        """Change the state and wake all that wait for it; return the one before."""
        with self._gate:
            before, self._status = self._status, after(self._status, event)
            now = self._status
            if now == before:
                # As at most looks, which only ask whether the user has resumed.
                return before
            self._gate.notify_all()
        if (now.activity, now.state) != (before.activity, before.state):
            what = event.name if isinstance(event, Event) else now.why
            _log.info("Now %s, %s%s", now.activity.value, now.state.value, what and f": {what}")
        if now.waiting != before.waiting:
            # It may contain the title of a window.
            _log.debug("Waiting: %s", now.waiting)
        return before

    @property
    def allowed(self) -> bool:
        """Whether a turn that was begun may still be carried out."""
        return self._status.allowed

    @property
    def hurried(self) -> bool:
        """Whether the user paused, or wants the move now, since the last turn began."""
        return self._status.hurried

    def pop_resume_request(self) -> bool:
        """Return whether the user has pressed Resume or Step, or answered, since the last call."""
        return self._change(Event.READ).resumed

    def report(self, waiting: str, /) -> None:
        """Set the reason for waiting, empty for none; called in the player's thread."""
        self._change(WaitsFor(waiting))
        self.report_status()

    @contextmanager
    def doing(self, activity: Activity, /) -> Iterator[None]:
        """Do this in the block, and then again what was done before."""
        before = self._change(activity).activity
        try:
            yield
        finally:
            self._change(before)

    def show_interim(self, turn: Turn, /) -> None:
        """Show the state of a long decision."""
        self._put(Interim(turn))

    def pause(self, why: str | Exception = "", /) -> None:
        """Make no further moves until the user resumes; without a reason, the user pauses it."""
        if isinstance(why, Exception):
            failure = failure_of(self._backend.failure, why)
            self._change(Event.OBSTACLE)
            self._put(Held(failure))
        elif not why:
            self._change(Event.PAUSE)
        else:
            before = self._change(PausesItself(why))
            if before.paused or before.asking:
                return
        self.report_status()

    def pause_or_resume(self) -> None:
        """Pause, or resume if paused; without effect at a question and after a stop."""
        state = self.status.state
        if state is State.PAUSED:
            self._change(Event.RESUME)
            self.report_status()
        elif state is State.PLAYING:
            self.pause()

    def wait_until_resumed(self) -> None:
        """Wait until the user resumes after a pause with a reason; raise `Stopped` at a stop."""
        # After a resume and another pause at once, it still waits.
        with self._gate:
            self._wait_while(lambda: self._status.waits_for_user)
            self._change(Event.NOTICE)
        self.report_status()

    def hold_turn(self) -> bool:
        """Wait within a turn while the user has paused; return whether they had.

        Resume goes on with the turn, and so does Step. Raises `Stopped` at a stop.
        """
        with self._gate:
            if self._status.allowed:
                return False
            self._change(Event.HOLD)
        self.wait_until_resumed()
        return True

    def ask(
        self, question: Question | ProgramQuestion, around: Around | None = None, /
    ) -> int | ProgramAnswer | None:
        """Wait until the user answers a question.

        Raises:
            Stopped: The user stopped instead.
        """
        self._change(Event.ASK)
        self._put(Asked(question, around))
        self.report_status()
        try:
            self._wait_while(lambda: self._status.asking)
        finally:
            self._change(Event.ANSWER)
        self.report_status()
        return self._answer

    def answer(self, answer: int | ProgramAnswer | None) -> None:
        """Answer the question, as `ask` returns it; ignored if there is none."""
        with self._gate:
            if self._status.asking:
                self._answer = answer
                self._change(Event.ANSWER)

    def stop(self, reason: str = "") -> None:
        """End as soon as possible without further clicks; callable from any thread, also later."""
        self.stopped.stop(reason)

    def _wait_while(self, holds: Callable[[], bool]) -> None:
        """Wait for another state; raise `Stopped` at a stop."""
        with self._gate:
            while holds() and not self.stopped.is_set():
                self._gate.wait()
        if self.stopped.is_set():
            raise Stopped

    def _wake(self) -> None:
        """End all waiting after the stop event was set."""
        with self._gate:
            self._gate.notify_all()

    def run(self) -> None:
        """Play to the end, which is the last event."""
        failure: Failure | None = None
        # Its name alone: its words may contain the title of a window.
        ended = ""
        try:
            self._drive()
        except (Stopped, Cancelled):
            pass
        except (WindowClosed, LeftOpen) as error:
            # The user ended the game, which is no error; for a script it is one.
            ended = type(error).__name__
            if self.can_resume:
                self.stopped.stop(str(error), failed=isinstance(error, WindowClosed))
            else:
                failure = failure_of(self._backend.failure, error)
        except Exception as error:  # noqa: BLE001 - the one place where a failure is reported
            ended = type(error).__name__
            failure = failure_of(self._backend.failure, error)
        _log.info("The run has ended: %s", ended or self.stopped.reason or "by itself")
        self._put(Ended(self.stopped.reason, self.stopped.failed, failure))

    def _drive(self) -> None:
        """Advance the generator as pause, step and stop allow; close it in this thread."""
        watched = self._begin.watch
        play = self._backend.assist if watched else self._backend.play
        turns: Any = play(self._begin.board, lambda: self._settings, self)
        try:
            if self.stopped.is_set():
                return
            self.report_status()
            clicked = time.perf_counter()
            for turn in turns:
                if self._change(Event.SHOW).waiting:
                    self.report_status()
                self._put(turn)
                if not watched and _pauses_before(self._settings, turn):
                    self._change(Event.REST)
                # In a watched game nothing waits and nothing is clicked.
                if turn.moves and not watched:
                    self._keep_pace(clicked)
                if not self._may_go_on():
                    break
                clicked = time.perf_counter()
        finally:
            turns.close()

    def _keep_pace(self, clicked: float) -> None:
        """Wait until the next click is due, or a pause, a step or a stop.

        With a pace each turn is one click (`gui.runner.decisions.planning`).
        """
        with self._gate:
            while not self._status.paused and not self.stopped.is_set():
                pace = self._settings.pace
                left = clicked + 1 / pace - time.perf_counter() if pace else 0.0
                if left <= 0:
                    return
                self._gate.wait(left)

    def _may_go_on(self) -> bool:
        """Wait until the shown turn may be carried out; return False if it never may."""
        if self._status.turns_left == 0 and not self.stopped.is_set():
            self.report_status()
        with self._gate, suppress(Stopped):
            self._wait_while(lambda: self._status.turns_left == 0)
            self._change(Event.BEGIN)
            return True
        return False
