"""The page Analyse without a screenshot: mouse, keys, the analysis, and saved positions."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QGuiApplication, QImage, QRegion
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QDialog, QWidget
from pytestqt.qtbot import QtBot

from bot.board import COVERED, FLAG, Board, Cell
from bot.game import BEGINNER
from bot.solver.exact import solve
from gui.analyse.analyse_page import AnalysePage
from gui.analyse.positions import load
from gui.panel.boardview import Show
from gui.runner.protocol import State
from tests.gui.analyse import pages
from tests.gui.panels import PATIENCE, Shown, message, playing, silent
from tests.gui.simulated import point_at
from tests.gui.tabletop import Tabletop

POSITIONS = Path(__file__).parents[2] / "positions" / "positions.jsonl"
BOARD = Board.parse("1221/####/####", 4)
LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


@pytest.fixture
def opened(opened: pages.Opened, qtbot: QtBot) -> pages.Opened:
    """The page with an analysed position."""
    pages.show(qtbot, opened[1], BOARD)
    return opened


def painted(page: AnalysePage, cell: Cell) -> QImage:
    """Return the picture of a cell, without what lies over the board."""
    view = page.surface.view
    image = QImage(view.size(), QImage.Format.Format_RGB32)
    image.fill(0)
    view.render(image, QPoint(), QRegion(), QWidget.RenderFlag.DrawWindowBackground)
    return image.copy(view.place().cell(cell).toRect())


def test_the_probabilities_are_exact(opened: pages.Opened, qtbot: QtBot) -> None:
    """They are those of the exact solver; the best move and what may follow are named."""
    _, page = opened
    turn, surface = page.surface.view.turn, page.surface
    exact = solve(BOARD).mine_probability
    assert np.allclose(turn.analysis.mine_probability, exact, equal_nan=True)
    assert surface.title.text() == "4 x 3 cells, 4 mines. 8 cells are covered."
    assert surface.reason.text().startswith("Row 2, column 1: safe")
    assert surface.moves.text().startswith("1. open row 2, column 1: safe")
    assert surface.line.text().startswith("Best line: 1. row 2, column 1 (safe)")
    # There is no picture of it.
    assert surface.view.layers is Show.PARSED
    assert surface.layers.isHidden()
    qtbot.keyClick(page, Qt.Key.Key_E, pages.CONTROL)
    assert not page.findChildren(QDialog)


def test_tiles_are_set_with_mouse_and_keys(opened: pages.Opened, qtbot: QtBot) -> None:
    """A click counts up, a drag paints, the right button flags; keys; each is one Undo."""
    panel, page = opened
    view, surface = page.surface.view, page.surface
    qtbot.keyClicks(view, "3")
    assert "Choose a cell first" in message(panel)
    seen = []
    for _ in range(10):
        pages.click(page, (2, 0))
        seen.append(page.board.rows_text().splitlines()[2][0])
    assert "".join(seen) == "12345678.#"
    for expected in ("F###", "####"):
        pages.click(page, (2, 0), RIGHT)
        assert page.board.rows_text().splitlines()[2] == expected
    surface.palette_buttons[FLAG].click()
    QTest.mousePress(view, LEFT, pos=pages.middle(page, (2, 0)))
    point_at(view, pages.middle(page, (2, 3)))
    QTest.mouseRelease(view, LEFT, pos=pages.middle(page, (2, 3)))
    assert page.board.rows_text() == "1221\n####\nFFFF"
    surface.undo.click()
    assert page.board == BOARD
    qtbot.keyClick(view, Qt.Key.Key_Y, pages.CONTROL)
    assert page.board.rows_text() == "1221\n####\nFFFF"
    page.inspector.pointing.leave()
    qtbot.keyClick(view, Qt.Key.Key_Right)
    cell = page.inspector.pointing.cell
    steps = page.history.count()
    qtbot.keyClicks(view, "33")
    assert page.board[cell] == 3
    assert page.history.count() == steps + 1
    qtbot.keyClicks(view, "f")
    assert page.board[cell] == FLAG
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert page.board[cell] == COVERED


def test_contradicting_hints_are_named_and_marked(opened: pages.Opened, qtbot: QtBot) -> None:
    """Also while a cell is inspected, and until the position is possible again."""
    _, page = opened
    view = page.surface.view
    possible = painted(page, Cell(0, 3))
    page.set_tiles({Cell(0, 3): 8}, "Type")
    pages.settled(qtbot, page)
    assert page.surface.reason.text().startswith("Impossible board: ")
    assert "row 1, column 4" in page.surface.reason.text()
    marked = painted(page, Cell(0, 3))
    view.setFocus()
    for _ in range(2):
        qtbot.keyClick(view, Qt.Key.Key_Down)
        assert page.inspector.pointing.cell is not None
        assert painted(page, Cell(0, 3)) == marked
    page.set_tiles({Cell(2, 3): FLAG}, "Type")
    assert page.position is None
    assert painted(page, Cell(0, 3)) == marked
    pages.settled(qtbot, page)
    page.set_tiles({Cell(0, 3): 1}, "Type")
    assert painted(page, Cell(0, 3)) != marked
    pages.settled(qtbot, page)
    assert painted(page, Cell(0, 3)) == possible


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_hint_of_a_covered_cell_can_be_assumed(opened: pages.Opened, qtbot: QtBot) -> None:
    """The possible hints of the cell are offered with their probabilities; one is chosen."""
    panel, page = opened
    page.surface.palette_buttons[None].click()
    pages.click(page, (1, 0))
    qtbot.waitUntil(page.menu.isVisible, timeout=PATIENCE)
    texts = [action.text() for action in page.menu.actions()]
    # Both mines of the second row are known; of the third row's, one of its first two cells.
    assert all("%, then " in text and "to win" in text for text in texts)
    page.menu.actions()[0].trigger()
    page.menu.close()
    assert page.board[1, 0] == int(texts[0][1])
    pages.settled(qtbot, page)
    pages.click(page, (0, 0))
    assert "Only a covered cell" in message(panel)
    point_at(page.surface.view, pages.middle(page, (1, 1)))
    qtbot.keyClicks(page.surface.view, "w")
    qtbot.waitUntil(lambda: message(panel) == "Row 2, column 2 is a mine.", timeout=PATIENCE)


def test_a_position_is_copied_pasted_and_resized(opened: pages.Opened, qtbot: QtBot) -> None:
    """Other text is refused with the reason; tiles that lie on both sizes of the board stay."""
    panel, page = opened
    clipboard = QGuiApplication.clipboard()
    page.surface.copy.click()
    assert Board.parse(clipboard.text()) == BOARD
    clipboard.setText("#1\n##\nmines: 1")
    page.surface.paste.click()
    assert page.board == Board.parse("#1/##", 1)
    clipboard.setText("#1\n#")
    page.surface.paste.click()
    assert "row 2 has 1 tiles, row 1 has 2" in message(panel)
    clipboard.setText("#" * 101)
    page.surface.paste.click()
    assert "at most 100 rows and columns" in message(panel)
    assert page.board == Board.parse("#1/##", 1)
    page.surface.cols.setValue(3)
    page.surface.mines.setValue(2)
    assert page.board == Board.parse("#1#/###", 2)
    page.surface.mines.setValue(0)
    pages.settled(qtbot, page)
    assert page.surface.reason.text() == "Enter the number of mines."
    page.new("expert")
    assert page.board == Board.covered(16, 30, 99)


def test_a_position_is_saved_and_opened(opened: pages.Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """As one of the solver's test positions; an impossible one is refused before it has a name."""
    panel, page = opened
    saved = tmp_path / "home" / "positions.jsonl"
    qtbot.keyClick(page, Qt.Key.Key_L, pages.CONTROL)
    assert "No position was saved yet" in message(panel)
    page.set_tiles({Cell(0, 0): 0}, "Type")
    pages.settled(qtbot, page)
    qtbot.keyClick(page, Qt.Key.Key_S, pages.CONTROL)
    assert not page.findChildren(QDialog)
    assert message(panel).startswith("This position cannot be saved. Impossible board: ")
    assert not panel.surface.banner.copy.isVisible()
    assert not saved.exists()
    page.surface.undo.click()
    pages.settled(qtbot, page)
    assert not message(panel)
    for name, said in (("", "it needs a name"), ("first", f"Saved to {saved} as 'first'")):
        page.surface.save.click()
        pages.answer(qtbot, page, name)
        qtbot.waitUntil(lambda said=said: said in message(panel), timeout=PATIENCE)
    line = json.loads(saved.read_text("utf-8"))
    known = json.loads(POSITIONS.read_text("utf-8").splitlines()[0])
    assert list(line) == list(known)
    assert line["board"] == ["1221", "####", "####"]
    exact = solve(BOARD)
    assert np.allclose(line["mine_probability"], exact.mine_probability[BOARD.unopened])
    page.new("beginner")
    page.surface.saved.trigger()
    pages.answer(qtbot, page, "first")
    assert page.board == BOARD
    name, board = next(iter(load(POSITIONS, silent()).items()))
    page.surface.open.click()
    pages.answer(qtbot, page, str(POSITIONS))
    pages.answer(qtbot, page, name)
    assert page.board == board


def test_a_running_game_is_taken_over(shown: Shown, qtbot: QtBot) -> None:
    """Edit beside the board opens the shown position; the previous one is an Undo away."""
    panel = shown(Tabletop(BEGINNER))
    assert not panel.surface.edit.isEnabled()
    panel.surface.controls.play.click()
    playing(qtbot, panel)
    panel.pause_or_resume(resume=False)
    qtbot.waitUntil(lambda: panel.run.state is State.PAUSED, timeout=PATIENCE)
    panel.surface.edit.click()
    page = panel.shell.page("analyse")
    assert page.board == panel.surface.view.turn.reading.board
    # With its picture.
    assert page.surface.layers.isVisible()
    assert page.surface.view.layers is Show.BOTH
    page.surface.undo.click()
    assert page.board == Board.covered(9, 9, 10)
    assert page.surface.layers.isHidden()
    panel.stop()
