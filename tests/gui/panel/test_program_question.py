"""The page that asks about the program: every way to answer, and nothing by accident."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QKeySequence
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from bot.frame import Region
from bot.game import BEGINNER
from gui import questions
from gui.panel.program_question import ProgramPage
from gui.runner.protocol import State
from tests.gui.panels import Shown, playing
from tests.gui.tabletop import Tabletop

QUESTION = questions.ProgramQuestion(
    title="How does the next game start?",
    why="This program is not known.",
    picture=np.full((120, 200, 3), 200, np.uint8),
    by_user="I start it myself",
    leave="End the run",
    buttons=(Region(10, 10, 30, 30), Region(150, 10, 40, 20)),
    points=True,
)


@pytest.fixture
def page(qtbot: QtBot) -> ProgramPage:
    """The page alone, with a question on it."""
    made = ProgramPage()
    qtbot.addWidget(made)
    made.resize(700, 500)
    made.ask(QUESTION)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_answers_of_one_press_are_visible_in_the_smallest_window(page: ProgramPage) -> None:
    """Ask about a dialog without a button again, as an answer did not close it; the key scrolls."""
    page.ask(
        replace(
            QUESTION, title="How is 'Minesweeper: game over' closed?", buttons=(), key="return",
            yes="Close its window", refused="That did not close it.",
        )
    )  # fmt: skip
    page.resize(618, 280)
    QApplication.processEvents()
    for button in (page.yes, page.by_user):
        assert button.visibleRegion().boundingRect() == button.rect()


def test_a_place_in_the_picture_is_an_answer(page: ProgramPage, qtbot: QtBot) -> None:
    """In the picture's own pixels; beside it nothing is answered."""
    place = page.picture.place()
    factor = place.width() / 200
    at = QPoint(round(place.left() + 100 * factor), round(place.top() + 60 * factor))
    with qtbot.waitSignal(page.answered) as answered:
        qtbot.mouseClick(page.picture, Qt.MouseButton.LeftButton, pos=at)
    assert isinstance(answered.args[0], questions.ClickAt)
    assert answered.args[0].x == pytest.approx(100, abs=1)
    assert answered.args[0].y == pytest.approx(60, abs=1)
    page.ask(QUESTION)
    with qtbot.assertNotEmitted(page.answered):
        beside = QPoint(1, round(place.bottom()) + 5)
        qtbot.mouseClick(page.picture, Qt.MouseButton.LeftButton, pos=beside)


def test_each_button_answers_once_and_has_a_key(page: ProgramPage, qtbot: QtBot) -> None:
    """A key of what is not offered answers nothing, nor does one typed into the field."""
    question = replace(QUESTION, yes="Yes", leave="No")
    left = Qt.MouseButton.LeftButton
    for button, said, key, answer in (
        (page.buttons[1], "Click the place marked 2", "2", questions.ClickAt(170, 20)),
        (page.by_user, "I start it myself", "m", questions.ByUser()),
        (page.yes, "Yes", "y", questions.Yes()),
        (page.leave, "No", "n", None),
    ):
        page.ask(question)
        assert button.text().startswith(said)
        with qtbot.assertNotEmitted(page.answered):
            qtbot.keyClick(page, "3")
            qtbot.keyClick(page.key, key)
        with qtbot.waitSignal(page.answered) as answered:
            qtbot.keyClick(page, key)
        assert answered.args == [answer]
        page.ask(question)
        with qtbot.waitSignal(page.answered) as answered:
            qtbot.mouseClick(button, left)
        assert answered.args == [answer]
        with qtbot.assertNotEmitted(page.answered):
            qtbot.mouseClick(button, left)


def test_who_types_elsewhere_answers_nothing(qtbot: QtBot) -> None:
    """The question that appears meanwhile does not take the keyboard."""
    window = QWidget()
    page, field = ProgramPage(), QLineEdit()
    layout = QVBoxLayout(window)
    layout.addWidget(field)
    layout.addWidget(page)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    page.ask(replace(QUESTION, yes="Yes", leave="No"))
    with qtbot.assertNotEmitted(page.answered):
        QTest.keyClicks(field, "many")
    assert field.text() == "many"


