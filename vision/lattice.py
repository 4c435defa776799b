"""Generic lattices: where on a picture equal boxes stand in rows and columns.

No skin is needed here. A board's cells, whatever they look like, are separated by lines,
bevels or gaps, so that between the edges of the picture lies one connected face for each
cell. The theory in three steps:

1. Edges: pixels that differ from the one to the left or above. What is left between them
   falls into connected faces.
2. Faces of the same height in the same rows, next to each other, are neighbours, and so
   are faces of the same width in the same columns. Neighbours of neighbours make a group.
3. A group's left and upper edges are fitted with straight combs: pitch and origin come
   out to a fraction of a pixel, because rounding errors of many cells average out.

A glyph inside a cell does not matter, because the face around it has the same box.
Covered and opened cells have faces of different size and make groups of their own;
whichever is larger is tried first by those who ask.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

MIN_FACE: Final = 5
"""Pixels: the face of a bevelled cell at a pitch of 10."""
MAX_FACE: Final = 150
MIN_FACES: Final = 4

_EDGE: Final = 5
"""Grey levels between neighbouring pixels that make an edge; sgt-mines' opened cells are
lined with 26, gradients of the looks we know stay under 4."""
_FILLED: Final = 0.25
"""Least part of its box that a face fills: a glyph takes the rest."""

_UNEVEN: Final = 0.06
"""Part of a pitch by which the faces of a group may begin off their comb: those of opened
and covered cells may be of one size, but at another place in the cell."""
_KIN: Final = 0.35
"""Part of a pitch by which faces of cells in different states may differ in size."""
_ASIDE: Final = 0.15
"""Part of a pitch by which their middles may differ."""
_ROUNDS: Final = 3
"""Each time faces twice as far away are taken in."""
_STRAY: Final = 1.6
"""Pixels off the usual begin of its kind beyond which a face is left out."""
_WHOLE: Final = 0.6
"""Pixels over a whole board within which a pitch is taken for a whole number."""

Ints = NDArray[np.intp]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Lattice:
    """Equal faces in rows and columns, in pixels of the picture."""

    left: float
    """Left edge of the face in column 0."""
    top: float
    pitch_x: float
    pitch_y: float
    face_width: float
    face_height: float
    rows: Ints
    """(n,) row of each face."""
    cols: Ints
    """(n,) column of each face."""

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def center(self) -> tuple[float, float]:
        """The middle (x, y) of its extent."""
        return (
            self.left + self.pitch_x * float(self.cols.max()) / 2 + self.face_width / 2,
            self.top + self.pitch_y * float(self.rows.max()) / 2 + self.face_height / 2,
        )


def find_lattices(image: NDArray[np.uint8]) -> list[Lattice]:
    """The lattices of a picture, the one with the most faces first.

    Args:
        image: (H, W, 3) uint8 BGR.
    """
    boxes = _faces(image)
    if len(boxes) < MIN_FACES:
        return []
    x, y, w, h = boxes.T
    across = _neighbours(x, y, w, h)
    down = _neighbours(y, x, h, w)
    labels = _groups(len(boxes), np.concatenate([across, down]))
    lattices = []
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    sizes = np.diff(starts, append=len(order))
    steps = _steps(across, x, labels), _steps(down, y, labels)
    for start, size in zip(starts[sizes >= MIN_FACES], sizes[sizes >= MIN_FACES], strict=True):
        members = order[start : start + size]
        label = int(labels[members[0]])
        if label in steps[0] and label in steps[1]:
            lattice = _fit(boxes[members], steps[0][label], steps[1][label])
            if lattice is not None:
                lattices.append(_completed(lattice, boxes))
    return sorted(lattices, key=len, reverse=True)


def edges(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(H, W) uint8: 255 where a pixel differs from the one to its left or above."""
    found = np.zeros(image.shape[:2], np.uint8)
    if min(found.shape) < 2:
        return found
    across = cv2.cvtColor(cv2.absdiff(image[:, 1:], image[:, :-1]), cv2.COLOR_BGR2GRAY)
    down = cv2.cvtColor(cv2.absdiff(image[1:], image[:-1]), cv2.COLOR_BGR2GRAY)
    found[:, 1:] = across
    np.maximum(found[1:], down, out=found[1:])
    return np.asarray(cv2.threshold(found, _EDGE, 255, cv2.THRESH_BINARY)[1], np.uint8)


def _faces(image: NDArray[np.uint8]) -> Ints:
    """(n, 4) boxes x, y, w, h of the connected faces that may be cells."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(
        cv2.bitwise_not(edges(image)), connectivity=4, ltype=cv2.CV_32S
    )
    w, h = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
    fits = (w >= MIN_FACE) & (w <= MAX_FACE) & (h >= MIN_FACE) & (h <= MAX_FACE)
    fits &= (2 * w >= h) & (2 * h >= w)
    fits &= stats[:, cv2.CC_STAT_AREA] >= _FILLED * w * h
    return stats[fits][:, :4].astype(np.intp)


def _neighbours(x: Ints, y: Ints, w: Ints, h: Ints) -> Ints:
    """(m, 2) pairs of faces beside each other in one row, the left one first.

    Nearer than twice a face and two pixels: the pitch is larger than the face, so that
    the next but one is never nearer than that.
    """
    order = np.lexsort((x, h, y))
    one, other = order[:-1], order[1:]
    step = x[other] - x[one]
    beside = (y[one] == y[other]) & (h[one] == h[other])
    beside &= (np.abs(w[one] - w[other]) <= 1) & (step > w[one]) & (step < 2 * w[one] + 2)
    return np.stack([one[beside], other[beside]], axis=1)


def _groups(n: int, pairs: Ints) -> Ints:
    """(n,) the smallest member's number of the group that each face belongs to."""
    labels = np.arange(n)
    while True:
        smallest = labels[pairs].min(axis=1)
        before = labels.copy()
        np.minimum.at(labels, pairs[:, 0], smallest)
        np.minimum.at(labels, pairs[:, 1], smallest)
        labels = labels[labels]
        if np.array_equal(labels, before):
            return labels


