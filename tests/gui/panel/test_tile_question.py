"""The page that asks what a tile is: what it shows, where it is, and every way to answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QShortcut
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from bot.board import FLAG, TILE_CODES, UNREAD, Board, Cell
from bot.frame import Frame, Grid, Reading, Region, Status
from bot.game import BEGINNER
from gui.images import from_qimage
from gui.panel.tile_question import KEYS, LEAVE_KEY, TeachPage
from gui.questions import around
from gui.runner.protocol import State
from tests.gui import panels
from tests.gui.tabletop import Tabletop, asked_about


@pytest.fixture
def page(qtbot: QtBot) -> TeachPage:
    """The page alone, with a question on it."""
    made = TeachPage()
    qtbot.addWidget(made)
    made.resize(660, 400)
    made.ask(asked_about(3, [(0, 5)], (3, 8)))
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_a_question_is_shown_until_it_is_answered_or_escape_stops(
    shown: panels.Shown, qtbot: QtBot
) -> None:
    """The page takes the board's place, without the banner; then the board comes back."""
    table = Tabletop(BEGINNER)
    table.questions[2] = asked_about(3, [(0, 5), (3, 7), (6, 6)], (3, 8))
    panel = shown(table)
    surface, page = panel.surface, panel.surface.teach
    surface.options.pace.setFocus()
    panel.start()
    qtbot.waitUntil(page.isVisible)
    assert panel.state is State.ASKING
    assert panel.focusWidget() is page
    assert "3 cells" in page.cells.text()
    assert "row 1, column 6" in page.cells.text()
    assert "what is this tile?" in surface.status.text()
    assert panels.message(panel) == ""
    assert not surface.view.isVisible()
    assert surface.controls.stop.isEnabled()
    assert not surface.controls.pause.isEnabled()
    qtbot.mouseClick(page.buttons[FLAG], Qt.MouseButton.LeftButton)
    panels.playing(qtbot, panel, 6)
    assert table.answers == [FLAG]
    assert not page.isVisible()
    assert surface.view.isVisible()
    assert panel.focusWidget() is surface.options.pace.slider
    # Escape stops as everywhere in the panel: nothing is answered.
    panel.stop()
    panels.idle(qtbot, panel)
    panel.start()
    qtbot.waitUntil(page.isVisible)
    panels.press(qtbot, panel, Qt.Key.Key_Escape)
    assert not page.isVisible()
    panels.idle(qtbot, panel)
    assert panels.message(panel) == ""
    panels.press(qtbot, panel, Qt.Key.Key_3)
    assert table.answers == [FLAG]


def test_every_state_has_a_button_and_a_key(page: TeachPage, qtbot: QtBot) -> None:
    """Both answer with that state and no other, once; two leave it open, and end the run."""
    for state, button, key in (
        *((code, page.buttons[code], KEYS[code]) for code in TILE_CODES if code != UNREAD),
        (None, page.leave, LEAVE_KEY),
    ):
        page.ask(asked_about(3, [(0, 5)]))
        with qtbot.waitSignal(page.answered) as answered:
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert answered.args == [state]
        page.ask(asked_about(3, [(0, 5)]))
        with qtbot.waitSignal(page.answered) as answered:
            qtbot.keyClicks(page, key.lower())
        assert answered.args == [state]
        assert key in button.toolTip() + button.text()
    assert "run ends" in panels.tip_of(page.leave)


def test_what_is_likely_and_what_was_refused_is_said(page: TeachPage) -> None:
    """Until another question is asked; by colour and in words."""
    page.ask(replace(asked_about(3, [(0, 5)], (3, 8)), refused=(0, FLAG)))
    likely = [code for code, button in page.buttons.items() if button.property("likely")]
    assert likely == [3, 8]
    assert "likely" in page.buttons[8].accessibleName()
    assert "It cannot be 'empty' or 'flag'" in page.why.text()
    for said in ("It looks most like: 3 or 8.", "cannot be"):
        assert said in page.accessibleDescription()
    page.ask(asked_about(3, [(0, 5)]))
    assert not any(button.property("likely") for button in page.buttons.values())
    for said in ("most like", "cannot be"):
        assert said not in page.accessibleDescription()


