"""Commands that look at windows, or that need an interpreter of their own."""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from gui.private_screen import PrivateScreen
from tests.support import runs
from tests.support.forked import bot, simulated
from tests.support.runs import environment, finished


@pytest.mark.slow
def test_read_of_a_window_explains_a_tile(tmp_path: Path) -> None:
    """The window in place of a screenshot; without a screen, or such a window, it says so."""
    with PrivateScreen() as screen, simulated(screen, tmp_path):
        run = bot(tmp_path, "read", "--window", "simul", "--explain", "1,1", screen=screen)
        assert "Row 1, column 1 is read as covered" in run.stdout, run.stderr
        run = bot(tmp_path, "read", "--window", "no such", screen=screen)
        assert (run.returncode, "no such" in run.stderr) == (1, True)
    assert "no display" in bot(tmp_path, "read", "--window", "simul").stderr
    assert bot(tmp_path, "read").returncode == 2


def test_doctor_reports_what_works(tmp_path: Path) -> None:
    """With a display everything does; without one it says so, and what can be done."""
    with PrivateScreen() as screen, simulated(screen, tmp_path):
        able = bot(tmp_path, "doctor", screen=screen)
    assert able.returncode == 0, able.stdout
    assert "moved by 3 points and back" in able.stdout
    assert "F8, while the bot plays" in able.stdout
    # Not folded in the table: a path can be copied.
    for what, folder in (("recorded games", "sessions"), ("errors", "errors")):
        assert f"{what}: {tmp_path / folder}" in able.stdout.splitlines()
    unable = bot(tmp_path, "doctor")
    assert unable.returncode == 1
    assert "DISPLAY is not set" in unable.stdout
    assert "unusable skin" not in unable.stdout
    assert "on a private screen" in " ".join(unable.stdout.split())


def test_the_version_is_printed(tmp_path: Path) -> None:
    """It is the installed package's."""
    printed = runs.bot(tmp_path, "--version").stdout.strip()
    assert printed == f"minesweeper-bot {version('minesweeper-bot')}"


@pytest.mark.parametrize(
    "act",
    [
        "socket.create_connection(('127.0.0.1', 9))",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).bind(('127.0.0.1', 0))",
        "socket.getaddrinfo('localhost', 80)",
        (
            "subprocess.run([sys.executable, '-c', 'import socket; socket.gethostbyname(\"x\")'], "
            "check=True)"
        ),
    ],
)
def test_no_command_of_these_tests_turns_to_the_network(tmp_path: Path, act: str) -> None:
    """All commands that the tests run are watched: one that does would end so."""
    script = f"import socket, subprocess, sys\ntry: {act}\nexcept OSError: print('caught')"
    run = finished([sys.executable, "-c", script], environment(tmp_path))
    assert run.returncode != 0
    assert "THE NETWORK" in run.stderr
    assert not run.stdout
