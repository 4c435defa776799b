"""Intervals and tests, held against published figures."""

from __future__ import annotations

import math

import pytest

from bot.lab.statistics import bucket, bucket_seconds, mcnemar, mean, quantile, wilson


def test_wilson_agrees_with_a_published_example() -> None:
    """Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20 and 1 of 29."""
    published = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (won, games), (low, high) in published.items():
        found = wilson(won, games)
        assert found.value == won / games
        assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_impossible_numbers_of_games_are_refused() -> None:
    """No games, or more wins than games, are no share; pairs are of the same boards."""
    for won, games in ((0, 0), (3, 2), (-1, 2)):
        with pytest.raises(ValueError, match="no share"):
            wilson(won, games)
    with pytest.raises(ValueError, match="paired"):
        mcnemar([True], [True, False])


def test_mcnemar_by_hand() -> None:
    """10 boards: 5 won by the first alone, none by the second alone; equals do that 1 in 16."""
    first = [True] * 8 + [False] * 2
    second = [False] * 5 + [True] * 3 + [False] * 2
    found = mcnemar(first, second)
    assert (found.only_first, found.only_second) == (5, 0)
    assert found.difference.value == 0.5
    assert found.p == 2 / 32


def test_the_paired_interval_agrees_with_a_published_example() -> None:
    """Agresti, Categorical Data Analysis, 10.1: approval of 1,600 people asked twice."""
    asked = [(True, True)] * 794 + [(True, False)] * 150 + [(False, True)] * 86
    asked += [(False, False)] * 570
    found = mcnemar([first for first, _ in asked], [second for _, second in asked])
    assert found.difference.value == 0.04
    assert (round(found.difference.low, 3), round(found.difference.high, 3)) == (0.021, 0.059)


def test_players_that_agree_do_not_differ() -> None:
    """No board that only one of them won: the fewer boards there were, the less that tells."""
    few = mcnemar([True, False], [True, False])
    many = mcnemar([True, False] * 500, [True, False] * 500)
    assert few.difference.value == many.difference.value == 0.0
    assert few.p == many.p == 1.0
    assert few.difference.high == -few.difference.low > 0.5
    assert 0 < many.difference.high < 0.01


def test_mean_by_hand() -> None:
    """Of 1, 2, 3: variance 1, so that the standard error is 1 / sqrt 3."""
    found = mean([1, 2, 3])
    assert found.value == 2
    assert found.high - 2 == pytest.approx(1.959963984540054 / math.sqrt(3))


def test_times_and_their_quantiles_are_kept_to_two_percent() -> None:
    """Microseconds to minutes; ninety fast ones and ten slow ones."""
    for seconds in (1e-6, 0.00123, 0.5, 1.0, 77.0):
        assert bucket_seconds(bucket(seconds)) == pytest.approx(seconds, rel=0.0101)
    times = {bucket(0.001): 90, bucket(1.0): 10}
    assert quantile(times, 0.5) == pytest.approx(0.001, rel=0.02)
    assert quantile(times, 0.9) == pytest.approx(0.001, rel=0.02)
    assert quantile(times, 0.95) == pytest.approx(1.0, rel=0.02)
    assert math.isnan(quantile({}, 0.5))
