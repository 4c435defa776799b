"""The records of a run: how many of them are kept."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

from bot.loop import Turn
from gui.runner.recording import recorded
from gui.settings import Settings
from tests.gui.tabletop import with_skin
from tests.support.clients import wait_until
from tests.vision.sessions.test_pruning import names, session
from vision.sessions.session_files import keep
from vision.skins import BUNDLED, load_skin


def test_recordings_beyond_the_limit_go_at_the_start_and_at_the_end(tmp_path: Path) -> None:
    """In a run that is not recorded as well; never one that is marked."""
    for number in range(1, 6):
        session(tmp_path, number)
    keep(tmp_path / "2026-01-01T12-00-00", kept=True)
    settings = Settings(record=False, sessions=str(tmp_path), keep_sessions=3)

    def turns() -> Iterator[Turn]:
        wait_until(lambda: all(one.name != "making room" for one in threading.enumerate()))
        assert names(tmp_path) == [1, 4, 5]
        session(tmp_path, 6)
        yield from ()

    reader = with_skin(load_skin(BUNDLED / "classic"))
    assert not list(recorded(turns(), reader, lambda: settings))
    assert names(tmp_path) == [1, 5, 6]
