"""Draws a cell's marks: its probability, the two proofs, the next moves, the evidence.

The scale of probabilities runs from light to dark as well as from blue to red-brown. Its steps are
distinguishable with every kind of colour blindness, in greyscale and in print, because lightness
alone orders them (a test checks that). Proofs are not on the scale: each has its own colour and
shape. The legend below the board is painted with the same functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen, QPolygonF

from bot.analysis import NO_EVIDENCE, Evidence
from bot.board import FLAG, UNREAD, Cell
from bot.frame import Reading
from bot.planner import Move
from bot.solver.phrases import short_percent
from gui.looks import Look, paint_tile
from gui.tile_sheet import NOTHING, Canvas, TileSheet, blank

SAFE: Final = QColor("#00695c")
"""A cell proved safe; always with a tick."""
MINE: Final = QColor("#16181c")
"""A cell proved to be a mine; always with a cross."""
ON_PROOF: Final = QColor("#ffffff")
CHOSEN: Final = QColor("#d81b60")
"""The next moves: a hue that no board uses."""
EVIDENCE: Final = QColor("#6a3df0")
"""The hints and cells of the reason."""
UNSURE: Final = QColor("#b34700")
"""A cell that was read with low confidence; always with a dashed frame."""
FRAME: Final = "#ffe14d"
"""The frame of a part of a picture: no program draws such a grid."""
_SCALE: Final = (
    (0.00, (236, 246, 255)),
    (0.15, (190, 221, 245)),
    (0.35, (240, 196, 118)),
    (0.55, (226, 141, 63)),
    (0.75, (168, 74, 40)),
    (1.00, (84, 24, 42)),
)
"""(probability, sRGB), in order of decreasing lightness."""
_RIM: Final = QColor("#8a93a0")
"""Outline of the proofs, whose dark background would not show on a dark board."""
_Stamp: TypeAlias = tuple[QImage, QPointF]
"""A picture in pixels, and the position of its corner in the painter's coordinates."""
_Picture: TypeAlias = Callable[[int, int], QImage]
"""A function that makes a picture of a width and a height in pixels."""
_SHADES: Final = 200
_BASE: Final = 1000
_SAFE_KEY: Final = (_SHADES + 1) * _BASE
_MINE_KEY: Final = _SAFE_KEY + 1
"""A chip's number is its shade times `_BASE` plus its percentage, or one of two above these."""
_BADGE: Final = 0.5
"""Size of the recognised tile in a cell's corner, as a share of the cell."""
_FLAG: Final = 0.4
"""The same of a flag."""
_SURE: Final = 0.7
"""Least confidence of an opened cell that counts as read with certainty.

It is the matcher's limit at a skin's own size. None of the 50,617 opened cells in the recorded
games of `tests/sessions` has less.
"""
READABLE: Final = 15.0
"""Least width in points of a cell with numbers; narrower cells show only colours."""


def probability_color(probability: float) -> QColor:
    """Return the colour of an unproved cell's mine probability (0..1)."""
    wanted = min(max(probability, 0.0), 1.0)
    for (low, dark), (high, light) in pairwise(_SCALE):
        if wanted <= high:
            share = (wanted - low) / (high - low)
            mixed = (round(a + (b - a) * share) for a, b in zip(dark, light, strict=True))
            return QColor(*mixed)
    return QColor(*_SCALE[-1][1])


def luminance(color: QColor) -> float:
    """Return the relative luminance, 0..1. Source: WCAG 2.2, 'relative luminance'."""
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (color.redF(), color.greenF(), color.blueF())
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast ratio, 1..21. Source: WCAG 2.2, 'contrast ratio'."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def text_on(background: QColor) -> QColor:
    """Return black or white, the more readable of the two."""
    return max(QColor("#000000"), QColor("#ffffff"), key=lambda ink: contrast(ink, background))


