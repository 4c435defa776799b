"""The command that opens the panel."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.commands.panel import OpenPanel, raise_open_panel
from tests.gui.panels import Shown
from tests.gui.tabletop import Tabletop


def test_a_second_start_raises_the_first_panel(
    shown: Shown, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes to the page that the second one was to show; what is no request is dropped."""
    monkeypatch.setenv("MINESWEEPER_BOT_HOME", str(tmp_path / "home"))
    assert not raise_open_panel()
    panel = shown(Tabletop())
    opened = OpenPanel(panel)
    panel.showMinimized()
    answers: list[bool] = []

    def start_again() -> None:
        answers.append(raise_open_panel("help"))

    second = threading.Thread(target=start_again)
    second.start()
    qtbot.waitUntil(lambda: answers == [True])
    second.join()
    assert not panel.isMinimized()
    assert panel.shell.name == "help"
    opened.close()
    assert not raise_open_panel()
