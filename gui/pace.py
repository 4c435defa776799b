"""The clicking speed: computes when the next click is due."""

from __future__ import annotations

import time
from collections.abc import Callable


class Pace:
    """A timer since the previous click.

    Args:
        clock: Monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._clicked = clock()

    def click(self) -> None:
        """Register a click."""
        self._clicked = self._clock()

    def left(self, pace: float | None) -> float:
        """Return the seconds until the next click is due; 0 if it is.

        Args:
            pace: Limit of clicks per second; None for no limit.
        """
        if not pace:
            return 0.0
        return max(self._clicked + 1 / pace - self._clock(), 0.0)
