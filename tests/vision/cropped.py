"""Pictures of boards of which a part is missing, cut off exactly between two rows or columns.

Made from the recorded sessions. A crop has no trace of a further line of cells: what lies
beyond the cut is the edge of the picture, another window or the toolbar above a page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np

from bot.frame import Grid
from tests.vision.scenes import Image
from vision.finder.placing import SIDES, Side
from vision.sessions import load_session

Beyond = Literal["picture", "desktop", "page"]
BEYOND: Final[tuple[Beyond, ...]] = ("picture", "desktop", "page")
"""What lies beyond the cut: nothing, as in a picture that someone cut out; the desktop, as with a
window that is too small; or a toolbar, as with a page that is scrolled."""
SCALES: Final = (0.8, 1.25, 1.3, 1.5)
_AROUND: Final = 60
"""Pixels of page, and of desktop, around a picture."""
_TOOLBAR: Final = (246, 243, 241)
_SEPARATOR: Final = (200.0, 200.0, 200.0)
_DESKTOP: Final = (96, 62, 38)
_LEAST: Final = 4
"""Lines of cells that are left at least: fewer are no board for the finder."""


@dataclass(frozen=True, eq=False)
class Shot:
    """A whole board in a picture."""

    name: str
    image: Image
    left: int
    """Pixel of the board's left edge, and so on."""
    top: int
    right: int
    bottom: int
    grid: Grid

    def edge(self, side: Side, lines: int) -> int:
        """Pixel of the line between two cells, so many lines from a side."""
        region = self.grid.region
        if side in ("left", "right"):
            edges = self.grid.column_edges(region)
            return int(edges[lines if side == "left" else -1 - lines]) + self.left
        edges = self.grid.row_edges(region)
        return int(edges[lines if side == "top" else -1 - lines]) + self.top


@dataclass(frozen=True, eq=False)
class Crop:
    """A picture with a board of which lines are missing."""

    shot: Shot
    side: Side
    lines: int
    """So many are missing."""
    beyond: Beyond
    image: Image

    def __str__(self) -> str:
        return f"{self.shot.name} without {self.lines} lines at its {self.side}, {self.beyond}"


def shots_of(folder: Path, numbers: tuple[int, ...] = (0, -1)) -> Iterator[Shot]:
    """Return some frames of a recorded session, by default its first and its last."""
    turns = list(load_session(folder).turns())
    for number in dict.fromkeys(range(len(turns))[n] for n in numbers):
        frame, grid = turns[number].reading.frame, turns[number].reading.grid
        assert grid.scale == 1
        region = grid.region
        left, top = region.left - frame.region.left, region.top - frame.region.top
        yield Shot(
            f"{folder.name} {number}",
            frame.image,
            left,
            top,
            left + region.width,
            top + region.height,
            grid,
        )


def crops_of(shot: Shot, beyond: Beyond) -> Iterator[Crop]:
    """Return a picture without one, and without nearly half, of its lines at each side."""
    for side in SIDES:
        count = shot.grid.rows if side in ("top", "bottom") else shot.grid.cols
        for lines in dict.fromkeys((1, min(count * 2 // 5, count - _LEAST))):
            if lines > 0 and count - lines >= _LEAST:
                yield Crop(shot, side, lines, beyond, cropped(shot, side, lines, beyond))


def cropped(shot: Shot, side: Side, lines: int, beyond: Beyond) -> Image:
    """Return the picture without some lines of cells at a side."""
    at = shot.edge(side, lines)
    image = shot.image
    if beyond == "page":
        # The page goes on at the sides, in the colour that is around the board.
        rim = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
        colours, counts = np.unique(rim, axis=0, return_counts=True)
        image = _framed(image, tuple(int(value) for value in colours[counts.argmax()]))
        at += _AROUND
    part = {
        "top": np.s_[at:],
        "bottom": np.s_[:at],
        "left": np.s_[:, at:],
        "right": np.s_[:, :at],
    }[side]
    image = image[part]
    if beyond == "picture":
        return np.ascontiguousarray(image)
    if beyond == "desktop":
        return _framed(image, _DESKTOP)
    line = np.asarray(
        cv2.copyMakeBorder(image, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=[*_SEPARATOR]), np.uint8
    )
    return _framed(line, _TOOLBAR)


def _framed(image: Image, colour: tuple[int, ...]) -> Image:
    return np.asarray(
        cv2.copyMakeBorder(
            image, *[_AROUND] * 4, borderType=cv2.BORDER_CONSTANT, value=[float(c) for c in colour]
        ),
        np.uint8,
    )


def scaled(image: Image, factor: float) -> Image:
    """Return a picture as a compositor or a picture viewer enlarges it."""
    way = cv2.INTER_LINEAR if factor > 1 else cv2.INTER_AREA
    return np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=way), np.uint8)
