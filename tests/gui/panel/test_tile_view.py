"""Where a tile is: its neighbours, the frame around it, and the words for its place."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from bot.board import (
    UNREAD,
    Board,
    Cell,
)
from bot.frame import Frame, Grid, Reading, Region, Status
from gui.panel.tile_question import TeachPage
from gui.questions import around, cells_text
from tests.gui.tabletop import asked_about
from tests.images import to_array


def a_reading(rows: int = 9, cols: int = 12, pitch: float = 10.0) -> Reading:
    """A board in the middle of a frame, every cell of a colour of its own."""
    region = Region(100, 50, round(cols * pitch) + 40, round(rows * pitch) + 40)
    image = np.zeros((region.height, region.width, 3), np.uint8)
    grid = Grid(120, 70, pitch, pitch, rows, cols)
    down, across = grid.row_edges(region), grid.column_edges(region)
    for row in range(rows):
        for col in range(cols):
            place = slice(down[row], down[row + 1]), slice(across[col], across[col + 1])
            image[place] = (row + 1, col + 1, 77)
    board = Board(np.full((rows, cols), UNREAD, np.int8), 10)
    confidence = np.zeros((rows, cols), np.float32)
    return Reading(Frame(image, region), grid, board, Status.PLAYING, confidence)


@pytest.mark.parametrize(
    ("cell", "shape", "place"),
    [
        ((4, 6), (70, 70), (30, 30)),
        ((0, 0), (40, 40), (0, 0)),
        ((8, 11), (40, 40), (30, 30)),
        ((1, 10), (50, 50), (10, 30)),
    ],
)
def test_a_tile_among_its_neighbours(
    cell: tuple[int, int], shape: tuple[int, int], place: tuple[int, int]
) -> None:
    """Three cells on each side, fewer where the board ends; the frame spares the tile itself."""
    shown = around(a_reading(), Cell(*cell))
    assert shown.picture.shape[:2] == shape
    assert (shown.tile.top, shown.tile.left) == place
    inside = shown.framed()[shown.tile.top : shown.tile.bottom, shown.tile.left : shown.tile.right]
    assert (inside == (cell[0] + 1, cell[1] + 1, 77)).all()
    assert (shown.framed() == (0, 0, 255)).all(axis=2).any()
    assert not (shown.picture == (0, 0, 255)).all(axis=2).any()


def test_cells_at_a_fractional_pitch_are_whole() -> None:
    """Every pixel of the tile belongs to its cell."""
    shown = around(a_reading(pitch=10.4), Cell(5, 7))
    tile = shown.tile
    inside = shown.picture[tile.top : tile.bottom, tile.left : tile.right]
    assert (inside == (6, 8, 77)).all()


def test_places_are_told_as_everywhere_else() -> None:
    """Counted from 0, as in the reasons and the errors; the first few of many."""
    told = cells_text(asked_about(1, [(0, 1), (2, 10), (3, 3)]))
    assert "row 1, column 2; row 3, column 11; and 1 more" in told


def test_the_tile_is_shown_where_it_is(qtbot: QtBot) -> None:
    """Its neighbours with a frame around it, where there is room; without them nothing is left."""
    page = TeachPage()
    qtbot.addWidget(page)
    page.ask(asked_about(3, [(4, 6)]))
    with qtbot.waitExposed(page):
        page.show()
    page.resize(660, 600)
    assert not page.around.isVisible()
    page.ask(asked_about(3, [(4, 6)]), around(a_reading(), Cell(4, 6)))
    qtbot.waitUntil(page.around.isVisible)
    drawn = to_array(page.around.grab().toImage())
    assert page.around.place().width() == page.around.width() - 2
    # The middle cell's own pixels, and the frame on both sides of it.
    middle = drawn.shape[0] // 2
    line = [tuple(pixel) for pixel in drawn[middle].tolist()]
    frame = (0x4D, 0xE1, 0xFF)
    assert line[middle] == (5, 7, 77)
    assert frame in line[middle - drawn.shape[1] // 7 : middle]
    assert frame in line[middle : middle + drawn.shape[1] // 7]
    page.resize(660, 300)
    qtbot.waitUntil(lambda: not page.around.isVisible())
    page.resize(660, 600)
    qtbot.waitUntil(page.around.isVisible)
    page.ask(asked_about(3, [(4, 6)]))
    assert not page.around.isVisible()
