"""The panel as a window: closing, making way, its size, and access for everybody."""

from __future__ import annotations

import pytest
from PyQt6.QtCore import QPoint, QRect, QSize, Qt
from PyQt6.QtGui import QCloseEvent, QGuiApplication
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bot.frame import Region
from bot.game import BEGINNER, EXPERT
from gui.panel.boardview import Show
from gui.panel.placement import PlacementLimits
from gui.runner.protocol import State
from gui.settings import Settings
from tests.gui import panels
from tests.gui.tabletop import Tabletop, asked_about
from vision.desktop import OWN_FRAME


def test_closing_while_playing_stops_first(shown: panels.Shown, qtbot: QtBot) -> None:
    """It hides at once, ends the player and its jobs, and closes only then."""
    table = Tabletop(BEGINNER)
    panel = shown(table)
    panel.start()
    panels.playing(qtbot, panel)
    with qtbot.waitSignal(panel.closed):
        assert not panel.close()
        assert panel.isHidden()
        assert not panel.close()
    assert table.stopped.is_set()
    assert panel.state is State.IDLE
    carried_out = len(table.carried_out)
    panel.start()
    panel.step()
    panel.look()
    assert len(table.carried_out) == carried_out


def test_the_window_manager_closes_it(shown: panels.Shown, qtbot: QtBot) -> None:
    """Even where all that it waits for ends while it is closing."""
    panel = shown(Tabletop(BEGINNER))
    qtbot.waitUntil(lambda: "Ready" in panel.surface.status.text())
    with qtbot.waitSignal(panel.closed):
        QApplication.sendEvent(panel.windowHandle(), QCloseEvent())


