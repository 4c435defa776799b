"""The page of the history by keyboard, on a small screen, and in the panel."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PyQt6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.history.store import Entry
from tests.gui.history.pages import GAMES, Seen, settle, wait_for_graphs
from tests.gui.panels import Shown, message
from tests.gui.tabletop import Tabletop


def test_it_fits_a_small_screen(
    opened: Callable[..., Seen], many: list[Entry], qtbot: QtBot
) -> None:
    """1024x768 at 200 %: nothing is wider than the page; the filter makes way until asked for."""
    assert many
    seen = opened(472, 340)
    page = seen.page
    assert page.minimumSizeHint().width() <= 472
    assert not page.filters.isVisible()
    qtbot.keyClick(page, Qt.Key.Key_F, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(page.filters.isVisible)
    page.controls.graphs.click()
    wait_for_graphs(qtbot, page)
    for part in (page.filters, page.cards, page.controls, page.graphs):
        assert part.width() <= 472
    page.resize(980, 740)
    qtbot.waitUntil(page.filters.isVisible)


def test_tab_goes_through_the_page(
    opened: Callable[..., Seen], many: list[Entry], qtbot: QtBot
) -> None:
    """The games have the focus at first; then from the buttons over the filter back to them."""
    assert many
    seen = opened()
    page = seen.page
    qtbot.waitUntil(page.view.hasFocus)
    page.controls.filter.setFocus()
    page.filters.result.setCurrentText("Won")
    qtbot.waitUntil(lambda: page.model.rowCount() < GAMES)
    settle(qtbot, seen)
    # `selectRow` may deselect it: another test may have left a modifier key with the application.
    page.view.choose(np.array([0]))
    # Of table and graphs Tab stops at the one that is shown.
    buttons = [one for one in page.controls.buttons if one is not page.controls.graphs]
    order = [*buttons, *page.filters.boxes, page.filters.everything, page.view]
    window = page.window()
    for control in order:
        assert window.focusWidget() is control, [one.isEnabled() for one in order]
        qtbot.keyClick(control, Qt.Key.Key_Tab)


def test_the_panel_opens_it(shown: Shown, many: list[Entry], qtbot: QtBot) -> None:
    """From the rail; what it tells stands in the banner."""
    panel = shown(Tabletop())
    panel.shell.rail.buttons["history"].click()
    page = panel.shell.page("history")
    qtbot.waitUntil(lambda: page.model.rowCount() == len(many))
    page.view.selectRow(0)
    page.controls.replay.click()
    assert "no longer exists" in message(panel)
