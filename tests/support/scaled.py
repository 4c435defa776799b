"""Recorded boards shown at another size than they were drawn at.

Browsers, toolkits and remote desktops scale pictures: by nearest neighbour, bilinear, bicubic or
area interpolation; the whole picture, as the device scale of a browser does, or each cell by itself
to whole pixels, as a program does that draws pictures of one size into cells of another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.frame import Frame, Grid, Region
from tests.support.reading_sources import Source, recorded
from vision.matcher import Matcher
from vision.skins import Skin
from vision.tracking.tile_reader import Tracker, believable

Image = NDArray[np.uint8]

ASKED: Final = 0.001
"""Largest share of unread tiles of boards that can be read."""


def _opencv(image: Image, size: tuple[int, int], method: int) -> Image:
    return np.asarray(cv2.resize(image, size, interpolation=method), np.uint8)


def _area(image: Image, size: tuple[int, int]) -> Image:
    """Return a picture scaled by area means, which OpenCV supports only for reductions."""
    across, down = (
        _covered(one, other) for one, other in zip(image.shape[1::-1], size, strict=True)
    )
    rows = np.tensordot(down, image.astype(np.float32), 1)
    return np.einsum("xw,hwc->hxc", across, rows, optimize=True).round().astype(np.uint8)


def _covered(before: int, after: int) -> NDArray[np.float32]:
    """Return (after, before): the share of each pixel that covers each pixel of the original."""
    edges = np.arange(after + 1) * before / after
    first, last = edges[:-1, None], edges[1:, None]
    pixels = np.arange(before)
    over = np.minimum(last, pixels + 1) - np.maximum(first, pixels)
    return (over.clip(0) * after / before).astype(np.float32)


METHODS: Final[Mapping[str, Callable[[Image, tuple[int, int]], Image]]] = {
    "nearest": lambda image, size: _opencv(image, size, cv2.INTER_NEAREST_EXACT),
    "bilinear": lambda image, size: _opencv(image, size, cv2.INTER_LINEAR),
    "bicubic": lambda image, size: _opencv(image, size, cv2.INTER_CUBIC),
    "area": _area,
}


@dataclass(frozen=True, eq=False)
class Scaled:
    """A board at another size."""

    image: Image
    grid: Grid
    whole: bool
    """Whether the picture was scaled as a whole."""


def scaled(source: Source, scale: float, method: str) -> Iterator[Scaled]:
    """Show a board at another size: the whole picture, then cell by cell."""
    image, grid, change = source.image, source.grid, METHODS[method]
    height, width = (round(side * scale) for side in image.shape[:2])
    whole = change(image, (width, height))
    # A picture of whole pixels is not scaled by exactly the factor.
    across, down = width / image.shape[1], height / image.shape[0]
    shown = replace(
        grid,
        left=grid.left * across,
        top=grid.top * down,
        pitch_x=grid.pitch_x * across,
        pitch_y=grid.pitch_y * down,
    )
    if grid.wide_cols or grid.wide_rows:
        shown = replace(grid, scale=scale)
    yield Scaled(whole, shown, whole=True)
    if scale == 1:
        return
    before, after = Region(0, 0, *image.shape[1::-1]), Region(0, 0, width, height)
    tops, lefts = grid.row_edges(before), grid.column_edges(before)
    to_tops, to_lefts = shown.row_edges(after), shown.column_edges(after)
    drawn = whole.copy()
    for row in range(grid.rows):
        for col in range(grid.cols):
            cell = image[tops[row] : tops[row + 1], lefts[col] : lefts[col + 1]]
            there = drawn[to_tops[row] : to_tops[row + 1], to_lefts[col] : to_lefts[col + 1]]
            there[:] = change(cell, (there.shape[1], there.shape[0]))
    yield Scaled(drawn, shown, whole=False)


def chosen(skin: Skin) -> list[Source]:
    """Return a recorded board of a skin at its smallest and at its largest cell size.

    It is the last frame of a session, that with the most states.
    """
    by_size: dict[float, dict[str, Source]] = defaultdict(dict)
    for source in recorded({skin.name: skin}, every=True):
        by_size[source.grid.pitch_x][source.name.partition("/")[0]] = source
    return [
        max(by_size[size].values(), key=lambda one: len(set(one.tiles.flat)))
        for size in sorted({min(by_size), max(by_size)})
    ]


def read(source: Source, one: Scaled, matchers: dict[Skin, Matcher]) -> NDArray[np.int8]:
    """Read a board at a known position."""
    drawn = source.skin.drawn_at(one.grid.pitch_x * one.grid.scale)
    matcher = matchers.setdefault(drawn, Matcher(drawn))
    tracker = Tracker(one.grid, drawn, matcher)
    height, width = (round(side / one.grid.scale) for side in one.image.shape[:2])
    region = Region(0, 0, width, height)
    tracker.see(Frame(one.image, region))
    return believable(tracker.codes)
