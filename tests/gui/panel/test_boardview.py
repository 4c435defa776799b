"""What is painted over a board, and that nobody needs to see colours to read it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF
from PyQt6.QtGui import QColor, QPainter
from pytestqt.qtbot import QtBot

from bot.board import COVERED, UNREAD, Board, Cell
from bot.frame import Frame, Region
from bot.game import BEGINNER, EXPERT, Level
from bot.loop import Turn
from bot.solver.explain import explain
from gui.images import from_qimage
from gui.panel.boardview import BoardView, Legend, Show
from gui.panel.marks import (
    CHOSEN,
    MINE,
    SAFE,
    luminance,
    paint_chip,
    percent_text,
    probability_color,
)
from gui.settings import Settings
from gui.tile_sheet import blank
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
    """A colour as somebody sees it to whom `matrix` applies, in linear RGB."""
    srgb = np.array([color.redF(), color.greenF(), color.blueF()])
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    return matrix @ linear


def chip(probability: float, side: int) -> NDArray[np.uint8]:
    """A chip alone, (side, side, 3) BGR."""
    image = blank(side, side)
    painter = QPainter(image)
    paint_chip(painter, QRectF(0, 0, side, side), probability)
    painter.end()
    return from_qimage(image)


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


@pytest.mark.parametrize(
    ("probability", "text"), [(0.0001, "<1"), (0.005, "<1"), (0.12, "12"), (0.9999, ">99")]
)
def test_what_is_not_proved_never_reads_as_proved(probability: float, text: str) -> None:
    """No 0 and no 100 for an estimate, however close."""
    assert percent_text(probability) == text


def test_every_kind_of_chip_looks_different(qtbot: QtBot) -> None:
    """Safe, mine, nearly safe and nearly a mine differ in shape, not in colour alone."""
    assert qtbot is not None
    pictures = [chip(value, 24) for value in (0.0, 1.0, 0.001, 0.999)]
    for number, one in enumerate(pictures):
        for other in pictures[number + 1 :]:
            assert np.abs(one.astype(int) - other.astype(int)).mean() > 10


def test_the_layers_differ(view: BoardView) -> None:
    """The switch changes the picture."""
    view.show_turn(turns_of(Tabletop(EXPERT), 4)[-1])
    pictures = []
    for layers in Show:
        view.set_layers(layers)
        pictures.append(from_qimage(view.grab().toImage()).tobytes())
    assert len(set(pictures)) == len(Show)


def picture_of(view: BoardView, turn: Turn, show: Show) -> dict[Cell, bytes]:
    """The pixels of each cell as one layer shows them."""
    view.show_turn(turn)
    view.set_layers(show)
    place = view.place()
    picture = from_qimage(view.grab().toImage())
    cells = map(Cell._make, np.ndindex(turn.reading.board.tiles.shape))
    boxes = {cell: place.cell(cell).toRect() for cell in cells}
    return {
        cell: picture[box.top() : box.bottom(), box.left() : box.right()].tobytes()
        for cell, box in boxes.items()
    }


def test_opened_cells_look_as_in_the_game(view: BoardView) -> None:
    """Beside the evidence of the reason nothing lies over what is open; all others are marked."""
    turn = replace(turns_of(Tabletop(EXPERT), 4)[-1], moves=())
    assert turn.analysis is not None
    frame, both = (picture_of(view, turn, show) for show in (Show.FRAME, Show.BOTH))
    board = turn.reading.board
    evidence = explain(board, turn.analysis).evidence
    opened = set(board.cells(*range(9))) - {*evidence.hints, *evidence.cells}
    assert len(opened) > 10
    assert all(frame[cell] == both[cell] for cell in opened)
    assert all(frame[cell] != both[cell] for cell in board.cells(COVERED))


@pytest.mark.parametrize("level", [BEGINNER, EXPERT], ids=["beginner", "expert"])
def test_a_cell_that_was_hardly_read_is_marked(view: BoardView, level: Level) -> None:
    """An opened cell of low confidence and one not read at all differ from the game's; no other."""
    turn = replace(turns_of(Tabletop(level), 3)[-1], analysis=None)
    reading = turn.reading
    hint, empty, unread = (next(reading.board.cells(code)) for code in (1, 0, COVERED))
    confidence, tiles = reading.confidence.copy(), reading.board.tiles.copy()
    confidence[hint] = confidence[empty] = 0.4
    confidence[reading.board.unopened] = 0.4
    tiles[unread] = UNREAD
    board = Board(tiles, reading.board.mines)
    doubted = replace(turn, reading=replace(reading, board=board, confidence=confidence))
    frame, both = (picture_of(view, doubted, show) for show in (Show.FRAME, Show.BOTH))
    assert {cell for cell in both if frame[cell] != both[cell]} == {hint, empty, unread}


