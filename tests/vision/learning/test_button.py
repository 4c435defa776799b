"""The button that starts the next game, found near boards without their skins."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bot.frame import Frame, Grid, Region, Status
from tests.support.glyphs import application, written
from tests.vision.scenes import recorded
from tests.vision.texts import write
from vision.captions import end_button, end_of
from vision.capture import load_image
from vision.learning.button import (
    Button,
    buttons_in,
    buttons_near,
    face_at,
    menus_above,
    texts_in,
)
from vision.skins import Skin

GRID = Grid(left=60, top=200, pitch_x=24, pitch_y=24, rows=9, cols=9)
PAGE = (250, 250, 250)
DIALOGS = Path(__file__).parents[1] / "data" / "dialogs"
"""Pictures of programs of `tests.support.family` at scales of 125 and 200 %, and of a message of
Tk."""


@pytest.mark.parametrize("own_bars", [False, True])
@pytest.mark.parametrize(
    "session",
    ["winemine-expert-won", "xdemineur-beginner-won", "classic-beginner-won", "dark-beginner-won",
     "flat-beginner-won", "rounded-beginner-won"],
)  # fmt: skip
def test_a_face_is_found(session: str, skins: tuple[Skin, ...], own_bars: bool) -> None:
    """Before all others, where the skin says that it is, to a third of a cell."""
    reading = recorded(session)
    (skin,) = (one for one in skins if one.name == session.split("-", maxsplit=1)[0])
    button, *_ = buttons_near(reading.frame, reading.grid, own_bars=own_bars)
    face = skin.restart.face
    assert face is not None
    assert button.likely
    found, known = button.face.region(reading.grid).center, face.region(reading.grid).center
    assert max(abs(found.x - known.x), abs(found.y - known.y)) < reading.grid.pitch_x / 3


@pytest.mark.parametrize(
    ("session", "tried"),
    [
        # Games begin by a key, or by a button elsewhere.
        ("sgt-mines-beginner-won", 0),
        ("kmines-default-beginner-won", 0),
        # 'Restart' is, beside 'Quit' and 'Level'; 'Start Over' beside 'Pause' and 'Best Times'.
        ("xbomb-beginner-won", 1),
        ("gnome-mines-classic-beginner-won", 1),
    ],
)
def test_a_button_is_tried_only_if_it_is_clear(session: str, tried: int) -> None:
    """One of several by its text, else none."""
    reading = recorded(session)
    buttons = buttons_near(reading.frame, reading.grid, own_bars=False)
    assert sum(button.likely for button in buttons) == tried


def test_a_text_beside_the_board_is_tried() -> None:
    """'Play Again' is, above 'Best Times' and 'Change Difficulty', which are not."""
    frame = load_image(DIALOGS.with_name("gnome-mines-won.png"))
    grid = Grid(left=25, top=65, pitch_x=45.8, pitch_y=45.7, rows=8, cols=8)
    (button,) = (one for one in buttons_near(frame, grid, own_bars=True) if one.likely)
    assert Region(413, 238, 163, 64).contains(button.face.region(grid).center)


def window(*boxes: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    """A window 400 wide with a board and these boxes (left, top, width, height) drawn in it."""
    image = np.full((560, 400, 3), PAGE, np.uint8)
    board = GRID.region
    for row in range(GRID.rows):
        for col in range(GRID.cols):
            left, top = board.left + 24 * col, board.top + 24 * row
            cv2.rectangle(image, (left, top), (left + 23, top + 23), (120, 120, 120), 1)
    for left, top, width, height in boxes:
        cv2.rectangle(image, (left, top), (left + width - 1, top + height - 1), (90, 90, 90), 1)
    return image


def near(
    image: NDArray[np.uint8], *, own_bars: bool = False, mines: int | None = None
) -> list[Button]:
    """The buttons near the board, whether they are tried or only offered."""
    return buttons_near(Frame.of_image(image), GRID, own_bars=own_bars, mines=mines)


def found(
    image: NDArray[np.uint8], *, own_bars: bool = True, mines: int | None = None
) -> list[Region]:
    """Where buttons are tried."""
    buttons = near(image, own_bars=own_bars, mines=mines)
    return [button.face.region(GRID) for button in buttons if button.likely]


@pytest.mark.linux  # Its fonts.
def test_a_text_far_from_the_board_is_tried_where_buttons_adjoin() -> None:
    """'New Game' shares an edge with 'Best times', four cells from the board; only it is tried."""
    image = window((70, 78, 100, 26), (169, 78, 100, 26))
    for left, text in ((88, "New Game"), (187, "Best times")):
        write(image, text, left, 86)
    (place,) = found(image)
    assert place.contains((120, 91))
    assert not place.contains((180, 91))


@pytest.mark.parametrize("left", [62, 154, 244], ids=["left", "centre", "right"])
@pytest.mark.parametrize("size", [(30, 30), (90, 26)], ids=["face", "text"])
def test_a_button_is_found_wherever_it_stands_on_the_row(left: int, size: tuple[int, int]) -> None:
    """To a point or two; the counters' boxes beside it are no faces."""
    left = min(left, 276 - size[0])
    (place,) = found(window((left, 160, *size)), own_bars=False)
    assert abs(place.center.x - (left + size[0] / 2)) <= 2
    assert abs(place.center.y - (160 + size[1] / 2)) <= 2


