"""Marks over the game's own window, in the corners of its cells.

The window has the shape of its marks and takes no input: every click goes through to the game,
and nothing but the marks can be seen, on X11 without a compositor too. A proof has a shape of
its own, a disc or a crossed square; a triangle grows and darkens with the risk of its cell.
The reader captures the game's window alone (`Screen.select_window`) and never sees any of it.
"""

from __future__ import annotations

from enum import Enum
from math import ceil
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PyQt6.QtGui import (
    QBitmap,
    QColor,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PyQt6.QtWidgets import QWidget

from bot.assist.watcher import WatchedTurn
from bot.board import FLAG, Board, Cell
from bot.frame import Grid, Status
from gui.panel.placement import logical
from gui.panel.probabilitycolours import CHOSEN, MINE, ON_PROOF, SAFE, probability_color

_SIDE: Final = 0.46
"""Of a cell: a mark stays in its corner, off the middle where flags are."""
_LEAST: Final = 7
"""Pixels that a mark needs to be told from another one."""
_SMALLEST: Final = 0.7
"""Of a mark's side: the triangle of a risk that is next to none."""
_RIM: Final = QColor("#1b2430")


class Sign(Enum):
    """What a mark says."""

    SAFE = "safe"
    MINE = "mine"
    RISK = "risk"


class Mark(NamedTuple):
    """One of them."""

    cell: Cell
    sign: Sign
    risk: float
    best: bool
    """Whether this is the cell to open next."""


def marks_of(turn: WatchedTurn) -> tuple[Mark, ...]:
    """What is worth a mark: proofs, the cells that touch a hint, and the one to open next.

    A mine that carries a flag needs none.
    """
    if turn.analysis is None or turn.reading.status is not Status.PLAYING:
        return ()
    board, probability = turn.reading.board, turn.analysis.mine_probability
    best = {move.cell for move in turn.moves}
    touching = _beside_hints(board)
    marks = []
    for row, col in np.argwhere(~np.isnan(probability)).tolist():
        cell, risk = Cell(row, col), float(probability[row, col])
        if risk == 0.0:
            marks.append(Mark(cell, Sign.SAFE, risk, cell in best))
        elif risk == 1.0:
            if board[cell] != FLAG:
                marks.append(Mark(cell, Sign.MINE, risk, best=False))
        elif touching[cell] or cell in best:
            marks.append(Mark(cell, Sign.RISK, risk, cell in best))
    return tuple(marks)


def _beside_hints(board: Board) -> NDArray[np.bool_]:
    opened = np.pad(board.tiles >= 0, 1)
    around = [
        opened[down : down + board.rows, right : right + board.cols]
        for down in range(3)
        for right in range(3)
    ]
    beside: NDArray[np.bool_] = np.logical_or.reduce(around)
    return beside


def can_mark() -> bool:
    """Whether windows can have shapes and let clicks through here: on X11."""
    return QGuiApplication.platformName() == "xcb"


class Overlay(QWidget):
    """The marks of the newest turn, over the board that it was read from."""

    def __init__(self) -> None:
        kind = Qt.WindowType
        super().__init__(
            None,
            kind.Tool
            | kind.FramelessWindowHint
            | kind.WindowStaysOnTopHint
            | kind.WindowTransparentForInput
            | kind.WindowDoesNotAcceptFocus
            | kind.BypassWindowManagerHint,
        )
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.setWindowTitle("Marks over the game")
        self.setAccessibleName("Marks over the game")
        self._marks: tuple[Mark, ...] = ()
        self._grid: Grid | None = None

    @property
    def marks(self) -> tuple[Mark, ...]:
        """What is drawn, as long as it is shown."""
        return self._marks

    def show_turn(self, turn: WatchedTurn) -> None:
        """Draw what is thought of a board, where it is now; hide where nothing is to be drawn."""
        marks = marks_of(turn) if turn.markable else ()
        grid = turn.reading.grid
        if not marks:
            self.hide()
            return
        if (marks, grid) != (self._marks, self._grid) or not self.isVisible():
            self._marks, self._grid = marks, grid
            self.setGeometry(logical(grid.region))
            scale = self._scale(grid)
            self.setMask(shape_of(placed(marks, grid, scale), self.size(), scale))
            self.update()
            self.show()
        # A window manager may have raised the game when it was clicked.
        self.raise_()

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """All marks; what the shape leaves out is not seen."""
        if self._grid is not None:
            painter = QPainter(self)
            scale = self._scale(self._grid)
            paint_marks(painter, placed(self._marks, self._grid, scale), scale)
            painter.end()

    def _scale(self, grid: Grid) -> float:
        """Points of this window to a pixel of the game's."""
        return self.width() / (grid.region.width * grid.scale)


def placed(marks: tuple[Mark, ...], grid: Grid, scale: float = 1.0) -> list[tuple[Mark, QRectF]]:
    """Each mark with its place, in pixels from the board's upper left corner.

    Args:
        marks: What is drawn.
        grid: Where the board is.
        scale: Points of the window to a pixel; places are whole points, as shapes have to be.
    """
    region = grid.region
    lefts, tops = grid.column_edges(region), grid.row_edges(region)
    side = ceil(max(_LEAST, round(_SIDE * grid.pitch_x * grid.scale)) * scale) / scale
    places = []
    for mark in marks:
        left, top = lefts[mark.cell.col] - lefts[0] + 1, tops[mark.cell.row] - tops[0] + 1
        corner = ceil(left * scale) / scale, ceil(top * scale) / scale
        places.append((mark, QRectF(*corner, side, side)))
    return places


def shape_of(places: list[tuple[Mark, QRectF]], size: QSize, scale: float = 1.0) -> QBitmap:
    """What of a window of that size is seen: its marks.

    Where a point is more than a pixel no shape is as fine as a mark: its whole place is seen.
    """
    shape = QBitmap(size)
    shape.clear()
    painter = QPainter(shape)
    painter.scale(scale, scale)
    painter.setPen(QPen(Qt.GlobalColor.color1, 1))
    painter.setBrush(Qt.GlobalColor.color1)
    for mark, place in places:
        if scale == 1:
            _outline(painter, mark, place)
        else:
            painter.fillRect(place, Qt.GlobalColor.color1)
    painter.end()
    return shape


def paint_marks(painter: QPainter, places: list[tuple[Mark, QRectF]], scale: float = 1.0) -> None:
    """Marks in their colours, each with a rim."""
    painter.scale(scale, scale)
    for mark, place in places:
        if scale == 1:
            _paint(painter, mark, place)
        else:
            painter.fillRect(place, ON_PROOF)
            inset = 3 if mark.best else 1
            _paint(painter, mark, place.adjusted(0, 0, -inset, -inset))


def _outline(painter: QPainter, mark: Mark, place: QRectF) -> None:
    """The form of a mark, filled with the painter's brush, its rim drawn with the pen."""
    if mark.best:
        # A frame of its own around the cell to open next.
        painter.drawRect(place.adjusted(0, 0, 2, 2))
    elif mark.sign is Sign.SAFE:
        painter.drawEllipse(place)
    elif mark.sign is Sign.MINE:
        painter.drawRect(place)
    else:
        legs = place.width() * (_SMALLEST + (1 - _SMALLEST) * mark.risk)
        painter.drawPolygon(
            QPolygonF([place.topLeft(), place.topLeft() + QPointF(legs, 0),
                       place.topLeft() + QPointF(0, legs)])
        )  # fmt: skip


def _paint(painter: QPainter, mark: Mark, place: QRectF) -> None:
    inner = place
    if mark.best:
        painter.fillRect(place.adjusted(0, 0, 3, 3), CHOSEN)
        painter.fillRect(place.adjusted(2, 2, 1, 1), ON_PROOF)
        inner = place.adjusted(2, 2, 0, 0)
    painter.setPen(QPen(_RIM if mark.sign is Sign.RISK else ON_PROOF, 1))
    painter.setBrush(_color(mark))
    _outline(painter, mark._replace(best=False), inner)
    if mark.sign is Sign.MINE:
        cross = QRect(inner.toRect()).adjusted(2, 2, -2, -2)
        painter.setPen(QPen(ON_PROOF, 1))
        painter.drawLine(cross.topLeft(), cross.bottomRight())
        painter.drawLine(cross.topRight(), cross.bottomLeft())


def _color(mark: Mark) -> QColor:
    return {Sign.SAFE: SAFE, Sign.MINE: MINE}.get(mark.sign) or probability_color(mark.risk)
