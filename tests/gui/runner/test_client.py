"""The real process that plays, from the panel's side: started, warm, and killed."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import psutil
import pytest
from pytestqt.qtbot import QtBot

from bot.loop import Stop, Turn
from gui.commands.terminal_run import TerminalRun
from gui.console import Console
from gui.history.store import History
from gui.panel import Panel
from gui.private_screen import PrivateScreen
from gui.runner import timeouts
from gui.runner.client import DesktopPlayer
from gui.runner.protocol import Begin, State
from gui.settings import Settings
from tests.gui.panels import idle, message, playing
from tests.support.forked import simulated
from tests.support.runs import audited, sessions

pytestmark = pytest.mark.long


@pytest.fixture
def player(
    private_screen: PrivateScreen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[DesktopPlayer]:
    """What plays on a screen with an Expert game on it."""
    monkeypatch.setenv("MINESWEEPER_BOT_HOME", str(tmp_path))
    with simulated(private_screen, tmp_path, "--level", "expert"):
        made = DesktopPlayer()
        yield made
        made.close()


def test_killed_process_is_reported_and_replaced(
    player: DesktopPlayer, tmp_path: Path, qtbot: QtBot
) -> None:
    """In words; what was played is kept and readable, and the next Play plays."""
    panel = Panel(player, Settings(games=None), lambda _settings: None)
    panel.show()
    qtbot.waitUntil(lambda: panel.surface.chooser.current is not None)
    panel.start()
    playing(qtbot, panel, 10)
    # What was asked to end has not finished either.
    for end, name in ("kill", "SIGKILL"), ("terminate", "SIGTERM"):
        getattr(player.process, end)()
        idle(qtbot, panel)
        killed = "terminated" if sys.platform == "win32" else f"by the signal {name}"
        assert f"process that plays ended unexpectedly ({killed})" in message(panel)
        before = sessions(tmp_path)
        assert before
        panel.start()
        turns = panel.run.statistics.turns
        playing(qtbot, panel, turns + 10)
    assert panel.state is State.PLAYING
    assert "ended unexpectedly" not in message(panel)
    panel.stop()
    idle(qtbot, panel)
    with qtbot.waitSignal(panel.closed):
        panel.close()
    assert len(sessions(tmp_path)) > len(before)
    assert audited(sessions(tmp_path)).findings == []
    with History.to_read(tmp_path / "history.sqlite") as history:
        assert len(history.numbers()) > 0


@pytest.mark.linux
def test_a_process_that_hangs_at_a_stop_is_ended(
    player: DesktopPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the time limit; the terminal says so."""
    monkeypatch.setattr(timeouts, "RUN_ENDS", 0.1)
    stop = Stop()

    def hang(_turn: Turn) -> None:
        os.kill(player.process.pid, signal.SIGSTOP)
        stop.stop("Enough.")

    run = TerminalRun(player, Console(file=StringIO()), None, stop)
    failure = run.follow(Begin(None, Settings(games=None)), hang)
    assert failure is not None
    assert "did not stop in time and was ended by force" in failure.message


@pytest.mark.linux
def test_a_built_in_game_ends_with_what_opened_it(player: DesktopPlayer) -> None:
    """Even if that is killed, and closes nothing."""
    player.open_simulator()
    (game,) = psutil.Process(player.process.pid).children()
    player.process.kill()
    game.wait(60)
