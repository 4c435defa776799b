"""The control panel at play: buttons and shortcuts, what is shown, and trouble."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from bot.frame import Status
from bot.game import BEGINNER, EXPERT, Level
from bot.solver.warmup import IN_WORDS, PREPARATION, ROLLOUT_PREPARATION
from gui.panel import SIZE
from gui.runner.protocol import State
from gui.settings import Settings
from tests.gui.panels import Shown, idle, message, playing, press
from tests.gui.tabletop import Tabletop
from vision.desktop import AccessRefused
from vision.tracking.tracked_board import WindowClosed

pytestmark = pytest.mark.long

# Play, pause, step, stop


def test_a_run_is_controlled_by_buttons_and_keys(shown: Shown, qtbot: QtBot) -> None:
    """What cannot be done cannot be pressed, nor its key; the end says what stopped it."""
    table = Tabletop(BEGINNER)
    panel = shown(table)
    controls, status = panel.surface.controls, panel.surface.status
    buttons = (controls.play, controls.pause, controls.step, controls.stop)

    def enabled() -> str:
        return "".join(
            letter if button.isEnabled() else "-"
            for letter, button in zip("YPTX", buttons, strict=True)
        )

    panel.resize(SIZE)
    keys = [*zip(buttons, ("F5", "F6", "F7", "Esc"), strict=True), (controls.assist, "F4")]
    qtbot.waitUntil(lambda: all(key in button.text() for button, key in keys))
    assert enabled() == "Y-T-"
    for key in (Qt.Key.Key_F6, Qt.Key.Key_Escape):
        press(qtbot, panel, key)
    assert panel.state is State.IDLE
    for _ in range(2):
        press(qtbot, panel, Qt.Key.Key_F5)
    panel.show_demo()
    assert enabled() == "-P-X"
    playing(qtbot, panel)
    assert table.simulators == 0
    controls.pause.click()
    assert enabled() == "-PTX"
    assert controls.pause.text().startswith("Resume")
    press(qtbot, panel, Qt.Key.Key_F6)
    playing(qtbot, panel, panel.statistics.turns + 2)
    press(qtbot, panel, Qt.Key.Key_F6)
    qtbot.waitUntil(lambda: len(table.carried_out) == panel.statistics.turns - 1)
    turns = panel.statistics.turns
    press(qtbot, panel, Qt.Key.Key_F7)
    qtbot.waitUntil(lambda: panel.statistics.turns == turns + 1)
    assert len(table.carried_out) == turns
    press(qtbot, panel, Qt.Key.Key_Escape)
    assert enabled() == "----"
    assert "Stopping" in status.text()
    idle(qtbot, panel)
    assert enabled() == "Y-T-"
    assert status.text().startswith("Stopped with Esc. ")
    assert panel.surface.details.game.value("Status") in ("Stopped", "Lost", "Won")
    panel.start()
    playing(qtbot, panel)
    controls.stop.click()
    idle(qtbot, panel)
    assert status.text().startswith("Stopped with the Stop button. ")
    assert "played" in status.text()


def test_waiting_for_the_compiler_is_shown(
    shown: Shown, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the status line, while it plays and only then."""
    panel = shown(Tabletop(BEGINNER))
    surface = panel.surface
    monkeypatch.setattr(PREPARATION, "compiling", True)
    assert IN_WORDS not in surface.status.text()
    surface.controls.play.click()
    playing(qtbot, panel)
    assert IN_WORDS in surface.status.text()
    monkeypatch.setattr(PREPARATION, "compiling", False)
    surface.options.games.setValue(7)
    qtbot.waitUntil(lambda: re.fullmatch(r"Playing game \d of 7", surface.status.text()))


# Thinking


def test_a_long_guess_shows_its_state_until_it_is_wanted(shown: Shown, qtbot: QtBot) -> None:
    """The cells that are compared, the games and the time; it is not counted. Move now ends it.

    So does a pause: its move is shown, and waits.
    """
    ROLLOUT_PREPARATION.wait()
    table = Tabletop(Level("dense", 16, 16, 60))
    panel = shown(table, Settings(games=None, theme="light", simulate=600))
    assert not panel.surface.move_now.isEnabled()
    panel.start()
    qtbot.waitUntil(lambda: panel.run.thinking)
    surface, turn = panel.surface, panel.surface.view.turn
    assert "Thinking about a guess" in surface.status.text()
    assert re.search(r"games simulated, \d+ s left", surface.details.reason.text())
    assert len(turn.analysis.evidence.cells) > 1
    assert turn.reading.board.tiles[turn.analysis.best] < 0
    assert panel.statistics.turns == len(table.carried_out)
    turns = len(table.carried_out)
    panel.surface.move_now.click()
    qtbot.waitUntil(lambda: len(table.carried_out) > turns and panel.run.thinking)
    turns = len(table.carried_out)
    panel.surface.controls.pause.click()
    qtbot.waitUntil(lambda: not panel.run.thinking)
    assert panel.state is State.PAUSED
    assert "moves shown are next" in panel.surface.status.text()
    assert not panel.surface.move_now.isEnabled()
    assert panel.surface.view.turn.moves
    assert len(table.carried_out) == turns


