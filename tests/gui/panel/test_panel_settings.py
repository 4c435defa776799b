"""The panel's settings: what they change, in the middle of a game too, and how they are kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QGuiApplication, QWheelEvent
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bot.frame import Status
from bot.game import BEGINNER, Level
from bot.planner import Action, Style
from gui.panel.theme import DARK
from gui.runner.protocol import State
from gui.settings import AfterGame, Settings
from tests.gui import panels
from tests.gui.tabletop import Tabletop
from tests.vision.sessions.test_pruning import names, session
from vision.sessions.session_files import keep

CROWDED = Level("crowded", 6, 6, 14)
"""Hardly ever won."""


def test_settings_are_shown_and_take_effect_in_the_middle_of_a_game(
    shown: panels.Shown, qtbot: QtBot, saved: list[Settings]
) -> None:
    """Speed, solver, style and number of games; an unusual pace is shown; all of it is saved."""
    table = Tabletop(BEGINNER)
    panel = shown(table, Settings(games=None, style=Style.CHORDS, pace=0.007, theme="light"))
    options = panel.surface.options
    assert options.games.value() == 0
    assert options.pace.pace == 0.007
    panel.start()
    panels.playing(qtbot, panel, 1)
    # The handle jumps to where the groove is clicked; the wheel of the page does not move it.
    slider = options.pace.slider
    right = QPoint(round(slider.width() * 0.98), slider.height() // 2)
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=right)
    panel.surface.controls.stop.setFocus()
    at = QPointF(slider.rect().center())
    wheel = QWheelEvent(
        at, slider.mapToGlobal(at), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(slider, wheel)
    panels.playing(qtbot, panel, 20)
    panels.change(panel, solver="exact")
    played = table.carried_out
    qtbot.waitUntil(lambda: any(one.analysis and one.analysis.method == "exact" for one in played))
    panels.change(panel, style=Style.FLAGS)
    qtbot.waitUntil(lambda: any(move.action is Action.FLAG for move in played[-1].moves))
    games = panel.statistics.games + 1
    options.games.setValue(games)
    panels.idle(qtbot, panel)
    wanted = Settings(games=games, solver="exact", style=Style.FLAGS, pace=None, theme="light")
    assert panel.settings == wanted
    qtbot.waitUntil(lambda: bool(saved) and saved[-1] == wanted)


@pytest.mark.parametrize("won", [True, False])
@pytest.mark.parametrize("then", [AfterGame.PAUSE, AfterGame.STOP])
def test_the_end_of_a_game_pauses_or_stops_the_run(
    shown: panels.Shown, qtbot: QtBot, won: bool, then: AfterGame
) -> None:
    """The first game won, or lost. Paused, the end is shown, and the next game waits."""
    chosen = {"after_win" if won else "after_loss": then}
    table = Tabletop(BEGINNER if won else CROWDED)
    panel = shown(table, Settings(games=None, theme="light", **chosen))
    panel.start()
    ended = State.PAUSED if then is AfterGame.PAUSE else State.IDLE
    qtbot.waitUntil(lambda: panel.state is ended)
    wanted = Status.WON if won else Status.LOST
    qtbot.waitUntil(lambda: panel.surface.view.turn.reading.status is wanted)
    lost = panel.statistics.games - panel.statistics.won
    assert (panel.statistics.won if won else lost) == 1
    if ended is State.PAUSED:
        restarts = table.restarts
        panel.pause_or_resume(resume=True)
        qtbot.waitUntil(lambda: table.restarts > restarts)


def test_recordings_beyond_the_limit_go(shown: panels.Shown, qtbot: QtBot, tmp_path: Path) -> None:
    """At the start, and after the games; never one that is marked."""
    for number in range(1, 6):
        session(tmp_path, number)
    keep(tmp_path / "2026-01-01T12-00-00", kept=True)
    chosen = Settings(games=1, theme="light", sessions=str(tmp_path), keep_sessions=3)
    panel = shown(Tabletop(BEGINNER), chosen)
    qtbot.waitUntil(lambda: names(tmp_path) == [1, 4, 5])
    session(tmp_path, 6)
    panel.start()
    panels.idle(qtbot, panel)
    qtbot.waitUntil(lambda: names(tmp_path) == [1, 5, 6])


def test_unsaved_setting_is_reported(qtbot: QtBot) -> None:
    """A full disk is no reason to go on silently."""

    def full(_settings: Settings) -> None:
        raise OSError("the disk is full")

    panel = panels.panel_of(Tabletop(), Settings(theme="light"), full)
    panel.show()
    panels.change(panel, record=False)
    qtbot.waitUntil(lambda: "disk is full" in panels.message(panel))
    with qtbot.waitSignal(panel.closed):
        panel.close()


def test_the_theme_follows_the_system(
    shown: panels.Shown, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the desktop turns dark, the panel does."""
    panel = shown(Tabletop(), Settings(theme="system"))
    monkeypatch.setattr("gui.panel.theme.system_theme", lambda: DARK)
    hints = QGuiApplication.styleHints()
    with qtbot.waitSignal(hints.colorSchemeChanged):
        hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert panels.colors(panel) == {DARK.window, DARK.text}
