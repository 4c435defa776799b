"""Each look's drawing of a tile, in device pixels from (0, 0) to (width, height).

A tile is a background (covered, opened, exploded) and a mark on it (digit, flag, mine). Backgrounds
have sharp edges on whole pixels; marks are drawn on the grid of `shapes`, in the largest square
that fits.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final, NamedTuple

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import (
    QBrush,
    QColor,
    QLinearGradient,
    QPainter,
    QPainterPath,
    QPolygonF,
    QRadialGradient,
)

from bot.board import EXPLODED, FLAG, MINE, MISFLAG, OPENED, QUESTION, UNOPENED, UNREAD
from gui.lookcolours import Colours
from gui.looks import shapes


class Touch(Enum):
    """The pointer's state on a cell."""

    NONE = "none"
    HOVER = "hover"
    """The pointer is on a covered cell."""
    PRESSED = "pressed"
    """The pointer holds a covered cell down."""


class Tile(NamedTuple):
    """A tile to be drawn, with its size."""

    code: int
    width: int
    """Pixels."""
    height: int
    """Pixels."""
    touch: Touch = Touch.NONE

    @property
    def raised(self) -> bool:
        """Whether the cell is covered and not held down."""
        return self.code in UNOPENED and self.touch is not Touch.PRESSED

    @property
    def area(self) -> QRectF:
        """The whole tile."""
        return QRectF(0, 0, self.width, self.height)

    def line(self, fraction: int) -> int:
        """Return the width of a line of 1 / `fraction` of a cell in whole pixels, at least one."""
        return max(1, round(min(self.width, self.height) / fraction))


class Letters(NamedTuple):
    """The style of a look's hints."""

    weight: float
    """Thickness of the strokes, in sixteenths of a cell."""
    size: float
    """Height, in ten sixteenths of a cell."""
    angular: bool


_FLAT_LETTERS: Final = Letters(1.55, 0.9, angular=False)
_DARK_LETTERS: Final = Letters(1.45, 0.86, angular=True)
_ROUNDED_LETTERS: Final = Letters(2.2, 0.84, angular=False)

TilePainter = Callable[[QPainter, Colours, Tile], None]
"""Draws one tile with its upper left corner at (0, 0)."""


def classic_tile(painter: QPainter, colours: Colours, tile: Tile) -> None:
    """Draw bevelled grey with square digits."""
    line = tile.line(16)
    raised = tile.raised
    if raised:
        bevel(painter, tile.area, 2 * line, colours)
    else:
        painter.fillRect(tile.area, QColor(colours.opened_line))
        ground = colours.exploded if tile.code == EXPLODED else colours.opened
        painter.fillRect(QRectF(line, line, tile.width - line, tile.height - line), QColor(ground))
    to_grid(painter, tile.width, tile.height, 0.0)
    if 1 <= tile.code <= 8:
        painter.fillPath(shapes.block_glyph(str(tile.code)), QColor(colours.hints[tile.code - 1]))
    elif tile.code == QUESTION:
        painter.fillPath(shapes.block_glyph("?"), QColor(colours.question))
    elif tile.code == FLAG:
        _flag(painter, colours, waving=False)
    elif tile.code in (MINE, EXPLODED, MISFLAG):
        _mine(painter, colours.mine, colours.shine, spike=1.2)
    if tile.code == MISFLAG:
        painter.strokePath(shapes.cross(2.5), shapes.pen(QColor(colours.cross), 1.8))


def flat_tile(painter: QPainter, colours: Colours, tile: Tile) -> None:
    """Draw plain backgrounds, thin light gaps between the cells, and curved digits."""
    gap = tile.line(24)
    cell = QRectF(0, 0, tile.width - gap, tile.height - gap)
    painter.fillRect(tile.area, QColor(colours.board))
    painter.fillRect(cell, QColor(_ground(colours, tile)))
    to_grid(painter, tile.width, tile.height, -gap / 2)
    _letter(painter, colours, tile.code, _FLAT_LETTERS)
    if tile.code in (FLAG, MISFLAG):
        _flag(painter, colours, waving=False)
    elif tile.code in (MINE, EXPLODED):
        _mine(painter, "#ffffff" if tile.code == EXPLODED else colours.mine, None, spike=1.3)
    if tile.code == MISFLAG:
        painter.strokePath(shapes.cross(2.6), shapes.pen(QColor(colours.cross), 1.5))


