"""The page, opened in a panel."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.panel import Panel
from gui.skins.skins_page import SkinsPage
from tests.gui.panels import Shown
from tests.gui.skins.pages import Opened, own, settled
from tests.gui.tabletop import Tabletop


@pytest.fixture
def opened(shown: Shown, qtbot: QtBot, home: Path) -> Opened:
    """Opens the page in a panel, with skins of the user's of these names."""
    assert home

    def make(*names: str, table: Tabletop | None = None) -> tuple[Panel, SkinsPage]:
        for name in names:
            own(name)
        panel = shown(table or Tabletop())
        panel.shell.open("skins")
        page = panel.shell.page("skins")
        assert isinstance(page, SkinsPage)
        settled(qtbot, page)
        return panel, page

    return make
