"""Boards of skins never seen: found, believed, learned, kept and read again at any size."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.board import COVERED, FLAG, UNREAD, Board
from bot.frame import Frame
from bot.game import Game
from gui.analyse_image import analyse_image
from tests.support.readings import read_image
from tests.support.sampling import sampled
from tests.support.scaled import METHODS
from tests.vision.clutter import CLUTTER
from tests.vision.scenes import Image, desktop, drawn, put, random_board, recorded
from tests.vision.texts import write
from vision.finder.unknown_boards import find_unknown_boards, free_name, skin_name
from vision.learning.questions import Question
from vision.learning.skin_learner import learn_skin
from vision.skins import Skin, SkinLibrary
from vision.skins.skin import UNSEEN
from vision.tracking.lookalikes import unknown_board_in
from vision.tracking.tile_reader import tile_readers_of

pytestmark = [
    pytest.mark.long,
    pytest.mark.usefixtures("home", "qapp"),  # the boards are drawn with fonts
]

RECORDED = ("winemine-intermediate-lost", "sgt-mines-intermediate-won", "xdemineur-expert-won")


def without(skins: tuple[Skin, ...], name: str) -> tuple[Skin, ...]:
    """All skins but a program's."""
    return tuple(skin for skin in skins if not skin.name.startswith(name))


def on_a_desktop(picture: Image) -> Frame:
    """A window's picture on a screen full of other things."""
    image = desktop(np.random.default_rng(4), 1280, 800)
    put(image, picture, 300, 150)
    return Frame.of_image(image)


@pytest.mark.parametrize(
    "shape",
    sampled(
        [*((name, 1.0) for name in RECORDED), *((name, 1.5) for name in RECORDED)],
        len(RECORDED) + 1,
    ),
)
def test_a_real_program_is_found_and_read_without_its_skin(shape: tuple[str, float]) -> None:
    """Amid a chess board, a table, a calendar and keys there is one board, and no tile is wrong."""
    name, wide = shape
    reading = recorded(name, "middle")
    image = cv2.resize(reading.frame.image, None, fx=wide, fy=1)
    (stranger,), _ = find_unknown_boards(on_a_desktop(image))
    tiles = reading.board.tiles
    codes = stranger.result.codes
    assert codes.shape == tiles.shape
    assert ((codes == tiles) | (codes == UNREAD)).all()
    assert (codes == tiles).mean() > 0.9


@pytest.mark.parametrize("method", ["bilinear", "area"])
@pytest.mark.parametrize(("name", "scale"), [(RECORDED[0], 1.5375), (RECORDED[2], 1.25)])
def test_a_scaled_picture_of_a_stranger_is_read(name: str, scale: float, method: str) -> None:
    """Cells that begin at parts of a pixel are sampled where they begin."""
    reading = recorded(name, "last")
    image, tiles = reading.frame.image, reading.board.tiles
    size = round(scale * image.shape[1]), round(scale * image.shape[0])
    frame = Frame.of_image(METHODS[method](image, size))
    ((found,), _) = analyse_image(frame, (), reading.board.mines, None)
    assert ((found.tiles == tiles) | (found.tiles == UNREAD)).all()
    assert (found.tiles == tiles).mean() > 0.75


def test_a_skin_that_reads_most_hints_is_the_right_one() -> None:
    """One tile that it cannot read does not make its board a stranger's; all hints do.

    Zeros beside covered cells of a board that opens slowly are not believed, but read.
    """
    reading = recorded("xdemineur-expert-won", "middle")
    frame, tiles = reading.frame, reading.board.tiles
    opening = np.where(tiles > 0, np.int8(0), tiles)
    (stranger,), _ = find_unknown_boards(frame)
    assert UNREAD not in stranger.result.codes
    assert unknown_board_in(frame, reading.grid, opening) is None
    codes = tiles.copy()
    codes[tuple(np.argwhere(codes == 0)[0])] = UNREAD
    assert unknown_board_in(frame, reading.grid, codes) is None
    codes[codes >= 1] = UNREAD
    assert unknown_board_in(frame, reading.grid, codes) is not None


def hatched() -> Image:
    """Draw cells as in monochrome art: only a blurred picture shows the faces."""
    cell = np.full((16, 16, 3), 255, np.uint8)
    cell[:, -3:], cell[-3:] = 0, 0
    inside = cell[2:-3, 1:-3]
    inside[np.indices(inside.shape[:2]).sum(axis=0) % 2 == 0] = 0
    image = np.full((300, 360, 3), 192, np.uint8)
    put(image, np.tile(cell, (9, 10, 1)), 40, 60)
    return image


