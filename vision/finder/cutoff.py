"""Detect whether a whole board is visible, or only a part of it.

A board that is cut off exactly between two lines of cells looks like a smaller one, and what is
proved on it is wrong. So its surroundings are examined, in any skin:

- **The corners.** What stands beside a board, its frame or the ground of its window, goes on
  past the end of the board by the width of the frame. Where a window's edge, a scroll bar or the
  edge of a page cuts the board off, all of it ends there as well.
- **The beginning of more cells**, which is the same as that of the last line of cells.
- **The hints** of an outer line that need more mines than there are covered cells beside them.
- **The mine counter**, where it shows the mines of a larger level of the program: if it is
  the only evidence that the board is cut off, the user is asked.

A side that is cut off is evidence where there is a frame at other sides, or one of the others
agrees. Otherwise the board may end there, as one without a frame does that fills its window:
the picture does not show it, so the user is asked. Of a program that is not known a board is whole
if its size is usual, unless its counter shows the mines of a larger one, or if the window ends with
it at the left, the right and the bottom: by chance it would cut cells in two. So is one that begins
at the left edge of a window with room at the right. Any other one is asked about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import FLAG, MISFLAG, UNREAD
from bot.frame import Frame, Grid, Region
from vision.counters import Counters, find_counters
from vision.counters.mines import USUAL_LEVELS, Level
from vision.finder.placing import SIDES, Side

Image = NDArray[np.uint8]
ADVICE: Final = (
    "Scroll or resize the window, or move away what covers it, until the whole board shows."
)


@dataclass(frozen=True)
class CutLimits:
    """When a board is cut off; lengths are parts of a pitch unless said otherwise."""

    step: float = 8.0
    """Grey levels between what stands beside a board and what comes after it."""
    line: float = 6.0
    """Least difference in grey levels of a line between cells: the search finds boards of such
    lines."""
    beside: float = 0.5
    """Part of a pitch beside a board that is followed past its end."""
    before: float = 0.4
    """Part of a pitch before its end from which on it is followed: a line of cells that is not
    visible as a whole may be taken for one that is."""
    reach: float = 1.0
    """Part of a pitch past its end to which it is followed."""
    ends: float = 0.5
    """Pixels past the end of a board within which what stands beside it ends there too."""
    almost: tuple[float, float, float] = (0.12, 1.5, 3.0)
    """The same where the other side goes on by as much more: part of a pitch, and pixels at least
    and at most. Boards in scaled pictures are found up to 3 pixels beside their place."""
    all: float = 0.9
    """Part of what stands beside a board along which an edge runs that ends it: a few pixels may
    have the same shade by chance."""
    frame: float = 0.6
    """Part of a pitch beyond a board within which its frame ends."""
    along: float = 0.8
    """Part of a side along which it does."""
    least: int = 3
    """Pixels of further cells that are at least visible: a frame may have the colours of their
    rims."""
    short: int = 2
    """Hints of an outer line that lack mines: a single one may be misread."""
    same: int = 2
    """Hints that have to be the same on a part of a board."""


_CUT: Final = CutLimits()
_NEIGHBOURS: Final = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], np.float32)
_OPPOSITE: Final[Mapping[Side, Side]] = {
    "top": "bottom",
    "bottom": "top",
    "left": "right",
    "right": "left",
}
_WITNESSES: Final[Mapping[Side, tuple[Side, ...]]] = {
    "top": ("left", "right", "bottom"),
    "bottom": ("left", "right"),
    "left": ("right",),
    "right": ("left",),
}
"""For each side, those at which a frame shows that it is cut off. The edge of what stands above a
board is no frame, and a program whose window is too large for its board may have room at one of two
sides."""


class Remark(str):
    """A sentence about a board that is seen and cannot be used.

    Attributes:
        grid: Where it is, or the part of it that is seen.
    """

    __slots__ = ("grid",)
    grid: Grid

    def __new__(cls, text: str, grid: Grid) -> Self:
        """Return the sentence."""
        remark = super().__new__(cls, text)
        remark.grid = grid
        return remark

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        """Let another process receive the sentence alone, as a plain text."""
        return str, (str(self),)


class CutOff(Remark):
    """A sentence about a board of which only a part is visible.

    Attributes:
        side: At which it is cut off, if that is known.
    """

    __slots__ = ("side",)
    side: Side | None

    def __new__(cls, skin: str, grid: Grid, evidence: str, side: Side | None = None) -> Self:
        """Return the sentence."""
        text = super().__new__(
            cls,
            f"Only part of the board is visible: {grid.rows} rows and {grid.cols} columns of a "
            f"board of {skin} are seen, and {evidence}. {ADVICE}",
            grid,
        )
        text.side = side
        return text

    def is_within(self, whole: Grid) -> bool:
        """Return whether the side at which it is cut off is in the middle of another board."""
        if self.side is None:
            return False
        (left, top, width, height), other = self.grid.region, whole.region
        inside = {
            "top": top - other.top,
            "left": left - other.left,
            "bottom": other.bottom - top - height,
            "right": other.right - left - width,
        }
        return inside[self.side] > max(whole.pitch_x, whole.pitch_y) / 2


@dataclass(frozen=True)
class Extent:
    """What is known of whether a board is all there."""

    cut: str = ""
    """The evidence that it is not; empty where there is none."""
    side: Side | None = None
    """At which it is cut off, if that is known."""
    unsure: tuple[Side, ...] = ()
    """Sides at which the end of the board is uncertain."""


def extent_of(
    frame: Frame,
    grid: Grid,
    tiles: NDArray[np.int8],
    levels: Mapping[str, Level],
    area: Region | None = None,
    *,
    known: bool = True,
    cropped: bool = False,
) -> Extent:
    """Return whether a board is all there.

    `levels` are those of its program, the usual ones without; `area` is where it can be seen, in
    points, the whole frame without. `known` is whether the board's frame is known: its skin is, or
    the board was seen before; `cropped` is whether the frame may be cut out along the cells.
    """
    for evidence, side in (
        ("hints at its {} need mines beyond it", _short_of_mines(tiles)),
        ("more cells begin at its {}", _side_that_goes_on(frame, grid, area)),
    ):
        if side is not None:
            return Extent(evidence.format(side), side)
    ends = {side: _End.of(frame, grid, side, area) for side in SIDES}
    ended = [side for side in SIDES if ends[side].at_once(ends[_OPPOSITE[side]])]
    size = grid.rows, grid.cols
    if not ended and (not levels or any(size == level[:2] for level in levels.values())):
        return Extent()
    # By chance a board would not be cut off to a usual size.
    usual = not levels and size in [level[:2] for level in USUAL_LEVELS.values()]
    for side in ended if known and not usual else ():
        if cropped and ends[side].room < 1:
            continue
        # A frame no wider than the doubt may be a pixel of the ground around.
        width = ends[side].limit + ends[side].doubt
        framed = (other for other in _WITNESSES[side] if other not in ended and ends[other].framed)
        if any(ends[other].limit > width for other in framed):
            return Extent(f"its frame is missing at its {side}", side)
    counters = find_counters(frame, grid)
    counted = _counted_mines(counters, tiles)
    filled = {"left", "right", "bottom"}.issubset(ended) or ended == ["left"]
    whole = usual or (not known and filled)
    levels = levels or USUAL_LEVELS
    told = _extent_by_counter(size, levels, counted, cut=bool(ended))
    if told is not None:
        return told
    # A counter above it is of its window: that does not end there.
    if any(region.bottom <= grid.top for region in counters.regions):
        ended = [side for side in ended if side != "top"]
    return Extent(unsure=() if whole else tuple(ended))


def _extent_by_counter(
    size: tuple[int, int], levels: Mapping[str, Level], counted: set[int], *, cut: bool
) -> Extent | None:
    """Return what the counted mines tell of a board of some rows and columns; None if nothing.

    `cut` is whether it may be cut off by its picture, too.
    """
    if any((*size, number) in levels.values() for number in counted):
        return Extent()
    for rows, cols, number in levels.values():
        if number in counted and size[0] <= rows and size[1] <= cols:
            if cut:
                text = f"its counter shows the {number} mines of {rows} rows and {cols} columns"
                return Extent(text)
            # A game of the user's own size may have as many.
            unsure: dict[Side, bool] = {"bottom": size[0] < rows, "right": size[1] < cols}
            return Extent(unsure=tuple(side for side, less in unsure.items() if less))
    return None


def doubts_about(unsure: Sequence[Side]) -> tuple[str, ...]:
    """Return a remark on a board that may go on beyond some sides; none without any."""
    if not unsure:
        return ()
    remark = (
        f"the board may go on beyond what is visible ({', '.join(unsure)}): if it does, "
        f"the results are wrong. {ADVICE}"
    )
    return (remark,)


def area_of(grid: Grid, shown: Sequence[Region]) -> Region | None:
    """Return the topmost window that holds all of a board, else its middle, else None."""
    board = grid.region
    whole = (region for region in shown if region.intersection(board) == board)
    amid = (region for region in shown if region.contains(board.center))
    return next(whole, None) or next(amid, None)


def part_of(seen: NDArray[np.int8], known: NDArray[np.int8]) -> bool:
    """Return whether a smaller board is a part of an earlier larger one: it has its hints."""
    rows, cols = seen.shape
    down, across = known.shape[0] - rows, known.shape[1] - cols
    if min(down, across) < 0 or max(down, across) == 0:
        return False
    for top in range(down + 1):
        for left in range(across + 1):
            part = known[top : top + rows, left : left + cols]
            # A covered cell under the pointer may look like a zero.
            hints = (part >= 1) & (seen != UNREAD)
            if hints.sum() >= _CUT.same and (seen[hints] == part[hints]).all():
                return True
    return False


def _short_of_mines(tiles: NDArray[np.int8]) -> Side | None:
    """Return the side at which hints have fewer covered cells beside them than mines.

    None where hints inside have so, too: then tiles are misread, or still opening.
    """
    closed = (tiles < 0).astype(np.float32)
    around = np.asarray(cv2.filter2D(closed, -1, _NEIGHBOURS, borderType=cv2.BORDER_CONSTANT))
    short = (tiles >= 1) & (around < tiles)
    if short[1:-1, 1:-1].any():
        return None
    lines = {"top": short[0], "left": short[:, 0], "bottom": short[-1], "right": short[:, -1]}
    side = max(SIDES, key=lambda one: int(lines[one].sum()))
    return side if lines[side].sum() >= _CUT.short else None


def _counted_mines(counters: Counters, tiles: NDArray[np.int8]) -> set[int]:
    """Return how many mines there are by the counter, or by either of two numbers."""
    flags = int(np.isin(tiles, (FLAG, MISFLAG)).sum())
    counted = set()
    for one in counters.either or (counters,):
        if one.mines_total is not None:
            counted.add(one.mines_total)
        elif one.mines_left is not None:
            counted.add(one.mines_left + flags)
    return counted


@dataclass(frozen=True)
class _End:
    """What is beyond a side of a board."""

    room: float
    """Pixels that can be seen there."""
    goes_on: float
    """Pixels by which what stands beside the board goes on past its end; inf where it does not end
    nearby, or nothing can be seen there."""
    framed: bool
    """Whether a frame runs along it."""
    doubt: float
    """Pixels by which the board may end elsewhere."""

    @classmethod
    def of(cls, frame: Frame, grid: Grid, side: Side, area: Region | None) -> _End:
        """Return what is beyond a side."""
        image, across, end = _turned(frame, grid, side, area)
        pitch = grid.scale * (grid.pitch_y if side in ("top", "bottom") else grid.pitch_x)
        room = len(image) - end
        part, least, most = _CUT.almost
        doubt = min(max(part * pitch, least), most)
        if room < 1:
            return cls(room, inf, framed=False, doubt=doubt)
        past, framed = (ask(image, across, end, pitch) for ask in (_past, _frame_at))
        return cls(room, past, bool(framed), doubt)

    @property
    def limit(self) -> float:
        """Pixels to the end of what the board stands on."""
        return min(self.room, self.goes_on)

    def at_once(self, opposite: _End) -> bool:
        """Return whether all that the board stands on ends where the board does."""
        if self.limit <= _CUT.ends:
            return True
        return self.limit <= self.doubt and opposite.limit >= self.limit + self.doubt


def _turned(
    frame: Frame, grid: Grid, side: Side, area: Region | None
) -> tuple[Image, NDArray[np.intp], int]:
    """Return the picture with a side of the board at its bottom, within the area.

    Returns:
        The picture, the pixels at which the lines of cells begin and end that meet the side, and
        the pixel at which the board ends.
    """
    seen = frame.region if area is None else frame.region.intersection(area) or frame.region
    image = frame.image[frame.pixels(seen)]
    xs, ys = grid.column_edges(seen), grid.row_edges(seen)
    if side in ("left", "right"):
        image, xs, ys = image.transpose(1, 0, 2), ys, xs
    end = int(ys[-1])
    if side in ("top", "left"):
        image, end = image[::-1], len(image) - int(ys[0])
    # A board that reaches out of the area is followed as far as it is in it.
    return image, xs.clip(0, image.shape[1]), end


def _side_that_goes_on(frame: Frame, grid: Grid, area: Region | None) -> Side | None:
    return next((side for side in SIDES if _goes_on(frame, grid, side, area)), None)


def _goes_on(frame: Frame, grid: Grid, side: Side, area: Region | None) -> bool:
    """Return whether the visible rest beyond a side looks like the beginning of more cells."""
    image, across, end = _turned(frame, grid, side, area)
    pitch = round(grid.scale * (grid.pitch_y if side in ("top", "bottom") else grid.pitch_x))
    rest = image[end:, across[0] : across[-1]].astype(np.int16)
    if end < pitch or not _CUT.least <= len(rest) < pitch:
        return False
    cells = image[end - pitch : end - pitch + len(rest), across[0] : across[-1]]
    alike = (np.abs(rest - cells).max(axis=2) <= _CUT.step).mean(axis=1) >= _CUT.all
    # A frame has no lines between cells.
    lines = np.abs(np.diff(rest, axis=1)).max(axis=(0, 2)) >= _CUT.line
    return bool(alike.all() and lines.sum() >= len(across) - 2)


def _past(image: Image, across: NDArray[np.intp], end: int, pitch: float) -> float:
    """Return how many pixels past the bottom of a board all that stands beside it ends."""
    wide = max(round(_CUT.beside * pitch), 2)
    left, right = int(across[0]), int(across[-1])
    strips = image[:, max(left - wide, 0) : left], image[:, right : right + wide]
    first = max(end - round(_CUT.before * pitch), 0)
    beside = np.concatenate(strips, axis=1)[first : end + round(_CUT.reach * pitch) + 1]
    if not beside.shape[1]:
        return inf
    steps = np.abs(np.diff(beside.astype(np.int16), axis=0)).max(axis=2) > _CUT.step
    lines = np.flatnonzero(steps.mean(axis=1) >= _CUT.all)
    return max(float(lines[0] + first + 1 - end), 0.0) if len(lines) else inf


def _frame_at(image: Image, across: NDArray[np.intp], end: int, pitch: float) -> bool:
    """Return whether an edge runs along the bottom of a board, a little beyond it."""
    beyond = image[end : end + round(_CUT.frame * pitch) + 1, across[0] : across[-1]].astype(
        np.int16
    )
    steps = np.abs(np.diff(beyond, axis=0)).max(axis=2) > _CUT.step
    return bool((steps.mean(axis=1) >= _CUT.along).any())
