"""The marks that are painted over a board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PyQt6.QtCore import QPointF
from pytestqt.qtbot import QtBot

from bot.board import Cell
from bot.frame import Frame
from bot.game import BEGINNER, EXPERT
from bot.loop import Turn
from gui.panel.boardview import BoardView
from gui.panel.cell_label import CellLabel
from gui.settings import Settings
from tests.gui.tabletop import Tabletop
from tests.support.operators import Unattended


def turns_of(table: Tabletop, count: int) -> list[Turn]:
    """The first turns of a game."""
    game = table.play(table.candidate(0), lambda: Settings(games=1), Unattended())
    return [turn for turn, _ in zip(game, range(count), strict=False)]


@pytest.fixture
def view(qtbot: QtBot) -> BoardView:
    """A view that shows nothing yet."""
    made = BoardView()
    qtbot.addWidget(made)
    made.resize(660, 420)
    return made


@pytest.mark.parametrize("wide", [(0, 0), (0, 14), (29, 15)])
def test_marks_lie_on_the_cells_of_the_picture(view: BoardView, wide: tuple[int, int]) -> None:
    """Also if the first rows or columns of the game are one point wider, as with GTK."""
    turn = turns_of(Tabletop(EXPERT), 1)[0]
    reading, (cols, rows) = turn.reading, wide
    grid = replace(reading.grid, wide_cols=cols, wide_rows=rows)
    region = grid.view
    frame = Frame(np.zeros((region.height, region.width, 3), np.uint8), region)
    view.show_turn(replace(turn, reading=replace(reading, grid=grid, frame=frame)))
    place = view.place()
    for cell in (Cell(0, 0), Cell(7, 14), Cell(grid.rows - 1, grid.cols - 1)):
        middle = grid.center(cell)
        x = place.frame.left() + (middle.x - region.left) * place.frame.width() / region.width
        y = place.frame.top() + (middle.y - region.top) * place.frame.height() / region.height
        off = place.cell(cell).center() - QPointF(x, y)
        assert abs(off.x()) < place.cell_width / 5
        assert abs(off.y()) < place.cell_height / 5
        assert place.cell_at(place.cell(cell).center()) == cell
    assert place.cell_at(QPointF(0, 0)) is None


def test_no_move_is_marked_when_the_game_is_over(view: BoardView) -> None:
    """The rings around the last moves go with the game: its end is shown as it is."""
    turns = turns_of(Tabletop(BEGINNER), 100)
    for turn in turns[:-1]:
        view.show_turn(turn)
    assert view.trail
    view.show_turn(turns[-1])
    assert turns[-1].reading.status.over
    assert not view.trail


def test_a_named_cell_is_highlighted_on_the_board(view: BoardView, qtbot: QtBot) -> None:
    """As long as the pointer is on its name; the text itself stays plain."""
    label = CellLabel("Why")
    qtbot.addWidget(label)
    view.show_turn(turns_of(Tabletop(BEGINNER), 1)[0])
    text = "Safe: the <1> at row 2, column 5.\nNext: row 90, col 1"
    label.highlight_on(view)
    label.setText(text)
    assert label.text() == text
    plain = view.grab().toImage()
    for link, highlighted in (("2,5", True), ("90,1", False), ("2,5", True), ("", False)):
        label.linkHovered.emit(link)
        assert (view.grab().toImage() != plain) is highlighted
