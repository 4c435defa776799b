"""A button that opens the shown position on the page that analyses."""

from __future__ import annotations

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtWidgets import QPushButton

from gui.panel.boardview import BoardView
from gui.panel.widgets import name_control


class EditButton(QPushButton):
    """The button.

    Signals:
        wanted(Reading): This position is to be edited.
    """

    wanted = pyqtSignal(object)

    def __init__(self, view: BoardView) -> None:
        super().__init__("E&dit")
        name_control(
            self, "Edit", "Open this position on the page Analyse, to correct it or to try moves"
        )
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._view = view
        view.changed.connect(self._update)
        self.clicked.connect(self._send)
        self._update()

    def _update(self) -> None:
        self.setEnabled(self._view.turn is not None)

    def _send(self) -> None:
        if self._view.turn is not None:
            self.wanted.emit(self._view.turn.reading)
