"""Boards that the user marks in a picture."""

from __future__ import annotations

import numpy as np
import pytest

from bot.frame import Frame, Grid, Region
from tests.vision.scenes import Image
from vision.finder.marking import likely_board, marked_grid

BOARD = Region(30, 80, 216, 192)


def _window() -> Image:
    """A window with a board of 9 x 8 cells without any lines between them, and a button."""
    image = np.full((320, 400, 3), 220, np.uint8)
    image[10:50, 120:200] = 90, 120, 90
    image[BOARD.top : BOARD.bottom, BOARD.left : BOARD.right] = 140, 112, 86
    return image


def test_a_plain_rectangle_is_a_likely_board() -> None:
    """The largest one, not the ground of the window; a picture full of noise has none."""
    assert likely_board(_window()) == BOARD
    noise = np.random.default_rng(1).integers(0, 255, (320, 400, 3), np.uint8)
    assert likely_board(noise) is None
    assert likely_board(np.full((320, 400, 3), 220, np.uint8)) is None


@pytest.mark.parametrize("off", [-3, 3])
def test_a_mark_that_is_a_little_off_snaps_to_the_edges(off: int) -> None:
    """Without a tolerance it stays as it is; the grid is in points of the desktop."""
    frame = Frame(_window(), Region(100, 50, 200, 160), 0.0, 1)
    beside = Region(BOARD.left + off, BOARD.top - off, BOARD.width - off, BOARD.height + 2 * off)
    expected = Grid(left=115, top=90, pitch_x=12, pitch_y=12, rows=8, cols=9, scale=2.0)
    assert marked_grid(frame, beside, 9, 8, tolerance=4) == expected
    assert marked_grid(frame, BOARD, 9, 8) == expected
    assert marked_grid(frame, beside, 9, 8).left == 115 + off / 2


def test_a_mark_is_not_moved_by_a_cell() -> None:
    """From afar a hand is off by many pixels; cells have edges, too, and some have no other."""
    image = np.full((700, 1000, 3), 220, np.uint8)
    image[200:520, 300:700] = 140, 112, 86
    image[200:520, 300:700:20] = image[200:520:20, 300:700] = 60
    # The outer columns look like the window, but for their lines.
    for left in (301, 681):
        part = image[200:520, left : left + 19]
        part[(part == (140, 112, 86)).all(axis=2)] = 220
    frame, exact = Frame(image, Region(0, 0, 1000, 700), 0.0, 1), Region(300, 200, 400, 320)
    grid = marked_grid(frame, exact, 20, 16, tolerance=21)
    assert abs(grid.left - 300) <= 1
    assert abs(grid.top - 200) <= 1
    assert (grid.pitch_x, grid.pitch_y) == pytest.approx((20, 20), abs=0.1)


@pytest.mark.parametrize(
    ("marked", "cells", "said"),
    [
        (BOARD, (9, 3), "4 to 100 columns and rows"),
        (BOARD, (9, 101), "4 to 100 columns and rows"),
        (BOARD, (30, 24), "7x8 pixels, and must have 10 to 200"),
        (BOARD, (4, 16), "54x12 pixels, which is too long"),
        (Region(30, 80, 500, 192), (9, 9), "in the picture, which has 400x320 pixels"),
    ],
)
def test_a_mark_that_is_no_board_is_refused(
    marked: Region, cells: tuple[int, int], said: str
) -> None:
    """The error names the limit."""
    frame = Frame(_window(), Region(0, 0, 400, 320), 0.0, 1)
    with pytest.raises(ValueError, match=said):
        marked_grid(frame, marked, *cells)
