"""Probabilities where counting would cost too much: the least presuming independent cells.

Among all ways to give each cell a mine independently of the others, this takes the one
of largest entropy for which every constraint, and the number of mines on the board, is
met *on average*. A cell's log odds are then a sum of one number for the whole board and
one for each constraint over it, found by scaling one after the other until all fit
(iterative proportional fitting, Deming and Stephan 1940).

It is an estimate: it proves nothing. Components that could be counted keep their exact
counts, each weighted with the same odds of a mine instead of the exact number of mines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.solver.constraints import Shape
from bot.solver.counts import Count
from bot.solver.ordering import boxes_in

Floats = NDArray[np.float64]

_ROUNDS: Final = 300
"""On tests/positions ten times as many change a probability by 0.003 in the mean at the
most; the cells that creep on are those that are certain in truth."""
_UNPROVED: Final = 1e-6
"""Estimates stay this far from 0 and 1, which are reserved for proofs."""


def estimate(
    shapes: Sequence[Shape],
    counts: Sequence[Count | None],
    floating: int,
    mines: int,
    check: Callable[[], object] = lambda: None,
) -> tuple[list[list[float]], float]:
    """Estimate the mine probability of a cell in each box of each component, and of floating ones.

    Args:
        shapes: All components.
        counts: The counts of those that could be counted; what all their placements
            agree on stays certain.
        floating: Number of floating cells.
        mines: Mines in all of them together.
        check: Called now and then; may raise to break off.
    """
    wide = [_Wide(shape) for shape, count in zip(shapes, counts, strict=True) if count is None]
    cells = floating + sum(sum(shape.sizes) for shape in shapes)
    log_odds = _log_odds(mines, cells)
    counted = [_Counted(count) for count in counts if count is not None]
    for _ in range(_ROUNDS):
        check()
        expected = floating * _chance(log_odds)
        expected += sum(part.expected(log_odds) for part in counted)
        expected += sum(part.fit(log_odds) for part in wide)
        log_odds += 0.5 * (_log_odds(mines, cells) - _log_odds(expected, cells))
    wide_boxes, counted_boxes = iter(wide), iter(counted)
    boxes = [
        next(wide_boxes).boxes(log_odds) if count is None else next(counted_boxes).boxes(log_odds)
        for count in counts
    ]
    return boxes, min(max(_chance(log_odds), _UNPROVED), 1 - _UNPROVED)


class _Wide:
    """A component that is fitted."""

    def __init__(self, shape: Shape) -> None:
        self._sizes = np.array(shape.sizes, np.float64)
        self._scales = np.zeros(len(shape.rules))
        pairs = [
            (rule, box) for rule, (mask, _) in enumerate(shape.rules) for box in boxes_in(mask)
        ]
        self._rule, self._box = np.array(pairs).T
        self._owed = np.array([owed for _, owed in shape.rules], np.float64)
        self._room = self._within(self._sizes)
        self._degree = np.bincount(self._box).max()

    def fit(self, log_odds: float) -> float:
        """Scale every constraint once; the expected number of mines."""
        chances = self._chances(log_odds)
        expected = self._within(self._sizes * chances)
        # All constraints are scaled at once, so each takes only its part of the step.
        self._scales += (
            np.log(self._owed / (self._room - self._owed))
            - np.log(expected / (self._room - expected))
        ) / self._degree
        return float(self._sizes @ chances)

    def boxes(self, log_odds: float) -> list[float]:
        chances: list[float] = self._chances(log_odds).tolist()
        return chances

    def _chances(self, log_odds: float) -> Floats:
        over = np.bincount(self._box, self._scales[self._rule], len(self._sizes))
        chances: Floats = 1 / (1 + np.exp(-(log_odds + over).clip(-30, 30)))
        return chances.clip(_UNPROVED, 1 - _UNPROVED)

    def _within(self, values: Floats) -> Floats:
        """For each rule, the sum of the values of its boxes."""
        return np.bincount(self._rule, values[self._box], len(self._scales)).astype(np.float64)


class _Counted:
    """A component whose placements are known."""

    def __init__(self, count: Count) -> None:
        self._count = count
        self._totals, self._shares = count.tilted(0)
        self._numbers = np.arange(len(self._totals))

    def expected(self, log_odds: float) -> float:
        weights = self._weights(log_odds)
        return self._count.low + float(weights @ self._numbers) / float(weights.sum())

    def boxes(self, log_odds: float) -> list[float]:
        scale = np.exp(log_odds * (self._numbers - self._numbers.mean()))
        found = self._shares @ scale / (self._weights(log_odds).sum() * np.array(self._count.sizes))
        return [
            0.0 if not any(share) else 1.0 if not free else min(max(p, _UNPROVED), 1 - _UNPROVED)
            for p, share, free in zip(
                found.tolist(), self._count.shares, self._count.free, strict=True
            )
        ]

    def _weights(self, log_odds: float) -> Floats:
        weights: Floats = self._totals * np.exp(log_odds * (self._numbers - self._numbers.mean()))
        return weights


def _chance(log_odds: float) -> float:
    return float(1 / (1 + np.exp(-log_odds)))


def _log_odds(expected: float, cells: int) -> float:
    return float(np.log((expected + 1e-3) / (cells - expected + 1e-3)))
