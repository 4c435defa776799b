"""The window's frame: the navigation rail, the message bar, and the open page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QFont, QFontMetrics
from PyQt6.QtWidgets import (
    QButtonGroup,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from bot.solver.warmup import PREPARATION
from gui.panel.banner import Banner
from gui.panel.icons import icon
from gui.panel.pages import HELP, PAGES, PLAY, Context, Page
from gui.panel.play_page import Surface
from gui.panel.theme import on_theme_change
from gui.panel.widgets import (
    PAGE_MARGINS,
    add_key,
    lay_column,
    lay_row,
    name_control,
    order_by_layout,
)

WIDTH: Final = 76
NARROW: Final = 40
"""Widths of the rail in points: with texts below the icons (WIDTH), and without."""


@dataclass(frozen=True)
class ButtonSizes:
    """Sizes of a button of the rail, in points."""

    sign: int = 22
    height: int = 50
    """Smallest height of a button in points; its text may need more."""
    gap: int = 2
    edge: int = 6
    around: int = 8
    """Points around a button, and around its text."""
    padding: int = 12
    """Points above, between and below icon and text."""


_BUTTON: Final = ButtonSizes()


class Rail(QWidget):
    """A button for every page; Alt and a digit press it from everywhere.

    Args:
        pages: Name and title of each, from the top.

    Signals:
        chosen(str): The name of the page to open.
    """

    chosen = pyqtSignal(str)

    def __init__(self, pages: Iterable[tuple[str, str]]) -> None:
        super().__init__()
        self.setProperty("rail", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.buttons: dict[str, QToolButton] = {}
        self._group = QButtonGroup(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, _BUTTON.edge, 0, _BUTTON.edge)
        column.setSpacing(_BUTTON.gap)
        for place, (name, title) in enumerate(pages, 1):
            number = place % 10  # The tenth has the key 0.
            button = QToolButton()
            button.setText(title)
            button.setCheckable(True)
            button.setIconSize(QSize(_BUTTON.sign, _BUTTON.sign))
            name_control(button, f"Page {title}, Alt+{number}", f"{title} (Alt+{number})")
            button.clicked.connect(lambda _checked, name=name: self.chosen.emit(name))
            add_key(f"Alt+{number}", self, button.click)
            self._group.addButton(button)
            self.buttons[name] = button
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        self.set_narrow(narrow=False)
        on_theme_change(self._draw_icons)

    def show_page(self, name: str) -> None:
        """Mark the page that is shown, and no other one."""
        self.buttons[name].setChecked(True)
        if any(button.hasFocus() for button in self.buttons.values()):
            # The frame of the focus looks like a mark.
            self.buttons[name].setFocus()

    def set_narrow(self, *, narrow: bool) -> None:
        """Show or hide the texts."""
        style = Qt.ToolButtonStyle
        for button in self.buttons.values():
            button.setToolButtonStyle(
                style.ToolButtonIconOnly if narrow else style.ToolButtonTextUnderIcon
            )
        side = NARROW - _BUTTON.around
        size = QSize(side, side) if narrow else self._button_size()
        for button in self.buttons.values():
            button.setFixedSize(size)
        self.setFixedWidth(size.width() + _BUTTON.around)

    def _button_size(self) -> QSize:
        """Return the size of a button that fits every text, also in the open page's bold font."""
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        metrics = QFontMetrics(bold)
        # Qt keeps the width of two spaces free.
        words = [f" {button.text()} " for button in self.buttons.values()]
        wide = max(map(metrics.horizontalAdvance, words)) + _BUTTON.around
        high = _BUTTON.sign + metrics.height() + _BUTTON.padding
        return QSize(max(wide, WIDTH - _BUTTON.around), max(high, _BUTTON.height))

    @property
    def room(self) -> int:
        """Height in points of all pages with texts below their icons."""
        return len(self.buttons) * (self._button_size().height() + _BUTTON.gap) + 2 * _BUTTON.edge

    def _draw_icons(self) -> None:
        for name, button in self.buttons.items():
            button.setIcon(icon(name))


class Shell(QWidget):
    """The window's central widget.

    Args:
        play: The playing page; always exists.
        banner: Shows messages: below the buttons of the playing page, and below other pages.
        context: Passed to the other pages when they are created.

    Signals:
        asked(object): A request of another page to the playing page.
    """

    asked = pyqtSignal(object)

    def __init__(self, play: Surface, banner: Banner, context: Context) -> None:
        super().__init__()
        self.rail = Rail(((PLAY, "Play"), *((page.name, page.title) for page in PAGES)))
        self._play, self._banner, self._context = play, banner, context
        self._infos = {page.name: page for page in PAGES}
        self._made: dict[str, QWidget] = {PLAY: play}
        self._stack = QStackedWidget()
        self._stack.addWidget(play)
        across = lay_column((self._stack, 1), gap=0)
        # The buttons of the pages are at the top, so they do not move.
        self._banner_place = QVBoxLayout()
        left, _, right, bottom = PAGE_MARGINS
        self._banner_place.setContentsMargins(left, 0, right, bottom)
        across.addLayout(self._banner_place)
        lay_row(self.rail, (across, 1), on=self, gap=0)
        self.rail.chosen.connect(self.open)
        add_key("F1", self, partial(self.open, HELP))
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
            page.message.connect(partial(self._banner.show_message, page=name))
            page.succeeded.connect(partial(self._banner.show_success, page=name))
            page.saved.connect(partial(self._banner.show_success, page=name))
            page.failed.connect(partial(self._banner.show_failure, page=name))
            page.outdated.connect(partial(self._banner.clear, name))
            page.wanted.connect(self.open)
            order_by_layout(page)
            self._made[name] = page
            self._stack.addWidget(page)
        return self._made[name]

    def open(self, name: str, what: object = None) -> None:
        """Open the page of a name, which shows `what` if it is given."""
        page = self.page(name)
        if name not in (PLAY, HELP):
            # Other pages explain moves in this process. The page is imported first: an import
            # failed when two threads imported the same library at once.
            PREPARATION.begin()
        self._stack.setCurrentWidget(page)
        # A focus that was on the page before has moved to the rail.
        self.rail.show_page(name)
        self._place_banner(name)
        self._banner.turn_to(name)
        if isinstance(page, Page):
            page.enter(what)
        elif what is not None:
            self.asked.emit(what)

    def _place_banner(self, name: str) -> None:
        place = self._play.banner_place if name == PLAY else self._banner_place
        place.addWidget(self._banner)
