"""Paints boards for the built-in game, the panel, the replay and pictures.

A `Look` is drawn with vectors at any cell size. Nothing here is made from `templates/`: the
templates of the looks are captured from the built-in game like those of any program, so that the
reader is not tested on its own pictures.

Cells begin and end on whole device pixels, whatever the cell size and the screen's scale: with a
pitch of 22.5 pixels they are alternately 22 and 23 pixels wide, all of them sharp. A tile is drawn
once per size and then cached, because a panel paints 480 of them 30 times a second. Nothing needs a
QGuiApplication, so pictures can be painted in any thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Final

from PyQt6.QtCore import QPointF, QRectF
from PyQt6.QtGui import QImage, QPainter, QTransform

from bot.board import Board, Cell
from gui import lookcolours
from gui.lookcolours import Colours
from gui.looks.headers import HEADER_PAINTERS, HeaderState, Layout, Mood
from gui.looks.tiles import TILE_PAINTERS, Tile, Touch, paint_tile_into

__all__ = [
    "LOOKS",
    "Colours",
    "HeaderState",
    "Layout",
    "Look",
    "Mood",
    "Touch",
    "layout",
    "look_named",
    "paint_board",
    "paint_header",
    "paint_tile",
    "render_board",
]

_UNTOUCHED: Final[Mapping[Cell, Touch]] = {}


@dataclass(frozen=True)
class Look:
    """A style of drawing a game. Lengths except `cell` are in sixteenths of a cell."""

    name: str
    """The name for the command line and the skin's folder."""
    cell: int
    """Natural side of a cell, in points."""
    colours: Colours
    margin: float
    """Space at the left, right and bottom of the board."""
    inset: float
    """Space at the left and right of the header."""
    top: float
    """Space above the header."""
    bar: float
    """Height of the header."""
    drop: float
    """Space between the header and the board."""
    face: float
    """Side of the face's button."""
    least: float
    """Narrowest width of a field."""

    @property
    def face_center(self) -> tuple[float, float]:
        """The face's centre relative to the centre of the board's upper edge, in cells (x, y)."""
        return 0.0, -(self.drop + self.bar / 2) / 16


LOOKS: Final[dict[str, Look]] = {
    look.name: look
    for look in (
        Look("classic", 16, lookcolours.CLASSIC, 12, 9, 9, 37, 9, 26, 152),
        Look("flat", 24, lookcolours.FLAT, 10, 10, 8, 24, 8, 20, 152),
        Look("dark", 20, lookcolours.DARK, 10, 0, 0, 30, 10, 22, 160),
        Look("rounded", 26, lookcolours.ROUNDED, 13, 9, 6, 26, 10, 22, 162),
    )
}
"""The looks by name, in the order of the menus."""


def look_named(name: str) -> Look:
    """Return the look of that name.

    Raises:
        ValueError: There is none; the message lists the available ones.
    """
    if name not in LOOKS:
        raise ValueError(f"there is no look {name!r}; there are {', '.join(LOOKS)}")
    return LOOKS[name]


def layout(look: Look, rows: int, cols: int, cell: float, least_width: float = 0.0) -> Layout:
    """Return the layout of a field with cells of `cell` points.

    Args:
        look: The look.
        rows: Rows of the board.
        cols: Columns of the board.
        cell: Side of a cell in points.
        least_width: Smallest width of the field in points, with the board in the middle.
    """
    unit = cell / 16
    width = max(cols * cell + 2 * look.margin * unit, look.least * unit, least_width)
    header = QRectF(
        look.inset * unit, look.top * unit, width - 2 * look.inset * unit, look.bar * unit
    )
    left, top = round((width - cols * cell) / 2), round(header.bottom() + look.drop * unit)
    board = QRectF(left, top, cols * cell, rows * cell)
    side = look.face * unit
    x, y = look.face_center
    face = QRectF(
        board.center().x() + x * cell - side / 2, board.top() + y * cell - side / 2, side, side
    )
    field = QRectF(0, 0, ceil(width), ceil(board.bottom() + look.margin * unit))
    return Layout(cell, board, face, header, field)


