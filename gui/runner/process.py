"""The process that plays for a panel or a terminal: it captures, solves, clicks, owns the run.

One belongs to the desktop, another one to each private screen. It carries out the requests that
come over its connection (`gui.runner.protocol`) from its supervisor, the panel or the terminal, and
ends when that is closed: however the supervisor ends, no click follows. A thread of its own sends
the events, so that nothing here waits for the supervisor: turns are sent as often as they can be
shown, with the picture and the explanation of the newest alone.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import inf
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from bot.analysis import Cancelled
from bot.loop import Turn
from bot.processes import ignore_interrupts
from bot.solver.explain import explain
from bot.solver.warmup import PREPARATION
from gui.failures import failure_of
from gui.logfile import start_logging, stop_logging
from gui.runner import timeouts
from gui.runner.player import Player
from gui.runner.protocol import (
    Begin,
    Call,
    Cancel,
    Change,
    Ended,
    Event,
    HoldKey,
    Interim,
    KeyPressed,
    KeyRefused,
    Line,
    Message,
    Order,
    Played,
    Returned,
    State,
    Status,
)
from gui.settings import KeyName

if TYPE_CHECKING:
    from gui.runner.backend import Desktop
    from vision.desktop import GlobalKey

_log = logging.getLogger(__name__)
REPAINTS: Final = 5
"""Messages with graphics per second. Measured: 10 make games on two cores 10 to 15 % longer, 4 make
them 2 to 5 %."""
FIGURES: Final = 2
"""Messages with text per second."""
STOPPABLE: Final = frozenset({"request_access", "candidate", "await_board"})
"""The calls whose last argument is an event that ends their waiting."""
_NO_PICTURE: Final = np.zeros((0, 0, 3), np.uint8)
_RESTS: Final = (State.PAUSED, State.ASKING)
"""The states in which board and text must show the same turn."""


class Outbox:
    """The events on their way to the supervisor, in order."""

    def __init__(self, connection: Line) -> None:
        self._connection = connection
        self._changed = threading.Condition()
        self._waiting: list[Event | Turn] = []
        self._closed = False
        self._newest: Turn | None = None
        """The newest turn, until it was explained."""
        self._sent = self._explained = -inf
        """Times when turns, and an explanation, were sent last (monotonic clock)."""
        self._thread = threading.Thread(target=self._run, name="to the supervisor", daemon=True)
        self._thread.start()

    def put(self, event: Event | Turn) -> None:
        """Send an event soon; turns may be sent together. Without effect once it is closed."""
        with self._changed:
            if self._closed:
                return
            waiting = self._waiting
            if isinstance(event, Turn) and waiting and isinstance(waiting[-1], Turn):
                waiting[-1] = _without_picture(waiting[-1])
            waiting.append(event)
            # Further turns go with the first one, for which the thread waits.
            if len(waiting) == 1 or not isinstance(event, Turn):
                self._changed.notify()

    def close(self) -> None:
        """Take no further events; the remaining ones are still sent."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def join(self) -> None:
        """Wait until all is sent."""
        self._thread.join()

    def _run(self) -> None:
        # Any other error ends the process, which the supervisor reports.
        with suppress(OSError):
            self._send_all()

    def _send_all(self) -> None:
        while (events := self._next()) is not None:
            turns: list[Turn] = []
            for event in events:
                if isinstance(event, Turn):
                    turns.append(event)
                    continue
                ends = isinstance(event, Ended | Interim) or (
                    isinstance(event, Status) and event.state in _RESTS
                )
                self._send_turns(turns, explained=ends)
                turns = []
                self._connection.send(event)
            self._send_turns(turns)

    def _next(self) -> list[Event | Turn] | None:
        """Wait until an event is due, and return the events to send; None at the end."""
        with self._changed:
            while not self._closed:
                if any(not isinstance(event, Turn) for event in self._waiting):
                    break
                due = inf
                if self._waiting:
                    due = self._sent + 1 / REPAINTS
                elif self._newest is not None:
                    # A newer turn that comes before that is explained in its place.
                    due = max(self._explained + 1 / FIGURES, self._sent + 1 / REPAINTS)
                left = due - time.perf_counter()
                if left <= 0:
                    break
                self._changed.wait(None if left == inf else left)
            events, self._waiting = self._waiting, []
            return None if self._closed and not events else events

    def _send_turns(self, turns: list[Turn], *, explained: bool = False) -> None:
        """Send turns, and explain the newest one if that is due."""
        if turns:
            self._newest = turns[-1]
        now, newest = time.perf_counter(), self._newest
        explained = newest is not None and (explained or now >= self._explained + 1 / FIGURES)
        why = None
        if explained and newest is not None:
            self._newest, self._explained = None, now
            try:
                if newest.analysis is not None:
                    why = explain(newest.reading.board, newest.analysis)
            except Exception:  # noqa: BLE001 - it is logged
                # It is only shown: the game continues without it.
                _log.exception("a move could not be explained")
        if turns or explained:
            self._sent = now
            self._connection.send(Played(tuple(turns), explained, why))


def _without_picture(turn: Turn) -> Turn:
    frame = replace(turn.reading.frame, image=_NO_PICTURE)
    return replace(turn, reading=replace(turn.reading, frame=frame))


