"""Boards are found wherever and however large they are, or not at all: never almost."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bot.board import COVERED, UNREAD, Board
from bot.frame import Frame, Region
from gui.looks import LOOKS
from tests.vision.scenes import REAL, Scene, desktop, drawn, put, random_board, real, scene
from vision.finder import Sighting, find_boards, survey
from vision.matcher import SMALL
from vision.skins import Skin

pytestmark = pytest.mark.usefixtures("qapp")  # the boards are drawn with fonts
_CELLS = {
    "classic": (16.0, 12.5, 20.0, 28.0),
    "dark": (32.0, 20.0, 47.3, 13.3),
    "flat": (24.0, 18.75, 36.0, 61.0),
    "rounded": (26.0, 32.5, 17.0, 94.3),
}
SCENES = [(seed, look, cell) for look, cells in _CELLS.items() for seed, cell in enumerate(cells)]


def _check(scene: Scene, seen: Sighting) -> None:
    grid, board = seen.grid, scene.board
    assert (grid.rows, grid.cols) == (board.rows, board.cols), str(scene)
    assert seen.skin.name == scene.look, str(scene)
    right, bottom = scene.left + board.cols * scene.cell, scene.top + board.rows * scene.cell
    error = max(
        abs(grid.left - scene.left),
        abs(grid.top - scene.top),
        abs(grid.left + grid.cols * grid.pitch_x - right),
        abs(grid.top + grid.rows * grid.pitch_y - bottom),
    )
    assert error <= 0.15 * scene.cell, f"{scene}: {error:.2f} px off"
    wrong = (seen.tiles != board.tiles) & (seen.tiles != UNREAD)
    assert not wrong.any(), str(scene)
    # Under 14 px, glyphs are a few blurred pixels each: more is left unread.
    assert (seen.tiles == UNREAD).mean() <= (0.01 if scene.cell >= SMALL else 0.03), str(scene)


@pytest.mark.parametrize(("seed", "look", "cell"), SCENES)
def test_board_on_a_full_desktop(
    skins: tuple[Skin, ...], seed: int, look: str, cell: float
) -> None:
    """One board of any size, scale and state, among text, tables, keys and a chess board."""
    one = scene(seed, look, cell)
    (seen,) = find_boards(Frame.of_image(one.image), skins)
    _check(one, seen)


def test_several_boards_at_several_scales(skins: tuple[Skin, ...]) -> None:
    """Four looks at four scales on one screen: all are found, from the top down."""
    rng = np.random.default_rng(11)
    image = desktop(rng)
    places = [("classic", 16.0, 20, 20), ("dark", 22.5, 700, 30), ("flat", 30.0, 40, 420)]
    places.append(("rounded", 24.0, 640, 450))
    boards = {}
    for look, cell, left, top in places:
        boards[look] = Scene(image, left, top, cell, look, random_board(rng, 9, 12))
        put(image, drawn(boards[look].board, look, cell), left, top, margin=6)
    seen = find_boards(Frame.of_image(image), skins)
    assert [one.skin.name for one in seen] == [look for look, *_ in places]
    for one in seen:
        _check(boards[one.skin.name], one)


@pytest.mark.parametrize(("rows", "cols", "cell"), [(4, 4, 30.0), (100, 100, 10.0), (4, 60, 21.0)])
def test_smallest_and_largest_boards(
    skins: tuple[Skin, ...], rows: int, cols: int, cell: float
) -> None:
    """From 4x4 to 100x100."""
    rng = np.random.default_rng(5)
    board = random_board(rng, rows, cols)
    image = np.full((1080, 1920, 3), 90, np.uint8)
    put(image, drawn(board, "flat", cell), 33, 41, margin=4)
    (seen,) = find_boards(Frame.of_image(image), skins)
    _check(Scene(image, 33, 41, cell, "flat", board), seen)


def test_fresh_board_of_every_look(skins: tuple[Skin, ...]) -> None:
    """Nothing is opened yet: no line between opened cells helps."""
    for look in LOOKS:
        board = Board.covered(9, 9, 10)
        image = np.full((400, 500, 3), 214, np.uint8)
        put(image, drawn(board, look, 25.0), 60, 70)
        (seen,) = find_boards(Frame.of_image(image), skins)
        _check(Scene(image, 60, 70, 25.0, look, board), seen)


@pytest.mark.parametrize("seed", range(12))
def test_desktop_without_a_board(skins: tuple[Skin, ...], seed: int) -> None:
    """Text, tables, calendars, keys and chess boards are no Minesweeper."""
    image = desktop(np.random.default_rng(100 + seed))
    assert find_boards(Frame.of_image(image), skins) == []


@pytest.mark.parametrize("name", REAL)
def test_real_programs(skins: tuple[Skin, ...], name: str) -> None:
    """Screenshots of programs that nobody here wrote, read tile by tile as a person does."""
    image, board = real(name)
    (seen,) = find_boards(Frame.of_image(image), skins)
    assert seen.skin.name == name
    assert np.array_equal(seen.tiles, board.tiles)


@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("factor", [1.25, 1.5, 2.0])
def test_real_programs_enlarged(skins: tuple[Skin, ...], name: str, factor: float) -> None:
    """A compositor enlarges programs that do not scale: nothing is misread."""
    image, board = real(name)
    larger = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_LINEAR)
    (seen,) = find_boards(Frame.of_image(larger), skins)
    assert seen.tiles.shape == board.tiles.shape
    assert ((seen.tiles == board.tiles) | (seen.tiles == UNREAD)).all()
    assert (seen.tiles == UNREAD).mean() <= 0.01


@pytest.mark.parametrize("side", ["top", "left", "bottom", "right"])
def test_board_that_is_cut_off(skins: tuple[Skin, ...], side: str) -> None:
    """Half a line beyond the last whole one: a smaller board is never reported."""
    image, _ = real("winemine")
    (whole,) = find_boards(Frame.of_image(image), skins)
    board = whole.grid.region
    for lines in (1.5, 2.6, 4.3):
        inset = round(lines * whole.grid.pitch_x)
        cut = image.copy()
        if side == "top":
            cut[: board.top + inset] = 60
        elif side == "bottom":
            cut[board.bottom - inset :] = 60
        elif side == "left":
            cut[:, : board.left + inset] = 60
        else:
            cut[:, board.right - inset :] = 60
        seen, remarks = survey(Frame.of_image(cut), skins)
        assert seen == []
        assert any(f"cut off at its {side}" in remark for remark in remarks)


def test_board_under_a_dialog(skins: tuple[Skin, ...]) -> None:
    """Its size is right, and what lies under the dialog is unread."""
    image, board = real("winemine")
    (whole,) = find_boards(Frame.of_image(image), skins)
    area = whole.grid.region
    hidden = image.copy()
    hidden[area.top + 90 : area.top + 140, area.left + 100 : area.left + 240] = 235
    (seen,) = find_boards(Frame.of_image(hidden), skins)
    assert seen.grid == whole.grid
    unread = seen.tiles == UNREAD
    assert unread.any()
    assert np.array_equal(seen.tiles[~unread], board.tiles[~unread])
    hidden[area.top + 30 : area.top + 230, area.left + 60 : area.left + 400] = 235
    assert find_boards(Frame.of_image(hidden), skins) == []


def test_place_is_told_in_points(skins: tuple[Skin, ...]) -> None:
    """On a screen of two pixels a point the grid says points, relative to the desktop."""
    board = Board.covered(8, 10, 10)
    image = np.full((500, 600, 3), 214, np.uint8)
    put(image, drawn(board, "classic", 40.0), 80, 60)
    (seen,) = find_boards(Frame(image, Region(1000, 500, 300, 250)), skins)
    grid = seen.grid
    assert (grid.left, grid.top, grid.scale) == (1040.0, 530.0, 2.0)
    assert (grid.pitch_x, grid.pitch_y) == (20.0, 20.0)
    assert (seen.tiles == COVERED).all()
    assert grid.face is not None
    assert grid.face.bottom <= grid.top


def test_pictures_too_small_for_a_board(skins: tuple[Skin, ...]) -> None:
    """One pixel, one line, one tile: nothing, and no error."""
    for shape in ((1, 1), (1, 500), (500, 1), (16, 16)):
        assert find_boards(Frame.of_image(np.zeros((*shape, 3), np.uint8)), skins) == []


def test_no_skins_no_boards() -> None:
    """Without a skin there is nothing to recognise."""
    assert find_boards(Frame.of_image(real("winemine")[0]), ()) == []
