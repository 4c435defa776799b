"""A panel that is killed in mid-game: the process that plays for it stops clicking."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Final

import psutil
import pytest

from tests.e2e.test_panel_mouse import panel_at_play
from tests.support.driven import Driven
from tests.support.runs import sessions
from tests.support.strays import looked_at
from tests.support.xclient import wait_until

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


def test_nothing_is_clicked_for_a_panel_that_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stops at once, mostly in mid-move; the game that was under way is closed, not torn."""
    with panel_at_play(tmp_path, monkeypatch, "--level", "expert") as panel:
        player = player_of(panel)
        wait_until(lambda: looked_at(tmp_path)[0] >= 20)
        os.kill(panel.pid, signal.SIGKILL)
        # The kernel takes a while for the memory of a large process.
        os.waitid(os.P_PID, panel.pid, os.WEXITED | os.WNOWAIT)
        before = looked_at(tmp_path)[0]
        player.wait(60)
        assert looked_at(tmp_path)[0] <= before + LATE_PRESSES
    assert not any(session.torn for session in sessions(tmp_path))
