"""A history with games, recorded games, and the page over them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.failures import describe
from gui.games.games_page import GamesPage
from gui.history.store import Entry
from gui.panel.jobs import Jobs
from gui.panel.pages import Context
from gui.settings import Settings
from tests.gui.games.shelf import GAMES, RECORDED, Opened, Shelf
from tests.gui.history.made import fill, games
from tests.gui.tabletop import Tabletop
from tests.support.boards import SESSIONS


@pytest.fixture
def opened(qtbot: QtBot, home: Path) -> Iterator[Opened]:
    """Opens the page, and waits for what it shows."""
    assert home
    jobs = Jobs(lambda error: describe(error, None))
    page = GamesPage(Context(Tabletop(), jobs, Settings, lambda _settings: None))
    qtbot.addWidget(page)
    shelf = Shelf(page, qtbot)

    def open_page() -> Shelf:
        page.resize(1000, 740)
        page.show()
        page.activateWindow()
        shelf.wait(page.isActiveWindow)
        page.enter()
        shelf.settle()
        return shelf

    yield open_page
    page.viewer.close_film()
    with qtbot.waitSignal(jobs.ended):
        jobs.end()


@pytest.fixture
def recorded(home: Path) -> Path:
    """The recordings of a home with a few games of real programs."""
    sessions = home / "sessions"
    for name in RECORDED:
        shutil.copytree(SESSIONS / name, sessions / name)
    return sessions


@pytest.fixture
def shelf(opened: Opened, recorded: Path) -> Shelf:
    """The page over these recordings."""
    assert recorded.is_dir()
    return opened()


@pytest.fixture
def many(home: Path) -> list[Entry]:
    """A history of some hundred games; they are returned newest first."""
    fill(home / "history.sqlite", GAMES)
    return [entry for entry, _ in games(GAMES)][::-1]
