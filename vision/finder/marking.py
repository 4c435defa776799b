"""A board that the user marks in a picture, because the finder does not see it.

The finder needs lines between cells, or cells that look alike. The user says where the board is,
and how many columns and rows it has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.frame import Frame, Grid, Region
from vision import LARGEST_CELL, LEAST_CELL, LEAST_LINES, MOST_LINES
from vision.finder.lattice import VERY_OBLONG
from vision.finder.placing import SIDES, Side

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class MarkingLimits:
    """Limits of where a board is likely, and of how far a mark is moved."""

    step: float = 6
    """Grey levels that make an edge."""
    along: float = 0.5
    """Least part of a side along which there is an edge."""
    as_long: float = 0.9
    """Part of the longest edge from which on another is as good."""
    near: float = 0.33
    """Part of a cell by which a side may be moved to an edge."""
    shade: float = 4
    """Grey levels by which the pixels of a plain area may differ from their neighbours."""
    filled: float = 0.9
    """Least part of a plain area's bounding box that it fills."""
    large: float = 0.25
    """Least part of the picture's shorter side that both sides of a likely board have."""
    whole: float = 0.9
    """Part of the picture from which on a plain area is the ground of a window."""


_MARKING: Final = MarkingLimits()


def likely_board(image: Image) -> Region | None:
    """Return the largest plain rectangle inside of a picture; None if there is none.

    A board without an opened cell, whose covered cells have no lines between them, is one.

    Args:
        image: (h, w, 3) uint8 BGR.

    Returns:
        Its region in pixels.
    """
    height, width = image.shape[:2]
    grey = image.astype(np.int16)
    plain = np.ones((height, width), np.uint8)
    plain[:, 1:] &= (np.abs(np.diff(grey, axis=1)).max(axis=2) <= _MARKING.shade).astype(np.uint8)
    plain[1:] &= (np.abs(np.diff(grey, axis=0)).max(axis=2) <= _MARKING.shade).astype(np.uint8)
    _, _, found, _ = cv2.connectedComponentsWithStats(plain, connectivity=4)
    least = max(LEAST_LINES * LEAST_CELL, round(_MARKING.large * min(height, width)))
    best: tuple[int, Region] | None = None
    for left, top, across, down, area in found[1:].tolist():
        oblong = max(across, down) > VERY_OBLONG * min(across, down)
        if oblong or min(across, down) < least or area < _MARKING.filled * across * down:
            continue
        if across * down < _MARKING.whole * width * height and (best is None or area > best[0]):
            # The first row and column differ from what is before them.
            first_x, first_y = max(left - 1, 0), max(top - 1, 0)
            region = Region(first_x, first_y, left + across - first_x, top + down - first_y)
            best = area, region
    return None if best is None else best[1]


def marked_grid(frame: Frame, marked: Region, cols: int, rows: int, tolerance: int = 0) -> Grid:
    """Return the grid of a board that the user has marked in a picture.

    Args:
        frame: The picture.
        marked: The board in it, in pixels.
        cols: Number of its columns.
        rows: Number of its rows.
        tolerance: Pixels by which each side may be off: it is moved to the edge there.

    Raises:
        ValueError: No board has such cells; the message names the limit.
    """
    height, width = frame.image.shape[:2]
    whole = Region(0, 0, width, height)
    if not (min(rows, cols) >= LEAST_LINES and max(rows, cols) <= MOST_LINES):
        raise ValueError(f"a board has {LEAST_LINES} to {MOST_LINES} columns and rows")
    if marked != whole.intersection(marked):
        raise ValueError(f"the board must lie in the picture, which has {width}x{height} pixels")
    for side in SIDES:
        cell = marked.width / cols if side in ("left", "right") else marked.height / rows
        # A further edge may be that of the next cell.
        marked = _snapped(frame.image, marked, side, min(tolerance, int(_MARKING.near * cell)))
    cell_width, cell_height = marked.width / cols, marked.height / rows
    cells = f"its cells would have {cell_width:.0f}x{cell_height:.0f} pixels"
    if min(cell_width, cell_height) < LEAST_CELL or max(cell_width, cell_height) > LARGEST_CELL:
        raise ValueError(f"{cells}, and must have {LEAST_CELL} to {LARGEST_CELL}")
    if max(cell_width, cell_height) > VERY_OBLONG * min(cell_width, cell_height):
        raise ValueError(f"{cells}, which is too long: check the columns and rows")
    scale = frame.scale
    return Grid(
        left=frame.region.left + marked.left / scale,
        top=frame.region.top + marked.top / scale,
        pitch_x=cell_width / scale,
        pitch_y=cell_height / scale,
        rows=rows,
        cols=cols,
        scale=scale,
    )


def _snapped(image: Image, marked: Region, side: Side, tolerance: int) -> Region:
    """Return the region with one side moved to an edge all along it nearby, if there is one."""
    if not tolerance:
        return marked
    left, top, right, bottom = marked.left, marked.top, marked.right, marked.bottom
    if side in ("left", "right"):
        lines, at = image[top:bottom].transpose(1, 0, 2), left if side == "left" else right
    else:
        lines, at = image[:, left:right], top if side == "top" else bottom
    first, last = max(at - tolerance - 1, 0), min(at + tolerance + 1, len(lines))
    steps = np.abs(np.diff(lines[first:last].astype(np.int16), axis=0)).max(axis=2)
    shares = (steps >= _MARKING.step).mean(axis=1)
    if not shares.size or shares.max() < _MARKING.along:
        return marked
    # The nearest one of those that are as long.
    places = first + 1 + np.flatnonzero(shares >= _MARKING.as_long * shares.max())
    at = int(places[np.abs(places - at).argmin()])
    edges = {"left": left, "top": top, "right": right, "bottom": bottom} | {side: at}
    return Region(
        edges["left"],
        edges["top"],
        edges["right"] - edges["left"],
        edges["bottom"] - edges["top"],
    )