def test_it_makes_way_while_it_plays_and_comes_back(
    shown: panels.Shown, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board that is played is not covered; the user's own move of the window is respected.

    The second click of a double click on Play meets another part of the window: it presses nothing.
    """
    monkeypatch.setattr("gui.panel.placement._PLACEMENT", PlacementLimits(guarded_ms=60_000))
    room = QGuiApplication.primaryScreen().availableGeometry()
    pointer = room.center()
    monkeypatch.setattr("gui.panel.placement.QCursor.pos", lambda: pointer)
    table = Tabletop(BEGINNER)
    panel = shown(table)
    pause, left = panel.surface.controls.pause, Qt.MouseButton.LeftButton
    table.region = Region(room.left(), room.top(), 150, 150)
    panel.look()
    qtbot.waitUntil(lambda: panel.surface.chooser.current.region is not None)
    panel.move(QPoint(room.left() + 10, room.top() + 10))
    before, taken = panel.geometry(), QRect(*table.region)
    panel.start()
    qtbot.waitUntil(lambda: not panel.frameGeometry().intersects(taken))
    assert not panel.isMinimized()
    panels.playing(qtbot, panel, 1)
    qtbot.mouseClick(pause, left)
    assert panel.state is State.PLAYING
    pointer = room.center() + QPoint(40, 0)
    qtbot.mouseClick(pause, left)
    assert panel.state is State.PAUSED
    panel.stop()
    panels.idle(qtbot, panel)
    assert panel.geometry() == before
    panel.start()
    panel.resize(panel.size() - QSize(20, 20))
    chosen = panel.geometry()
    panel.stop()
    panels.idle(qtbot, panel)
    assert panel.geometry() == chosen


def test_panel_without_room_is_minimised(shown: panels.Shown, qtbot: QtBot) -> None:
    """An unknown game window cannot be raised: minimised with a note, but not to ask, and back."""
    table = Tabletop(BEGINNER)
    table.questions[2] = asked_about(3, [(0, 5)])
    table.region, table.keyed = Region(0, 0, 10_000, 10_000), False
    panel = shown(table)
    panel.start()
    assert panel.isMinimized()
    assert "minimised" in panel.surface.banner.message.text()
    assert "F8 stops" in panel.surface.banner.message.text()
    assert panel.windowTitle().startswith("F8 stops")
    qtbot.waitUntil(panel.surface.teach.isVisible)
    assert not panel.isMinimized()
    panel.surface.teach.buttons[3].click()
    qtbot.waitUntil(panel.isMinimized)
    panels.playing(qtbot, panel)
    panel.stop()
    panels.idle(qtbot, panel)
    qtbot.waitUntil(lambda: not panel.isMinimized())
    assert panels.message(panel) == ""
    assert panel.windowTitle() == "Minesweeper bot"


def test_the_reason_stays_in_a_low_window(shown: panels.Shown, qtbot: QtBot) -> None:
    """An Expert board shrinks first; the figures, times and layers are a click on Details away."""
    panel = shown(Tabletop(EXPERT), Settings(games=None, theme="light"))
    surface, details = panel.surface, panel.surface.details
    panel.resize(667, 336)
    panel.start(paused=True)
    qtbot.waitUntil(lambda: panel.statistics.turns >= 1)
    qtbot.waitUntil(lambda: surface.view.height() > 150)
    reason = details.reason
    qtbot.waitUntil(lambda: reason.visibleRegion().boundingRect() == reason.rect())
    assert not details.game.isVisible()
    qtbot.keyClick(panel, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert surface.view.layers is Show.PARSED
    surface.more.click()
    qtbot.waitUntil(details.time.isVisible)
    assert surface.layers.isVisible()
    qtbot.waitUntil(lambda: reason.visibleRegion().boundingRect() == reason.rect())
    panel.resize(1060, 740)
    qtbot.waitUntil(lambda: details.score.visibleRegion().boundingRect() == details.score.rect())
    surface.more.click()
    assert not details.time.isVisible()
    assert details.game.isVisible()


def test_enter_presses_the_button_with_the_focus(shown: panels.Shown, qtbot: QtBot) -> None:
    """Of the page and of the rail; from Play and back to it the focus goes where it is of use."""
    table = Tabletop(BEGINNER)
    panel = shown(table)
    controls = panel.surface.controls
    controls.play.setFocus()
    qtbot.keyClick(controls.play, Qt.Key.Key_Return)
    panels.playing(qtbot, panel)
    assert panel.focusWidget() is controls.pause
    qtbot.keyClick(controls.pause, Qt.Key.Key_Enter)
    assert panel.state is State.PAUSED
    controls.stop.setFocus()
    qtbot.keyClick(controls.stop, Qt.Key.Key_Return)
    panels.idle(qtbot, panel)
    assert panel.focusWidget() is controls.play
    button = panel.shell.rail.buttons["help"]
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Return)
    assert panel.shell.name == "help"


def test_another_board_does_not_show_the_last_game(shown: panels.Shown, qtbot: QtBot) -> None:
    """Nothing of the game that was played in another window stays: no picture, no figure."""
    panel = shown(Tabletop(BEGINNER, EXPERT), Settings(games=1, theme="light"))
    surface = panel.surface
    with qtbot.waitSignal(panel.run_finished):
        panel.start()
    looks = panel.surface.status.text()
    assert surface.board_shown
    panel.look()
    qtbot.waitUntil(lambda: "Ready" in surface.status.text() or surface.status.text() != looks)
    assert surface.board_shown
    surface.chooser.select(1)
    assert not surface.board_shown
    assert surface.view.turn is None
    assert surface.details.game.value("Status") == surface.details.game.value("Turn")
    panel.start()
    qtbot.waitUntil(lambda: surface.view.turn is not None)
    assert surface.view.turn.reading.board.cols == 30


def test_a_list_opened_in_a_narrow_window_takes_the_place_of_the_board(
    shown: panels.Shown, qtbot: QtBot
) -> None:
    """As wide as the window, and closed when a game is played."""
    panel = shown(Tabletop(BEGINNER))
    surface, toggle = panel.surface, panel.surface.controls.sidebar
    panel.resize(panel.minimumWidth(), 420)
    qtbot.waitUntil(lambda: not surface.sidebar.isVisible())
    panels.press(qtbot, panel, Qt.Key.Key_F9)
    qtbot.waitUntil(surface.sidebar.isVisible)
    assert not surface.empty.isVisible()
    assert surface.status.isVisible()
    qtbot.waitUntil(lambda: surface.sidebar.width() == surface.controls.width())
    row = surface.chooser.view.sizeHintForRow(0)
    assert surface.chooser.view.viewport().height() >= 2 * row
    surface.chooser.view.setFocus()
    panels.press(qtbot, panel, Qt.Key.Key_F9)
    assert surface.empty.isVisible()
    assert panel.focusWidget() is toggle
    toggle.click()
    panel.start()
    qtbot.waitUntil(surface.view.isVisible)
    assert not surface.sidebar.isVisible()
    toggle.click()
    panel.resize(1000, 700)
    qtbot.waitUntil(lambda: surface.sidebar.isVisible() and surface.view.isVisible())
    assert surface.sidebar.mapTo(panel, QPoint()).x() < surface.view.mapTo(panel, QPoint()).x()


@pytest.mark.linux
def test_on_wayland_the_window_is_framed_and_stays_where_it_is(
    shown: panels.Shown, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the frame it is recognised on a shared screen; the boards there have other points."""
    from vision.desktop.wayland import WaylandDesktop  # noqa: PLC0415 - on Linux

    for module in ("gui.panel.window", "gui.panel.placement"):
        monkeypatch.setattr(f"{module}.desktop", WaylandDesktop)
    table = Tabletop(BEGINNER)
    table.region = Region(0, 0, 300, 300)
    panel = shown(table)
    place = panel.geometry()
    panel.start()
    panels.playing(qtbot, panel)
    assert panel.geometry() == place
    image = panel.grab().toImage()
    right, bottom = image.width() - 1, image.height() - 1
    for x, y in ((0, bottom // 2), (right, bottom // 2), (right // 2, 0), (right // 2, bottom)):
        assert image.pixelColor(x, y).getRgb()[:3] == OWN_FRAME
    panel.stop()
    panels.idle(qtbot, panel)
