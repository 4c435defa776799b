"""Labels that name cells."""

from __future__ import annotations

from PyQt6.QtGui import QImage
from pytestqt.qtbot import QtBot

from bot.board import Board
from bot.loop import Turn
from gui.panel.boardview import BoardView
from gui.panel.cell_label import CellLabel
from tests.support.boards import reading_of


def test_a_named_cell_is_highlighted_on_the_board(qtbot: QtBot) -> None:
    """As long as the pointer is on its name; the text itself stays plain."""
    view, label = BoardView(), CellLabel("Why")
    for widget in (view, label):
        qtbot.addWidget(widget)
        widget.resize(300, 300)
        widget.show()
    view.show_turn(Turn(0, reading_of(Board.covered(4, 5, 3)), None, ()))
    text = "Safe: the <1> at row 2, column 5.\nNext: row 9, col 1"
    label.highlight_on(view)
    label.setText(text)
    assert label.text() == text

    def picture() -> QImage:
        return view.grab().toImage()

    before = picture()
    label.linkHovered.emit("2,5")
    assert picture() != before
    label.linkHovered.emit("9,1")
    assert picture() == before
    label.linkHovered.emit("2,5")
    label.linkHovered.emit("")
    assert picture() == before
