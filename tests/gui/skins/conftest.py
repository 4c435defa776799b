"""The page, opened in a panel."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from bot.frame import Frame
from tests.gui.panels import Shown
from tests.gui.skins.pages import Driver, Opened, own, picture
from tests.gui.tabletop import Tabletop


@pytest.fixture
def opened(shown: Shown, qtbot: QtBot, home: Path) -> Opened:
    """Opens the page in a panel, with skins of the user's of these names."""
    assert home

    def make(*names: str, table: Tabletop | None = None) -> Driver:
        for name in names:
            own(name)
        panel = shown(table or Tabletop())
        panel.shell.open("skins")
        made = Driver(panel, qtbot)
        made.settle()
        return made

    return make


@pytest.fixture
def taught(opened: Opened) -> Driver:
    """The page with a strange picture to learn from, handed over by another page."""
    made = opened("mine")
    made.panel.shell.open("play")
    made.panel.shell.open("skins", Frame.of_image(picture()))
    made.settle()
    return made
