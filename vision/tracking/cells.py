"""The cells of one board in its frames: their changes, durations and pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, floor
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import Cell
from bot.frame import Frame, Grid, Point, Region
from vision.finder.placing import cut_tiles, gather_tiles
from vision.matcher import Tiles


@dataclass(frozen=True)
class CellLimits:
    """Limits of what counts as the same cell."""

    seen: float = 0.25
    """Offset in pixels from a whole pitch at which the last cell of a board may begin."""
    plain: float = 2.0
    """Largest standard deviation of the gray levels of a cell of one colour."""
    same_pattern: float = 0.8
    """Least correlation of the gray levels of a cell with those before."""


_CELL: Final = CellLimits()


class Cells:
    """Cuts frames into cells, and keeps the last frame."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._size = (
            max(round(grid.pitch_x * grid.scale), 1),
            max(round(grid.pitch_y * grid.scale), 1),
        )
        self._last: Frame | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns."""
        return self._grid.rows, self._grid.cols

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of a tile picture, in pixels."""
        return self._size

    def even(self, frame: Frame) -> bool:
        """Return whether all cells have the size of a tile picture."""
        high, wide = self._extra(frame)
        return not (high.any() or wide.any())

    @property
    def pitch(self) -> tuple[float, float]:
        """Width and height of a cell, in pixels, not rounded."""
        return self._grid.pitch_x * self._grid.scale, self._grid.pitch_y * self._grid.scale

    def changed(self, frame: Frame) -> NDArray[np.bool_] | None:
        """Compare a frame with the previous one.

        Returns:
            (rows, cols) bool: the cells with a changed pixel; all of them if the frames cannot be
            compared. None if no pixel of the frame has changed, on the board or near it.
        """
        last, self._last = self._last, frame
        if last is None or last.region != frame.region or last.image.shape != frame.image.shape:
            return np.ones(self.shape, bool)
        if cv2.norm(frame.image, last.image, cv2.NORM_INF) == 0:
            return None
        return self._differing(frame, last)

    def tiles(
        self, frame: Frame, chosen: NDArray[np.bool_] | None = None, *, stretched: bool = True
    ) -> Tiles:
        """Return the pictures (n, h, w, 3) of the chosen cells, by default of all, row by row.

        With `stretched`, larger and smaller cells are scaled to the size of a tile, not cut.
        """
        tops = self._grid.row_edges(frame.region)
        lefts = self._grid.column_edges(frame.region)
        high, wide = self._extra(frame)
        if not stretched:
            high, wide = np.zeros_like(high), np.zeros_like(wide)
        if chosen is None or chosen.all():
            return cut_tiles(frame.image, tops[:-1], lefts[:-1], self._size, (high, wide))
        rows, cols = np.nonzero(chosen)
        extra = high[rows], wide[cols]
        return gather_tiles(frame.image, tops[rows], lefts[cols], self._size, extra)

    def tile(self, cell: Cell) -> Tiles:
        """Return the picture (1, h, w, 3) of a cell in the last frame."""
        chosen = np.zeros(self.shape, np.bool_)
        chosen[cell] = True
        assert self._last is not None  # noqa: S101 - asked of those that were shown a frame
        return self.tiles(self._last, chosen)

    @property
    def scaled(self) -> bool:
        """Whether the pitch is fractional, as in a scaled picture."""
        grid = self._grid
        if grid.wide_cols or grid.wide_rows:
            return False
        sides = grid.pitch_x * grid.scale, grid.pitch_y * grid.scale
        # Over a whole board a small fraction adds up to a visible part of a pixel.
        across = zip(sides, (grid.cols, grid.rows), strict=True)
        return any(abs(side - round(side)) * cells > _CELL.seen for side, cells in across)

    def resampled_tiles(self, frame: Frame) -> Tiles:
        """Return the pictures (n, h, w, 3) of all cells, sampled from their exact positions.

        `tiles` begins each cell at a whole pixel: with a fractional pitch, equal cells are cut with
        offsets of up to one pixel, and look different.
        """
        grid, (width, height) = self._grid, self._size
        across, down = grid.pitch_x * grid.scale / width, grid.pitch_y * grid.scale / height
        left = (grid.left - frame.region.left) * grid.scale
        top = (grid.top - frame.region.top) * grid.scale
        # Pixels are sampled at their centres.
        place = np.array(
            [[across, 0, left + across / 2 - 0.5], [0, down, top + down / 2 - 0.5]], np.float64
        )
        board = cv2.warpAffine(
            frame.image,
            place,
            (width * grid.cols, height * grid.rows),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        edges = np.arange(grid.rows) * height, np.arange(grid.cols) * width
        return cut_tiles(np.asarray(board, np.uint8), *edges, self._size)

    def _extra(self, frame: Frame) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the pixels by which each row (rows,) and column (cols,) exceeds a tile."""
        tops, lefts = self._grid.row_edges(frame.region), self._grid.column_edges(frame.region)
        return np.diff(tops) - self._size[1], np.diff(lefts) - self._size[0]

    def _differing(self, frame: Frame, last: Frame) -> NDArray[np.bool_]:
        tops = self._grid.row_edges(frame.region)
        lefts = self._grid.column_edges(frame.region)
        height, width = frame.image.shape[:2]
        if tops[0] < 0 or lefts[0] < 0 or tops[-1] > height or lefts[-1] > width:
            return np.ones(self.shape, bool)
        board = slice(tops[0], tops[-1]), slice(lefts[0], lefts[-1])
        differs = cv2.absdiff(frame.image[board], last.image[board])
        flat = differs.reshape(differs.shape[0], -1)
        # `reduceat` is ten times slower along this axis.
        bands = np.stack([flat[one:other].max(axis=0) for one, other in pairwise(tops - tops[0])])
        changed: NDArray[np.bool_] = (
            np.maximum.reduceat(bands, 3 * (lefts[:-1] - lefts[0]), axis=1) > 0
        )
        return changed


def unchanged(
    cells: Sequence[Cell], grid: Grid, before: Frame, grab: Callable[[Region], Frame]
) -> int:
    """Return how many of some cells look as before; incomparable ones count as changed."""
    now = grab(_around(grid, cells))
    pictures = (_pictures(grid, cells, frame) for frame in (now, before))
    return sum(np.array_equal(one, other) for one, other in zip(*pictures, strict=True))


def remains(grid: Grid, before: Frame, frame: Frame) -> float:
    """Return the share of a board's cells that show the same pattern as before, maybe darker.

    Cells of one colour are left out; 1.0 if all are.
    """
    one, other = (
        np.asarray(Cells(grid).tiles(seen), np.float64)
        .mean(axis=3)
        .reshape(grid.rows * grid.cols, -1)
        for seen in (before, frame)
    )
    one, other = (gray - gray.mean(axis=1, keepdims=True) for gray in (one, other))
    patterned = one.std(axis=1) > _CELL.plain
    if not patterned.any():
        return 1.0
    product = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    same = (one * other).sum(axis=1) > _CELL.same_pattern * product
    return float((same & (product > 0))[patterned].mean())


def _around(grid: Grid, cells: Sequence[Cell]) -> Region:
    """Return the part of the desktop that contains some cells, with a margin."""
    middles = [grid.center(cell) for cell in cells]
    left, right = (choose(middle.x for middle in middles) for choose in (min, max))
    top, bottom = (choose(middle.y for middle in middles) for choose in (min, max))
    across, down = ceil(grid.pitch_x / 2) + 1, ceil(grid.pitch_y / 2) + 1
    return Region(
        floor(left) - across, floor(top) - down, ceil(right - left) + 2 * across + 1,
        ceil(bottom - top) + 2 * down + 1,
    )  # fmt: skip


def _pictures(grid: Grid, cells: Sequence[Cell], frame: Frame) -> Iterator[NDArray[np.uint8]]:
    tops, lefts = grid.row_edges(frame.region), grid.column_edges(frame.region)
    for row, col in cells:
        yield frame.image[max(tops[row], 0) : tops[row + 1], max(lefts[col], 0) : lefts[col + 1]]


_NEAR: Final = 0.25
"""Share of a pitch by which a lattice may seem to move: Simon Tatham's Mines flashes at a loss, and
its cells are found one pixel off."""


class Persistence:
    """Measures how long a value stays the same."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._what: object = None
        self._since = 0.0

    def holds(self, what: object, time: float) -> bool:
        """Return whether the value has been the same for the given time in seconds."""
        if what != self._what:
            self._what, self._since = what, time
        return time - self._since >= self._seconds


def near(one: Grid, other: Grid) -> bool:
    """Return whether two lattices are one board at one position, within a part of a cell."""
    if (one.rows, one.cols) != (other.rows, other.cols):
        return False
    (ends, others) = (
        (grid.left, grid.top, grid.left + grid.cols * grid.pitch_x,
         grid.top + grid.rows * grid.pitch_y)
        for grid in (one, other)
    )  # fmt: skip
    apart = max(abs(a - b) for a, b in zip(ends, others, strict=True))
    return apart < _NEAR * min(one.pitch_x, one.pitch_y)


def is_in_place(seen: Grid, known: Grid) -> bool:
    """Return whether a board has its corner, or its centre, where another one had."""
    boards = seen.region, known.region
    corners = [Point(one.left, one.top) for one in boards]
    reach = min(known.pitch_x, known.pitch_y)
    return any(
        max(abs(one.x - other.x), abs(one.y - other.y)) < reach
        for one, other in (corners, [one.center for one in boards])
    )


def is_rest(seen: Grid, known: Grid) -> bool:
    """Return whether a board is what a box in the page leaves of another: some rows of all columns.

    Levels of a game differ in their columns.
    """
    columns = near(replace(seen, top=known.top, rows=known.rows), known)
    return columns and seen.rows < known.rows and known.region.contains(seen.region.center)
