"""What the panel says of trouble, and what it has to ask before it plays."""

from __future__ import annotations

from pathlib import Path

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from bot.game import BEGINNER, EXPERT
from gui.failures import Failure
from gui.runner.protocol import State
from gui.settings import Settings
from tests.gui.panels import Shown, idle, message, playing
from tests.gui.tabletop import Tabletop
from vision.desktop import AccessRefused


def test_a_failure_is_told_in_words(shown: Shown, qtbot: QtBot) -> None:
    """The message is shown, the report can be copied, and one can start again."""
    table = Tabletop(BEGINNER)
    table.error = RuntimeError("the window was closed")
    panel = shown(table)
    with qtbot.waitSignal(panel.failed):
        panel.start()
    idle(qtbot, panel)
    assert message(panel) == "The window was closed."
    banner = panel.surface.banner
    assert not banner.picture.isVisible()
    qtbot.mouseClick(banner.copy, Qt.MouseButton.LeftButton)
    clipboard = QGuiApplication.clipboard()
    assert "The window was closed" in clipboard.text()
    assert "report of RuntimeError" in clipboard.text()
    assert banner.copy.text() == "Copied"
    table.error = None
    panel.start()
    playing(qtbot, panel)
    assert message(panel) == ""


def test_what_stands_in_the_way_is_told_as_long_as_it_does(shown: Shown, qtbot: QtBot) -> None:
    """A run that paused: until it goes on, by Step too, and not after it was stopped."""
    table = Tabletop(EXPERT)
    table.dialogs = {2, 3, 4}
    panel = shown(table)
    panel.start()
    for goes_on in (panel.pause_or_resume, panel.step, panel.stop):
        qtbot.waitUntil(lambda: "A dialog is open" in message(panel))
        assert panel.state is State.PAUSED
        assert panel.surface.details.game.value("Status") == "Paused"
        turns = panel.statistics.turns
        goes_on()
        assert message(panel) == ""
        if goes_on == panel.step:
            # Paused before the next turn, by the step itself.
            qtbot.waitUntil(lambda turns=turns: panel.statistics.turns > turns)
            panel.pause_or_resume()
    idle(qtbot, panel)
    assert message(panel) == ""


def test_a_board_that_can_be_seen_again_is_not_told_as_hidden(shown: Shown, qtbot: QtBot) -> None:
    """What ended the run is told while it is so; a look that sees the board takes it back."""
    table = Tabletop(BEGINNER)
    table.error, table.unseen = RuntimeError("'Notes' lies over it"), True
    panel = shown(table)
    panel.start()
    qtbot.waitUntil(lambda: "lies over it" in message(panel))
    idle(qtbot, panel)
    table.covered_boards = True
    chooser = panel.surface.chooser
    qtbot.waitUntil(lambda: panel.look() or chooser.model.found[0].covered)
    assert "lies over it" in message(panel)
    table.covered_boards = False
    qtbot.waitUntil(lambda: panel.look() or not chooser.model.found[0].covered)
    assert message(panel) == ""


def test_a_message_goes_with_what_it_is_about(shown: Shown) -> None:
    """Which game: it goes as soon as that is settled."""
    panel = shown(Tabletop(BEGINNER))
    options = panel.surface.options
    options.game_box.setCurrentIndex(1)
    panel.surface.controls.assist.click()
    assert "Assist works only" in message(panel)
    options.game_box.setCurrentIndex(0)
    assert message(panel) == ""


def test_a_refused_permission_is_asked_for_again_by_refresh(shown: Shown, qtbot: QtBot) -> None:
    """Not by the searches in between; a panel that is closed meanwhile waits for no answer."""
    table = Tabletop(BEGINNER)
    table.refusal = AccessRefused("The screen was not shared")
    table.dialog.set()
    panel = shown(table)
    qtbot.waitUntil(lambda: "was not shared" in message(panel))
    panel.look()
    qtbot.waitUntil(lambda: table.looks == 2)
    assert table.asked == 1
    table.dialog.clear()
    panel.surface.chooser.refresh.click()
    qtbot.waitUntil(lambda: table.asked == 2)
    assert "Looking for" in panel.surface.empty.title.text()
    table.refusal = None
    table.dialog.set()
    qtbot.waitUntil(lambda: "Ready" in panel.surface.status.text())
    assert message(panel) == ""
    table.refusal = AccessRefused("Stopped before the dialog was answered")
    table.dialog.clear()
    panel.surface.chooser.refresh.click()
    qtbot.waitUntil(lambda: table.asked == 3)
    with qtbot.waitSignal(panel.closed):
        panel.close()


