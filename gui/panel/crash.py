"""What goes wrong in the main thread: told in words; without this Qt ends the whole program."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

from gui.failures import Failure, told


@contextmanager
def crashes_told(
    tell: Callable[[Failure], None], failure: Callable[[BaseException], Failure]
) -> Iterator[None]:
    """Tell every error that nobody caught, as long as this is open.

    Args:
        tell: Shows it.
        failure: Puts it into words.
    """
    before = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if isinstance(error, Exception):
            tell(told(failure, error))
        else:
            before(kind, error, trace)

    sys.excepthook = hook
    try:
        yield
    finally:
        sys.excepthook = before
