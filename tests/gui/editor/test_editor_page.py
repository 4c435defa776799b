"""The page that edits a position: mouse, keys, the analysis, and saved positions."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QSize, Qt
from PyQt6.QtGui import QGuiApplication, QImage, QRegion
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QFileDialog, QInputDialog, QWidget
from pytestqt.qtbot import QtBot

from bot.board import COVERED, FLAG, Board, Cell
from bot.game import BEGINNER
from bot.solver.exact import solve
from bot.solver.warmup import PREPARATION
from gui.editor.editor_page import EditorPage
from gui.editor.positions import load
from gui.panel import Panel
from gui.runner.protocol import State
from tests.gui.fitting import overlapping
from tests.gui.panels import PATIENCE, Shown, message, playing
from tests.gui.simulated import point_at
from tests.gui.tabletop import Tabletop

POSITIONS = Path(__file__).parents[2] / "positions" / "positions.jsonl"
BOARD = Board.parse("1221/####/####", 4)
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def opened(
    shown: Shown, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Panel, EditorPage]:
    """The page with an analysed position, in a panel."""
    PREPARATION.wait()
    monkeypatch.setenv("MINESWEEPER_BOT_HOME", str(tmp_path))
    panel = shown(Tabletop())
    panel.shell.open("editor", BOARD)
    page = panel.shell.page("editor")
    assert isinstance(page, EditorPage)
    settled(qtbot, page)
    return panel, page


def settled(qtbot: QtBot, page: EditorPage) -> None:
    """Wait until the position is analysed, and its line is known."""
    qtbot.waitUntil(lambda: page.position is not None and not page.analysing, timeout=PATIENCE)


def middle(page: EditorPage, cell: tuple[int, int]) -> QPoint:
    """The middle of a cell in the board view."""
    place = page.surface.view.place()
    assert place is not None
    return place.cell(Cell(*cell)).center().toPoint()


def painted(page: EditorPage, cell: Cell) -> QImage:
    """Return the picture of a cell, without what lies over the board."""
    view = page.surface.view
    place = view.place()
    assert place is not None
    image = QImage(view.size(), QImage.Format.Format_RGB32)
    image.fill(0)
    view.render(image, QPoint(), QRegion(), QWidget.RenderFlag.DrawWindowBackground)
    return image.copy(place.cell(cell).toRect())


def press_save(page: EditorPage, name: str) -> None:
    """Press Save, and enter a name."""
    page.surface.save.click()
    (dialog,) = page.findChildren(QInputDialog)
    dialog.textValueSelected.emit(name)
    dialog.close()
    dialog.setParent(None)


def test_nothing_overlaps_in_a_small_window(opened: tuple[Panel, EditorPage], qtbot: QtBot) -> None:
    """A window of 700 x 420 points, and a narrow one: the page scrolls."""
    panel, page = opened
    for size in (QSize(700, 420), QSize(500, 420)):
        panel.resize(size)
        qtbot.waitUntil(lambda size=size: panel.size() == size and not overlapping(page))


def test_the_probabilities_are_exact(opened: tuple[Panel, EditorPage]) -> None:
    """They are those of the exact solver; the best move and what may follow are named."""
    _, page = opened
    turn = page.surface.view.turn
    assert turn is not None
    assert turn.analysis is not None
    exact = solve(BOARD).mine_probability
    assert np.allclose(turn.analysis.mine_probability, exact, equal_nan=True)
    assert page.surface.reason.text().startswith("Row 2, column 1: safe")
    assert page.surface.line.text().startswith("Best line: 1. row 2, column 1 (safe)")


def test_a_stroke_paints_and_is_undone_at_once(
    opened: tuple[Panel, EditorPage], qtbot: QtBot
) -> None:
    """A drag paints every cell on its way; one Undo takes it back, and the right button flags."""
    _, page = opened
    view = page.surface.view
    page.surface.palette_buttons[FLAG].click()
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(view, left, pos=middle(page, (2, 0)))
    point_at(view, middle(page, (2, 3)))
    QTest.mouseRelease(view, left, pos=middle(page, (2, 3)))
    assert page.board.rows_text() == "1221\n####\nFFFF"
    QTest.mouseClick(view, Qt.MouseButton.RightButton, pos=middle(page, (0, 1)))
    assert page.board.rows_text() == "1F21\n####\nFFFF"
    page.surface.undo.click()
    page.surface.undo.click()
    assert page.board == BOARD
    qtbot.keyClick(view, Qt.Key.Key_Y, CONTROL)
    assert page.board.rows_text() == "1221\n####\nFFFF"


def test_the_first_tool_counts_up(opened: tuple[Panel, EditorPage]) -> None:
    """Left clicks step a covered cell through its numbers; right clicks set and remove a flag."""
    _, page = opened
    view = page.surface.view
    seen = []
    for _ in range(10):
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=middle(page, (2, 0)))
        seen.append(page.board.rows_text().splitlines()[2][0])
    assert "".join(seen) == "12345678.#"
    for expected in ("F###", "####"):
        QTest.mouseClick(view, Qt.MouseButton.RightButton, pos=middle(page, (2, 0)))
        assert page.board.rows_text().splitlines()[2] == expected


def test_tiles_are_typed(opened: tuple[Panel, EditorPage], qtbot: QtBot) -> None:
    """The arrow keys choose a cell, and a digit, F or Space sets it."""
    panel, page = opened
    view = page.surface.view
    view.setFocus()
    qtbot.keyClicks(view, "3")
    assert "Choose a cell first" in message(panel)
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert page.inspector.pointing.cell == (1, 0)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    qtbot.keyClicks(view, "3")
    qtbot.keyClick(view, Qt.Key.Key_Right)
    qtbot.keyClicks(view, "f")
    assert page.board.rows_text() == "1221\n####\n3F##"
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert page.board[2, 1] == COVERED


def test_a_contradiction_names_its_hints(opened: tuple[Panel, EditorPage], qtbot: QtBot) -> None:
    """It says which hints contradict; the next change is analysed again."""
    _, page = opened
    page.set_tiles({Cell(0, 0): 0}, "Type")
    settled(qtbot, page)
    assert page.position is not None
    assert page.position.hints
    assert page.surface.reason.text().startswith("Impossible board: ")
    assert "row 1, column 1" in page.surface.reason.text()
    page.surface.undo.click()
    settled(qtbot, page)
    assert page.surface.reason.text().startswith("Row 2, column 1: safe")


def test_contradicting_hints_stay_marked(opened: tuple[Panel, EditorPage], qtbot: QtBot) -> None:
    """Also while a cell is inspected, and until the position is possible again."""
    _, page = opened
    view = page.surface.view
    possible = painted(page, Cell(0, 3))
    page.set_tiles({Cell(0, 3): 8}, "Type")
    settled(qtbot, page)
    assert page.position is not None
    assert Cell(0, 3) in page.position.hints
    marked = painted(page, Cell(0, 3))
    view.setFocus()
    for _ in range(2):
        qtbot.keyClick(view, Qt.Key.Key_Down)
        assert page.inspector.pointing.cell is not None
        assert painted(page, Cell(0, 3)) == marked
    page.set_tiles({Cell(2, 3): FLAG}, "Type")
    assert page.position is None
    assert painted(page, Cell(0, 3)) == marked
    settled(qtbot, page)
    page.set_tiles({Cell(0, 3): 1}, "Type")
    assert painted(page, Cell(0, 3)) != marked
    settled(qtbot, page)
    assert painted(page, Cell(0, 3)) == possible


def test_an_impossible_position_is_not_saved(
    opened: tuple[Panel, EditorPage], tmp_path: Path, qtbot: QtBot
) -> None:
    """It is said before a name is asked, and not as a fault of the program."""
    panel, page = opened
    page.set_tiles({Cell(0, 0): 0}, "Type")
    settled(qtbot, page)
    qtbot.keyClick(page, Qt.Key.Key_S, CONTROL)
    assert not page.findChildren(QInputDialog)
    assert message(panel).startswith("This position cannot be saved. Impossible board: ")
    assert not panel.surface.banner.copy.isVisible()
    assert not (tmp_path / "positions.jsonl").exists()
    page.surface.undo.click()
    settled(qtbot, page)
    assert not message(panel)
    press_save(page, "possible")
    qtbot.waitUntil(lambda: "Saved to" in message(panel), timeout=PATIENCE)
    assert message(panel).endswith("as 'possible'")


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_what_if_opens_a_cell(opened: tuple[Panel, EditorPage], qtbot: QtBot) -> None:
    """The possible hints of the cell are offered with their probabilities; one is chosen."""
    panel, page = opened
    page.surface.palette_buttons[None].click()
    view = page.surface.view
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=middle(page, (1, 0)))
    qtbot.waitUntil(page.menu.isVisible, timeout=PATIENCE)
    texts = [action.text() for action in page.menu.actions()]
    # Both mines of the second row are known; of the third row's, one of its first two cells.
    assert all("%, then " in text and "to win" in text for text in texts)
    page.menu.actions()[0].trigger()
    page.menu.close()
    assert page.board[1, 0] == int(texts[0][1])
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=middle(page, (0, 0)))
    assert "Only a covered cell" in message(panel)


def test_a_position_is_copied_and_pasted(opened: tuple[Panel, EditorPage]) -> None:
    """As the text form of a board; other text is refused with the reason."""
    panel, page = opened
    clipboard = QGuiApplication.clipboard()
    assert clipboard is not None
    page.surface.copy.click()
    assert Board.parse(clipboard.text()) == BOARD
    clipboard.setText("#1\n##\nmines: 1")
    page.surface.paste.click()
    assert page.board == Board.parse("#1/##", 1)
    clipboard.setText("#1\n#")
    page.surface.paste.click()
    assert "row 2 has 1 tiles, row 1 has 2" in message(panel)
    assert page.board == Board.parse("#1/##", 1)


def test_the_size_and_the_mines_are_changed(opened: tuple[Panel, EditorPage]) -> None:
    """Tiles that lie on both boards stay; a new board of a level is covered."""
    _, page = opened
    page.surface.cols.setValue(3)
    page.surface.rows.setValue(4)
    page.surface.mines.setValue(2)
    assert page.board == Board.parse("122/###/###/###", 2)
    page.new("expert")
    assert page.board == Board.covered(16, 30, 99)


def choose(page: EditorPage, qtbot: QtBot, name: str, *, opens: bool = True) -> None:
    """Choose one of the positions, after a press on Open unless they are offered already."""
    if opens:
        page.surface.open.click()
    qtbot.waitUntil(lambda: bool(page.findChildren(QInputDialog)), timeout=PATIENCE)
    (dialog,) = page.findChildren(QInputDialog)
    dialog.setTextValue(name)
    dialog.accept()
    qtbot.waitUntil(lambda: not page.findChildren(QInputDialog), timeout=PATIENCE)


def test_a_saved_position_is_a_test_position(
    opened: tuple[Panel, EditorPage], qtbot: QtBot, tmp_path: Path
) -> None:
    """Its line has the fields of the solver's test positions, and is opened by its name."""
    panel, page = opened
    press_save(page, "first")
    qtbot.waitUntil(lambda: "Saved to" in message(panel), timeout=PATIENCE)
    line = json.loads((tmp_path / "positions.jsonl").read_text("utf-8"))
    known = json.loads(POSITIONS.read_text("utf-8").splitlines()[0])
    assert list(line) == list(known)
    assert line["board"] == ["1221", "####", "####"]
    exact = solve(BOARD)
    assert np.allclose(line["mine_probability"], exact.mine_probability[BOARD.unopened])
    page.new("beginner")
    choose(page, qtbot, "first")
    assert page.board == BOARD
    # Positions of another file, although some are saved.
    choose(page, qtbot, "Another file …")
    (files,) = page.findChildren(QFileDialog)
    files.filesSelected.emit([str(POSITIONS)])
    files.close()
    positions = load(POSITIONS)
    assert len(positions) == len(POSITIONS.read_text("utf-8").splitlines())
    name, board = next(iter(positions.items()))
    choose(page, qtbot, name, opens=False)
    assert page.board == board


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nothing", "line 1 of some.jsonl is no position"),
        ('{"id": "a", "mines": 1, "board": ["#", "##"]}', "row 2 has 2 tiles"),
        ('{"id": "a", "mines": 9, "board": ["##"]}', "9 mines do not fit on 2 x 1 cells"),
    ],
)
def test_a_broken_file_of_positions_is_refused(tmp_path: Path, text: str, why: str) -> None:
    """With the line and the reason."""
    path = tmp_path / "some.jsonl"
    path.write_text(text)
    with pytest.raises(ValueError, match=why):
        load(path)


def test_a_running_game_is_taken_over(shown: Shown, qtbot: QtBot) -> None:
    """Edit beside the board opens the shown position; the previous one is an Undo away."""
    panel = shown(Tabletop(BEGINNER))
    assert not panel.surface.edit.isEnabled()
    panel.surface.controls.play.click()
    playing(qtbot, panel)
    panel.pause_or_resume()
    qtbot.waitUntil(lambda: panel.run.state is State.PAUSED, timeout=PATIENCE)
    panel.surface.edit.click()
    page = panel.shell.page("editor")
    assert isinstance(page, EditorPage)
    turn = panel.surface.view.turn
    assert turn is not None
    assert page.board == turn.reading.board
    page.surface.undo.click()
    assert page.board == Board.covered(9, 9, 10)
    panel.stop()