def test_a_failure_names_its_picture(shown: Shown, tmp_path: Path) -> None:
    """Where the frame was saved is told; what was foreseen can be copied as well."""
    panel = shown(Tabletop())
    panel.surface.banner.show_failure(Failure("It moved.", tmp_path / "frame.png"))
    assert str(tmp_path / "frame.png") in message(panel)
    assert panel.surface.banner.picture.isVisible()
    assert panel.surface.banner.copy.isVisible()
    panel.surface.banner.dismiss.click()
    assert message(panel) == ""


def test_unknown_mines_may_be_told_beforehand(shown: Shown, qtbot: QtBot) -> None:
    """Where nobody knows the number of mines there is a field for it; the run asks without."""
    table = Tabletop(BEGINNER, mines_known=False)
    panel = shown(table)
    assert panel.surface.options.mines.isEnabled()
    assert panel.surface.options.mines.maximum() == 80
    panel.start()
    playing(qtbot, panel)
    assert table.settings.mines is None
    panel.stop()
    idle(qtbot, panel)
    panel.surface.options.mines.setValue(10)
    panel.start()
    qtbot.waitUntil(lambda: table.settings is not None and table.settings.mines == 10)
    assert panel.settings.mines is None


def test_the_number_told_is_of_one_board(shown: Shown, qtbot: QtBot) -> None:
    """It does not carry over to another board, and a refresh does not forget it."""
    table = Tabletop(BEGINNER, EXPERT, mines_known=False)
    panel = shown(table)
    mines, chooser = panel.surface.options.mines, panel.surface.chooser
    mines.setValue(10)
    looks = table.looks
    qtbot.waitUntil(lambda: panel.look() or table.looks > looks + 1)
    assert mines.value() == 10
    chooser.select(1)
    assert mines.value() == 0
    mines.setValue(99)
    chooser.select(0)
    assert mines.value() == 0


def test_a_number_said_before_is_shown_and_can_be_changed(shown: Shown, qtbot: QtBot) -> None:
    """The run gets the number that is shown; a '?' forgets the answer."""
    table = Tabletop(BEGINNER)
    table.mines_said = True
    panel = shown(table)
    mines = panel.surface.options.mines
    assert (mines.isEnabled(), mines.value()) == (True, 10)
    panel.start()
    playing(qtbot, panel)
    assert table.settings.mines == 10
    for number in (12, 0):
        panel.stop()
        idle(qtbot, panel)
        mines.setValue(number)
        panel.start()
        qtbot.waitUntil(lambda n=number: table.settings is not None and table.settings.mines == n)


def test_a_number_given_at_the_start_is_shown_and_played(shown: Shown, qtbot: QtBot) -> None:
    """Not the one that was said at another time."""
    table = Tabletop(BEGINNER)
    table.mines_said = True
    panel = shown(table, Settings(mines=20))
    assert panel.surface.options.mines.value() == 20
    panel.start()
    qtbot.waitUntil(lambda: table.settings is not None and table.settings.mines == 20)


@pytest.mark.parametrize("by_mouse", [True, False])
def test_digits_replace_the_question_mark(shown: Shown, qtbot: QtBot, by_mouse: bool) -> None:
    """Typed after a click into the field, or after it was reached by the keyboard."""
    panel = shown(Tabletop(BEGINNER, mines_known=False))
    mines = panel.surface.options.mines
    if by_mouse:
        editor = mines.findChild(QLineEdit)
        assert editor is not None
        qtbot.mouseClick(editor, Qt.MouseButton.LeftButton)
    else:
        mines.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClicks(mines, "12")
    assert mines.value() == 12
