"""Combs: the lines of a lattice along one axis, fitted to where its faces begin.

A pitch comes out to a fraction of a pixel, because the rounding errors of many cells average
out. GTK's boards are no straight combs: its cells have whole sizes, and what is left over
goes to the first ones, a pixel each.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_UNEVEN: Final = 0.06
"""Part of a pitch by which the faces of a group may begin off their comb: those of opened
and covered cells may be of one size, but at another place in the cell."""
_STRAIGHT: Final = 0.75
"""Pixels off a straight comb that come of rounding."""
_STRAY: Final = 1.6
"""Pixels off the usual begin of its kind beyond which a face is left out."""
_WHOLE: Final = 0.6
"""Pixels over a whole board within which a pitch is taken for a whole number."""

Ints = NDArray[np.intp]
Floats = NDArray[np.float64]


def offsets(numbers: Ints | int, pitch: float, wide: int | None) -> Floats:
    """How far lines of cells lie from the first one, of which some may be a pixel wider."""
    numbers = np.asarray(numbers)
    wider = 0 if wide is None else np.minimum(numbers, wide)
    return np.asarray(numbers * pitch + wider, np.float64)


def fit_wide(
    teeth: Ints, places: Ints, origin: float, pitch: float
) -> tuple[float, float, int] | None:
    """Whole pitch, origin and how many lines are wider; None where a straight comb fits."""
    if np.abs(places - origin - pitch * teeth).max() <= _STRAIGHT:
        return None
    for whole in (int(np.floor(pitch)), int(np.ceil(pitch)) - 1):
        beyond = places - whole * teeth
        first = int(beyond[teeth == teeth.min()].min())
        wide = int(beyond.max()) - first
        if np.array_equal(beyond, first + np.minimum(teeth, wide)):
            return float(whole), float(first), wide
    return None


def common_pitch(
    teeth: Floats, places: Ints, kind: Ints, own: int, guess: float
) -> tuple[float, float] | None:
    """Least squares with one pitch and an origin for each kind.

    Args:
        teeth: (n,) which column or row each face is in.
        places: (n,) where it begins, in pixels.
        kind: (n,) faces of one kind begin at the same place in their cells.
        own: The kind whose origin is wanted.
        guess: The pitch, roughly.

    Returns:
        Pitch and origin; None where the faces do not tell.
    """
    begins = places - guess * teeth
    usual = _middles(begins, kind)
    # A glyph may cut a face into pieces that are no whole ones.
    kept = np.abs(begins - usual[kind]) <= _STRAY
    teeth, places, kind = teeth[kept], places[kept], kind[kept]
    counts = np.maximum(np.bincount(kind, minlength=len(usual)), 1)
    mean_tooth = np.bincount(kind, teeth, len(usual)) / counts
    place = np.bincount(kind, places, len(usual)) / counts
    along = teeth - mean_tooth[kind]
    weight = float(np.square(along).sum())
    if weight == 0:
        return None
    pitch = float((along * (places - place[kind])).sum() / weight)
    nearest = round(pitch)
    if abs(pitch - nearest) * float(np.ptp(teeth)) < _WHOLE:
        return float(nearest), middle((places - nearest * teeth)[kind == own])
    return pitch, float(place[own] - pitch * mean_tooth[own])


def _middles(values: Floats | Ints, kind: Ints) -> Floats:
    """(kinds,) the median of each kind; of two middle values the larger one."""
    order = np.lexsort((values, kind))
    counts = np.bincount(kind)
    ends = np.cumsum(counts)
    return np.asarray(values[order][ends - counts + counts // 2], np.float64)


def middle(values: NDArray[Any]) -> float:
    """Return the median of a few values, ten times faster than `numpy.median`."""
    return float(np.partition(values, len(values) // 2)[len(values) // 2])


def regular(steps: Ints, group: Ints) -> NDArray[np.bool_]:
    """Return (n,) whether each step is as long as most of its group, to what a comb allows."""
    if not len(steps):
        return np.zeros(0, np.bool_)
    _, kind = np.unique(group, return_inverse=True)
    usual = _middles(steps, kind)[kind]
    return np.asarray(np.abs(steps - usual) <= 1.0 + _UNEVEN * usual, np.bool_)


def fit_comb(places: Ints, step: float) -> tuple[float, float, Ints] | None:
    """Pitch, origin and each place's tooth; None where the places are no comb."""
    distinct, where = np.unique(places, return_inverse=True)
    # Rounded from one to the next, so that an error of the step does not add up.
    teeth = np.concatenate([[0], np.cumsum(np.rint(np.diff(distinct) / step))])
    if teeth[-1] == 0:
        return None
    mean = teeth.mean()
    pitch = float(((teeth - mean) * distinct).sum() / np.square(teeth - mean).sum())
    origin = float(distinct.mean() - pitch * mean)
    numbers = teeth.astype(np.intp)
    uneven = np.abs(distinct - (origin + pitch * teeth)).max() > 1.0 + _UNEVEN * pitch
    if uneven and fit_wide(numbers, distinct, origin, pitch) is None:
        return None
    return pitch, origin, numbers[where]
