"""Each look's drawing around the board: counters, face, frame.

Counters have the three forms of real programs: seven segments (classic), plain numbers (flat,
rounded) and 'flags / mines' (dark).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from math import ceil
from typing import Final

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QBrush, QColor, QLinearGradient, QPainter, QPainterPath, QRadialGradient

from gui.lookcolours import Colours
from gui.looks import shapes
from gui.looks.tiles import bevel, to_grid


class Mood(Enum):
    """The face's expression."""

    SMILE = "smile"
    TENSE = "tense"
    """A cell is held down."""
    WON = "won"
    LOST = "lost"


@dataclass(frozen=True)
class HeaderState:
    """The values that a header shows."""

    mines: int
    mines_left: int
    """Mines minus flags; negative with too many flags."""
    seconds: int
    mood: Mood = Mood.SMILE
    face_down: bool = False
    """The face is held down."""


@dataclass(frozen=True)
class Layout:
    """The layout of a window's field, in points from its upper left corner.

    A header is painted with a layout in device pixels (`in_pixels`), so that its edges are sharp.
    """

    cell: float
    """Side of a cell."""
    board: QRectF
    face: QRectF
    header: QRectF
    """The strip with counters and face."""
    field: QRectF
    """The whole field."""

    def in_pixels(self, ratio: float) -> Layout:
        """Return the same layout in device pixels, with each edge on a whole one."""

        def snapped(part: QRectF) -> QRectF:
            left, top = round(part.left() * ratio), round(part.top() * ratio)
            right, bottom = round(part.right() * ratio), round(part.bottom() * ratio)
            return QRectF(left, top, right - left, bottom - top)

        # Half a pixel too much is clipped; half a pixel too little would stay unpainted.
        field = QRectF(0, 0, ceil(self.field.width() * ratio), ceil(self.field.height() * ratio))
        board, face, header = (snapped(part) for part in (self.board, self.face, self.header))
        return Layout(self.cell * ratio, board, face, header, field)

    def line(self, sixteenths: float) -> float:
        """Return sixteenths of a cell in whole units, at least one."""
        return max(1.0, float(round(self.cell * sixteenths / shapes.GRID)))


HeaderPainter = Callable[[QPainter, Colours, Layout, HeaderState], None]
"""A function that draws the field without the cells."""


def classic_header(painter: QPainter, colours: Colours, place: Layout, game: HeaderState) -> None:
    """Draw grey bevels, red seven-segment counters, and a yellow face on a button."""
    unit = place.cell / shapes.GRID
    bevel(painter, place.field, place.line(3), colours)
    bevel(painter, place.header, place.line(2), colours, sunken=True)
    frame = place.line(3)
    bevel(painter, place.board.adjusted(-frame, -frame, frame, frame), frame, colours, sunken=True)
    width, height = place.line(41), place.line(25)
    top = float(round(place.header.center().y() - height / 2))
    inset = place.line(7)
    left = QRectF(place.header.left() + inset, top, width, height)
    right = QRectF(place.header.right() - inset - width, top, width, height)
    seven_segments(painter, left, game.mines_left, colours)
    seven_segments(painter, right, game.seconds, colours)
    painter.fillRect(place.face, QColor(colours.accent))
    edge = place.line(1)
    inner = place.face.adjusted(edge, edge, -edge, -edge)
    bevel(painter, inner, place.line(2), colours, sunken=game.face_down)
    shift = unit if game.face_down else 0.0
    draw_face(
        painter, inner.translated(shift, shift), game.mood, skin="#ffe000", ink="#000000", size=0.68
    )


def flat_header(painter: QPainter, colours: Colours, place: Layout, game: HeaderState) -> None:
    """Draw plain numbers beside a flag and a clock, and the face as a flat disc."""
    painter.fillRect(place.field, QColor(colours.window))
    unit = place.cell / shapes.GRID
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours.panel))
    painter.drawRoundedRect(place.header, 4 * unit, 4 * unit)
    _flag_icon(painter, colours, place, waving=False)
    _number(painter, colours, place, str(game.mines_left), inset=26, weight=1.5, angular=False)
    _clock_icon(painter, colours, place)
    _number(painter, colours, place, str(game.seconds), inset=-26, weight=1.5, angular=False)
    ground = QColor(colours.accent if game.face_down else colours.covered)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawEllipse(place.face)
    draw_face(painter, place.face, game.mood, skin="#ffd54f", ink=colours.text, size=0.78)


