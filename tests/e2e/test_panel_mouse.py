"""The real panel beside a real game, and a user who presses its buttons with a real mouse."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from bot.frame import Point
from gui.private_screen import PrivateScreen
from gui.settings import Settings, save
from tests.support.driven import Driven, driven
from tests.support.forked import simulated
from tests.support.runs import audited, environment, sessions
from tests.support.xclient import Mice, adopt, button_held, wait_until

PANEL: Final = """
import sys
import threading
from PyQt6.QtCore import QTimer
from gui.commands import panel as command
from gui.panel import Panel

NAMES = ("play", "pause", "step", "stop")

class Reporting(Panel):
    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        chosen = self.surface.chooser.chosen
        chosen.connect(lambda board: board and QTimer.singleShot(0, self.play_it))
        self.run.turn_played.connect(lambda turn: self.report("turn", turn.number))
        self.state_changed.connect(lambda state: self.report("state", state.name))
        self.failed.connect(lambda failure: self.report("failed", failure.message))
        for name in NAMES:
            button = getattr(self.surface.controls, name)
            button.pressed.connect(lambda name=name: self.report("pressed", name))
            button.clicked.connect(lambda _on, name=name: self.report_click(name))

    def play_it(self):
        if not self.run.playing:
            self.play(self.surface.chooser.current)

    def report_click(self, name):
        self.report("clicked", name, self.state.name)

    def report(self, *words):
        lines = [" ".join(map(str, words))]
        for name in NAMES:
            button = getattr(self.surface.controls, name)
            middle = button.mapToGlobal(button.rect().center())
            lines.insert(0, f"at {name} {middle.x()} {middle.y()}")
        # In one piece: other threads may print, too.
        sys.stdout.write("\\n".join(lines) + "\\n")
        sys.stdout.flush()

command.Panel = Reporting
command.show_panel(threading.Event())
"""
"""The program's own panel, which plays the first board that it finds. It prints its state, where
its buttons are, its turns, each press on a button, and the state after each click on one."""
SPEED: Final = "Speed of play"
_SECONDS: Final = 240.0


class RealPanel:
    """The panel at play, and the user's mouse.

    Args:
        process: The panel's.
        mice: The mouse.
    """

    def __init__(self, process: subprocess.Popen[str], mice: Mice) -> None:
        self.mice = mice
        self.at: dict[str, tuple[int, int]] = {}
        self.pid = process.pid
        self._process = process
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def wait_for(self, start: str) -> str:
        """Return the rest of the next line that starts so; the lines before it are dropped."""
        deadline = time.monotonic() + _SECONDS
        while True:
            line = self._lines.get(timeout=max(deadline - time.monotonic(), 0.01))
            if line.startswith(start):
                return line.removeprefix(start).strip()

    def heard(self, start: str) -> bool:
        """Return whether a line that starts so has come; the lines before it are dropped."""
        while not self._lines.empty():
            if self._lines.get().startswith(start):
                return True
        return False

    def press(self, name: str, *, held: bool) -> str:
        """Press a button; return the panel's state once the click was handled.

        Args:
            name: Which.
            held: Whether it is held until the panel has handled the press, as a user holds it.
        """
        # The last click may still be under way: a window manager that holds it back moves the
        # pointer once more when it lets it go.
        while button_held() or self.mice.place != Point(*self.at[name]):
            self.mice.warp(*self.at[name])
        return self.press_here(name, held=held)

    def press_here(self, name: str, *, held: bool) -> str:
        """The same, the pointer being on the button already."""
        with self.mice.button_down():
            if held:
                self.wait_for(f"pressed {name}")
        return self.wait_for(f"clicked {name}")

    def travel(self, name: str, motions: int) -> None:
        """Move the mouse over the panel, so many motions of the device, and onto a button."""
        step = 0
        while step < motions or self.mice.place != Point(*self.at[name]):
            place, (x, y) = self.mice.place, self.at[name]
            y += 200 if step < motions else 0
            x += 60 * (-1) ** (step // 20) if step < motions else 0
            self.mice.push(_pace(x - place.x), _pace(y - place.y))
            step += 1

    def wander(self, start: str, *, warped: bool = False) -> None:
        """Move the mouse to the left and to and fro until a line comes that starts so.

        It keeps away from the corners of the screen, which end the game. Warped, no device tells
        of its motions.
        """
        deadline, step = time.monotonic() + _SECONDS, -7
        while not self.heard(start):
            assert time.monotonic() < deadline, f"no '{start}' while the mouse moved"
            place = self.mice.place
            step = 7 if place.x < 200 else -7 if place.x > 480 else step
            down = 2 if place.y < 500 else 0
            if warped:
                self.mice.warp(int(place.x) + step, int(place.y) + down)
            else:
                self.mice.push(step, down)

    def close(self) -> None:
        """End the panel."""
        self._process.terminate()
        self._process.wait(_SECONDS)
        self._reader.join()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            words = line.split()
            if words[0] == "at":
                self.at[words[1]] = int(words[2]), int(words[3])
            else:
                self._lines.put(line)


def _pace(distance: float) -> int:
    """One motion of a hand: a few pixels."""
    return round(max(-7.0, min(distance, 7.0)))


def _move_to(panel: Driven, question: str, name: str) -> None:
    """Move the real mouse to what a question finds, like a hand that follows the pointer."""
    while (at := panel.ask(question, name)) is None or panel.mice.place != Point(*at):
        if at is not None:
            place = panel.mice.place
            panel.mice.push(_pace(at[0] - place.x), _pace(at[1] - place.y))


@contextmanager
def panel_at_play(
    home: Path, monkeypatch: pytest.MonkeyPatch, *options: str, **settings: object
) -> Iterator[RealPanel]:
    """Start a game, and the panel that plays it, on a private screen of this process's own."""
    save(Settings(**{"games": None, "stop_key": ""} | settings), home / "settings.toml")
    with PrivateScreen(1600, 1000) as screen:
        adopt(screen, monkeypatch)
        with simulated(screen, home, "--seed", "3", "--corner", *options), Mice() as mice:
            process = subprocess.Popen(
                [sys.executable, "-c", PANEL],
                env=environment(home, screen),
                stdout=subprocess.PIPE,
                text=True,
            )
            panel = RealPanel(process, mice)
            try:
                panel.wait_for("state PLAYING")
                panel.wait_for("turn 1")
                yield panel
            finally:
                panel.close()


