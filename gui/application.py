"""Qt's application object, set up equally for all windows, and the program's icon."""

from __future__ import annotations

import os
from typing import Any, Final

from PyQt6.QtCore import QBuffer, QByteArray, QIODevice, QRect, QSize, Qt
from PyQt6.QtGui import QFont, QIcon, QImage, QPainter, QPixmap
from PyQt6.QtSvg import QSvgGenerator
from PyQt6.QtWidgets import QApplication, QLabel, QProxyStyle

from bot.board import FLAG, MINE
from gui.looks import look_named
from gui.looks.tiles import TILE_PAINTERS, Tile, paint_tile_into
from vision.desktop import desktop
from vision.files import APPLICATION_ID, PROGRAM

_LOOK: Final = "rounded"
_TILES: Final = ((1, FLAG), (3, MINE))
_CELL: Final = 64
"""Side of a tile in units: even the thinnest line is several units wide."""
_SIDE: Final = _CELL * len(_TILES)


class PlainTextStyle(QProxyStyle):
    """A style that shows text literally in labels, tooltips and message boxes.

    Qt renders a label's text as HTML if it looks like HTML, as titles of windows and names of files
    may. A label that is to render HTML sets `Qt.TextFormat.RichText`.
    """

    def polish(self, target: Any) -> Any:
        """Make a label plain before it is first shown."""
        if isinstance(target, QLabel) and target.textFormat() == Qt.TextFormat.AutoText:
            target.setTextFormat(Qt.TextFormat.PlainText)
        return super().polish(target)


def application(name: str) -> QApplication:
    """Create the application with the name by which the reader recognises its windows.

    Args:
        name: The class of its windows: `vision.desktop.OWN_CLASS` or `SIMULATOR_CLASS`.
    """
    for variable in ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR"):
        # Set by `import cv2`, here or in a parent: they name another Qt's plugins.
        if "cv2" in os.environ.get(variable, ""):
            del os.environ[variable]
    # On Wayland, Qt 6.11 forgets the shadow of its other frame: a window of fixed size is cut off.
    os.environ.setdefault("QT_WAYLAND_DECORATION", "bradient")
    # Before any window, and before Qt sets the scale of this process.
    desktop().identify_process(name)
    app = QApplication([name])
    app.setApplicationName(name)
    app.setDesktopFileName(APPLICATION_ID if name == PROGRAM else name)
    app.setStyle(PlainTextStyle("Fusion"))
    return app


def icon() -> QIcon:
    """Return the icon for a window; needs a QGuiApplication, as every icon does."""
    return QIcon(QPixmap.fromImage(icon_image()))


def icon_image() -> QImage:
    """Return the icon as a picture."""
    image = QImage(_SIDE, _SIDE, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    _paint(painter)
    painter.end()
    return image


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
