"""The graphs of the page of the history."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QColor
from pytestqt.qtbot import QtBot

from gui.history.schema import history_file
from gui.history.store import Entry, History, Result
from gui.panel.theme import DARK, LIGHT, apply
from tests.gui.history.made import fill, game
from tests.gui.history.pages import Seen, settle, wait_for_graphs
from tests.support.images import to_array


def test_the_graphs_say_what_they_show(
    opened: Callable[..., Seen], many: list[Entry], qtbot: QtBot
) -> None:
    """They follow the filter and the theme; words say the same to who does not see them."""
    assert many
    seen = opened()
    page = seen.page
    qtbot.keyClick(page, Qt.Key.Key_H, Qt.KeyboardModifier.AltModifier)
    wait_for_graphs(qtbot, page)
    assert not page.view.isVisible()
    assert len(page.graphs.rate.curve.getData()[0]) > 100
    assert page.graphs.rate.curve.isVisible()
    assert "95 %" in page.graphs.rate.view.accessibleDescription()
    assert "dashed line crosses" in page.graphs.calibration.words.text()
    won = page.cards.figure("Won")[0]
    assert won in page.graphs.rate.words.text()
    apply(DARK, page)
    assert page.graphs.rate.view.backgroundBrush().color().name() == DARK.card
    page.filters.player.setCurrentText("You")
    settle(qtbot, seen)
    assert page.cards.figure("Won")[0] != won
    assert page.cards.figure("Won")[0] in page.graphs.rate.words.text()
    page.filters.game.setCurrentText("Find all mines")
    settle(qtbot, seen)
    assert seen.notice == "No games match the filters"
    page.filters.clear()
    settle(qtbot, seen)
    assert page.graphs.isVisible()
    qtbot.keyClick(page, Qt.Key.Key_T, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(page.view.isVisible)


@pytest.mark.parametrize("games", [10, 11])
def test_few_games_are_seen_as_points(
    opened: Callable[..., Seen], home: Path, qtbot: QtBot, games: int
) -> None:
    """Ten games are one point, with its interval: a line alone would show nothing."""
    fill(home / "history.sqlite", games)
    seen = opened()
    seen.page.controls.graphs.click()
    wait_for_graphs(qtbot, seen.page)
    rate = seen.page.graphs.rate
    assert len(rate.curve.getData()[0]) == games - 9
    picture = to_array(rate.view.grab().toImage())
    accent = QColor(LIGHT.accent)
    ink = (picture == [accent.blue(), accent.green(), accent.red()]).all(axis=2)
    assert ink.sum() > 30


def test_few_games_make_no_graph(opened: Callable[..., Seen], qtbot: QtBot) -> None:
    """Each says why, and draws no axes."""
    with History.to_write(history_file()) as history:
        history.add([(game(result=Result.LOST), [])])
    seen = opened()
    seen.page.controls.graphs.click()
    wait_for_graphs(qtbot, seen.page)
    graphs = seen.page.graphs
    said = [one.words.text() for one in (graphs.rate, graphs.calibration, graphs.times)]
    assert [text.split()[0] for text in said] == ["Shown", "No", "No"]
    assert not any(one.plot.isVisible() for one in (graphs.rate, graphs.calibration, graphs.times))


def test_the_panel_starts_without_the_plots() -> None:
    """Neither the plots nor the page are loaded before somebody opens them."""
    program = (
        "import sys, gui.commands.panel, gui.history.history_page;"
        "print(sorted({'pyqtgraph', 'gui.history.graphs'} & set(sys.modules)))"
    )
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    assert told.stdout.strip() == "[]"
