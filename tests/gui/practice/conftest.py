"""A home of its own for the practice."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.solver.warmup import PREPARATION


@pytest.fixture
def sessions(home: Path) -> Path:
    """The folder of the recordings, in a new home; the solvers are ready."""
    PREPARATION.wait()
    return home / "sessions"
