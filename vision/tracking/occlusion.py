"""Whether another window lies over the cells of a board, as the window system tells it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import Cell
from bot.frame import Grid, Point
from vision.desktop import Feature, Window, desktop
from vision.focus import NotInFront

_ASKED: Final = 32
"""Chosen cells of which the window system is asked at the most."""


def is_visible(window: Window | None, grid: Grid, chosen: NDArray[np.bool_] | None = None) -> bool:
    """Return whether nothing lies over cells: their corners are asked about.

    Args:
        window: The board's; None if the system does not say.
        grid: Where the board is.
        chosen: (rows, cols) bool, which of them; all without.
    """
    if window is None or Feature.PLACES in desktop().lacks:
        return True
    cells = np.argwhere(np.ones((grid.rows, grid.cols), bool) if chosen is None else chosen)
    if chosen is not None:
        cells = cells[:_ASKED]
    across, down = grid.pitch_x / 2 - 1, grid.pitch_y / 2 - 1
    points = [
        Point(middle.x + x, middle.y + y)
        for middle in (grid.center(Cell(row, col)) for row, col in cells.tolist())
        for x in (-across, across)
        for y in (-down, down)
    ]
    return not points or all(desktop().uncovered(window.id, points))


def refuse_others(window: Window, points: Sequence[Point]) -> None:
    """Make sure that a click at each of these points reaches a window.

    Raises:
        NotInFront: The window is gone, has moved, or something else lies there.
    """
    place = desktop().place_of(window.id)
    if place is None:
        raise NotInFront(f"the window '{window.title}' is gone: nothing was clicked")
    if place != window.region:
        raise NotInFront(f"the window '{window.title}' has moved: nothing was clicked")
    for point, free in zip(points, desktop().uncovered(window.id, points), strict=True):
        if not free:
            other = desktop().window_at(point)
            what = f"'{other.title or other.class_name or 'a pop-up'}'" if other else "nothing"
            raise NotInFront(
                f"at ({point.x:.0f}, {point.y:.0f}) lies {what}, not '{window.title}': "
                "nothing was clicked; bring the game to the front and play again"
            )
