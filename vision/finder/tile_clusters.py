"""Kinds of cells: which cells of a lattice look the same, whatever they mean.

A cell is described by the mean colours of its blocks, six to twelve along a side, taken over
fractions of pixels, so that the description does not depend on pitch and rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.finder.placing import Place, Span

FLAT: Final = 8.0
"""Range of its blocks, in grey levels, up to which a cell is plain."""
_BLOCK: Final = 4.0
"""Pixels across a block, about."""
_BLOCKS: Final = (6, 12)
"""Least and largest number of blocks along a cell."""
_INNER: Final = 20.0
"""Largest difference of a block, in grey levels, between cells of one kind. Noise of sigma 4 and
JPEG of quality 75 stay under 12 over blocks of three pixels, a thin hint reaches 25."""
_OUTER: Final = 36.0
"""The same along a cell's border, where lines are drawn at whole pixels and cells are not."""
_ROUNDING: Final = 200.0
"""Grey levels, divided by the pitch, that are added where a pitch is no whole number: half a
pixel of a contrast of seventy, over a sixth of a cell."""
_STRENGTH: Final = 0.5
"""How strong they must be, relative to those of its kind."""

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]


class CellPictures:
    """Describes the cells of a place by the mean colours of their blocks."""

    def __init__(self, image: Image, place: Place) -> None:
        self._image = image
        self._place = place
        blocks = round(min(place.pitch_x, place.pitch_y) / _BLOCK)
        self._blocks = min(max(blocks, _BLOCKS[0]), _BLOCKS[1])

    def fits(self, span: Span, part: float = 1.0) -> bool:
        """Return whether a span, or that part of it, lies in the picture."""
        return self._place.inside(self._image, span, part)

    def of(self, span: Span) -> Floats:
        """(rows, cols, b, b, 3) float32, in grey levels."""
        place, n = self._place, self._blocks
        xs = _parted(place.x(np.arange(span.left, span.right + 1)), n)
        ys = _parted(place.y(np.arange(span.top, span.bottom + 1)), n)
        first = max(int(xs[0]), 0)
        near = self._image[:, first : int(np.ceil(xs[-1])) + 1]
        sums = _summed(_summed(near, ys, 0), xs - first, 1)
        blocks = np.diff(np.diff(sums, axis=0), axis=1)
        means = blocks / np.multiply.outer(np.diff(ys), np.diff(xs))[..., None]
        means = means.reshape(span.rows, n, span.cols, n, 3)
        described: Floats = means.transpose(0, 2, 1, 3, 4).astype(np.float32)
        return described

    def line(self, span: Span) -> Floats:
        """(n, b, b, 3) the cells of a span, row by row."""
        described = self.of(span)
        return described.reshape(-1, *described.shape[2:])


def _parted(edges: NDArray[np.float64], parts: int) -> NDArray[np.float64]:
    """Return the edges of cells along an axis, and those of as many parts of each."""
    numbers = np.arange(len(edges))
    return np.interp(np.linspace(0, numbers[-1], numbers[-1] * parts + 1), numbers, edges)


def _summed(values: NDArray[np.number], places: NDArray[np.float64], axis: int) -> Floats:
    """Return running sums along an axis up to each place, which may lie between two pixels."""
    length = values.shape[axis]
    places = places.clip(0, length)
    first = int(places[0])
    last = min(int(np.ceil(places[-1])), length)
    part = values[first:last] if axis == 0 else values[:, first:last]
    sums = np.cumsum(part, axis=axis, dtype=np.float64)
    sums = np.insert(sums, 0, 0, axis=axis)
    low = np.floor(places).astype(np.intp).clip(first, last)
    high = np.minimum(low + 1, last)
    share = (places - low).reshape((-1, 1, 1) if axis == 0 else (1, -1, 1))
    at_low, at_high = (np.take(sums, at - first, axis=axis) for at in (low, high))
    summed: Floats = at_low + (at_high - at_low) * share
    return summed


class Kinds(NamedTuple):
    """What the cells of a rectangle look like."""

    looks: Floats
    """(k, b, b, 3) one of each kind, the commonest first."""
    counts: NDArray[np.intp]
    """(k,) cells of each kind."""
    which: NDArray[np.intp]
    """(n,) kind of each cell."""

    @property
    def plain(self) -> NDArray[np.bool_]:
        """(k,) which kinds are of one colour."""
        flat = np.ptp(self.looks.reshape(len(self.looks), -1, 3), axis=1).max(axis=1) <= FLAT
        return np.asarray(flat, np.bool_)


def kinds_of(described: Floats, tolerance: Tolerance) -> Kinds:
    """Return groups of cells that look the same, the most common first."""
    cells = described.reshape(-1, *described.shape[2:])
    which = np.full(len(cells), -1)
    leaders: list[int] = []
    for number in range(len(cells)):
        if which[number] < 0:
            left = np.flatnonzero(which < 0)
            which[left[tolerance.same(cells[left], cells[number])]] = len(leaders)
            leaders.append(number)
    counts = np.bincount(which, minlength=len(leaders))
    order = np.argsort(-counts, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return Kinds(cells[leaders][order], counts[order], rank[which])


@dataclass(frozen=True)
class Tolerance:
    """Largest difference of a block, in grey levels, between cells of one kind."""

    inner: float
    outer: float
    """Along the cell's border."""

    @classmethod
    def of(cls, place: Place) -> Tolerance:
        """Return the tolerance for a board.

        Lines at whole pixels are off by half a pixel if cells are fractional.
        """
        loose = 0.0
        if place.pitch_x != round(place.pitch_x) or place.pitch_y != round(place.pitch_y):
            loose = _ROUNDING / min(place.pitch_x, place.pitch_y)
        return cls(_INNER + loose, _OUTER + loose)

    def same(self, cells: Floats, look: Floats) -> NDArray[np.bool_]:
        """(n,) which of (n, b, b, 3) cells look like one."""
        differs = np.abs(cells - look).mean(axis=-1)
        inner = differs[..., 1:-1, 1:-1].max(axis=(-2, -1), initial=0) <= self.inner
        return np.asarray(inner & (differs.max(axis=(-2, -1)) <= self.outer), np.bool_)

    def known(self, cells: Floats, looks: Floats) -> NDArray[np.bool_]:
        """(n,) which of (n, b, b, 3) cells are of any of the kinds."""
        found = np.zeros(len(cells), np.bool_)
        for look in looks:
            found |= self.same(cells, look)
        return found

    def shaped(self, cells: Floats, looks: Floats, least: float) -> NDArray[np.bool_]:
        """(n,) which also have the lines and bevels of one of them: a background has none."""
        found = np.zeros(len(cells), np.bool_)
        free = cells - cells.mean(axis=(1, 2), keepdims=True)
        energy = np.square(free).sum(axis=(1, 2, 3))
        for look in looks:
            if np.ptp(look.reshape(-1, 3), axis=0).max() <= 2 * FLAT:
                continue
            own = look - look.mean(axis=(0, 1))
            products = (free * own).sum(axis=(1, 2, 3))
            full = float(np.square(own).sum())
            alike = products >= least * np.sqrt(energy * full)
            found |= self.same(cells, look) & alike & (products >= _STRENGTH * full)
        return found
