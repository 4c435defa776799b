"""Captured frames, the grid of a board, and readings.

Two coordinate systems meet here and nowhere else. *Points* are desktop coordinates, in which the
mouse moves; *pixels* are positions in an image. They
differ by `Grid.scale` (2 on a Retina screen, 1 on X11 and Windows), and by the corner of
the captured region. Both are (x, y); cells are (row, col).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from math import ceil, floor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.board import Board, Cell
from bot.unread import Cause, Unread


class Point(NamedTuple):
    """A position on the desktop, in points."""

    x: float
    y: float


class Region(NamedTuple):
    """A rectangle of the desktop, in whole points."""

    left: int
    top: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column of points to the right of the rectangle."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """The first row of points below the rectangle."""
        return self.top + self.height

    @property
    def center(self) -> Point:
        """The centre point."""
        return Point(self.left + self.width / 2, self.top + self.height / 2)

    def contains(self, point: tuple[float, float]) -> bool:
        """Return whether a point (x, y) is inside; the right and bottom edges are outside."""
        x, y = point
        return self.left <= x < self.right and self.top <= y < self.bottom

    def moved(self, dx: int, dy: int) -> Region:
        """Return the rectangle moved by whole points."""
        return self._replace(left=self.left + dx, top=self.top + dy)

    def union(self, other: Region) -> Region:
        """Return the smallest rectangle that contains both."""
        left, top = min(self.left, other.left), min(self.top, other.top)
        right, bottom = max(self.right, other.right), max(self.bottom, other.bottom)
        return Region(left, top, right - left, bottom - top)

    def intersection(self, other: Region) -> Region | None:
        """Return the common rectangle; None if there is none."""
        left, top = max(self.left, other.left), max(self.top, other.top)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        if left >= right or top >= bottom:
            return None
        return Region(left, top, right - left, bottom - top)


@dataclass(frozen=True)
class Grid:
    """The position of a board on the desktop; converts between cells, points and pixels."""

    left: float
    """Outer left edge of column 0, in points."""
    top: float
    """Outer upper edge of row 0, in points."""
    pitch_x: float
    """Distance from one column to the next, in points."""
    pitch_y: float
    """Distance from one row to the next, in points."""
    rows: int
    cols: int
    scale: float = 1.0
    """Image pixels per desktop point."""
    face: Region | None = None
    """The button that starts the next game, if the skin has one."""
    mine_counter: Region | None = None
    clock: Region | None = None
    wide_cols: int = 0
    """Number of first columns that are wider than the pitch: GTK gives its cells whole sizes and
    the remainder to the first ones."""
    wide_rows: int = 0
    """Number of first rows that are higher than the pitch by the same."""
    wider: float = 1.0
    """Points by which those are larger: 2 where a program draws at twice its size."""

    @property
    def mean_pitch(self) -> tuple[float, float]:
        """Mean width and height of the cells, in points."""
        return (
            self.pitch_x + self.wider * self.wide_cols / self.cols,
            self.pitch_y + self.wider * self.wide_rows / self.rows,
        )

    @property
    def region(self) -> Region:
        """The board alone, outer edge to outer edge."""
        left, top = round(self.left), round(self.top)
        right, bottom = round(self._x(self.cols)), round(self._y(self.rows))
        return Region(left, top, right - left, bottom - top)

    @property
    def view(self) -> Region:
        """The captured region: the board, its face and counters, and half a cell around."""
        view = self.region
        for part in (self.face, self.mine_counter, self.clock):
            view = view.union(part) if part else view
        margin = round(max(self.pitch_x, self.pitch_y) / 2)
        return Region(
            view.left - margin, view.top - margin, view.width + 2 * margin, view.height + 2 * margin
        )

    def center(self, cell: Cell) -> Point:
        """Return the centre of a cell, in points: the position of a click."""
        return Point(
            float(self._x(cell.col) + self._x(cell.col + 1)) / 2,
            float(self._y(cell.row) + self._y(cell.row + 1)) / 2,
        )

    def cell_at(self, point: Point) -> Cell | None:
        """Return the cell under a point; None off the board."""
        col = int(np.searchsorted(self._x(np.arange(self.cols + 1)), point.x, side="right")) - 1
        row = int(np.searchsorted(self._y(np.arange(self.rows + 1)), point.y, side="right")) - 1
        return Cell(row, col) if 0 <= row < self.rows and 0 <= col < self.cols else None

    def column_edges(self, region: Region) -> NDArray[np.intp]:
        """Return the pixel columns (cols + 1,) where cells begin in an image of `region`."""
        return self._pixels(self._x(np.arange(self.cols + 1)), region.left)

    def row_edges(self, region: Region) -> NDArray[np.intp]:
        """Return the pixel rows (rows + 1,) where cells begin in an image of `region`."""
        return self._pixels(self._y(np.arange(self.rows + 1)), region.top)

    def moved(self, dx: int, dy: int) -> Grid:
        """Return the same grid after its window was moved by whole points."""
        face, mine_counter, clock = (
            part.moved(dx, dy) if part else None
            for part in (self.face, self.mine_counter, self.clock)
        )
        return replace(
            self,
            left=self.left + dx,
            top=self.top + dy,
            face=face,
            mine_counter=mine_counter,
            clock=clock,
        )

    def _pixels(self, edges: NDArray[np.float64], begin: int) -> NDArray[np.intp]:
        """Convert edges to pixels of an image that begins at a point, always to the same pixels."""
        whole: NDArray[np.intp] = np.rint(edges * self.scale).astype(np.intp)
        return whole - round(begin * self.scale)

    def _x(self, col: Any) -> Any:
        """Return the left edge of a column, in points; accepts an array."""
        return self.left + col * self.pitch_x + self.wider * np.minimum(col, self.wide_cols)

    def _y(self, row: Any) -> Any:
        """Return the upper edge of a row, in points."""
        return self.top + row * self.pitch_y + self.wider * np.minimum(row, self.wide_rows)


@dataclass(frozen=True, eq=False)
class Frame:
    """A captured picture."""

    image: NDArray[np.uint8]
    """(H, W, 3) uint8, BGR, read-only."""
    region: Region
    """The captured part of the desktop."""
    time: float = 0.0
    """Monotonic seconds at the capture."""
    number: int = 0
    """Number of the frame, counted within one capture handle."""

    def __post_init__(self) -> None:
        if self.image.dtype != np.uint8 or self.image.ndim != 3 or self.image.shape[2] != 3:
            raise ValueError(
                f"a frame is (H, W, 3) uint8, not {self.image.shape} {self.image.dtype}"
            )
        view = self.image.view()
        view.flags.writeable = False
        object.__setattr__(self, "image", view)

    @property
    def scale(self) -> float:
        """Image pixels per desktop point."""
        return float(self.image.shape[1]) / self.region.width

    def pixels(self, region: Region) -> tuple[slice, slice]:
        """Return the rows and columns of the image that show a part of the frame's region."""
        left, top = region.left - self.region.left, region.top - self.region.top
        rows, cols = (
            slice(floor(begin * self.scale), ceil((begin + length) * self.scale))
            for begin, length in ((top, region.height), (left, region.width))
        )
        return rows, cols

    def region_of(self, box: Region) -> Region:
        """Return the part of the desktop that a rectangle of the image shows, in whole points."""
        left, top, width, height = (round(value / self.scale) for value in box)
        place = self.region
        return Region(place.left + left, place.top + top, max(width, 1), max(height, 1))

    @classmethod
    def of_image(cls, image: NDArray[np.uint8]) -> Frame:
        """Return a frame of a picture from elsewhere: its points are its pixels."""
        return cls(image, Region(0, 0, int(image.shape[1]), int(image.shape[0])))