def _steps(pairs: Ints, x: Ints, labels: Ints) -> dict[int, float]:
    """Mean distance between neighbours, by group."""
    names, where = np.unique(labels[pairs[:, 0]], return_inverse=True)
    step = (x[pairs[:, 1]] - x[pairs[:, 0]]).astype(np.float64)
    means = np.bincount(where, step) / np.bincount(where)
    return dict(zip(names.tolist(), means.tolist(), strict=True))


def _fit(boxes: Ints, step_x: float, step_y: float) -> Lattice | None:
    """A group as a lattice; None where its faces do not stand in rows and columns."""
    across = _comb(boxes[:, 0], step_x)
    down = _comb(boxes[:, 1], step_y)
    if across is None or down is None:
        return None
    return Lattice(
        left=across[1],
        top=down[1],
        pitch_x=across[0],
        pitch_y=down[0],
        face_width=float(np.median(boxes[:, 2])),
        face_height=float(np.median(boxes[:, 3])),
        rows=down[2],
        cols=across[2],
    )


def _completed(lattice: Lattice, boxes: Ints) -> Lattice:
    """The lattice with its pitch measured on all faces around that stand in it.

    Faces of another size, those of cells in another state, have edges of their own, so
    each size gets its own offset; the pitch is common to all.
    """
    span = int(lattice.cols.max()) + 1, int(lattice.rows.max()) + 1
    for _ in range(_ROUNDS):
        along = [
            _teeth(boxes, 0, lattice.left + lattice.face_width / 2, lattice.pitch_x, span[0]),
            _teeth(boxes, 1, lattice.top + lattice.face_height / 2, lattice.pitch_y, span[1]),
        ]
        near = along[0][1] & along[1][1]
        near &= np.abs(boxes[:, 2] - lattice.face_width) <= _KIN * lattice.pitch_x
        near &= np.abs(boxes[:, 3] - lattice.face_height) <= _KIN * lattice.pitch_y
        if near.sum() < MIN_FACES:
            break
        chosen = boxes[near]
        _, kind = np.unique(chosen[:, 2] * 1000 + chosen[:, 3], return_inverse=True)
        own = kind[
            np.abs(chosen[:, 2:] - (lattice.face_width, lattice.face_height)).sum(1).argmin()
        ]
        across = _common_pitch(along[0][0][near], chosen[:, 0], kind, own, lattice.pitch_x)
        down = _common_pitch(along[1][0][near], chosen[:, 1], kind, own, lattice.pitch_y)
        if across is None or down is None:
            break
        lattice = replace(lattice, pitch_x=across[0], left=across[1], pitch_y=down[0], top=down[1])
        span = 2 * span[0], 2 * span[1]
    return lattice


def _teeth(
    boxes: Ints, axis: int, origin: float, pitch: float, reach: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """The tooth next to each box's middle, and whether it is near enough and within reach."""
    place = (boxes[:, axis] + boxes[:, axis + 2] / 2 - origin) / pitch
    teeth = np.rint(place)
    close = (np.abs(place - teeth) <= _ASIDE) & (teeth > -reach) & (teeth < 2 * reach)
    return teeth, close


def _common_pitch(
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
    usual = np.array([np.median(begins[kind == one]) for one in range(int(kind.max()) + 1)])
    # A glyph may cut a face into pieces that are no whole ones.
    kept = np.abs(begins - usual[kind]) <= _STRAY
    teeth, places, kind = teeth[kept], places[kept], kind[kept]
    counts = np.maximum(np.bincount(kind, minlength=len(usual)), 1)
    middle = np.bincount(kind, teeth, len(usual)) / counts
    place = np.bincount(kind, places, len(usual)) / counts
    along = teeth - middle[kind]
    weight = float(np.square(along).sum())
    if weight == 0:
        return None
    pitch = float((along * (places - place[kind])).sum() / weight)
    nearest = round(pitch)
    if abs(pitch - nearest) * float(np.ptp(teeth)) < _WHOLE:
        return float(nearest), float(np.median((places - nearest * teeth)[kind == own]))
    return pitch, float(place[own] - pitch * middle[own])


def _comb(places: Ints, step: float) -> tuple[float, float, Ints] | None:
    """Pitch, origin and each place's tooth; None where the places are no comb."""
    distinct, where = np.unique(places, return_inverse=True)
    # Rounded from one to the next, so that an error of the step does not add up.
    teeth = np.concatenate([[0], np.cumsum(np.rint(np.diff(distinct) / step))])
    if teeth[-1] == 0:
        return None
    pitch, origin = np.polyfit(teeth, distinct, 1)
    if np.abs(distinct - (origin + pitch * teeth)).max() > 1.0 + _UNEVEN * pitch:
        return None
    return float(pitch), float(origin), teeth.astype(np.intp)[where]