@pytest.mark.parametrize("held", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_button_does_what_it_said_when_it_was_pressed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: bool
) -> None:
    """At one click a second: pause, step, resume, again and again, then stop."""
    with panel_at_play(tmp_path, monkeypatch, pace=1.0) as panel:
        for _ in range(2):
            assert panel.press("pause", held=held) == "PAUSED"
            assert panel.press("step", held=held) == "PAUSED"
            panel.wait_for("turn")
            assert panel.press("pause", held=held) == "PLAYING"
            panel.wait_for("turn")
        panel.press("stop", held=held)
        panel.wait_for("state IDLE")
    assert audited(sessions(tmp_path)).findings == []


def test_a_mouse_that_moves_over_the_panel_pauses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand moves it there for a while and presses Pause; the game waits, and is not paused."""
    with panel_at_play(tmp_path, monkeypatch, pace=1.0) as panel:
        panel.mice.warp(*panel.at["pause"])
        for _ in range(2):
            panel.travel("pause", 200)
            assert panel.press_here("pause", held=True) == "PAUSED"
            panel.travel("pause", 200)
            assert panel.press_here("pause", held=True) == "PLAYING"
            panel.wait_for("turn")
            panel.wait_for("turn")
            # Lent for each click, it was put back.
            assert panel.mice.place == Point(*panel.at["pause"])
    assert audited(sessions(tmp_path)).findings == []


@pytest.mark.parametrize("pace", [None, pytest.param(1.0, marks=pytest.mark.slow)])
def test_a_mouse_that_moves_elsewhere_pauses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pace: float | None
) -> None:
    """From the panel over the desktop to the game, and onto it."""
    with panel_at_play(tmp_path, monkeypatch, "--level", "expert", pace=pace) as panel:
        panel.mice.warp(*panel.at["pause"])
        panel.wait_for("turn")
        panel.mice.send(200, 200)
        panel.wait_for("state PAUSED")
        assert panel.press("pause", held=False) == "PLAYING"
        panel.wait_for("turn")
        panel.wander("state PAUSED")
        assert panel.press("pause", held=False) == "PLAYING"
        panel.wait_for("turn")
        panel.wander("state PAUSED", warped=True)


def test_a_hand_uses_the_panel_while_it_plays_at_full_speed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It drags the slider to the slowest speed and back, opens a page, pauses and stops."""
    save(Settings(games=None, stop_key=""), tmp_path / "settings.toml")
    with PrivateScreen(1600, 1000) as screen:
        adopt(screen, monkeypatch)
        options = "--seed", "3", "--corner", "--level", "expert"
        with simulated(screen, tmp_path, *options), driven(screen, tmp_path) as panel:

            def press(name: str) -> None:
                _move_to(panel, "control", name)
                with panel.mice.own_button_down():
                    pass

            def drag(distance: int) -> None:
                _move_to(panel, "handle", SPEED)
                target = panel.mice.place.x + distance
                with panel.mice.own_button_down():
                    while panel.mice.place.x != target:
                        panel.mice.push(_pace(target - panel.mice.place.x), 0)

            wait_until(lambda: panel.ask("rows", "Minesweeper windows"))
            press("Play")
            panel.wait_for("Turn", str.isdigit)
            unpaused = 0
            for _ in range(3):
                drag(-300)
                panel.wait_for("Speed", "1 click a second")
                drag(300)
                panel.wait_for("Speed", "Maximum")
                press("Page Settings")
                wait_until(lambda: panel.ask("page") == "settings")
                press("Page Play")
                wait_until(lambda: panel.ask("page") == "play")
                if panel.ask("state") != "PAUSED":
                    press("Pause")
                    wait_until(lambda: panel.ask("state") == "PAUSED")
                    unpaused += 1
                press("Resume")
                wait_until(lambda: panel.ask("state") == "PLAYING")
                turn = panel.ask("text", "Turn")
                panel.wait_for("Turn", lambda now, turn=turn: now not in ("", turn))
            # On a busy machine this hand may press later than any other, while the game has the
            # pointer: that pauses.
            assert unpaused >= 2
            press("Stop")
            wait_until(lambda: panel.ask("state") == "IDLE")
