"""A home with recorded games, and the page of games over it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PyQt6.QtWidgets import QAbstractButton, QDialog
from pytestqt.qtbot import QtBot

from gui.failures import Failure
from gui.games.games_page import GamesPage
from gui.panel.jobs import Jobs, Progress
from gui.panel.pages import Context
from gui.settings import Settings
from tests.gui.tabletop import Tabletop
from tests.support.boards import SESSIONS

NAME = "classic-beginner-won"
RECORDED = (NAME, "sgt-mines-beginner-won", "winemine-intermediate-lost")


@pytest.fixture
def recorded(home: Path) -> Path:
    """The recordings of a home with a few games of real programs."""
    sessions = home / "sessions"
    for name in RECORDED:
        shutil.copytree(SESSIONS / name, sessions / name)
    return sessions


@dataclass
class Shelf:
    """The page, and what it told."""

    page: GamesPage
    told: list[str]
    failed: list[Failure]
    qtbot: QtBot

    @property
    def dialogs(self) -> list[QDialog]:
        """What the user is asked at the moment."""
        return [one for one in self.page.findChildren(QDialog) if one.isVisible()]

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
        self.qtbot.waitUntil(lambda: bool(ready()))

    def scanned(self) -> None:
        """Until the list is there."""
        self.wait(lambda: self.page.answer is not None and not self.page.context.jobs.running)

    def open(self, folder: Path) -> None:
        """Show a session, and wait until it is there with its first picture."""
        self.page.open(folder)
        self.wait(lambda: self.page.viewer.film and self.page.viewer.film.session.folder == folder)
        self.pictured()

    def pictured(self) -> None:
        """Until the frame of the turn that is shown is there."""
        viewer = self.page.viewer
        self.wait(lambda: viewer.pictured)

    def rated(self) -> None:
        """Until every guess is rated."""
        self.wait(lambda: self.page.viewer.side.judge.done)


@pytest.fixture
def shelf(qtbot: QtBot, recorded: Path) -> Iterator[Shelf]:
    """The page as it is entered, with jobs of its own."""
    assert recorded.is_dir()
    table = Tabletop()
    jobs = Jobs(table.failure)
    settings = Settings()
    context = Context(table, jobs, lambda: settings, lambda _settings: None)
    page = GamesPage(context)
    told: list[str] = []
    failed: list[Failure] = []
    page.message.connect(told.append)
    page.saved.connect(lambda text, _path: told.append(text))
    page.failed.connect(failed.append)
    page.resize(1000, 700)
    qtbot.addWidget(page)
    with qtbot.waitExposed(page):
        page.show()
    page.enter()
    shelf = Shelf(page, told, failed, qtbot)
    shelf.scanned()
    yield shelf
    page.viewer.close_film()
    with qtbot.waitSignal(jobs.ended):
        jobs.end()


def silent() -> Progress:
    """A job that nobody looks at."""
    return Progress(lambda _share, _words: None)


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