def dark_tile(painter: QPainter, colours: Colours, tile: Tile) -> None:
    """Draw dark slate with a light line at the top of covered cells, and angular digits."""
    gap = tile.line(20)
    painter.fillRect(tile.area, QColor(colours.board))
    painter.fillRect(
        QRectF(gap, gap, tile.width - gap, tile.height - gap), QColor(_ground(colours, tile))
    )
    if tile.raised:
        painter.fillRect(QRectF(gap, gap, tile.width - gap, gap), QColor(colours.covered_light))
        foot = QRectF(gap, tile.height - gap, tile.width - gap, gap)
        painter.fillRect(foot, QColor(colours.covered_dark))
    to_grid(painter, tile.width, tile.height, gap / 2)
    _letter(painter, colours, tile.code, _DARK_LETTERS)
    if tile.code in (FLAG, MISFLAG):
        _flag(painter, colours, waving=True)
    elif tile.code in (MINE, EXPLODED):
        ring = "#ffffff" if tile.code == EXPLODED else colours.mine
        painter.strokePath(shapes.mine_spikes(5.6, 4), shapes.pen(QColor(ring), 1.4))
        painter.fillPath(shapes.mine_body(3.6), QColor(ring))
        inner = colours.exploded if tile.code == EXPLODED else colours.opened
        painter.fillPath(shapes.mine_body(1.7), QColor(inner))
    if tile.code == MISFLAG:
        painter.strokePath(shapes.cross(2.8), shapes.pen(QColor(colours.cross), 1.5))


def rounded_tile(painter: QPainter, colours: Colours, tile: Tile) -> None:
    """Draw rounded buttons with gradients and shadows, and bold digits with round ends."""
    painter.fillRect(tile.area, QColor(colours.board))
    gap = tile.line(20)
    cell = QRectF(gap, gap, tile.width - 2 * gap, tile.height - 2 * gap)
    radius = min(tile.width, tile.height) * 0.2
    painter.setPen(Qt.PenStyle.NoPen)
    if tile.raised:
        _button(painter, colours, cell, radius, tile.touch)
    else:
        painter.setBrush(QColor(colours.opened_line))
        painter.drawRoundedRect(cell, radius, radius)
        ground = QColor(_ground(colours, tile))
        painter.setBrush(_exploded_glow(cell, colours) if tile.code == EXPLODED else ground)
        painter.drawRoundedRect(cell.adjusted(0, gap, 0, 0), radius, radius)
    to_grid(painter, tile.width, tile.height, 0.0)
    _letter(painter, colours, tile.code, _ROUNDED_LETTERS)
    if tile.code in (FLAG, MISFLAG):
        _pennant(painter, colours, wrong=tile.code == MISFLAG)
    elif tile.code in (MINE, EXPLODED):
        _bomb(painter, colours)
    if tile.code == MISFLAG:
        painter.strokePath(shapes.cross(3.4), shapes.pen(QColor(colours.cross), 1.7))


def unread_tile(painter: QPainter, colours: Colours, tile: Tile) -> None:
    """Draw a tile that could not be read, as in every look: violet stripes and a tilde."""
    frame = tile.area
    painter.fillRect(frame, QColor(colours.unread).lighter(165))
    painter.setClipRect(frame)
    to_grid(painter, tile.width, tile.height, 0.0)
    stripe = shapes.pen(QColor(colours.unread).lighter(130), 1.5)
    for start in range(-16, 17, 4):
        painter.setPen(stripe)
        painter.drawLine(QPointF(start, 16), QPointF(start + 16, 0))
    _tilde(painter, colours)


def _tilde(painter: QPainter, colours: Colours) -> None:
    """Draw the sign of what is not known."""
    tilde = QPainterPath(QPointF(3.5, 9.5))
    tilde.cubicTo(5, 4.5, 7, 6.5, 8, 8)
    tilde.cubicTo(9, 9.5, 11, 11.5, 12.5, 6.5)
    painter.strokePath(tilde, shapes.pen(QColor(colours.unread).darker(190), 2.2))


def bevel(
    painter: QPainter, area: QRectF, edge: float, colours: Colours, *, sunken: bool = False
) -> None:
    """Draw a raised or sunken grey surface with an edge of `edge` pixels."""
    first, second = colours.covered_light, colours.covered_dark
    if sunken:
        first, second = second, first
    painter.fillRect(area, QColor(second))
    left, top, right, bottom = area.left(), area.top(), area.right(), area.bottom()
    corner = QPolygonF(
        [
            QPointF(left, top),
            QPointF(right, top),
            QPointF(right - edge, top + edge),
            QPointF(left + edge, bottom - edge),
            QPointF(left, bottom),
        ]
    )
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(first))
    painter.drawPolygon(corner)
    painter.fillRect(area.adjusted(edge, edge, -edge, -edge), QColor(colours.covered))


def to_grid(painter: QPainter, width: float, height: float, shift: float) -> None:
    """Map the shapes' grid to the largest square of the tile, `shift` pixels down and right."""
    side = min(width, height)
    painter.translate((width - side) / 2 + shift, (height - side) / 2 + shift)
    painter.scale(side / shapes.GRID, side / shapes.GRID)


