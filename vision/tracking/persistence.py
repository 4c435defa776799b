"""What must be so for a while before it is believed."""

from __future__ import annotations

from typing import Final

from bot.frame import Grid

_NEAR: Final = 0.25
"""Part of a pitch by which a lattice may seem to move: Simon Tatham's Mines flashes at a loss, and
its cells are found a pixel beside where they were."""


class Persistence:
    """Notices what stays the same.

    Args:
        seconds: How long it must.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._what: object = None
        self._since = 0.0

    def holds(self, what: object, time: float) -> bool:
        """Return whether it has been this, and nothing else, for so long at a time in seconds."""
        if what != self._what:
            self._what, self._since = what, time
        return time - self._since >= self._seconds


def near(one: Grid, other: Grid) -> bool:
    """Return whether two lattices are one board in one place, within a part of a cell."""
    if (one.rows, one.cols) != (other.rows, other.cols):
        return False
    (ends, others) = (
        (grid.left, grid.top, grid.left + grid.cols * grid.pitch_x,
         grid.top + grid.rows * grid.pitch_y)
        for grid in (one, other)
    )  # fmt: skip
    apart = max(abs(a - b) for a, b in zip(ends, others, strict=True))
    return apart < _NEAR * min(one.pitch_x, one.pitch_y)
