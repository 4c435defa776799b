"""The simulated window, played with the mouse like any other window."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PyQt6.QtCore import QEvent, Qt
from PyQt6.QtGui import QMouseEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bot.board import COVERED, EXPLODED, FLAG, QUESTION, Board
from bot.frame import Status
from gui.looks import LOOKS
from gui.simulator import SimulatorWindow
from gui.simulator.playfield import Gesture
from tests.gui import simulated


@pytest.mark.parametrize("look", LOOKS)
def test_a_whole_game_is_won(window: simulated.Open, qtbot: QtBot, look: str) -> None:
    """Every look: clicks open what the rules say, the screen shows it, the end is reported once."""
    opened = window(look=look)
    ended: list[Status] = []
    opened.game_over.connect(ended.append)
    simulated.click(opened, (4, 4))
    assert opened.game.started
    simulated.point_at(opened.field, simulated.off_board(opened))
    qtbot.waitUntil(lambda: simulated.is_painted(opened, opened.game.board))
    simulated.play_to_the_end(opened)
    assert opened.game.status is Status.WON
    assert ended == [Status.WON]
    qtbot.waitUntil(lambda: simulated.is_painted(opened, opened.game.board))
    assert len(list(opened.game.board.cells(FLAG))) == 10
    simulated.click(opened, (0, 0), simulated.RIGHT)
    assert simulated.is_painted(opened, opened.game.board)


def test_a_lost_game_shows_its_mine_until_the_next_one_is_started(window: simulated.Open) -> None:
    """No more clicks count. F2 and the face start a game; a face released elsewhere does not."""
    opened = window()
    ended: list[Status] = []
    opened.game_over.connect(ended.append)
    opened.show_game(simulated.game_of("*.", ".."))
    number = opened.game_number
    simulated.click(opened, (0, 0))
    assert opened.game.board[0, 0] == EXPLODED
    simulated.click(opened, (1, 1))
    assert ended == [Status.LOST]
    assert simulated.is_painted(opened, opened.game.board)
    QTest.mousePress(opened.field, simulated.LEFT, pos=simulated.face(opened))
    assert opened.field.gesture is Gesture.FACE
    QTest.mouseRelease(opened.field, simulated.LEFT, pos=simulated.off_board(opened))
    assert opened.game_number == number
    QTest.mouseClick(opened.field, simulated.LEFT, pos=simulated.face(opened))
    assert opened.game_number == number + 1
    assert opened.game.status is Status.PLAYING
    assert simulated.is_painted(opened, Board.covered(2, 2, 1))
    QTest.keyClick(opened, Qt.Key.Key_F2)
    assert opened.game_number == number + 2


def test_the_right_button_marks(window: simulated.Open) -> None:
    """Flag, question mark if that is chosen, covered; a flagged cell is not opened by a click."""
    opened = window(question_marks=True)
    for mark in (FLAG, QUESTION, COVERED):
        simulated.click(opened, (3, 3), simulated.RIGHT)
        assert opened.game.board[3, 3] == mark
        if mark == FLAG:
            assert opened.game.mines_left == 9
            simulated.click(opened, (3, 3))
            assert opened.game.board[3, 3] == FLAG


def test_a_press_counts_where_it_is_released(window: simulated.Open) -> None:
    """On another cell that one is opened, off the board none."""
    opened = window()
    ends = (simulated.off_board(opened), False), (simulated.middle(opened, (7, 7)), True)
    for end, started in ends:
        QTest.mousePress(opened.field, simulated.LEFT, pos=simulated.middle(opened, (2, 2)))
        QTest.mouseRelease(opened.field, simulated.LEFT, pos=end)
        assert opened.game.started is started
    assert opened.game.board[7, 7] >= 0


def both_press(window: SimulatorWindow, cell: tuple[int, int]) -> None:
    """Left and right together, on one cell."""
    for act in (QTest.mousePress, QTest.mouseRelease):
        for button in (simulated.LEFT, simulated.RIGHT):
            act(window.field, button, pos=simulated.middle(window, cell))


def middle_press(window: SimulatorWindow, cell: tuple[int, int]) -> None:
    """The middle button."""
    simulated.click(window, cell, simulated.MIDDLE)


@pytest.mark.parametrize("chord", [both_press, middle_press])
def test_chords(
    window: simulated.Open, chord: Callable[[SimulatorWindow, tuple[int, int]], None]
) -> None:
    """With its flags set, a hint opens the rest; without, nothing happens, nothing is flagged."""
    opened = window()
    opened.show_game(simulated.game_of("*...", "....", "...*"))
    simulated.click(opened, (1, 1))
    before = opened.game.board
    chord(opened, (1, 1))
    assert opened.game.board == before
    simulated.click(opened, (0, 0), simulated.RIGHT)
    chord(opened, (1, 1))
    assert opened.game.board[0, 1] == 1
    assert opened.game.board[2, 0] == 0
    assert opened.field.gesture is Gesture.NONE


def test_quick_clicks_all_count(window: simulated.Open) -> None:
    """The second of two quick presses, which Qt calls a double click, is a click like any."""
    opened = window()
    point = simulated.middle(opened, (1, 1)).toPointF()
    place = opened.field.mapToGlobal(point)
    no_key, no_button = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.NoButton
    for kind, expected in (
        (QEvent.Type.MouseButtonPress, FLAG),
        (QEvent.Type.MouseButtonDblClick, COVERED),
    ):
        for event, held in ((kind, simulated.RIGHT), (QEvent.Type.MouseButtonRelease, no_button)):
            sent = QMouseEvent(event, point, place, simulated.RIGHT, held, no_key)
            QApplication.sendEvent(opened.field, sent)
        assert opened.game.board[1, 1] == expected


def test_an_opening_is_animated_to_its_end(window: simulated.Open, qtbot: QtBot) -> None:
    """The cells appear in waves; the end is reported after the last one."""
    opened = window(animation=True, wave=1.0)
    opened.show_game(simulated.game_of("." * 10, "." * 10, "." * 9 + "*"))
    ended: list[tuple[Status, bool]] = []
    opened.game_over.connect(lambda status: ended.append((status, opened.field.animating)))
    with qtbot.waitSignals([opened.field.animation_finished, opened.game_over]):
        simulated.click(opened, (0, 0))
        assert opened.game.status is Status.WON
    assert ended == [(Status.WON, False)]
    simulated.point_at(opened.field, simulated.off_board(opened))
    assert simulated.is_painted(opened, opened.game.board)


def test_the_clock_runs_from_the_first_cell_to_the_end(
    window: simulated.Open, qtbot: QtBot
) -> None:
    """A flag does not start it; after the end it stands still; a fresh game sets it to 0."""
    opened = window()
    opened.show_game(simulated.game_of("....", ".**.", "...*"))
    simulated.click(opened, (1, 1), simulated.RIGHT)
    assert not opened.clock.isActive()
    simulated.click(opened, (0, 0))
    assert opened.clock.isActive()
    qtbot.waitUntil(lambda: opened.seconds >= 1)
    simulated.click(opened, (2, 3))
    assert not opened.clock.isActive()
    opened.new_game()
    assert opened.seconds == 0