def test_pause_does_what_it_said_when_it_was_pressed(shown: Shown, qtbot: QtBot) -> None:
    """A run that pauses by itself while the button is down stays paused, and vice versa."""
    panel = shown(Tabletop(BEGINNER))
    button, left = panel.surface.controls.pause, Qt.MouseButton.LeftButton
    panel.start()
    playing(qtbot, panel)
    qtbot.mousePress(button, left)
    panel.run.pause()
    qtbot.waitUntil(lambda: "Resume" in button.accessibleName())
    qtbot.mouseRelease(button, left)
    assert panel.state is State.PAUSED
    qtbot.mousePress(button, left)
    panel.run.resume()
    qtbot.waitUntil(lambda: "Pause" in button.accessibleName())
    qtbot.mouseRelease(button, left)
    assert panel.state is State.PLAYING
    press(qtbot, panel, Qt.Key.Key_F6)
    assert panel.state is State.PAUSED


# What is shown


def test_the_games_are_counted(shown: Shown, qtbot: QtBot) -> None:
    """It ends by itself after the games asked for, and says how they went, level by level."""
    table = Tabletop(BEGINNER)
    panel = shown(table, Settings(games=3, theme="light"))
    texts: list[str] = []
    panel.run.state_changed.connect(lambda: texts.append(panel.surface.status.text()))
    panel.start()
    idle(qtbot, panel)
    assert {"Playing game 2 of 3", "Playing game 3 of 3"} <= set(texts)
    ends = [turn for turn in table.carried_out if turn.reading.status.over]
    ends.append(panel.surface.view.turn)
    won = sum(turn.reading.status is Status.WON for turn in ends)
    score = panel.surface.details.score
    shares = [score.value(name) for name in ("Games", "Won", "Rate")]
    assert shares == ["3", str(won), "100%" if won == 3 else f"{won / 3:.1%}"]
    assert f"3 games played, {won} won" in panel.surface.status.text()
    # The score goes on with the next run, and begins anew with another level.
    for follows, games in ((None, "6"), (Level("small", 6, 6, 4), "2")):
        table.follows = follows
        panel.start()
        idle(qtbot, panel)
        assert score.value("Games") == games
        said = f"{games} games played, {score.value('Won')} won with this board. "
        assert panel.surface.status.text().startswith(said)


def test_a_turn_and_remarks_about_it_are_shown(shown: Shown, qtbot: QtBot) -> None:
    """Reason, next moves, status, mines, time; remarks as long as there are any."""
    table = Tabletop(EXPERT)
    table.mines_left = 87
    table.remarks = ("the counter shows 90 mines, but this level has 99", "the clock stands still")
    panel = shown(table)
    details = panel.surface.details
    assert details.remarks.isHidden()
    panel.step()
    qtbot.waitUntil(lambda: panel.surface.view.turn is not None)
    turn = panel.surface.view.turn
    said = "The counter shows 90 mines, but this level has 99. The clock stands still."
    assert details.remarks.text() == said
    assert details.remarks.isVisible()
    assert details.game.value("Mines") == "87 / 99"
    assert turn.analysis.reason[1:] in details.reason.text()
    cell = turn.moves[0].cell
    assert f"1. Row {cell.row + 1}, col {cell.col + 1}: " in details.moves.text()
    assert (details.game.value("Status"), details.game.value("Turn")) == ("Paused", "0")
    details.show_turn(replace(turn, reading=replace(turn.reading, remarks=())), panel.statistics)
    assert details.remarks.text() == ""
    details.clear()
    assert details.remarks.isHidden()


def test_failure_of_a_run_is_shown(shown: Shown, qtbot: QtBot) -> None:
    """Its report can be copied, and one can start again. A game that the user closes is none."""
    table = Tabletop(BEGINNER, BEGINNER)
    panel = shown(table)
    table.error = WindowClosed("the window 'Mines' was closed")
    panel.start()
    qtbot.waitUntil(lambda: panel.run.outcome != "")
    assert panel.run.outcome == "The window 'Mines' was closed. "
    assert panel.surface.status.text().startswith(panel.run.outcome)
    assert message(panel) == ""
    table.error = RuntimeError("no picture was read")
    panel.surface.chooser.select(1)
    with qtbot.waitSignal(panel.failed):
        panel.surface.controls.play.click()
    idle(qtbot, panel)
    assert message(panel) == "No picture was read."
    banner = panel.surface.banner
    assert not banner.picture.isVisible()
    qtbot.mouseClick(banner.copy, Qt.MouseButton.LeftButton)
    copied = QGuiApplication.clipboard().text()
    assert "No picture was read" in copied
    assert "report of RuntimeError" in copied
    assert banner.copy.text() == "Copied"
    table.error = None
    panel.start()
    playing(qtbot, panel)
    assert message(panel) == ""