def lawn() -> Image:
    """Draw cells of two shades with six grey levels between them, and no line."""
    image = np.full((620, 700, 3), (28, 30, 34), np.uint8)
    odd = np.add.outer(np.arange(9), np.arange(10)) % 2 == 1
    shades = np.where(odd[..., None], (69, 177, 141), (63, 172, 135)).astype(np.uint8)
    put(image, shades.repeat(30, axis=0).repeat(30, axis=1), 40, 60)
    return image


def far_apart() -> Image:
    """Draw cells in columns that are twice as far apart as the cells are wide."""
    image = np.full((420, 800, 3), 255, np.uint8)
    for row, col in np.ndindex(9, 10):
        put(image, np.full((32, 32, 3), (203, 194, 184), np.uint8), 58 + 68 * col, 62 + 35 * row)
    return image


def flowing_together() -> Image:
    """Draw a lawn of two shades, of which the lighter one goes on at the corners of its cells."""
    image = np.full((420, 400, 3), (40, 80, 60), np.uint8)
    image[60 : 60 + 252, 40 : 40 + 300] = (69, 209, 162)
    for row, col in np.ndindex(9, 10):
        if (row + col) % 2:
            dark = np.full((26, 28, 3), (60, 195, 140), np.uint8)
            put(image, dark, 41 + 30 * col, 61 + 28 * row)
    return image


def touching(side: int) -> Image:
    """Draw rounded cells, which nothing but small gaps at their corners tells apart."""
    image = np.full((600, 700, 3), 240, np.uint8)
    for row, col in np.ndindex(9, 10):
        cell = image[60 + side * row :, 40 + side * col :][:side, :side]
        round_, last = side // 6, side - 1 - side // 6
        for corner in product((round_, last), repeat=2):
            cv2.circle(cell, corner, round_, (128, 128, 128), -1, cv2.LINE_AA)
        cell[round_ : last + 1], cell[:, round_ : last + 1] = 128, 128
    return image


@pytest.mark.parametrize(
    ("draw", "again"),
    [
        (hatched, False),
        (lawn, False),
        (far_apart, True),
        (flowing_together, True),
        *((partial(touching, side), True) for side in (24, 30, 45)),
    ],
)
def test_a_fresh_board_is_found_and_covered(draw: Callable[[], Image], again: bool) -> None:
    """Whatever tells its cells apart; some only if a board was seen in the window before."""
    (found,), _ = find_unknown_boards(Frame.of_image(draw()), again=again)
    assert (found.grid.rows, found.grid.cols, found.fresh) == (9, 10, True)
    assert (found.grid.left, found.grid.top) == pytest.approx((40, 60), abs=2)


@pytest.mark.parametrize("name", ["a full desktop", *CLUTTER])
@pytest.mark.parametrize("seed", sampled([2, 0, 1]))
def test_screens_without_a_game_have_no_unknown_board(name: str, seed: int) -> None:
    """What stands in rows and columns is not yet a game: days, keys, letters of a program."""
    image = CLUTTER.get(name, desktop)(np.random.default_rng([45, seed]), 1280, 800)
    assert find_unknown_boards(Frame.of_image(image)) == ([], [])


@pytest.mark.parametrize("wide", [1.0, 0.4], ids=["square", "high"])
def test_taught_skin_reads_other_sizes(skins: tuple[Skin, ...], home: Path, wide: float) -> None:
    """Learned from one size of an unknown look, and read at another by its skin."""
    rng = np.random.default_rng(11)
    board = random_board(rng, 12, 16)

    def ask(question: Question) -> int:
        row, col = question.cells[0]
        return int(board.tiles[row, col])

    others = without(skins, "rounded")

    def shown_as(board: Board, cell: float) -> Image:
        return cv2.resize(drawn(board, "rounded", cell), None, fx=wide, fy=1)

    frame = on_a_desktop(shown_as(board, 30.0))
    taught = learn_skin([frame], others, "mine", board.mines, ask)
    assert taught.folder == home / "skins" / "mine"
    shown = set(board.tiles.ravel().tolist())
    assert set(taught.skin.pictures) == shown
    learned = next(skin for skin in SkinLibrary().skins() if skin.name == "mine")
    other = random_board(rng, 9, 9)
    picture = Frame.of_image(
        cv2.copyMakeBorder(shown_as(other, 45.0), *[20] * 4, cv2.BORDER_CONSTANT, value=9)
    )
    ((reading, skin),) = read_image(picture, [learned], other.mines)
    assert skin.name == "mine"
    known = np.isin(other.tiles, list(shown)) & (reading.board.tiles != UNREAD)
    assert (reading.board.tiles == other.tiles)[known].all()
    assert known.mean() > 0.9


