"""Boards are found wherever and however large they are, or not at all: never almost."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
import pytest

from bot.board import COVERED, FLAG, UNREAD, Board
from bot.frame import Frame, Grid, Region
from tests.support.perturbed import perturb
from tests.support.sampling import sampled
from tests.vision.clutter import CLUTTER
from tests.vision.scenes import (
    DATA,
    REAL,
    Scene,
    desktop,
    drawn,
    put,
    random_board,
    real,
    recorded,
    scene,
    tiled,
)
from vision.capture import load_image
from vision.finder import Sighting, survey
from vision.skins import Skin
from vision.tracking.tile_reader import Tracker

pytestmark = [
    pytest.mark.long,
    pytest.mark.usefixtures("qapp"),  # the boards are drawn with fonts
]
_CELLS = {
    "classic": (16.0, 12.5, 20.0, 28.0),
    "dark": (32.0, 20.0, 47.3, 13.3),
    "flat": (24.0, 18.75, 36.0, 61.0),
    "rounded": (26.0, 32.5, 17.0, 94.3),
}
SMALL = 14
"""Pixels a cell under which glyphs are a few blurred pixels each."""
_UNREAD = 0.05
"""Where a board is, is asked here; how well it is read, in `test_matcher` and the benchmark."""
FURTHER = (
    *product(("kmines-classic", "kmines-default", "kmines-green"), (1.0,), (True, False)),
    ("xbomb", 1.02, False),
    ("xbomb", 1.74, False),
    ("xbomb-large", 2.31, False),
    ("kmines-green", 1.53, False),
    ("kmines-graveyard", 1.21, False),
)
"""Skins, enlargements and whether the board is fresh, beyond those that are always tried."""
SCENES = [
    pytest.param(seed, look, cell, marks=[] if seed == number % 2 else pytest.mark.slow)
    for number, (look, cells) in enumerate(_CELLS.items())
    for seed, cell in enumerate(cells)
]


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
    if scene.cell >= SMALL:
        assert (seen.tiles == UNREAD).mean() <= _UNREAD, str(scene)


def _called(name: str, skins: tuple[Skin, ...]) -> Skin:
    (skin,) = (one for one in skins if one.name == name)
    return skin


@pytest.mark.parametrize(("seed", "look", "cell"), SCENES)
def test_board_on_a_full_desktop(
    skins: tuple[Skin, ...], seed: int, look: str, cell: float
) -> None:
    """One board of any size, scale and state, among text, tables, keys and a chess board."""
    one = scene(seed, look, cell)
    (seen,), _ = survey(Frame.of_image(one.image), skins)
    _check(one, seen)


@pytest.mark.parametrize(("rows", "cols", "cell"), [(4, 4, 30.0), (100, 100, 10.0), (4, 60, 21.0)])
def test_smallest_and_largest_boards(
    skins: tuple[Skin, ...], rows: int, cols: int, cell: float
) -> None:
    """From 4x4 to 100x100."""
    rng = np.random.default_rng(5)
    board = random_board(rng, rows, cols)
    image = np.full((1080, 1920, 3), 90, np.uint8)
    put(image, drawn(board, "flat", cell), 33, 41, margin=4)
    (seen,), _ = survey(Frame.of_image(image), skins)
    _check(Scene(image, 33, 41, cell, "flat", board), seen)


@pytest.mark.parametrize("name", sampled(REAL, 2))
@pytest.mark.parametrize("factor", sampled([1.25, 1.5, 2.0]))
def test_real_programs_enlarged(skins: tuple[Skin, ...], name: str, factor: float) -> None:
    """A compositor enlarges programs that do not scale: nothing is misread, each click is right."""
    image, board = real(name)
    larger = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_LINEAR)
    (seen,), _ = survey(Frame.of_image(larger), skins)
    assert seen.tiles.shape == board.tiles.shape
    assert ((seen.tiles == board.tiles) | (seen.tiles == UNREAD)).all()
    assert (seen.tiles == UNREAD).mean() <= _UNREAD
    left, top, side = (factor * value for value in REAL[name])
    for cell in board.cells():
        x, y = seen.grid.center(cell)
        clicked = (round(y) - top) // side, (round(x) - left) // side
        assert clicked == cell, seen.grid


@pytest.mark.parametrize(
    ("name", "factor", "fresh"),
    [
        *product(
            ("xbomb", "xbomb-large", "gnome-mines", "kmines-graveyard"), (1.0,), (True, False)
        ),
        *(pytest.param(*one, marks=pytest.mark.slow) for one in FURTHER),
    ],
)
def test_boards_of_captured_pictures(
    skins: tuple[Skin, ...], name: str, factor: float, fresh: bool
) -> None:
    """Hatched, gaps, gradients, grass without a line: found where nothing is opened, too.

    Also at pitches that are no whole numbers.
    """
    rng = np.random.default_rng(17)
    board = Board.covered(6, 8, 10) if fresh else random_board(rng, 6, 8)
    picture = cv2.resize(tiled(_called(name, skins), board), None, fx=factor, fy=factor)
    image = desktop(rng)
    put(image, np.asarray(picture, np.uint8), 90, 40, margin=6)
    (seen,), _ = survey(Frame.of_image(image), skins)
    grid = seen.grid
    assert (seen.skin.name, grid.rows, grid.cols) == (name, 6, 8)
    assert (grid.left, grid.top) == pytest.approx((90, 40), abs=2 * (factor != 1))


def test_hatched_board_beside_another(skins: tuple[Skin, ...]) -> None:
    """What shows its faces only in a blurred picture is looked for there, found boards or not."""
    skin = _called("xbomb", skins)
    image = desktop(np.random.default_rng(1))
    put(image, real("winemine")[0], 20, 20)
    put(image, tiled(skin, Board.covered(9, 9, 9)), 700, 400, margin=6)
    seen, _ = survey(Frame.of_image(image), skins)
    assert [(one.skin.name, one.tiles.shape) for one in seen] == [
        ("winemine", (16, 30)),
        ("xbomb", (9, 9)),
    ]


@pytest.mark.parametrize(
    "first",
    sampled([(20, 8, 1), (7, 0, 1), (0, 12, 2), (7, 3, 2), (0, 11, 1), (20, 8, 2)], 4),
)
def test_board_whose_first_cells_are_wider(
    skins: tuple[Skin, ...], first: tuple[int, int, int]
) -> None:
    """GTK gives its cells whole sizes, of two pixels where it draws at twice its size."""
    wide_cols, wide_rows, wider = first
    skin = _called("gnome-mines", skins)
    covered = skin.drawn_at(22).pictures[COVERED][0].repeat(wider, axis=0).repeat(wider, axis=1)
    cell = len(covered)
    # The last line of pixels of a wider cell is repeated.
    pixels = [*range(cell)], [*range(cell), *[cell - 1] * wider]
    xs = [x for col in range(29) for x in pixels[col < wide_cols]]
    ys = [y for row in range(15) for y in pixels[row < wide_rows]]
    image = desktop(np.random.default_rng(6), 1600, 900)
    put(image, covered[np.ix_(ys, xs)], 90, 70, margin=6)
    (seen,), _ = survey(Frame.of_image(image), skins)
    grid = seen.grid
    assert seen.skin.name == skin.name
    assert (grid.rows, grid.cols, grid.left, grid.top) == (15, 29, 90.0, 70.0)
    assert (grid.wide_cols, grid.wide_rows, grid.wider) == (wide_cols, wide_rows, wider)


@pytest.mark.parametrize("seed", sampled([0, 1]))
@pytest.mark.parametrize("name", CLUTTER)
def test_office_programs_hold_no_board_and_no_counter(
    skins: tuple[Skin, ...], name: str, seed: int
) -> None:
    """Numbers in a calendar or a sudoku count nothing, and keys differ from each other."""
    image = CLUTTER[name](np.random.default_rng([51, seed]), 1280, 800)
    assert survey(Frame.of_image(image), skins)[0] == []


@pytest.mark.parametrize("name", sampled(["sgt-mines", "winemine", "xdemineur"]))
@pytest.mark.parametrize(
    ("kind", "strength"), [("jpeg", 75), ("noise", 4), ("gamma", 1.25), ("scale", 0.8)]
)
def test_boards_seen_through_a_poor_connection(
    skins: tuple[Skin, ...], name: str, kind: str, strength: float
) -> None:
    """Found, and each tile is right or unread."""
    image = desktop(np.random.default_rng(12))
    window, board = real(name)
    put(image, window, 520, 290)
    grid = Grid(520, 290, 20, 20, board.rows, board.cols)
    (seen,), _ = survey(perturb(image, grid, kind, strength, 1).frame, skins)
    assert seen.skin.name == name
    assert seen.tiles.shape == board.tiles.shape
    read = seen.tiles != UNREAD
    assert (seen.tiles[read] == board.tiles[read]).all()


@pytest.mark.parametrize("side", ["top", "left", "bottom", "right"])
def test_board_that_is_cut_off(skins: tuple[Skin, ...], side: str) -> None:
    """Half a line beyond the last whole one: a smaller board is never reported."""
    image, _ = real("winemine")
    (whole,), _ = survey(Frame.of_image(image), skins)
    board = whole.grid.region
    for lines in (1.5, 2.6, 4.3):
        inset = round(lines * whole.grid.pitch_x)
        hidden = {
            "top": np.s_[: board.top + inset],
            "bottom": np.s_[board.bottom - inset :],
            "left": np.s_[:, : board.left + inset],
            "right": np.s_[:, board.right - inset :],
        }
        cut = image.copy()
        cut[hidden[side]] = 60
        seen, remarks = survey(Frame.of_image(cut), skins)
        assert seen == []
        assert any(f"cut off at its {side}" in remark for remark in remarks)


@pytest.mark.parametrize("session", ["gnome-mines-default-hand-1", "sgt-mines-crowded-20"])
def test_enlarged_board_that_is_cut_off(skins: tuple[Skin, ...], session: str) -> None:
    """What lies beyond is less like the pictures then, but just like the board's own tiles."""
    reading = recorded(session)
    frame, grid = reading.frame, reading.grid
    bottom = round(grid.region.bottom - frame.region.top - 1.5 * grid.pitch_y)
    cut = cv2.resize(frame.image[:bottom], None, fx=1.25, fy=1.25, interpolation=cv2.INTER_LINEAR)
    seen, remarks = survey(Frame.of_image(np.asarray(cut, np.uint8)), skins)
    assert seen == []
    assert any("cut off at its bottom" in remark for remark in remarks)