class PlayerServer:
    """The receiver of requests, which it carries out."""

    def __init__(self, connection: Line, backend: Desktop) -> None:
        self._connection, self._backend = connection, backend
        self._outbox = Outbox(connection)
        # The desktop's connections belong to one thread.
        self._searches = ThreadPoolExecutor(1, "search")
        self._cancelled: dict[int, threading.Event] = {}
        self._keys: dict[KeyName, GlobalKey] = {}
        self._key_texts: dict[KeyName, str] = {}
        self._run: Player | None = None
        self._ending = threading.Event()

    def serve(self, at_end: Callable[[], object] = lambda: None) -> None:
        """Carry out requests until the supervisor asks for the end, or has ended.

        Args:
            at_end: Called before everything is closed, which may take long.
        """
        threading.Thread(target=self._report_preparation, name="preparing", daemon=True).start()
        try:
            with suppress(EOFError, OSError):
                while (message := self._connection.recv()) is not None:
                    self._take(message)
        finally:
            at_end()
            self._close()

    def _close(self) -> None:
        # A run that ends with its process has not finished: the supervisor sees the process's end.
        self._outbox.close()
        self._ending.set()
        for cancelled in list(self._cancelled.values()):
            cancelled.set()
        if self._run is not None:
            self._run.end()
        self._searches.shutdown(cancel_futures=True)
        for key in self._keys.values():
            key.close()
        self._outbox.join()
        self._connection.close()

    def _take(self, message: Message) -> None:
        match message:
            case Call():
                stop = self._cancelled[message.number] = threading.Event()
                self._searches.submit(self._call, message, stop)
            case Cancel():
                self._cancelled.get(message.number, threading.Event()).set()
            case HoldKey():
                self._hold_key(message)
            case KeyPressed():
                self._obey(message)
            case Begin():
                self._run = Player(self._backend, message, self._outbox.put)
                self._run.start()
            case Order() | Change() if self._run is not None:
                self._run.take(message)

    def _call(self, call: Call, stop: threading.Event) -> None:
        arguments = (*call.arguments, *([stop] if call.method in STOPPABLE else []))
        try:
            value = getattr(self._backend, call.method)(*arguments)
        except Exception as error:  # noqa: BLE001 - the supervisor reports it
            self._outbox.put(Returned(call.number, None, failure_of(self._backend.failure, error)))
        else:
            self._outbox.put(Returned(call.number, value))
        del self._cancelled[call.number]

    def _report_preparation(self) -> None:
        with suppress(Cancelled):
            PREPARATION.wait(self._ending, self._report_status)
            self._report_status()

    def _report_status(self) -> None:
        if self._run is not None:
            self._run.report_status()

    # Keys for all windows

    def _hold_key(self, order: HoldKey) -> None:
        name, text = order.name, order.key
        self._key_texts[name] = text
        if text and name not in self._keys:
            opened = self._backend.global_key(name, partial(self._key_pressed, name))
            if opened is not None:
                self._keys[name] = opened
        key = self._keys.get(name)
        if key is None:
            return
        if text:
            key.hold(text).add_done_callback(partial(self._key_held, name))
        if not text or not order.keep:
            # Another key of this process may take it next, in another thread.
            wait([key.release()], timeouts.KEY_RELEASED)

    def _key_pressed(self, name: KeyName) -> None:
        pressed = KeyPressed(name, self._key_texts[name])
        # Sent first: a panel prepares for the state that follows.
        self._outbox.put(pressed)
        self._obey(pressed)

    def _obey(self, pressed: KeyPressed) -> None:
        if self._run is None:
            return
        if pressed.name == "stop key":
            self._run.stop(f"Stopped with {pressed.key}.")
        else:
            self._run.pause_or_resume()

    def _key_held(self, name: KeyName, held: Future[None]) -> None:
        error = held.exception()
        if error is not None:
            self._outbox.put(KeyRefused(name, f"{error}."))


def _end_with_any_thread() -> None:
    """End the process when a thread ends by an error: without it, clicks may be unchecked.

    At once: the main thread waits for the supervisor, and could not be asked to end on Windows.
    """
    log = threading.excepthook

    def on_error(ended: threading.ExceptHookArgs) -> None:
        log(ended)
        if isinstance(ended.exc_value, Exception):
            stop_logging()
            os._exit(1)

    threading.excepthook = on_error


def main(connection: Line, folder: str, environment: Mapping[str, str] | None = None) -> None:
    """Run the process until its supervisor, or its private screen, has ended.

    Args:
        connection: To the supervisor.
        folder: The supervisor's working folder, for relative paths.
        environment: Of the built-in games; by default this process's own.
    """
    # Ctrl-C is for the supervisor, which then ends this.
    ignore_interrupts()
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    start_logging()
    _end_with_any_thread()
    PREPARATION.begin()
    # Imported here, because the supervisor does not need the reader.
    from gui.runner.backend import Desktop  # noqa: PLC0415

    desktop = Desktop(environment=environment)
    os.chdir(folder)
    # Left open: it is written to even while the interpreter ends.
    nowhere = Path(os.devnull).open("w")  # noqa: SIM115
    # The process ends some seconds after its supervisor, even if it waits for a display.
    end = partial(faulthandler.dump_traceback_later, timeouts.PROCESS_ENDS, exit=True, file=nowhere)
    try:
        PlayerServer(connection, desktop).serve(end)
    except Exception:
        # The supervisor only sees that the process has ended.
        _log.exception("the process that plays ends")
        raise
    finally:
        desktop.simulators.close()


if __name__ == "__main__":
    main(Connection(int(sys.argv[1])), sys.argv[2])
