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

from vision.finder.combs import (
    Floats,
    Ints,
    common_pitch,
    fit_comb,
    fit_wide,
    middle,
    offsets,
    regular,
)
from vision.finder.faces import faces_between, faces_of
from vision.supported import LEAST_CELL, LEAST_LINES

MIN_PITCH: Final = LEAST_CELL - 0.5
MAX_PITCH: Final = 125.0
OBLONG: Final = 4 / 3
"""How many times wider than high, or higher than wide, a cell may be."""
MIN_FACES: Final = 4

_LARGE: Final = 40.0
"""Pixels of a cell from which on it is looked for in a smaller picture."""

_KIN: Final = 0.35
"""Part of a pitch by which faces of cells in different states may differ in size."""
_ASIDE: Final = 0.15
"""Part of a pitch by which their middles may differ."""
_MORE: Final = 1.1
"""How many times as many faces another picture of the same cells may show."""
_SAME: Final = 1.5, 2.0
"""Pixels by which its length and its middle may differ then."""
_ROUNDS: Final = 3
"""Each time faces twice as far away are taken in."""


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
    wide_cols: int | None = None
    """The columns before this one are a pixel wider than the pitch: GTK gives cells whole sizes,
    and what is left over to the first ones. None where all are alike."""
    wide_rows: int | None = None

    def x(self, cols: Ints | int) -> Floats:
        """Left edge of the faces in some columns."""
        return self.left + offsets(cols, self.pitch_x, self.wide_cols)

    def y(self, rows: Ints | int) -> Floats:
        """Upper edge of the faces in some rows."""
        return self.top + offsets(rows, self.pitch_y, self.wide_rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def possible(self) -> bool:
        """Whether a board's cells may have this pitch and shape."""
        return (
            MIN_PITCH <= self.pitch_x <= MAX_PITCH
            and MIN_PITCH <= self.pitch_y <= MAX_PITCH
            and 1 / OBLONG <= self.pitch_x / self.pitch_y <= OBLONG
        )

    @property
    def center(self) -> tuple[float, float]:
        """The middle (x, y) of its extent."""
        return (
            (self.left + float(self.x(self.cols.max())) + self.face_width) / 2,
            (self.top + float(self.y(self.rows.max())) + self.face_height) / 2,
        )

    def doubled(self) -> Lattice:
        """Return the same lattice in a picture of twice the size."""
        sizes = ("left", "top", "pitch_x", "pitch_y", "face_width", "face_height")
        return replace(
            self,
            **{name: 2 * getattr(self, name) for name in sizes},
            wide_cols=None,
            wide_rows=None,
        )

    def repeats(self, other: Lattice) -> bool:
        """Return whether it has the cells of another lattice of a sharper picture, and few more."""
        cells = max(int(self.cols.max()), int(self.rows.max())) + 1
        apart = max(abs(self.pitch_x - other.pitch_x), abs(self.pitch_y - other.pitch_y)) * cells
        aside = max(abs(a - b) for a, b in zip(self.center, other.center, strict=True))
        return len(self) <= _MORE * len(other) and apart <= _SAME[0] and aside <= _SAME[1]


def find_lattices(
    image: NDArray[np.uint8], blur: int = 0, found: NDArray[np.uint8] | None = None
) -> list[Lattice]:
    """Return the lattices of a picture, the one with the most faces first.

    Args:
        image: (H, W, 3) uint8 BGR.
        blur: How much it is blurred before; one of `BLURS`. Noise and hatching vanish with it,
            and so do narrow faces.
        found: Its edges, where they are known.
    """
    boxes = faces_of(image, blur) if found is None else faces_between(found)
    if len(boxes) < MIN_FACES:
        return []
    x, y, w, h = boxes.T
    across = _neighbours(x, y, w, h)
    down = _neighbours(y, x, h, w)
    labels = _groups(len(boxes), np.concatenate([across, down]))
    lattices, uneven = _fitted(boxes, labels, across, down)
    if uneven.any():
        # A button as large as a cell's face is not as far from the board as the cells are apart.
        across, down = (
            pairs[regular(at[pairs[:, 1]] - at[pairs[:, 0]], labels[pairs[:, 0]])]
            for pairs, at in ((across[uneven[across[:, 0]]], x), (down[uneven[down[:, 0]]], y))
        )
        labels = _groups(len(boxes), np.concatenate([across, down]))
        lattices += _fitted(boxes, labels, across, down)[0]
    return sorted(lattices, key=len, reverse=True)


def _fitted(
    boxes: Ints, labels: Ints, across: Ints, down: Ints
) -> tuple[list[Lattice], NDArray[np.bool_]]:
    """Return the lattices of groups of neighbours, and (n,) which faces could be a board's else."""
    x, y = boxes[:, 0], boxes[:, 1]
    lattices, uneven = [], np.zeros(len(boxes), np.bool_)
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
                lattices.append(_bent(_completed(lattice, boxes), boxes[members]))
            elif size >= LEAST_LINES**2:
                uneven[members] = True
    return lattices, uneven


def find_large_lattices(image: NDArray[np.uint8]) -> list[Lattice]:
    """Those of a picture of half the size: an enlarged hatching is blurred away there.

    Lattices of small cells, which the picture itself has shown, are left out.
    """
    if min(image.shape[:2]) < 2 * _LARGE:
        return []
    half = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    small = find_lattices(half.astype(np.uint8, copy=False), 5)
    return [one.doubled() for one in small if min(one.pitch_x, one.pitch_y) >= _LARGE / 2]


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
    """Return a group as a lattice; None if its faces do not stand in rows and columns."""
    across = fit_comb(boxes[:, 0], step_x)
    down = fit_comb(boxes[:, 1], step_y)
    if across is None or down is None:
        return None
    return Lattice(
        left=across[1],
        top=down[1],
        pitch_x=across[0],
        pitch_y=down[0],
        face_width=middle(boxes[:, 2]),
        face_height=middle(boxes[:, 3]),
        rows=down[2],
        cols=across[2],
    )


def _completed(lattice: Lattice, boxes: Ints) -> Lattice:
    """Return the lattice with its pitch measured on all faces around that stand in it.

    Faces of another size, those of cells in another state, have edges of their own, so
    each size gets its own offset; the pitch is common to all.
    """
    span = int(lattice.cols.max()) + 1, int(lattice.rows.max()) + 1
    alike = np.abs(boxes[:, 2] - lattice.face_width) <= _KIN * lattice.pitch_x
    alike &= np.abs(boxes[:, 3] - lattice.face_height) <= _KIN * lattice.pitch_y
    boxes, before = boxes[alike], 0
    for _ in range(_ROUNDS):
        along = [
            _teeth(boxes, 0, lattice.left + lattice.face_width / 2, lattice.pitch_x, span[0]),
            _teeth(boxes, 1, lattice.top + lattice.face_height / 2, lattice.pitch_y, span[1]),
        ]
        near = along[0][1] & along[1][1]
        count = int(np.count_nonzero(near))
        if count < MIN_FACES or count == before:
            break
        before = count
        chosen = boxes[near]
        _, kind = np.unique(chosen[:, 2] * 1000 + chosen[:, 3], return_inverse=True)
        own = kind[
            np.abs(chosen[:, 2:] - (lattice.face_width, lattice.face_height)).sum(1).argmin()
        ]
        across = common_pitch(along[0][0][near], chosen[:, 0], kind, own, lattice.pitch_x)
        down = common_pitch(along[1][0][near], chosen[:, 1], kind, own, lattice.pitch_y)
        if across is None or down is None:
            break
        lattice = replace(lattice, pitch_x=across[0], left=across[1], pitch_y=down[0], top=down[1])
        span = 2 * span[0], 2 * span[1]
    return lattice


def _bent(lattice: Lattice, boxes: Ints) -> Lattice:
    """Return the lattice with its first columns or rows a pixel wider if its faces show it."""
    across = fit_wide(lattice.cols, boxes[:, 0], lattice.left, lattice.pitch_x)
    down = fit_wide(lattice.rows, boxes[:, 1], lattice.top, lattice.pitch_y)
    if across is not None:
        pitch, origin, wide = across
        lattice = replace(lattice, pitch_x=pitch, left=origin, wide_cols=wide)
    if down is not None:
        pitch, origin, wide = down
        lattice = replace(lattice, pitch_y=pitch, top=origin, wide_rows=wide)
    return lattice


def _teeth(
    boxes: Ints, axis: int, origin: float, pitch: float, reach: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the tooth next to each box's middle, and whether it is near enough and in reach."""
    place = (boxes[:, axis] + boxes[:, axis + 2] / 2 - origin) / pitch
    teeth = np.rint(place)
    close = (np.abs(place - teeth) <= _ASIDE) & (teeth > -reach) & (teeth < 2 * reach)
    return teeth, close
