"""A panel with the laboratory's page open, and a home of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.game import BEGINNER
from gui.panel import Panel
from tests.gui.panels import Shown
from tests.gui.tabletop import Tabletop


@pytest.fixture
def panel(shown: Shown, home: Path) -> Panel:
    """A panel with the page open."""
    assert home
    made = shown(Tabletop(BEGINNER))
    made.shell.open("lab")
    return made
