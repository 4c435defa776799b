"""The choice among equals."""

from __future__ import annotations

import numpy as np

from bot.solver.guessing import from_sides, safest


def test_corners_before_sides_before_the_middle() -> None:
    """Distance to the nearest side first, then to the nearer of the other two."""
    assert from_sides(0, 5, 7) == (0, 0)
    assert from_sides(3, 5, 7) == (0, 3)
    assert from_sides(7 + 3, 5, 7) == (1, 3)
    assert from_sides(4 * 7 + 6, 5, 7) == (0, 0)


def test_the_perimeter_comes_before_floating_cells() -> None:
    """Among equally safe guesses it tells more."""
    probability = np.full((3, 3), 0.5)
    assert safest(probability, floating=range(8))[0] == 8
    assert safest(probability, floating=range(9))[0] == 0


def test_a_smaller_risk_comes_before_everything() -> None:
    """Even in the middle; what differs by rounding alone is equal."""
    probability = np.full((3, 3), 0.5)
    probability[1, 1] = 0.4
    probability[2, 2] = 0.4 + 1e-15
    assert safest(probability, ()) == (8, [4, 8])


def test_only_mines_are_no_choice() -> None:
    """Nor is an opened board."""
    assert safest(np.array([[1.0, np.nan]]), ()) == (None, [])
    assert safest(np.array([[np.nan]]), ()) == (None, [])
