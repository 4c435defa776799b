"""The page of the history for tests, what it told, and what one waits for."""

from __future__ import annotations

from PyQt6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from gui.failures import Failure
from gui.games.games_page import GamesPage
from gui.games.games_table import COLUMNS

GAMES = 300
"""Of the history that most tests look at."""


class Seen:
    """A page, what it told, and what it wanted."""

    def __init__(self, page: GamesPage) -> None:
        self.page = page
        self.told: list[str] = []
        self.failures: list[Failure] = []
        self.wanted: list[tuple[str, object]] = []
        page.message.connect(self.told.append)
        page.saved.connect(lambda text, _path: self.told.append(text))
        page.failed.connect(self.failures.append)
        page.wanted.connect(lambda name, what: self.wanted.append((name, what)))

    def column(self, title: str, rows: int = 20) -> list[str]:
        """The texts of a column, from the top."""
        number = [column.title for column in COLUMNS].index(title)
        model = self.page.model
        return [model.data(model.index(row, number)) for row in range(min(rows, model.rowCount()))]

    @property
    def dialog(self) -> QDialog | None:
        """What the user is asked at the moment."""
        return self.page.findChild(QDialog)

    @property
    def notice(self) -> str:
        """What stands in place of the table; empty where it is the table."""
        page = self.page
        return page.title.text() if page.title.isVisible() else ""


def settle(qtbot: QtBot, seen: Seen) -> None:
    """Wait until all was answered that was asked."""
    qtbot.waitUntil(lambda: not seen.page.loading)


def wait_for_graphs(qtbot: QtBot, page: GamesPage) -> None:
    """Their library is loaded first, which takes a busy machine its time."""
    qtbot.waitUntil(lambda: page.graphs is not None and page.graphs.isVisible())
