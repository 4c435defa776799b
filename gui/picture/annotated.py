"""A screenshot with what was read and thought painted over its boards, pixel for pixel."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from PyQt6.QtCore import QBuffer, QIODevice, QRectF
from PyQt6.QtGui import QImage, QPainter

from bot.board import COVERED, Board, Cell
from bot.frame import Frame, Reading
from bot.loop import Turn
from gui.images import to_qimage
from gui.looks import Look, look_named, paint_tile
from gui.panel.boardview import Show
from gui.panel.marks import paint_chip, paint_thoughts

_BADGE: Final = 0.5
"""Of a cell: the parsed tile in its corner, so that both can be compared."""


def annotated(frame: Frame, turns: Iterable[Turn], show: Show, look: str) -> QImage:
    """Paint a picture's boards over it; may be called in any thread.

    Args:
        frame: The whole picture.
        turns: Of its boards.
        show: Whether the parsed tiles are painted: in their cells, in a corner of them, or not.
        look: The name of the look of parsed tiles.

    Returns:
        A picture of the frame's size in pixels.
    """
    image = to_qimage(frame.image)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for turn in turns:
        _paint(painter, frame, turn, show, look_named(look))
    painter.end()
    return image


def as_png(image: QImage) -> bytes:
    """A picture as a file's contents."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return buffer.data().data()


def _paint(painter: QPainter, frame: Frame, turn: Turn, show: Show, look: Look) -> None:
    reading, analysis = turn.reading, turn.analysis
    places = _places(frame, reading)
    if show is not Show.FRAME:
        _paint_tiles(painter, reading.board, places, look, parsed=show is Show.PARSED)
    if analysis is None:
        return
    probability = analysis.mine_probability
    for row, col in np.argwhere(~np.isnan(probability)).tolist():
        paint_chip(painter, places[Cell(row, col)], float(probability[row, col]))
    paint_thoughts(painter, analysis, turn.moves, places.__getitem__)


def _paint_tiles(
    painter: QPainter, board: Board, places: dict[Cell, QRectF], look: Look, *, parsed: bool
) -> None:
    for cell, place in places.items():
        code = board[cell]
        if parsed:
            paint_tile(painter, code, place, look)
        elif code not in (0, COVERED):
            width, height = place.width(), place.height()
            corner = place.adjusted(width * (1 - _BADGE), height * (1 - _BADGE), 0, 0)
            paint_tile(painter, code, corner, look)


def _places(frame: Frame, reading: Reading) -> dict[Cell, QRectF]:
    """Where each cell is, in whole pixels of the picture."""
    grid = reading.grid
    across = grid.column_edges(frame.region).tolist()
    down = grid.row_edges(frame.region).tolist()
    return {
        Cell(row, col): QRectF(
            across[col],
            down[row],
            across[col + 1] - across[col],
            down[row + 1] - down[row],
        )
        for row in range(grid.rows)
        for col in range(grid.cols)
    }
