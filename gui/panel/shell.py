"""The window's frame: the rail, the message bar, and the open page."""

from __future__ import annotations

from functools import partial

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtGui import QKeySequence, QShortcut
from PyQt6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from gui.panel.banner import Banner
from gui.panel.page import Context, Page
from gui.panel.pages import HELP, PAGES, PLAY
from gui.panel.rail import Rail
from gui.panel.surface import Surface
from gui.panel.theme import SPACE, Theme


class Shell(QWidget):
    """The window's central widget.

    Args:
        play: The playing page; always exists.
        banner: Shows messages: below the buttons of the playing page, and below other pages.
        context: Passed to the other pages when they are created.

    Signals:
        turned(str): Another page is open, by its name.
        asked(object): A request of another page to the playing page.
    """

    turned = pyqtSignal(str)
    asked = pyqtSignal(object)

    def __init__(
        self, play: Surface, banner: Banner, context: Context, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.rail = Rail(((PLAY, "Play"), *((page.name, page.title) for page in PAGES)))
        self._play, self._banner, self._context = play, banner, context
        self._theme: Theme | None = None
        self._infos = {page.name: page for page in PAGES}
        self._made: dict[str, QWidget] = {PLAY: play}
        self._stack = QStackedWidget()
        self._stack.addWidget(play)
        across = QVBoxLayout()
        across.setSpacing(0)
        across.addWidget(self._stack, 1)
        # The buttons of the pages are at the top, so they do not move.
        self._banner_place = QVBoxLayout()
        self._banner_place.setContentsMargins(SPACE, 0, SPACE, SPACE)
        across.addLayout(self._banner_place)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        row.addLayout(across, 1)
        self.rail.chosen.connect(self.open)
        QShortcut(QKeySequence("F1"), self).activated.connect(partial(self.open, HELP))
        self.rail.show_page(PLAY)

    @property
    def name(self) -> str:
        """The open page's name."""
        current = self._stack.currentWidget()
        return next(name for name, page in self._made.items() if page is current)

    def page(self, name: str) -> QWidget:
        """Return a page, created on first use."""
        if name not in self._made:
            page = self._infos[name].make(self._context)
            page.told.connect(partial(self._banner.tell, page=name))
            page.succeeded.connect(partial(self._banner.tell_done, page=name))
            page.failed.connect(partial(self._banner.tell_failure, page=name))
            page.outdated.connect(partial(self._banner.clear, name))
            page.wanted.connect(self.open)
            if self._theme is not None:
                page.set_theme(self._theme)
            self._made[name] = page
            self._stack.addWidget(page)
        return self._made[name]

    def open(self, name: str, what: object = None) -> None:
        """Open a page.

        Args:
            name: The page's name.
            what: What it is to show.
        """
        page = self.page(name)
        self.rail.show_page(name)
        self._stack.setCurrentWidget(page)
        self._place_banner(name)
        self._banner.turn_to(name)
        if isinstance(page, Page):
            page.enter(what)
        elif what is not None:
            self.asked.emit(what)
        self.turned.emit(name)

    def _place_banner(self, name: str) -> None:
        place = self._play.banner_place if name == PLAY else self._banner_place
        place.addWidget(self._banner)

    def set_theme(self, theme: Theme) -> None:
        """Set the colours of custom-painted parts, except on the playing page."""
        self._theme = theme
        self.rail.set_theme(theme)
        for page in self._made.values():
            if isinstance(page, Page):
                page.set_theme(theme)
