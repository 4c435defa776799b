"""A simulated window under a test's mouse."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PyQt6.QtCore import QPoint, QPointF, QRect, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QWidget

from bot.board import COVERED, Board
from bot.game import Game
from gui.images import from_qimage
from gui.looks import render_board
from gui.simulator import SimulatorWindow

LEFT, RIGHT, MIDDLE = (
    Qt.MouseButton.LeftButton,
    Qt.MouseButton.RightButton,
    Qt.MouseButton.MiddleButton,
)
Open = Callable[..., SimulatorWindow]
"""Opens a window; keywords are options of `SimulatorOptions`."""


def click(window: SimulatorWindow, cell: tuple[int, int], button: Qt.MouseButton = LEFT) -> None:
    """A click on a cell."""
    QTest.mouseClick(window.field, button, pos=middle(window, cell))


def point_at(widget: QWidget, place: QPoint) -> None:
    """Move the pointer to a place of a widget, from beside it: Qt drops a move to where it is."""
    QTest.mouseMove(widget, place + QPoint(1, 1))
    QTest.mouseMove(widget, place)


def middle(window: SimulatorWindow, cell: tuple[int, int]) -> QPoint:
    """The middle of a cell, in the field's coordinates."""
    place, (row, col) = window.field.place, cell
    return (place.board.topLeft() + QPointF(col + 0.5, row + 0.5) * place.cell).toPoint()


def board_rect(window: SimulatorWindow) -> QRect:
    """The board's outer edges, in the window's coordinates."""
    return window.field.place.board.toAlignedRect().translated(window.field.pos())


def off_board(window: SimulatorWindow) -> QPoint:
    """A place between the header and the field's edge."""
    return QPoint(2, window.field.height() - 2)


def face(window: SimulatorWindow) -> QPoint:
    """The middle of the face."""
    return window.field.place.face.center().toPoint()


def game_of(*rows: str, question_marks: bool = False) -> Game:
    """A game whose mines are the stars."""
    mines = np.array([[character == "*" for character in row] for row in rows])
    return Game.from_mines(mines, question_marks=question_marks)


def play_to_the_end(window: SimulatorWindow) -> None:
    """Win by clicking every safe cell that is still covered."""
    layout = window.game.layout
    for cell in window.game.board.cells(COVERED):
        if not layout[cell] and window.game.board[cell] == COVERED:
            click(window, cell)


def shown(window: SimulatorWindow) -> np.ndarray:
    """The pixels of the board, as they are on the screen."""
    area = window.field.place.board.toAlignedRect()
    return from_qimage(window.field.grab(area).toImage())


def is_painted(window: SimulatorWindow, board: Board) -> bool:
    """Whether the screen shows this board, pixel for pixel, with nothing touched."""
    place = window.field.place
    expected = from_qimage(render_board(board, window.look, place.cell))
    return np.array_equal(shown(window), expected)
