"""The page, opened in a panel."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.analyse.pages import Opened, settled
from tests.gui.panels import Shown
from tests.gui.tabletop import Tabletop


@pytest.fixture
def opened(shown: Shown, qtbot: QtBot, home: Path) -> Opened:
    """The page in a panel, with no skins and no positions of the user's."""
    assert home
    panel = shown(Tabletop())
    panel.shell.open("analyse")
    page = panel.shell.page("analyse")
    settled(qtbot, page)
    return panel, page
