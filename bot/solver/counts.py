"""What is known of a component once its placements are counted, exactly and as floats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Count:
    """The placements of a component, by number of mines: index i is `low + i` mines."""

    low: int
    """Fewest mines that are possible."""
    sizes: tuple[int, ...]
    totals: tuple[int, ...]
    """Placements with so many mines."""
    shares: tuple[tuple[int, ...], ...]
    """For each box, the mines in it summed over those placements."""
    nodes: int
    """What counting cost."""

    @property
    def support(self) -> int:
        """Bit i is set where `low + i` mines are possible."""
        return _support(self.totals)

    @cached_property
    def mined(self) -> tuple[int, ...]:
        """For each box, as a bit mask: numbers of mines with which it may hold one."""
        return tuple(_support(share) for share in self.shares)

    @cached_property
    def free(self) -> tuple[int, ...]:
        """For each box, as a bit mask: numbers of mines with which it may hold a safe cell."""
        return tuple(
            _support([size * t - s for t, s in zip(self.totals, share, strict=True)])
            for size, share in zip(self.sizes, self.shares, strict=True)
        )

    @cached_property
    def _floats(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Mantissas and exponents (boxes + 1, len(totals)): totals first, then the shares."""
        rows = (self.totals, *self.shares)
        exponents = [[max(value.bit_length() - 64, 0) for value in row] for row in rows]
        mantissas = [
            [float(value >> e) for value, e in zip(row, scale, strict=True)]
            for row, scale in zip(rows, exponents, strict=True)
        ]
        return np.array(mantissas), np.array(exponents, np.int64)

    def tilted(self, tilt: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Totals (n,) and shares (boxes, n), each times 2 ** (tilt * i), the largest total near 1.

        Scaling by powers of two is exact, so that nothing is lost but what is 1e300 times
        smaller than the rest.
        """
        mantissas, exponents = self._floats
        steps = exponents + tilt * np.arange(exponents.shape[1])
        _, extra = np.frexp(mantissas[0])
        top = int((steps[0] + extra)[mantissas[0] > 0].max())
        scaled = np.ldexp(mantissas, (steps - top).clip(-4000, 4000).astype(np.int32))
        return scaled[0], scaled[1:]


def _support(values: tuple[int, ...] | list[int]) -> int:
    """Bit i is set where values[i] is not zero."""
    return sum([1 << place for place, value in enumerate(values) if value])
