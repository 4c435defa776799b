"""Ends a run on Ctrl-C, and the process some seconds later if it does not end by itself.

On Windows the console calls a thread of this process instead of sending a signal, also when its
window is closed, after which the process has five seconds.

Python runs a signal's handler in the main thread, between two of its instructions. While that
thread waits inside a library (Qt or mss, for an X server that does not answer) no handler runs; and
even if one does, the code that it stops may wait for the same server. All data is written
immediately, so only the summary is lost.

Qt may even wait while it holds Python's global lock, for example when it paints: then no other
thread runs either. Therefore a second process counts the seconds, which Python's C code notifies of
each signal. It first asks a thread of this process to end it, and kills the process if that thread
does not run.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
import threading
import time
from contextlib import ExitStack
from types import FrameType
from typing import Final, NoReturn

from bot.loop import Stop

INTERRUPTED: Final = 130
"""The exit code after an interruption by any signal."""
GRACE_SECONDS: Final = 10.0
"""Time for a regular end, which waits for workers, closes files and ends child processes."""
_KILL_SECONDS: Final = 2.0
"""Time for the thread to end the process."""
_ENDING: Final = frozenset({signal.SIGINT, signal.SIGTERM})
_TOLD: Final = (
    f"Ended by force: it was still busy {GRACE_SECONDS:.0f} seconds after it was asked to stop. "
    "What was recorded until then is kept.\n"
)


_watched: socket.socket | None = None
"""Receives the number of each signal."""


def end_after_signals() -> None:
    """Watch for signals that end the process; call it in the main thread."""
    global _watched  # noqa: PLW0603 - a process has one
    theirs, ours = socket.socketpair()
    if sys.platform == "win32":
        threading.Thread(target=_watch, args=(theirs,), name="watch", daemon=True).start()
    else:
        process = os.getpid()
        # A terminal sends Ctrl-C to both, perhaps at this moment: the second process, which keeps
        # them blocked, never receives one.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
        if os.fork() == 0:
            _be_second_process(theirs, ours, process)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
    # Python writes each signal's number to it at once, whatever its threads are doing.
    ours.setblocking(False)
    _watched = ours
    signal.set_wakeup_fd(ours.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_end_when_asked, args=(ours,), name="signals", daemon=True).start()


def _end_when_asked(ours: socket.socket) -> None:
    select.select([ours], [], [])
    _report()
    os._exit(INTERRUPTED)


def _watch(theirs: socket.socket) -> None:
    """Wait for the end of the process; ask it to end if it takes too long after a signal."""
    heard = theirs.recv(1)
    while heard and heard[0] not in _ENDING:
        heard = theirs.recv(1)
    if heard and not _ends_within(theirs, GRACE_SECONDS):
        theirs.send(b"!")


def _ends_within(theirs: socket.socket, seconds: float) -> bool:
    """Return whether the process ends in time; not cut short by a further signal."""
    deadline = time.perf_counter() + seconds
    while (left := deadline - time.perf_counter()) > 0:
        if select.select([theirs], [], [], left)[0] and not theirs.recv(64):
            return True
    return False


def _report() -> None:
    # Not with print: a thread that hangs may hold the stream's lock.
    if sys.stderr is not None:
        os.write(2, _TOLD.encode())


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
            if _watched is not None:
                # Windows calls no further handler, so Python does not notify it.
                _watched.send(bytes([signal.SIGINT]))
            if stop.is_set():
                # Python's own handler raises KeyboardInterrupt.
                return False
            stop.stop("Stopped with Ctrl-C.")
            return True

        closed = "Stopped: the console was closed."
        resources.enter_context(console_events(interrupt, lambda: stop.stop(closed)))


if sys.platform != "win32":

    def _be_second_process(theirs: socket.socket, ours: socket.socket, process: int) -> NoReturn:
        try:
            ours.close()
            _watch(theirs)
            if not _ends_within(theirs, _KILL_SECONDS) and os.getppid() == process:
                _report()
                os.kill(process, signal.SIGKILL)
        finally:
            os._exit(0)


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