def test_button_above_the_board_is_tried_before_one_below() -> None:
    """A face in the middle; what stands beside it there is only offered."""
    above, below, aside = (154, 160, 30, 30), (154, 430, 30, 30), (62, 430, 30, 30)
    tried = [place.top for place in found(window(above, below, aside), own_bars=False)]
    assert tried == pytest.approx([160, 430], abs=2)
    top = round(GRID.top)
    image = np.ascontiguousarray(window(below, aside)[top:])
    frame = Frame(image, Region(0, top, image.shape[1], image.shape[0]), 0.0, 0)
    assert [one.likely for one in buttons_near(frame, GRID, own_bars=False)].count(True) == 1


@pytest.mark.parametrize(
    ("boxes", "own_bars", "offered"),
    [
        # In a page anything may follow the board, in a program the button that ends it.
        ([(154, 430, 30, 30)], True, 1),
        ([(70, 430, 30, 30), (154, 430, 30, 30), (230, 430, 30, 30)], True, 3),
        ([(123, 430, 90, 26)], True, 1),
        ([(123, 430, 90, 26)], False, 1),
        ([(62, 430, 30, 30)], False, 1),
        ([(153, 422, 24, 24), (153, 452, 24, 24)], False, 2),
        # One of several texts may end the program.
        ([(60, 160, 80, 26), (180, 160, 80, 26)], False, 2),
        ([(60 + 40 * number, 160, 28, 28) for number in range(5)], False, 5),
        # What is far away is not the game's.
        ([(62, 40, 30, 30)], False, 0),
        ([(300, 160, 30, 30)], False, 1),
        ([(10, 160, 30, 30)], False, 1),
        ([(62, 520, 30, 30)], False, 0),
    ],
)
def test_button_that_may_be_another_s_is_not_tried(
    boxes: list[tuple[int, int, int, int]], own_bars: bool, offered: int
) -> None:
    """It is offered to the user, if it is near the board."""
    image = window(*boxes)
    assert len(near(image, own_bars=own_bars)) == offered
    assert found(image, own_bars=own_bars) == []


@pytest.mark.linux  # Its fonts.
@pytest.mark.parametrize("rights", [(276,), (276, 228)])
def test_the_middle_between_the_counters_is_the_face(rights: tuple[int, ...]) -> None:
    """Though it has no frame. Of three numbers any may be the clock."""
    counters = [(60, 160, 44, 28), *((right - 44, 160, 44, 28) for right in rights)]
    image = window(*counters)
    for (left, top, *_), text in zip(counters, ("010", "023", "005"), strict=False):
        write(image, text, left + 6, top + 7, 14, "Bold")
    places = found(image, own_bars=False)
    assert [place.center for place in places] == [(168, 174)] * (len(rights) == 1)


