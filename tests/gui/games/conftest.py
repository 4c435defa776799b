"""A history with games, recorded games, and the page over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.failures import describe
from gui.games.games_page import GamesPage
from gui.history.store import Entry
from gui.panel.jobs import Jobs
from gui.panel.pages import Context
from gui.settings import Settings
from tests.gui.games.pages import GAMES, Seen, settle
from tests.gui.games.shelf import recorded, shelf
from tests.gui.history.made import fill, games
from tests.gui.tabletop import Tabletop

__all__ = ["recorded", "shelf"]


@pytest.fixture
def opened(qtbot: QtBot, home: Path) -> Iterator[Callable[..., Seen]]:
    """Opens the page, as large as asked for, and waits for what it shows."""
    assert home
    jobs: list[Jobs] = []

    def open_page(width: int = 980, height: int = 740) -> Seen:
        jobs.append(Jobs(lambda error: describe(error, None)))
        context = Context(Tabletop(), jobs[0], Settings, lambda _settings: None)
        seen = Seen(GamesPage(context))
        qtbot.addWidget(seen.page)
        seen.page.resize(width, height)
        seen.page.show()
        seen.page.activateWindow()
        qtbot.waitUntil(seen.page.isActiveWindow)
        seen.page.enter()
        settle(qtbot, seen)
        return seen

    yield open_page
    for one in jobs:
        with qtbot.waitSignal(one.ended):
            one.end()


@pytest.fixture
def many(home: Path) -> list[Entry]:
    """A history of some hundred games; they are returned newest first."""
    fill(home / "history.sqlite", GAMES)
    return [entry for entry, _ in games(GAMES)][::-1]
