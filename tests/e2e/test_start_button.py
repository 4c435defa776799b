"""The real panel, a real simulated window, and a real mouse on its buttons."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from bot.frame import Region
from gui.history.store import History
from gui.private_screen import PrivateScreen
from gui.settings import Settings, save
from tests.support.forked import PYTHON, simulated
from tests.support.runs import audited, environment, sessions
from tests.support.xclient import Mice, adopt, focus, wait_until
from vision.desktop import Window, desktop

PANEL: Final = """
import json
import sys
import threading
from PyQt6.QtCore import pyqtSignal
from gui.commands import panel as command
from gui.panel import Panel

def say(**what):
    print(json.dumps(what), flush=True)

class Told(Panel):
    asked = pyqtSignal()

    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.surface.chooser.chosen.connect(lambda board: board and say(chosen=board.title))
        self.run.turn_played.connect(self.tell_turn)
        self.run.state_changed.connect(lambda: self.run.why and say(paused=self.run.why))
        self.run_finished.connect(lambda tally: say(played=tally.games))
        self.asked.connect(self.tell_places)
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for _ in sys.stdin:
            self.asked.emit()

    def tell_turn(self, turn):
        say(turn=[turn.number, int((turn.reading.board.tiles >= 0).sum())])

    def tell_places(self):
        places = {"window": self.geometry().getRect()}
        for name in ("step", "stop", "play", "pause"):
            button = getattr(self.surface.controls, name)
            middle = button.mapToGlobal(button.rect().center())
            places[name] = middle.x(), middle.y()
        say(places=places)

command.Panel = Told
command.show_panel(threading.Event())
"""
"""The program's own panel: tells its turns, and where its buttons are when it is asked."""


class Shown:
    """A panel in a process of its own, and the mouse of its user.

    Args:
        process: The panel's.
        mice: The mouse.
    """

    def __init__(self, process: subprocess.Popen[str], mice: Mice) -> None:
        self._process, self._mice = process, mice

    def told(self, key: str) -> Any:
        """Wait until the panel tells this, and return what."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if key in (what := json.loads(line)):
                return what[key]
        code = self._process.wait()
        raise AssertionError(f"the panel ended with exit code {code} before it told {key!r}")

    def click(self, button: str) -> None:
        """Click a button where it is, once the panel knows where its window is."""
        places: dict[str, Any] = {}

        def settled() -> bool:
            assert self._process.stdin is not None
            self._process.stdin.write("\n")
            self._process.stdin.flush()
            places.update(self.told("places"))
            # It may not be there yet.
            own = [window.region for window in desktop().list_windows() if window.own]
            return own[:1] == [Region(*places["window"])]

        wait_until(settled)
        self._mice.send(*places[button])
        self._mice.send_click()


@contextmanager
def opened(screen: PrivateScreen, home: Path) -> Iterator[Shown]:
    """The panel on a screen, which is this process's own, too."""
    process = subprocess.Popen(
        [*PYTHON, "-c", PANEL],
        env=environment(home, screen),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        with Mice() as mice:
            yield Shown(process, mice)
    finally:
        process.terminate()
        process.communicate(timeout=60)


def own_window() -> Window:
    """The panel's."""
    return next(one for one in desktop().list_windows() if one.own)


def test_clicks_on_step_and_play_play_the_chosen_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Step carries out what it showed, Play plays all games: recorded, not misread, and kept."""
    save(Settings(games=2), tmp_path / "settings.toml")
    with PrivateScreen() as screen:
        adopt(screen, monkeypatch)
        with (
            simulated(screen, tmp_path, "--seed", "3", "--corner") as game,
            opened(screen, tmp_path) as panel,
        ):
            assert panel.told("chosen")
            place = desktop().place_of(game)
            assert place is not None
            # It opens beside the game.
            wait_until(lambda: own_window().region.intersection(place) is None)
            panel.click("step")
            assert panel.told("turn") == [0, 0]
            panel.click("step")
            number, cells = panel.told("turn")
            assert number == 1
            assert cells > 0
            panel.click("stop")
            assert panel.told("played") == 0
            panel.click("play")
            assert panel.told("played") == 2
    recorded = sessions(tmp_path)
    assert len(recorded) == 3
    assert audited(recorded).findings == []
    with History.to_read(tmp_path / "history.sqlite") as history:
        assert len(history.numbers()) == 3


def test_a_game_under_the_panel_is_played_in_front_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a screen without room for both. A panel that is brought to the front stays there."""
    save(Settings(games=1, pace=20), tmp_path / "settings.toml")
    with PrivateScreen(1024, 768) as screen:
        adopt(screen, monkeypatch)
        with (
            simulated(screen, tmp_path, "--seed", "3", "--level", "expert") as game,
            opened(screen, tmp_path) as panel,
        ):
            assert panel.told("chosen")
            panel.click("play")
            for _ in range(3):
                panel.told("turn")
            place = desktop().place_of(game)
            assert place is not None
            assert own_window().region.intersection(place) is not None
            focus(own_window().id)
            assert panel.told("paused") == "Paused because the panel is in front of the board"
            focused = desktop().focused()
            assert focused is not None
            assert focused.own
            assert desktop().list_windows()[0].own
            # Resume is where Pause was.
            panel.click("pause")
            assert panel.told("played") == 1
            wait_until(lambda: (seen := desktop().focused()) is not None and seen.own)
    recorded = sessions(tmp_path)
    assert len(recorded) == 1
    assert audited(recorded).findings == []


@pytest.mark.slow
def test_a_step_is_carried_out_in_front_of_the_panel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a screen without room for both: each press on Step opens cells, Resume plays on.

    After each step the panel is in front again, so that the next moves can be read.
    """
    save(Settings(games=1), tmp_path / "settings.toml")
    with PrivateScreen(1024, 768) as screen:
        adopt(screen, monkeypatch)
        with (
            simulated(screen, tmp_path, "--seed", "3", "--level", "expert"),
            opened(screen, tmp_path) as panel,
        ):
            assert panel.told("chosen")
            panel.click("step")
            opened_cells = [panel.told("turn")]
            for _ in range(3):
                wait_for_front()
                panel.click("step")
                opened_cells.append(panel.told("turn"))
            numbers, cells = zip(*opened_cells, strict=True)
            assert numbers == (0, 1, 2, 3)
            assert list(cells) == sorted(set(cells))
            wait_for_front()
            panel.click("pause")
            assert panel.told("played") == 1
    assert audited(sessions(tmp_path)).findings == []


def wait_for_front() -> None:
    """Wait until the panel is in front of the game."""
    wait_until(lambda: [window.own for window in desktop().list_windows()][:1] == [True])
