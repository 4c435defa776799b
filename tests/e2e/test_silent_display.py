"""A display that stops answering, or never begins to: every command ends and says so."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from gui.private_screen import PrivateScreen
from tests.support.forked import BOT, running, simulated
from tests.support.runs import environment, finished, wait_for_line
from tests.support.silent import NOTHING, setup_reply, silent_server, silent_socket

COMMANDS = (
    (),
    ("play",),
    ("play", "--window", "mines", "--no-panel"),
    ("assist", "--window", "mines"),
    ("learn", "--window", "mines"),
    ("simulate",),
    ("replay",),
    ("doctor",),
)
_LONGEST = 120.0
"""Seconds after which a command counts as stuck."""


@pytest.mark.parametrize("reply", [setup_reply(), pytest.param(NOTHING, marks=pytest.mark.slow)])
def test_every_command_reports_a_silent_display(tmp_path: Path, reply: bytes) -> None:
    """It accepts connections, and perhaps sets them up; then nothing more comes."""
    with silent_server(reply) as name:
        runs = [
            subprocess.Popen(
                [*BOT, *command],
                env=environment(tmp_path) | {"DISPLAY": name},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            for command in COMMANDS
        ]
        try:
            reported = [run.communicate(timeout=_LONGEST)[0] for run in runs]
        finally:
            for run in runs:
                run.kill()
    assert [run.returncode for run in runs] == [1] * len(COMMANDS)
    assert [out for out in reported if f"the display {name} does not answer" not in out] == []


@pytest.mark.parametrize(
    ("display", "arguments"),
    [
        ("silent", ("simulate",)),
        ("gone", ("simulate",)),
        ("gone", ("play",)),
        ("gone", ("play", "--window", "game")),
    ],
)
def test_a_compositor_that_does_not_answer_is_reported(
    tmp_path: Path, display: str, arguments: tuple[str, ...]
) -> None:
    """Qt would wait for its first answer for ever, or end with a page of its own words."""
    wayland = {"WAYLAND_DISPLAY": display, "XDG_RUNTIME_DIR": str(tmp_path)}
    with silent_socket(tmp_path / "silent"):
        run = finished([*BOT, *arguments], environment(tmp_path) | wayland)
    assert run.returncode == 1
    assert f"the display {display} does not answer" in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_run_whose_display_stops_answering(
    tmp_path: Path, number: signal.Signals
) -> None:
    """In mid-game the server is stopped: one signal is enough."""
    arguments = "play", "--window", "minesweeper", "--games", "100000", "--no-panel"
    with (
        PrivateScreen() as screen,
        simulated(screen, tmp_path),
        running(tmp_path, screen, *arguments, stderr=subprocess.PIPE) as process,
    ):
        assert process.stdout is not None
        wait_for_line(process.stdout, "game 1")
        server = screen.processes[0].pid
        os.kill(server, signal.SIGSTOP)
        try:
            process.send_signal(number)
            process.communicate(timeout=_LONGEST)
        finally:
            os.kill(server, signal.SIGCONT)
    assert process.returncode == 130
