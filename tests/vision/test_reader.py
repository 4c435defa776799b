"""The reader on a real screen: it follows its window, and knows when not to be believed."""

from __future__ import annotations

import re
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.board import COVERED, UNREAD, Board, Cell
from bot.frame import Region, Status
from bot.loop import Stopped
from bot.unread import Cause
from gui.looks.headers import HeaderState
from tests.support.clients import PictureWindow, wait_until
from tests.vision.scenes import field, random_board, tiled, window_picture
from tests.vision.texts import write
from vision.desktop import OWN_FRAME, Screen, desktop
from vision.desktop.base import Desktop
from vision.finder import BoardCut, BoardNotFound
from vision.focus import NotInFront
from vision.reader import Reader
from vision.skins import BUNDLED, Skin, load_skin
from vision.tracking import targets, tracked_board
from vision.tracking.pagedialog import new_box
from vision.tracking.targets import survey_screen
from vision.tracking.tile_reader import believable, status_of
from vision.tracking.tracked_board import TrackedBoard, WindowClosed, WindowHidden

pytestmark = [
    pytest.mark.long,
    pytest.mark.usefixtures("qapp"),  # the boards are drawn with fonts
]

BEGINNER = replace(Board.covered(9, 9, 10), assumed=True)
"""Without a counter: its number of mines is assumed from its size."""
DATA = Path(__file__).with_name("data")


def _opened(board: Board, *cells: tuple[int, int]) -> Board:
    tiles = board.tiles.copy()
    for cell in cells:
        tiles[cell] = 1
    return replace(board, tiles=tiles)


def _shows(reader: Reader, board: Board) -> bool:
    return bool((reader.look().board.tiles == believable(board.tiles)).all())


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("1#/##", Status.PLAYING),
        ("1#/11", Status.WON),
        ("2#/11", Status.PLAYING),
        ("1F/11", Status.WON),
        ("11/1*", Status.WON),
        ("1F/*1", Status.WON),
        ("1x/1*", Status.LOST),
        ("##/1*", Status.LOST),
        ("1!/11", Status.LOST),
        ("##/1!", Status.LOST),
        ("~#/11", Status.WON),
        ("~#/#1", Status.PLAYING),
        ("~!/11", Status.LOST),
        ("*~*/121", Status.ENDED),
        ("*~1/12*", Status.ENDED),
        ("*~#/12*", Status.LOST),
    ],
)
def test_status_by_the_tiles(text: str, status: Status) -> None:
    """Won where nothing but mines is closed or shown, lost where one exploded or came too early.

    A number of mines that the hints contradict wins no game. Beside all mines, an unread tile may
    be a covered one.
    """
    mines = 1 if "~" not in text else 2
    assert status_of(Board.parse(text, mines=mines)) is status


def test_status_that_the_tiles_alone_do_not_tell() -> None:
    """An assumed number of mines loses no game, and some programs ask for flags on all mines."""
    board = Board.parse("*~1/221", mines=2)
    assert status_of(board) is Status.WON
    assert status_of(replace(board, assumed=True)) is Status.ENDED
    covered, flagged = Board.parse("1#/11", mines=1), Board.parse("1F/11", mines=1)
    assert status_of(covered, flags_to_win=True) is Status.PLAYING
    assert status_of(flagged, flags_to_win=True) is Status.WON


def test_zero_beside_a_covered_cell_is_unread() -> None:
    """A held-down cell looks like an empty one: it is not believed."""
    tiles = Board.parse("###/#.#/..1", mines=1).tiles
    assert Board(believable(tiles), 1).rows_text() == "###\n#~#\n~~1"
    assert (believable(np.zeros((4, 4), np.int8)) == UNREAD).all()
    # Marked cells stay closed when the region around them opens.
    marked = Board.parse("F../.?1/.1#", mines=1).tiles
    assert (believable(marked) == marked).all()


