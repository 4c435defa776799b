"""Boards of programs that a bundled skin fits but does not name: read, learned and asked about."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.board import COVERED, FLAG, UNREAD, Board, Cell
from bot.frame import Frame, Grid, Region
from bot.planner import Action, Move
from tests.support.clients import PictureWindow, program_of, wait_until
from tests.support.readings import read_image
from tests.support.sampling import sampled
from tests.vision.learning.test_learning import signs
from tests.vision.scenes import Image, drawn, put, window_picture
from vision.desktop import OWN_CLASS, Screen, Window
from vision.finder import BoardCut, BoardNotFound, Sighting, survey
from vision.focus import names_program
from vision.learning.skin_learner import learn_skin
from vision.reader import Reader
from vision.skins import Skin, SkinLibrary, make_skin, save_skin, user_folder
from vision.tracking.lookalikes import WholeReading, is_lookalike, unknown_board_in_cells
from vision.tracking.targets import choose, survey_screen
from vision.tracking.tracked_board import TrackedBoard

pytestmark = [
    pytest.mark.long,
    pytest.mark.usefixtures("home", "qapp"),  # the boards are drawn with fonts
]

DATA = Path(__file__).parents[1] / "data"
BEGUN = Board.parse(
    "00001####/11012####/#102#####/#113#####/"
    + "/".join(["#########"] * 5)
    + "\nmines: 10, assumed"
)
FRESH = replace(Board.covered(9, 9, 10), assumed=True)
SECONDS = 120.0
"""For a reader on a busy machine; the first use of the solver takes some of it."""
COLOURS = ((255, 0, 0), (0, 128, 0), (0, 0, 255))


def lookalike(board: Board, cell: int = 24, size: float = 0.7) -> Image:
    """A window of a program with the cells of the look 'classic' and digits of another font."""
    blank = Board(np.where(board.tiles > 0, np.int8(0), board.tiles), board.mines)
    picture = drawn(blank, "classic", float(cell))
    scale = size * cell / 24
    for row, col in board.cells():
        hint = board[row, col]
        if hint > 0:
            (width, height), _ = cv2.getTextSize(str(hint), cv2.FONT_HERSHEY_DUPLEX, scale, 1)
            at = col * cell + (cell - width) // 2, row * cell + (cell + height) // 2
            colour = COLOURS[hint - 1]
            cv2.putText(
                picture, str(hint), at, cv2.FONT_HERSHEY_DUPLEX, scale, colour, 1, cv2.LINE_AA
            )
    image = np.full((picture.shape[0] + 90, picture.shape[1] + 40, 3), 192, np.uint8)
    put(image, picture, 20, 70)
    return image


def others(skins: tuple[Skin, ...]) -> tuple[Skin, ...]:
    """All skins but the one of the program whose picture is kept here."""
    return tuple(skin for skin in skins if skin.name != "sgt-mines")


def unread_by(image: Image, skins: tuple[Skin, ...]) -> tuple[str, int]:
    """Which skin claims the only board of a picture, and how many tiles it leaves unread."""
    (claim,), _ = survey(Frame.of_image(image), skins)
    return claim.skin.name, int((claim.tiles == UNREAD).sum())


def seen_whole(reader: Reader) -> bool:
    """Whether a look leaves no tile unread."""
    return UNREAD not in reader.look().board.tiles


def test_one_unread_tile_lets_the_learning_reader_take_over(
    screen: Screen, skins: tuple[Skin, ...]
) -> None:
    """A red 3 that KMines' theme does not know, in the game of another program."""
    image = cv2.imread(str(DATA / "sgt-mines-unread-3.png"))
    assert image is not None
    assert unread_by(image, others(skins)) == ("kmines-classic", 1)
    with PictureWindow(image, (100, 90), "Mines", "Sgt-mines"):
        reader = Reader(screen, others(skins), window="Mines")
        assert reader.look().board[3, 3] == UNREAD
        wait_until(lambda: seen_whole(reader), SECONDS)
        reading = reader.look()
        assert reading.board == replace(BEGUN, assumed=False)
        assert reader.questions == ()
        assert reader.skin.learned


