"""A label whose cell names are links: the pointer on one highlights the cell on the board."""

from __future__ import annotations

import re
from html import escape
from typing import Final

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QLabel, QSizePolicy

from bot.board import Cell
from gui.panel.boardview import BoardView
from gui.panel.theme import current_theme, on_theme_change

_CELL: Final = re.compile(r"[Rr]ow (\d+), col(?:umn)? (\d+)")


class CellLabel(QLabel):
    """A wrapped label of plain text in which cells may be named, as in 'row 3, column 12'.

    Args:
        name: For screen readers.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._words = ""
        self._view: BoardView | None = None
        self.setAccessibleName(name)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.LinksAccessibleByMouse)
        self.linkHovered.connect(self._highlight)
        on_theme_change(self._render)

    def highlight_on(self, view: BoardView) -> None:
        """Highlight the cells on this board view."""
        self._view = view

    def text(self) -> str:
        """Return the text as it was set."""
        return self._words

    def setText(self, text: str | None) -> None:  # noqa: N802 - Qt's name
        """Show another text."""
        if text != self._words:
            self._words = text or ""
            self._render()

    def clear(self) -> None:
        """Show no text."""
        self.setText("")

    def _render(self) -> None:
        color = current_theme().accent
        link = rf'<a href="\1,\2" style="color: {color}; text-decoration: none">\g<0></a>'
        super().setText(_CELL.sub(link, escape(self._words)).replace("\n", "<br>"))

    def _highlight(self, link: str) -> None:
        """Highlight the cell of a link; none if the pointer has left it."""
        view = self._view
        turn = view.turn if view is not None else None
        if view is None or turn is None:
            return
        row, _, col = link.partition(",")
        cell = Cell(int(row) - 1, int(col) - 1) if link else None
        board = turn.reading.board
        if cell is not None and (cell.row >= board.rows or cell.col >= board.cols):
            cell = None
        view.light_up(cell)
