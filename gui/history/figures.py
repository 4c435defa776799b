"""What the games of a filter add up to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.lab.statistics import Interval, wilson
from gui.history.store import Outcomes

RISK_PARTS: Final = 10
"""Into how many equal parts the stated risks are sorted."""
_LEAST_WINDOW, _MOST_WINDOW = 10, 200
"""Games over which a win rate rolls: a fifth of all of them, between these."""
_MOST_POINTS: Final = 400
"""Of a curve: more cannot be told apart on a screen."""
_MOST_BARS: Final = 40


class Part(NamedTuple):
    """Guesses of about the same stated risk."""

    stated: float
    """Mean of the stated risks."""
    came: Interval
    """Share of them that hit a mine."""
    guesses: int


@dataclass(frozen=True, eq=False)
class Rolling:
    """The win rate of the games up to each one, oldest first; all (n,)."""

    window: int
    """Over how many games."""
    game: NDArray[np.int64]
    """The last game of the window, counted from 1 among those played to their end."""
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
class Figures:
    """What is told of many games; None where there is nothing to tell it from."""

    games: int
    won: int
    lost: int
    ended: int
    """It was not seen how."""
    stopped: int
    rate: Interval | None
    """Of the games that were won or lost."""
    streak: int
    """Wins in a row at the end; losses below 0. Stopped games do not count."""
    best_streak: int
    """Most wins in a row."""
    best_seconds: float | None
    """Of the games won that were seen from their first click on; so in what follows."""
    median_seconds: float | None
    speed: float | None
    """3BV a second, the median."""
    efficiency: float | None
    """3BV a click, of all clicks together."""
    guesses: float | None
    """A game, of those played to their end."""
    digs: float | None
    """A game, of those of digging that were played to their end."""
    rolling: Rolling | None
    times: Bars | None
    """Seconds of the games won."""
    calibration: tuple[Part, ...]


def reckon(games: Outcomes, guessed: Sequence[tuple[int, int, float, int]]) -> Figures:
    """What games add up to.

    Args:
        games: From the oldest on.
        guessed: As `History.guessed` tells it.
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
    return Figures(
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
    """How the win rate went: (n,) bool from the oldest game on; None for too few games."""
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
    """The streak at the end, losses below 0, and the longest one of wins."""
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
    """The slowest hundredth is put into the last bar: one long game would flatten all others.

    A time that is none, of a history that others made, is in no bar.
    """
    seconds = seconds[np.isfinite(seconds)]
    if not len(seconds):
        return None
    most = float(np.quantile(seconds, 0.99))
    number = min(max(round(len(seconds) ** 0.5), 5), _MOST_BARS)
    counts, edges = np.histogram(np.minimum(seconds, most), number)
    return Bars(edges, counts)
