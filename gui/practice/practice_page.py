"""The page on which the user practises: puzzles from the user's games, and the daily board."""

from __future__ import annotations

from PyQt6.QtWidgets import QButtonGroup, QStackedWidget

from gui.panel.jobs import JobBar
from gui.panel.pages import Context, Page
from gui.panel.widgets import (
    PAGE_MARGINS,
    KeyedButton,
    connect_keyed,
    lay_column,
    lay_row,
)
from gui.practice.daily_part import DailyPart
from gui.practice.puzzle_part import PuzzlePart


class PracticePage(Page):
    """The page."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.bar = JobBar()
        self.puzzles = PuzzlePart(context, self.bar)
        self.daily = DailyPart(context, self.bar)
        self.show_puzzles = KeyedButton("Puzzles", "Show the positions of your games", "Ctrl+1")
        self.show_daily = KeyedButton("Daily board", "Show the board of today", "Ctrl+2")
        self._stack = QStackedWidget()
        group = QButtonGroup(self)
        for button, part in ((self.show_puzzles, self.puzzles), (self.show_daily, self.daily)):
            button.setCheckable(True)
            group.addButton(button)
            self._stack.addWidget(part)
            part.failed.connect(self.failed)
        self.show_puzzles.setChecked(True)
        connect_keyed(self, {self.show_puzzles: self._turn, self.show_daily: self._turn})
        # Beside the buttons: the board must not move when a job ends.
        top = lay_row(self.show_puzzles, self.show_daily, (self.bar, 3), 1)
        lay_column(top, (self._stack, 1), on=self, margins=PAGE_MARGINS)

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
        self._stack.setCurrentWidget(part)
        part.view.setFocus()
