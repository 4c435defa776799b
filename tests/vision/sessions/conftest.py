"""A recorded game that may be damaged."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.boards import SESSIONS


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A copy of a recorded game."""
    return Path(shutil.copytree(SESSIONS / "classic-beginner-won", tmp_path / "game"))
