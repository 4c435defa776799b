"""Shares and differences with 95 % intervals, and quantiles of times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import comb, exp, fsum, log, sqrt
from typing import Final, NamedTuple

Z95: Final = 1.959963984540054
_STEP: Final = 0.02
"""Relative width of a bucket of times."""


class Interval(NamedTuple):
    """An estimate and its 95 % interval."""

    value: float
    low: float
    high: float


def wilson(won: int, games: int) -> Interval:
    """Return a share of wins with Wilson's interval.

    Raises:
        ValueError: There are no games.
    """
    if not 0 <= won <= games or not games:
        raise ValueError(f"{won} wins of {games} games are no share")
    share = won / games
    scale = 1 + Z95**2 / games
    middle = (share + Z95**2 / (2 * games)) / scale
    half = Z95 * sqrt(share * (1 - share) / games + Z95**2 / (4 * games**2)) / scale
    return Interval(share, max(middle - half, 0.0), min(middle + half, 1.0))


class Paired(NamedTuple):
    """The comparison of two players on the same boards."""

    difference: Interval
    """Wins of the first minus wins of the second, as a share of the boards."""
    only_first: int
    """Boards that only the first won."""
    only_second: int
    p: float
    """Two-sided p-value of McNemar's exact test."""


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> Paired:
    """Compare two players board by board.

    The interval is the adjusted one of D. Bonett and R. Price (2012), which also holds for few
    boards.

    Args:
        first: Whether the first player won each board.
        second: The same of the second, on the same boards in the same order.

    Raises:
        ValueError: There are no boards, or not as many of both.
    """
    if len(first) != len(second) or not first:
        raise ValueError(f"{len(first)} and {len(second)} games cannot be paired")
    boards = len(first)
    ahead = sum(a and not b for a, b in zip(first, second, strict=True))
    behind = sum(b and not a for a, b in zip(first, second, strict=True))
    difference = (ahead - behind) / boards
    one, other = (ahead + 1) / (boards + 2), (behind + 1) / (boards + 2)
    half = Z95 * sqrt((one + other - (one - other) ** 2) / (boards + 2))
    interval = Interval(difference, max(one - other - half, -1.0), min(one - other + half, 1.0))
    return Paired(interval, ahead, behind, _binomial_p(ahead, behind))


def _binomial_p(ahead: int, behind: int) -> float:
    """Return the two-sided p-value of the binomial test with probability 1/2."""
    total, few = ahead + behind, min(ahead, behind)
    tail = sum(comb(total, k) for k in range(few + 1))
    return min(1.0, 2 * tail / (1 << total)) if total else 1.0


def mean(values: Sequence[float]) -> Interval:
    """Return a mean with its interval by the normal distribution.

    Raises:
        ValueError: There are no values.
    """
    if not values:
        raise ValueError("no values have no mean")
    middle = fsum(values) / len(values)
    spread = fsum((value - middle) ** 2 for value in values)
    half = Z95 * sqrt(spread / max(len(values) - 1, 1) / len(values))
    return Interval(middle, middle - half, middle + half)


def bucket(seconds: float) -> int:
    """Return the bucket of a time."""
    return round(log(max(seconds, 1e-9)) / _STEP)


def bucket_seconds(number: int) -> float:
    """Return the time of a bucket."""
    return exp(number * _STEP)


def quantile(buckets: Mapping[int, int], share: float) -> float:
    """Return a quantile (0..1) of the times, to two percent; nan if there are none."""
    total = Counter(buckets).total()
    seen = 0
    for number in sorted(buckets):
        seen += buckets[number]
        if seen >= share * total:
            return bucket_seconds(number)
    return float("nan")
