"""Ctrl-C, `kill`, and a program that a shell has started in the background."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.lab.pool import BATCH
from bot.lab.results import read_results
from gui.private_screen import PrivateScreen
from tests.support import runs
from tests.support.runs import BOT, IN_BACKGROUND, environment, wait_for_line
from tests.support.xclient import wait_until

_SECONDS = 120.0
"""After which a run counts as stuck."""
_WORKERS = 2


@contextmanager
def running(
    home: Path, command: Sequence[str], screen: PrivateScreen | None = None
) -> Iterator[subprocess.Popen[str]]:
    """Run a command in a process group of its own."""
    options = {"stderr": subprocess.PIPE, "start_new_session": True}
    with runs.running(command, environment(home, screen), **options) as process:
        yield process


def games_in(path: Path) -> int:
    """Return how many games a file of results holds."""
    return max(0, path.read_bytes().count(b"\n") - 1) if path.exists() else 0


def lab(path: Path, command: Sequence[str] = BOT) -> Sequence[str]:
    """Return the command of a long run of the laboratory."""
    given = ("-s", "exact", "-n", "100000", "--workers", str(_WORKERS), "-o", str(path))
    return [*command, "lab", *given]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_laboratory_and_keeps_what_was_played(
    tmp_path: Path, number: signal.Signals
) -> None:
    """As a terminal sends Ctrl-C, and a shutdown SIGTERM: to the workers as well."""
    out = tmp_path / "results.jsonl"
    with running(tmp_path, lab(out)) as run:
        wait_until(lambda: games_in(out) > 3, _SECONDS)
        os.killpg(run.pid, number)
        printed, errors = run.communicate(timeout=_SECONDS)
    assert run.returncode == 130, errors
    kept = len(read_results(out).outcomes)
    assert f"Interrupted: {kept} games are kept" in printed


@pytest.mark.slow
def test_the_laboratory_in_the_background(tmp_path: Path) -> None:
    """Ctrl-C for another program does not end it; `kill` does."""
    out = tmp_path / "results.jsonl"
    with running(tmp_path, lab(out, IN_BACKGROUND)) as run:
        wait_until(lambda: games_in(out) > 3, _SECONDS)
        before = games_in(out)
        os.killpg(run.pid, signal.SIGINT)
        # More than what was handed out to the workers.
        wait_until(lambda: games_in(out) > before + 2 * _WORKERS * BATCH, _SECONDS)
        run.terminate()
        printed, errors = run.communicate(timeout=_SECONDS)
    assert run.returncode == 130, errors
    assert f"Interrupted: {games_in(out)} games are kept" in printed


def is_running(process: str) -> bool:
    """Return whether a process has not ended; one that is not waited for yet has ended."""
    try:
        status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.slow
def test_workers_end_with_a_laboratory_that_is_killed(tmp_path: Path) -> None:
    """No process that could report to them is left."""
    out = tmp_path / "results.jsonl"
    with running(tmp_path, [sys.executable, "-m", "gui", *lab(out, ())]) as run:
        wait_until(lambda: games_in(out) > 3, _SECONDS)
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text("utf-8").split()
        assert len(children) >= _WORKERS
        run.kill()
        wait_until(lambda: not any(map(is_running, children)), _SECONDS)
    assert read_results(out).outcomes


@pytest.mark.slow
def test_a_game_in_the_background(tmp_path: Path) -> None:
    """Ctrl-C for another program does not end it; `kill` does, and says what was played."""
    command = [*IN_BACKGROUND, "play", "--games", "100000", "--no-panel"]
    with running(tmp_path, command) as run:
        assert run.stdout is not None
        wait_for_line(run.stdout, "game 1 of")
        os.killpg(run.pid, signal.SIGINT)
        wait_for_line(run.stdout, "game 3 of")
        run.terminate()
        printed, errors = run.communicate(timeout=_SECONDS)
    assert run.returncode == 130, errors
    assert "won" in printed


@pytest.mark.parametrize(
    ("command", "ended_by"), [(BOT, signal.SIGINT), (IN_BACKGROUND, signal.SIGTERM)]
)
def test_the_simulated_window(
    tmp_path: Path, command: Sequence[str], ended_by: signal.Signals
) -> None:
    """Ctrl-C ends it, but not in the background."""
    with (
        PrivateScreen() as screen,
        running(tmp_path, [*command, "simulate", "--announce"], screen) as window,
    ):
        assert window.stdout is not None
        assert window.stdout.readline().strip().isdigit()
        # Of two that have come, the lower number is taken first unless it is ignored.
        for number in (signal.SIGINT, signal.SIGTERM):
            window.send_signal(number)
        assert window.wait(_SECONDS) == -ended_by


_WAITING = """
import ctypes, faulthandler, os, signal, sys, threading
from gui import interrupt

interrupt.GRACE_SECONDS = 1.0

def wait(library):
    getattr(ctypes, library)(None).read(nothing, ctypes.create_string_buffer(1), 1)

armed, arm = threading.Event(), faulthandler.dump_traceback_later

def note(*arguments, **options):
    arm(*arguments, **options)
    armed.set()

def handle(*_):
    if sys.argv[1] == "PyDLL":
        armed.wait()
        wait("PyDLL")

faulthandler.dump_traceback_later = note
interrupt.end_after_signals()
nothing, _ = os.pipe()
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, handle)
    # What the library waits for goes on after the signal.
    signal.siginterrupt(number, False)
print("waiting", flush=True)
wait("CDLL") if sys.argv[1] == "CDLL" else signal.pause()
"""


@pytest.mark.parametrize(
    ("number", "library", "code", "words"),
    [
        (signal.SIGINT, "CDLL", 130, "Ended by force"),
        pytest.param(signal.SIGTERM, "CDLL", 130, "Ended by force", marks=pytest.mark.slow),
        pytest.param(signal.SIGTERM, "PyDLL", 1, "Timeout", marks=pytest.mark.slow),
    ],
)
def test_a_signal_ends_a_program_that_waits_within_a_library(
    tmp_path: Path, number: signal.Signals, library: str, code: int, words: str
) -> None:
    """PyDLL keeps Python's global lock meanwhile, as Qt does while it paints: no thread runs.

    Otherwise the log tells where it waited.
    """
    logs = tmp_path / "log"
    logs.mkdir()
    command = ["env", "--default-signal=INT", sys.executable, "-c", _WAITING, library]
    with running(tmp_path, command) as run:
        assert run.stdout is not None
        wait_for_line(run.stdout, "waiting")
        os.killpg(run.pid, number)
        _, errors = run.communicate(timeout=_SECONDS)
    assert (run.returncode, words in errors) == (code, True), errors
    if library == "CDLL":
        assert "in wait" in "".join(one.read_text() for one in logs.iterdir())
