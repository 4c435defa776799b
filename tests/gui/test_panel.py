"""The control panel: every button and shortcut, every state, and closing in mid-game."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PyQt6.QtCore import QPoint, QRect, Qt
from PyQt6.QtGui import QGuiApplication, QPalette
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

from bot.frame import Region, Status
from bot.game import BEGINNER, EXPERT, INTERMEDIATE
from bot.loop import Turn
from bot.planner import Action, Style
from gui import lookout
from gui.boardview import Show
from gui.candidates import SIMULATED
from gui.failures import Failure
from gui.panel import Panel
from gui.player import State
from gui.settings import Settings
from gui.theme import DARK, LIGHT
from gui.throttle import REPAINTS, Throttle
from tests.gui.tabletop import Tabletop

Shown = Callable[..., Panel]

ENDLESS = Settings(games=None, theme="light")


@pytest.fixture
def saved() -> list[Settings]:
    """What the panel asked to be saved."""
    return []


@pytest.fixture
def shown(qtbot: QtBot, saved: list[Settings]) -> Iterator[Shown]:
    """Makes a panel on a backend, shown; closed at the test's end, whatever it does."""
    panels: list[tuple[Panel, list[bool]]] = []

    def make(table: Tabletop, settings: Settings = ENDLESS) -> Panel:
        panel = Panel(table, settings, save_settings=saved.append)
        closed: list[bool] = []
        panel.closed.connect(lambda: closed.append(True))
        panels.append((panel, closed))
        panel.show()
        qtbot.waitUntil(lambda: table.looks > 0 and "Looking" not in title(panel))
        return panel

    yield make
    for panel, closed in panels:
        panel.close()
        qtbot.waitUntil(lambda closed=closed: bool(closed))
        panel.deleteLater()


def title(panel: Panel) -> str:
    """The headline where the board will be."""
    return panel.surface.empty.title.text()


def message(panel: Panel) -> str:
    """What the banner says; empty while it is hidden."""
    banner = panel.surface.banner
    return banner.message.text() if banner.isVisible() else ""


def press(qtbot: QtBot, panel: Panel, key: Qt.Key) -> None:
    """A key, wherever the focus is."""
    qtbot.keyClick(panel, key)


def playing(qtbot: QtBot, panel: Panel, turns: int = 3) -> None:
    """Wait until some turns were played."""
    qtbot.waitUntil(lambda: panel.tally.turns >= turns)


def idle(qtbot: QtBot, panel: Panel) -> None:
    """Wait until the player has ended."""
    qtbot.waitUntil(lambda: panel.state is State.IDLE)


# The list of windows


def test_no_window_is_told_with_what_to_do(shown: Shown) -> None:
    """The empty state says what to do, and the simulated window is there to choose."""
    panel = shown(Tabletop())
    assert title(panel) == "No Minesweeper window found"
    assert "simulated window" in panel.surface.empty.advice.text()
    assert panel.surface.chooser.model.index(0).data() == SIMULATED
    assert panel.surface.chooser.current is None
    assert "no boards" in panel.surface.status.text()


def test_boards_are_listed_with_all_that_is_known(shown: Shown) -> None:
    """Title, skin, size and mines of every board, the first one chosen, a picture beside it."""
    panel = shown(Tabletop(EXPERT, BEGINNER))
    model = panel.surface.chooser.model
    assert model.rowCount() == 3
    told = model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    for part in ("Tabletop expert", "classic", "30", "16", "99 mines"):
        assert part in told
    assert not model.index(0).data(Qt.ItemDataRole.DecorationRole).isNull()
    assert model.index(2).data() == SIMULATED
    assert model.data(model.index(9)) is None
    assert panel.surface.chooser.current is not None
    assert panel.surface.chooser.current.cols == 30
    assert title(panel) == "Ready to play"


