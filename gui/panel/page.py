"""The base class of a page, and the context that it gets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QWidget

from gui.panel.jobs import Jobs
from gui.panel.theme import Theme
from gui.runner.protocol import Backend
from gui.settings import Settings


@dataclass(frozen=True)
class Context:
    """Values and functions shared by the pages."""

    backend: Backend
    jobs: Jobs
    settings: Callable[[], Settings]
    """Returns the current settings."""
    change: Callable[[Settings], None]
    """Applies other settings at once and saves them."""
    playing: Callable[[], bool] = lambda: False
    """Whether the bot is playing."""
    stop_key: Callable[[], str] = lambda: ""
    """Returns the key that stops from every window; empty if there is none."""


class Page(QWidget):
    """A page beside the playing page, created when it is first opened.

    Args:
        context: Shared by the pages.

    Signals:
        told(str): A message for the user.
        succeeded(str): Something was done.
        failed(Failure): Something went wrong.
        outdated(): The page's earlier messages no longer apply.
        wanted(str, object): Open another page by name, with what it is to show (None for
            nothing).
    """

    told = pyqtSignal(str)
    succeeded = pyqtSignal(str)
    failed = pyqtSignal(object)
    outdated = pyqtSignal()
    wanted = pyqtSignal(str, object)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context

    def set_theme(self, theme: Theme) -> None:
        """Set the colours of custom-painted parts."""

    def enter(self, what: object = None) -> None:
        """Refresh the page when it is opened.

        Args:
            what: What to show, if another page opened this one.
        """
