"""A dialog that a web page draws over its board: a box in the same window, and no window itself."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import UNREAD
from bot.frame import Frame, Grid, Reading, Region

_EDGES: Final = (20, 60)
"""Grey levels that `cv2.Canny` follows, as for buttons."""
_LEAST: Final = (3.0, 1.5)
"""Least width and height of a box, in pitches."""
_FILLED: Final = 0.9
"""Part of its bounding box that the outline of a box encloses."""
_OFF: Final = 0.15
"""Pitches between an edge of a box and the nearest edge of a cell: opened regions end at cells."""
_UNREAD: Final = 0.3
"""Part of the cells beneath a box that cannot be read, at least: an empty cell may be as white."""


class PageDialog(RuntimeError):
    """The page has drawn a box over its board.

    Attributes:
        reading: What is seen of the board.
    """

    def __init__(self, reading: Reading) -> None:
        super().__init__("a box in the game's window covers part of the board: close it")
        self.reading = reading


def box_over(frame: Frame, grid: Grid, codes: NDArray[np.int8]) -> Region | None:
    """Return the box that covers cells of a board, in points; None if there is none.

    Args:
        frame: The board and what is around it.
        grid: Where the board is.
        codes: (rows, cols) what was read of its cells.
    """
    edges = cv2.Canny(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), *_EDGES)
    # A box that reaches beyond the picture is closed by its edge.
    edges[[0, -1]] = 255
    edges[:, [0, -1]] = 255
    outlines, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    for outline in outlines:
        box = Region(*cv2.boundingRect(outline))
        if cv2.contourArea(outline) >= _FILLED * box.width * box.height and _covers(
            box, frame, grid, codes
        ):
            found.append(box)
    if not found:
        return None
    box = max(found, key=lambda box: box.width * box.height)
    return frame.region_of(box)


def _covers(box: Region, frame: Frame, grid: Grid, codes: NDArray[np.int8]) -> bool:
    """Return whether a rectangle of a picture lies over cells, and is none of the board itself."""
    pitch = grid.pitch_x * frame.scale, grid.pitch_y * frame.scale
    if box.width < _LEAST[0] * pitch[0] or box.height < _LEAST[1] * pitch[1]:
        return False
    off, inside = False, []
    for lines, side, begin, end in (
        (grid.row_edges(frame.region), pitch[1], box.top, box.bottom),
        (grid.column_edges(frame.region), pitch[0], box.left, box.right),
    ):
        off |= any(
            lines[0] < edge < lines[-1] and np.abs(lines - edge).min() > _OFF * side
            for edge in (begin, end)
        )
        inside.append((lines[:-1] >= begin) & (lines[1:] <= end))
    beneath = codes[np.ix_(*inside)]
    return off and beneath.size > 0 and float((beneath == UNREAD).mean()) >= _UNREAD