@pytest.mark.parametrize("cell", sampled([24, 36]))
@pytest.mark.parametrize("size", sampled([0.7, 0.6]))
def test_other_digits_are_learned_when_they_come(
    screen: Screen, skins: tuple[Skin, ...], cell: int, size: float
) -> None:
    """A fresh board is the skin's; once it has begun it is the program's own, and stays so."""
    image = lookalike(BEGUN, cell, size)
    with PictureWindow(lookalike(FRESH, cell, size), (100, 90), "A field", "Alike") as window:
        reader = Reader(screen, skins)
        assert reader.look().board == FRESH
        assert reader.skin.name == "classic"
        window.show(image)
        wait_until(lambda: reader.look().board == BEGUN, SECONDS)
        assert reader.skin.learned
        assert reader.look().board.mines == 10
        wait_until(lambda: reader.look() and (user_folder() / "a-field").is_dir(), SECONDS)
        again = Reader(screen, SkinLibrary().skins())
        wait_until(lambda: again.look().board == BEGUN, SECONDS)
        assert again.skin.name == "a-field"
    # A program may open another window for its next game.
    reader.begin_anew()
    with PictureWindow(lookalike(FRESH, cell, size), (100, 90), "A field", "Alike"):
        assert reader.look().board == FRESH
        assert reader.skin.name == "a-field"


def test_a_board_that_moves_when_its_window_grows_is_found_by_its_lines(
    screen: Screen, skins: tuple[Skin, ...]
) -> None:
    """The look-alike's bold digits are read, but resemble the skin's too little to be found."""

    def shown(board: Board, top: int, height: int) -> Image:
        # Ten columns: there are too few covered cells to find a board by.
        blank = Board(np.where(board.tiles > 0, np.int8(0), board.tiles), board.mines)
        thin, ground = drawn(board, "classic", 48.0), drawn(blank, "classic", 48.0)
        digits = (thin != ground).any(axis=2).astype(np.uint8)
        near = cv2.dilate(digits, np.ones((9, 9), np.uint8)) > 0
        picture = np.where(near[:, :, None], cv2.erode(thin, np.ones((4, 4), np.uint8)), ground)
        image = np.full((height, 600, 3), 244, np.uint8)
        put(image, picture, 60, top)
        return image

    board = Board.parse(
        "......111./..111.1#1./..1#1.1221/..111..1#1/111111.111/1#22#211../112#22#1../11222222../"
        "##1####1../1111###1..\nmines: 10"
    )
    grown = shown(board, 75, 620)
    assert not survey(Frame.of_image(grown), skins)[0]
    with PictureWindow(
        shown(Board.covered(10, 10, 10), 85, 600), (100, 90), "A field", "Alike"
    ) as window:
        reader = Reader(screen, skins, mines=10)
        assert (reader.look().board.tiles == COVERED).all()
        window.show(shown(board, 85, 600))
        wait_until(lambda: np.array_equal(reader.look().board.tiles, board.tiles), SECONDS)
        window.resize(grown)
        wait_until(lambda: np.array_equal(reader.look().board.tiles, board.tiles), SECONDS)
        assert reader.skin.name == "classic"


