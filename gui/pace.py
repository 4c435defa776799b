"""How fast is clicked: the one place that knows when the next click is due."""

from __future__ import annotations

import time
from collections.abc import Callable


class Pace:
    """Counts from the click before.

    Args:
        clock: Monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._clicked = clock()

    def click(self) -> None:
        """A click is sent."""
        self._clicked = self._clock()

    def left(self, pace: float | None) -> float:
        """Seconds until the next click is due; 0 where it is.

        Args:
            pace: Clicks a second at the most; None for no limit.
        """
        if not pace:
            return 0.0
        return max(self._clicked + 1 / pace - self._clock(), 0.0)
