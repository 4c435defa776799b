"""The choice among equals."""

from __future__ import annotations

import numpy as np
import pytest

from bot.solver.safest_cell import safest


def test_the_safest_cell_nearest_to_a_side_and_then_to_a_corner_is_opened() -> None:
    """Distance to the nearest side first, then to the nearer of the other two."""
    probability = np.full((5, 7), np.nan)
    for cell in (17, 10, 8, 3, 1, 34, 0):
        probability.flat[cell] = 0.5
        assert safest(probability, ()) == cell


@pytest.mark.parametrize(
    ("probability", "floating", "cell"),
    [
        # The perimeter comes before floating cells: it tells more.
        ([[0.5] * 3] * 3, range(8), 8),
        ([[0.5] * 3] * 3, range(9), 0),
        # Less risk comes first even in the middle; what differs by rounding alone is equal.
        ([[0.5, 0.5, 0.5], [0.5, 0.4, 0.5], [0.5, 0.5, 0.4 + 1e-15]], (), 8),
        ([[1.0, np.nan]], (), None),
        ([[np.nan]], (), None),
    ],
    ids=["perimeter", "floating", "less risk", "mines", "opened"],
)
def test_safest(probability: list[list[float]], floating: range, cell: int | None) -> None:
    """Nothing is chosen among mines, or on an opened board."""
    assert safest(np.array(probability), floating) == cell