def test_boards_are_looked_for_away_from_the_main_thread(shown: Shown) -> None:
    """The main thread never looks."""
    table = Tabletop(BEGINNER)
    shown(table)
    assert table.threads["boards"] is not threading.main_thread()


def test_refresh_finds_what_was_opened_since(shown: Shown, qtbot: QtBot) -> None:
    """The button looks again."""
    table = Tabletop()
    panel = shown(table)
    table.levels.append(BEGINNER)
    qtbot.mouseClick(panel.surface.chooser.refresh, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.surface.chooser.current is not None)


def test_it_refreshes_by_itself(
    shown: Shown, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While nothing is played, it looks every few seconds."""
    monkeypatch.setattr(lookout, "LOOK_EVERY", 20)
    table = Tabletop()
    panel = shown(table)
    table.levels.append(BEGINNER)
    qtbot.waitUntil(lambda: panel.surface.chooser.current is not None)


def test_it_does_not_look_while_it_plays(
    shown: Shown, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look would take time from the game."""
    monkeypatch.setattr(lookout, "LOOK_EVERY", 5)
    table = Tabletop(BEGINNER)
    panel = shown(table)
    panel.start()
    playing(qtbot, panel)
    # One may have been asked for just before.
    looks = table.looks + 1
    playing(qtbot, panel, panel.tally.turns + 30)
    assert table.looks <= looks


def test_the_choice_survives_a_refresh(shown: Shown, qtbot: QtBot) -> None:
    """A board stays chosen by what it is, not by its row."""
    table = Tabletop(EXPERT, BEGINNER)
    panel = shown(table)
    panel.surface.chooser.select(1)
    table.levels.append(INTERMEDIATE)
    panel.look()
    qtbot.waitUntil(lambda: len(panel.surface.chooser.model.found) == 3)
    assert panel.surface.chooser.current is not None
    assert panel.surface.chooser.current.key == ("beginner", 1)


def test_a_look_that_fails_is_told_once(shown: Shown, qtbot: QtBot) -> None:
    """What goes wrong at every look does not come back after it was dismissed."""
    table = Tabletop(BEGINNER)
    panel = shown(table)
    table.levels.clear()
    table.error = RuntimeError("the screen cannot be read")
    panel.look()
    qtbot.waitUntil(lambda: "cannot be read" in message(panel))
    assert table.threads["failure"] is not threading.main_thread()
    panel.surface.banner.dismiss.click()
    looks = table.looks
    panel.look()
    qtbot.waitUntil(lambda: table.looks > looks)
    table.error, table.levels = None, [EXPERT]
    # Asked for until the look under way is over.
    qtbot.waitUntil(lambda: panel.look() or panel.surface.chooser.current is not None)
    assert message(panel) == ""


# The simulated window


def test_choosing_the_simulated_window_opens_one(shown: Shown, qtbot: QtBot) -> None:
    """A click on its row opens it, in another thread, and chooses it."""
    table = Tabletop()
    panel = shown(table)
    view = panel.surface.chooser.view
    place = view.visualRect(view.model().index(0, 0)).center()
    viewport = view.viewport()
    assert viewport is not None
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: panel.surface.chooser.current is not None)
    assert table.simulators == 1
    assert table.threads["open"] is not threading.main_thread()
    assert panel.state is State.IDLE


def test_enter_opens_it_too(shown: Shown, qtbot: QtBot) -> None:
    """By keyboard alone."""
    table = Tabletop()
    panel = shown(table)
    qtbot.keyClick(panel.surface.chooser.view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.surface.chooser.current is not None)
    assert table.simulators == 1


@pytest.mark.parametrize("way", ["start", "page"])
def test_starting_with_none_open_opens_and_plays(way: str, shown: Shown, qtbot: QtBot) -> None:
    """Start, or the button of the empty page: opened, found and played."""
    table = Tabletop()
    panel = shown(table)
    surface = panel.surface
    button = surface.controls.start if way == "start" else surface.empty.simulate
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not surface.controls.start.isEnabled()
    assert "Opening" in surface.status.text()
    playing(qtbot, panel)
    assert table.simulators == 1


