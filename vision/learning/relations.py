"""How kinds of tile are related by their looks: same mark, like ground, one with more on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.digits import NO_DIGIT
from vision.learning.evidence import (
    Floats,
    Reading,
    adds_to,
    ground_distance,
    kin_mark,
    one_within,
    other_mark,
    same_mark,
)
from vision.learning.features import Traits

_PERHAPS: Final = 0.5
_PERHAPS_QUESTION: Final = 0.1
"""Probabilities from which a mark may be a digit, or a question mark by itself: strokes of
which are in many another mark."""

Bools = NDArray[np.bool_]


class Relations:
    """Remembers what was compared; kinds are numbered as in a grouping."""

    def __init__(self, traits: Sequence[Traits], readings: Sequence[Reading]) -> None:
        self._traits = traits
        self._readings = readings
        self._known: dict[tuple[int, int], tuple[float, bool, bool, bool, bool, bool]] = {}

    def table(self, kinds: Sequence[int]) -> tuple[Floats, Bools, Bools, Bools, Bools, Bools]:
        """(k, k) each: `ground_distance`, `same_mark`, `kin_mark`, `other_mark`, and so on."""
        pairs = np.array([[self._of(one, other) for other in kinds] for one in kinds])
        apart, same, kin, unlike, within, adds = np.moveaxis(pairs, 2, 0)
        return apart, same > 0, kin > 0, unlike > 0, within > 0, adds > 0

    def _of(self, one: int, other: int) -> tuple[float, bool, bool, bool, bool, bool]:
        if (one, other) not in self._known:
            a, b = self._traits[one], self._traits[other]
            same, kin, apart = same_mark(a, b), kin_mark(a, b), ground_distance(a, b)
            unlike, within = other_mark(a, b), one_within(a, b)
            written = same or self._written(one) or self._written(other)
            for key, adds in (((one, other), adds_to(a, b)), ((other, one), adds_to(b, a))):
                self._known[key] = apart, same, kin, unlike, within, adds and not written
        return self._known[one, other]

    def _written(self, kind: int) -> bool:
        """Whether a kind's mark may well be a digit, or a question mark by itself."""
        reading = self._readings[kind]
        digit = float(reading.digits[:NO_DIGIT].max())
        return digit > _PERHAPS or reading.question > _PERHAPS_QUESTION
