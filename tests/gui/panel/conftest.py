"""A board view by itself, with what a page has beside it."""

from __future__ import annotations

import pytest
from PyQt6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.failures import Failure
from gui.panel.boardview import BoardView
from gui.panel.cell_info import Inspector
from gui.panel.jobs import Jobs
from gui.panel.think_longer import ThinkLonger


class Bench(QWidget):
    """A board view that can be looked into, with the button that thinks longer above it."""

    def __init__(self) -> None:
        super().__init__()
        self.view, self.jobs = BoardView(), Jobs(lambda error: Failure(str(error)), self)
        self.inspector = Inspector(self.view, self.jobs)
        self.button = ThinkLonger(self.view, self.jobs)
        column = QVBoxLayout(self)
        column.addWidget(self.button)
        column.addWidget(self.view)
        self.resize(700, 560)


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    """The bench, shown, without a board."""
    made = Bench()
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    made.activateWindow()
    return made
