"""The shapes that the looks use: digits, flags, mines, faces, seven segments.

Every shape is a path of straight lines and curves on a grid of sixteenths of a cell, from (0, 0) in
the upper left to (16, 16) in the lower right corner. No font and no bitmap is used, so a picture is
the same on every machine.

There are three sets of digits, as in real programs: `BLOCK` is filled polygons, bold and square;
`ROUND` and `ANGULAR` are centre lines to be stroked with a pen, with curves and with cut corners.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import cos, pi, sin
from typing import Final

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QPainterPath, QPen

GRID: Final = 16.0
"""Units of a shape's grid along one side of a cell."""
DIGIT_WIDTH: Final = 6.0
"""Width of a stroked digit's centre lines."""
DIGIT_HEIGHT: Final = 10.0
"""Height of a stroked digit's centre lines."""

Outline = Sequence[tuple[float, float]]

_BLOCK: Final[dict[str, tuple[Outline, ...]]] = {
    "1": (
        ((7, 3), (10, 3), (10, 11), (12, 11), (12, 13), (5, 13), (5, 11), (7, 11), (7, 7),
         (5, 7), (5, 5)),
    ),
    "2": (
        ((5, 3), (11, 3), (12, 4), (12, 7), (11, 8), (7, 11), (12, 11), (12, 13), (4, 13),
         (4, 10.5), (9, 7), (9, 5), (7, 5), (7, 6.5), (4, 6.5), (4, 4)),
    ),
    "3": (
        ((4, 3), (11, 3), (12, 4), (12, 7), (11, 8), (12, 9), (12, 12), (11, 13), (4, 13),
         (4, 11), (9, 11), (9, 9), (6, 9), (6, 7), (9, 7), (9, 5), (4, 5)),
    ),
    "4": (
        ((5, 3), (8, 3), (7, 7), (9, 7), (9, 3), (12, 3), (12, 13), (9, 13), (9, 9), (4, 9),
         (4, 7)),
    ),
    "5": (
        ((4, 3), (12, 3), (12, 5), (7, 5), (7, 7), (11, 7), (12, 8), (12, 12), (11, 13),
         (4, 13), (4, 11), (9, 11), (9, 9), (4, 9)),
    ),
    "6": (
        ((5, 3), (11, 3), (11, 5), (7, 5), (7, 7), (11, 7), (12, 8), (12, 12), (11, 13),
         (5, 13), (4, 12), (4, 4)),
        ((7, 9), (9, 9), (9, 11), (7, 11)),
    ),
    "7": (((4, 3), (12, 3), (12, 6), (9, 13), (6, 13), (9, 6), (9, 5), (4, 5)),),
    "8": (
        ((5, 3), (11, 3), (12, 4), (12, 7), (11, 8), (12, 9), (12, 12), (11, 13), (5, 13),
         (4, 12), (4, 9), (5, 8), (4, 7), (4, 4)),
        ((7, 5), (9, 5), (9, 7), (7, 7)),
        ((7, 9), (9, 9), (9, 11), (7, 11)),
    ),
    "?": (
        ((5, 3), (11, 3), (12, 4), (12, 7), (9.5, 8.5), (9.5, 10), (7, 10), (7, 8), (9, 6.5),
         (9, 5), (7, 5), (7, 6.5), (4, 6.5), (4, 4)),
        ((7, 11), (9.5, 11), (9.5, 13), (7, 13)),
    ),
}  # fmt: skip