def dark_header(painter: QPainter, colours: Colours, place: Layout, game: HeaderState) -> None:
    """Draw 'flags / mines' in angular digits, and the face as a line drawing."""
    painter.fillRect(place.field, QColor(colours.window))
    unit = place.cell / shapes.GRID
    painter.fillRect(place.header, QColor(colours.panel))
    edge = place.line(1)
    foot = QRectF(place.header.left(), place.header.bottom() - edge, place.header.width(), edge)
    painter.fillRect(foot, QColor(colours.accent))
    painter.fillRect(place.board.adjusted(-edge, -edge, edge, edge), QColor(colours.board))
    _flag_icon(painter, colours, place, waving=True)
    flags = f"{game.mines - game.mines_left}/{game.mines}"
    _number(painter, colours, place, flags, inset=24, weight=1.3, angular=True)
    _number(painter, colours, place, str(game.seconds), inset=-8, weight=1.3, angular=True)
    painter.setPen(shapes.pen(QColor(colours.accent), unit))
    painter.setBrush(QColor(colours.board if game.face_down else colours.covered))
    inset = unit / 2
    painter.drawRoundedRect(place.face.adjusted(inset, inset, -inset, -inset), 5 * unit, 5 * unit)
    draw_face(painter, place.face, game.mood, skin=None, ink=colours.text, size=0.74)


def rounded_header(painter: QPainter, colours: Colours, place: Layout, game: HeaderState) -> None:
    """Draw pills with plain numbers, and a shaded face."""
    unit = place.cell / shapes.GRID
    shade = QLinearGradient(place.field.topLeft(), place.field.bottomLeft())
    shade.setColorAt(0, QColor(colours.window).lighter(106))
    shade.setColorAt(1, QColor(colours.window))
    painter.fillRect(place.field, QBrush(shade))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours.board))
    frame = 4 * unit
    painter.drawRoundedRect(place.board.adjusted(-frame, -frame, frame, frame), 6 * unit, 6 * unit)
    width, height = 54 * unit, 21 * unit
    top = place.header.center().y() - height / 2
    for left in (place.header.left(), place.header.right() - width):
        pill = QRectF(left, top, width, height)
        painter.setBrush(QColor(colours.accent))
        painter.drawRoundedRect(pill, height / 2, height / 2)
        painter.setBrush(QColor(colours.panel))
        painter.drawRoundedRect(pill.adjusted(0, unit, 0, 0), height / 2, height / 2)
    _flag_icon(painter, colours, place, waving=True)
    _number(painter, colours, place, str(game.mines_left), inset=26, weight=1.9, angular=False)
    _clock_icon(painter, colours, place)
    _number(painter, colours, place, str(game.seconds), inset=-26, weight=1.9, angular=False)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours.covered_dark))
    painter.drawEllipse(place.face)
    light = QLinearGradient(place.face.topLeft(), place.face.bottomLeft())
    light.setColorAt(0, QColor(colours.covered if game.face_down else colours.covered_light))
    light.setColorAt(1, QColor(colours.covered))
    painter.setBrush(QBrush(light))
    painter.drawEllipse(place.face.adjusted(0, 0, 0, -1.2 * unit))
    draw_face(painter, place.face, game.mood, skin="#ffe08a", ink=colours.text, size=0.72)


def seven_segments(painter: QPainter, area: QRectF, value: int, colours: Colours) -> None:
    """Draw three red digits on black, clamped to -99..999."""
    unit = area.height() / 25
    edge = max(1.0, float(round(unit)))
    bevel(painter, area, edge, colours, sunken=True)
    painter.fillRect(area.adjusted(edge, edge, -edge, -edge), QColor("#000000"))
    value = max(-99, min(999, value))
    text = f"-{-value:02}" if value < 0 else f"{value:03}"
    for number, character in enumerate(text):
        painter.save()
        painter.translate(area.left() + (2 + 13 * number) * unit, area.top() + 2 * unit)
        painter.scale(unit, unit)
        lit, dark = shapes.segments(character)
        painter.fillPath(dark, QColor("#4a0000"))
        painter.fillPath(lit, QColor("#ff1414"))
        painter.restore()


def draw_face(
    painter: QPainter, area: QRectF, mood: Mood, *, skin: str | None, ink: str, size: float
) -> None:
    """Draw a face in the middle of `area`; without `skin` only its lines."""
    painter.save()
    side = area.width() * size
    painter.translate(area.center().x() - side / 2, area.center().y() - side / 2)
    painter.scale(side / shapes.GRID, side / shapes.GRID)
    line = QColor(ink)
    painter.setPen(shapes.pen(line, 1.0))
    painter.setBrush(_skin(skin) if skin else QBrush(Qt.BrushStyle.NoBrush))
    painter.drawEllipse(QRectF(0.5, 0.5, 15, 15))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if mood is Mood.LOST:
        for middle in (5.2, 10.8):
            _strike_eye(painter, middle, line)
    elif mood is Mood.WON:
        _sunglasses(painter, line)
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(line)
        for middle in (5.2, 10.8):
            painter.drawEllipse(QPointF(middle, 6.3), 1.15, 1.35)
    _mouth(painter, mood, line)
    painter.restore()