def paint_board(
    painter: QPainter,
    board: Board,
    area: QRectF,
    look: Look,
    *,
    touched: Mapping[Cell, Touch] = _UNTOUCHED,
    clip: QRectF | None = None,
) -> None:
    """Draw every tile of a board.

    Args:
        painter: Any painter that is not rotated or mirrored.
        board: The board.
        area: The board's outer edges, in the painter's coordinates.
        look: The look.
        touched: The cells that the pointer hovers over or holds down.
        clip: Only cells that touch this rectangle are drawn; by default all.
    """
    device = painter.deviceTransform()
    columns = _edges(area.left(), area.width(), board.cols, device.m11(), device.dx())
    lines = _edges(area.top(), area.height(), board.rows, device.m22(), device.dy())
    window = device.mapRect(area if clip is None else clip)
    painter.save()
    _to_device_pixels(painter, device)
    tiles = board.tiles.tolist()
    for row in range(board.rows):
        top, height = lines[row], lines[row + 1] - lines[row]
        if top > window.bottom() or top + height < window.top():
            continue
        for col in range(board.cols):
            left, width = columns[col], columns[col + 1] - columns[col]
            if left > window.right() or left + width < window.left():
                continue
            touch = touched.get(Cell(row, col), Touch.NONE) if touched else Touch.NONE
            image = _tile_image(look.name, tiles[row][col], width, height, touch)
            painter.drawImage(QPointF(left, top), image)
    painter.restore()


def paint_tile(
    painter: QPainter, code: int, area: QRectF, look: Look, touch: Touch = Touch.NONE
) -> None:
    """Draw one tile into `area`, given in the painter's coordinates."""
    device = painter.deviceTransform()
    left, right = _edges(area.left(), area.width(), 1, device.m11(), device.dx())
    top, bottom = _edges(area.top(), area.height(), 1, device.m22(), device.dy())
    painter.save()
    _to_device_pixels(painter, device)
    image = _tile_image(look.name, code, right - left, bottom - top, touch)
    painter.drawImage(QPointF(left, top), image)
    painter.restore()


def paint_header(painter: QPainter, look: Look, place: Layout, state: HeaderState) -> None:
    """Draw everything around a board: frame, counters, face; `place` begins at (0, 0)."""
    device = painter.deviceTransform()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(1 / device.m11(), 1 / device.m22())
    HEADER_PAINTERS[look.name](painter, look.colours, place.in_pixels(device.m11()), state)
    painter.restore()


def render_board(board: Board, look: Look, cell: float) -> QImage:
    """Return a picture of the board alone, with cells of `cell` pixels."""
    width, height = round(board.cols * cell), round(board.rows * cell)
    image = QImage(max(1, width), max(1, height), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    paint_board(painter, board, QRectF(0, 0, board.cols * cell, board.rows * cell), look)
    painter.end()
    return image


def _edges(start: float, length: float, count: int, scale: float, offset: float) -> list[int]:
    """Return the edges of the cells in device pixels: count + 1 whole numbers."""
    step = length / count
    return [round((start + number * step) * scale + offset) for number in range(count + 1)]


def _to_device_pixels(painter: QPainter, device: QTransform) -> None:
    painter.translate(-device.dx() / device.m11(), -device.dy() / device.m22())
    painter.scale(1 / device.m11(), 1 / device.m22())


@lru_cache(maxsize=512)
def _tile_image(name: str, code: int, width: int, height: int, touch: Touch) -> QImage:
    """Return a tile drawn for a size in pixels."""
    image = QImage(max(1, width), max(1, height), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    colours = LOOKS[name].colours
    paint_tile_into(painter, TILE_PAINTERS[name], colours, Tile(code, width, height, touch))
    painter.end()
    return image
