"""Ends the process some seconds after a signal, when it does not end by itself.

Python runs a handler of a signal in the main thread, between two of its instructions. While that
thread waits inside a library (Qt or mss, for an X server that says nothing more) no handler runs;
and where one does, what it asks to stop may wait for the same server. Everything that is kept is
written as it comes, so that nothing is lost but the summary.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from typing import Final

INTERRUPTED: Final = 130
"""The exit code of what was interrupted, by whichever signal."""
GRACE_SECONDS: Final = 10.0
"""What an orderly end may take: it waits for the workers, closes files and ends child processes."""
_ENDING: Final = frozenset({signal.SIGINT, signal.SIGTERM})


def end_after_signals() -> None:
    """Watch for signals that end the process, until it ends. Call it in the main thread."""
    hear, wake = socket.socketpair()
    wake.setblocking(False)
    # Python writes each signal's number there at once, whatever the main thread is doing.
    signal.set_wakeup_fd(wake.detach(), warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(hear,), name="signals", daemon=True).start()


def _watch(hear: socket.socket) -> None:
    number = 0
    while number not in _ENDING:
        number = hear.recv(1)[0]
    # Not cut short by a further signal; the thread ends with the process.
    threading.Event().wait(GRACE_SECONDS)
    print(  # noqa: T201 - a lock of rich's may be held by a thread that hangs
        f"stopped: it did not end by itself within {GRACE_SECONDS:.0f} seconds", file=sys.stderr
    )
    os._exit(INTERRUPTED)
