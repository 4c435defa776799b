"""A panel with the laboratory's page open, and a home of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.game import BEGINNER
from gui.panel import Panel
from tests.gui.panels import Shown
from tests.gui.tabletop import Tabletop


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Everything is kept in a folder of the test."""
    monkeypatch.setenv("MINESWEEPER_BOT_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def panel(shown: Shown) -> Panel:
    """A panel with the page open."""
    made = shown(Tabletop(BEGINNER))
    made.shell.open("lab")
    return made
