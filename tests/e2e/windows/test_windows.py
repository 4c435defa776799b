"""The program on Windows: real Windows programs, played and disturbed, with real input."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

if sys.platform == "win32":
    from tests.support.winconsole import console

from tests.support.boards import SESSIONS
from tests.support.clients import Client, PictureWindow, wait_until
from tests.support.family.options import Options
from tests.support.forked import BOT, bot, running, simulated
from tests.support.games import start
from tests.support.programs import start as start_program
from tests.support.real_programs import PROGRAMS
from tests.support.runs import account, audited, environment, sessions
from tests.support.shown import windows_shown
from vision.desktop import desktop

pytestmark = [pytest.mark.windows, pytest.mark.desktop]

WINEMINE = PROGRAMS["winemine"].title


def window_titled(title: str) -> int:
    """Wait for a window of a title; return its number."""
    windows_shown(os.environ, title)
    return next(window.id for window in desktop().list_windows() if title in window.title)


def obstacles(home: Path) -> int:
    """Return how often a player has noticed that something is in its way, by its log."""
    logs = (path.read_text("utf-8") for path in (home / "log").glob("*.log"))
    return sum(text.count("Obstacle: ") for text in logs)


@pytest.mark.parametrize(("level", "games"), [("beginner", 8), ("expert", 4)])
def test_a_real_program_is_played(tmp_path: Path, level: str, games: int) -> None:
    """A native Win32 program: found, read, played, restarted, and nothing wrong."""
    with start("winemine", level, os.environ, tmp_path / "program") as process:
        window_titled(WINEMINE)
        run = bot(tmp_path, "play", "--window", WINEMINE, "--level", level, "--games", str(games))
        assert process.poll() is None, account(run, tmp_path)
    audit = audited(sessions(tmp_path))
    ended = (run.returncode, audit.findings, audit.won + audit.lost)
    assert ended == (0, [], games), account(run, tmp_path)


def test_a_game_that_is_disturbed(tmp_path: Path) -> None:
    """Its window is moved, covered and minimised: the run goes on. It is closed: the run ends."""
    play = ("play", "--window", "minesweeper", "--games", "100000", "--no-panel")
    streams: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with (
        simulated(None, tmp_path, "--level", "intermediate") as game,
        running(tmp_path, None, *play, **streams) as process,
        Client() as user,
    ):
        assert process.stdout is not None
        games = (line for line in process.stdout if re.match(r"game \d+ of", line))

        def wait_for_games() -> None:
            # The second has begun after the disturbance.
            assert next(games)
            assert next(games)

        wait_for_games()
        user.configure(game, x=150, y=120)
        wait_for_games()
        place = desktop().place_of(game)
        assert place is not None
        at = (place.left + 60, place.top + 90)
        with PictureWindow(np.full((90, 120, 3), 60, np.uint8), at, "Letters") as other:
            user.keep_above(other.id)
            wait_until(lambda: desktop().uncovered(game, [place.center]) == [False])
            wait_until(lambda: obstacles(tmp_path) > 0)
        wait_for_games()
        before = obstacles(tmp_path)
        user.minimise(game)
        wait_until(lambda: obstacles(tmp_path) > before)
        user.restore(game)
        wait_for_games()
        user.ask_to_close(game)
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "was closed" in errors
    assert "Traceback" not in errors
    assert audited(sessions(tmp_path)).findings == []


def wait_for_game(process: subprocess.Popen[str]) -> None:
    """Wait until a game is over."""
    assert process.stdout is not None
    played = any(re.match(r"game \d+ of", line) for line in process.stdout)
    assert played, process.communicate()[1]


def test_a_killed_player_and_a_killed_game(tmp_path: Path) -> None:
    """A run after a killed one plays on, with no button held; a killed game ends it in words."""
    play = ("play", "--window", "minesweeper", "--games", "100000", "--no-panel")
    streams: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with simulated(None, tmp_path, "--level", "intermediate") as game:
        for _ in range(2):
            with running(tmp_path, None, *play, **streams) as process:
                wait_for_game(process)
        with running(tmp_path, None, *play, **streams) as process:
            wait_for_game(process)
            pid = next(window.pid for window in desktop().list_windows() if window.id == game)
            assert pid is not None
            os.kill(pid, signal.SIGTERM)
            _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "was closed" in errors
    assert "Traceback" not in errors


def test_an_unknown_program_is_asked_about_in_the_console(tmp_path: Path) -> None:
    """Tk's Minesweeper: the question is answered there, and what closes its dialog."""
    command = (*BOT, "play", "--window", "Squares", "--games", "2", "--no-panel")
    made = Options.parse(
        "tk art=flat button=text counter=text clock=False first=zero end=dialog title=Squares"
    )
    with (
        start_program(made, dict(os.environ), tmp_path / "tk") as game,
        console(command, environment(tmp_path)) as shown,
    ):
        shown.wait_for("or nothing (No, end the run)")
        assert game.events("click") == []
        shown.type("y\r")
        shown.wait_for("How is 'Game over' closed?")
        shown.wait_for("nothing (Leave it open and end the run) Your answer:")
        shown.type("key return\r")
        shown.wait_for("of 2 games")
        assert shown.process.wait(60) == 0
        assert len(game.events("end")) == 2
    assert audited(sessions(tmp_path)).findings == []


