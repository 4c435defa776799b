"""The panel as a window: settings, themes, closing, making way, and access for everybody."""

from __future__ import annotations

import pytest
from PyQt6.QtCore import QPoint, QRect, Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QLabel,
    QLineEdit,
    QListView,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bot.frame import Region
from bot.game import BEGINNER
from bot.planner import Action, Style
from gui.panel import SIZE, Panel
from gui.panel.theme import DARK, LIGHT
from gui.player import State
from gui.settings import Settings
from tests.gui.panels import ENDLESS, Shown, colors, idle, message, playing, press
from tests.gui.tabletop import Tabletop

# Settings


def test_settings_take_effect_and_are_saved(
    shown: Shown, qtbot: QtBot, saved: list[Settings]
) -> None:
    """Every control changes its setting, which is saved away from the main thread."""
    panel = shown(Tabletop(BEGINNER))
    options = panel.surface.options
    options.games.setValue(0)
    options.games.setValue(12)
    options.style_box.setCurrentIndex(1)
    options.pace.setCurrentIndex(2)
    options.record.setChecked(False)
    wanted = Settings(games=12, style=Style.FLAGS, pace=3.0, record=False, theme="light")
    assert panel.settings == wanted
    qtbot.waitUntil(lambda: bool(saved) and saved[-1] == wanted)
    options.games.setValue(0)
    assert panel.settings.games is None


def test_the_controls_begin_with_the_settings(shown: Shown) -> None:
    """What was chosen last is what the controls show, an unusual pace included."""
    chosen = Settings(games=None, style=Style.FLAGS, pace=7.5, theme="dark", record=False)
    panel = shown(Tabletop(), chosen)
    options = panel.surface.options
    assert options.games.value() == 0
    assert options.pace.currentData() == 7.5
    assert "7.5" in options.pace.currentText()
    assert options.theme.currentData() == "dark"
    assert options.style_box.currentData() is Style.FLAGS
    assert not options.record.isChecked()


def test_the_style_is_played(shown: Shown, qtbot: QtBot) -> None:
    """With flags chosen, mines are flagged."""
    table = Tabletop(BEGINNER)
    panel = shown(table)
    panel.surface.options.style_box.setCurrentIndex(1)
    panel.start()
    qtbot.waitUntil(
        lambda: any(
            move.action is Action.FLAG for turn in list(table.carried_out) for move in turn.moves
        )
    )


def test_the_speed_changes_in_the_middle_of_a_game(shown: Shown, qtbot: QtBot) -> None:
    """The player keeps the pace; only it can be changed while a game is on."""
    table = Tabletop(BEGINNER)
    panel = shown(table, Settings(games=None, pace=0.001, theme="light"))
    panel.start()
    playing(qtbot, panel, 1)
    assert table.settings is not None
    assert table.settings.pace is None
    options = panel.surface.options
    assert not options.games.isEnabled()
    assert not options.style_box.isEnabled()
    assert options.pace.isEnabled()
    assert options.theme.isEnabled()


def test_a_setting_that_cannot_be_saved_is_told(qtbot: QtBot) -> None:
    """A full disk is no reason to go on silently."""

    def full(_settings: Settings) -> None:
        raise OSError("the disk is full")

    panel = Panel(Tabletop(), Settings(theme="light"), save_settings=full)
    panel.show()
    panel.surface.options.record.setChecked(False)
    qtbot.waitUntil(lambda: "disk is full" in message(panel))
    with qtbot.waitSignal(panel.closed):
        panel.close()


def test_the_theme_changes_at_once(shown: Shown) -> None:
    """Light, dark, and back to what the system says."""
    panel = shown(Tabletop())

    assert colors(panel) == {LIGHT.window, LIGHT.text}
    panel.surface.options.theme.setCurrentIndex(2)
    assert colors(panel) == {DARK.window, DARK.text}
    panel.surface.options.theme.setCurrentIndex(0)
    assert colors(panel) == {LIGHT.window, LIGHT.text}


