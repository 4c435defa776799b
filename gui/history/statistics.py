"""Statistics of the games of a filter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.lab.statistics import Interval, wilson
from gui.history.store import Outcomes

RISK_PARTS: Final = 10
"""Number of equal intervals into which the stated risks are sorted."""
_LEAST_WINDOW, _MOST_WINDOW = 10, 200
"""Limits of the rolling window of the win rate, which is a fifth of all games."""
_MOST_POINTS: Final = 400
"""Largest number of points of a curve; more cannot be distinguished on a screen."""
_MOST_BARS: Final = 40


class Part(NamedTuple):
    """Guesses with similar stated risks."""

    stated: float
    """The mean of the stated risks."""
    came: Interval
    """The share of them that hit a mine."""
    guesses: int


@dataclass(frozen=True, eq=False)
class Rolling:
    """The rolling win rate at each game, oldest first; all (n,)."""

    window: int
    """Number of games in the window."""
    game: NDArray[np.int64]
    """The last game of the window, counted from 1 among the finished games."""
    rate: NDArray[np.float64]
    low: NDArray[np.float64]
    """Wilson's interval of the games in the window."""
    high: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Bars:
    """A histogram: `counts[i]` values lie between `edges[i]` and `edges[i + 1]`."""

    edges: NDArray[np.float64]
    counts: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Statistics:
    """Statistics of many games; None for values that cannot be computed."""

    games: int
    won: int
    lost: int
    ended: int
    """Games with an unknown result."""
    stopped: int
    rate: Interval | None
    """Share of wins among the games that were won or lost."""
    streak: int
    """Current number of consecutive wins; negative for losses. Stopped games do not count."""
    best_streak: int
    """Largest number of consecutive wins."""
    best_seconds: float | None
    """Shortest won game among those observed from their first click; the same games count below."""
    median_seconds: float | None
    speed: float | None
    """Median of 3BV per second."""
    efficiency: float | None
    """3BV per click, over all clicks."""
    guesses: float | None
    """Guesses per finished game."""
    digs: float | None
    """Digs per finished game of digging."""
    rolling: Rolling | None
    times: Bars | None
    """Durations of the won games in seconds."""
    calibration: tuple[Part, ...]


def compute_statistics(
    games: Outcomes, guessed: Sequence[tuple[int, int, float, int]]
) -> Statistics:
    """Compute the statistics of games.

    Args:
        games: Oldest first.
        guessed: The result of `History.guessed`.
    """
    won = games.won
    over = won | games.lost
    ended = won[over]
    wins, all_ended = int(won.sum()), int(over.sum())
    now, best = _streaks(ended)
    counted = won & games.whole
    seconds = games.seconds[counted]
    timed = counted & (games.seconds > 0) & ~np.isnan(games.three_bv)
    clicked = timed & (games.clicks > 0)
    digs = games.digs[over & ~np.isnan(games.digs)]
    return Statistics(
        games=len(won),
        won=wins,
        lost=int(games.lost.sum()),
        ended=int(games.ended.sum()),
        stopped=len(won) - all_ended - int(games.ended.sum()),
        rate=wilson(wins, all_ended) if all_ended else None,
        streak=now,
        best_streak=best,
        best_seconds=float(seconds.min()) if len(seconds) else None,
        median_seconds=_median(seconds),
        speed=_median(games.three_bv[timed] / games.seconds[timed]),
        efficiency=_ratio(games.three_bv[clicked].sum(), games.clicks[clicked].sum()),
        guesses=_ratio(games.guesses[over].sum(), all_ended),
        digs=_ratio(digs.sum(), len(digs)),
        rolling=rolling(ended),
        times=_bars(seconds),
        calibration=tuple(
            Part(stated, wilson(hits, count), count) for _, count, stated, hits in guessed
        ),
    )


def rolling(won: NDArray[np.bool_]) -> Rolling | None:
    """Return the rolling win rate of (n,) bool, oldest first; None for too few games."""
    window = min(max(len(won) // 5, _LEAST_WINDOW), _MOST_WINDOW)
    if len(won) < window:
        return None
    sums = np.concatenate([[0], np.cumsum(won)])
    wins = sums[window:] - sums[:-window]
    shown = np.unique(np.linspace(0, len(wins) - 1, min(len(wins), _MOST_POINTS)).astype(int))
    rates = [wilson(int(count), window) for count in wins[shown]]
    value, low, high = (np.array(column) for column in zip(*rates, strict=True))
    return Rolling(window, shown + window, value, low, high)


def _streaks(won: NDArray[np.bool_]) -> tuple[int, int]:
    """Return the current streak, negative for losses, and the longest one of wins."""
    if not len(won):
        return 0, 0
    turns = np.flatnonzero(np.diff(won)) + 1
    lengths = np.diff(np.concatenate([[0], turns, [len(won)]]))
    first = 0 if won[0] else 1
    wins = lengths[first::2]
    now = int(lengths[-1])
    return (now if won[-1] else -now), int(wins.max()) if len(wins) else 0


def _median(values: NDArray[np.float64]) -> float | None:
    return float(np.median(values)) if len(values) else None


def _ratio(sum_: float, by: float) -> float | None:
    return float(sum_) / float(by) if by else None


def _bars(seconds: NDArray[np.float64]) -> Bars | None:
    """Return a histogram whose last bar holds the slowest hundredth.

    Otherwise one long game would flatten all other bars. Invalid times, possible in a foreign
    history, are in no bar.
    """
    seconds = seconds[np.isfinite(seconds)]
    if not len(seconds):
        return None
    most = float(np.quantile(seconds, 0.99))
    number = min(max(round(len(seconds) ** 0.5), 5), _MOST_BARS)
    counts, edges = np.histogram(np.minimum(seconds, most), number)
    return Bars(edges, counts)
