"""Times of several ways to do the same task, measured alternately."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def milliseconds(*ways: Callable[[], object], rounds: int = 15) -> list[float]:
    """Return the median time of each way, measured alternately."""
    times: list[list[float]] = [[] for _ in ways]
    for _ in range(rounds):
        for way, spent in zip(ways, times, strict=True):
            start = time.perf_counter()
            way()
            spent.append(1000 * (time.perf_counter() - start))
    return [statistics.median(spent) for spent in times]