_ANGULAR: Final[dict[str, tuple[Outline, ...]]] = {
    "0": (((1.4, 0), (4.6, 0), (6, 1.4), (6, 8.6), (4.6, 10), (1.4, 10), (0, 8.6), (0, 1.4),
           (1.4, 0)),),
    "1": (((1, 2), (3.2, 0), (3.2, 10)), ((1, 10), (5.4, 10))),
    "2": (((0, 1.6), (1.4, 0), (4.6, 0), (6, 1.4), (6, 3.4), (0, 10), (6, 10)),),
    "3": (((0, 0), (6, 0), (2.6, 4.1), (4.6, 4.1), (6, 5.5), (6, 8.6), (4.6, 10), (1.2, 10),
           (0, 8.8)),),
    "4": (((2.4, 0), (0, 6.8), (6, 6.8)), ((4.4, 3.6), (4.4, 10))),
    "5": (((5.8, 0), (0.4, 0), (0.4, 4.3), (4.6, 4.3), (6, 5.7), (6, 8.6), (4.6, 10), (0, 10)),),
    "6": (((5.2, 0), (2.4, 0), (0, 3), (0, 8.6), (1.4, 10), (4.6, 10), (6, 8.6), (6, 5.8),
           (4.6, 4.4), (0, 4.4)),),
    "7": (((0, 0), (6, 0), (6, 1.2), (2.4, 10)),),
    "8": (((1.4, 0), (4.6, 0), (5.6, 1.2), (5.6, 3.4), (4.4, 4.6), (1.6, 4.6), (0.4, 3.4),
           (0.4, 1.2), (1.4, 0)),
          ((1.6, 4.6), (4.4, 4.6), (6, 6), (6, 8.6), (4.6, 10), (1.4, 10), (0, 8.6), (0, 6),
           (1.6, 4.6))),
    "9": (((0.8, 10), (3.6, 10), (6, 7), (6, 1.4), (4.6, 0), (1.4, 0), (0, 1.4), (0, 4.2),
           (1.4, 5.6), (6, 5.6)),),
    "?": (((0, 1.8), (1.4, 0), (4.6, 0), (6, 1.4), (6, 3.2), (3, 5.4), (3, 7.2)),
          ((3, 8.9), (3, 10.3))),
    "-": (((0.8, 5), (5.2, 5)),),
    "/": (((0.6, 10.8), (5.4, -0.8)),),
}  # fmt: skip


@cache
def block_glyph(character: str) -> QPainterPath:
    """Return a bold square digit or question mark, to be filled, positioned on the cell's grid."""
    path = QPainterPath()
    for outline in _BLOCK[character]:
        path.addPath(_polyline(outline, closed=True))
    return path


@cache
def stroked_glyph(character: str, *, angular: bool) -> QPainterPath:
    """Return the centre lines of a digit, `?`, `-` or `/` in DIGIT_WIDTH x DIGIT_HEIGHT at 0, 0."""
    path = QPainterPath()
    if angular or character in "-/":
        for outline in _ANGULAR[character]:
            path.addPath(_polyline(outline))
        return path
    return _round_glyph(character)


def _round_glyph(character: str) -> QPainterPath:
    path = QPainterPath()
    match character:
        case "0":
            path.addEllipse(QRectF(0, 0, 6, 10))
        case "1":
            path = _polyline(((0.8, 2.2), (3.6, 0), (3.6, 10)))
        case "2":
            path.moveTo(0.3, 2.7)
            path.cubicTo(0.3, -0.9, 5.9, -0.9, 5.8, 2.8)
            path.cubicTo(5.7, 5.2, 1.2, 7.2, 0.1, 10)
            path.lineTo(6, 10)
        case "3":
            path.moveTo(0.3, 1.9)
            path.cubicTo(1.1, -0.7, 5.6, -0.6, 5.6, 2.4)
            path.cubicTo(5.6, 4.2, 4.2, 4.8, 2.3, 4.8)
            path.cubicTo(4.5, 4.8, 6, 5.6, 6, 7.4)
            path.cubicTo(6, 10.9, 0.8, 10.9, 0, 8)
        case "4":
            path = _polyline(((4.6, 10), (4.6, 0), (0, 7), (6.2, 7)))
        case "5":
            path = _polyline(((5.4, 0), (1.1, 0), (0.6, 4.5)))
            path.cubicTo(1.7, 3.4, 6, 3, 6, 6.7)
            path.cubicTo(6, 10.9, 0.9, 10.9, 0, 8.3)
        case "6" | "9":
            path.moveTo(4.7, 0)
            path.cubicTo(2.3, 1.6, 0, 4, 0, 7)
            path.addEllipse(QRectF(0, 4, 6, 6))
        case "7":
            path = _polyline(((0, 0), (6, 0), (2.2, 10)))
        case "8":
            path.addEllipse(QRectF(0.4, 0, 5.2, 4.7))
            path.addEllipse(QRectF(0, 4.7, 6, 5.3))
        case "?":
            path.moveTo(0.3, 2.5)
            path.cubicTo(0.3, -0.9, 5.8, -0.9, 5.7, 2.7)
            path.cubicTo(5.6, 4.6, 3, 4.6, 3, 7)
            path.moveTo(3, 9.8)
            path.lineTo(3, 10)
        case _:
            raise ValueError(f"no glyph is drawn for {character!r}")
    if character == "9":
        turned = QPainterPath()
        turned.moveTo(1.3, 10)
        turned.cubicTo(3.7, 8.4, 6, 6, 6, 3)
        turned.addEllipse(QRectF(0, 0, 6, 6))
        return turned
    return path


