"""The page on which the user practises: puzzles from the user's games, and the daily board."""

from __future__ import annotations

from typing import Final

from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QBoxLayout, QButtonGroup, QStackedWidget, QWidget

from gui.panel.jobs import JobBar
from gui.panel.pages import Context, Page
from gui.panel.theme import SPACE
from gui.panel.widgets import (
    PAGE_MARGINS,
    WIDE,
    connect_keyed,
    keyed,
    lay_column,
    lay_row,
    order_by_layout,
    scrolled,
)
from gui.practice.daily_part import DailyPart
from gui.practice.puzzle_part import PuzzlePart

_SIDE: Final = 250
"""Width in points of the texts beside the board."""
_BELOW: Final = 140
"""Their height below it, if the page is narrow."""
_ANY: Final = 16777215
"""Qt's QWIDGETSIZE_MAX."""


class PracticePage(Page):
    """The page."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.bar = JobBar()
        self.puzzles = PuzzlePart(context, self.bar)
        self.daily = DailyPart(context, self.bar)
        self.show_puzzles = keyed("Puzzles", "Show the positions of your games", "Ctrl+1")
        self.show_daily = keyed("Daily board", "Show the board of today", "Ctrl+2")
        self._stack = QStackedWidget()
        group = QButtonGroup(self)
        for button, part in ((self.show_puzzles, self.puzzles), (self.show_daily, self.daily)):
            button.setCheckable(True)
            group.addButton(button)
            self._stack.addWidget(_Split(part.view, part.side))
            part.failed.connect(self.failed)
        self.show_puzzles.setChecked(True)
        connect_keyed(
            self,
            (
                (self.show_puzzles, "Ctrl+1", self._turn),
                (self.show_daily, "Ctrl+2", self._turn),
            ),
        )
        top = lay_row(self.show_puzzles, self.show_daily, 1)
        lay_column(top, self.bar, (self._stack, 1), on=self, margins=PAGE_MARGINS)
        order_by_layout(self)

    def enter(self, what: object = None) -> None:  # noqa: ARG002 - nothing in particular is shown
        """Look for new puzzles, and for the board of today."""
        numbered = self.context.settings().coordinates
        for part in (self.puzzles, self.daily):
            part.view.set_numbered(numbered)
            part.enter()
        self._turn()

    def _turn(self) -> None:
        """Show the puzzles or the daily board."""
        part = self.daily if self.show_daily.isChecked() else self.puzzles
        self._stack.setCurrentIndex(int(part is self.daily))
        part.view.setFocus()


class _Split(QWidget):
    """A board with its texts and controls: beside it, or below it if the width is small."""

    def __init__(self, view: QWidget, side: QWidget) -> None:
        super().__init__()
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(SPACE)
        self._side, self._content = scrolled(side), side
        self._row.addWidget(view, 1)
        self._row.addWidget(self._side)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Arrange them."""
        super().resizeEvent(event)
        wide = self.width() >= WIDE
        direction = QBoxLayout.Direction
        self._row.setDirection(direction.LeftToRight if wide else direction.TopToBottom)
        bar = self._side.verticalScrollBar()
        room = bar.sizeHint().width() if bar is not None else 0
        least = self._content.minimumSizeHint().width() + room
        self._side.setMinimumSize(0, 0)
        self._side.setMaximumSize(_ANY, _ANY)
        if wide:
            self._side.setFixedWidth(max(_SIDE, least))
        else:
            self._side.setFixedHeight(_BELOW)
