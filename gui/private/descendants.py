"""All descendants of this process, including detached grandchildren.

Linux only: a child whose parent ended becomes a child of the nearest ancestor that asked for it
(`PR_SET_CHILD_SUBREAPER`, prctl(2)) instead of the system's first process. So every process that a
game starts can be found, whatever session or group it creates.
"""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Container
from contextlib import suppress
from pathlib import Path
from typing import Final

_PR_SET_CHILD_SUBREAPER: Final = 36
_BETWEEN_LOOKS: Final = 0.05
"""Seconds; the end of a grandchild sends no notification."""


def adopt_orphans() -> None:
    """Make orphaned descendants children of this process from now on.

    Raises:
        OSError: The system refuses.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no orphans can be adopted")


def descendants() -> list[int]:
    """Return the ids of all descendants, including zombies."""
    children = defaultdict(list)
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                # The name in brackets may contain anything, including brackets and spaces
                # (proc(5)).
                state = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
                children[int(state[1])].append(int(entry.name))
    found = list(children[os.getpid()])
    for process in found:
        found += children[process]
    return found


def end_descendants(
    spared: Container[int], patience: float, wait: Callable[[float], object]
) -> None:
    """Terminate all descendants, then kill the remaining ones.

    Args:
        spared: Processes that are not ended.
        patience: Seconds to wait after each of the two signals; this user may lack the permission
            to end some processes.
        wait: Waits so many seconds, or until a child has ended.
    """
    _send(signal.SIGTERM, spared)
    # A stopped process receives no other signal.
    _send(signal.SIGCONT, spared)
    begin = time.monotonic()
    while _left(spared) and (spent := time.monotonic() - begin) < 2 * patience:
        if spent > patience:
            # Repeated, because new processes may have been started meanwhile.
            _send(signal.SIGKILL, spared)
        wait(_BETWEEN_LOOKS)


def collect(kept: Container[int]) -> None:
    """Reap the children that ended, except those that other code waits for."""
    for process in descendants():
        if process not in kept:
            with suppress(ChildProcessError):
                os.waitpid(process, os.WNOHANG)


def _left(spared: Container[int]) -> list[int]:
    """Return the processes that still run."""
    collect(spared)
    return [process for process in descendants() if process not in spared]


def _send(number: signal.Signals, spared: Container[int]) -> None:
    for process in descendants():
        if process not in spared:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, number)
