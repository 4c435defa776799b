"""A home with recorded games, and the page of games over it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from PyQt6.QtWidgets import QAbstractButton, QDialog
from pytestqt.qtbot import QtBot

from gui.failures import Failure
from gui.games.games_page import GamesPage
from gui.games.games_table import COLUMNS

GAMES = 300
"""The history that most tests use."""
NAME = "classic-beginner-won"
RECORDED = (NAME, "sgt-mines-beginner-won", "winemine-intermediate-lost")


class Shelf:
    """The page, and its messages."""

    def __init__(self, page: GamesPage, qtbot: QtBot) -> None:
        self.page, self._qtbot = page, qtbot
        self.messages: list[str] = []
        self.failed: list[Failure] = []
        page.message.connect(self.messages.append)
        page.saved.connect(lambda text, _path: self.messages.append(text))
        page.failed.connect(self.failed.append)

    @property
    def dialogs(self) -> list[QDialog]:
        """What the user is asked at the moment."""
        return [one for one in self.page.findChildren(QDialog) if one.isVisible()]

    @property
    def notice(self) -> str:
        """What stands in place of the table; empty where it is the table."""
        return self.page.title.text() if self.page.title.isVisible() else ""

    def column(self, title: str) -> list[str]:
        """The first 20 texts of a column."""
        number = [column.title for column in COLUMNS].index(title)
        model = self.page.model
        return [model.data(model.index(row, number)) for row in range(min(20, model.rowCount()))]

    def press(self, text: str) -> None:
        """Press a button of the dialog."""
        (dialog,) = self.dialogs
        self.wait(dialog.isActiveWindow)
        buttons = dialog.findChildren(QAbstractButton)
        next(one for one in buttons if one.text().replace("&", "") == text).click()

    def choose(self, path: Path) -> None:
        """Choose a file or a folder in the dialog."""
        (dialog,) = self.dialogs
        dialog.fileSelected.emit(str(path))
        dialog.reject()

    def wait(self, ready: Callable[[], object]) -> None:
        """Until something is so."""
        self._qtbot.waitUntil(lambda: bool(ready()))

    def settle(self) -> None:
        """Until all was answered that was asked."""
        self.wait(lambda: not self.page.loading)

    def wait_for_rows(self, count: int) -> None:
        """Until so many games are listed."""
        self.wait(lambda: not self.page.loading and self.page.model.rowCount() == count)

    def open(self, folder: Path) -> None:
        """Show a session, and wait until it is there with its first picture."""
        self.page.open(folder)
        self.wait_for_film(folder)
        self.pictured()

    def wait_for_film(self, folder: Path) -> None:
        """Until this session is open."""
        self.wait(lambda: self.page.viewer.film and self.page.viewer.film.session.folder == folder)

    def pictured(self) -> None:
        """Until the frame of the turn that is shown is there."""
        self.wait(lambda: self.page.viewer.pictured)


Opened = Callable[[], Shelf]


def change(session: Path, turn: int, where: tuple[str | int, ...], value: object) -> None:
    """Put another value into a recorded turn."""
    path = session / "turns.jsonl"
    lines = path.read_text("utf-8").splitlines()
    record = json.loads(lines[turn])
    part = record
    for key in where[:-1]:
        part = part[key]
    part[where[-1]] = value
    path.write_text("\n".join([*lines[:turn], json.dumps(record), *lines[turn + 1 :]]) + "\n")
