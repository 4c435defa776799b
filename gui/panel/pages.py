"""Which pages there are. A page's module is imported when it is opened for the first time."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final, NamedTuple

from gui.panel.page import Context, Page


class PageInfo(NamedTuple):
    """A page, before it is made."""

    name: str
    """Also the name of its sign, and what `Page.wanted` calls it."""
    title: str
    module: str
    """Where its class is."""
    kind: str
    """Its class."""

    def make(self, context: Context) -> Page:
        """Import and make it."""
        make: Callable[[Context], Page] = getattr(import_module(self.module), self.kind)
        return make(context)


PLAY: Final = "play"
"""The page that is always there: the panel's own."""
SIMULATED: Final = "simulated"
"""What a page asks of it for a game on the built-in game."""

HELP: Final = "help"
"""The page of the first steps."""

PAGES: Final[tuple[PageInfo, ...]] = (
    PageInfo("picture", "Picture", "gui.picture.page", "PicturePage"),
    PageInfo("replay", "Replay", "gui.replay.page", "ReplayPage"),
    PageInfo("history", "History", "gui.history.page", "HistoryPage"),
    PageInfo("lab", "Lab", "gui.lab.page", "LabPage"),
    PageInfo("skins", "Skins", "gui.skins.page", "SkinsPage"),
    PageInfo("settings", "Settings", "gui.preferences.page", "SettingsPage"),
    PageInfo(HELP, "Help", "gui.panel.helppage", "HelpPage"),
)
"""In the order of the rail, under the page that plays."""
