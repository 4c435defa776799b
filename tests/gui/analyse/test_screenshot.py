"""The page Analyse with a screenshot: what it takes, shows, asks, corrects and saves."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import QMimeData, QPointF, Qt, QUrl
from PyQt6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from bot.analysis import Limit
from bot.board import COVERED, FLAG, QUESTION, UNREAD
from bot.frame import Region
from bot.game import BEGINNER, INTERMEDIATE, Level
from bot.solver import solver
from bot.solver.explain import explain
from gui.analyse.analyse_page import AnalysePage
from gui.analyse.positions import load, saved_positions_file
from gui.analyse.positions import save as save_position
from gui.commands.read import as_json, read_picture
from gui.images import from_qimage, to_qimage
from gui.panel.boardview import Show
from gui.panel.program_question import ProgramPage
from tests.gui.analyse import pages
from tests.gui.panels import PATIENCE, drop, drop_files, message, silent
from tests.gui.simulated import point_at
from tests.gui.strangers import known_screen, middle_game, save, strange_screen
from vision import SUPPORTED
from vision.capture import load_image

pytestmark = pytest.mark.long
RIGHT = Qt.MouseButton.RightButton


def test_from_a_screenshot_to_a_saved_position(
    opened: pages.Opened, qtbot: QtBot, tmp_path: Path
) -> None:
    """With mouse and keys: open, enter the mines, say what a tile is, correct one, save."""
    panel, page = opened
    board, surface = middle_game(4).board, page.surface
    path = save(tmp_path, "strange.png", strange_screen(4, board, scribbled=True))
    qtbot.keyClick(page, Qt.Key.Key_O, pages.CONTROL)
    pages.answer(qtbot, page, str(path))
    assert surface.job.isVisible()
    pages.settled(qtbot, page)
    assert not surface.job.isVisible()
    assert surface.reason.text() == "Enter the number of mines."
    assert panel.focusWidget() is surface.mines
    # A tile that was not read is marked, says why, and is corrected by a click.
    page.copy_picture()
    pages.settled(qtbot, page)
    copied = from_qimage(QGuiApplication.clipboard().image())
    assert (copied != page.scene.frame.image).any()
    first, second, third = page.board.cells(UNREAD)
    assert board[first] == board[second] == board[third] == FLAG
    point_at(surface.view, pages.middle(page, first))
    assert page.inspector.card.isVisible()
    assert "It is like no picture that was learned" in page.inspector.card.hints.text()
    assert page.inspector.card.hints.text() in surface.view.accessibleDescription()
    assert surface.picture.tile.isVisible()
    pages.click(page, first, RIGHT)
    assert page.board[first] == FLAG
    # The number of mines leads to the question what the others are.
    surface.mines.selectAll()
    qtbot.keyClicks(surface.mines, "20")
    qtbot.keyClick(surface.mines, Qt.Key.Key_Return)
    qtbot.waitUntil(surface.teach.isVisible, timeout=PATIENCE)
    assert not surface.view.isVisible()
    qtbot.keyClick(surface.teach, Qt.Key.Key_0)
    qtbot.waitUntil(lambda: "It cannot be 'empty'" in surface.teach.why.text(), timeout=PATIENCE)
    surface.teach.leave.click()
    pages.settled(qtbot, page)
    assert surface.view.isVisible()
    assert surface.view.hasFocus()
    assert "Some tiles were not recognised" in surface.reason.text()
    assert "2 tiles (~) were not recognised" in surface.remarks.text()
    assert "it may be 'mine' or 'flag'" in surface.remarks.text()
    pages.click(page, second, RIGHT)
    pages.click(page, third, RIGHT)
    pages.settled(qtbot, page)
    assert np.array_equal(page.board.tiles, board.tiles)
    assert surface.view.turn.analysis is not None
    assert "20 mines, playing" in surface.title.text()
    # Undo takes back one correction after the other.
    qtbot.keyClick(page, Qt.Key.Key_Z, pages.CONTROL)
    assert page.board[third] == UNREAD
    qtbot.keyClick(page, Qt.Key.Key_Y, pages.CONTROL)
    pages.settled(qtbot, page)
    qtbot.keyClick(page, Qt.Key.Key_S, pages.CONTROL)
    pages.answer(qtbot, page, "from a screenshot")
    qtbot.waitUntil(lambda: "as 'from a screenshot'" in message(panel), timeout=PATIENCE)
    with qtbot.waitSignal(page.wanted) as wanted:
        surface.learn.trigger()
    assert wanted.args == ["skins", page.scene.frame]


def test_an_answer_holds_for_all_tiles_alike(opened: pages.Opened, qtbot: QtBot) -> None:
    """And is undone; a correction made meanwhile stays."""
    _, page = opened
    board, teach = middle_game(4).board, page.surface.teach
    hint = next(board.cells(1))
    pages.read(qtbot, page, strange_screen(4, board, scribbled=True))
    page.surface.mines.setValue(20)
    page.set_tiles({hint: 2}, "Type")
    qtbot.waitUntil(teach.isVisible, timeout=PATIENCE)
    teach.buttons[FLAG].click()
    pages.settled(qtbot, page)
    assert not teach.isVisible()
    assert page.board[hint] == 2
    page.set_tiles({hint: 1}, "Type")
    assert np.array_equal(page.board.tiles, board.tiles)
    for _ in range(2):
        page.surface.undo.click()
    assert UNREAD in page.board.tiles
    # The question is asked again, and can be answered otherwise.
    qtbot.waitUntil(teach.isVisible, timeout=PATIENCE)
    teach.buttons[QUESTION].click()
    pages.settled(qtbot, page)
    assert QUESTION in page.board.tiles


def test_a_known_skin_is_read_at_once(opened: pages.Opened, qtbot: QtBot) -> None:
    """Every tile is read; another picture replaces it, and Undo keeps the position alone."""
    _, page = opened
    surface = page.surface
    pages.read(qtbot, page, known_screen())
    game = middle_game(3, INTERMEDIATE, opened=90)
    assert np.array_equal(page.board.tiles, game.board.tiles)
    assert page.board.mines == 40
    assert "16 x 16 cells, skin 'classic', 40 mines, playing" in surface.title.text()
    analysis = surface.view.turn.analysis
    assert explain(page.board, analysis).reason[1:] in surface.reason.text()
    assert surface.moves.text().startswith("1. open row")
    assert surface.moves.text().endswith("more")
    assert not surface.learn.isVisible()
    assert surface.picture.overview.isVisible()
    before = page.board
    page.read(known_screen(5))
    pages.settled(qtbot, page)
    assert page.board != before
    surface.undo.click()
    assert page.board == before
    assert page.scene.frame is None
    assert not surface.picture.isVisible()
    surface.redo.click()
    assert page.scene.frame is not None
    surface.cols.setValue(5)
    assert page.scene.frame is None


def test_an_assumed_number_of_mines_proves_nothing(opened: pages.Opened, qtbot: QtBot) -> None:
    """The size alone tells it, and is wrong; saved it is still assumed, typed it is not."""
    _, page = opened
    game = middle_game(2, Level("small", 9, 9, 11), opened=50, flags=0)
    pages.read(qtbot, page, strange_screen(4, game.board))
    assert str(page.board).endswith("mines: 10, assumed")
    safe = page.surface.view.turn.analysis.safe
    assert safe
    assert not any(game.layout[cell] for cell in safe)
    save_position(page.board, "assumed", silent())
    assert load(saved_positions_file(), silent()) == {"assumed": page.board}
    saved = json.loads(saved_positions_file().read_text("utf-8"))
    assert (saved["solutions"], saved["mine_probability"]) == (None, None)
    page.surface.mines.setValue(12)
    page.surface.mines.setValue(10)
    pages.settled(qtbot, page)
    assert any(game.layout[cell] for cell in page.surface.view.turn.analysis.safe)


def test_every_board_can_be_chosen(opened: pages.Opened, qtbot: QtBot) -> None:
    """In the list, or by a click into the picture; corrections of each are kept."""
    panel, page = opened
    panel.resize(1000, 700)
    small, large = known_screen(3, BEGINNER, opened=40), known_screen()
    below = len(large) - len(small)
    beside = np.pad(small, ((0, below), (0, 0), (0, 0)), constant_values=90)
    pages.read(qtbot, page, np.hstack([beside, large]))
    boards = page.surface.picture
    assert boards.list.count() == 2
    first = page.surface.title.text()
    pages.click(page, (0, 0), RIGHT)
    corrected = page.board
    boards.list.setCurrentRow(1)
    assert page.surface.title.text() != first
    region = page.scene.items[0].source.grid.region
    height, width = page.scene.frame.image.shape[:2]
    place = boards.overview.place()
    point = QPointF(
        place.left() + region.center.x / width * place.width(),
        region.center.y / height * place.height(),
    )
    qtbot.mouseClick(boards.overview, Qt.MouseButton.LeftButton, pos=point.toPoint())
    assert boards.list.currentRow() == 0
    assert page.board == corrected
    # In a narrow window the list alone is above the board.
    panel.resize(500, 500)
    qtbot.waitUntil(lambda: not boards.overview.isVisible())
    assert boards.list.isVisible()


def test_text_marks_and_first_move_agree(
    opened: pages.Opened, qtbot: QtBot, tmp_path: Path
) -> None:
    """The reason in the text is that of the first move, as on the board and in the terminal."""
    _, page = opened
    differ = False
    for seed in (1, 2):
        path = save(tmp_path, f"{seed}.png", known_screen(seed))
        pages.read(qtbot, page, path)
        (seen,) = read_picture(path, None, "lookahead")[0]
        turn = page.surface.view.turn
        first, board = turn.moves[0].cell, turn.reading.board
        solved = solver("lookahead").solve(board, Limit())
        differ |= solved.best != first
        reason, evidence = explain(board, replace(solved, best=first, reason=None))
        assert reason[1:] in page.surface.reason.text()
        assert explain(board, turn.analysis).evidence == evidence
        fields = json.loads(as_json(seen))
        assert (fields["best"], fields["reason"]) == (list(first), reason)
    assert differ


def test_the_annotated_picture_is_copied_and_saved(
    opened: pages.Opened, qtbot: QtBot, tmp_path: Path
) -> None:
    """It is the screenshot, changed on the boards alone, with the layers that are chosen."""
    panel, page = opened
    screen = known_screen()
    pages.read(qtbot, page, screen)
    corrected = next(page.board.cells(3))
    page.set_tiles({corrected: COVERED}, "Type")
    pages.settled(qtbot, page)
    grid, frame = page.scene.item.source.grid, page.scene.frame
    down, across = grid.row_edges(frame.region), grid.column_edges(frame.region)
    beside = np.ones(screen.shape[:2], bool)
    # A mark's line may reach beyond the outermost cells.
    beside[down[0] - 4 : down[-1] + 4, across[0] - 4 : across[-1] + 4] = False
    (top, bottom), (left, right) = down[corrected.row :][:2], across[corrected.col :][:2]
    cell = np.s_[top:bottom, left:right]
    for show in Show:
        page.surface.layers.buttons[show].click()
        qtbot.keyClick(page, Qt.Key.Key_I, pages.CONTROL)
        pages.settled(qtbot, page)
        copied = from_qimage(QGuiApplication.clipboard().image())
        assert np.array_equal(copied[beside], screen[beside])
        assert (copied[cell] != screen[cell]).any() == (show is not Show.FRAME)
    qtbot.keyClick(page, Qt.Key.Key_E, pages.CONTROL)
    pages.answer(qtbot, page, str(tmp_path / "saved"))
    pages.settled(qtbot, page)
    path = tmp_path / "saved.png"
    assert f"saved to {path}" in message(panel)
    assert np.array_equal(load_image(path).image, copied)
    page.save_to(tmp_path / "nowhere" / "saved.png")
    pages.settled(qtbot, page)
    assert "saved.png cannot be written" in message(panel)


def test_it_is_pasted_or_dropped(opened: pages.Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """Pixels, or the first of several files; with neither it says what to do."""
    panel, page = opened
    clipboard = QGuiApplication.clipboard()
    # Reading can be cancelled; the picture that is given last is shown.
    page.read(pages.SCREENS / "three-games-1920.png")
    page.surface.job.cancel.click()
    assert not page.surface.job.isVisible()
    assert page.scene.frame is None
    page.read(pages.SCREENS / "three-games-1920.png")
    pages.read(qtbot, page, known_screen())
    assert len(page.scene.items) == 1
    clipboard.setText("no picture")
    qtbot.keyClick(page, Qt.Key.Key_V, pages.CONTROL)
    assert "no picture and no position" in message(panel)
    words, remote, pixels = QMimeData(), QMimeData(), QMimeData()
    words.setText("words")
    assert not drop(page, words)
    remote.setUrls([QUrl("https://example.org/game.png")])
    assert drop(page, remote)
    assert "Only files on this computer" in message(panel)
    names = [save(tmp_path, name, known_screen()) for name in ("one.png", "two.png")]
    assert drop_files(page, *names)
    assert "Only one file can be analysed at a time: one.png was opened" in message(panel)
    pages.settled(qtbot, page)
    assert page.scene.name == "one.png"
    pixels.setImageData(to_qimage(known_screen()))
    clipboard.setMimeData(pixels)
    qtbot.keyClick(page, Qt.Key.Key_V, pages.CONTROL)
    pages.settled(qtbot, page)
    assert page.scene.name == "the pasted picture"


def test_unusable_file_is_reported(opened: pages.Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """In words, by name; what was shown before stays; the next picture clears the message."""
    panel, page = opened
    before = page.scene
    for name, contents, said in (
        ("empty.png", "", "'empty.png' is empty"),
        ("words.png", "no picture", "'words.png' is not a PNG, JPEG or BMP picture"),
        ("missing.png", None, "'missing.png' is not a file"),
        ("some.jsonl", None, "cannot be read: "),
        ("some.jsonl", "nothing", "Line 1 of some.jsonl is no position."),
        ("some.jsonl", '{"id": "a", "mines": 1, "board": ["#", "##"]}', "row 2 has 2 tiles"),
        ("some.jsonl", '{"id": "a", "mines": 9, "board": ["##"]}', "9 mines do not fit on 2 x 1"),
        ("some.jsonl", "", "some.jsonl holds no positions."),
    ):
        if contents is not None:
            (tmp_path / name).write_text(contents)
        page.open(tmp_path / name)
        pages.settled(qtbot, page)
        assert said in message(panel)
        assert panel.surface.banner.property("message") == "alarm"
        assert page.scene is before
    pages.read(qtbot, page, np.full((300, 400, 3), 90, np.uint8))
    question_about(qtbot, page).leave.click()
    none = "The pasted picture: no Minesweeper board found in this picture."
    assert message(panel) == f"{none} {SUPPORTED}; a dark or blurred picture may not be."
    pages.read(qtbot, page, known_screen())
    assert message(panel) == ""


def question_about(qtbot: QtBot, page: AnalysePage) -> ProgramPage:
    """Return the question in the dialog that opens."""
    qtbot.waitUntil(lambda: bool(page.findChildren(ProgramPage)))
    (question,) = page.findChildren(ProgramPage)
    return question


def test_a_board_that_is_not_recognised_is_marked(opened: pages.Opened, qtbot: QtBot) -> None:
    """Asked for in a dialog, again if no board can be there; then it is read."""
    _, page = opened
    image = np.full((320, 400, 3), 220, np.uint8)
    image[80:296, 30:246] = 140, 112, 86
    pages.read(qtbot, page, image)
    question = question_about(qtbot, page)
    assert question.picture.board == Region(30, 80, 216, 216)
    question.cells.cols.setValue(30)
    question.use_board.click()
    qtbot.waitUntil(lambda: page.findChildren(ProgramPage) not in ([], [question]))
    again = question_about(qtbot, page)
    assert "This cannot be a board: its cells would have 7x24 pixels" in again.why.text()
    assert again.cells.values == (30, 9)
    again.cells.cols.setValue(9)
    again.use_board.click()
    qtbot.waitUntil(lambda: page.scene.frame is not None)
    pages.settled(qtbot, page)
    assert (page.board.tiles == COVERED).all()
    assert page.board.tiles.shape == (9, 9)
