"""Libraries that print what nobody asked: silenced by one thread at a time.

What a process prints has one place: two threads that put something else there and back would
leave it wrong for good.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from typing import Final

_TURN: Final = threading.RLock()


@contextmanager
def quiet() -> Iterator[None]:
    """Nothing is printed meanwhile."""
    with _TURN, redirect_stdout(StringIO()):
        yield