@pytest.mark.linux  # Its fonts.
def test_entry_of_a_menu_is_found(screen: Screen, skins: tuple[Skin, ...]) -> None:
    """In a window of its own, and in the game's; not in another program's."""
    picture = np.pad(window_picture(BEGINNER), ((60, 0), (0, 0), (0, 0)), constant_values=230)
    write(write(picture, "Help", 70, 12, 13), "Game", 12, 12, 13)
    menu = np.full((66, 120, 3), 240, np.uint8)
    write(write(menu, "Scores", 10, 10, 13), "New game", 10, 38, 13)
    with PictureWindow(picture, (100, 90), "My game") as window:
        reader = Reader(screen, skins)
        reader.look()
        (title,) = reader.menus()
        assert reader.window is not None
        left, top = reader.window.region[:2]
        assert title.contains((left + 25, top + 18))
        before = reader.page()
        assert reader.menu_entry(title, before) is None
        at = left + 4, top + 34
        with PictureWindow(menu, at, "", "Menu", popup=True):
            assert reader.menu_entry(title, before) is None
        with PictureWindow(menu, at, "", "Menu", popup=True, opener=window) as popup:
            wait_until(lambda: reader.menu_entry(title, before) is not None)
            entry = reader.menu_entry(title, before)
            assert entry is not None
            assert entry.popup is not None
            assert entry.popup.id == popup.id
            assert Region(left + 4, top + 67, 120, 33).contains(entry.place.center)
            row = entry.place._replace(left=left + 4, width=120)
            assert reader.menu_entry(row, before, below=False) is None
        wait_until(lambda: reader.menu_entry(title, before) is None)
        shown = picture.copy()
        shown[34 : 34 + menu.shape[0], 4 : 4 + menu.shape[1]] = menu
        window.show(shown)
        wait_until(lambda: reader.menu_entry(title, before) is not None)
        entry = reader.menu_entry(title, before)
        assert entry is not None
        assert entry.popup is None


@pytest.mark.linux  # Its fonts.
def test_first_entry_of_a_menu_in_other_letters_is_found(
    screen: Screen, skins: tuple[Skin, ...]
) -> None:
    """Only among several, and if no entry is in letters that can be read."""
    picture = np.pad(window_picture(BEGINNER), ((30, 0), (0, 0), (0, 0)), constant_values=230)
    write(write(picture, "Հուշում", 70, 9, 13), "Խաղ", 10, 9, 13)
    with PictureWindow(picture, (100, 90), "My game") as window:
        reader = Reader(screen, skins)
        reader.look()
        (title,) = reader.menus()
        left, top = window.region[:2]
        assert title.contains((left + 20, top + 16))
        for texts, chosen in (
            (("Նոր", "Ելք"), True),
            (("Նոր",), False),
            (("Նոր", "Options"), False),
        ):
            menu = np.full((66, 120, 3), 240, np.uint8)
            for number, text in enumerate(texts):
                write(menu, text, 10, 10 + 28 * number, 13)
            at = left + 4, top + 34
            with PictureWindow(menu, at, "", "Menu", popup=True, opener=window):
                wait_until(lambda: reader.has_menu(title))
                entry = reader.menu_entry(title, reader.page())
                assert (entry is not None) is chosen
                assert entry is None or entry.place.top < at[1] + 28