def _polyline(outline: Outline, *, closed: bool = False) -> QPainterPath:
    path = QPainterPath(QPointF(*outline[0]))
    for point in outline[1:]:
        path.lineTo(*point)
    if closed:
        path.closeSubpath()
    return path


def flag_cloth(*, waving: bool = False) -> QPainterPath:
    """Return the cloth of a flag: a triangle, or two waves."""
    if not waving:
        return _polyline(((9, 3), (3.6, 5.9), (9, 8.8)), closed=True)
    path = QPainterPath(QPointF(5.4, 3.2))
    path.cubicTo(7.4, 2.2, 9, 4.6, 12.2, 3.2)
    path.lineTo(12.2, 8)
    path.cubicTo(9, 9.4, 7.4, 7, 5.4, 8)
    path.closeSubpath()
    return path


def flag_staff(*, waving: bool = False) -> QPainterPath:
    """Return the staff and the foot of a flag."""
    path = QPainterPath()
    if waving:
        path.addRoundedRect(QRectF(4.4, 2.6, 1.2, 10.8), 0.6, 0.6)
        return path
    path.addRect(QRectF(8, 3, 1, 8))
    path.addRect(QRectF(6, 10.6, 5, 1))
    path.addRect(QRectF(4, 11.6, 9, 1.4))
    return path


def mine_body(radius: float = 3.9) -> QPainterPath:
    """Return the round body of a mine."""
    path = QPainterPath()
    path.addEllipse(QPointF(8, 8), radius, radius)
    return path


def mine_spikes(reach: float = 5.8, count: int = 8) -> QPainterPath:
    """Return the spikes of a mine, as lines through its centre."""
    path = QPainterPath()
    for number in range(count // 2):
        angle = number * 2 * pi / count
        # The diagonal spikes are shorter, as on a sea mine seen from above.
        length = reach if number % 2 == 0 else reach * 0.82
        across, down = length * cos(angle), length * sin(angle)
        path.moveTo(8 - across, 8 - down)
        path.lineTo(8 + across, 8 + down)
    return path


def cross(inset: float = 3.0) -> QPainterPath:
    """Return a diagonal cross."""
    far = GRID - inset
    path = _polyline(((inset, inset), (far, far)))
    path.addPath(_polyline(((far, inset), (inset, far))))
    return path


def pen(colour: QColor, width: float, *, round_ends: bool = True) -> QPen:
    """Return a solid pen with round or sharp ends and corners."""
    if round_ends:
        cap, join = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
    else:
        cap, join = Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.MiterJoin
    return QPen(colour, width, Qt.PenStyle.SolidLine, cap, join)


# Segments of a seven-segment digit, a (top) to g (middle), in a box of 11 x 21.
_SEGMENTS: Final[tuple[Outline, ...]] = (
    ((1, 0.5), (10, 0.5), (7.5, 3), (3.5, 3)),
    ((10.5, 1), (10.5, 10), (9.6, 10.2), (8, 8.8), (8, 3.5)),
    ((10.5, 20), (10.5, 11), (9.6, 10.8), (8, 12.2), (8, 17.5)),
    ((1, 20.5), (10, 20.5), (7.5, 18), (3.5, 18)),
    ((0.5, 20), (0.5, 11), (1.4, 10.8), (3, 12.2), (3, 17.5)),
    ((0.5, 1), (0.5, 10), (1.4, 10.2), (3, 8.8), (3, 3.5)),
    ((1.7, 10.5), (3.3, 9.3), (7.7, 9.3), (9.3, 10.5), (7.7, 11.7), (3.3, 11.7)),
)
_LIT: Final = {
    "0": "abcdef", "1": "bc", "2": "abdeg", "3": "abcdg", "4": "bcfg", "5": "acdfg",
    "6": "acdefg", "7": "abc", "8": "abcdefg", "9": "abcdfg", "-": "g", " ": "",
}  # fmt: skip


@cache
def segments(character: str) -> tuple[QPainterPath, QPainterPath]:
    """Return the lit and the dark segments of a digit, `-` or blank, in a box of 11 x 21."""
    lit, dark = QPainterPath(), QPainterPath()
    for name, outline in zip("abcdefg", _SEGMENTS, strict=True):
        (lit if name in _LIT[character] else dark).addPath(_polyline(outline, closed=True))
    return lit, dark
