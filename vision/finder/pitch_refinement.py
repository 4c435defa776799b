"""Polishing a place: pitch and origin to a fraction of a pixel, by how the tiles fit."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.finder.candidates import spread
from vision.finder.placing import SAMPLES, Place, Side, Span, misfit_of
from vision.finder.resemblance import Resemblance

_MOVES: Final = (0.0, -0.5, 0.5, -1.0, 1.0)
"""Pixels by which the end of a board is moved to where it fits best."""
_NEARLY_WHOLE: Final = 0.75
"""Pixels over a whole board within which a pitch is taken for a whole number."""
_SIMPLER: Final = 1.6
"""Pixels over a whole board by which a simpler pitch may differ."""
_AS_WELL: Final = 0.004
"""Misfit by which a simpler pitch may be worse."""


def polished(image: NDArray[np.uint8], place: Place, span: Span, measure: Resemblance) -> Place:
    """Return the place with pitch and origin corrected by how the tiles at both ends fit.

    A pitch that is off by a hundredth of a pixel is off by one on the far side of a large
    board. Each end of a span is moved on its own by up to a pixel to where its tiles fit
    best, and the place is stretched to go through both.
    """
    bent = place.wide_cols is not None or place.wide_rows is not None
    if bent or measure.own_size(place.pitch_x, place.pitch_y):
        return place
    left, right = (_best_move(image, place, span, side, measure) for side in ("left", "right"))
    pitch, origin = _stretched(place.pitch_x, place.left, span.left, span.right, left, right)
    place = replace(place, pitch_x=pitch, left=origin)
    top, bottom = (_best_move(image, place, span, side, measure) for side in ("top", "bottom"))
    pitch, origin = _stretched(place.pitch_y, place.top, span.top, span.bottom, top, bottom)
    return _simplest(image, replace(place, pitch_y=pitch, top=origin), span, measure)


def _simplest(image: NDArray[np.uint8], place: Place, span: Span, measure: Resemblance) -> Place:
    """Return the place, or one nearby with a simpler pitch that fits as well.

    Whole, or square and in quarters (125 %, 150 %, 175 % of a whole one), or square.
    """
    square = (place.pitch_x * span.cols + place.pitch_y * span.rows) / (span.cols + span.rows)
    pitches = [
        (float(round(place.pitch_x)), float(round(place.pitch_y))),
        (round(4 * square) / 4, round(4 * square) / 4),
        (square, square),
        (place.pitch_x, place.pitch_y),
    ]
    misfits = []
    places = [_about_middle(place, span, *pitch) for pitch in pitches]
    for one in places:
        moved = abs(one.pitch_x - place.pitch_x) * span.cols
        moved = max(moved, abs(one.pitch_y - place.pitch_y) * span.rows)
        tiles = one.cut(image, span)
        tiles = tiles[spread(len(tiles), 4 * SAMPLES)]
        misfits.append(misfit_of(measure, tiles) if moved <= _SIMPLER else np.inf)
    best = min(misfits)
    return next(
        one for one, misfit in zip(places, misfits, strict=True) if misfit <= best + _AS_WELL
    )


def _about_middle(place: Place, span: Span, pitch_x: float, pitch_y: float) -> Place:
    """Return the place with another pitch and the same middle of a span.

    Whole where the pitch is.
    """
    across, down = (span.left + span.right) / 2, (span.top + span.bottom) / 2
    left = place.left + (place.pitch_x - pitch_x) * across
    top = place.top + (place.pitch_y - pitch_y) * down
    return Place(
        round(left) if pitch_x == round(pitch_x) else left,
        round(top) if pitch_y == round(pitch_y) else top,
        pitch_x,
        pitch_y,
    )


def _best_move(
    image: NDArray[np.uint8], place: Place, span: Span, side: Side, measure: Resemblance
) -> float:
    """By how many pixels the tiles of a side's outermost lines fit better, across the side."""
    depth = max(min(span.rows, span.cols) // 4, 1)
    part = {
        "left": span._replace(right=min(span.left + depth, span.right)),
        "right": span._replace(left=max(span.right - depth, span.left)),
        "top": span._replace(bottom=min(span.top + depth, span.bottom)),
        "bottom": span._replace(top=max(span.bottom - depth, span.top)),
    }[side]
    across = side in ("left", "right")
    distances = []
    for move in _MOVES:
        moved = (
            replace(place, left=place.left + move)
            if across
            else replace(place, top=place.top + move)
        )
        tiles = moved.cut(image, part)
        distances.append(misfit_of(measure, tiles[spread(len(tiles), SAMPLES)]))
    return _MOVES[int(np.argmin(distances))]


def _stretched(
    pitch: float, origin: float, first: int, last: int, at_first: float, at_last: float
) -> tuple[float, float]:
    """Pitch and origin after both ends were moved; a whole pitch stays, or becomes, whole."""
    length = last - first
    stretched = pitch + (at_last - at_first) / length
    nearest = round(stretched)
    middle = origin + pitch * (first + last) / 2 + (at_first + at_last) / 2
    if abs(stretched - nearest) * length < _NEARLY_WHOLE:
        return float(nearest), float(round(middle - nearest * (first + last) / 2))
    return stretched, middle - stretched * (first + last) / 2