def _skin(colour: str) -> QBrush:
    shade = QRadialGradient(QPointF(6, 5), 12)
    shade.setColorAt(0, QColor(colour).lighter(125))
    shade.setColorAt(1, QColor(colour))
    return QBrush(shade)


def _mouth(painter: QPainter, mood: Mood, line: QColor) -> None:
    painter.setPen(shapes.pen(line, 1.2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if mood is Mood.TENSE:
        painter.drawEllipse(QPointF(8, 11.4), 1.7, 1.7)
        return
    mouth = QPainterPath()
    if mood is Mood.LOST:
        mouth.moveTo(4.8, 12.4)
        mouth.cubicTo(6.3, 9.8, 9.7, 9.8, 11.2, 12.4)
    else:
        mouth.moveTo(4.4, 10.1)
        mouth.cubicTo(5.8, 13.4, 10.2, 13.4, 11.6, 10.1)
    painter.drawPath(mouth)


def _strike_eye(painter: QPainter, middle: float, line: QColor) -> None:
    painter.setPen(shapes.pen(line, 1.1))
    painter.drawLine(QPointF(middle - 1.2, 5.1), QPointF(middle + 1.2, 7.5))
    painter.drawLine(QPointF(middle + 1.2, 5.1), QPointF(middle - 1.2, 7.5))


def _sunglasses(painter: QPainter, line: QColor) -> None:
    painter.setPen(shapes.pen(line, 0.9))
    painter.drawLine(QPointF(1.2, 6.4), QPointF(14.8, 6.4))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(line)
    for left in (2.9, 8.6):
        glass = QPainterPath(QPointF(left, 5.2))
        glass.lineTo(left + 4.5, 5.2)
        glass.cubicTo(left + 4.6, 8.9, left + 3.4, 9.2, left + 2.2, 9.2)
        glass.cubicTo(left + 1, 9.2, left - 0.1, 8.9, left, 5.2)
        painter.drawPath(glass)


def _number(
    painter: QPainter,
    colours: Colours,
    place: Layout,
    text: str,
    *,
    inset: float,
    weight: float,
    angular: bool,
) -> None:
    """Draw a number in the header, in sixteenths of a cell from the left (negative: right)."""
    unit = place.cell / shapes.GRID
    step = 8.2
    width = step * len(text) - (step - shapes.DIGIT_WIDTH)
    painter.save()
    edge = place.header.left() if inset > 0 else place.header.right()
    painter.translate(edge + inset * unit, place.header.center().y())
    painter.scale(unit, unit)
    painter.translate(0 if inset > 0 else -width, -shapes.DIGIT_HEIGHT / 2)
    stroke = shapes.pen(QColor(colours.text), weight, round_ends=not angular)
    for character in text:
        painter.strokePath(shapes.stroked_glyph(character, angular=angular), stroke)
        painter.translate(step, 0)
    painter.restore()


def _flag_icon(painter: QPainter, colours: Colours, place: Layout, *, waving: bool) -> None:
    unit = place.cell / shapes.GRID
    painter.save()
    painter.translate(place.header.left() + 6 * unit, place.header.center().y() - 8 * unit)
    to_grid(painter, place.cell, place.cell, 0.0)
    painter.fillPath(shapes.flag_staff(waving=waving), QColor(colours.text))
    painter.fillPath(shapes.flag_cloth(waving=waving), QColor(colours.flag))
    painter.restore()


def _clock_icon(painter: QPainter, colours: Colours, place: Layout) -> None:
    unit = place.cell / shapes.GRID
    painter.save()
    painter.translate(place.header.right() - 22 * unit, place.header.center().y() - 8 * unit)
    to_grid(painter, place.cell, place.cell, 0.0)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(shapes.pen(QColor(colours.text), 1.3))
    painter.drawEllipse(QPointF(8, 8), 5, 5)
    painter.drawLine(QPointF(8, 8), QPointF(8, 5))
    painter.drawLine(QPointF(8, 8), QPointF(10, 9.2))
    painter.restore()


HEADER_PAINTERS: Final[dict[str, HeaderPainter]] = {
    "classic": classic_header,
    "flat": flat_header,
    "dark": dark_header,
    "rounded": rounded_header,
}
