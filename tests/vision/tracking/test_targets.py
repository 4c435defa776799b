"""Which of the boards on the screen is meant."""

from __future__ import annotations

import re
from dataclasses import replace

import cv2
import numpy as np
import pytest

from bot.board import COVERED, Board
from bot.frame import Grid
from tests.support.clients import PictureWindow, wait_until
from tests.support.sampling import sampled
from tests.vision.scenes import Image, window_picture
from vision.desktop import Screen, Window
from vision.finder import BoardNotFound
from vision.skins import Skin
from vision.tracking.targets import CoveredWindows, SeveralBoards, choose, survey_screen

FRESH = Board.covered(9, 9, 10)
PATIENCE_TO_FIND = 240.0
"""Seconds for several searches of the screen on a busy machine."""
pytestmark = [
    pytest.mark.long,
    pytest.mark.usefixtures("qapp"),  # the boards are drawn with fonts
]


def test_windows_that_are_named_are_looked_into_alone(
    screen: Screen, skins: tuple[Skin, ...]
) -> None:
    """A title comes before a skin's name; a title without a board leaves the whole screen."""
    with (
        PictureWindow(window_picture(FRESH, "classic"), (30, 40), "A dark tower") as titled,
        PictureWindow(window_picture(FRESH, "dark"), (500, 40), "Other"),
        PictureWindow(np.full((90, 200, 3), 250, np.uint8), (40, 500), "classic music"),
    ):
        meant = choose(screen, skins, "dark")
        assert meant.window is not None
        assert meant.window.id == titled.id
        assert meant.skin.name == "classic"
        assert choose(screen, skins, "classic").window == meant.window
        with pytest.raises(SeveralBoards):
            choose(screen, skins, None)


def test_several_boards_are_named_and_chosen_by_name(
    screen: Screen, skins: tuple[Skin, ...]
) -> None:
    """By title, class, skin or number; what stands in quotes in a message means that board."""
    fresh = window_picture(FRESH)
    with (
        PictureWindow(fresh, (30, 40), "First field", "Alpha") as first,
        PictureWindow(window_picture(FRESH, "dark"), (330, 40), "", "Beta") as second,
        PictureWindow(fresh, (630, 40), "", "") as third,
    ):
        with pytest.raises(SeveralBoards, match="--window") as caught:
            choose(screen, skins, None)
        assert "dark" in str(caught.value)
        names = re.findall(r"- '([^']*)'", str(caught.value))
        meant = [choose(screen, skins, name).window for name in names]
        assert len(meant) == 3
        assert {window.id for window in meant if window} == {first.id, second.id, third.id}
        chosen = {"first": first, "ALPHA": first, "dark": second, "bet": second, second.id: second}
        for name, shown in chosen.items():
            window = choose(screen, skins, name).window
            assert window is not None
            assert window.id == shown.id
        with pytest.raises(BoardNotFound) as missing:
            choose(screen, skins, "chess")
        assert all(f"'{name}'" in str(missing.value) for name in names)
    wait_until(lambda: not survey_screen(screen, skins)[0])
    with pytest.raises(BoardNotFound, match="open the game"):
        choose(screen, skins, None)


@pytest.mark.slow
def test_a_dialog_over_the_board_is_named(screen: Screen, skins: tuple[Skin, ...]) -> None:
    """Whether it hides all of the board or a part of it, and however the window was named."""
    plain = np.full((150, 150, 3), 220, np.uint8)
    with (
        PictureWindow(window_picture(FRESH, "classic"), (30, 40), "Mines", "Game") as game,
        PictureWindow(plain, (80, 150), "Game over", "Dialog") as dialog,
    ):
        dialog.belong_to(game.id)
        for wanted in (game.id, "Mines"):
            with pytest.raises(BoardNotFound, match="'Game over' lies over the board of 'Mines'"):
                choose(screen, skins, wanted)


def test_another_window_of_the_program_is_no_dialog(
    screen: Screen, skins: tuple[Skin, ...]
) -> None:
    """A browser has many; nor is a dialog at the edge of the window in the board's way."""
    plain = np.full((150, 150, 3), 220, np.uint8)
    with (
        PictureWindow(np.full((306, 256, 3), 192, np.uint8), (30, 40), "Mines", "Web") as game,
        PictureWindow(plain, (80, 150), "Mail", "Web") as other,
        PictureWindow(plain, (250, 40), "Find", "Web") as dialog,
    ):
        for window in (game, other):
            window.join_program(game.id)
        dialog.belong_to(game.id)
        with pytest.raises(BoardNotFound, match="shows no Minesweeper board"):
            choose(screen, skins, game.id)


def test_a_window_beside_a_board_does_not_cover_it(screen: Screen, skins: tuple[Skin, ...]) -> None:
    """It is less than a cell away and above the game: listed as it is, and nothing is remarked."""
    image = window_picture(FRESH)
    with (
        PictureWindow(image, (200, 40), "Mines") as game,
        PictureWindow(np.full((300, 150, 3), 235, np.uint8), (40, 40), "Notes") as beside,
    ):
        targets, remarks = survey_screen(screen, skins)
        (window,) = [target.window for target in targets]
        assert window is not None
        assert window.id == game.id
        assert remarks == []
        # 14 points of the 20 beside the board are hidden now, more than half a cell.
        beside.move(64, 40)
        targets, remarks = survey_screen(screen, skins)
        assert targets == []
        assert "'Notes' covers part of a board of skin 'classic'" in remarks[0]


