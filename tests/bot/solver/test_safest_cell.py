"""The choice among equals."""

from __future__ import annotations

import numpy as np

from bot.solver.safest_cell import safest


def test_corners_before_sides_before_the_middle() -> None:
    """Distance to the nearest side first, then to the nearer of the other two."""
    probability = np.full((5, 7), np.nan)
    for cell, expected in ((17, 17), (10, 10), (3, 3), (1, 1), (34, 34), (0, 0)):
        probability.flat[cell] = 0.5
        assert safest(probability, ()) == expected


def test_a_side_comes_before_the_middle_even_far_from_a_corner() -> None:
    """A cell at a side precedes one that is as close to two sides."""
    probability = np.full((5, 7), np.nan)
    probability[1, 1] = probability[2, 0] = 0.5
    assert safest(probability, ()) == 14


def test_the_perimeter_comes_before_floating_cells() -> None:
    """Among equally safe guesses it tells more."""
    probability = np.full((3, 3), 0.5)
    assert safest(probability, floating=range(8)) == 8
    assert safest(probability, floating=range(9)) == 0


def test_a_smaller_risk_comes_before_everything() -> None:
    """Even in the middle; what differs by rounding alone is equal."""
    probability = np.full((3, 3), 0.5)
    probability[1, 1] = 0.4
    probability[2, 2] = 0.4 + 1e-15
    assert safest(probability, ()) == 8


def test_there_is_no_choice_among_mines() -> None:
    """Nor is an opened board."""
    assert safest(np.array([[1.0, np.nan]]), ()) is None
    assert safest(np.array([[np.nan]]), ()) is None