@pytest.mark.linux  # Its fonts.
@pytest.mark.parametrize("box", [(154, 160, 30, 30), (123, 160, 90, 26)])
@pytest.mark.parametrize(
    ("text", "tried"), [("?", 0), ("Hint", 0), ("Undo", 0), ("Deal", 1), ("New", 1)]
)
def test_button_that_helps_is_not_tried(
    text: str, tried: int, box: tuple[int, int, int, int]
) -> None:
    """Though it is the only one above the board, as a face is; the user may name it."""
    application()
    image = window(box)
    size = 12 if box[2] > 30 else 9
    high, wide = written(text, ("DejaVu Sans", "Book"), size).shape
    write(image, text, box[0] + (box[2] - wide) // 2, box[1] + (box[3] - high) // 2, size)
    assert [button.likely for button in near(image)] == [tried]


@pytest.mark.linux  # Its fonts.
@pytest.mark.parametrize("texts", [("010", "005"), ("010",)])
def test_the_middle_between_two_numbers_without_frames_is_the_face(texts: tuple[str, ...]) -> None:
    """Whatever stands there; a single number has no middle."""
    image = window()
    for left, text in zip((66, 230), texts, strict=False):
        write(image, text, left, 165, 14, "Bold")
    places = found(image)
    assert len(places) == len(texts) - 1
    assert all(abs(place.center.x - 168) < GRID.pitch_x / 3 for place in places)


@pytest.mark.linux  # Its fonts.
@pytest.mark.parametrize(("height", "tried"), [(118, True), (101, False)])
def test_round_face_between_two_numbers_is_tried(height: int, tried: bool) -> None:
    """Farther from the board than other buttons may be, but not above the numbers."""
    image = window()
    for left, text in zip((44, 220), ("010", "005"), strict=True):
        write(image, text, left, 110, 24, "Bold")
    cv2.circle(image, (168, height), 6, (0, 160, 255), -1)
    (place,) = found(image, own_bars=False)
    assert (abs(place.center.x - 168) <= 1) == tried


@pytest.mark.linux  # Its fonts.
@pytest.mark.parametrize("size", [14, 27])
def test_number_is_no_button(size: int) -> None:
    """The face is tried though the counter and the clock have frames; digits may be as square."""
    counters = [(60, 152, 68, 36), (130, 152, 68, 36)]
    image = window(*counters, (204, 160, 30, 30))
    for (left, top, *_), text in zip(counters, ("010", "000"), strict=True):
        write(image, text, left + 5, top + 6, size, "Bold")
    (place,) = found(image)
    assert abs(place.left - 204) <= 2


@pytest.mark.parametrize("line", [(235, 235, 235), (90, 90, 90)])
def test_nothing_beyond_a_line_across_the_window_is_tried(line: tuple[int, int, int]) -> None:
    """A browser's tool bar is not the game's row, however near it is when the page is scrolled."""
    image = window((62, 140, 30, 30))
    image[185] = line
    assert found(image) == []
    assert len(found(image, own_bars=False)) == 1
    image[:186] = (225, 225, 225)
    image = np.where(image == 225, image, window((62, 140, 30, 30)))
    assert found(image.astype(np.uint8)) == []


@pytest.mark.linux  # Its fonts.
@pytest.mark.parametrize(("counter", "tried"), [("0 / 10", 1), ("0 / 12", 0)])
def test_a_bar_in_which_the_mines_are_counted_is_the_page_s(counter: str, tried: int) -> None:
    """Its 'Restart game' is tried, that of another bar is only offered."""
    image = window()
    image[:150] = (225, 200, 190)
    for left, text in ((88, "Restart game"), (200, counter)):
        write(image, text, left, 86)
    assert len(found(image, mines=10)) == tried
    assert len(near(image, own_bars=True, mines=10)) == 1


@pytest.mark.parametrize("cols", [9, 16])
@pytest.mark.parametrize("left", [62, 154, 244])
def test_a_face_stays_where_it_is_aligned(left: int, cols: int) -> None:
    """At the left, in the middle or at the right of a board of another size."""
    wide = Grid(left=60, top=200, pitch_x=24, pitch_y=24, rows=9, cols=cols)
    place = face_at(Region(left, 160, 30, 30), GRID).region(wide)
    beside = {62: left, 154: 60 + 12 * cols - 15, 244: 60 + 24 * cols - 32}
    assert abs(place.left - beside[left]) <= 2
    higher = Grid(left=60, top=200, pitch_x=24, pitch_y=24, rows=cols, cols=9)
    below = face_at(Region(left, 430, 30, 30), GRID).region(higher)
    assert abs(below.top - higher.region.bottom - 14) <= 2


@pytest.mark.parametrize("left", [0, 300])
def test_the_header_of_a_small_board_is_wider(left: int) -> None:
    """Beside a number, which stands in the game's header; without one the button is offered."""
    face = (left + 10, 160, 30, 30)
    image = window(face)
    assert found(image, own_bars=False) == []
    assert len(near(image)) == 1
    cv2.putText(image, "10", (120, 182), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 0, 0), 2, cv2.LINE_AA)
    (place,) = found(image, own_bars=False)
    assert abs(place.left - face[0]) <= 2


