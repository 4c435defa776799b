"""What a page of the panel is, and what it is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QWidget

from gui.panel.jobs import Jobs
from gui.panel.theme import Theme
from gui.protocol import Backend
from gui.settings import Settings


@dataclass(frozen=True)
class Context:
    """What pages share."""

    backend: Backend
    jobs: Jobs
    settings: Callable[[], Settings]
    """The settings at this moment."""
    change: Callable[[Settings], None]
    """Takes other settings: at once, and kept."""
    playing: Callable[[], bool] = lambda: False
    """Whether the bot plays at this moment."""


class Page(QWidget):
    """A page beside the one that plays; made when it is opened for the first time.

    Args:
        context: What pages share.

    Signals:
        told(str): Something that the user should know.
        succeeded(str): Something was done.
        failed(Failure): Something went wrong.
        outdated(): What was told before of this page is not true, or not of interest, any more.
        wanted(str, object): Another page is to be opened, by its name, with what it is to
            show (None for nothing).
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
        """Colour what is painted by hand."""

    def enter(self, what: object = None) -> None:
        """The page comes to the front: look again at what may have changed.

        Args:
            what: What it is to show, where another page asked for it.
        """
