"""The command that opens the panel."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from pytestqt.qtbot import QtBot

from gui.commands.panel import OpenPanel, raise_open_panel
from tests.gui.panels import Shown
from tests.gui.tabletop import Tabletop


@pytest.mark.usefixtures("home")
def test_a_second_start_raises_the_first_panel(shown: Shown, qtbot: QtBot) -> None:
    """It comes to the page that the second one was to show."""
    assert not raise_open_panel()
    panel = shown(Tabletop())
    opened = OpenPanel(panel)
    panel.showMinimized()
    with ThreadPoolExecutor() as second:
        answer = second.submit(raise_open_panel, "help")
        qtbot.waitUntil(answer.done)
    assert answer.result()
    assert not panel.isMinimized()
    assert panel.shell.name == "help"
    opened.close()
    assert not raise_open_panel()
