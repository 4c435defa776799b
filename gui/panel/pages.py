"""The pages beside the playing page: their base class, what they share, and their list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Final, NamedTuple

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QWidget

from gui.panel.jobs import Jobs
from gui.runner.client import PlayerClient
from gui.runner.protocol import Candidate
from gui.settings import Settings

PLAY: Final = "play"
"""The panel's own page, which always exists."""
SIMULATED: Final = "simulated"
"""The request to that page to start a built-in game."""
HELP: Final = "help"
"""The help page."""
OPEN: Final = "open"
"""The request to the page that analyses to let the user choose a screenshot."""


@dataclass(frozen=True)
class Context:
    """Values and functions shared by the pages."""

    backend: PlayerClient
    jobs: Jobs
    settings: Callable[[], Settings]
    """Returns the current settings."""
    change: Callable[[Settings], None]
    """Applies other settings at once and saves them."""
    playing: Callable[[], bool] = lambda: False
    """Whether the bot is playing."""
    stop_key: Callable[[], str] = lambda: ""
    """Returns the key that stops from every window; empty if there is none."""
    pause_key: Callable[[], str] = lambda: ""
    """Returns the key that pauses and resumes from every window; empty if there is none."""
    boards_found: Callable[[], tuple[Candidate, ...]] = tuple
    """Returns the boards that the last search found on the screen, in the order of the list."""


class Page(QWidget):
    """A page beside the playing page, created when it is first opened.

    Signals:
        message(str): A message for the user.
        succeeded(str): Something was done.
        saved(str, Path): A file or folder was written.
        failed(Failure): Something went wrong.
        outdated(): The page's earlier messages no longer apply.
        wanted(str, object): Open another page by name, with what it is to show (None for
            nothing).
    """

    message = pyqtSignal(str)
    succeeded = pyqtSignal(str)
    saved = pyqtSignal(str, object)
    failed = pyqtSignal(object)
    outdated = pyqtSignal()
    wanted = pyqtSignal(str, object)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context

    def enter(self, what: object = None) -> None:
        """Refresh the page when it is opened.

        Args:
            what: What to show, if another page opened this one.
        """


class PageInfo(NamedTuple):
    """A description of a page that may not have been created yet."""

    name: str
    """The page's name, also in `Page.wanted` and for its icon."""
    title: str
    module: str
    class_name: str

    def make(self, context: Context) -> Page:
        """Import the class and create the page."""
        make: Callable[[Context], Page] = getattr(import_module(self.module), self.class_name)
        return make(context)


PAGES: Final[tuple[PageInfo, ...]] = (
    PageInfo("analyse", "Analyse", "gui.analyse.analyse_page", "AnalysePage"),
    PageInfo("practice", "Practice", "gui.practice.practice_page", "PracticePage"),
    PageInfo("games", "Games", "gui.games.games_page", "GamesPage"),
    PageInfo("lab", "Lab", "gui.lab.lab_page", "LabPage"),
    PageInfo("skins", "Skins", "gui.skins.skins_page", "SkinsPage"),
    PageInfo("settings", "Settings", "gui.panel.settings_page", "SettingsPage"),
    PageInfo(HELP, "Help", "gui.panel.help_page", "HelpPage"),
)
"""In the order of the rail, below the playing page."""
