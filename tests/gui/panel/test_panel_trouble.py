"""What the panel says of trouble, and what it has to ask before it plays."""

from __future__ import annotations

from pathlib import Path

import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QAbstractButton, QLineEdit
from pytestqt.qtbot import QtBot

from bot.game import BEGINNER, EXPERT
from gui.failures import Failure
from gui.panel import Panel
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
    assert clipboard is not None
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


def test_the_state_is_that_of_this_moment(shown: Shown, qtbot: QtBot) -> None:
    """Playing, paused, stopped: in the line of state and beside the game's figures."""
    panel = shown(Tabletop(EXPERT))
    status, game = panel.surface.status, panel.surface.details.game
    panel.start()
    playing(qtbot, panel)
    qtbot.waitUntil(lambda: game.value("Status") == "Playing")
    assert status.text() == "Playing"
    panel.pause_or_resume()
    qtbot.waitUntil(lambda: game.value("Status") == "Paused")
    assert status.text().startswith("Paused")
    panel.pause_or_resume()
    panel.stop()
    idle(qtbot, panel)
    qtbot.waitUntil(lambda: "Ready" in status.text())
    assert game.value("Status") in ("Stopped", "Lost", "Won")


def test_a_message_goes_with_what_it_is_about(shown: Shown) -> None:
    """Which game: it goes as soon as that is settled."""
    panel = shown(Tabletop(BEGINNER))
    options = panel.surface.options
    options.game_box.setCurrentIndex(1)
    panel.surface.controls.assist.click()
    assert "Assist works only" in message(panel)
    options.game_box.setCurrentIndex(0)
    assert message(panel) == ""


def test_a_lost_board_is_told_until_it_is_back(shown: Shown, qtbot: QtBot) -> None:
    """Play says that it is gone; when it is there again, nothing says so any more."""
    table = Tabletop(BEGINNER)
    panel = shown(table)
    table.levels.clear()
    qtbot.waitUntil(lambda: panel.look() or bool(panel.surface.chooser.lost))
    panel.surface.controls.play.click()
    assert "has closed" in message(panel)
    table.levels.append(BEGINNER)
    qtbot.waitUntil(lambda: panel.look() or not panel.surface.chooser.lost)
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


def test_a_screen_that_can_be_searched_again(shown: Shown, qtbot: QtBot) -> None:
    """What went wrong with a look is told until one goes well."""
    table = Tabletop()
    table.error = RuntimeError("the screen cannot be read")
    panel = shown(table)
    qtbot.waitUntil(lambda: "cannot be read" in message(panel))
    assert "could not be searched" in panel.surface.status.text()
    table.error = None
    qtbot.waitUntil(lambda: panel.look() or "Ready" in panel.surface.status.text())
    assert message(panel) == ""


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
    assert table.settings is not None
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
    assert table.settings is not None
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


def test_known_mines_are_not_asked_for(shown: Shown) -> None:
    """The number that the screen tells is shown, and cannot be changed."""
    panel = shown(Tabletop(BEGINNER))
    mines = panel.surface.options.mines
    assert (mines.isEnabled(), mines.value()) == (False, 10)


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


def test_mines_that_become_known_cannot_be_changed_any_more(shown: Shown, qtbot: QtBot) -> None:
    """The counter was hidden, and can be read now."""
    table = Tabletop(BEGINNER, mines_known=False)
    panel = shown(table)
    mines = panel.surface.options.mines
    assert (mines.isEnabled(), mines.value()) == (True, 0)
    table.mines_known = True
    qtbot.waitUntil(lambda: panel.look() or mines.value() == 10)
    assert not mines.isEnabled()


def test_no_button_moves_when_a_message_comes_or_goes(shown: Shown, qtbot: QtBot) -> None:
    """Before a game, and while it is paused, with the list and without."""
    panel = shown(Tabletop(BEGINNER))
    banner = panel.surface.banner
    for prepare in (lambda: None, panel.step, panel.surface.controls.sidebar.click):
        prepare()
        qtbot.waitUntil(lambda: panel.state is State.IDLE or panel.surface.board_shown)
        before = settled_places(qtbot, panel)
        banner.show_message("Something to know. " * 12)
        qtbot.waitUntil(banner.isVisible)
        after = settled_places(qtbot, panel)
        assert {name: after[name] for name in before} == before
        banner.clear()
        assert settled_places(qtbot, panel) == before
    panel.stop()
    idle(qtbot, panel)


def settled_places(qtbot: QtBot, panel: Panel) -> dict[str, QPoint]:
    """Return where the buttons are that can be seen, once they stay there."""
    seen: list[dict[str, QPoint]] = []

    def settled() -> bool:
        seen.append(places(panel))
        return len(seen) > 4 and all(one == seen[-1] for one in seen[-5:])

    qtbot.waitUntil(settled)
    return seen[-1]


def places(panel: Panel) -> dict[str, QPoint]:
    """Where the buttons are that can be seen."""
    return {
        button.accessibleName() or button.text(): button.mapTo(panel, QPoint())
        for button in panel.findChildren(QAbstractButton)
        if button.isVisible()
    }
