"""A screenshot with the parsed boards and the solver's results painted over it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PyQt6.QtCore import QBuffer, QIODevice, QRectF
from PyQt6.QtGui import QImage, QPainter

from bot.board import Cell
from bot.frame import Frame, Reading
from bot.loop import Turn
from bot.solver.explain import explain
from gui.images import to_qimage
from gui.looks import Look, look_named, paint_tile
from gui.panel.boardview import Show
from gui.panel.marks import paint_chip, paint_thoughts, paint_unsure, unsure


def annotated(frame: Frame, turns: Iterable[Turn], show: Show, look: str) -> QImage:
    """Paint a picture's boards over it; callable in any thread.

    Args:
        frame: The whole picture.
        turns: Of its boards.
        show: What is painted over it; nothing for `Show.FRAME`.
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
    """Return a picture as the content of a PNG file."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return buffer.data().data()


def _paint(painter: QPainter, frame: Frame, turn: Turn, show: Show, look: Look) -> None:
    if show is Show.FRAME:
        return
    reading, analysis = turn.reading, turn.analysis
    places = _places(frame, reading)
    _paint_tiles(painter, reading, places, look, parsed=show is Show.PARSED)
    if analysis is None:
        return
    probability = analysis.mine_probability
    for row, col in np.argwhere(~np.isnan(probability)).tolist():
        paint_chip(painter, places[Cell(row, col)], float(probability[row, col]))
    evidence = explain(reading.board, analysis).evidence
    paint_thoughts(painter, analysis, turn.moves, places.__getitem__, evidence=evidence)


def _paint_tiles(
    painter: QPainter, reading: Reading, places: dict[Cell, QRectF], look: Look, *, parsed: bool
) -> None:
    marked = unsure(reading)
    for cell, place in places.items():
        if parsed:
            paint_tile(painter, reading.board[cell], place, look)
        elif marked[cell]:
            paint_unsure(painter, reading.board[cell], place, look)


def _places(frame: Frame, reading: Reading) -> dict[Cell, QRectF]:
    """Return each cell's rectangle in whole pixels of the picture."""
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