def _ground(colours: Colours, tile: Tile) -> str:
    if tile.code == EXPLODED:
        return colours.exploded
    if tile.code not in UNOPENED:
        return colours.opened
    if tile.touch is Touch.PRESSED:
        return colours.covered_dark
    return colours.hover if tile.touch is Touch.HOVER else colours.covered


def _letter(painter: QPainter, colours: Colours, code: int, letters: Letters) -> None:
    """Draw the digit of a hint, or a question mark, in the middle of the grid."""
    if code == QUESTION:
        colour = QColor(colours.question)
    elif 1 <= code <= 8:
        colour = QColor(colours.hints[code - 1])
    else:
        return
    glyph = shapes.stroked_glyph("?" if code == QUESTION else str(code), angular=letters.angular)
    painter.save()
    painter.translate(8, 8)
    painter.scale(letters.size, letters.size)
    painter.translate(-shapes.DIGIT_WIDTH / 2, -shapes.DIGIT_HEIGHT / 2)
    weight = letters.weight / letters.size
    painter.strokePath(glyph, shapes.pen(colour, weight, round_ends=not letters.angular))
    painter.restore()


def _flag(painter: QPainter, colours: Colours, *, waving: bool) -> None:
    painter.fillPath(shapes.flag_staff(waving=waving), QColor(colours.staff))
    painter.fillPath(shapes.flag_cloth(waving=waving), QColor(colours.flag))


def _mine(painter: QPainter, colour: str, shine: str | None, spike: float) -> None:
    painter.strokePath(shapes.mine_spikes(), shapes.pen(QColor(colour), spike))
    painter.fillPath(shapes.mine_body(), QColor(colour))
    if shine is not None:
        painter.fillRect(QRectF(6, 6, 2, 2), QColor(shine))


def _button(painter: QPainter, colours: Colours, cell: QRectF, radius: float, touch: Touch) -> None:
    """Draw a covered cell of the rounded look."""
    gap = cell.left()
    painter.setBrush(QColor(colours.covered_dark))
    painter.drawRoundedRect(cell, radius, radius)
    shade = QLinearGradient(cell.topLeft(), cell.bottomLeft())
    shade.setColorAt(0, QColor(colours.hover if touch is Touch.HOVER else colours.covered_light))
    shade.setColorAt(1, QColor(colours.covered))
    painter.setBrush(QBrush(shade))
    painter.drawRoundedRect(cell.adjusted(0, 0, 0, -gap), radius, radius)


def _exploded_glow(cell: QRectF, colours: Colours) -> QBrush:
    glow = QRadialGradient(cell.center(), cell.width() * 0.7)
    glow.setColorAt(0, QColor("#ffd9a8"))
    glow.setColorAt(1, QColor(colours.exploded))
    return QBrush(glow)


def _pennant(painter: QPainter, colours: Colours, *, wrong: bool) -> None:
    """Draw a flag on a button, or on an opened cell with a dark staff."""
    staff = QColor(colours.text if wrong else colours.staff)
    painter.fillPath(shapes.flag_staff(waving=True), staff)
    shade = QLinearGradient(0, 3, 0, 9)
    shade.setColorAt(0, QColor(colours.flag).lighter(118))
    shade.setColorAt(1, QColor(colours.flag).darker(108))
    painter.fillPath(shapes.flag_cloth(waving=True), QBrush(shade))


def _bomb(painter: QPainter, colours: Colours) -> None:
    """Draw a round bomb with a burning fuse."""
    fuse = QPainterPath(QPointF(9.6, 5.8))
    fuse.cubicTo(10.2, 3.6, 11.4, 3.4, 12.2, 3.6)
    painter.strokePath(fuse, shapes.pen(QColor(colours.mine), 1.3))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor("#ffb300"))
    painter.drawEllipse(QPointF(12.4, 3.6), 1.3, 1.3)
    ball = QRadialGradient(QPointF(6, 7.4), 6.4)
    ball.setColorAt(0, QColor(colours.shine))
    ball.setColorAt(0.45, QColor(colours.mine).lighter(130))
    ball.setColorAt(1, QColor(colours.mine))
    painter.setBrush(QBrush(ball))
    painter.drawEllipse(QPointF(7.6, 9), 4.3, 4.3)


def paint_tile_into(painter: QPainter, draw: TilePainter, colours: Colours, tile: Tile) -> None:
    """Draw any tile code with the look's painter; UNREAD is the same in all of them."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if tile.code == UNREAD:
        unread_tile(painter, colours, tile)
    elif tile.code == OPENED:
        draw(painter, colours, tile._replace(code=0))
        _tilde(painter, colours)
    else:
        draw(painter, colours, tile)


TILE_PAINTERS: Final[dict[str, TilePainter]] = {
    "classic": classic_tile,
    "flat": flat_tile,
    "dark": dark_tile,
    "rounded": rounded_tile,
}