def paint_chips(
    painter: QPainter,
    probability: NDArray[np.float64],
    board: QRectF,
    canvas: Canvas | None = None,
) -> None:
    """Paint the chips over the covered cells of a board; none where the probability is NaN.

    Args:
        painter: Any painter that is not rotated or mirrored.
        probability: (rows, cols) in 0..1; 0.0 and 1.0 are proofs.
        board: Outer edges, in the painter's coordinates; its cells are whole pixels.
        canvas: Reused by callers that paint many boards.
    """
    ratio = painter.deviceTransform().m11()
    rows, cols = probability.shape
    width, height = round(board.width() * ratio / cols), round(board.height() * ratio / rows)
    chips = _chips(width, height, ratio).laid_out(_keys(probability), canvas)
    draw_in_pixels(painter, (chips, board.topLeft()))


def paint_chip(painter: QPainter, cell: QRectF, probability: float) -> None:
    """Paint a chip into a cell given in the painter's coordinates, on whole pixels."""
    _stamp(painter, [cell], _chip_of(painter, probability))


def paint_thoughts(
    painter: QPainter,
    moves: Sequence[Move],
    place: Callable[[Cell], QRectF],
    *,
    evidence: Evidence = NO_EVIDENCE,
) -> None:
    """Paint the layer over the chips: the reason's evidence, and the next moves.

    Args:
        painter: Any painter that is not rotated or mirrored.
        moves: In order; the first has the thickest ring.
        place: Returns a cell's rectangle in the painter's coordinates.
        evidence: The cells of the reason; may be empty.
    """
    paint_evidence(painter, [place(cell) for cell in (*evidence.hints, *evidence.cells)])
    next_cells = [place(move.cell) for move in moves if move.cell is not None]
    _stamp(painter, next_cells[1:], _ring_of(first=False))
    _stamp(painter, next_cells[:1], _ring_of(first=True))


def draw_in_pixels(painter: QPainter, *stamps: _Stamp) -> None:
    """Copy pictures pixel by pixel, with each corner at the pixel nearest to its position."""
    device = painter.deviceTransform()
    ratio, left, top = device.m11(), device.dx(), device.dy()
    painter.save()
    painter.translate(-left / ratio, -top / ratio)
    painter.scale(1 / ratio, 1 / ratio)
    for image, corner in stamps:
        painter.drawImage(round(corner.x() * ratio + left), round(corner.y() * ratio + top), image)
    painter.restore()


def _stamp(painter: QPainter, cells: Sequence[QRectF], picture: _Picture) -> None:
    """Paint the same picture into several cells of equal size."""
    if cells:
        width, height, _ = _pixels(painter, cells[0])
        image = picture(width, height)
        draw_in_pixels(painter, *((image, cell.topLeft()) for cell in cells))


def _pixels(painter: QPainter, cell: QRectF) -> tuple[int, int, float]:
    """Return the width and height of a cell in pixels, and the pixels a point."""
    ratio = painter.deviceTransform().m11()
    return round(cell.width() * ratio), round(cell.height() * ratio), ratio


def _chip_of(painter: QPainter, probability: float) -> _Picture:
    ratio = painter.deviceTransform().m11()
    key = int(_keys(np.array([probability]))[0])
    return lambda width, height: _chips(width, height, ratio).picture(key)


def _ring_of(first: bool) -> _Picture:
    return lambda width, height: _ring(width, height, 1.6 if first else 1.0, 1.0)