def test_names_of_skins_are_made_of_titles(skins: tuple[Skin, ...]) -> None:
    """Letters and digits alone, and never the name of another skin."""
    assert skin_name("Super Mines! (2)") == "super-mines-2"
    assert skin_name("Con") == "con-game"  # Windows has no folder of that name.
    assert skin_name("\N{CYRILLIC SMALL LETTER A}") == "learned"
    assert skin_name("Unseen") == "unseen-game", "that is the name of a skin that has none"
    assert free_name("classic", skins) == "classic-2"
    assert free_name("mine", skins) == "mine"


def test_a_picture_that_is_like_a_known_skin_is_read_by_the_one_that_reads_more(
    skins: tuple[Skin, ...],
) -> None:
    """A game of XDemineur whose threes have another font; the bundled skin leaves them unread."""
    reading = recorded("xdemineur-intermediate-won", "middle")
    image, board = reading.frame.image.copy(), reading.board
    rows = reading.grid.row_edges(reading.frame.region)
    cols = reading.grid.column_edges(reading.frame.region)
    three = drawn(Board.parse("3", 1), "dark", 64)
    for cell in board.cells(3):
        tile = image[rows[cell.row] : rows[cell.row + 1], cols[cell.col] : cols[cell.col + 1]]
        digit = cv2.resize(three, tile.shape[1::-1], interpolation=cv2.INTER_AREA).astype(int)
        inked = np.abs(digit - digit[3, 3]).max(axis=2) > 60
        inked[[0, 1, 2, -3, -2, -1]] = inked[:, [0, 1, 2, -3, -2, -1]] = False
        tile[2:-2, 2:-2] = tile[3, 3].copy()
        tile[inked] = (20, 0, 160)
    frame = Frame.of_image(image)
    (tile_reader,), _ = tile_readers_of(frame, skins)
    tile_reader.see(frame)
    assert tile_reader.skin.name == UNSEEN
    assert np.array_equal(tile_reader.codes, board.tiles)


@pytest.mark.parametrize(("missing", "is_whole"), [(0, True), (2, True), (8, False)])
@pytest.mark.parametrize("side", ["top", "left", "bottom", "right"])
def test_a_board_that_was_cut_a_few_pixels_short_is_whole(
    missing: int, is_whole: bool, side: str
) -> None:
    """As a user cuts it out of a screenshot; a quarter of a line shows that there is more."""
    rows = ["..1######", "..12#####", "..12#####", "123######"] + ["#########"] * 5
    board = Board.parse("/".join(rows), 10)
    end = 32 * 9 - missing
    part = {
        "top": np.s_[missing:],
        "left": np.s_[:, missing:],
        "bottom": np.s_[:end],
        "right": np.s_[:, :end],
    }
    image = np.ascontiguousarray(drawn(board, "flat", 32)[part[side]])
    found, cut = find_unknown_boards(Frame.of_image(image))
    assert [np.array_equal(one.result.codes, board.tiles) for one in found] == [True] * is_whole
    assert bool(cut) is not is_whole


def test_cells_that_touch_without_lines_are_found() -> None:
    """Rounded cells of two colours, where only marks stand apart, some of them in groups."""
    chance = np.random.default_rng(5).random((16, 30))
    game = Game.from_mines(chance < 0.2)
    for cell in np.argwhere(chance[:, :21] >= 0.2).tolist():
        game.open(tuple(cell))
    for cell in np.argwhere((chance[:, :21] >= 0.06) & (chance[:, :21] < 0.2)).tolist():
        game.flag(tuple(cell))
    board, side = game.board, 50
    image = np.full((900, 1600, 3), 205, np.uint8)
    for (row, col), state in np.ndenumerate(board.tiles):
        x, y = 20 + side * col, 24 + side * row
        cell = image[y : y + side, x : x + side]
        colour = (196, 137, 60) if state >= 0 else (88, 178, 122)
        for corner in ((6, 6), (6, side - 7), (side - 7, 6), (side - 7, side - 7)):
            cv2.circle(cell, corner, 6, colour, -1)
        cell[6:-6], cell[:, 6:-6] = colour, colour
        if state == FLAG:
            tick = np.array([(10, 27), (20, 38), (40, 12)])
            cv2.polylines(cell, [tick], False, (255, 255, 255), 4, cv2.LINE_AA)
        elif state != COVERED:
            font = cv2.FONT_HERSHEY_SIMPLEX
            cv2.putText(cell, str(state), (15, 37), font, 1.0, (255, 255, 255), 4, cv2.LINE_AA)
    (found,), _ = find_unknown_boards(Frame.of_image(image))
    codes = found.result.codes
    assert (found.grid.left, found.grid.top) == pytest.approx((20, 24), abs=3)
    assert np.array_equal(codes, board.tiles)


