"""The real panel, a real simulated window, and a real mouse on the Start button."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from gui.history.store import History
from gui.private_screen import PrivateScreen
from gui.settings import Settings, save
from tests.runs import audited, environment, sessions
from tests.test_play import simulated
from tests.xclient import Mice, adopt

PANEL: Final = """
import threading
from PyQt6.QtCore import QTimer
from gui.commands import panel as command
from gui.panel import Panel

class Told(Panel):
    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.surface.chooser.chosen.connect(self.tell)
        self.run_finished.connect(lambda tally: (print("played", tally.games, flush=True)))

    def tell(self, board):
        if board is not None:
            QTimer.singleShot(0, lambda: self.place(self.surface.controls.start))

    def place(self, button):
        middle = button.mapToGlobal(button.rect().center())
        print("start", middle.x(), middle.y(), flush=True)

command.Panel = Told
command.show_panel(threading.Event())
"""
"""The program's own panel, which tells where its button is and when it has played."""


def test_a_click_on_start_plays_the_chosen_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many games as the settings say; recorded, nothing misread, and in the history."""
    save(Settings(games=2), tmp_path / "settings.toml")
    with PrivateScreen() as screen:
        adopt(screen, monkeypatch)
        env = environment(tmp_path, screen)
        with simulated(screen, tmp_path, "--seed", "3", "--corner"):
            panel = subprocess.Popen(
                [sys.executable, "-c", PANEL], env=env, stdout=subprocess.PIPE, text=True
            )
            try:
                assert panel.stdout is not None
                word, *place = panel.stdout.readline().split()
                assert word == "start"
                with Mice() as mice:
                    mice.send(int(place[0]), int(place[1]))
                    mice.send_click()
                told = next(line for line in panel.stdout if line.startswith("played"))
                assert told == "played 2\n"
            finally:
                panel.terminate()
                panel.communicate(timeout=60)
    recorded = sessions(tmp_path)
    assert len(recorded) == 2
    assert audited(recorded).findings == []
    with History.to_read(tmp_path / "history.sqlite") as history:
        assert len(history.numbers()) == 2