def _keys(probability: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return a number for each cell; equal numbers mean equal chips."""
    known = np.where(np.isnan(probability), 0.0, probability)
    # Finer steps than half a percent cannot be distinguished by colour.
    shown = np.rint(known * _SHADES) * _BASE + np.rint(known * 100)
    keys: NDArray[np.int64] = shown.astype(np.int64)
    keys[known == 0.0] = _SAFE_KEY
    keys[known == 1.0] = _MINE_KEY
    keys[np.isnan(probability)] = NOTHING
    return keys


@lru_cache(maxsize=8)
def _chips(width: int, height: int, ratio: float) -> TileSheet:
    """Return all chips of a size in pixels."""

    def draw(key: int) -> QImage:
        image = blank(width, height)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        cell = QRectF(0, 0, image.width(), image.height())
        if key in (_SAFE_KEY, _MINE_KEY):
            (_cross if key == _MINE_KEY else _tick)(painter, cell)
        else:
            shade, percent = divmod(key, _BASE)
            # Only a proof may look like one.
            chance = min(max(percent / 100, 1e-9), 1 - 1e-9)
            text = short_percent(chance) if width >= READABLE * ratio else ""
            _number(painter, cell, text, shade / _SHADES)
        painter.end()
        return image

    return TileSheet(draw, width, height)


def paint_move(painter: QPainter, cell: QRectF) -> None:
    """Paint the thick ring around the cell that is opened next."""
    _stamp(painter, [cell], _ring_of(first=True))


def paint_done(painter: QPainter, cells: Sequence[QRectF], strength: float) -> None:
    """Paint a ring around each cell of a past move, fainter for older moves.

    Args:
        painter: Any painter that is not rotated or mirrored.
        cells: In its coordinates.
        strength: 0..1.
    """
    opacity = 0.65 * strength
    _stamp(painter, cells, lambda width, height: _ring(width, height, 1.0, opacity))


@lru_cache(maxsize=64)
def _ring(width: int, height: int, thickness: float, opacity: float) -> QImage:
    """Return a ring for a cell of this size in pixels, drawn once."""
    image = blank(width, height)
    cell = image.rect().toRectF()
    line = _line(cell) * thickness
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setOpacity(opacity)
    round_about = cell.adjusted(line, line, -line, -line)
    for color, wide in ((QColor("#ffffff"), line + 1.5), (CHOSEN, line)):
        painter.setPen(QPen(color, wide))
        painter.drawRoundedRect(round_about, 3, 3)
    painter.end()
    return image


def paint_evidence(painter: QPainter, cells: Sequence[QRectF]) -> None:
    """Paint a dashed frame around each hint and cell of the reason."""
    _stamp(painter, cells, _evidence)


@lru_cache(maxsize=16)
def _evidence(pixels_across: int, pixels_down: int) -> QImage:
    """Return the frame for a cell of this size in pixels, drawn once."""
    image = blank(pixels_across, pixels_down)
    width = _line(image.rect().toRectF())
    frame = image.rect().toRectF().adjusted(width / 2, width / 2, -width / 2, -width / 2)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for color, style in (("#ffffff", Qt.PenStyle.SolidLine), (EVIDENCE, Qt.PenStyle.DotLine)):
        painter.setPen(QPen(QColor(color), width, style))
        painter.drawRect(frame)
    painter.end()
    return image


def paint_reason_hint(painter: QPainter, cell: QRectF) -> None:
    """Highlight a hint that determines the inspected cell, in a frame visible on any tile."""
    width = _line(cell)
    lit = QColor(EVIDENCE)
    lit.setAlpha(70)
    painter.fillRect(cell, lit)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for inset, color in ((1.5 * width, EVIDENCE), (width / 2, QColor("#ffffff"))):
        painter.setPen(QPen(color, width))
        painter.drawRect(cell.adjusted(inset, inset, -inset, -inset))


def paint_cursor(painter: QPainter, cell: QRectF) -> None:
    """Paint a frame around the inspected cell, light inside dark, visible on any background."""
    width = _line(cell)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for grown, color in ((width, "#000000"), (0.0, FRAME)):
        painter.setPen(QPen(QColor(color), width))
        painter.drawRect(cell.adjusted(-grown, -grown, grown, grown))


def paint_frame(painter: QPainter, rect: QRectF) -> None:
    """Paint a frame around a part of a picture, light inside dark, visible on any background."""
    for grown, color in ((2.5, "#000000"), (1.0, FRAME)):
        painter.setPen(QPen(QColor(color), 2, join=Qt.PenJoinStyle.MiterJoin))
        painter.drawRect(rect.adjusted(-grown, -grown, grown, grown))


def unsure(reading: Reading) -> NDArray[np.bool_]:
    """Return (rows, cols): opened cells read with low confidence, and unread cells."""
    tiles = reading.board.tiles
    unsure: NDArray[np.bool_] = (tiles == UNREAD) | ((tiles >= 0) & (reading.confidence < _SURE))
    return unsure


def paint_unsure(painter: QPainter, code: int, cell: QRectF, look: Look) -> None:
    """Mark a cell that was read with low confidence, with the recognised tile in its corner."""
    painter.save()
    across, down = cell.width() * (1 - _BADGE), cell.height() * (1 - _BADGE)
    paint_tile(painter, code, cell.adjusted(across, down, 0, 0), look)
    width = _line(cell)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    frame = cell.adjusted(width / 2, width / 2, -width / 2, -width / 2)
    for color, style in ((ON_PROOF, Qt.PenStyle.SolidLine), (UNSURE, Qt.PenStyle.DashLine)):
        painter.setPen(QPen(color, width, style))
        painter.drawRect(frame)
    painter.restore()


def paint_flags(painter: QPainter, cells: Sequence[QRectF], look: Look) -> None:
    """Paint a small flag into the upper right corner of flagged cells, which their chips cover."""
    for cell in cells:
        across, down = cell.width() * (1 - _FLAG), cell.height() * (1 - _FLAG)
        paint_tile(painter, FLAG, cell.adjusted(across, 0, 0, -down), look)


def _line(cell: QRectF) -> float:
    return max(1.25, cell.width() / 14)


def _body(cell: QRectF) -> QRectF:
    """Return the part of a cell that a chip fills; a rim of the tile stays visible."""
    rim = max(1.0, cell.width() / 16)
    return cell.adjusted(rim, rim, -rim, -rim)


def _number(painter: QPainter, cell: QRectF, text: str, shade: float) -> None:
    color = probability_color(shade)
    body = _body(cell)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawRoundedRect(body, cell.width() / 10, cell.width() / 10)
    if not text:
        return
    font = QFont(painter.font())
    font.setPixelSize(max(1, round(cell.height() * 0.5)))
    wide = QFontMetricsF(font).horizontalAdvance(text)
    if wide > body.width() * 0.92:
        font.setPixelSize(max(1, int(font.pixelSize() * body.width() * 0.92 / wide)))
    painter.setFont(font)
    painter.setPen(text_on(color))
    painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, text)


def _tick(painter: QPainter, cell: QRectF) -> None:
    _proof(painter, cell, SAFE)
    place = [(0.28, 0.53), (0.44, 0.69), (0.74, 0.34)]
    painter.drawPolyline(QPolygonF([_at(cell, x, y) for x, y in place]))


def _cross(painter: QPainter, cell: QRectF) -> None:
    _proof(painter, cell, MINE)
    painter.drawLine(_at(cell, 0.32, 0.32), _at(cell, 0.68, 0.68))
    painter.drawLine(_at(cell, 0.68, 0.32), _at(cell, 0.32, 0.68))


def _proof(painter: QPainter, cell: QRectF, color: QColor) -> None:
    """Paint the background of a proof and set the pen for its symbol."""
    painter.setPen(QPen(_RIM, 1))
    painter.setBrush(color)
    painter.drawRoundedRect(_body(cell), cell.width() / 10, cell.width() / 10)
    cap, join = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
    painter.setPen(QPen(ON_PROOF, max(1.5, cell.width() / 9), Qt.PenStyle.SolidLine, cap, join))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _at(cell: QRectF, x: float, y: float) -> QPointF:
    return QPointF(cell.left() + x * cell.width(), cell.top() + y * cell.height())
