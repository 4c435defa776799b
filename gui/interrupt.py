"""Ends a run on Ctrl-C, and the process some seconds later if it does not end by itself.

On Windows the console calls a thread of this process instead of sending a signal, also when its
window is closed, after which the process has five seconds.

Python runs a signal's handler in the main thread, between two of its instructions. While that
thread waits inside a library (Qt or mss, for an X server that does not answer) no handler runs; and
even if one does, the code that it stops may wait for the same server. Therefore a second thread
receives each signal's number, which Python's C code writes to a socket, and ends the process. If a
library begins to wait while it holds Python's global lock, that thread cannot run: then
`faulthandler` ends the process a little later. All data is written immediately, so only the summary
is lost.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import socket
import sys
import threading
from contextlib import ExitStack, suppress
from types import FrameType
from typing import Final

from bot.loop import Stop
from gui.logfile import log_file

INTERRUPTED: Final = 130
"""The exit code after an interruption by any signal."""
GRACE_SECONDS: Final = 10.0
"""Time for a regular end, which waits for workers, closes files and ends child processes."""
_LOCKED_SECONDS: Final = 2.0
"""Further time for the thread to end the process, before `faulthandler` does."""
_ENDING: Final = frozenset({signal.SIGINT, signal.SIGTERM})
_FORCED: Final = (
    f"Ended by force: it was still busy {GRACE_SECONDS:.0f} seconds after it was asked to stop. "
    "What was recorded until then is kept.\n"
)


_signals: socket.socket | None = None
"""Takes the number of each signal."""


def end_after_signals() -> None:
    """Watch for signals that end the process; call it in the main thread."""
    global _signals
    received, _signals = socket.socketpair()
    # Python writes each signal's number to it at once, whatever its threads are doing.
    _signals.setblocking(False)
    signal.set_wakeup_fd(_signals.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_end_process, args=(received,), name="signals", daemon=True).start()


def _end_process(received: socket.socket) -> None:
    """End the process if it is still running some seconds after a signal.

    The log file then tells what each thread was doing.
    """
    while received.recv(1)[0] not in _ENDING:
        pass
    if sys.stderr is not None:
        faulthandler.dump_traceback_later(GRACE_SECONDS + _LOCKED_SECONDS, exit=True)
    threading.Event().wait(GRACE_SECONDS)
    with suppress(OSError), log_file().open("a") as log:
        faulthandler.dump_traceback(log)
    if sys.stderr is not None:
        # Not with print: a thread that hangs may hold the stream's lock.
        os.write(2, _FORCED.encode())
    os._exit(INTERRUPTED)


def stop_on_interrupt(resources: ExitStack, stop: Stop) -> None:
    """Stop a run between two steps on Ctrl-C, SIGTERM, or when the console is closed.

    A second Ctrl-C raises KeyboardInterrupt. A signal that the process was started to ignore, as
    shells do for the background, stays ignored.

    Args:
        resources: Ends this.
        stop: Set by the interrupt.
    """
    if sys.platform == "win32":
        _stop_on_console_event(resources, stop)
        return

    def interrupt(number: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        how = "with Ctrl-C" if number == signal.SIGINT else f"by {signal.Signals(number).name}"
        stop.stop(f"Stopped {how}.")

    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is signal.SIG_IGN:
            continue
        resources.callback(signal.signal, number, signal.signal(number, interrupt))


if sys.platform == "win32":
    from bot.processes import console_events

    def _stop_on_console_event(resources: ExitStack, stop: Stop) -> None:
        def interrupt() -> bool:
            if _signals is not None:
                # Windows calls no further handler, so Python does not write it.
                _signals.send(bytes([signal.SIGINT]))
            if stop.is_set():
                # Python's own handler raises KeyboardInterrupt.
                return False
            stop.stop("Stopped with Ctrl-C.")
            return True

        closed = "Stopped: the console was closed."
        resources.enter_context(console_events(interrupt, lambda: stop.stop(closed)))


def how_ended(status: int) -> str:
    """Return how a process ended by its exit code, which may be a shell's, as text."""
    number = -status if status < 0 else status - 128
    if sys.platform == "win32":
        # What Python reports of a process that another one has terminated.
        terminated = number == signal.SIGTERM
        return "terminated" if terminated else _with_code(status)
    if status < 0 or 0 < number < signal.NSIG:
        try:
            return f"by the signal {signal.Signals(number).name}"
        except ValueError:
            return f"by the signal {number}"
    return _with_code(status)


def _with_code(status: int) -> str:
    return "without an error" if status == 0 else f"with the exit code {status}"
