"""The panel's parts and where they stand; what they do is the panel's business."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from gui.banner import Banner
from gui.boardview import BoardView
from gui.chooser import Chooser
from gui.controls import Controls, LayerSwitch
from gui.details import Details
from gui.emptypage import EmptyPage
from gui.icons import icon
from gui.legend import Legend
from gui.options import Options
from gui.settings import Settings
from gui.theme import SPACE, Theme

SIDEBAR: Final = 276
"""Width of the list and the options, in points."""
MARGIN: Final = SPACE + 4


class Surface(QWidget):
    """Everything inside the window."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chooser, self.options = Chooser(), Options(settings)
        self.controls, self.banner, self.empty = Controls(), Banner(), EmptyPage()
        self.view, self.legend, self.layers = BoardView(), Legend(), LayerSwitch()
        self.details, self.status = Details(), QLabel()
        self.status.setAccessibleName("State")
        self.status.setProperty("muted", True)
        self.sidebar = _scrolled(_column(self.chooser, self.options))
        self.sidebar.setFixedWidth(SIDEBAR)
        columns = QHBoxLayout(self)
        columns.setContentsMargins(MARGIN, MARGIN, MARGIN, SPACE)
        columns.setSpacing(MARGIN)
        columns.addWidget(self.sidebar)
        columns.addWidget(_column(self.controls, self.banner, self._halves(), self.status), 1)
        self.controls.sidebar.toggled.connect(self.sidebar.setVisible)
        self.layers.chosen.connect(self.view.set_layers)
        self._order_focus()

    def show_board(self) -> None:
        """There is a turn to look at."""
        self._pages.setCurrentWidget(self._board_page)

    def set_theme(self, theme: Theme) -> None:
        """Colour what is painted by hand."""
        self.view.set_theme(theme)
        self.controls.set_theme(theme)
        self.chooser.set_icon(icon("refresh", theme.text, theme.border))

    def _halves(self) -> QSplitter:
        """The board above, the figures below."""
        under_board = QHBoxLayout()
        under_board.setSpacing(SPACE)
        under_board.addWidget(self.legend, 1)
        under_board.addWidget(self.layers)
        self._board_page = _column(self.view, under_board)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self._board_page)
        halves = QSplitter(Qt.Orientation.Vertical)
        halves.addWidget(self._pages)
        halves.addWidget(_scrolled(self.details))
        halves.setStretchFactor(0, 1)
        halves.setChildrenCollapsible(False)
        halves.setHandleWidth(SPACE)
        return halves

    def _order_focus(self) -> None:
        """From the buttons over the list and the options to what is under the board."""
        controls, options = self.controls, self.options
        order: list[QWidget] = [controls.sidebar, controls.start, controls.pause, controls.step]
        order += [controls.stop, self.chooser.view, self.chooser.refresh, options.mines]
        order += [options.games, options.style_box, options.pace, options.theme, options.record]
        order += [self.banner.picture, self.banner.copy, self.banner.dismiss]
        order += [self.empty.simulate, *self.layers.buttons.values()]
        for before, after in pairwise(order):
            self.setTabOrder(before, after)


def _column(*parts: QWidget | QHBoxLayout) -> QWidget:
    """Parts below each other, without a margin."""
    widget = QWidget()
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(SPACE)
    for part in parts:
        if isinstance(part, QWidget):
            column.addWidget(part)
        else:
            column.addLayout(part)
    return widget


def _scrolled(content: QWidget) -> QScrollArea:
    """Content that may be higher than there is room."""
    area = QScrollArea()
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area
