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
        self.run.turn_played.connect(self.tell_turn)
        self.run_finished.connect(lambda tally: (print("played", tally.games, flush=True)))

    def tell(self, board):
        if board is not None:
            QTimer.singleShot(0, self.place)

    def place(self):
        controls = self.surface.controls
        for name in ("step", "stop", "start"):
            button = getattr(controls, name)
            middle = button.mapToGlobal(button.rect().center())
            print(name, middle.x(), middle.y(), flush=True)

    def tell_turn(self, turn):
        print("turn", turn.number, int((turn.reading.board.tiles >= 0).sum()), flush=True)

command.Panel = Told
command.show_panel(threading.Event())
"""
"""The program's own panel, which tells where its buttons are, its turns, and when it has played."""


def test_clicks_on_step_and_start_play_the_chosen_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Step carries out what it showed, Start plays all games: recorded, not misread, and kept."""
    save(Settings(games=2), tmp_path / "settings.toml")
    with PrivateScreen() as screen:
        adopt(screen, monkeypatch)
        env = environment(tmp_path, screen)
        with simulated(screen, tmp_path, "--seed", "3", "--corner"):
            panel = subprocess.Popen(
                [sys.executable, "-c", PANEL], env=env, stdout=subprocess.PIPE, text=True
            )
            try:
                lines = iter(panel.stdout or ())
                at = {
                    name: (int(x), int(y)) for name, x, y in (next(lines).split() for _ in range(3))
                }
                with Mice() as mice:

                    def click(name: str) -> None:
                        mice.send(*at[name])
                        mice.send_click()

                    click("step")
                    assert next(lines) == "turn 0 0\n"
                    click("step")
                    _, number, opened = next(lines).split()
                    assert int(number) == 1
                    assert int(opened) > 0
                    click("stop")
                    assert next(lines) == "played 0\n"
                    click("start")
                    told = next(line for line in lines if line.startswith("played"))
                assert told == "played 2\n"
            finally:
                panel.terminate()
                panel.communicate(timeout=60)
    recorded = sessions(tmp_path)
    assert len(recorded) == 3
    assert audited(recorded).findings == []
    with History.to_read(tmp_path / "history.sqlite") as history:
        assert len(history.numbers()) == 3