def test_a_message_that_has_just_faded_is_no_other_skin(
    screen: Screen, skins: tuple[Skin, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it hid is read once more before a skin is learned."""
    learn = TrackedBoard.learn
    image = window_picture(BEGUN, "classic", 24.0)
    veiled = image.copy()
    for row, col in BEGUN.cells():
        if BEGUN[row, col] > 0:
            veiled[76 + 24 * row : 88 + 24 * row : 2, 26 + 24 * col : 38 + 24 * col] = 0
    with PictureWindow(image, (100, 90), "Minesweeper", "minesweeper-bot-simulator") as window:
        reader = Reader(screen, skins)
        assert UNREAD not in reader.look().board.tiles
        asked: list[bool] = []

        def fade(board: TrackedBoard) -> bool:
            window.show(image)
            asked.append(learn(board))
            return asked[-1]

        monkeypatch.setattr("vision.reader._UNREAD_SECONDS", 0.0)
        monkeypatch.setattr(TrackedBoard, "learn", fade)
        window.show(veiled)
        wait_until(lambda: reader.look() and bool(asked), 20)
        assert asked == [False]
        assert not reader.skin.learned
        wait_until(lambda: seen_whole(reader), SECONDS)


def test_a_part_that_a_look_alike_sees_is_no_board_that_is_cut_off(
    screen: Screen, skins: tuple[Skin, ...]
) -> None:
    """Of a game with dots for digits a skin claims 7 rows and 6 columns, once it has begun."""
    image = cv2.imread(str(DATA / "pips.png"))
    assert image is not None
    begun = Board.parse(
        "###100000/122101110/000001#21/000002###/110001###/#100012##/1100001##/0011211##/001######"
        "\nmines: 10, assumed"
    )
    fresh = image.copy()
    covered = image[21:57, 24:60]
    for row, col in begun.cells():
        fresh[21 + 36 * row :][:36, 24 + 36 * col :][:, :36] = covered
    with PictureWindow(fresh, (100, 90), "A field", "Dots") as window:
        reader = Reader(screen, skins)
        assert reader.look().board == FRESH
        assert not reader.skin.learned
        window.show(image)
        wait_until(lambda: reader.look().board == begun, SECONDS)
        assert reader.skin.learned


@pytest.mark.parametrize("board", [BEGUN, FRESH], ids=["begun", "fresh"])
def test_a_page_that_was_scrolled_is_not_learned(
    screen: Screen, skins: tuple[Skin, ...], board: Board
) -> None:
    """With the first row scrolled away in part, other things are where the board was."""
    page = np.full((500, 260, 3), 192, np.uint8)
    put(page, drawn(board, "classic", 24.0), 20, 70)
    scrolled = np.full_like(page, 192)
    scrolled[:-75] = page[75:]
    with PictureWindow(page, (100, 90), "A field", "Alike") as window:
        reader = Reader(screen, skins)
        assert reader.look().board == board
        window.show(scrolled)
        with pytest.raises(BoardCut, match="cut off at its top"):
            wait_until(lambda: reader.look() and reader.skin.learned, SECONDS)


def test_unknown_mark_is_asked_about_in_the_same_run(
    screen: Screen, skins: tuple[Skin, ...]
) -> None:
    """A mark that no program draws: one question, whose answer is kept with the skin."""
    image = lookalike(BEGUN)
    left, top = 20 + 5 * 24, 70
    rng = np.random.default_rng(0)
    image[top + 6 : top + 18, left + 6 : left + 18] = rng.integers(0, 256, (12, 12, 3))
    with PictureWindow(image, (100, 90), "A field", "Alike"):
        reader = Reader(screen, skins)
        wait_until(lambda: reader.look() and reader.questions, SECONDS)
        (question,) = reader.questions
        assert question.cells == ((0, 5),)
        reader.answer(question, FLAG)
        wait_until(lambda: seen_whole(reader), SECONDS)
        assert reader.look().board[0, 5] == FLAG
        wait_until(
            lambda: reader.look() and (user_folder() / "a-field" / "flag.png").is_file(), SECONDS
        )


def test_a_board_of_which_little_is_read_is_learned(skins: tuple[Skin, ...]) -> None:
    """Of a picture alone as well: `read` reads all of it, and `learn` makes a skin of it."""
    image = lookalike(BEGUN, 24, 0.6)
    assert unread_by(image, skins) == ("classic", 10)
    ((reading, skin),) = read_image(Frame.of_image(image), skins)
    assert reading.board == BEGUN
    assert skin.learned
    taught = learn_skin([Frame.of_image(image)], skins, "mine", None, lambda _question: None)
    assert set(taught.skin.pictures) == {COVERED, 0, 1, 2, 3}


def test_the_skin_of_the_program_is_preferred(screen: Screen, skins: tuple[Skin, ...]) -> None:
    """Although another one is nearer to the pixels: one that was learned of that very program."""
    classic = next(skin for skin in skins if skin.name == "classic")
    noise = np.random.default_rng(3)
    pictures = {
        code: [np.clip(look + noise.normal(0, 4, look.shape), 0, 255).astype(np.uint8)]
        for code, (look, *_) in classic.pictures.items()
    }
    said = {"name": "own", "program": "learned", "title": "Field"}
    own = classic.model_copy(update={**said, "window_class": program_of("Own")})
    save_skin(make_skin(own, pictures), user_folder() / "own")
    both = SkinLibrary().skins()
    picture = np.full((500, 400, 3), 192, np.uint8)
    put(picture, drawn(BEGUN, "classic", 32.0), 20, 70)
    with PictureWindow(picture, (30, 40), "Field", "Own"):
        assert choose(screen, both, None).skin.name == "own"
    with PictureWindow(picture, (30, 40), "Field", "Another"):
        assert choose(screen, both, None).skin.name == "classic"


@pytest.mark.linux
def test_a_board_that_reaches_out_of_its_window_is_no_board_of_it(
    screen: Screen, skins: tuple[Skin, ...]
) -> None:
    """What lies beside the window goes on as its board does: that is not listed, nor chosen."""
    image = lookalike(FRESH)
    cut = 20 + 5 * 24
    with PictureWindow(image[:, :cut], (100, 90), "Left half") as left:
        beside = left.region.right, left.region.top
        with PictureWindow(image[:, cut:], beside, "Right half", popup=True):
            targets, remarks = survey_screen(screen, skins)
            assert targets == []
            assert any("it reaches out of the window 'Left half'" in remark for remark in remarks)
            with pytest.raises(BoardNotFound, match="reaches out of the window 'Left half'"):
                choose(screen, skins, None)
            # This program's own window over one cell is not to blame.
            with PictureWindow(image[:20, :20], (122, 162), "Panel", OWN_CLASS):
                _, remarks = survey_screen(screen, skins)
                assert any("out of the window 'Left half'" in remark for remark in remarks)


def test_a_program_is_known_by_its_class(skins: tuple[Skin, ...]) -> None:
    """A skin that names it is no look-alike, nor is one that was learned."""
    classic = next(skin for skin in skins if skin.name == "classic")
    assert classic.window_class is not None
    place = Region(0, 0, 100, 100)
    own = Window(1, "A field", classic.window_class, place, None, own=False)
    other = Window(2, "Minesweeper", "Alike", place, None, own=False)
    assert names_program(classic, own)
    assert not is_lookalike(classic, own)
    assert is_lookalike(classic, other)
    assert not is_lookalike(classic.model_copy(update={"program": "learned"}), other)
    assert not is_lookalike(classic, None)


def test_earlier_boards_of_a_lookalike_are_used(skins: tuple[Skin, ...]) -> None:
    """One opened cell with a sign that no skin reads tells nothing by itself: all was covered."""
    opened = Board.parse("/".join(["####1####", *["#########"] * 8]), mines=10)
    fresh, begun = (
        Frame.of_image(_in_one(signs(one))) for one in (opened.covered(9, 9, 10), opened)
    )
    grid = Grid(0, 0, 20, 20, 9, 9)
    claim = Sighting(grid, skins[0], opened.tiles, 1.0)
    stranger = unknown_board_in_cells(begun, claim, WholeReading(grid, fresh, FRESH.tiles))
    assert stranger is not None
    assert (stranger.result.codes == COVERED).sum() == 80
    assert [one.cells for one in stranger.result.questions] == [((0, 4),)]


def test_covered_cells_stay_covered_in_a_lattice_beside_that_of_the_skin(
    screen: Screen, skins: tuple[Skin, ...]
) -> None:
    """What was covered before the first click is no flag for the learner that takes over."""
    begun = Board.parse(
        "01#######/0113#####/0001#####/0001#####/1101#####/#1013####/11001####/0000112##/0000001##"
        "\nmines: 10, assumed"
    )
    with PictureWindow(_rimmed(FRESH), (100, 90), "A field", "Alike") as window:
        reader = Reader(screen, skins)
        fresh = reader.look()
        assert fresh.board == FRESH
        assert reader.skin.name == "xdemineur"
        reader.note_moves((Move(Action.OPEN, Cell(0, 0), 0.12),))
        window.show(_rimmed(begun))
        wait_until(lambda: reader.look() and reader.skin.learned, SECONDS)
        wait_until(lambda: seen_whole(reader), SECONDS)
        reading = reader.look()
        assert reading.board == begun
        # Otherwise this test shows nothing.
        assert reading.grid.left - fresh.grid.left == 2


def test_a_click_refutes_a_skin_that_reads_its_effect_as_covered(
    screen: Screen, skins: tuple[Skin, ...]
) -> None:
    """Buttons with a gradient and flat ones; a cell under the pointer refutes nothing."""
    fresh = Board.covered(8, 8, 10)
    begun = Board.parse(
        "########/########/##111###/##101###/##111###/########/########/########\nmines: 10"
    )
    kmines = [one for one in skins if one.name == "kmines-classic"]
    with PictureWindow(_buttons(fresh), (100, 90), "A field", "Alike") as window:
        reader = Reader(screen, kmines, mines=10)
        assert reader.look().board == fresh
        reader.note_moves((Move(Action.OPEN, Cell(3, 3)),))
        hovered = _buttons(fresh)
        hovered[30 + 3 * 42 :, 10 + 3 * 49 :][:42, :49] -= 20
        window.show(hovered)
        wait_until(lambda: reader.look().board[3, 3] == UNREAD, SECONDS)
        window.show(_buttons(fresh))
        wait_until(lambda: reader.look().board == fresh, SECONDS)
        assert reader.skin.name == "kmines-classic"
        window.show(_buttons(begun))
        wait_until(lambda: reader.look().board == begun, SECONDS)
        assert reader.skin.learned
        assert reader.questions == ()


def _buttons(board: Board) -> Image:
    """A page of buttons of 49 x 42 pixels: covered ones have a gradient, opened ones are flat."""
    button = np.full((42, 49, 3), (153, 138, 122), np.uint8)
    for row in range(40):
        blue, green = (245 + row, 235 + 2 * row) if row < 10 else (265 - row, 265 - 1.5 * row)
        button[row, :48] = np.clip((blue, green, 2 * green - blue), 0, 255)
    image = np.full((390, 412, 3), 238, np.uint8)
    for row, col in board.cells():
        cell, hint = image[30 + row * 42 :, 10 + col * 49 :][:42, :49], board[row, col]
        cell[:] = button
        if hint >= 0:
            cell[:41, :48] = 238
        if hint > 0:
            font = cv2.FONT_HERSHEY_SIMPLEX
            cv2.putText(cell, str(hint), (20, 25), font, 0.4, (60, 60, 60), 1, cv2.LINE_AA)
    return image


def _rimmed(board: Board) -> Image:
    """A page whose cells of 36 x 36 pixels have a rim of their own outside their bevel."""
    side = 36
    tiles = np.full((board.tiles.size, side, side, 3), 198, np.uint8)
    for tile, state in zip(tiles, board.tiles.ravel().tolist(), strict=True):
        tile[-3:], tile[:, -3:] = 84, 84
        tile[:3], tile[:, :3] = 168, 168
        if state == COVERED:
            tile[29:33, 3:33], tile[3:33, 29:33] = 128, 128
            tile[3:6, 3:30], tile[3:30, 3:6] = 255, 255
        else:
            tile[3:5, 3:33], tile[3:33, 3:5] = 128, 128
        if state > 0:
            font, colour = cv2.FONT_HERSHEY_DUPLEX, COLOURS[state - 1]
            cv2.putText(tile, str(state), (10, 27), font, 0.8, colour, 2, cv2.LINE_AA)
    image = np.zeros((9 * side + 116, 9 * side + 40, 3), np.uint8)
    put(image, _in_one(tiles), 20, 70)
    return image


def _in_one(tiles: Image) -> Image:
    """The picture of a board of 9 x 9 tiles."""
    side = tiles.shape[1]
    return np.ascontiguousarray(
        tiles.reshape(9, 9, side, side, 3).swapaxes(1, 2).reshape(9 * side, 9 * side, 3)
    )