def test_a_marked_board_counts_where_none_is_found(screen: Screen, skins: tuple[Skin, ...]) -> None:
    """If it is visible, of readable cells, and something ends where it ends."""
    image = np.full((300, 400, 3), 220, np.uint8)
    image[60:276, 30:246] = 140, 112, 86
    marks: list[Grid] = []

    def marked(window: Window) -> Grid | None:
        place = window.region
        grid = marks[-1]
        return replace(grid, left=place.left + grid.left, top=place.top + grid.top)

    def listed(left: float, top: float, pitch: float, behind: CoveredWindows | None = None) -> int:
        marks.append(Grid(left, top, pitch, pitch, 9, 9))
        return len(survey_screen(screen, skins, behind, marked=marked)[0])

    with PictureWindow(image, (200, 100), "Seamless") as game:
        assert listed(30, 60, 24) == 1
        target = choose(screen, skins, game.id, marked=marked)
        assert (target.sighting.tiles == COVERED).all()
        assert target.grid.left == game.region.left + 30
        # Only ground, tiny cells, beyond the window.
        assert [listed(250, 10, 14), listed(30, 60, 2), listed(300, 200, 24)] == [0, 0, 0]
        behind = CoveredWindows(marked)
        with PictureWindow(np.full((90, 400, 3), 90, np.uint8), (200, 190), "Notes"):
            assert listed(250, 10, 14, behind) == 0
            wait_until(lambda: listed(30, 60, 24, behind) == 1, PATIENCE_TO_FIND)
        behind.release()


SIZES = {"oblong": (40, 16), "narrow": (16, 40), "small": (5, 5)}
SHAPES = ("hexagons", "triangles", "text", *SIZES)


def corners(shape: str, row: int, col: int) -> Image:
    """Return (n, 2) x and y: the corners of a cell."""
    if shape == "hexagons":
        middle = 30 + 17 * (2 * col + 1 + row % 2) * np.cos(np.pi / 6), 77 + 25.5 * row
        turns = np.pi / 6 + np.arange(6) * np.pi / 3
        points = np.add(middle, 17 * np.stack([np.cos(turns), np.sin(turns)], axis=1))
    elif shape == "triangles":
        base, tip = (32, 0) if col % 2 else (0, 32)
        points = np.add((30 + 18 * col, 60 + 32 * row), [(0, base), (36, base), (18, tip)])
    else:
        wide, high = SIZES[shape]
        square = [(0, 0), (wide, 0), (wide, high), (0, high)]
        points = np.add((30 + col * wide, 60 + row * high), square)
    return points.round().astype(np.int32)


def unsupported(shape: str, *, opened: bool) -> Image:
    """Draw a window with a board whose cells are no squares, or too small; a part may be open."""
    image = np.full((420, 540, 3), 16 if shape == "text" else 222, np.uint8)
    font, rng = cv2.FONT_HERSHEY_SIMPLEX, np.random.default_rng(4)
    for row, col in np.ndindex(8, 10):
        hint = int(rng.choice((0, 0, 1, 1, 2, 3))) if opened and row + col < 10 else -1
        if shape == "text":
            at = 24 + 18 * col, 66 + 18 * row
            cv2.putText(image, ".123#"[hint], at, font, 0.5, (208,) * 3, 1, cv2.LINE_AA)
            continue
        points = corners(shape, row, col)
        cv2.fillPoly(image, [points], (196, 188, 184) if hint < 0 else (238, 234, 232))
        cv2.polylines(image, [points], True, (124, 116, 112), 1, cv2.LINE_AA)
        middle = points.mean(axis=0)
        if shape != "small" and hint < 0:
            inner = (middle + 0.8 * (points - middle)).round().astype(np.int32)
            cv2.polylines(image, [inner], True, (250, 246, 244), 1, cv2.LINE_AA)
        elif shape != "small" and hint:
            at = round(middle[0]) - 4, round(middle[1]) + 5
            cv2.putText(image, str(hint), at, font, 0.45, (220, 60, 30), 2, cv2.LINE_AA)
    return image


@pytest.mark.parametrize("opened", sampled([False, True]), ids=["covered", "opened"])
@pytest.mark.parametrize("shape", sampled(SHAPES, 3))
def test_a_board_without_square_cells_is_refused(
    screen: Screen, skins: tuple[Skin, ...], shape: str, *, opened: bool
) -> None:
    """The message says which boards are supported, and shows the window that names the game."""
    with PictureWindow(unsupported(shape, opened=opened), (80, 60), "Minesweeper") as game:
        for wanted in (None, "Minesweeper"):
            with pytest.raises(BoardNotFound, match="of cells of at least 10 pixels") as refused:
                choose(screen, skins, wanted)
            assert "the window 'Minesweeper'" in str(refused.value)
            shown = refused.value.frame
            assert shown is not None
            assert shown.region == game.region
            assert np.array_equal(shown.image, screen.grab(game.region).image)
