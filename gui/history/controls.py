"""The buttons of the history's page."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from gui.history.reflow import Reflow
from gui.panel.icons import icon
from gui.panel.theme import SPACE, on_theme_change

_WIDTH: Final = 270
"""Width in points of three buttons."""


class Controls(Reflow):
    """Buttons that choose what is shown and act on it.

    Signals:
        turned(): Switch between the table and the graphs.
    """

    turned = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        self.filter = _button("&Filter", "Choose games (Alt+F)", "Choose games by a filter")
        self.games = _button("&Table", "Show the games as a table (Alt+T)", "Show a table")
        self.graphs = _button("Grap&hs", "Show the games as graphs (Alt+H)", "Show graphs")
        self.replay = _button("Replay", "Replay the chosen game (Enter, double click)", "Replay")
        self.forget = _button(
            "Delete \N{HORIZONTAL ELLIPSIS}", "Delete the chosen games from the history (Delete)"
        )
        self.export = _button(
            "&Export \N{HORIZONTAL ELLIPSIS}", "Write the games shown as a CSV table (Alt+E)"
        )
        super().__init__(
            [
                _row(self.filter, self.games, self.graphs, None),
                _row(None, self.replay, self.forget, self.export),
            ],
            _WIDTH,
            parent,
        )
        self.buttons = (
            self.filter, self.games, self.graphs, self.replay, self.forget, self.export,
        )  # fmt: skip
        """In reading order."""
        shown = QButtonGroup(self)
        for button in (self.games, self.graphs):
            shown.addButton(button)
        for button in (self.filter, self.games, self.graphs):
            button.setCheckable(True)
            button.setChecked(button is not self.graphs)
        for button in (self.replay, self.forget, self.export):
            button.setEnabled(False)
        self.graphs.toggled.connect(self.turned)
        on_theme_change(self._draw_icons)

    def show_chosen(self, choices: int) -> None:
        """Show the number of the filter's choices, as the filter may be hidden."""
        self.filter.setText(f"&Filter ({choices})" if choices else "&Filter")

    def _draw_icons(self) -> None:
        self.graphs.setIcon(icon("history"))
        self.replay.setIcon(icon("replay"))


def _row(*buttons: QPushButton | None) -> QWidget:
    """Return a row of buttons, with a stretch for each None."""
    part = QWidget()
    row = QHBoxLayout(part)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(SPACE)
    for button in buttons:
        if button is None:
            row.addStretch(1)
        else:
            row.addWidget(button)
    return part


def _button(text: str, tip: str, name: str = "") -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tip)
    button.setAccessibleName(name or tip.partition(" (")[0])
    return button
