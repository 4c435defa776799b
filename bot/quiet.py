"""Libraries that print what nobody asked: silenced by one thread at a time.

What a process prints has one place: two threads that put something else there and back would
leave it wrong for good. What the other threads print meanwhile is printed.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from typing import Any, Final, TextIO

_TURN: Final = threading.RLock()


@contextmanager
def quiet() -> Iterator[None]:
    """Nothing is printed by this thread meanwhile."""
    # A build without a console has none.
    with _TURN, redirect_stdout(_ForOthers(sys.stdout)) if sys.stdout else nullcontext():
        yield


class _ForOthers:
    """Standard output of all threads but the one that makes this."""

    def __init__(self, stdout: TextIO) -> None:
        self._stdout = stdout
        self._silent = threading.get_ident()

    def write(self, text: str) -> int:
        if threading.get_ident() == self._silent:
            return len(text)
        return self._stdout.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stdout, name)
