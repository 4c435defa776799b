"""What is painted over a board; it can be read without colours."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PyQt6.QtCore import QPointF
from PyQt6.QtGui import QColor
from PyQt6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bot.board import Cell
from bot.frame import Frame
from bot.game import BEGINNER, EXPERT
from bot.loop import Turn
from bot.solver.explain import explain
from gui.panel.boardview import BoardView, Legend
from gui.panel.marks import (
    CHOSEN,
    MINE,
    SAFE,
    luminance,
    probability_color,
)
from gui.settings import Settings
from tests.gui.tabletop import Tabletop
from tests.support.operators import Unattended

PROTAN = np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]])
DEUTAN = np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]])
TRITAN = np.array([[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]])
"""Linear RGB as it is seen. Source: Machado, Oliveira, Fernandes 2009, severity 1."""


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


def seen(color: QColor, matrix: np.ndarray) -> np.ndarray:
    """A colour as seen with the colour vision of `matrix`, in linear RGB."""
    srgb = np.array([color.redF(), color.greenF(), color.blueF()])
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    return matrix @ linear


def test_lightness_alone_orders_the_scale() -> None:
    """Every step towards a mine is darker, so that greyscale is enough."""
    steps = [luminance(probability_color(value)) for value in np.linspace(0, 1, 101)]
    assert all(before > after for before, after in pairwise(steps))


@pytest.mark.parametrize("matrix", [PROTAN, DEUTAN, TRITAN], ids=["protan", "deutan", "tritan"])
def test_the_scale_is_safe_for_colour_blind_eyes(matrix: np.ndarray) -> None:
    """Quarters of the scale, the proofs and the next move stay apart in every vision."""
    colors = [probability_color(value) for value in (0.05, 0.3, 0.6, 0.9)]
    for one, other in pairwise(colors):
        assert np.abs(seen(one, matrix) - seen(other, matrix)).max() > 0.05
    for mark in (SAFE, MINE, CHOSEN):
        assert np.abs(seen(mark, matrix) - seen(colors[0], matrix)).max() > 0.2


def test_cell_and_place_agree(view: BoardView) -> None:
    """The place of a cell and the cell of a place agree, in every corner."""
    turn = turns_of(Tabletop(EXPERT), 1)[0]
    view.show_turn(turn)
    place = view.place()
    board = turn.reading.board
    for cell in (Cell(0, 0), Cell(0, board.cols - 1), Cell(board.rows - 1, board.cols - 1)):
        assert place.cell_at(place.cell(cell).center()) == cell
    assert place.cell_at(QPointF(0, 0)) is None
    assert view.rect().toRectF().contains(place.board)


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
    assert place is not None
    for cell in (Cell(0, 0), Cell(7, 14), Cell(grid.rows - 1, grid.cols - 1)):
        middle = grid.center(cell)
        x = place.frame.left() + (middle.x - region.left) * place.frame.width() / region.width
        y = place.frame.top() + (middle.y - region.top) * place.frame.height() / region.height
        off = place.cell(cell).center() - QPointF(x, y)
        assert abs(off.x()) < place.cell_width / 5
        assert abs(off.y()) < place.cell_height / 5


def test_screen_readers_hear_the_reason(view: BoardView) -> None:
    """The board's description holds its size and the reason of the move."""
    turn = turns_of(Tabletop(BEGINNER), 2)[-1]
    view.show_turn(turn)
    assert turn.analysis is not None
    assert explain(turn.reading.board, turn.analysis).reason in view.accessibleDescription()
    assert "9 columns" in view.accessibleDescription()


def test_the_legend_explains_what_is_rare_only_where_it_is(qtbot: QtBot, view: BoardView) -> None:
    """Cells that were read with low confidence have an entry while there are any."""
    legend = Legend(view)
    qtbot.addWidget(legend)
    rare = next(one for one in legend.findChildren(QLabel) if one.text() == "hard to read")
    turn = turns_of(Tabletop(BEGINNER), 3)[-1]
    confidence = np.full_like(turn.reading.confidence, 0.4)
    hardly = replace(turn, reading=replace(turn.reading, confidence=confidence))
    for shown, explained in ((turn, False), (hardly, True), (turn, False)):
        view.show_turn(shown)
        assert rare.isVisibleTo(legend) == explained


def test_no_move_is_marked_when_the_game_is_over(view: BoardView) -> None:
    """The rings around the last moves go with the game: its end is shown as it is."""
    turns = turns_of(Tabletop(BEGINNER), 100)
    for turn in turns[:-1]:
        view.show_turn(turn)
    assert view.trail
    view.show_turn(turns[-1])
    assert turns[-1].reading.status.over
    assert not view.trail
