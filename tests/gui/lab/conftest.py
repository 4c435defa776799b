"""The laboratory's page, open in a panel with a home of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.game import BEGINNER
from gui.lab.lab_page import LabPage
from gui.panel import Panel
from tests.gui.lab.pages import page_of
from tests.gui.panels import Shown
from tests.gui.tabletop import Tabletop


@pytest.fixture
def panel(shown: Shown, home: Path) -> Panel:
    """A panel with a home of its own."""
    assert home
    return shown(Tabletop(BEGINNER))


@pytest.fixture
def page(panel: Panel) -> LabPage:
    """The page, open in that panel."""
    return page_of(panel)