def test_board_under_a_dialog(skins: tuple[Skin, ...]) -> None:
    """Its size is right, and what lies under the dialog is unread."""
    image, board = real("winemine")
    (whole,), _ = survey(Frame.of_image(image), skins)
    area = whole.grid.region
    hidden = image.copy()
    hidden[area.top + 90 : area.top + 140, area.left + 100 : area.left + 240] = 235
    (seen,), _ = survey(Frame.of_image(hidden), skins)
    assert seen.grid == whole.grid
    unread = seen.tiles == UNREAD
    assert unread.any()
    assert np.array_equal(seen.tiles[~unread], board.tiles[~unread])
    hidden[area.top + 30 : area.top + 230, area.left + 60 : area.left + 400] = 235
    assert survey(Frame.of_image(hidden), skins)[0] == []


def test_grid_is_in_points(skins: tuple[Skin, ...]) -> None:
    """On a screen of two pixels a point the grid says points, relative to the desktop."""
    board = Board.covered(8, 10, 10)
    image = np.full((500, 600, 3), 214, np.uint8)
    put(image, drawn(board, "classic", 40.0), 80, 60)
    (seen,), _ = survey(Frame(image, Region(1000, 500, 300, 250)), skins)
    grid = seen.grid
    assert (grid.left, grid.top, grid.scale) == (1040.0, 530.0, 2.0)
    assert (grid.pitch_x, grid.pitch_y) == (20.0, 20.0)
    assert (seen.tiles == COVERED).all()
    assert grid.face is not None
    assert grid.face.bottom <= grid.top


