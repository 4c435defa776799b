"""The panel as a window: settings, themes, closing, making way, and access for everybody."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from PyQt6.QtCore import QPoint, QRect, Qt
from PyQt6.QtGui import QCloseEvent, QGuiApplication
from PyQt6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QListView,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bot.frame import Region, Status
from bot.game import BEGINNER, Level
from bot.loop import Turn
from bot.planner import Action, Style
from gui.panel import SIZE, Panel
from gui.panel.theme import DARK, LIGHT
from gui.player import State
from gui.settings import AfterGame, Settings
from tests.gui.panels import ENDLESS, Shown, colors, idle, message, playing, press
from tests.gui.tabletop import Tabletop
from tests.vision.test_pruning import names, session
from vision.sessionfiles import keep

CROWDED = Level("crowded", 6, 6, 14)
"""Hardly ever won."""

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
    """From a click in a thousand seconds to all at once, in the middle of the wait."""
    panel = shown(Tabletop(BEGINNER), Settings(games=None, pace=0.001, theme="light"))
    panel.start()
    playing(qtbot, panel, 1)
    panel.surface.options.pace.setCurrentIndex(1)
    assert panel.settings.pace is None
    playing(qtbot, panel, 20)


def test_with_a_pace_a_turn_is_one_click(shown: Shown, qtbot: QtBot) -> None:
    """It is looked before every one, and a pause comes between any two."""
    table = Tabletop(BEGINNER)
    panel = shown(table, Settings(games=None, pace=1000, theme="light"))
    panel.start()
    playing(qtbot, panel, 30)
    assert {len(turn.moves) for turn in list(table.carried_out)} == {1}
    panel.surface.options.pace.setCurrentIndex(1)
    qtbot.waitUntil(lambda: any(len(turn.moves) > 1 for turn in list(table.carried_out)))


def test_choices_take_effect_in_the_middle_of_a_game(shown: Shown, qtbot: QtBot) -> None:
    """Solver, style and number of games; only which game it is has to wait."""
    table = Tabletop(BEGINNER)
    panel = shown(table)
    options = panel.surface.options
    panel.start()
    playing(qtbot, panel)
    assert not options.game_box.isEnabled()
    options.solver_box.setCurrentIndex(options.solver_box.findData("exact"))
    qtbot.waitUntil(lambda: _analysed(table.carried_out[-1]) == "exact")
    options.style_box.setCurrentIndex(1)
    qtbot.waitUntil(lambda: any(move.action is Action.FLAG for move in table.carried_out[-1].moves))
    options.games.setValue(panel.tally.games + 1)
    idle(qtbot, panel)


def _analysed(turn: Turn) -> str:
    return turn.analysis.method if turn.analysis else ""


@pytest.mark.parametrize("won", [True, False])
def test_a_pause_after_a_game(shown: Shown, qtbot: QtBot, won: bool) -> None:
    """The end is shown, and the next game waits until the user goes on."""
    pauses = {"after_win" if won else "after_loss": AfterGame.PAUSE}
    table = Tabletop(BEGINNER if won else CROWDED)
    panel = shown(table, Settings(games=None, theme="light", **pauses))
    panel.start()
    qtbot.waitUntil(lambda: panel.state is State.PAUSED)
    restarts = table.restarts
    wanted = Status.WON if won else Status.LOST
    qtbot.waitUntil(lambda: _shown_status(panel) is wanted)
    assert (panel.tally.won if won else panel.tally.games - panel.tally.won) == 1
    panel.pause_or_resume()
    qtbot.waitUntil(lambda: table.restarts > restarts)


def _shown_status(panel: Panel) -> Status | None:
    turn = panel.surface.view.turn
    return turn.reading.status if turn is not None else None


@pytest.mark.parametrize("won", [True, False])
def test_a_stop_after_a_game(shown: Shown, qtbot: QtBot, won: bool) -> None:
    """The run ends with the first game won, or lost."""
    stops = {"after_win" if won else "after_loss": AfterGame.STOP}
    table = Tabletop(BEGINNER if won else CROWDED)
    panel = shown(table, Settings(games=None, theme="light", **stops))
    panel.start()
    idle(qtbot, panel)
    lost = panel.tally.games - panel.tally.won
    assert (panel.tally.won if won else lost) == 1


def test_a_dialog_pauses_until_the_user_goes_on(shown: Shown, qtbot: QtBot) -> None:
    """It waits within the look; a stop ends the waiting as well."""
    table = Tabletop(BEGINNER)
    table.dialogs |= {2, 4}
    panel = shown(table)
    panel.start()
    qtbot.waitUntil(lambda: panel.state is State.PAUSED)
    assert len(table.carried_out) == 2
    panel.pause_or_resume()
    qtbot.waitUntil(lambda: len(table.carried_out) == 4 and panel.state is State.PAUSED)
    panel.stop()
    idle(qtbot, panel)
    assert message(panel) == ""


def test_recordings_beyond_the_limit_go(shown: Shown, qtbot: QtBot, tmp_path: Path) -> None:
    """At the start, and after the games; never one that is marked."""
    for number in range(1, 6):
        session(tmp_path, number)
    keep(tmp_path / "2026-01-01T12-00-00", kept=True)
    chosen = Settings(games=1, theme="light", sessions=str(tmp_path), keep_sessions=3)
    panel = shown(Tabletop(BEGINNER), chosen)
    qtbot.waitUntil(lambda: names(tmp_path) == [1, 4, 5])
    session(tmp_path, 6)
    panel.start()
    idle(qtbot, panel)
    qtbot.waitUntil(lambda: names(tmp_path) == [1, 5, 6])


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


def test_the_window_manager_closes_it(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where all that it waits for ends while it is still being told to close."""
    panel = Panel(Tabletop(BEGINNER), ENDLESS, save_settings=lambda _settings: None)
    panel.show()
    qtbot.waitUntil(lambda: panel.surface.chooser.current is not None)
    lookout, jobs = panel._lookout, panel._jobs
    qtbot.waitUntil(lambda: not jobs.running)
    end = lookout.end

    def end_at_once() -> None:
        end()
        assert lookout._errands.wait()

    monkeypatch.setattr(lookout, "end", end_at_once)
    window = panel.windowHandle()
    assert window is not None
    with qtbot.waitSignal(panel.closed):
        QApplication.sendEvent(window, QCloseEvent())


