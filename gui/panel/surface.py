"""The panel's parts and where they stand; what they do is the panel's business."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from PyQt6.QtCore import QEvent, QObject, QSize, Qt
from PyQt6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from gui.panel.banner import Banner
from gui.panel.boardview import BoardView
from gui.panel.chooser import Chooser
from gui.panel.controls import Controls, LayerSwitch
from gui.panel.details import Details
from gui.panel.emptypage import EmptyPage
from gui.panel.icons import icon
from gui.panel.legend import Legend
from gui.panel.options import Options
from gui.panel.theme import SPACE, Theme
from gui.settings import Settings

SIDEBAR: Final = 276
"""Width of the list and the options, in points."""
LEAST_DETAILS: Final = 0
"""Height, in points, of the figures where the board needs the room: they scroll."""
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
        details = _scrolled(self.details)
        details.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        details.setMinimumHeight(LEAST_DETAILS)
        main = _column(self.controls, self.banner, self._built_pages(), details, self.status)
        columns.addWidget(main, 1)
        self.controls.sidebar.toggled.connect(self.sidebar.setVisible)
        self.layers.chosen.connect(self.view.set_layers)
        self._order_focus()

    def narrowest(self) -> int:
        """Points that the buttons and the board need beside the margins."""
        return self.controls.minimumSizeHint().width() + 2 * MARGIN

    @property
    def board_shown(self) -> bool:
        """Whether there was a turn to look at."""
        return self._pages.currentWidget() is self._board_page

    def show_board(self) -> None:
        """There is a turn to look at."""
        self._pages.setCurrentWidget(self._board_page)

    def set_theme(self, theme: Theme) -> None:
        """Colour what is painted by hand."""
        self.view.set_theme(theme)
        self.controls.set_theme(theme)
        self.chooser.set_icon(icon("refresh", theme.text, theme.border))

    def _built_pages(self) -> QStackedWidget:
        """The board, and what is there before it."""
        under_board = QHBoxLayout()
        under_board.setSpacing(SPACE)
        under_board.addWidget(self.legend, 1)
        under_board.addWidget(self.layers)
        self._board_page = _column(self.view, under_board)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self._board_page)
        self._pages.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        return self._pages

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


class _Tray(QScrollArea):
    """As high as its content would like to be: Qt's own remembers a hint that is too old."""

    def sizeHint(self) -> QSize:
        """The content's."""
        content = self.widget()
        return content.sizeHint() if content is not None else super().sizeHint()

    def eventFilter(  # noqa: N802 - Qt's name
        self, watched: QObject | None, event: QEvent | None
    ) -> bool:
        """What the content asks for is passed on."""
        if event is not None and event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


def _scrolled(content: QWidget) -> QScrollArea:
    """Content that may be higher than there is room."""
    area = _Tray()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area
