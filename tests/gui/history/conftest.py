"""A history for a test."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a history that does not exist yet."""
    return tmp_path / "history.sqlite"
