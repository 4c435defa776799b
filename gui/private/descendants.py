"""All the processes that came from this one, grandchildren that went their own way included.

Linux alone: a child whose parent ended becomes a child of the nearest ancestor that asked
for it (`PR_SET_CHILD_SUBREAPER`, prctl(2)), in place of the system's first process. So
nothing that a game starts gets out of sight, whatever session or group it makes its own.
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
"""Seconds: the end of a grandchild is told to nobody here."""


def adopt_orphans() -> None:
    """From now on, who loses its parent among the descendants becomes a child of this process.

    Raises:
        OSError: The system refuses.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no orphans can be adopted")


def descendants() -> list[int]:
    """The ids of all processes that came from this one, those that ended uncollected too."""
    children = defaultdict(list)
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                # The name in brackets may hold anything, brackets and spaces too (proc(5)).
                state = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
                children[int(state[1])].append(int(entry.name))
    found = list(children[os.getpid()])
    for process in found:
        found += children[process]
    return found


def end_descendants(
    spared: Container[int], patience: float, wait: Callable[[float], object]
) -> None:
    """Ask all descendants to end, and make those that do not.

    Args:
        spared: Who stays.
        patience: Seconds that they have for it; and as long again once they are made to, for
            there may be some that this user may not end.
        wait: Waits so many seconds, or until a child has ended.
    """
    _send(signal.SIGTERM, spared)
    # One that is stopped hears nothing else.
    _send(signal.SIGCONT, spared)
    begin = time.monotonic()
    while _left(spared) and (spent := time.monotonic() - begin) < 2 * patience:
        if spent > patience:
            # Again and again: what is being made meanwhile is met the next time.
            _send(signal.SIGKILL, spared)
        wait(_BETWEEN_LOOKS)


def collect(kept: Container[int]) -> None:
    """Take note of the children that ended, but of those whose end somebody else asks about."""
    for process in descendants():
        if process not in kept:
            with suppress(ChildProcessError):
                os.waitpid(process, os.WNOHANG)


def _left(spared: Container[int]) -> list[int]:
    """Who still runs."""
    collect(spared)
    return [process for process in descendants() if process not in spared]


def _send(number: signal.Signals, spared: Container[int]) -> None:
    for process in descendants():
        if process not in spared:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, number)
