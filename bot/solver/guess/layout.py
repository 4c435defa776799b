"""Where each feature stands, and the room that describing a position takes."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled
from bot.solver.kernel.workspace import Floats, Ints

BINS: Final = np.array([0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.75, 1.0])
"""What is counted by probability is shared between the two bins next to it."""
_UPPER: Final = np.searchsorted(BINS, np.arange(20) / 20 + 1e-6)
"""The bin above, by twentieths."""
TABLES: Final = 10
FROM_CELLS: Final = 40
"""After those of the whole board: what stands out among its cells ..."""
FROM_PARTS: Final = 55
"""... then its components ..."""
FROM_TABLES: Final = 77
"""... then how many cells there are of each kind."""
FEATURES: Final = FROM_TABLES + TABLES * len(BINS)
RISK: Final = 1
"""The place of the least mine probability, 0 where a cell is proved safe ..."""
RISK_SCALE: Final = 4.0
"""... times this."""
_MOST_UNITS: Final = 256

# Places in `total`: sums over cells.
SAFE_CELLS: Final = 0
USEFUL: Final = 1
"""Proved safe, with something uncertain around."""
FRESH: Final = 2
"""Uncertain cells around those proved safe."""
LOOSE_CELLS: Final = 3
PERIMETER_CELLS: Final = 4
ZEROS: Final = 5
ALONE: Final = 6
DEAD: Final = 7
CORNERS: Final = 8
SIDES: Final = 9
ENTROPY: Final = 10
TOTALS: Final = 11

# Columns of `around`: how many neighbours of a cell are ...
UNCERTAIN: Final = 0
"""... neither opened nor certain."""
LOOSE: Final = 1
"""... floating."""
CERTAIN: Final = 2
"""... proved safe."""

# Columns of `info`: what the hint of a cell may tell.
ZERO: Final = 0
"""About how likely the cell shows a zero."""
RESOLVED: Final = 1
"""About how likely its hint settles all neighbours."""
SPREAD: Final = 2
"""The variance of the hint."""


class Scratch(NamedTuple):
    """Room to describe one position."""

    feature: Floats
    """(FEATURES,): the answer."""
    kind: Ints
    """(cells,): see `structure`."""
    padded: Floats
    """(8, cells with one more row and column on each side): scratch."""
    around: Ints
    """(cells, 3): see above."""
    info: Floats
    """(cells, 3): see above."""
    part: Floats
    """(cells, 2): of each component, the least mine probability, and 1 where it is shut off."""
    queue: Ints
    seen: Ints
    total: Floats
    least: Floats
    """(3,): the least mine probabilities of different boxes (all floating cells are one)."""
    hidden: NDArray[np.float32]
    """(2, units): for the network."""


def scratch_for(cells: int) -> Scratch:
    """Room for boards with up to so many cells."""
    return Scratch(
        np.zeros(FEATURES),
        np.zeros(cells, np.int32),
        np.zeros((8, 3 * cells + 6)),
        np.zeros((cells, 3), np.int32),
        np.zeros((cells, 3)),
        np.zeros((cells, 2)),
        np.zeros(cells, np.int32),
        np.zeros(3 * cells + 6, np.int32),
        np.zeros(TOTALS),
        np.zeros(3),
        np.zeros((2, _MOST_UNITS), np.float32),
    )


@compiled
def put(feature: Floats, table: int, x: float, weight: float) -> None:
    """Share a weight between the two bins next to a number from 0 to 1."""
    start = FROM_TABLES + table * len(BINS)
    upper = _UPPER[int(x * 19.999)]
    part = (x - BINS[upper - 1]) / (BINS[upper] - BINS[upper - 1])
    feature[start + upper] += 0.25 * weight * part
    feature[start + upper - 1] += 0.25 * weight * (1.0 - part)