def test_a_round_figure_far_above_the_middle_is_the_face() -> None:
    """Without a frame, above a line of text. In a page, where it may be a link, it is offered."""
    image = window((130, 160, 90, 26))
    cv2.putText(image, "Hint", (150, 180), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 1)
    cv2.circle(image, (169, 90), 14, (0, 0, 0), 2)
    (place,) = found(image, own_bars=False)
    assert abs(place.center.x - 169) + abs(place.center.y - 90) <= 2
    assert found(image) == []
    offered = [one.face.region(GRID) for one in near(image, own_bars=True)]
    assert any(one.contains(place.center) for one in offered)
    cv2.circle(image, (169, 40), 14, (0, 0, 0), 2)
    assert found(image, own_bars=False) == []


def test_the_only_large_figure_beside_numbers_is_tried() -> None:
    """Not letters and icons, which are smaller; without a number it may be a row of links."""
    button = 62, 160, 30, 30
    image = window(button)
    for left in (110, 142, 174, 206):
        image[164:184, left : left + 20] = 90
    assert found(image) == []
    cv2.putText(image, "10", (236, 182), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 0, 0), 2, cv2.LINE_AA)
    (place,) = found(image)
    assert abs(place.left - button[0]) <= 2


def test_a_letter_is_no_button() -> None:
    """A text of large letters is one button, and tried only if it is the only one."""
    image = window((60, 148, 92, 50), (180, 148, 92, 50))
    for left in (70, 190):
        cv2.putText(image, "Quit", (left, 183), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (0, 0, 0), 2)
    assert len(near(image)) == 2
    assert found(image, own_bars=False) == []


@pytest.mark.parametrize(("name", "pitch"), [("page-125", 20), ("gtk-200", 40)])
def test_play_again_is_read_on_the_button_of_a_dialog(name: str, pitch: int) -> None:
    """Though its letters come near a thin frame, and on a button as wide as its dialog."""
    dialog = load_image(DIALOGS / f"{name}.png")
    (button,) = buttons_in(dialog, pitch)
    line = end_button(texts_in(dialog, pitch))
    assert line is not None
    assert button.contains(line.region.center)


@pytest.mark.linux  # Its fonts.
@pytest.mark.parametrize("stroke", [0, 1, 2])
def test_a_window_that_a_page_draws_is_not_closed(stroke: int) -> None:
    """Its buttons with a cross and a line are not tried, its menu is: without them it is a link."""
    boxes = (60, 130, 216, 26), (222, 132, 22, 22), (250, 132, 22, 22)
    image = window(*(boxes if stroke else boxes[:1]))
    write(image, "Game", 66, 172)
    if stroke:
        cv2.line(image, (228, 148), (237, 148), (0, 0, 0), 2)
        for top, bottom in ((139, 146), (146, 139)):
            cv2.line(image, (257, top), (264, bottom), (0, 0, 0), stroke)
    assert found(image) == []
    menus = menus_above(Frame.of_image(image), GRID, in_page=True)
    assert [Region(60, 165, 60, 26).contains(menu.center) for menu in menus] == [True] * (
        stroke > 0
    )


def test_the_text_beside_a_picture_is_read() -> None:
    """Though the picture is so near, and reaches the next line."""
    dialog = load_image(DIALOGS / "tk-100.png")
    assert end_of([line.text for line in texts_in(dialog, 25)]) is Status.WON


@pytest.mark.linux  # Its fonts.
def test_the_text_in_a_thick_frame_is_read_once() -> None:
    """The frame would be taken for a part of it; a sentence outside is read as well."""
    image = np.full((160, 250, 3), 244, np.uint8)
    for text, left, top in (("Congratulations!", 60, 20), ("OK", 113, 128)):
        write(image, text, left, top)
    cv2.rectangle(image, (88, 122), (158, 148), (90, 90, 90), 2)
    dialog = Frame.of_image(image)
    read = [line.text for line in texts_in(dialog, 16)]
    assert read.count("OK") == 1
    assert "Congratulations!" in read
    assert end_button(texts_in(dialog, 16)) is not None
