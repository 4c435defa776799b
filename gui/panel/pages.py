"""The list of pages. A page's module is imported when the page is first opened."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final, NamedTuple

from gui.panel.page import Context, Page


class PageInfo(NamedTuple):
    """A description of a page that may not have been created yet."""

    name: str
    """Also the name of its icon, and its name in `Page.wanted`."""
    title: str
    module: str
    """The module of its class."""
    kind: str
    """The name of its class."""

    def make(self, context: Context) -> Page:
        """Import the class and create the page."""
        make: Callable[[Context], Page] = getattr(import_module(self.module), self.kind)
        return make(context)


PLAY: Final = "play"
"""The panel's own page, which always exists."""
SIMULATED: Final = "simulated"
"""Asks that page to start a built-in game."""

HELP: Final = "help"
"""The help page."""

PAGES: Final[tuple[PageInfo, ...]] = (
    PageInfo("picture", "Picture", "gui.picture.page", "PicturePage"),
    PageInfo("replay", "Replay", "gui.replay.replay_page", "ReplayPage"),
    PageInfo("history", "History", "gui.history.history_page", "HistoryPage"),
    PageInfo("lab", "Lab", "gui.lab.lab_page", "LabPage"),
    PageInfo("skins", "Skins", "gui.skins.skins_page", "SkinsPage"),
    PageInfo("settings", "Settings", "gui.preferences.page", "SettingsPage"),
    PageInfo(HELP, "Help", "gui.panel.helppage", "HelpPage"),
)
"""In the order of the rail, below the playing page."""