@pytest.mark.parametrize(
    ("pressed", "key"),
    [(Qt.Key.Key_F2, "f2"), (Qt.Key.Key_N, "n"), (Qt.Key.Key_Return, "return")],
)
def test_a_key_is_allowed_by_a_button(
    page: ProgramPage, qtbot: QtBot, pressed: Qt.Key, key: str
) -> None:
    """Pressing it in the field alone allows nothing; one that cannot be sent is refused."""
    page.key.setKeySequence(QKeySequence("Meta+N"))
    assert "Meta+N cannot be sent" in page.note.text()
    assert not page.send.isEnabled()
    page.key.setFocus()
    with qtbot.assertNotEmitted(page.answered):
        QTest.keyClick(page.key, pressed)
    assert page.send.isEnabled()
    with qtbot.waitSignal(page.answered) as answered:
        qtbot.mouseClick(page.send, Qt.MouseButton.LeftButton)
    assert answered.args == [questions.PressKey(key)]


WHOLE = questions.ProgramQuestion(
    title="Is the whole board visible?",
    why="The board may go on beyond what is visible.",
    picture=np.full((120, 200, 3), 200, np.uint8),
    leave="No, end the run",
    yes="Yes, this is the whole board",
    keys=False,
)


def test_yes_or_no_is_all_that_answers_such_a_question(page: ProgramPage, qtbot: QtBot) -> None:
    """Neither Return nor a place in the picture does; both buttons say what they mean."""
    page.ask(replace(WHOLE, refused="The key n did not close it."))
    assert "The key n did not close it." in page.why.text()
    assert "The key n" in page.accessibleDescription()
    page.ask(WHOLE)
    shown = [button for button in page.findChildren(QPushButton) if button.isVisible()]
    assert [button.text() for button in shown] == [f"{WHOLE.yes}  Y", f"{WHOLE.leave}  N"]
    assert not page.key.isVisible()
    with qtbot.assertNotEmitted(page.answered):
        QTest.keyClick(page, Qt.Key.Key_Return)
        qtbot.mouseClick(page.picture, Qt.MouseButton.LeftButton)
    page.ask(QUESTION)
    assert page.key.isVisible()
    assert not page.yes.isVisible()


def test_a_board_is_marked_by_mouse_and_keys(page: ProgramPage, qtbot: QtBot) -> None:
    """Dragged from corner to corner, moved and resized by the arrow keys; its size is proposed."""
    marks = replace(QUESTION, buttons=(), points=False, keys=False, marks=True)
    page.ask(marks)
    assert not page.use_board.isEnabled()
    picture, place = page.picture, page.picture.place()
    factor = place.width() / 200
    begin, end = (
        (place.topLeft() + QPointF(x, y) * factor).toPoint() for x, y in ((20, 30), (180, 110))
    )
    with qtbot.assertNotEmitted(page.answered):
        QTest.mousePress(picture, Qt.MouseButton.LeftButton, pos=begin)
        QTest.mouseMove(picture, end)
        QTest.mouseRelease(picture, Qt.MouseButton.LeftButton, pos=end)
    for dragged, meant in zip(picture.board, (20, 30, 160, 80), strict=True):
        assert abs(dragged - meant) <= 1 / factor + 1
    assert page.cells.values == (30, 16)
    assert picture.tolerance > 0
    page.ask(replace(marks, board=Region(50, 20, 90, 90)))
    assert page.cells.values == (9, 9)
    assert page.focusWidget() is picture
    for key, modifier in ((Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier),
                          (Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)):  # fmt: skip
        QTest.keyClick(picture, key, modifier)
    page.cells.rows.selectAll()
    with qtbot.waitSignal(page.answered) as answered:
        QTest.keyClicks(page.cells.rows, "8")
        QTest.keyClick(page.cells.rows, Qt.Key.Key_Return)
    assert answered.args == [questions.MarkedArea(Region(49, 20, 90, 91), 9, 8)]
    # What was entered stays; without a likely board, the first arrow key shows a frame.
    page.ask(replace(marks, board=Region(50, 20, 90, 90), cells=(12, 7)))
    QTest.keyClick(picture, Qt.Key.Key_Right)
    assert page.cells.values == (12, 7)
    page.ask(marks)
    QTest.keyClick(picture, Qt.Key.Key_Right)
    assert picture.board == Region(51, 30, 100, 60)
    assert picture.accessibleDescription() == "Marked from 51,30 to 151,90"
    assert page.use_board.isEnabled()
    page.ask(QUESTION)
    assert not page.cells.isVisible()
    with qtbot.waitSignal(page.answered):
        qtbot.mouseClick(picture, Qt.MouseButton.LeftButton, pos=begin)


