"""Find lattices: equal boxes in rows and columns of a picture.

No skin is needed here. A board's cells, whatever they look like, are separated by lines,
bevels or gaps, so that between the edges of the picture lies one connected face for each
cell. The theory in three steps:

1. Edges: pixels that differ from the one to the left or above. What is left between them
   falls into connected faces.
2. Faces of the same height in the same rows, next to each other, are neighbours, and so
   are faces of the same width in the same columns. Neighbours of neighbours make a group.
3. A group's left and upper edges are fitted with straight combs: pitch and origin come
   out to a fraction of a pixel, because rounding errors of many cells average out. GTK's
   boards are no straight combs: its cells have whole sizes, and what is left over goes to
   the first ones, a pixel each.

A glyph inside a cell does not matter, because the face around it has the same box.
Covered and opened cells have faces of different size and make groups of their own;
callers try the larger one first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import LARGEST_CELL, LEAST_CELL, LEAST_LINES

MIN_PITCH: Final = LEAST_CELL - 0.5
MAX_PITCH: Final = float(LARGEST_CELL)
OBLONG: Final = 4 / 3
"""How many times wider than high, or higher than wide, a cell usually is at most."""
VERY_OBLONG: Final = 2.5
"""The same where no other board is found: some programs fill a window with buttons of text."""
LONG_FACES: Final = (2.0, 3.0)
"""Ratios of a face's sides: above the first it is long, and the second is the largest. The lines
around a face take more of its shorter side, so that it is more oblong than its cell."""
MIN_FACES: Final = 4
WIDER: Final = (1, 2)
"""Pixels by which some lines of cells may be wider, in the order in which they are tried."""


@dataclass(frozen=True)
class LatticeLimits:
    """When faces are of one lattice."""

    large: float = 40.0
    """Pixels of a cell from which on it is looked for in a smaller picture."""
    more: float = 1.1
    """How many times as many faces another picture of the same cells may show."""
    same: tuple[float, float] = (1.5, 2.0)
    """Pixels by which its length and its middle may differ then."""
    near: float = 2.0
    """Largest distance to the next face, in sizes of a face: the pitch is larger than one, so that
    the next but one is never nearer."""
    apart: float = VERY_OBLONG
    """The same for cells that are far apart in one direction."""
    corner: int = 4
    """Pixels between faces that touch at a corner."""
    most_diagonal: int = 600
    """Faces in a picture beyond which such pairs are not sought: each is compared with each."""
    aside: float = 0.15
    """Part of a pitch by which the middles of faces of different sizes may differ."""


_LATTICE: Final = LatticeLimits()

MIN_FACE: Final = 5
"""Pixels: the face of a bevelled cell at a pitch of 10."""
MAX_FACE: Final = LARGEST_CELL + 10


@dataclass(frozen=True)
class EdgeLimits:
    """Limits of the edges that a lattice is found by, in grey levels and pixels.

    `python -m tests.benchmarks.finding` measures the time of a search; `vision/RESULTS.md` says
    what single ones are worth.
    """

    edge: int = 5
    """Grey levels between neighbouring pixels that make an edge; sgt-mines' opened cells are
    lined with 26, gradients of the known skins stay under 4."""
    faint_edge: int = 2
    filled: float = 0.25
    """Least part of its box that a face fills: a glyph takes the rest."""
    stripe: int = 32
    """Rows of a picture in which edges are looked for at once."""
    crowded: float = 0.15
    """Part of a picture's pixels that are edges beyond which outlines would be too many. Measured
    on a screen of 1280x800: 12 % on a desktop of many things (5 ms by outlines, 9 by components),
    and as long either way when it is full of text; noise makes outlines ten times slower."""


_EDGES: Final = EdgeLimits()

BLURS: Final = {0: _EDGES.edge, 3: 6, 5: 3}
"""Size of the blur, in pixels, and the grey levels that make an edge after it: noise of sigma 4
leaves 2 and 1 between neighbouring pixels."""
FAINT: Final = 1
"""A way to look at a picture beside `BLURS`: not blurred, for cells that differ by few levels."""


@dataclass(frozen=True)
class CombLimits:
    """When lines stand at one pitch."""

    uneven: float = 0.06
    """Part of a pitch by which the faces of a group may begin off their comb: those of opened and
    covered cells may be of one size, but at another place in the cell."""
    straight: float = 0.75
    """Pixels off a straight comb that come of rounding."""
    stray: float = 1.6
    """Pixels off the usual begin of its kind beyond which a face is left out."""
    whole: float = 0.6
    """Pixels over a whole board within which a pitch is taken for a whole number."""


_COMB: Final = CombLimits()
Ints = NDArray[np.intp]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Pitches:
    """Rows and columns at equal distances, in pixels of the picture."""

    left: float
    """Left edge of column 0."""
    top: float
    pitch_x: float
    pitch_y: float
    wide_cols: int | None = None
    """The columns before this one are wider than the pitch: GTK gives cells whole sizes, and what
    is left over to the first ones. None where all are alike."""
    wide_rows: int | None = None
    wider: int = 1
    """By how many pixels: 2 where a program draws at twice its size."""

    def x(self, cols: Ints | int) -> Floats:
        """Left edge of some columns."""
        return self.left + offsets(cols, self.pitch_x, self.wide_cols, self.wider)

    def y(self, rows: Ints | int) -> Floats:
        """Upper edge of some rows."""
        return self.top + offsets(rows, self.pitch_y, self.wide_rows, self.wider)


@dataclass(frozen=True, eq=False, kw_only=True)
class Lattice(Pitches):
    """Equal faces in rows and columns; each begins where its row and column do."""

    face_width: float
    face_height: float
    rows: Ints
    """(n,) row of each face."""
    cols: Ints
    """(n,) column of each face."""

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def possible(self) -> bool:
        """Whether a board's cells may have this pitch and usual shape."""
        return self._has_cells and self._length <= OBLONG

    @property
    def oblong(self) -> bool:
        """Whether they may have this pitch, and an unusual shape."""
        return self._has_cells and OBLONG < self._length <= VERY_OBLONG

    @property
    def _length(self) -> float:
        """How many times a cell is longer in one direction than in the other."""
        return max(self.pitch_x, self.pitch_y) / min(self.pitch_x, self.pitch_y)

    @property
    def _has_cells(self) -> bool:
        return all(MIN_PITCH <= pitch <= MAX_PITCH for pitch in (self.pitch_x, self.pitch_y))

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
        return (
            len(self) <= _LATTICE.more * len(other)
            and apart <= _LATTICE.same[0]
            and aside <= _LATTICE.same[1]
        )


