"""A panel that is killed in mid-game: the process that plays for it stops clicking."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.e2e.test_panel_mouse import RealPanel, panel_at_play
from tests.support.runs import sessions
from vision.desktop import desktop
from vision.desktop.protocol import InputKind

LATE_PRESSES: Final = 3
"""Presses that may follow the end of the panel. Ten take a tenth of a second on a free machine; on
a loaded one the player and whoever measures may both wait that long for the processor."""


def player_of(panel: RealPanel) -> int:
    """Return the id of the process that plays for a panel."""
    (found,) = (
        int(process.name)
        for process in Path("/proc").glob("[0-9]*")
        if f"\nPPid:\t{panel.pid}\n" in _read(process / "status")
        and "spawn_main" in _read(process / "cmdline")
    )
    return found


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


@contextmanager
def presses_noted() -> Iterator[list[float]]:
    """Yield the moments (monotonic clock) of all presses of mouse buttons on the screen so far."""
    events = desktop().open_input_events()
    assert events is not None
    noted: list[float] = []
    ended = threading.Event()

    def note() -> None:
        while not ended.is_set():
            if events.pending or select.select([events.handle], [], [], 0.1)[0]:
                pressed = sum(one.kind is InputKind.PRESS for one in events.pop_events())
                noted.extend([time.monotonic()] * pressed)
        events.close()

    thread = threading.Thread(target=note)
    thread.start()
    try:
        yield noted
    finally:
        ended.set()
        thread.join()


def test_nothing_is_clicked_for_a_panel_that_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stops at once, mostly in mid-move; the game that was under way is closed, not torn."""
    with (
        panel_at_play(tmp_path, monkeypatch, "--level", "expert") as panel,
        presses_noted() as presses,
    ):
        player = player_of(panel)
        deadline = time.monotonic() + 60
        while len(presses) < 20:
            assert time.monotonic() < deadline
            panel.wait_for("turn")
        os.kill(panel.pid, signal.SIGKILL)
        # The kernel takes a while for the memory of a large process.
        os.waitid(os.P_PID, panel.pid, os.WEXITED | os.WNOWAIT)
        gone = time.monotonic()
        subprocess.run(["tail", f"--pid={player}", "-f", "/dev/null"], check=True, timeout=60)
        assert sum(press > gone for press in presses) <= LATE_PRESSES
    assert not any(session.torn for session in sessions(tmp_path))