MINES = replace(WHOLE, title="How many mines does this 12x16 board have?", yes="", most=191)


def test_a_number_is_typed_and_enter_sends_it(page: ProgramPage, qtbot: QtBot) -> None:
    """Without clicking anywhere first; Enter alone, and what is too high, answer nothing."""
    page.ask(MINES)
    assert page.number.hasFocus()
    assert not page.key.isVisible()
    with qtbot.assertNotEmitted(page.answered):
        QTest.keyClick(page.number, Qt.Key.Key_Return)
        QTest.keyClicks(page.number, "9")
        page.number.clear()
        QTest.keyClick(page.number, Qt.Key.Key_Return)
    QTest.keyClicks(page.number, "40")
    with qtbot.waitSignal(page.answered) as answered:
        QTest.keyClick(page.number, Qt.Key.Key_Return)
    assert answered.args == [questions.Number(40)]
    page.ask(MINES)
    with qtbot.assertNotEmitted(page.answered):
        QTest.keyClicks(page.number, "192")
        QTest.keyClick(page.number, Qt.Key.Key_Return)
    page.ask(QUESTION)
    assert not page.number.isVisible()
    assert page.key.isVisible()


def test_a_likely_number_is_replaced_by_typing(page: ProgramPage, qtbot: QtBot) -> None:
    """A number entered beside the yes is not lost; the suggested one is no answer of the user's."""
    question = replace(QUESTION, yes="Yes, play it", most=80, likely=10)
    for button, typed, answer in (
        (page.use_number, "7", questions.Number(7)),
        (page.yes, "", questions.Yes()),
        (page.yes, "12", questions.Number(12)),
    ):
        page.ask(question)
        QTest.keyClicks(page.number, typed)
        with qtbot.waitSignal(page.answered) as answered:
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert answered.args == [answer]


def test_no_key_meant_for_the_panel_answers_and_no_answer_presses_its_buttons(
    shown: Shown, qtbot: QtBot
) -> None:
    """Going on is no yes. Enter in the field presses nothing that has the keyboard afterwards."""
    table = Tabletop(BEGINNER)
    table.questions = {2: WHOLE, 4: replace(MINES, likely=23)}
    panel = shown(table)
    controls, program = panel.surface.controls, panel.surface.program
    panel.start()
    qtbot.waitUntil(program.yes.isVisible)
    for key in (Qt.Key.Key_F5, Qt.Key.Key_F6, Qt.Key.Key_F7, Qt.Key.Key_Space):
        QTest.keyClick(panel, key)
    for button in (controls.play, controls.step):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert panel.state is State.ASKING
    assert table.answers == []
    qtbot.mouseClick(program.yes, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(program.number.isVisible)
    panel.activateWindow()
    program.number.setFocus()
    qtbot.waitUntil(program.number.hasFocus)
    QTest.keyClick(program.number, Qt.Key.Key_Return)
    playing(qtbot, panel, 8)
    assert table.answers == [questions.Yes(), questions.Number(23)]
