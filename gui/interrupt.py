"""Ends the process some seconds after a signal if it does not end by itself.

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
from typing import Final, NoReturn

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


def end_after_signals() -> None:
    """Watch for signals that end the process; call it in the main thread."""
    theirs, ours = socket.socketpair()
    if not hasattr(os, "fork"):
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
    signal.set_wakeup_fd(ours.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_end_when_asked, args=(ours,), name="signals", daemon=True).start()


def _end_when_asked(ours: socket.socket) -> None:
    select.select([ours], [], [])
    _report()
    os._exit(INTERRUPTED)


def _be_second_process(theirs: socket.socket, ours: socket.socket, process: int) -> NoReturn:
    try:
        ours.close()
        _watch(theirs)
        if not _ends_within(theirs, _KILL_SECONDS) and os.getppid() == process:
            _report()
            os.kill(process, signal.SIGKILL)
    finally:
        os._exit(0)


def _watch(theirs: socket.socket) -> None:
    """Wait for the end of the process; ask it to end if it takes too long after a signal."""
    heard = theirs.recv(1)
    while heard and heard[0] not in _ENDING:
        heard = theirs.recv(1)
    if heard and not _ends_within(theirs, GRACE_SECONDS):
        theirs.send(b"!")


def _ends_within(theirs: socket.socket, seconds: float) -> bool:
    """Return whether the process ends in time; not cut short by a further signal."""
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        if select.select([theirs], [], [], left)[0] and not theirs.recv(64):
            return True
    return False


def _report() -> None:
    # Not with print: a thread that hangs may hold the stream's lock.
    if sys.stderr is not None:
        os.write(2, _TOLD.encode())


def how_ended(status: int) -> str:
    """Return how a process ended by its exit code, which may be a shell's, as text."""
    number = -status if status < 0 else status - 128
    if status < 0 or 0 < number < signal.NSIG:
        try:
            return f"by the signal {signal.Signals(number).name}"
        except ValueError:
            return f"by the signal {number}"
    return "without an error" if status == 0 else f"with the exit code {status}"