def test_runs_in_a_console(tmp_path: Path) -> None:
    """In a folder with a space and letters beyond ASCII; Ctrl-C ends one, or the window's cross."""
    variables = environment(home := tmp_path / "J\u00f6rg \u0141ukasz")
    with simulated(None, home, "--level", "intermediate"):
        with console((*BOT, "assist", "--window", "minesweeper"), variables) as shown:
            shown.wait_for("0: open row")
            shown.type("c", control=True)
            assert shown.process.wait(60) == 130
        with console((*BOT, "play", "--window", "minesweeper", "--no-panel"), variables) as shown:
            shown.wait_for("game 1")
            shown.type("c", control=True)
            shown.wait_for("Stopped with Ctrl-C.")
            assert shown.process.wait(60) == 130
        with console((*BOT, "play", "--window", "minesweeper", "--no-panel"), variables) as shown:
            shown.wait_for("game 1")
            shown.close_window()
            shown.process.wait(60)
        assert not any(session.torn for session in sessions(home))
    printed(variables, "lookahead", "history")


def test_other_commands_in_a_console(tmp_path: Path) -> None:
    """Each once, in a folder with a space and letters beyond ASCII."""
    variables = environment(home := tmp_path / "J\u00f6rg \u0141ukasz")
    picture = "tests/screens/two-games-1280.png"
    boards = ("--games", "4", "--solvers", "human", "--workers", "2", "--out", str(home / "runs"))
    printed(variables, "skin 'winemine'", "read", picture)
    printed(variables, "there is nothing to learn", "learn", picture, code=1)
    printed(variables, "saved to", "lab", *boards)
    printed(variables, "F8, while the bot plays", "doctor")


def test_replay_opens_the_panel_from_a_console(tmp_path: Path) -> None:
    """In a folder with a space and letters beyond ASCII; the command ends with the panel."""
    home = tmp_path / "J\u00f6rg \u0141ukasz"
    shutil.copytree(SESSIONS / "classic-beginner-won", home / "sessions" / "one")
    with console((*BOT, "replay"), environment(home)) as shown:
        Client().ask_to_close(window_titled("Minesweeper bot"))
        assert shown.process.wait(60) == 0


def printed(variables: Mapping[str, str], wanted: str, *command: str, code: int = 0) -> None:
    """Run a command to its end; it prints a text, and ends with a code.

    The console has the characters of Western Europe, which lack the lines of tables, if the command
    chooses no others.
    """
    with console((*BOT, *command), {**variables, "PYTHONIOENCODING": "cp1252"}) as shown:
        shown.wait_for(wanted)
        assert shown.process.wait(60) == code, shown.text
        assert "Traceback" not in shown.text
