"""The program's icon: four tiles of a look, as a Qt icon and as an SVG file."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QBuffer, QByteArray, QIODevice, QRect, QSize
from PyQt6.QtGui import QFont, QIcon, QImage, QPainter, QPixmap
from PyQt6.QtSvg import QSvgGenerator

from bot.board import FLAG, MINE
from gui.looks import look_named
from gui.looks.tiles import TILE_PAINTERS, Tile, paint_tile_into

_LOOK: Final = "rounded"
_TILES: Final = ((1, FLAG), (3, MINE))
_CELL: Final = 64
"""Side of a tile in units: even the thinnest line is several units wide."""
_SIDE: Final = _CELL * len(_TILES)


def icon() -> QIcon:
    """Return the icon for a window; needs a QGuiApplication, as every icon does."""
    image = QImage(_SIDE, _SIDE, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    _paint(painter)
    painter.end()
    return QIcon(QPixmap.fromImage(image))


def icon_svg() -> bytes:
    """Return the icon as the content of an SVG file."""
    kept = QByteArray()
    buffer = QBuffer(kept)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(QSize(_SIDE, _SIDE))
    generator.setViewBox(QRect(0, 0, _SIDE, _SIDE))
    generator.setTitle("Minesweeper bot")
    painter = QPainter(generator)
    # The generator writes a font for every shape, and the default has no size without an
    # application.
    painter.setFont(QFont("sans-serif", 12))
    _paint(painter)
    painter.end()
    return bytes(kept.data())


def _paint(painter: QPainter) -> None:
    look = look_named(_LOOK)
    for row, codes in enumerate(_TILES):
        for col, code in enumerate(codes):
            painter.save()
            painter.translate(col * _CELL, row * _CELL)
            tile = Tile(code, _CELL, _CELL)
            paint_tile_into(painter, TILE_PAINTERS[look.name], look.colours, tile)
            painter.restore()