def test_only_button_of_a_dialog_is_pressed_whatever_its_text(
    screen: Screen, skins: tuple[Skin, ...]
) -> None:
    """Of two, neither is."""
    dialog = np.full((160, 260, 3), 235, np.uint8)
    cv2.rectangle(dialog, (80, 110), (180, 138), (90, 90, 90), 1)
    cv2.putText(dialog, "~~~", (105, 130), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 1)
    with (
        PictureWindow(window_picture(BEGINNER), (100, 90), "My game"),
        PictureWindow(dialog, (600, 90), "~") as shown,
    ):
        reader = Reader(screen, skins, "My game")
        reader.look()
        place = desktop().place_of(shown.id)
        assert place is not None
        wait_until(lambda: reader.end_button(place) is not None)
        button = reader.end_button(place)
        assert button is not None
        assert button.contains((place.left + 130, place.top + 124))
        assert reader.end_button(place, message=True) is None
        assert reader.places_of(place) == reader.buttons_of(place)
        cv2.putText(dialog, "Another", (90, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 1)
        shown.show(dialog)
        wait_until(lambda: len(reader.places_of(place)) == 2)
        # A text may be a button without a frame.
        assert reader.places_of(place)[1].contains((place.left + 120, place.top + 35))
        cv2.rectangle(dialog, (80, 70), (180, 98), (90, 90, 90), 1)
        shown.show(dialog)
        wait_until(lambda: reader.end_button(place) is None)


@pytest.mark.linux  # Its fonts.
def test_end_of_a_game_is_read_where_a_program_writes_it(
    screen: Screen, skins: tuple[Skin, ...]
) -> None:
    """In a dialog, by its title or its text; or over the board, where a level may be chosen."""
    picture = window_picture(BEGINNER)
    dialog = write(np.full((80, 220, 3), 240, np.uint8), "Game over!", 30, 30, 13)
    with PictureWindow(picture, (100, 90), "My game") as window:
        reader = Reader(screen, skins, "My game")
        grid = reader.look().grid
        for title, status in (("You have won", Status.WON), ("", Status.LOST)):
            image = np.full_like(dialog, 240) if title else dialog
            with PictureWindow(image, (600, 90), title) as shown:
                opened = next(one for one in desktop().list_windows() if one.id == shown.id)
                assert reader.end_in(opened) is status
                # Without a button, a click on the text may close it.
                assert (reader.end_button(opened.region) is None) is bool(title)
        assert reader.end_over_board() is None
        frame = reader.picture(grid.region)
        edges, banner = grid.row_edges(frame.region), frame.image.copy()
        assert reader.window is not None
        rows, cols = reader.page().pixels(grid.region)

        def show(*texts: str) -> None:
            banner[edges[3] : edges[5]] = 250
            for number, text in enumerate(texts):
                write(banner, text, 60, edges[3] + 4 + 24 * number, 13)
            picture[rows, cols] = banner
            window.show(picture)

        show("You win!")
        wait_until(lambda: reader.end_over_board() is Status.WON)
        banner[:] = frame.image
        banner[edges[3] : edges[4] + 8, 30:200] = 250
        write(banner, "Game over", 42, edges[3] + 8, 13)
        picture[rows, cols] = banner
        window.show(picture)
        wait_until(lambda: reader.end_over_board() is Status.LOST)
        # A program may only darken its board, and write across the cells, without a box.
        picture[rows, cols] = frame.image // 2
        write(picture[rows, cols], "You Lose!", 30, edges[4] - 20, 34, light=True)
        window.show(picture)
        wait_until(lambda: reader.end_over_board() is Status.LOST)
        assert reader.level_button() is None
        show("Easy", "Hard")
        wait_until(lambda: reader.level_button() is not None)


def test_every_change_is_seen(screen: Screen, skins: tuple[Skin, ...]) -> None:
    """Reading changed cells alone gives what reading all of them gives, at any pitch."""
    rng = np.random.default_rng(8)
    boards = [random_board(rng, 9, 9) for _ in range(6)]
    for cell in (24.0, 18.75):
        with PictureWindow(window_picture(boards[0], "dark", cell), (60, 70)) as window:
            reader = Reader(screen, skins, mines=10)
            for board in boards:
                window.show(window_picture(board, "dark", cell))
                wait_until(partial(_shows, reader, board))


@pytest.mark.parametrize("covered", [0, 100])
def test_the_panel_is_left_out_by_its_frame_where_windows_are_unknown(
    screen: Screen, skins: tuple[Skin, ...], monkeypatch: pytest.MonkeyPatch, covered: int
) -> None:
    """The board in it is not found, also if another window covers a part of the frame."""
    game, panel = window_picture(BEGINNER), window_picture(BEGINNER, "dark")
    framed = np.full((panel.shape[0] + 40, panel.shape[1] + 40, 3), 200, np.uint8)
    framed[20:-20, 20:-20] = panel
    for edge in (np.s_[:2], np.s_[-2:], np.s_[:, :2], np.s_[:, -2:]):
        framed[edge] = OWN_FRAME[::-1]
    framed[:covered, :covered] = 0
    with PictureWindow(game, (30, 40)), PictureWindow(framed, (500, 40)):
        wait_until(lambda: len(survey_screen(screen, skins)[0]) == 2)
        monkeypatch.setattr(targets, "desktop", Desktop)
        (found,), _ = survey_screen(screen, skins)
        assert found.grid.left < 500


def test_board_of_an_unknown_window_is_followed(
    screen: Screen, skins: tuple[Skin, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It moves, and has another level: a click that was under way may have opened some of it.

    Another skin may read it as well: a taught one beside the bundled one of the program.
    """
    larger = replace(Board.covered(16, 16, 40), assumed=True)
    with PictureWindow(window_picture(BEGINNER), (30, 40)) as window:
        monkeypatch.setattr(targets, "desktop", Desktop)
        (target,), _ = survey_screen(screen, skins)
        alike = target.skin.model_copy(update={"name": "alike"})
        board = TrackedBoard(screen, target, (alike, target.skin), None)
        board.see()
        window.move(500, 40)
        wait_until(lambda: board.see() and board.tile_reader.grid.left > 500)
        assert board.tile_reader.skin.name == target.skin.name

        def shows(level: Board) -> bool:
            board.obstacle(board.see()[0])
            return np.array_equal(board.tile_reader.codes, level.tiles)

        for level in (_opened(BEGINNER, (4, 4)), larger, _opened(BEGINNER, (3, 3))):
            window.resize(window_picture(level))
            wait_until(partial(shows, level))


def test_closed_board_is_no_dialog(
    screen: Screen, skins: tuple[Skin, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where windows are unknown: a box in what lies behind a closed game covers no board."""
    picture = window_picture(_opened(BEGINNER, (0, 0), (4, 4), (8, 8)))
    picture = np.pad(picture, ((0, 0), (0, 180), (0, 0)), constant_values=180)
    behind, dimmed = np.full_like(picture, 230), picture // 2
    beside = picture.shape[1] - 150
    for shown, left in (dimmed, 60), (behind, 60), (behind, beside):
        for x, y, width, height, colour in (0, 70, 110, 80, 255), (30, 120, 50, 22, 220):
            corners = (left + x, y), (left + x + width, y + height)
            cv2.rectangle(shown, *corners, (colour,) * 3, -1)
            cv2.rectangle(shown, *corners, (60, 60, 60), 1)
    for module in (targets, tracked_board):
        monkeypatch.setattr(module, "desktop", Desktop)
    with PictureWindow(picture, (30, 40)) as window:
        reader = Reader(screen, skins)
        reader.look()
        before = reader.picture()
        window.show(dimmed)
        wait_until(lambda: reader.look() and reader.page_dialog is not None)
        assert not reader.has_vanished()
        window.show(behind)
        wait_until(lambda: reader.look() and reader.has_vanished())
        assert reader.page_dialog is None
        assert new_box(reader.picture(), before, reader.grid) is not None
        assert reader.new_box(before) is None
        window.show(picture)
        wait_until(lambda: reader.look().board.tiles[0, 0] == 1)
        assert not reader.has_vanished()


@pytest.mark.linux
def test_a_closed_window_without_a_name_is_no_other(
    screen: Screen, skins: tuple[Skin, ...]
) -> None:
    """It had neither title nor class: the next look takes no other game for it."""
    with (
        PictureWindow(window_picture(BEGINNER), (30, 40), "", "") as nameless,
        PictureWindow(window_picture(BEGINNER, "dark"), (500, 40), "Other", "Beta"),
    ):
        reader = Reader(screen, skins, window=nameless.id)
        reader.look()
        nameless.close()
        reader.begin_anew()
        with pytest.raises(BoardNotFound, match="The window was closed"):
            reader.look()


@pytest.mark.linux
def test_own_windows_are_no_games(screen: Screen, skins: tuple[Skin, ...]) -> None:
    """The panel's picture of a board is never played, even where it overlaps the game's window."""
    with (
        PictureWindow(window_picture(BEGINNER), (30, 40), "Panel", "minesweeper-bot"),
        PictureWindow(window_picture(BEGINNER), (500, 40), "Game") as game,
    ):
        (found,), _ = survey_screen(screen, skins)
        assert found.window is not None
        assert found.window.id == game.id


def test_moved_window_is_followed(screen: Screen, skins: tuple[Skin, ...]) -> None:
    """The grid moves with it; clicks planned before are refused.

    Its board may leave the desktop meanwhile, while another part of it stays.
    """
    board = _opened(BEGINNER, (2, 3))
    picture = window_picture(board)
    toolbar = np.full((100, picture.shape[1], 3), 192, np.uint8)
    with PictureWindow(np.concatenate((toolbar, picture)), (100, 90)) as window:
        reader = Reader(screen, skins)
        before = reader.look()
        point = before.grid.center(Cell(8, 8))
        reader.guard([point])
        origin = window.region
        window.move(333, 222)
        with pytest.raises(NotInFront, match="moved"):
            reader.guard([point])
        dx, dy = window.region.left - origin.left, window.region.top - origin.top
        wait_until(lambda: reader.look().grid == before.grid.moved(dx, dy))
        wait_until(lambda: reader.look().board == board)
        point = reader.look().grid.center(Cell(8, 8))
        reader.guard([point])
        window.move(100, screen.region.height - 20)
        with pytest.raises(NotInFront, match="moved"):
            reader.guard([point])
        with pytest.raises(WindowHidden, match="off the desktop"):
            reader.look()
        window.move(140, 120)
        wait_until(lambda: _shows(reader, board))


@pytest.mark.linux
def test_a_picture_that_a_moved_window_left_behind(screen: Screen, skins: tuple[Skin, ...]) -> None:
    """Over a program that does not draw any more: the board is where its window is."""
    with PictureWindow(np.zeros((900, 1200, 3), np.uint8), popup=True) as still:
        still.stop_drawing()
        with PictureWindow(window_picture(BEGINNER), (100, 90)) as window:
            reader = Reader(screen, skins)
            before = reader.look().grid
            window.move(600, 90)
            assert reader.look().grid == before
            with pytest.raises(NotInFront, match="has moved"):
                reader.guard([before.center(Cell(0, 0))])
            assert reader.look().grid.left > before.left


@pytest.mark.linux
def test_a_board_left_behind_in_the_midst_of_drawing(
    screen: Screen, skins: tuple[Skin, ...]
) -> None:
    """Its window is gone, but its picture stays: the next reading reports it."""
    half = Board.parse("\n".join(["#########"] * 4 + ["####.####"] + ["#########"] * 4), mines=10)
    with PictureWindow(np.zeros((900, 1200, 3), np.uint8), popup=True) as still:
        still.stop_drawing()
        with PictureWindow(window_picture(half), (100, 90)) as window:
            reader = Reader(screen, skins)
            assert reader.look().board[4, 4] == UNREAD
            window.close()
            with pytest.raises(WindowClosed):
                reader.look()


@pytest.mark.linux
def test_an_id_that_was_given_to_another_window(screen: Screen, skins: tuple[Skin, ...]) -> None:
    """The X server gives the id of a closed window to the next one: that is not the game."""
    with PictureWindow(window_picture(BEGINNER), (100, 90), "Game", "Game") as window:
        reader = Reader(screen, skins)
        reader.look()
    with PictureWindow(window_picture(BEGINNER), (100, 90), "Other", "Other") as other:
        assert other.id == window.id
        reader.recheck_window()
        with pytest.raises(WindowClosed, match="Game"):
            reader.look()


def test_another_level_is_found_again(screen: Screen, skins: tuple[Skin, ...]) -> None:
    """The program was set to a larger board: its window grows, and the board with it."""
    larger = replace(Board.covered(16, 16, 40), assumed=True)
    with PictureWindow(window_picture(BEGINNER), (100, 90)) as window:
        reader = Reader(screen, skins)
        assert reader.look().board == BEGINNER
        window.resize(window_picture(larger))
        wait_until(lambda: reader.look().board == larger)
        was = reader.look()
        assert reader.unchanged([Cell(0, 0), Cell(15, 15)], was) == 2
        window.resize(window_picture(BEGINNER))
        wait_until(lambda: reader.look().board == BEGINNER)
        # A click that was under way when the level was changed was on the larger one.
        assert reader.unchanged([Cell(15, 15)], was) == 0


def test_a_resized_board_is_read_by_the_pictures_of_its_new_size(screen: Screen) -> None:
    """GNOME Mines draws smaller figures in smaller cells, which are not those made smaller."""
    skin = load_skin(BUNDLED / "gnome-mines")
    board = _opened(Board.covered(16, 30, 99), (3, 4))
    # With a margin of their background.
    large, small = (
        cv2.copyMakeBorder(image, *[40] * 4, cv2.BORDER_CONSTANT, value=image[0, 0].tolist())
        for image in (tiled(skin.drawn_at(size), board) for size in (36, 21))
    )
    with PictureWindow(large, (100, 90)) as window:
        reader = Reader(screen, (skin,))
        assert (reader.look().board.tiles == board.tiles).all()
        window.resize(small)
        wait_until(partial(_shows, reader, board))
        assert reader.skin.tile == (21, 21)


def test_other_mines_are_read_off_a_picture_that_stays(
    screen: Screen, skins: tuple[Skin, ...]
) -> None:
    """The user chose more mines for the next game: they are believed at the second look."""
    begun = _opened(Board.covered(16, 16, 40), (3, 4))
    with PictureWindow(field(begun, "flat", 24, HeaderState(40, 40, 17))[0], (100, 90)) as window:
        reader = Reader(screen, skins)
        assert reader.look().board == begun
        fresh = Board.covered(16, 16, 60)
        window.show(field(fresh, "flat", 24, HeaderState(60, 60, 0))[0])
        wait_until(lambda: reader.look().board[3, 4] == COVERED)
        reading = reader.look()
        assert reading.board.mines == reading.mines_left == 60
        assert reading.remarks == reader.look().remarks


@pytest.mark.linux
def test_window_smaller_than_its_board_is_refused(
    screen: Screen, skins: tuple[Skin, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """GNOME Mines cuts its board off, also exactly between two cells: that is no smaller board."""
    # A busy machine takes longer than a program that draws.
    monkeypatch.setattr("vision.tracking.tracked_board._REDRAWN_SECONDS", 600)
    whole, between, amid = (
        cv2.imread(str(DATA / "gnome-mines-small" / f"{name}.png"), cv2.IMREAD_COLOR)
        for name in ("1200x500", "780x700", "770x700")
    )
    with PictureWindow(whole, (20, 30), "Mines", "Gnome-mines") as window:
        reader = Reader(screen, skins)
        before = reader.look().board
        window.resize(between)
        with pytest.raises(BoardCut, match="15 rows and 28 columns"):
            reader.look()
        window.resize(amid)
        with pytest.raises(BoardCut, match="cut off at its right"):
            reader.look()
        # A moment after it took its size its picture may still be the old one.
        window.resize(np.pad(whole, ((0, 60), (0, 0), (0, 0))))
        reader.look()
        window.show(np.pad(between, ((0, 0), (0, 420), (0, 0)))[:560])
        for _ in range(2):
            with pytest.raises(BoardCut, match="15 rows and 28 columns"):
                reader.look()
        window.resize(whole)
        assert reader.look().board == before


def test_board_under_another_window(screen: Screen, skins: tuple[Skin, ...]) -> None:
    """Covered in part: BLOCKED, the tiles under it unread, clicks on it refused; then as before."""
    cover = np.full((80, 90, 3), 250, np.uint8)
    with PictureWindow(window_picture(BEGINNER), (100, 90)):
        reader = Reader(screen, skins)
        grid = reader.look().grid
        at = round(grid.left) + 30, round(grid.top) + 30
        with PictureWindow(cover, at, "A menu", popup=True):
            wait_until(lambda: reader.look().status is Status.BLOCKED)
            reading = reader.look()
            assert reading.board[4, 3] == UNREAD
            assert {why.cause for why in reading.unread.values()} == {Cause.COVERED}
            since = reading.unread[4, 3].since
            wait_until(lambda: reader.look().frame.time > since + 1)
            reading = reader.look()
            assert reading.unread[4, 3].since <= since
            why = reading.why_unread(Cell(4, 3))
            assert re.search(r"Move it aside\. Unread for [1-9]\d* s\.", why)
            assert reading.board[0, 0] == COVERED
            # What is another program's gets into no recording and no error's picture.
            assert not (reading.frame.image == 250).all(axis=2).any()
            assert reader.window is not None
            place = reading.frame.region
            assert place.intersection(reader.window.region) == place
            with pytest.raises(NotInFront, match="A menu"):
                reader.guard([grid.center(Cell(0, 0)), grid.center(Cell(3, 3))])
            reader.guard([grid.center(Cell(0, 0))])
        wait_until(lambda: reader.look().status is Status.PLAYING)
        assert reader.look().board == BEGINNER
        # Nor are columns missed behind a window that ends right where one begins.
        at = round(grid.left + 6 * grid.pitch_x), round(grid.top) - 60
        cover = np.full((400, 200, 3), 192, np.uint8)
        with (
            PictureWindow(cover, at, "Cover"),
            pytest.raises(BoardNotFound, match=r"covers part of|cut off"),
        ):
            Reader(screen, skins).look()


def test_focus_waits_for_the_keyboard(screen: Screen, skins: tuple[Skin, ...]) -> None:
    """After `focus` the window has it, or an error says that it does not get it."""
    stop = threading.Event()
    with PictureWindow(window_picture(BEGINNER), (30, 40), "Game") as game:
        reader = Reader(screen, skins, window="Game")
        reader.look()
        with PictureWindow(np.full((60, 60, 3), 9, np.uint8), (700, 500), "Other"):
            reader.focus(stop.wait)
        game.close()
        with pytest.raises(NotInFront, match="keyboard"):
            reader.focus(stop.wait)
        stop.set()
        with pytest.raises(Stopped):
            reader.focus(stop.wait)
