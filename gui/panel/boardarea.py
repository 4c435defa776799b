"""A board view with the legend and the choice of layers below it."""

from __future__ import annotations

from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.panel.boardview import BoardView
from gui.panel.controls import LayerSwitch
from gui.panel.legend import Legend
from gui.panel.theme import SPACE


class BoardArea(QWidget):
    """A board view that hides the legend if the board needs its space.

    Args:
        view: The board view.
        legend: Explains the view's marks.
        layers: Chooses what the view shows.
    """

    def __init__(
        self, view: BoardView, legend: Legend, layers: LayerSwitch, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._view, self._legend, self._layers = view, legend, layers
        under = QHBoxLayout()
        under.setSpacing(SPACE)
        under.addWidget(legend, 1)
        under.addStretch()
        under.addWidget(layers)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        column.addWidget(view, 1)
        column.addLayout(under)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Show the legend if there is room for it beside the board."""
        super().resizeEvent(event)
        wide = self.width() - self._layers.sizeHint().width() - 2 * SPACE
        board = max(self._view.minimumSizeHint().height(), self._view.minimumHeight())
        high = self.height() - board - SPACE
        fits = wide >= self._legend.minimumSizeHint().width()
        self._legend.setVisible(fits and high >= self._legend.heightForWidth(wide))