def test_nothing_is_answered_by_accident(page: TeachPage, qtbot: QtBot) -> None:
    """A key that is held, a space meant for another button and a double click."""
    answers: list[object] = []
    page.answered.connect(answers.append)
    assert page.focusWidget() is page
    qtbot.keyClick(page, Qt.Key.Key_Space)
    qtbot.keyClick(page, Qt.Key.Key_Return)
    assert answers == []
    button = page.buttons[1]
    page.answered.connect(lambda _state: page.ask(asked_about(5, [(1, 1)])))
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    # The second half of a double click: Qt's word for a press, and a release.
    QTest.mouseDClick(button, Qt.MouseButton.LeftButton)
    QTest.mouseRelease(button, Qt.MouseButton.LeftButton)
    assert answers == [1]
    assert not any(key.autoRepeat() for key in page.findChildren(QShortcut))


def a_reading() -> Reading:
    """A board in the middle of a frame, every cell of a colour of its own."""
    cells = [[(row + 1, col + 1, 77) for col in range(12)] for row in range(9)]
    pixels = np.array(cells, np.uint8).repeat(10, axis=0).repeat(10, axis=1)
    image = np.pad(pixels, ((20, 20), (20, 20), (0, 0)))
    board = Board(np.full((9, 12), UNREAD, np.int8), 10)
    frame, grid = Frame(image, Region(100, 50, 160, 130)), Grid(120, 70, 10, 10, 9, 12)
    return Reading(frame, grid, board, Status.PLAYING, np.zeros((9, 12), np.float32))


@pytest.mark.parametrize(
    ("cell", "shape", "place", "cut"),
    [
        ((4, 6), (70, 70), (30, 30), 0),
        ((0, 0), (40, 40), (0, 0), 0),
        ((8, 11), (40, 40), (30, 30), 0),
        ((1, 10), (50, 50), (10, 30), 0),
        ((0, 6), (38, 70), (0, 30), 2),
        ((1, 6), (48, 70), (8, 30), 2),
    ],
)
def test_a_tile_among_its_neighbours(
    cell: tuple[int, int], shape: tuple[int, int], place: tuple[int, int], cut: int
) -> None:
    """Three cells on each side, fewer where the board ends; the frame spares the tile itself.

    Without the pixels by which a picture is cropped at its top.
    """
    reading = a_reading()
    if cut:
        whole = reading.frame.region
        region = Region(whole.left, 70 + cut, whole.width, whole.height - 20 - cut)
        cropped = Frame(reading.frame.image[20 + cut :], region)
        reading = replace(reading, frame=cropped)
    shown = around(reading, Cell(*cell))
    assert shown.picture.shape[:2] == shape
    assert (shown.tile.top, shown.tile.left) == place
    inside = shown.framed()[shown.tile.top : shown.tile.bottom, shown.tile.left : shown.tile.right]
    assert (inside == (cell[0] + 1, cell[1] + 1, 77)).all()
    assert (shown.framed() == (0, 0, 255)).all(axis=2).any()
    assert not (shown.picture == (0, 0, 255)).all(axis=2).any()


def test_the_tile_is_shown_where_it_is(page: TeachPage, qtbot: QtBot) -> None:
    """Its neighbours with a frame around it, where there is room; without them nothing is left."""
    page.resize(660, 600)
    assert not page.around.isVisible()
    page.ask(asked_about(3, [(4, 6)]), around(a_reading(), Cell(4, 6)))
    qtbot.waitUntil(page.around.isVisible)
    drawn = from_qimage(page.around.grab().toImage())
    middle = drawn.shape[0] // 2
    assert tuple(drawn[middle, middle].tolist()) == (5, 7, 77)
    page.resize(660, 300)
    qtbot.waitUntil(lambda: not page.around.isVisible())
    page.resize(660, 600)
    qtbot.waitUntil(page.around.isVisible)
    page.ask(asked_about(3, [(4, 6)]))
    assert not page.around.isVisible()