def find_lattices(
    image: NDArray[np.uint8],
    blur: int = 0,
    found: NDArray[np.uint8] | None = None,
    *,
    diagonal: bool = False,
    apart: bool = False,
) -> list[Lattice]:
    """Return the lattices of a picture, the one with the most faces first.

    `blur` is `FAINT` or one of `BLURS`: noise and hatching vanish with those, and so do narrow
    faces. `found` are the picture's edges, if they are known. With `diagonal`, faces that touch at
    a corner are neighbours: those of a checkered board whose other shade flows together there. With
    `apart`, faces may be farther apart than they are large.
    """
    boxes = faces_of(image, blur) if found is None else faces_between(found)
    if len(boxes) < MIN_FACES:
        return []
    x, y, w, h = boxes.T
    if diagonal:
        across = _diagonal(boxes)
        down = np.where((y[across[:, 0]] > y[across[:, 1]])[:, None], across[:, ::-1], across)
    else:
        most = _LATTICE.apart if apart else _LATTICE.near
        across, down = _neighbours(x, y, w, h, most), _neighbours(y, x, h, w, most)
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
    """Return the lattices of large cells in a half-size picture, which blurs hatching away."""
    if min(image.shape[:2]) < 2 * _LATTICE.large:
        return []
    half = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    small = find_lattices(half.astype(np.uint8, copy=False), 5)
    return [one.doubled() for one in small if min(one.pitch_x, one.pitch_y) >= _LATTICE.large / 2]


def _neighbours(x: Ints, y: Ints, w: Ints, h: Ints, most: float) -> Ints:
    """(m, 2) pairs of faces beside each other in one row, the left one first.

    A face much longer than high, or the reverse, may be the shadow at one side of each cell: it
    is beside others of that kind.

    `most` is the largest distance of their begins, in sizes of a face; two pixels are added.
    """
    long = np.maximum(w, h) > LONG_FACES[0] * np.minimum(w, h)
    order = np.lexsort((x, long, h, y))
    one, other = order[:-1], order[1:]
    step = x[other] - x[one]
    beside = (y[one] == y[other]) & (h[one] == h[other])
    beside &= (
        (np.abs(w[one] - w[other]) <= WIDER[-1]) & (step > w[one]) & (step < most * w[one] + 2)
    )
    return np.stack([one[beside], other[beside]], axis=1)


