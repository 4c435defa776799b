"""The end of a panel or a terminal: start the process that plays, send requests, take events."""

from __future__ import annotations

import itertools
import logging
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from multiprocessing import get_context
from multiprocessing.connection import Pipe
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bot.frame import Frame
from bot.loop import Stopped, Turn
from bot.processes import interrupts_blocked
from gui.failures import Failure, ReportedFailure, describe
from gui.interrupt import how_ended
from gui.runner import process, states, timeouts
from gui.runner.protocol import (
    Begin,
    Call,
    Cancel,
    Candidate,
    Ended,
    Event,
    Found,
    HoldKey,
    KeyPressed,
    KeyRefused,
    Line,
    Message,
    Order,
    Returned,
    RunEvent,
)
from gui.settings import KeyName
from vision.desktop import Feature, desktop

if TYPE_CHECKING:
    from vision.desktop import Window

_log = logging.getLogger(__name__)
_CLOSING: Final = "the program is being closed"
_HUNG: Final = (
    "the process that plays did not stop in time and was ended by force. What was played so far is "
    "kept"
)
_NO_PICTURE: Final = np.zeros((0, 0, 3), np.uint8)


class PlayerClient(ABC):
    """The interface of a panel or a terminal to a process that plays; the first request starts it.

    After the process has ended, the next request starts another one. A method that returns a result
    waits for it: it is called from a worker thread, and raises `ReportedFailure`.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._connection: Line | None = None
        self._reader: threading.Thread | None = None
        self._numbers = itertools.count()
        self._calls: dict[int, Future[Any]] = {}
        self._heard: Callable[[Event], object] = lambda _event: None
        self._run_heard: Callable[[RunEvent], None] | None = None
        self._closed = False
        self._late: threading.Timer | None = None
        """Ends the process if its run does not stop in time."""
        self._hung = False
        self._heard_keys: set[KeyName] = set()
        self._permitted_key = False
        self._leaving = threading.Event()

    @abstractmethod
    def _connect(self) -> Line:
        """Start the process and return its connection."""

    @abstractmethod
    def _lost(self) -> str:
        """Return why the process has ended, in a sentence."""

    @abstractmethod
    def _kill(self) -> None:
        """End the process at once."""

    @cached_property
    def hears_keys(self) -> bool:
        """Whether a key can be heard here while another window has the focus."""
        return Feature.GLOBAL_KEYS not in desktop().lacks

    @property
    def hears_stop_key(self) -> bool:
        """The same for the stop key, which a permission of the desktop may allow."""
        return self.hears_keys or self._permitted_key

    def boards(self, *, thorough: bool = False, every: bool = False) -> Found:
        """Return the boards on the screen, with `thorough` in unlikely windows too.

        With `every`, the windows in which no board is recognised are listed, too.

        The first search asks for access to the screen if needed. After a refusal only a thorough
        one asks again.
        """
        self.call("request_access", thorough, stop=self._leaving)
        found: Found = self.call("boards", thorough, every)
        self._permitted_key = found.stop_key
        return found

    def leave(self) -> None:
        """End all waiting of `boards` for the user."""
        self._leaving.set()

    def analyse(self, candidate: Candidate, solver_name: str, *, fresh: bool) -> Turn | None:
        """Return a board as it looks now, analysed; None if unchanged or unreadable."""
        turn: Turn | None = self.call("analyse", _light(candidate), solver_name, fresh)
        return turn

    def release_windows(self) -> None:
        """Undo what `boards` and `analyse` do to windows; without a process nothing was done."""
        if self._connection is not None:
            self.call("release_windows")

    def snapshot(self, candidate: Candidate) -> tuple[Frame, Window | None]:
        """Return the window of a board with its current picture."""
        seen: tuple[Frame, Window | None] = self.call("snapshot", _light(candidate))
        return seen

    def open_simulator(self, *options: str, stop: threading.Event | None = None) -> int:
        """Open a built-in game and return the id of its window; raises as `call`."""
        window: int = self.call("open_simulator", *options, stop=stop)
        return window

    def candidate(
        self, window: str | int | None, mines: int | None, stop: threading.Event
    ) -> Candidate:
        """Return the board of a window, waiting until it is visible; raises as `call`."""
        board: Candidate = self.call("candidate", window, mines, stop=stop)
        return board

    def call(
        self,
        method: str,
        *arguments: object,
        stop: threading.Event | None = None,
        ended: Callable[[], str] = str,
    ) -> Any:
        """Call a method of the backend and wait for its result.

        Args:
            method: Its name.
            arguments: Its arguments; one of `gui.runner.process.STOPPABLE` gets an event as well.
            stop: Ends the waiting.
            ended: Returns why the call can have no result any more; empty while it may.

        Raises:
            ReportedFailure: It failed, or the process has ended.
            Stopped: `stop` was set.
        """
        future: Future[Any] = Future()
        with self._lock:
            number = next(self._numbers)
            self._calls[number] = future
            self._send(Call(number, method, arguments))
        try:
            while True:
                with suppress(TimeoutError):
                    return future.result(None if stop is None else timeouts.STOP_PASSED)
                if stop is not None and stop.is_set():
                    raise Stopped
                if why := ended():
                    raise ReportedFailure(Failure(why))
        finally:
            with self._lock:
                if self._calls.pop(number, None) is not None:
                    self._send(Cancel(number))

    def hold_key(self, name: KeyName, key: str, *, keep: bool = True) -> None:
        """Register a global key, which replaces the previous one of that name.

        Args:
            name: What the key does.
            key: The key; empty for none.
            keep: Whether to keep it for this program; else only check whether it is available.
        """
        with self._lock:
            if key or self._connection is not None:
                # If the process cannot start, `begin` reports that.
                with suppress(OSError, ReportedFailure):
                    self._send(HoldKey(name, key, keep))
                    if key and keep:
                        self._heard_keys.add(name)
                    else:
                        self._heard_keys.discard(name)

    def pass_key(self, pressed: KeyPressed) -> None:
        """Send the run a key that another process has detected."""
        with self._lock:
            if self._run_heard is not None:
                self._send(pressed)

    def listen(self, heard: Callable[[Event], object]) -> None:
        """Pass on the events that belong to no run; `heard` is called in another thread."""
        self._heard = heard

    def begin(self, begin: Begin, heard: Callable[[RunEvent], None]) -> Callable[[Message], None]:
        """Begin a run; one that cannot begin ends at once.

        Args:
            begin: The run to begin.
            heard: Receives the run's events in any thread; the last one is `Ended`.

        Returns:
            A function that sends messages to the run, without effect after its end. The process
            is ended if its run does not stop in time.
        """
        with self._lock:
            self._run_heard = heard
            try:
                self._send(replace(begin, board=_light(begin.board)))
            except (OSError, ReportedFailure) as error:
                self._run_heard = None
                heard(Ended(failure=describe(error, None)))

        def send(message: Message) -> None:
            with self._lock:
                if self._run_heard is not heard:
                    return
                self._send(message)
                if (
                    isinstance(message, Order)
                    and message.event is states.Event.STOP
                    and self._late is None
                ):
                    self._late = threading.Timer(timeouts.RUN_ENDS, self._end_hung, (heard,))
                    self._late.daemon = True
                    self._late.start()

        return send

    def _end_hung(self, heard: Callable[[RunEvent], None]) -> None:
        """End the process because its run, whose events `heard` receives, does not stop."""
        with self._lock:
            self._hung = self._run_heard is heard
        if self._hung:
            _log.error("The run did not stop within %.0f s", timeouts.RUN_ENDS)
            self._kill()

    def _run_ended(self) -> Callable[[RunEvent], None] | None:
        """Note that there is no run any more; return what received its events."""
        heard, self._run_heard = self._run_heard, None
        if self._late is not None:
            self._late.cancel()
            self._late = None
        return heard

    def close(self) -> None:
        """End the process's work, and wait for that. Slow."""
        with self._lock:
            self._closed = True
            if self._connection is not None:
                self._send(None)
        if self._reader is not None:
            self._reader.join(timeouts.PROCESS_ENDED)

    def _send(self, message: Message) -> None:
        with self._lock:
            if self._connection is None:
                if self._closed:
                    raise ReportedFailure(Failure(_CLOSING))
                self._connection = self._connect()
                self._reader = threading.Thread(
                    target=self._read, args=(self._connection,), name="player's events", daemon=True
                )
                self._reader.start()
            # If the process has ended, the thread that reads reports it.
            with suppress(OSError):
                self._connection.send(message)

    def _read(self, connection: Line) -> None:
        """Receive events until the process has ended."""
        try:
            with suppress(EOFError, OSError):
                while True:
                    self._take(connection.recv())
        except Exception:  # noqa: BLE001 - whatever it is: closing the connection ends the run
            _log.exception("an event of the process that plays could not be received")
        with self._lock:
            connection.close()
        why = "" if self._closed else _HUNG if self._hung else self._lost()
        with self._lock:
            self._connection, self._hung = None, False
            calls, self._calls = self._calls, {}
            heard = self._run_ended()
            heard_keys, self._heard_keys = self._heard_keys, set()
        for future in calls.values():
            future.set_exception(ReportedFailure(Failure(why or _CLOSING)))
        if heard is not None:
            heard(Ended(failure=Failure(why) if why else None))
        elif why:
            # A game on a private screen continues.
            for name in heard_keys:
                self._heard(KeyRefused(name, f"The {name} has no effect any more."))

    def _take(self, event: Event) -> None:
        with self._lock:
            heard = self._run_ended() if isinstance(event, Ended) else self._run_heard
            if isinstance(event, Ended) and self._hung:
                # It ended at the last moment, and its process is ended all the same.
                event = replace(event, failure=Failure(_HUNG))
            future = self._calls.pop(event.number, None) if isinstance(event, Returned) else None
        if isinstance(event, Returned):
            if future is not None and event.failure is not None:
                future.set_exception(ReportedFailure(event.failure))
            elif future is not None:
                future.set_result(event.value)
        elif not isinstance(event, RunEvent):
            self._heard(event)
        elif heard is not None:
            heard(event)