def test_the_theme_follows_the_system(
    shown: Shown, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the desktop turns dark, the panel does."""
    panel = shown(Tabletop(), Settings(theme="system"))
    monkeypatch.setattr("gui.panel.theme.system_theme", lambda: DARK)
    hints = QGuiApplication.styleHints()
    assert hints is not None
    with qtbot.waitSignal(hints.colorSchemeChanged):
        hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert colors(panel) == {DARK.window, DARK.text}


# The window


def test_closing_while_playing_stops_first(qtbot: QtBot) -> None:
    """It hides at once, ends the player and its errands, and closes only then."""
    table = Tabletop(BEGINNER)
    panel = Panel(table, ENDLESS, save_settings=lambda _settings: None)
    panel.show()
    qtbot.waitUntil(lambda: panel.surface.chooser.current is not None)
    panel.start()
    playing(qtbot, panel)
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


def test_closing_while_paused(qtbot: QtBot) -> None:
    """A player that waits for a step ends as well, and what it waited with is not done."""
    table = Tabletop(BEGINNER)
    panel = Panel(table, ENDLESS, save_settings=lambda _settings: None)
    panel.show()
    qtbot.waitUntil(lambda: panel.surface.chooser.current is not None)
    panel.step()
    qtbot.waitUntil(lambda: panel.surface.view.turn is not None)
    with qtbot.waitSignal(panel.closed):
        panel.close()
    assert table.carried_out == []


def test_it_makes_way_before_it_plays(shown: Shown, qtbot: QtBot) -> None:
    """The board that is to be played is not covered."""
    table = Tabletop(BEGINNER)
    screen = QGuiApplication.primaryScreen()
    assert screen is not None
    room = screen.availableGeometry()
    table.region = Region(room.left(), room.top(), 150, 150)
    panel = shown(table)
    panel.move(QPoint(room.left() + 10, room.top() + 10))
    panel.start()
    taken = QRect(*table.region)
    qtbot.waitUntil(lambda: not panel.frameGeometry().intersects(taken))
    assert not panel.isMinimized()


def test_without_room_it_goes_out_of_sight(shown: Shown, qtbot: QtBot) -> None:
    """A board over the whole screen: minimised with a note, and back when it ended."""
    table = Tabletop(BEGINNER)
    table.region = Region(0, 0, 10_000, 10_000)
    panel = shown(table)
    panel.start()
    qtbot.waitUntil(panel.isMinimized)
    assert "minimised" in panel.surface.banner.message.text()
    playing(qtbot, panel)
    panel.stop()
    idle(qtbot, panel)
    qtbot.waitUntil(lambda: not panel.isMinimized())


def test_a_narrow_window_hides_the_list(shown: Shown, qtbot: QtBot) -> None:
    """On 1024x768 at 200 % the buttons and the board have room; F9 brings the list back."""
    panel = shown(Tabletop(BEGINNER))
    assert panel.minimumWidth() <= 540
    assert panel.minimumHeight() <= 384
    # Screens smaller than the panel begin narrow.
    panel.resize(980, 700)
    qtbot.waitUntil(panel.surface.sidebar.isVisible)
    panel.resize(panel.minimumSize())
    qtbot.waitUntil(lambda: not panel.surface.sidebar.isVisible())
    press(qtbot, panel, Qt.Key.Key_F9)
    assert panel.surface.sidebar.isVisible()


def test_every_control_has_a_name(shown: Shown) -> None:
    """A screen reader has a word for everything that can have the focus."""
    panel = shown(Tabletop(BEGINNER))
    kinds = (QAbstractButton, QComboBox, QSpinBox, QListView)
    for kind in kinds:
        for control in panel.findChildren(kind):
            part_of_another = isinstance(control.parentWidget(), QComboBox) or _inside(control)
            assert part_of_another or control.accessibleName(), control
    assert panel.surface.view.accessibleName()
    assert panel.surface.legend.accessibleDescription()


def _inside(control: QWidget) -> bool:
    """Whether it is a part that Qt itself puts into another control."""
    parent = control.parentWidget()
    while parent is not None:
        if isinstance(parent, (QComboBox, QSpinBox, QLineEdit)):
            return True
        parent = parent.parentWidget()
    return False


def test_tab_goes_round_in_order(shown: Shown, qtbot: QtBot) -> None:
    """From Start over the list and the options, each once."""
    panel = shown(Tabletop(BEGINNER))
    surface = panel.surface
    panel.resize(980, 700)
    qtbot.waitUntil(surface.sidebar.isVisible)
    surface.controls.start.setFocus()
    wanted = [surface.controls.assist, surface.controls.step]
    wanted += [surface.chooser.view, surface.chooser.refresh]
    wanted += [surface.options.games, surface.options.style_box, surface.options.pace]
    wanted += [surface.options.theme, surface.options.record, surface.empty.simulate]
    for control in wanted:
        focused = panel.focusWidget()
        assert focused is not None
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
        assert panel.focusWidget() is control


def test_labels_are_plain_text(shown: Shown) -> None:
    """A window's title with markup in it stays text."""
    panel = shown(Tabletop())
    panel.surface.banner.tell("<b>bold</b>")
    assert panel.surface.banner.message.textFormat() is Qt.TextFormat.PlainText
    for label in panel.surface.details.findChildren(QLabel):
        assert label.textFormat() in (Qt.TextFormat.PlainText, Qt.TextFormat.AutoText)


def test_the_legend_stands_in_one_line_at_first(shown: Shown, qtbot: QtBot) -> None:
    """Beside the choice of layers, at the size of a panel on a large screen."""
    panel = shown(Tabletop(BEGINNER))
    panel.start()
    playing(qtbot, panel)
    legend = panel.surface.legend
    panel.resize(SIZE)
    qtbot.waitUntil(lambda: legend.isVisible() and panel.size() == SIZE)
    assert legend.heightForWidth(legend.width()) == legend.heightForWidth(10_000)