class Status(Enum):
    """The state of a game as far as it is visible."""

    PLAYING = "playing"
    WON = "won"
    LOST = "lost"
    ENDED = "ended"
    """Over; the result was not visible, for example because the next game began at once."""
    BLOCKED = "blocked"
    """Something covers the board: no tile is reliable, and nothing may be clicked."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self in (Status.WON, Status.LOST, Status.ENDED)


@dataclass(frozen=True, eq=False)
class Reading:
    """The tiles and numbers read from a frame."""

    frame: Frame
    grid: Grid
    board: Board
    status: Status
    confidence: NDArray[np.float32]
    """(rows, cols) float32 in 0..1: one minus best over second-best distance."""
    mines_left: int | None = None
    """The mine counter; None if there is none, or it was not read."""
    clock: int | None = None
    """Seconds on the game's clock; None as for `mines_left`."""
    remarks: tuple[str, ...] = ()
    """Remarks for the user, in sentences."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Time by stage, 'capture' and 'read', of all captures for this reading."""
    unread: Mapping[Cell, Unread] = field(default_factory=dict)
    """Why each UNREAD tile is; empty if that is not known, as for a recorded reading."""
    blocked: Cause | None = None
    """Why a board that is BLOCKED is not completely visible, if that is known."""

    def why_unread(self, cell: Cell) -> str:
        """Return why a tile is unread, as sentences for the user; empty if it was read."""
        if cell not in self.unread:
            return ""
        lasting = self.frame.time - self.unread[cell].since
        return self.unread[cell].text + (f" Unread for {lasting:.0f} s." if lasting >= 1 else "")
