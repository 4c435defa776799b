"""What stops the real program, and what it does at a dialog: on private screens, with real keys."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gui.private_screen import PrivateScreen
from gui.settings import Settings, load, save
from tests.runs import BOT, audited, environment, sessions
from tests.test_play import simulated
from tests.vision.keyboard import Keyboard
from tests.vision.xwindows import wait_until
from vision import windows

AT_A_DIALOG = """
import sys, threading
from bot.loop import Stopped
from gui.backend import Desktop
from gui.settings import AfterDialog, Settings

settings = Settings(games=None, record=False, after_dialog=AfterDialog(sys.argv[1]))
stop = threading.Event()

def hold():
    print("held", flush=True)
    raise Stopped

won = 0
try:
    for turn in Desktop().play("minesweeper", lambda: settings, stop, None, hold):
        won += turn.reading.status.name == "WON"
        if won == 2:
            print("went on", flush=True)
            break
except Exception as error:
    print(type(error).__name__, error, flush=True)
"""


@contextmanager
def running(home: Path, screen: PrivateScreen, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """The program; whatever happens, it does not outlive the test."""
    process = subprocess.Popen(
        [*BOT, *arguments], env=environment(home, screen), stdout=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[PrivateScreen]:
    """A private screen, this process's own as well."""
    with PrivateScreen() as made:
        for name in ("DISPLAY", "XAUTHORITY"):
            monkeypatch.setenv(name, made.environment[name])
        yield made


def test_the_stop_key_ends_a_run_in_the_terminal(tmp_path: Path, screen: PrivateScreen) -> None:
    """The game has the focus; the run ends like one that was interrupted, nothing torn."""
    with (
        simulated(screen, tmp_path, "--level", "expert") as game,
        Keyboard() as keyboard,
        running(
            tmp_path, screen, "play", "--window", "minesweeper", "--games", "100000", "--no-panel"
        ) as process,
    ):
        assert process.stdout is not None
        assert "game 1" in process.stdout.readline()
        wait_until(lambda: (seen := windows.focused()) is not None and seen.id == game)
        keyboard.press("F8")
        process.communicate(timeout=60)
    assert process.returncode == 130
    assert not any(session.torn for session in sessions(tmp_path))
    assert audited(sessions(tmp_path)).findings == []


def test_the_first_start_shows_the_first_steps_once(tmp_path: Path, screen: PrivateScreen) -> None:
    """The panel opens, writes the settings, and closes when it is told to end."""
    with running(tmp_path, screen) as process:
        wait_until(lambda: list(tmp_path.rglob("settings.toml")))
        wait_until(lambda: any(one.title == "Minesweeper bot" for one in windows.list_windows()))
        process.terminate()
        assert process.wait(60) == 0
    (path,) = tmp_path.rglob("settings.toml")
    assert load(path) == Settings()
    save(Settings(games=7), path)
    with running(tmp_path, screen) as process:
        wait_until(lambda: any(one.title == "Minesweeper bot" for one in windows.list_windows()))
        process.terminate()
        assert process.wait(60) == 0
    assert load(path) == Settings(games=7)


@pytest.mark.parametrize(
    ("choice", "told"),
    [("close", "went on"), ("pause", "held"), ("stop", "DialogOpen the game has opened")],
)
def test_a_dialog_is_met_as_was_chosen(
    tmp_path: Path, screen: PrivateScreen, choice: str, told: str
) -> None:
    """Closed, left for the user, or the end of the run."""
    with simulated(screen, tmp_path, "--seed", "5", "--win-dialog"):
        run = subprocess.run(
            [sys.executable, "-c", AT_A_DIALOG, choice],
            env=environment(tmp_path, screen),
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    assert told in run.stdout, run.stdout + run.stderr
