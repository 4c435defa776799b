"""A dialog that a page draws over its board, or beside it, and its buttons."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bot.board import UNREAD, Cell
from bot.frame import Frame, Grid, Point, Region
from tests.vision.scenes import recorded
from tests.vision.texts import write
from vision.learning.button import buttons_in
from vision.tracking.pagedialog import box_over, new_box, wide_button

WHITE, BORDER, BUTTON = (255, 255, 255), (120, 120, 120), (230, 230, 230)


def drawn_over(image: NDArray[np.uint8], box: Region, *, dim: bool) -> NDArray[np.uint8]:
    """A picture with a dialog of one button in it."""
    picture = image // 2 if dim else image.copy()
    for place, color in ((box, WHITE), (button_of(box), BUTTON)):
        corner, opposite = (place.left, place.top), (place.right - 1, place.bottom - 1)
        cv2.rectangle(picture, corner, opposite, color, -1)
        cv2.rectangle(picture, corner, opposite, BORDER, 1)
    cv2.putText(picture, "You won", (box.left + 9, box.top + 20), 0, 0.4, (0, 0, 0), 1)
    return picture


def button_of(box: Region) -> Region:
    """Where its button is."""
    return Region(box.left + box.width // 3, box.bottom - 32, box.width // 3, 22)


@pytest.mark.parametrize("dim", [False, True])
@pytest.mark.parametrize(
    "session", ["classic-beginner-won", "dark-beginner-won", "flat-beginner-won"]
)
def test_a_box_over_the_board_is_found(session: str, *, dim: bool) -> None:
    """With its button; a finished board without one has none, whatever of it cannot be read."""
    reading = recorded(session, "last")
    frame, board = reading.frame, reading.frame.pixels(reading.grid.region)
    box = Region(board[1].start + 21, board[0].start + 27, 100, 75)
    shown = Frame(drawn_over(frame.image, box, dim=dim), frame.region)
    codes = np.full_like(reading.board.tiles, UNREAD)
    found = box_over(shown, reading.grid, codes)
    assert found is not None
    assert max(abs(a - b) for a, b in zip(found, frame.region_of(box), strict=True)) <= 4
    inside = Frame(shown.image[shown.pixels(found)], found)
    (button,) = buttons_in(inside, reading.grid.pitch_x)
    assert button.contains(frame.region_of(button_of(box)).center)
    assert box_over(frame, reading.grid, codes) is None
    assert box_over(shown, reading.grid, reading.board.tiles) is None


@pytest.mark.parametrize("dim", [False, True])
def test_a_box_beside_the_board_is_found_if_it_is_new(*, dim: bool) -> None:
    """The page's own boxes are not, though the page around the dialog became darker."""
    reading = recorded("classic-beginner-won", "last")
    image = cv2.copyMakeBorder(
        np.asarray(reading.frame.image), 0, 240, 0, 0, cv2.BORDER_CONSTANT, value=(90, 110, 120)
    )
    place = reading.frame.region
    region = Region(place.left, place.top, place.width, place.height + 240)
    own = drawn_over(np.asarray(image), Region(20, place.height + 20, 100, 80), dim=False)
    box = Region(30, place.height + 130, 110, 80)
    before, shown = Frame(own, region), Frame(drawn_over(own, box, dim=dim), region)
    found = new_box(shown, before, reading.grid)
    assert found is not None
    assert found.contains(shown.region_of(button_of(box)).center)
    assert new_box(before, before, reading.grid) is None
    grown = drawn_over(np.asarray(image), Region(20, place.height + 20, 100, 110), dim=False)
    assert new_box(Frame(grown, region), before, reading.grid) is None
    # The window has moved since.
    moved = Region(region.left, region.top + 20, region.width, region.height)
    assert new_box(Frame(shown.image, moved), before, reading.grid) is None
    assert new_box(Frame(own // 2, region), before, reading.grid) is None


@pytest.mark.parametrize(("cell", "count"), [(34, 9), (92, 3)])
def test_a_box_across_a_text_of_the_page_is_new(cell: int, count: int) -> None:
    """As the alert of a browser, which begins at the edge of the page and darkens it."""
    page = np.full((620, 900, 3), 240, np.uint8)
    grid, region = Grid(280.0, 280.0, cell, cell, count, count), Region(0, 0, 900, 620)
    page[280:586, 280:586] = 190
    for place in range(0, cell * count, cell):
        page[280 + place, 280:586] = page[280:586, 280 + place] = 90
    for left in range(230, 660, 60):
        cv2.putText(page, "Ab8", (left, 142), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (20, 20, 20), 3)
    shown = (page * 0.4).astype(np.uint8)
    shown[1:135, 220:680] = 255
    cv2.rectangle(shown, (580, 90), (660, 122), (190, 80, 10), -1)
    box = new_box(Frame(shown, region), Frame(page, region), grid)
    assert box is not None
    assert box.contains(Point(620, 106))
    assert box.width < 480


@pytest.mark.parametrize("off", [0.4, 0.0])
def test_a_button_alone_over_a_darkened_board_is_a_box(off: float) -> None:
    """With an icon of its own; where it ends at cells, it may be a part of the board."""
    grid, region = Grid(10.0, 10.0, 40.0, 40.0, 9, 9), Region(0, 0, 380, 380)
    board = np.full((380, 380, 3), (160, 194, 229), np.uint8)
    board[10:370, 10:370] = 190
    dark = board // 4
    left, top = round(90 + 40 * off), round(170 - 40 * off)
    right, bottom = left + 159, top + 39 + round(80 * off)
    cv2.rectangle(dark, (left, top), (right, bottom), (44, 116, 74), -1)
    cv2.rectangle(dark, (left + 12, top + 8), (left + 35, top + 31), (250, 250, 250), 1)
    found = new_box(Frame(dark, region), Frame(board, region), grid)
    middle = Point((left + right) / 2, (top + bottom) / 2)
    assert (found is not None and found.contains(middle)) == (off > 0)


@pytest.mark.linux  # Its fonts.
def test_a_box_without_an_edge_is_found_by_its_button() -> None:
    """As grey as the cells below it. Unread cells alone are none, nor is a text over them."""
    reading = recorded("classic-beginner-won", "last")
    grid, codes = reading.grid, reading.board.tiles.copy()
    codes[2:6, 1:8] = UNREAD
    image = np.array(reading.frame.image)
    corner = grid.center(Cell(2, 1))
    top, left = (
        round(edge - start) - round(pitch / 2)
        for edge, start, pitch in (
            (corner.y, reading.frame.region.top, grid.pitch_y),
            (corner.x, reading.frame.region.left, grid.pitch_x),
        )
    )
    high, wide = round(4 * grid.pitch_y), round(7 * grid.pitch_x)
    box = image[top : top + high, left : left + wide]
    found = []
    for text in ("", "Cancel"):
        box[:] = box[0, 0]
        if text:
            write(box, text, 20, high // 2, 13)
        found.append(box_over(Frame(image, reading.frame.region), grid, codes))
    assert found[0] is None
    assert found[1] is not None
    assert grid.region.contains(found[1].center)


@pytest.mark.parametrize(
    ("text", "is_button"),
    [
        ("", True),
        pytest.param("RESTART", True, marks=pytest.mark.linux),  # Its fonts.
        pytest.param("Settings", False, marks=pytest.mark.linux),
    ],
)
def test_a_button_over_a_darkened_board_is_found(text: str, is_button: bool) -> None:
    """If no cell of a board can be read, in a program that is not known.

    By its outline, which lines of cells may hide, or by its text, unless that starts no game.
    """
    reading = recorded("flat-beginner-won", "last")
    grid, frame = reading.grid, reading.frame
    dark = frame.image // 6
    codes = np.full_like(reading.board.tiles, UNREAD)
    assert box_over(Frame(dark, frame.region), grid, codes, may_dim=True) is None
    rows, cols = frame.pixels(grid.region)
    left, top = cols.start + 40, rows.start + 100
    if text:
        write(dark, text, left, top, 16, light=True)
    else:
        cv2.rectangle(dark, (left, top), (left + 120, top + 22), (90, 90, 90), -1)
    shown = Frame(dark, frame.region)
    assert box_over(shown, grid, codes) is None
    found = box_over(shown, grid, codes, may_dim=True)
    assert (found is not None) is is_button
    assert found is None or found.contains(frame.region_of(Region(left, top, 90, 20)).center)


@pytest.mark.linux  # Its fonts.
@pytest.mark.parametrize(("text", "pressed"), [("Bombs: 10", False), ("Let's go", True)])
def test_a_count_in_a_frame_is_no_button(text: str, *, pressed: bool) -> None:
    """The only wide button of a window may have any other text."""
    image = write(np.full((120, 220, 3), 244, np.uint8), text, 70, 62)
    cv2.rectangle(image, (55, 54), (160, 80), BORDER, 1)
    frame, grid = Frame(image, Region(0, 0, 220, 120)), Grid(0, 0, 24, 24, 9, 9)
    assert (wide_button(frame, Region(0, 0, 220, 120), grid) is not None) is pressed
