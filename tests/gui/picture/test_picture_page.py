"""The page that reads a picture: what it takes, shows, asks and saves."""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import QMimeData, QPointF, Qt, QUrl
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from bot.analysis import Limit
from bot.board import COVERED, FLAG, UNREAD, Cell
from bot.game import INTERMEDIATE
from bot.loop import Turn
from bot.solver import solver
from bot.solver.explain import explain
from gui.commands.read import as_json, read_picture
from gui.images import from_qimage, to_qimage
from gui.panel.boardview import Show
from gui.picture.picture_jobs import annotated, turn_of
from tests.gui.panels import drop, drop_files, message
from tests.gui.picture.pages import SCREENS, Opened, read, settled
from tests.gui.strangers import known_screen, middle_game, save, strange_screen
from vision import SUPPORTED
from vision.capture import load_image

pytestmark = pytest.mark.long


def test_a_picture_is_opened(opened: Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """By Ctrl+O: every tile is read, the probabilities, the reason and the best moves are shown."""
    _, page = opened()
    path = save(tmp_path, "game.png", known_screen())
    qtbot.keyClick(page, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    (dialog,) = page.findChildren(QFileDialog)
    dialog.setDirectory(str(tmp_path))
    dialog.selectFile("game.png")
    dialog.filesSelected.emit([str(path)])
    dialog.close()
    assert page.surface.job.isVisible()
    settled(qtbot, page)
    seen, surface = page.seen, page.surface
    assert seen.whole
    assert seen.analysis is not None
    game = middle_game(3, INTERMEDIATE, opened=90)
    assert np.array_equal(seen.reading.board.tiles, game.board.tiles)
    assert seen.reading.board.mines == 40
    assert "16 x 16 cells, skin 'classic', 40 mines, playing" in surface.title.text()
    assert explain(seen.reading.board, seen.analysis).reason[1:] in surface.reason.text()
    assert surface.moves.text().startswith("1. open row")
    assert surface.view.turn is not None
    assert not surface.job.isVisible()
    assert not surface.learn.isVisible()
    # A cell is looked into as in a game.
    surface.view.setFocus()
    qtbot.keyClick(surface.view, Qt.Key.Key_Right)
    assert page.inspector.card.isVisible()
    qtbot.keyClick(surface.view, Qt.Key.Key_Escape)
    assert not page.inspector.card.isVisible()


def test_text_marks_and_first_move_agree(opened: Opened, qtbot: QtBot) -> None:
    """The reason in the text is that of the first move, as on the board and in the terminal."""
    _, page = opened()
    path = SCREENS / "looks-100.png"
    page.read(path)
    settled(qtbot, page)
    printed, differ = read_picture(path, None, "lookahead")[0], False
    for number, seen in enumerate(printed):
        page.surface.boards.list.setCurrentRow(number)
        turn = page.surface.view.turn
        assert turn is not None
        first, board = turn.moves[0].cell, turn.reading.board
        solved = solver("lookahead").solve(board, Limit())
        differ |= solved.best != first
        reason, evidence = explain(board, replace(solved, best=first, reason=None))
        assert reason[1:] in page.surface.reason.text()
        assert explain(board, turn.analysis).evidence == evidence
        fields = json.loads(as_json(seen))
        assert (fields["best"], fields["reason"]) == (list(first), reason)
    assert differ


def test_every_board_can_be_chosen(opened: Opened, qtbot: QtBot) -> None:
    """In the list, and by a click into the whole picture."""
    panel, page = opened()
    panel.resize(1000, 700)
    page.read(SCREENS / "two-games-1280.png")
    settled(qtbot, page)
    boards = page.surface.boards
    assert boards.list.count() == 2
    first = page.surface.title.text()
    boards.list.setCurrentRow(1)
    assert page.surface.title.text() != first
    assert page.seen is not None
    region = page.analysed.boards[0].grid.region
    height, width = page.analysed.frame.image.shape[:2]
    place = boards.overview.place()
    point = QPointF(
        place.left() + region.center.x / width * place.width(),
        region.center.y / height * place.height(),
    )
    qtbot.mouseClick(boards.overview, Qt.MouseButton.LeftButton, pos=point.toPoint())
    assert boards.list.currentRow() == 0
    assert page.surface.title.text() == first


def test_the_mines_are_asked(opened: Opened, qtbot: QtBot) -> None:
    """Where the picture does not tell; Enter answers. The skin may be taught with this picture."""
    _, page = opened()
    read(qtbot, page, strange_screen(6, middle_game(6).board))
    surface = page.surface
    assert surface.mines.isVisible()
    assert "how many mines" in surface.boards.list.item(0).text()
    assert not surface.save.isEnabled()
    surface.mines.setValue(20)
    qtbot.keyClick(surface.mines, Qt.Key.Key_Return)
    settled(qtbot, page)
    assert page.seen.analysis is not None
    assert not surface.mines.isVisible()
    assert "20 mines" in surface.title.text()
    assert "20 mines" in surface.boards.list.item(0).text()
    assert surface.learn.isVisible()
    with qtbot.waitSignal(page.wanted) as wanted:
        surface.learn.click()
    assert wanted.args == ["skins", page.analysed.frame]


def test_a_strange_tile_is_asked(opened: Opened, qtbot: QtBot) -> None:
    """With the form of the game; one that cannot be is asked again; the board is read on."""
    _, page = opened()
    board = middle_game(4).board
    read(qtbot, page, strange_screen(4, board, scribbled=True))
    page.surface.mines.setValue(20)
    page.surface.read.click()
    settled(qtbot, page)
    surface = page.surface
    assert surface.teach.isVisible()
    assert "Leave it open" in surface.teach.leave.text()
    qtbot.keyClick(surface.teach, Qt.Key.Key_0)
    settled(qtbot, page)
    assert surface.teach.isVisible()
    assert "It cannot be 'empty'" in surface.teach.why.text()
    qtbot.mouseClick(surface.teach.buttons[FLAG], Qt.MouseButton.LeftButton)
    settled(qtbot, page)
    assert page.seen.whole
    assert np.array_equal(page.seen.reading.board.tiles, board.tiles)
    assert page.seen.analysis is not None
    assert not surface.teach.isVisible()


def test_a_tile_can_be_left_open(opened: Opened, qtbot: QtBot) -> None:
    """Then the board is shown without probabilities, and the tiles that are not read are named."""
    _, page = opened()
    read(qtbot, page, strange_screen(4, middle_game(4).board, scribbled=True))
    page.set_mines(20)
    settled(qtbot, page)
    page.surface.teach.leave.click()
    seen = page.seen
    assert not page.surface.teach.isVisible()
    assert page.surface.view.isVisible()
    assert "some tiles were not recognised" in page.surface.reason.text()
    unread = list(seen.reading.board.cells(UNREAD))
    assert f"{len(unread)} tiles (~) were not recognised" in page.surface.remarks.text()
    first = unread[0].position_text.capitalize()
    assert first in page.surface.remarks.text()
    assert "It has not been learned yet; it may be 'flag' or 'mine'" in page.surface.remarks.text()


def test_the_annotated_picture_is_saved(opened: Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """By Ctrl+S, as PNG of the screenshot's size, changed on the boards alone; and copied."""
    panel, page = opened()
    screen = known_screen()
    read(qtbot, page, screen)
    qtbot.keyClick(page, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    settled(qtbot, page)
    clipboard = QGuiApplication.clipboard()
    copied = from_qimage(clipboard.image())
    qtbot.keyClick(page, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    (dialog,) = page.findChildren(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "told"))
    dialog.close()
    settled(qtbot, page)
    path = tmp_path / "told.png"
    assert f"saved to {path}" in message(panel)
    painted = load_image(path).image
    assert painted.shape == screen.shape
    region = page.seen.reading.grid.region
    beside = np.ones(screen.shape[:2], bool)
    # A mark's line may reach beyond the outermost cells.
    beside[region.top - 4 : region.bottom + 4, region.left - 4 : region.right + 4] = False
    assert np.array_equal(painted[beside], screen[beside])
    assert (painted != screen).any(axis=2)[~beside].mean() > 0.2
    assert np.array_equal(copied, painted)
    page.save_to(tmp_path / "nowhere" / "told.png")
    settled(qtbot, page)
    assert "told.png cannot be written" in message(panel)


def test_each_layer_is_painted(opened: Opened, qtbot: QtBot) -> None:
    """The frame is left as it is; probabilities cover covered cells, parsed tiles all others."""
    _, page = opened()
    read(qtbot, page, known_screen())
    # The pointer's way may pass over opened cells.
    turn = replace(turn_of(page.seen), moves=())
    frame, reading = page.analysed.frame, turn.reading
    board, evidence = reading.board, explain(reading.board, turn.analysis).evidence
    down, across = reading.grid.row_edges(frame.region), reading.grid.column_edges(frame.region)
    hints = [cell for cell in board.cells(*range(1, 9)) if cell not in evidence.hints]
    confidence = reading.confidence.copy()
    confidence[hints[0]] = 0.3
    doubted = replace(turn, reading=replace(reading, confidence=confidence))

    def changed(cell: Cell, turn: Turn, show: Show) -> bool:
        image = from_qimage(annotated(frame, [turn], show, "flat"))
        rows = slice(down[cell.row], down[cell.row + 1])
        cols = slice(across[cell.col], across[cell.col + 1])
        return bool((image[rows, cols] != frame.image[rows, cols]).any())

    for show in Show:
        page.surface.layers.buttons[show].click()
        assert page.surface.view.layers is show
        assert changed(hints[1], turn, show) == (show is Show.PARSED)
        assert changed(next(board.cells(COVERED)), turn, show) == (show is not Show.FRAME)
        assert changed(hints[0], doubted, show) == (show is not Show.FRAME)


def test_tab_goes_from_the_buttons_to_the_board(opened: Opened, qtbot: QtBot) -> None:
    """In the order that is seen, and every part has a name."""
    panel, page = opened()
    read(qtbot, page, known_screen())
    surface = page.surface
    order = [surface.open, surface.paste, surface.save, surface.copy, surface.boards.list]
    # Of buttons that exclude each other Tab goes to one; arrows go to the others.
    order += [surface.view, surface.edit, surface.layers.buttons[Show.FRAME]]
    order[0].setFocus()
    for before, after in pairwise(order):
        assert before.accessibleName()
        qtbot.keyClick(before, Qt.Key.Key_Tab)
        assert panel.focusWidget() is after


def bomb() -> bytes:
    """A PNG of a few bytes that would be 10 gigapixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", 100_000, 100_000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


def test_it_is_pasted(opened: Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """Pixels or a file; with neither it says what to do."""
    panel, page = opened()
    clipboard = QGuiApplication.clipboard()
    clipboard.setText("no picture")
    qtbot.keyClick(page, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert "no picture in the clipboard" in message(panel)
    clipboard.setImage(to_qimage(known_screen()))
    qtbot.keyClick(page, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    settled(qtbot, page)
    assert page.seen is not None
    assert page.analysed.name == "the pasted picture"
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(save(tmp_path, "copied.png", known_screen(5))))])
    clipboard.setMimeData(data)
    page.surface.paste.click()
    settled(qtbot, page)
    assert page.analysed.name == "copied.png"


def test_it_is_dropped(opened: Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """A file, the first of several, or pixels; nothing from elsewhere."""
    panel, page = opened()
    words = QMimeData()
    words.setText("words")
    assert not drop(page, words)
    remote = QMimeData()
    remote.setUrls([QUrl("https://example.org/game.png")])
    assert drop(page, remote)
    assert "Only picture files on this computer" in message(panel)
    names = [save(tmp_path, name, known_screen()) for name in ("one.png", "two.png")]
    assert drop_files(page, *names)
    assert "Only one picture can be analysed at a time: one.png was opened" in message(panel)
    settled(qtbot, page)
    assert page.analysed.name == "one.png"
    pixels = QMimeData()
    pixels.setImageData(to_qimage(known_screen()))
    assert drop(page, pixels)
    settled(qtbot, page)
    assert page.analysed.name == "the pasted picture"


def test_a_file_that_cannot_be_used_is_told(opened: Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """In words, by name; what was shown before stays."""
    panel, page = opened()
    for name, contents, said in (
        ("empty.png", b"", "'empty.png' is empty"),
        ("words.png", b"no picture", "'words.png' is not a PNG, JPEG or BMP picture"),
        ("half.png", b"\x89PNG\r\n\x1a\n", "'half.png' is incomplete"),
        ("bomb.png", bomb(), "more than 64 megapixels are not opened"),
        ("missing.png", None, "'missing.png' is not a file"),
    ):
        path = tmp_path / name
        if contents is not None:
            path.write_bytes(contents)
        page.read(path)
        settled(qtbot, page)
        assert said in message(panel)
        assert panel.surface.banner.property("message") == "alarm"
        assert page.analysed is None


def test_an_error_goes_with_its_picture(opened: Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """The next picture is read: what was wrong with the last one is not told of it."""
    panel, page = opened()
    page.read(tmp_path / "nowhere.png")
    settled(qtbot, page)
    assert "nowhere.png" in message(panel)
    read(qtbot, page, known_screen())
    assert page.analysed is not None
    assert message(panel) == ""


def test_a_picture_without_a_board_is_told(opened: Opened, qtbot: QtBot) -> None:
    """By its name; nothing is saved, and the page waits for another one."""
    panel, page = opened()
    read(qtbot, page, np.full((300, 400, 3), 90, np.uint8))
    none = "The pasted picture: no Minesweeper board found in this picture."
    dark = "a dark or blurred picture may not be"
    assert message(panel) == f"{none} {SUPPORTED}; {dark}."
    assert not page.surface.save.isEnabled()


def test_reading_can_be_cancelled(opened: Opened, qtbot: QtBot) -> None:
    """At once: the page is as it was, and reads the next picture."""
    _, page = opened()
    page.read(SCREENS / "three-games-1920.png")
    page.surface.job.cancel.click()
    assert not page.surface.job.isVisible()
    assert page.analysed is None
    read(qtbot, page, known_screen())
    assert page.analysed is not None


def test_the_last_picture_wins(opened: Opened, qtbot: QtBot) -> None:
    """A picture that is given while another is read takes its place."""
    _, page = opened()
    page.read(SCREENS / "three-games-1920.png")
    page.read(known_screen())
    settled(qtbot, page)
    assert len(page.analysed.boards) == 1


def test_another_page_can_send_a_file(opened: Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """Opened with a picture, the page reads it; opened without, it shows what it showed."""
    panel, page = opened()
    panel.shell.open("picture", save(tmp_path, "sent.png", known_screen()))
    settled(qtbot, page)
    assert page.analysed.name == "sent.png"
    panel.shell.open("picture")
    assert not page.context.jobs.running