def test_a_simulated_window_that_cannot_be_seen(
    shown: Shown, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a while the panel says so, and one can start again."""
    monkeypatch.setattr(lookout, "OPENING_PATIENCE", 30)
    monkeypatch.setattr(lookout, "OPENING_EVERY", 5)
    table = Tabletop()
    table.appears = False
    panel = shown(table)
    panel.start()
    qtbot.waitUntil(lambda: "cannot be seen" in message(panel))
    assert panel.surface.controls.start.isEnabled()


def test_stop_waits_for_it_no_longer(shown: Shown, qtbot: QtBot) -> None:
    """Esc while a simulated window is opening: it is not played when it comes."""
    table = Tabletop()
    table.appears = False
    panel = shown(table)
    panel.start()
    qtbot.waitUntil(lambda: table.simulators == 1)
    press(qtbot, panel, Qt.Key.Key_Escape)
    assert panel.surface.controls.start.isEnabled()
    table.levels.append(BEGINNER)
    qtbot.waitUntil(lambda: panel.look() or panel.surface.chooser.current is not None)
    assert panel.state is State.IDLE


# Start, pause, step, stop


def test_which_buttons_make_sense_when(shown: Shown, qtbot: QtBot) -> None:
    """Idle, playing, paused: only what can be done can be pressed."""
    panel = shown(Tabletop(BEGINNER))
    controls = panel.surface.controls

    def enabled() -> str:
        buttons = (controls.start, controls.pause, controls.step, controls.stop)
        return "".join(
            letter if button.isEnabled() else "-"
            for letter, button in zip("SPTX", buttons, strict=True)
        )

    assert enabled() == "S-T-"
    controls.start.click()
    assert enabled() == "-P-X"
    controls.pause.click()
    assert enabled() == "-PTX"
    assert controls.pause.text().startswith("Resume")
    controls.pause.click()
    assert controls.pause.text().startswith("Pause")
    controls.stop.click()
    assert enabled() == "----"
    assert "Stopping" in panel.surface.status.text()
    idle(qtbot, panel)
    assert enabled() == "S-T-"


def test_the_shortcuts_are_shown_and_work(shown: Shown, qtbot: QtBot) -> None:
    """F5 starts, F6 pauses and resumes, F7 steps, Esc stops; the buttons say so."""
    table = Tabletop(BEGINNER)
    panel = shown(table)
    controls = panel.surface.controls
    for button, key in (
        (controls.start, "F5"),
        (controls.pause, "F6"),
        (controls.step, "F7"),
        (controls.stop, "Esc"),
    ):
        assert key in button.text()
        assert key in button.toolTip()
    press(qtbot, panel, Qt.Key.Key_F5)
    playing(qtbot, panel)
    press(qtbot, panel, Qt.Key.Key_F6)
    assert panel.state is State.PAUSED
    press(qtbot, panel, Qt.Key.Key_F6)
    playing(qtbot, panel, panel.tally.turns + 2)
    press(qtbot, panel, Qt.Key.Key_F6)
    qtbot.waitUntil(lambda: len(table.carried_out) == panel.tally.turns - 1)
    turns = panel.tally.turns
    press(qtbot, panel, Qt.Key.Key_F7)
    qtbot.waitUntil(lambda: panel.tally.turns == turns + 1)
    assert len(table.carried_out) == turns
    press(qtbot, panel, Qt.Key.Key_Escape)
    idle(qtbot, panel)


def test_a_step_from_idle_shows_the_first_turn_only(shown: Shown, qtbot: QtBot) -> None:
    """Nothing is carried out before the second step."""
    table = Tabletop(BEGINNER)
    panel = shown(table)
    press(qtbot, panel, Qt.Key.Key_F7)
    qtbot.waitUntil(lambda: panel.surface.view.turn is not None)
    assert panel.state is State.PAUSED
    assert "not been carried out" in panel.surface.status.text()
    assert table.carried_out == []
    press(qtbot, panel, Qt.Key.Key_F7)
    qtbot.waitUntil(lambda: panel.tally.turns == 2)
    assert len(table.carried_out) == 1


def test_nothing_is_carried_out_after_stop(shown: Shown, qtbot: QtBot) -> None:
    """The generator is closed in its own thread, and the turn that was shown stays undone."""
    table = Tabletop(BEGINNER)
    panel = shown(table)
    panel.step()
    qtbot.waitUntil(lambda: panel.surface.view.turn is not None)
    panel.surface.controls.stop.click()
    idle(qtbot, panel)
    assert table.carried_out == []
    assert table.stopped.is_set()
    assert table.threads["closed"] is table.threads["turns"]
    assert table.threads["turns"] is not threading.main_thread()


def test_it_can_be_started_again(shown: Shown, qtbot: QtBot) -> None:
    """After a stop, another start plays on; the score of the same board goes on too."""
    panel = shown(Tabletop(BEGINNER))
    panel.start()
    playing(qtbot, panel)
    panel.stop()
    idle(qtbot, panel)
    turns = panel.tally.turns
    panel.start()
    playing(qtbot, panel, turns + 3)


def test_start_twice_is_start_once(shown: Shown, qtbot: QtBot) -> None:
    """Keys pressed at the wrong moment do nothing."""
    table = Tabletop(BEGINNER)
    panel = shown(table)
    panel.pause_or_resume()
    panel.stop()
    panel.start()
    panel.start()
    panel.open_simulator()
    playing(qtbot, panel)
    assert table.simulators == 0
    panel.stop()
    idle(qtbot, panel)


# What is shown


def test_the_games_are_counted(shown: Shown, qtbot: QtBot) -> None:
    """It ends by itself after the games asked for, and says how they went."""
    table = Tabletop(BEGINNER)
    panel = shown(table, Settings(games=3, theme="light"))
    with qtbot.waitSignal(panel.run_finished):
        panel.start()
    won = sum(turn.reading.status is Status.WON for turn in _ends(panel, table))
    assert panel.tally.games == 3
    assert panel.tally.won == won
    score = panel.surface.details.score
    assert score.figure("Games") == "3"
    assert score.figure("Won") == str(won)
    assert score.figure("Rate") == f"{won / 3:.1%}"
    assert f"3 games played, {won} won" in panel.surface.status.text()
    assert "That was the last one" in panel.surface.details.reason.text()


def _ends(panel: Panel, table: Tabletop) -> list[Turn]:
    last = panel.surface.view.turn
    assert last is not None
    return [turn for turn in table.carried_out if turn.reading.status.over] + [last]


def test_a_turn_is_put_into_words(shown: Shown, qtbot: QtBot) -> None:
    """Reason, next moves in order, status, turn, mines, and the time by stage."""
    panel = shown(Tabletop(EXPERT))
    panel.step()
    qtbot.waitUntil(lambda: panel.surface.view.turn is not None)
    details, turn = panel.surface.details, panel.surface.view.turn
    assert turn is not None
    assert turn.analysis is not None
    assert turn.analysis.reason[1:] in details.reason.text()
    cell = turn.moves[0].cell
    assert cell is not None
    assert f"1. Row {cell.row}, col {cell.col}: " in details.moves.text()
    assert details.game.figure("Status") == "Playing"
    assert details.game.figure("Turn") == "0"
    assert details.game.figure("Mines") == "99"
    assert "ms" in details.time.figure("Think")
    assert panel.surface.board_shown


def test_many_moves_are_counted(shown: Shown, qtbot: QtBot) -> None:
    """A long list of moves is cut, and says how many more there are."""
    panel = shown(Tabletop(EXPERT))
    turns: list[Turn] = []
    panel.turn_played.connect(turns.append)
    panel.start()
    qtbot.waitUntil(lambda: any(len(turn.moves) > 6 for turn in turns))
    panel.stop()
    idle(qtbot, panel)
    turn = next(turn for turn in turns if len(turn.moves) > 6)
    panel.surface.details.show_turn(turn, panel.tally)
    lines = panel.surface.details.moves.text().splitlines()
    assert len(lines) == 4
    assert lines[-1] == f"and {len(turn.moves) - 3} more"


def test_the_layers_are_switched(shown: Shown, qtbot: QtBot) -> None:
    """Frame, parsed, both: by button and by key."""
    panel = shown(Tabletop(BEGINNER))
    assert panel.surface.view.layers is Show.BOTH
    panel.step()
    qtbot.waitUntil(lambda: panel.surface.view.turn is not None)
    qtbot.mouseClick(panel.surface.layers.buttons[Show.FRAME], Qt.MouseButton.LeftButton)
    assert panel.surface.view.layers is Show.FRAME
    qtbot.keyClick(panel, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert panel.surface.view.layers is Show.PARSED
    assert panel.surface.layers.buttons[Show.PARSED].isChecked()


def test_repaints_are_few_and_the_newest_wins(qtbot: QtBot) -> None:
    """A thousand values at once become at most two, the last one among them."""
    throttle = Throttle()
    passed: list[object] = []
    throttle.passed.connect(passed.append)
    for value in range(1, 1001):
        throttle.offer(value)
    qtbot.waitUntil(lambda: passed[-1] == 1000)
    assert passed == [1, 1000]
    assert REPAINTS <= 30


# Trouble


def test_a_failure_is_told_in_words(shown: Shown, qtbot: QtBot) -> None:
    """The message is shown, the report can be copied, and one can start again."""
    table = Tabletop(BEGINNER)
    table.error = RuntimeError("the window was closed")
    panel = shown(table)
    with qtbot.waitSignal(panel.failed):
        panel.start()
    idle(qtbot, panel)
    assert message(panel) == "the window was closed"
    banner = panel.surface.banner
    assert not banner.picture.isVisible()
    qtbot.mouseClick(banner.copy, Qt.MouseButton.LeftButton)
    clipboard = QGuiApplication.clipboard()
    assert clipboard is not None
    assert "the window was closed" in clipboard.text()
    assert "report of RuntimeError" in clipboard.text()
    assert banner.copy.text() == "Copied"
    table.error = None
    panel.start()
    playing(qtbot, panel)
    assert message(panel) == ""


def test_a_failure_names_its_picture(shown: Shown, tmp_path: Path) -> None:
    """Where the frame was saved is told; what was foreseen has no report to copy."""
    panel = shown(Tabletop())
    panel.surface.banner.tell_failure(Failure("It moved.", tmp_path / "frame.png"))
    assert str(tmp_path / "frame.png") in message(panel)
    assert panel.surface.banner.picture.isVisible()
    assert not panel.surface.banner.copy.isVisible()
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


def test_known_mines_are_not_asked_for(shown: Shown) -> None:
    """The question is only there where it has to be answered."""
    panel = shown(Tabletop(BEGINNER))
    assert not panel.surface.options.mines.isVisible()


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


def colors(panel: Panel) -> set[str]:
    """The window's ground, and the inks of parts deep inside it."""
    surface, role = panel.surface, QPalette.ColorRole
    parts = (surface.chooser.view, surface.options.games, surface.legend, surface.details.reason)
    inks = {part.palette().color(role.WindowText).name() for part in parts}
    return {panel.palette().color(role.Window).name(), *inks}


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
    monkeypatch.setattr("gui.theme.system_theme", lambda: DARK)
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
    wanted = [surface.controls.step, surface.chooser.view, surface.chooser.refresh]
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
