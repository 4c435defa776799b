"""The graphs of the page of the history."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

from PyQt6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.history.entry import Entry, Result
from gui.history.schema import history_file
from gui.history.store import History
from gui.panel.theme import DARK
from tests.gui.history.made import game
from tests.gui.history.pages import Seen, settle, wait_for_graphs


def test_the_graphs_say_what_they_show(
    opened: Callable[..., Seen], many: list[Entry], qtbot: QtBot
) -> None:
    """They follow the filter and the theme; words say the same to who does not see them."""
    assert many
    seen = opened()
    page = seen.page
    qtbot.keyClick(page, Qt.Key.Key_H, Qt.KeyboardModifier.AltModifier)
    wait_for_graphs(qtbot, page)
    assert page.graphs is not None
    assert not page.view.isVisible()
    assert len(page.graphs.rate.curve.getData()[0]) > 100
    assert page.graphs.rate.curve.isVisible()
    assert "95 %" in page.graphs.rate.view.accessibleDescription()
    assert "dashed line runs through" in page.graphs.calibration.words.text()
    won = page.cards.figure("Won")[0]
    assert won in page.graphs.rate.words.text()
    page.set_theme(DARK)
    assert page.graphs.rate.view.backgroundBrush().color().name() == DARK.card
    page.filters.player.setCurrentText("You")
    settle(qtbot, seen)
    assert page.cards.figure("Won")[0] != won
    assert page.cards.figure("Won")[0] in page.graphs.rate.words.text()
    page.filters.game.setCurrentText("Find all mines")
    settle(qtbot, seen)
    assert seen.notice == "No game is like that"
    page.filters.clear()
    settle(qtbot, seen)
    assert page.graphs.isVisible()
    qtbot.keyClick(page, Qt.Key.Key_T, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(page.view.isVisible)


def test_few_games_make_no_graph(opened: Callable[..., Seen], qtbot: QtBot) -> None:
    """Each says why, and draws no axes."""
    with History.to_write(history_file()) as history:
        history.add([(game(result=Result.LOST), [])])
    seen = opened()
    seen.page.controls.graphs.click()
    wait_for_graphs(qtbot, seen.page)
    graphs = seen.page.graphs
    assert graphs is not None
    said = [one.words.text() for one in (graphs.rate, graphs.calibration, graphs.times)]
    assert [text.split()[0] for text in said] == ["Drawn", "No", "No"]
    assert not any(one.plot.isVisible() for one in (graphs.rate, graphs.calibration, graphs.times))


def test_the_panel_starts_without_the_plots() -> None:
    """Neither the plots nor the page are loaded before somebody opens them."""
    program = (
        "import sys, gui.commands.panel, gui.history.page;"
        "print(sorted({'pyqtgraph', 'gui.history.graphs'} & set(sys.modules)))"
    )
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    assert told.stdout.strip() == "[]"