def test_nothing_is_marked_when_the_game_is_over(view: BoardView) -> None:
    """The rings around the last moves go with the game: its end is shown as it is."""
    turns = turns_of(Tabletop(BEGINNER), 100)
    assert turns[-1].reading.status.over
    for turn in turns[:-1]:
        view.show_turn(turn)
    frame, both = (picture_of(view, turns[-1], show) for show in (Show.FRAME, Show.BOTH))
    assert frame == both


def test_cells_are_where_they_are_told(view: BoardView) -> None:
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


@pytest.mark.parametrize("show", list(Show))
def test_rows_and_columns_have_numbers(view: BoardView, show: Show) -> None:
    """Beside the picture of the board, not over it; the switch takes them away."""
    view.set_layers(show)
    view.show_turn(turns_of(Tabletop(EXPERT), 1)[0])
    for numbered in (True, False):
        view.set_numbered(numbered)
        place = view.place()
        picture = from_qimage(view.grab().toImage())
        shown = place.frame.united(place.board).toAlignedRect()
        beside = picture[shown.top() : shown.bottom(), : shown.left()]
        below = picture[shown.bottom() + 1 :, shown.left() : shown.right()]
        for part in (beside, below):
            colours = len(np.unique(part.reshape(-1, 3), axis=0))
            assert (colours > 1) is numbered is place.numbered
        assert view.rect().contains(shown)


@pytest.mark.parametrize("level", [BEGINNER, EXPERT])
def test_the_cursor_is_framed_at_the_edges(view: BoardView, level: Level) -> None:
    """The frame is whole around the cells in the corners, and covers no number."""
    view.set_layers(Show.PARSED)
    view.show_turn(turns_of(Tabletop(level), 1)[0])
    plain = from_qimage(view.grab().toImage())
    place = view.place()
    for row in (0, place.rows - 1):
        for col in (0, place.cols - 1):
            view.light_up(Cell(row, col))
            framed = from_qimage(view.grab().toImage())
            rows, cols = np.nonzero((framed != plain).any(axis=2))
            assert rows.min() > 0
            assert rows.max() < view.height() - 1
            assert cols.max() < view.width() - 1
            covered = plain[rows.min() : rows.max() + 1, cols.min() : int(place.board.left())]
            assert len(np.unique(covered.reshape(-1, 3), axis=0)) <= 1
            view.light_up(None)


def test_screen_readers_hear_the_reason(view: BoardView) -> None:
    """The board's description holds its size and the reason of the move."""
    turn = turns_of(Tabletop(BEGINNER), 2)[-1]
    view.show_turn(turn)
    assert turn.analysis is not None
    assert explain(turn.reading.board, turn.analysis).reason in view.accessibleDescription()
    assert "9 columns" in view.accessibleDescription()


def test_a_frame_of_the_whole_screen_is_cut_to_the_board(view: BoardView) -> None:
    """The first look captures everything: the panel shows the board's surroundings alone."""
    turn = turns_of(Tabletop(BEGINNER), 1)[0]
    reading = turn.reading
    grid = reading.grid.moved(700, 300)
    screen = np.zeros((1080, 1920, 3), np.uint8)
    whole = Frame(screen, Region(0, 0, 1920, 1080))
    view.show_turn(replace(turn, reading=replace(reading, frame=whole, grid=grid)))
    place = view.place()
    assert place.cell_width > 20
    view.grab()


def test_nothing_to_show_is_only_the_ground(view: BoardView) -> None:
    """Without a turn there is no place and no mark."""
    view.show_turn(turns_of(Tabletop(BEGINNER), 1)[0])
    view.show_turn(None)
    assert view.place() is None
    picture = from_qimage(view.grab().toImage()).reshape(-1, 3)
    assert len(np.unique(picture, axis=0)) == 1


def test_tiny_cells_show_colours_alone(qtbot: QtBot) -> None:
    """A number that nobody can read is not drawn: one colour fills the chip."""
    assert qtbot is not None
    middle = chip(0.4, 12)[4:8, 4:8].reshape(-1, 3)
    assert len(np.unique(middle, axis=0)) == 1
    large = chip(0.4, 24)[4:20, 4:20].reshape(-1, 3)
    assert len(np.unique(large, axis=0)) > 1


def test_the_legend_explains_what_is_rare_only_where_it_is(qtbot: QtBot, view: BoardView) -> None:
    """Cells that were read with low confidence have an entry while there are any."""
    legend = Legend(view)
    qtbot.addWidget(legend)
    legend.resize(900, 60)
    turn = turns_of(Tabletop(BEGINNER), 3)[-1]
    view.show_turn(turn)
    usual = from_qimage(legend.grab().toImage()).tobytes()
    confidence = np.full_like(turn.reading.confidence, 0.4)
    view.show_turn(replace(turn, reading=replace(turn.reading, confidence=confidence)))
    assert from_qimage(legend.grab().toImage()).tobytes() != usual
    view.show_turn(turn)
    assert from_qimage(legend.grab().toImage()).tobytes() == usual