def test_obstacle_is_shown_while_it_lasts(shown: Shown, qtbot: QtBot) -> None:
    """A run that paused: until it goes on, by Step too, and not after it was stopped."""
    table = Tabletop(EXPERT)
    table.dialogs = {2, 3, 4}
    panel = shown(table)
    panel.start()
    for goes_on in (partial(panel.pause_or_resume, resume=True), panel.step, panel.stop):
        qtbot.waitUntil(lambda: "A dialog is open" in message(panel))
        assert panel.state is State.PAUSED
        assert panel.surface.details.game.value("Status") == "Paused"
        turns = panel.statistics.turns
        goes_on()
        assert message(panel) == ""
        if goes_on == panel.step:
            # Paused before the next turn, by the step itself.
            qtbot.waitUntil(lambda turns=turns: panel.statistics.turns > turns)
            panel.pause_or_resume(resume=True)
    idle(qtbot, panel)
    assert message(panel) == ""


def test_message_of_a_hidden_board_ends_when_it_is_visible(shown: Shown, qtbot: QtBot) -> None:
    """What ended the run is shown while it holds; a look that sees the board removes it."""
    table = Tabletop(BEGINNER)
    table.error, table.unseen = RuntimeError("'Notes' lies over it"), True
    panel = shown(table)
    panel.start()
    qtbot.waitUntil(lambda: "lies over it" in message(panel))
    idle(qtbot, panel)
    table.covered_boards = True
    chooser = panel.surface.chooser
    qtbot.waitUntil(lambda: panel.look() or chooser.found[0].covered)
    assert "lies over it" in message(panel)
    table.covered_boards = False
    qtbot.waitUntil(lambda: panel.look() or not chooser.found[0].covered)
    assert message(panel) == ""


@pytest.mark.parametrize("hidden", [True, False])
def test_paused_run_ends_with_its_window(shown: Shown, qtbot: QtBot, hidden: bool) -> None:
    """Paused for a hidden board or by the user; no error, and another board can be played.

    A window that its program replaces does not end it.
    """
    table = Tabletop(BEGINNER)
    if hidden:
        table.dialogs, table.unseen = {2}, True
    panel = shown(table)
    panel.start(paused=not hidden)
    qtbot.waitUntil(lambda: panel.surface.details.game.value("Status") == "Paused")
    table.closed = frozenset({panel.surface.chooser.current.key})
    table.levels.append(BEGINNER)
    other = table.candidate(1).key
    qtbot.waitUntil(lambda: panel.look() or panel.surface.chooser.current.key == other)
    assert panel.state is State.PAUSED
    table.closed |= {other}
    table.levels.clear()
    # The panel's own search finds it.
    idle(qtbot, panel)
    assert message(panel) == ""
    assert panel.run.outcome == "The window 'Tabletop beginner' was closed. "
    assert panel.surface.controls.play.isEnabled()


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


def test_a_number_of_mines_is_of_one_board(shown: Shown, qtbot: QtBot) -> None:
    """Where it is not known there is a field; a run has it; it becomes known, and is fixed."""
    table = Tabletop(BEGINNER, EXPERT, mines_known=False)
    panel = shown(table)
    mines, chooser = panel.surface.options.mines, panel.surface.chooser
    assert (mines.isEnabled(), mines.value(), mines.maximum()) == (True, 0, 80)
    panel.start()
    playing(qtbot, panel)
    assert table.settings.mines is None
    panel.stop()
    idle(qtbot, panel)
    # Digits replace the question mark, as the field was reached by the keyboard or a click.
    mines.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClicks(mines, "10")
    looks = table.looks
    qtbot.waitUntil(lambda: panel.look() or table.looks > looks + 1)
    assert mines.value() == 10
    row = chooser.view.item(0)
    assert "10 mines" in row.data(Qt.ItemDataRole.AccessibleTextRole)
    panel.start()
    qtbot.waitUntil(lambda: table.settings is not None and table.settings.mines == 10)
    assert panel.settings.mines is None
    panel.stop()
    idle(qtbot, panel)
    chooser.select(1)
    assert mines.value() == 0
    assert "mines unknown" in row.data(Qt.ItemDataRole.AccessibleTextRole)
    qtbot.mouseClick(mines.findChild(QLineEdit), Qt.MouseButton.LeftButton)
    qtbot.keyClicks(mines, "12")
    assert mines.value() == 12
    table.mines_known = True
    qtbot.waitUntil(lambda: panel.look() or mines.value() == 99)
    assert not mines.isEnabled()


def test_a_number_said_before_is_shown_and_can_be_changed(shown: Shown, qtbot: QtBot) -> None:
    """Unless another is given at the start. A run gets the one that is shown; '?' forgets it."""
    table = Tabletop(BEGINNER)
    table.mines_said = True
    panel = shown(table)
    mines = panel.surface.options.mines
    assert (mines.isEnabled(), mines.value()) == (True, 10)
    for number in (10, 12, 0):
        mines.setValue(number)
        panel.start()
        qtbot.waitUntil(lambda n=number: table.settings is not None and table.settings.mines == n)
        panel.stop()
        idle(qtbot, panel)
    assert shown(table, Settings(mines=20)).surface.options.mines.value() == 20