def _diagonal(boxes: Ints) -> Ints:
    """(m, 2) pairs of faces of one size that touch at a corner, the left one first."""
    if len(boxes) > _LATTICE.most_diagonal:
        return np.empty((0, 2), np.intp)
    step = boxes[None] - boxes[:, None]
    apart = np.stack([step[..., 0], np.abs(step[..., 1])], axis=-1) - boxes[:, None, 2:]
    touch = (np.abs(step[..., 2:]) <= WIDER[-1]) & (apart > 0) & (apart <= _LATTICE.corner)
    return np.argwhere(touch.all(axis=-1))


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
    left, top = lattice.left + lattice.face_width / 2, lattice.top + lattice.face_height / 2
    cols, in_cols = _teeth(boxes, 0, left, lattice.pitch_x, int(lattice.cols.max()) + 1)
    rows, in_rows = _teeth(boxes, 1, top, lattice.pitch_y, int(lattice.rows.max()) + 1)
    near = in_cols & in_rows
    chosen = boxes[near]
    if len(chosen) < MIN_FACES:
        return lattice
    _, kind = np.unique(chosen[:, 2] * 1000 + chosen[:, 3], return_inverse=True)
    aside = np.abs(chosen[:, 2:] - (lattice.face_width, lattice.face_height)).sum(1)
    own = kind[aside.argmin()]
    across = common_pitch(cols[near], chosen[:, 0], kind, own, lattice.pitch_x)
    down = common_pitch(rows[near], chosen[:, 1], kind, own, lattice.pitch_y)
    if across is None or down is None:
        return lattice
    return replace(lattice, pitch_x=across[0], left=across[1], pitch_y=down[0], top=down[1])


def _bent(lattice: Lattice, boxes: Ints) -> Lattice:
    """Return the lattice with its first columns or rows wider if its faces show it."""
    across = fit_wide(lattice.cols, boxes[:, 0], lattice.left, lattice.pitch_x)
    down = fit_wide(lattice.rows, boxes[:, 1], lattice.top, lattice.pitch_y)
    if across is not None:
        pitch, origin, wide, wider = across
        lattice = replace(lattice, pitch_x=pitch, left=origin, wide_cols=wide, wider=wider)
    if down is not None and (across is None or down[3] == across[3]):
        pitch, origin, wide, wider = down
        lattice = replace(lattice, pitch_y=pitch, top=origin, wide_rows=wide, wider=wider)
    return lattice


