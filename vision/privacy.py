"""Restrict pictures to the game's own window.

A capture includes half a cell around the board, and everything that covers the board. The parts
that belong to the game may be shown, recorded and saved with an error; the rest is cut off or
painted over first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from bot.frame import Frame, Point, Region
from vision.desktop import Window

_SQUARE: Final = 16
"""Distance in points between sampled positions: no menu and no notice is smaller."""


def cut(frame: Frame, window: Window | None) -> Frame:
    """Return a frame's part in a window, else one black pixel; all if the window is unknown."""
    if window is None:
        return frame
    inside = frame.region.intersection(window.region)
    if inside == frame.region:
        return frame
    if inside is None:
        corner = Region(frame.region.left, frame.region.top, 1, 1)
        return Frame(frame.image[:1, :1] * 0, corner, frame.time, frame.number)
    rows, cols = frame.pixels(inside)
    return Frame(frame.image[rows, cols], inside, frame.time, frame.number)


def without_others(
    frame: Frame,
    shows: Callable[[Sequence[Point]], Sequence[bool]],
    dialogs: Sequence[Region] = (),
) -> Frame:
    """Return a frame of the game with other windows, menus and notices painted out.

    `shows` returns whether the game's window is at each of some points; dialogs of its program may
    be visible.
    """
    region = frame.region
    # Anything at least as large as a square covers a corner of every square that it reaches.
    across, down = (
        np.append(np.arange(begin, end - 1, _SQUARE), end - 1)
        for begin, end in ((region.left, region.right), (region.top, region.bottom))
    )
    points = [Point(float(x), float(y)) for y in down for x in across]
    ours = [
        shown or any(dialog.contains(point) for dialog in dialogs)
        for point, shown in zip(points, shows(points), strict=True)
    ]
    if all(ours):
        return frame
    image = frame.image.copy()
    covered = ~np.array(ours).reshape(len(down), len(across))
    for row, col in np.argwhere(covered).tolist():
        left, right = across[max(col - 1, 0)], across[min(col + 1, len(across) - 1)] + 1
        top, bottom = down[max(row - 1, 0)], down[min(row + 1, len(down) - 1)] + 1
        place = Region(int(left), int(top), int(right - left), int(bottom - top))
        image[frame.pixels(place)] = 0
    return Frame(image, region, frame.time, frame.number)
