"""Reports uncaught errors of the main thread, which Qt would end the program for."""

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
    """Report every uncaught error while the context is open.

    Args:
        tell: Shows the failure.
        failure: Converts an error to a failure.
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