def test_it_makes_way_before_it_plays(shown: Shown, qtbot: QtBot) -> None:
    """The board that is to be played is not covered; the panel is as before when it is over."""
    table = Tabletop(BEGINNER)
    screen = QGuiApplication.primaryScreen()
    assert screen is not None
    room = screen.availableGeometry()
    table.region = Region(room.left(), room.top(), 150, 150)
    panel = shown(table)
    panel.move(QPoint(room.left() + 10, room.top() + 10))
    before = panel.geometry()
    panel.start()
    taken = QRect(*table.region)
    qtbot.waitUntil(lambda: not panel.frameGeometry().intersects(taken))
    assert not panel.isMinimized()
    panel.stop()
    idle(qtbot, panel)
    assert panel.geometry() == before


def test_without_room_it_goes_out_of_sight(shown: Shown, qtbot: QtBot) -> None:
    """A board over the whole screen: minimised with a note, and back when it ended."""
    table = Tabletop(BEGINNER)
    table.region = Region(0, 0, 10_000, 10_000)
    panel = shown(table)
    panel.start()
    qtbot.waitUntil(panel.isMinimized)
    assert "minimised" in panel.surface.banner.message.text()
    assert "F8 stops" in panel.surface.banner.message.text()
    assert panel.windowTitle().startswith("F8 stops")
    playing(qtbot, panel)
    panel.stop()
    idle(qtbot, panel)
    qtbot.waitUntil(lambda: not panel.isMinimized())
    assert message(panel) == ""
    assert panel.windowTitle() == "Minesweeper bot"


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


def test_no_button_lies_over_another(shown: Shown, qtbot: QtBot) -> None:
    """Where the list is opened in a narrow window the buttons show their signs alone."""
    panel = shown(Tabletop(BEGINNER))
    panel.resize(panel.minimumWidth(), 500)
    controls = panel.surface.controls
    controls.sidebar.setChecked(True)
    for width in (panel.minimumWidth() + 200, 1000, panel.minimumWidth() + 200):
        panel.resize(width, 500)
        controls.sidebar.setChecked(True)
        qtbot.waitUntil(lambda width=width: panel.width() == width)
        row = [controls.sidebar, controls.start, controls.assist]
        row += [controls.pause, controls.step, controls.stop]
        qtbot.waitUntil(
            lambda row=row: (
                all(
                    one.geometry().right() < other.geometry().left() for one, other in pairwise(row)
                )
                and row[-1].geometry().right() < controls.width()
            )
        )
        assert controls.step.accessibleName() == "Step, F7"
