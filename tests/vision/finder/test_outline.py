"""Boards of unknown skins are outlined exactly, and other grids are not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bot.board import Board
from tests.support.strange import Strange
from tests.vision.scenes import Image, drawn, put, random_board
from vision.finder.lattice import find_lattices
from vision.finder.outline import Outline, find_outlines

pytestmark = pytest.mark.usefixtures("qapp")  # the looks are drawn with fonts


VISIBLE = (0, 2, 4, 7, 8, 9, 10, 12, 13, 15, 16, 24)
"""Seeds of skins whose covered cells have a border."""


def _outlines(image: Image) -> list[Outline]:
    return find_outlines(image, find_lattices(image), lambda _: False)


def _check(found: list[Outline], board: Board, left: float, top: float, cell: float) -> None:
    (one,) = found
    assert (one.span.rows, one.span.cols) == (board.rows, board.cols)
    place = one.place
    assert abs(place.left + one.span.left * place.pitch_x - left) <= 0.1 * cell + 1
    assert abs(place.top + one.span.top * place.pitch_y - top) <= 0.1 * cell + 1
    assert abs(place.pitch_x - cell) * board.cols <= 0.1 * cell + 1
    assert abs(place.pitch_y - cell) * board.rows <= 0.1 * cell + 1


@pytest.mark.parametrize("seed", VISIBLE)
@pytest.mark.parametrize("fresh", [True, False], ids=["fresh", "mid-game"])
def test_board_in_a_style_of_its_own(seed: int, *, fresh: bool) -> None:
    """Flat or bevelled, checkered, dark or light, lined or not, at any pitch."""
    rng = np.random.default_rng([41, seed])
    cell = float((14.0, 18.75, 24.0, 33.0, 52.0, 90.0)[seed % 6])
    rows = int(rng.integers(5, min(20, 700 // cell) + 1))
    cols = int(rng.integers(5, min(30, 1100 // cell) + 1))
    board = Board.covered(rows, cols, 9) if fresh else random_board(rng, rows, cols)
    image = np.full((800, 1280, 3), 140, np.uint8)
    put(image, Strange(seed).picture(board, cell), 60, 50)
    _check(_outlines(image), board, 60, 50, cell)


def test_tiles_far_apart_on_a_plain_ground() -> None:
    """The edges of the outer tiles are not near where their cells end."""
    image = np.full((260, 260, 3), 250, np.uint8)
    image[:32], image[:, :27] = 90, 90  # the frame of the window
    for row in range(9):
        for col in range(9):
            put(image, np.full((16, 16, 3), 170, np.uint8), 33 + 22 * col, 38 + 22 * row)
    _check(_outlines(image), Board.covered(9, 9, 10), 30, 35, 22)


def test_last_line_of_empty_cells_with_thin_lines_that_ends_with_a_border() -> None:
    """Such lines hardly show in the mean colours of large cells."""
    image = np.full((800, 800, 3), 40, np.uint8)
    board = image[30 : 30 + 724, 30 : 30 + 724]
    board[:] = 200
    edges = np.rint(80.4 * np.arange(1, 10)).astype(int)
    board[edges - 1], board[:, edges - 1] = 150, 150
    for row, col, hint in ((0, 0, 1), (0, 1, 2), (0, 2, 2), (0, 3, 1), (1, 3, 1), (4, 0, 1)):
        at = round(80.4 * col) + 22, round(80.4 * row) + 60
        cv2.putText(board, str(hint), at, cv2.FONT_HERSHEY_SIMPLEX, 2, (40, 160 * hint - 160, 0), 6)
    board[-5:-4], board[-4:] = 200, 250
    _check(_outlines(image), Board.covered(9, 9, 10), 30, 30, 80.4)


@pytest.mark.parametrize(("side", "pitch"), [("right", 38), ("bottom", 38), ("top", 20)])
def test_last_line_of_cells_that_ends_with_a_border(side: str, pitch: int) -> None:
    """The others end with a line between two cells; the border is no text beside their middle.

    It covers a seventh of small cells.
    """
    image = np.full((440, 440, 3), (225, 245, 250), np.uint8)
    board = image[50 : 50 + 9 * pitch, 40 : 40 + 9 * (pitch + 2)]
    board[:] = (87, 139, 46)
    board[pitch - 1 :: pitch], board[:, pitch + 1 :: pitch + 2] = 0, 0
    border = {"right": board[:, -3:], "bottom": board[-3:], "top": board[:3]}
    border[side][:] = 250
    found = find_outlines(image, find_lattices(image), lambda _: False, checkered=True)
    assert [(one.span.rows, one.span.cols, one.cut) for one in found] == [(9, 9, None)]


@pytest.mark.parametrize("flip", [False, True], ids=["left", "right"])
def test_cells_with_a_deep_shadow_at_one_side(*, flip: bool) -> None:
    """The face is not in the middle of its cell."""
    cell = np.full((25, 25, 3), (250, 140, 60), np.uint8)
    cell[:, :10] = (230, 0, 0)
    board = cv2.copyMakeBorder(cell, 0, 1, 0, 1, cv2.BORDER_CONSTANT, value=(240, 240, 240))
    image = np.full((340, 340, 3), 240, np.uint8)
    put(image, np.tile(board, (9, 9, 1)), 50, 60)
    if flip:
        image = np.ascontiguousarray(image[:, ::-1])
    _check(_outlines(image), Board.covered(9, 9, 10), 340 - 50 - 9 * 26 if flip else 50, 60, 26)


def test_board_in_step_with_another_grid() -> None:
    """A chess board with squares of the same size, a whole number of them away."""
    rng = np.random.default_rng(8)
    image = np.full((700, 900, 3), 214, np.uint8)
    odd = np.add.outer(np.arange(8), np.arange(8)) % 2 == 1
    squares = np.where(odd[..., None], (60, 90, 60), (240, 240, 240)).astype(np.uint8)
    put(image, squares.repeat(24, axis=0).repeat(24, axis=1), 24, 24)
    board = random_board(rng, 5, 6)
    put(image, drawn(board, "classic", 24.0), 24 + 24 * 20, 24 + 24 * 14)
    _check(_outlines(image), board, 504, 360, 24.0)


@pytest.mark.parametrize("dark", [True, False], ids=["dark", "light"])
def test_squares_in_shades_are_no_board(*, dark: bool) -> None:
    """A year of work done, seven squares a week in five shades: no glyph is among them."""
    rng = np.random.default_rng(44)
    greens = np.linspace((34, 41, 22), (83, 211, 57), 5) if dark else np.linspace(240, 60, 5)
    image = np.full((300, 1200, 3), 20 if dark else 250, np.uint8)
    for week in range(52):
        for day in range(7):
            top, left = 60 + 19 * day, 60 + 19 * week
            shade = greens[rng.choice(5, p=(0.4, 0.3, 0.15, 0.1, 0.05))]
            image[top : top + 15, left : left + 15] = shade
    assert _outlines(image) == []
