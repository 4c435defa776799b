"""A home of its own for the practice."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.solver.warmup import PREPARATION
from gui.settings import sessions_folder
from vision.files import HOME_VARIABLE


@pytest.fixture
def sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the recordings, in a new home; the solvers are ready."""
    PREPARATION.wait()
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    return sessions_folder()
