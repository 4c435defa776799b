"""What the panel says of trouble, and what it has to ask before it plays."""

from __future__ import annotations

from pathlib import Path

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from bot.game import BEGINNER, EXPERT
from gui.failures import Failure
from gui.player import State
from tests.gui.panels import Shown, idle, message, playing
from tests.gui.tabletop import Tabletop


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


def test_a_failure_names_its_picture(shown: Shown, tmp_path: Path) -> None:
    """Where the frame was saved is told; what was foreseen can be copied as well."""
    panel = shown(Tabletop())
    panel.surface.banner.tell_failure(Failure("It moved.", tmp_path / "frame.png"))
    assert str(tmp_path / "frame.png") in message(panel)
    assert panel.surface.banner.picture.isVisible()
    assert panel.surface.banner.copy.isVisible()
    panel.surface.banner.dismiss.click()
    assert message(panel) == ""


def test_unknown_mines_are_asked_for(shown: Shown, qtbot: QtBot) -> None:
    """Where nobody knows the number of mines, the panel asks before it plays, and uses it."""
    table = Tabletop(BEGINNER, mines_known=False)
    panel = shown(table)
    panel.start()
    assert "How many mines" in message(panel)
    assert panel.state is State.IDLE
    assert panel.surface.options.mines.isVisible()
    assert panel.surface.options.mines.maximum() == 80
    panel.surface.options.mines.setValue(10)
    panel.start()
    playing(qtbot, panel)
    assert table.settings is not None
    assert table.settings.mines == 10
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
    panel.start()
    assert "How many mines" in message(panel)
    assert panel.state is State.IDLE
    mines.setValue(99)
    chooser.select(0)
    assert mines.value() == 0


def test_known_mines_are_not_asked_for(shown: Shown) -> None:
    """The question is only there where it has to be answered."""
    panel = shown(Tabletop(BEGINNER))
    assert not panel.surface.options.mines.isVisible()
