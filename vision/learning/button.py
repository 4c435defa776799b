"""The button above a board that begins the next game in many programs: often a face."""

from __future__ import annotations

from typing import Final

import cv2

from bot.frame import Frame, Grid
from vision.skins import Face

_SIDES: Final = (0.8, 3.0)
"""Width and height of such a button, in pitches."""
_SQUARE: Final = 1.35
"""Times that one side may be as long as the other."""
_ASIDE: Final = 0.35
"""How far from the middle of the board it may be, in pitches."""
_EDGES: Final = (20, 60)
"""Grey levels that `cv2.Canny` follows."""


def button_above(frame: Frame, grid: Grid) -> Face | None:
    """The largest square that is centred above a board, None where there is none.

    Args:
        frame: What is around the board, the window at the most.
        grid: Where the board is.
    """
    scale, region = frame.scale, frame.region
    height = round((grid.top - region.top) * scale)
    pitch = min(grid.pitch_x, grid.pitch_y) * scale
    if height < pitch:
        return None
    above = cv2.cvtColor(frame.image[:height], cv2.COLOR_BGR2GRAY)
    edges = cv2.Canny(above, *_EDGES)
    outlines, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    middle = (grid.left + grid.cols * grid.pitch_x / 2 - region.left) * scale
    found: Face | None = None
    for outline in outlines:
        left, top, wide, high = cv2.boundingRect(outline)
        sides = sorted((wide, high))
        if not _SIDES[0] * pitch <= sides[0] <= sides[1] <= _SIDES[1] * pitch:
            continue
        aside = left + wide / 2 - middle
        if sides[1] > _SQUARE * sides[0] or abs(aside) > _ASIDE * pitch:
            continue
        face = Face(
            anchor="top",
            x=aside / scale / grid.pitch_x,
            y=(top + high / 2 - height) / scale / grid.pitch_y,
            width=wide / scale / grid.pitch_x,
            height=high / scale / grid.pitch_y,
        )
        if found is None or face.height > found.height:
            found = face
    return found