def _teeth(
    boxes: Ints, axis: int, origin: float, pitch: float, reach: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the tooth next to each box's middle, and whether it is near enough and in reach."""
    place = (boxes[:, axis] + boxes[:, axis + 2] / 2 - origin) / pitch
    teeth = np.rint(place)
    close = (np.abs(place - teeth) <= _LATTICE.aside) & (teeth > -reach) & (teeth < 2 * reach)
    return teeth, close


def edges(image: NDArray[np.uint8], least: int = _EDGES.edge) -> NDArray[np.uint8]:
    """(H, W) uint8: 255 where a pixel differs from the one to its left or above."""
    found = np.zeros(image.shape[:2], np.uint8)
    if min(found.shape) < 2:
        return found
    # In stripes, whose differences stay in the processor's cache: new memory costs most of all.
    differs = np.empty((_EDGES.stripe, *image.shape[1:]), np.uint8)
    grey = np.empty((_EDGES.stripe, image.shape[1]), np.uint8)
    for top in range(0, len(image), _EDGES.stripe):
        stripe, marks = image[top : top + _EDGES.stripe], found[top : top + _EDGES.stripe]
        height = len(stripe)
        cv2.absdiff(stripe[:, 1:], stripe[:, :-1], dst=differs[:height, 1:])
        cv2.cvtColor(differs[:height, 1:], cv2.COLOR_BGR2GRAY, dst=marks[:, 1:])
        first = 1 if top == 0 else 0
        above = image[top + first - 1 : top + height - 1]
        cv2.absdiff(stripe[first:], above, dst=differs[: height - first])
        cv2.cvtColor(differs[: height - first], cv2.COLOR_BGR2GRAY, dst=grey[: height - first])
        cv2.max(marks[first:], grey[: height - first], dst=marks[first:])
        cv2.threshold(marks, least, 255, cv2.THRESH_BINARY, dst=marks)
    return found


def bridged(found: NDArray[np.uint8], length: int) -> NDArray[np.uint8]:
    """Return edges that go on across gaps, in pixels: rounded cells that touch part at corners."""
    across = cv2.morphologyEx(found, cv2.MORPH_CLOSE, np.ones((1, length), np.uint8))
    down = cv2.morphologyEx(found, cv2.MORPH_CLOSE, np.ones((length, 1), np.uint8))
    return np.asarray(cv2.bitwise_or(across, down), np.uint8)


def faces_of(image: NDArray[np.uint8], blur: int = 0) -> Ints:
    """(n, 4) boxes x, y, w, h of the connected faces that may be cells."""
    if blur == FAINT:
        return faces_between(edges(image, _EDGES.faint_edge))
    if blur:
        image = np.asarray(cv2.GaussianBlur(image, (blur, blur), 0), np.uint8)
    return faces_between(edges(image, BLURS[blur]))


def faces_between(found: NDArray[np.uint8]) -> Ints:
    """(n, 4) boxes x, y, w, h of the faces that edges leave."""
    crowded = cv2.countNonZero(found) > _EDGES.crowded * found.size
    x, y, w, h, area = (_components if crowded else _holes)(found)
    fits = (w >= MIN_FACE) & (w <= MAX_FACE) & (h >= MIN_FACE) & (h <= MAX_FACE)
    fits &= (LONG_FACES[1] * w >= h) & (LONG_FACES[1] * h >= w)
    fits &= area >= _EDGES.filled * w * h
    return np.stack([x[fits], y[fits], w[fits], h[fits]], axis=1).astype(np.intp)


def _components(found: NDArray[np.uint8]) -> tuple[NDArray[Any], ...]:
    """x, y, w, h and area of the connected components between edges: at one cost, always."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(
        cv2.bitwise_not(found), connectivity=4, ltype=cv2.CV_32S
    )
    return tuple(stats.T)


def _holes(found: NDArray[np.uint8]) -> tuple[NDArray[Any], ...]:
    """Return the same from holes, with their glyphs: several times faster if edges are few."""
    walled = cv2.copyMakeBorder(found, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=255)
    outlines, nesting = cv2.findContours(walled, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    kept = [outlines[number] for number in np.flatnonzero(nesting[0, :, 3] >= 0).tolist()]
    if not kept:
        return tuple(np.empty((5, 0), np.intp))
    sizes = np.fromiter(map(len, kept), np.intp, len(kept))
    points = np.concatenate(kept)[:, 0].astype(np.intp)
    starts = np.cumsum(sizes) - sizes
    x, y = np.minimum.reduceat(points, starts).T
    right, bottom = np.maximum.reduceat(points, starts).T
    following = np.arange(1, len(points) + 1)
    following[starts + sizes - 1] = starts
    cross = points[:, 0] * points[following, 1] - points[:, 1] * points[following, 0]
    # The outline runs over the edges, and the wall has moved everything by a pixel.
    return x, y, right - x - 1, bottom - y - 1, np.abs(np.add.reduceat(cross, starts)) // 2


def offsets(numbers: Ints | int, pitch: float, wide: int | None, wider: int) -> Floats:
    """Return how far lines of cells lie from the first one, of which some may be wider."""
    numbers = np.asarray(numbers)
    more = 0 if wide is None else wider * np.minimum(numbers, wide)
    return np.asarray(numbers * pitch + more, np.float64)


def fit_wide(
    teeth: Ints, places: Ints, origin: float, pitch: float
) -> tuple[float, float, int, int] | None:
    """Whole pitch, origin, how many lines are wider and by how much; None where a comb fits."""
    if np.abs(places - origin - pitch * teeth).max() <= _COMB.straight:
        return None
    for wider in WIDER:
        for least in (pitch, pitch - wider):
            whole = wider * int(np.floor(least / wider))
            beyond = places - whole * teeth
            first = int(beyond[teeth == teeth.min()].min())
            wide = (int(beyond.max()) - first) // wider
            if np.array_equal(beyond, first + wider * np.minimum(teeth, wide)):
                return float(whole), float(first), wide, wider
    return None


def common_pitch(
    teeth: Floats, places: Ints, kind: Ints, own: int, guess: float
) -> tuple[float, float] | None:
    """Return pitch and origin by least squares, one pitch for all and an origin for each kind.

    `teeth` (n,) are the columns or rows of the faces, `places` (n,) where they begin in pixels;
    faces of a `kind` (n,) begin at the same place in their cells. The origin is that of kind `own`.
    None if the faces do not tell.
    """
    begins = places - guess * teeth
    usual = _middles(begins, kind)
    # A glyph may cut a face into pieces that are no whole ones.
    kept = np.abs(begins - usual[kind]) <= _COMB.stray
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
    if abs(pitch - nearest) * float(np.ptp(teeth)) < _COMB.whole:
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
    return np.asarray(np.abs(steps - usual) <= 1.0 + _COMB.uneven * usual, np.bool_)


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
    uneven = np.abs(distinct - (origin + pitch * teeth)).max() > 1.0 + _COMB.uneven * pitch
    if uneven and fit_wide(numbers, distinct, origin, pitch) is None:
        return None
    return pitch, origin, numbers[where]
