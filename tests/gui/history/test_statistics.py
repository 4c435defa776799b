"""What many games add up to, against figures that are reckoned another way or known."""

from __future__ import annotations

import random
import sqlite3
import statistics
from contextlib import closing
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest

from bot.game import Rules
from bot.lab.statistics import wilson
from gui.history.statistics import Statistics, compute_statistics, rolling
from gui.history.store import EVERYTHING, Filter, Guess, History, Result
from tests.gui.history.made import fill, game, games


def figures(history: History, chosen: Filter = EVERYTHING) -> Statistics:
    """Of the games of a filter."""
    return compute_statistics(history.outcomes(chosen), history.guessed(chosen, 10))


def test_the_figures_of_many_games(path: Path) -> None:
    """Each is what plain Python makes of the same games."""
    with History.to_read(fill(path, 500)) as history:
        found = figures(history)
    entries = [entry for entry, _ in games(500)]
    ended = [e for e in entries if e.result is not Result.STOPPED]
    won = [e for e in ended if e.result is Result.WON]
    assert (found.games, found.won, found.lost, found.stopped) == (
        500, len(won), len(ended) - len(won), 500 - len(ended),
    )  # fmt: skip
    assert found.rate == wilson(len(won), len(ended))
    assert found.best_seconds == min(e.seconds for e in won)
    assert found.median_seconds == statistics.median(e.seconds for e in won)
    assert found.speed == statistics.median(e.three_bv / e.seconds for e in won)
    assert found.efficiency == sum(e.three_bv for e in won) / sum(e.clicks for e in won)
    assert found.guesses == pytest.approx(sum(e.guesses for e in ended) / len(ended))
    runs = [(key, len(list(run))) for key, run in groupby(ended, lambda e: e.result)]
    assert found.best_streak == max(length for key, length in runs if key is Result.WON)
    key, length = runs[-1]
    assert found.streak == (length if key is Result.WON else -length)
    assert found.times.counts.sum() == len(won)
    assert found.digs is None
    parts: dict[int, list[Guess]] = {}
    for guess in (guess for _, guesses in games(500) for guess in guesses):
        parts.setdefault(min(int(guess.risk * 10), 9), []).append(guess)
    for part, (_, alike) in zip(found.calibration, sorted(parts.items()), strict=True):
        assert part.guesses == len(alike)
        assert part.stated == pytest.approx(statistics.mean(guess.risk for guess in alike))
        assert part.came == wilson(sum(guess.hit for guess in alike), len(alike))


def test_an_unseen_end_and_a_partial_game_count_apart(path: Path, tmp_path: Path) -> None:
    """The end as neither won nor lost nor stopped; a game that was not whole has no time."""
    with History.to_write(tmp_path / "partial.sqlite") as history:
        history.add([(game(whole=False, seconds=0.5), []), (game(seconds=9.0), [])])
        told = figures(history)
    assert (told.won, told.best_seconds) == (2, 9.0)
    results = (Result.WON, Result.ENDED, Result.LOST, Result.STOPPED, Result.ENDED)
    with History.to_write(path) as history:
        history.add([(game(at, result=result), []) for at, result in enumerate(results)])
        told = figures(history)
    assert (told.games, told.won, told.lost, told.ended, told.stopped) == (5, 1, 1, 2, 1)
    assert told.rate == wilson(1, 2)


def test_without_games_or_valid_times_there_are_no_figures(path: Path) -> None:
    """A history that others made may hold anything that SQLite takes for a number."""
    with History.to_read(path) as history:
        found = figures(history)
    assert (found.games, found.streak, found.best_streak, found.calibration) == (0, 0, 0, ())
    assert {found.rate, found.best_seconds, found.speed, found.rolling, found.times} == {None}
    with closing(sqlite3.connect(fill(path, 50))) as database, database:
        database.execute("UPDATE games SET seconds = 9e999")
    with History.to_read(path) as history:
        assert figures(history).times is None


def test_the_game_of_digging_has_its_own_figure(path: Path) -> None:
    """Digs a game; 3BV is not spoken of."""
    with History.to_write(path) as history:
        for digs in (12, 15):
            history.add([(game(rules=Rules.DIGGING, digs=digs, three_bv=None), [])])
        found = figures(history, Filter(words="find all mines"))
    assert (found.digs, found.speed, found.efficiency) == (13.5, None, None)
    assert found.best_seconds == 8.0


def test_the_rolling_rate_is_that_of_its_window() -> None:
    """At every point: Wilson's interval of the games just before it; points stay few."""
    dice = random.Random(5)
    won = np.array([dice.random() < 0.4 for _ in range(3000)])
    found = rolling(won)
    assert found.window == 200
    assert len(found.game) <= 400
    assert (found.game[0], found.game[-1]) == (200, 3000)
    for last, rate, low, high in zip(found.game, found.rate, found.low, found.high, strict=True):
        expected = wilson(int(won[last - 200 : last].sum()), 200)
        assert (rate, low, high) == pytest.approx(tuple(expected))
    assert rolling(won[:9]) is None
    few = rolling(won[:10])
    assert few.game.tolist() == [10]