class DesktopPlayer(PlayerClient):
    """The process that plays on the desktop of this one.

    Args:
        environment: Of the built-in games that it opens; by default this process's own.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self._environment = environment
        self.process: BaseProcess | None = None
        """The process, once it was started."""

    def close(self) -> None:
        """End the process and its built-in games, and wait for that."""
        super().close()
        if self.process is not None:
            self.process.join(timeouts.PROCESS_ENDED)
            self.process.kill()

    def _connect(self) -> Line:
        near, far = Pipe()
        with far:
            started = get_context("spawn").Process(
                target=process.main,
                args=(far, os.getcwd(), self._environment),  # noqa: PTH109 - a string is needed
                name="player",
                daemon=True,
            )
            with interrupts_blocked():
                started.start()
        self.process = started
        return near

    def _kill(self) -> None:
        assert self.process is not None  # noqa: S101 - it was connected
        self.process.kill()

    def _lost(self) -> str:
        assert self.process is not None  # noqa: S101 - it was connected
        self.process.join(timeouts.PROCESS_ENDED)
        return (
            f"the process that plays ended unexpectedly ({how_ended(self.process.exitcode or 0)}). "
            "What was played so far is kept; start it again"
        )


def _light(board: Candidate | str | int | None) -> Candidate | str | int | None:
    """Return a board without its picture: a small message is sent without waiting."""
    return replace(board, thumbnail=_NO_PICTURE) if isinstance(board, Candidate) else board