def test_pictures_too_small_for_a_board(skins: tuple[Skin, ...]) -> None:
    """One pixel, one line, one tile: nothing, and no error."""
    for shape in ((1, 1), (1, 500), (500, 1), (16, 16)):
        assert survey(Frame.of_image(np.zeros((*shape, 3), np.uint8)), skins)[0] == []


@pytest.mark.slow
def test_cells_of_two_sizes_on_a_scaled_monitor(skins: tuple[Skin, ...]) -> None:
    """GNOME Mines at 125 %: the upper rows are 57.5 pixels high, the lower ones 56.25.

    GNOME's message lies over one cell.
    """
    (seen,), _ = survey(load_image(DATA / "gnome-mines-fresh-125.png"), skins)
    assert seen.tiles.shape == (8, 8)
    assert (seen.tiles == COVERED).sum() >= 63


@pytest.mark.parametrize("window", ["596x566", pytest.param("1002x951", marks=pytest.mark.slow)])
def test_lines_of_cells_that_are_a_pixel_wider(skins: tuple[Skin, ...], window: str) -> None:
    """GNOME Mines at a win: flags in such cells, which have pictures of the next size."""
    folder = DATA / "gnome-mines-won"
    board = Board.parse((folder / "board.txt").read_text("utf-8"), 40)
    image = load_image(folder / f"{window}.png").image
    (seen,), _ = survey(Frame.of_image(image), skins)
    assert (seen.tiles == board.tiles).all()
    grid = seen.grid
    assert grid.wide_cols
    assert grid.wide_rows
    flags = [cell for cell in board.cells(FLAG) if max(cell) < min(grid.wide_rows, grid.wide_cols)]
    before = image.copy()
    for cell in flags:
        middle = grid.center(cell)
        x, y = round(middle.x), round(middle.y)
        before[y - 9 : y + 9, x - 9 : x + 9] = 0
    tracker = Tracker(grid, seen.skin)
    tracker.see(Frame.of_image(before))
    assert all(tracker.codes[cell] != FLAG for cell in flags)
    tracker.see(Frame.of_image(image))
    assert (tracker.codes == board.tiles).all()


@pytest.mark.parametrize("cell", [19, 25, 31])
def test_a_bevel_of_another_width_is_of_its_own_skin(skins: tuple[Skin, ...], cell: int) -> None:
    """A pixel or two beside its place, a covered cell looks like an empty one."""
    frame = load_image(DATA / f"sgt-mines-fresh-{cell}.png")
    (sighting,), _ = survey(frame, [skin for skin in skins if skin.name == "sgt-mines"])
    assert sighting.tiles.shape == (9, 9)
    assert sighting.grid.pitch_x == sighting.grid.pitch_y == cell
    assert (sighting.tiles == COVERED).all()


def test_an_exploded_mine_is_read_at_twice_the_size(skins: tuple[Skin, ...]) -> None:
    """A disc is drawn rounder than its picture grows."""
    frame = load_image(DATA / "sgt-mines-lost-40.png")
    (sighting,), _ = survey(frame, [skin for skin in skins if skin.name == "sgt-mines"])
    shown = """##11##### 22123#### ...1##### 11112#### 1#222#### 24#3#!### ###42####
               ######### #########"""
    assert (sighting.tiles == Board.parse("\n".join(shown.split()), 20).tiles).all()