@pytest.mark.parametrize("within", ["picture", "screen"])
def test_a_board_at_an_edge_is_read_with_a_remark(within: str) -> None:
    """What is beside it has an edge, as a frame has: a panel, or the border of its window."""
    board = random_board(np.random.default_rng(3), 12, 14)
    around = ((0, 0), (0, 90), (0, 0)) if within == "picture" else ((60, 0), (90, 90), (0, 0))
    image = np.pad(drawn(board, "flat", 32), around)
    if within == "picture":
        image[:, -82:] = 120
    else:
        image[:, :89], image[:, -90:] = (200, 150, 120), (160, 170, 120)
        image[30:60, 89:-90] = 235
    (found,), _ = find_unknown_boards(Frame.of_image(image))
    assert (found.grid.rows, found.grid.cols) == (12, 14)
    assert {"picture": "top", "screen": "right"}[within] in found.unsure


def _painted(board: Board, style: str) -> Image:
    """Draw flat tiles; hints with a background of their own, flags on that of opened cells.

    In 'colour', flags are green cells.
    """
    image = np.full((60 + board.rows * 40, 60 + board.cols * 40, 3), 255, np.uint8)
    grounds = {COVERED: 206, 1: (240, 180, 100), 2: (130, 190, 70), 3: (160, 220, 250)}
    for (row, col), state in np.ndenumerate(board.tiles):
        cell = image[30 + row * 40 : 66 + row * 40, 30 + col * 40 : 66 + col * 40]
        cell[:] = grounds.get(int(state), 236) if style == "coloured" or state == COVERED else 236
        ink = (255, 255, 255) if style == "coloured" else (160, 40 * int(state), 0)
        if state > 0:
            cv2.putText(
                cell, str(state), (9, 27), cv2.FONT_HERSHEY_SIMPLEX, 0.8, ink, 2, cv2.LINE_AA
            )
        elif state == FLAG and style == "colour":
            cell[:] = 60, 190, 70
        elif state == FLAG:
            cv2.fillPoly(cell, [np.array([(9, 7), (30, 16), (9, 25)])], (50, 50, 170), cv2.LINE_AA)
            cv2.line(cell, (9, 7), (9, 32), (50, 50, 50), 2)
    if style == "hovered":
        image[70:106, 70:106] = 150
    return image


@pytest.mark.parametrize("style", ["coloured", "flags", "colour", "hovered"])
def test_the_rules_decide_what_a_picture_at_rest_shows(style: str) -> None:
    """Empty cells that look like covered ones, flags on opened cells or green, a hovered cell.

    A counter above shows the mines that are left: together with the flags they are the mines.
    """
    mines = np.zeros((9, 9), np.bool_)
    for cell in ((1, 3), (2, 5), (4, 5), (5, 5), (0, 8), (3, 8), (6, 8), (8, 8), (7, 7), (8, 2)):
        mines[cell] = True
    game = Game.from_mines(mines)
    for cell in ((0, 0), (4, 0), (1, 4), (2, 4), (3, 5), (8, 5)):
        game.open(cell)
    for cell in ((1, 3), (2, 5), (4, 5), (5, 5)) if style in ("flags", "colour") else ():
        game.flag(cell)
    image = np.pad(_painted(game.board, style), ((60, 0), (0, 0), (0, 0)), constant_values=255)
    left = 10 - int((game.board.tiles == FLAG).sum())
    write(image, f"Mines: {left}", 40, 40, 20)
    (seen,), _ = analyse_image(Frame.of_image(image), (), None, None)
    assert seen.reading is not None
    assert np.array_equal(seen.tiles, game.board.tiles)
    assert (seen.reading.board.mines, seen.reading.mines_left) == (10, left)
