"""A panel that is killed in mid-game: the process that plays for it stops clicking."""

from __future__ import annotations

import os
import signal
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import psutil
import pytest
from Xlib import X
from Xlib.ext import record

from tests.e2e.test_panel_mouse import panel_at_play
from tests.support.driven import Driven
from tests.support.runs import sessions
from tests.support.xclient import wait_until
from vision.desktop.x11_connection import open_display

LATE_PRESSES: Final = 10
"""Presses that may follow the end of the panel: on a free machine they take a tenth of a second."""


def player_of(panel: Driven) -> psutil.Process:
    """Return the process that plays for a panel."""
    (found,) = (
        process
        for process in psutil.Process(panel.pid).children()
        if "spawn_main" in str(process.cmdline())
    )
    return found


@contextmanager
def presses_noted() -> Iterator[list[float]]:
    """Yield the times of the presses of mouse buttons so far, by the server's monotonic clock."""
    display, control = open_display(), open_display()
    noted: list[float] = []
    nothing = (0, 0)
    presses = {
        "core_requests": nothing,
        "core_replies": nothing,
        "ext_requests": (0, 0, 0, 0),
        "ext_replies": (0, 0, 0, 0),
        "delivered_events": nothing,
        "device_events": (X.ButtonPress, X.ButtonPress),
        "errors": nothing,
        "client_started": False,
        "client_died": False,
    }
    context = display.record_create_context(0, [record.AllClients], [presses])

    def note(reply: Any) -> None:
        # Events of 32 bytes each, with the time in milliseconds after the first four.
        noted.extend(time / 1000 for (time,) in struct.iter_unpack("=4xI24x", reply.data))

    thread = threading.Thread(target=display.record_enable_context, args=(context, note))
    thread.start()
    try:
        yield noted
    finally:
        control.record_disable_context(context)
        control.sync()
        thread.join()
        display.close()
        control.close()


def test_nothing_is_clicked_for_a_panel_that_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stops at once, mostly in mid-move; the game that was under way is closed, not torn."""
    with (
        panel_at_play(tmp_path, monkeypatch, "--level", "expert") as panel,
        presses_noted() as presses,
    ):
        player = player_of(panel)
        wait_until(lambda: len(presses) >= 20)
        os.kill(panel.pid, signal.SIGKILL)
        # The kernel takes a while for the memory of a large process.
        os.waitid(os.P_PID, panel.pid, os.WEXITED | os.WNOWAIT)
        gone = time.monotonic()
        player.wait(60)
        assert sum(press > gone for press in presses) <= LATE_PRESSES
    assert not any(session.torn for session in sessions(tmp_path))
