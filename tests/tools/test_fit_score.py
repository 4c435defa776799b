"""The score of the candidates is fitted to the results of rollouts."""

from __future__ import annotations

import numpy as np
import pytest

from bot.solver.guess.choice import SCORED
from tests.tools.fit_score import Position, fit


def test_known_coefficients_are_found() -> None:
    """From the differences alone, and from noisy results too."""
    dice = np.random.default_rng(0)
    known = dice.normal(size=2 + SCORED)
    positions = []
    for _ in range(2000):
        inputs = dice.normal(size=(4, 2 + SCORED))
        inputs -= inputs.mean(0)
        means = inputs @ known + dice.normal(size=4)
        positions.append(
            Position(inputs, np.full(4, 0.25), np.zeros(4), means - means.mean(), 1.0, 1.0)
        )
    assert fit(positions) == pytest.approx(known, abs=0.1)


def test_the_gain_is_that_of_the_other_choice() -> None:
    """In points a game: the weight counts."""
    means = np.array([0.02, -0.02])
    one = Position(
        np.zeros((2, 2 + SCORED)), np.full(2, 0.5), np.array([0.0, 1.0]), means, 0.0, 3.0
    )
    assert one.gain(np.array([1.0, 0.0])) == pytest.approx(12)
    assert one.gain(one.scores) == 0
    assert one.error(means) == 0
