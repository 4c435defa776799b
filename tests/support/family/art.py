"""The tile sets, faces and counters of the family, drawn as lists of shapes.

A shape is a list, so that it can be sent to a web page as JSON:

    ["poly", colour, x, y, x, y, ...]
    ["oval", colour, left, top, width, height]
    ["line", colour, width, x, y, x, y]
    ["text", colour, size, family, bold, x, y, text]     x, y is the text's middle

Colours are '#rrggbb', sizes are in pixels before scaling.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any, Final

Shape = list[Any]

SANS, SERIF = "DejaVu Sans", "DejaVu Serif"
_BLUE_TO_GREY = (
    "#2040e0", "#107820", "#d82020", "#181878", "#781818", "#108080", "#181818", "#787878",
)  # fmt: skip
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII")


@dataclass(frozen=True)
class Art:
    """A tile set."""

    covered: str
    opened: str
    line: str
    """Colour of the lines between cells, or between round cells."""
    shape: str
    """'bevel', 'plain', 'round', or 'seamless': without lines."""
    light: str = ""
    dark: str = ""
    """Colour of the bevel's dark edges."""
    hints: tuple[str, ...] = _BLUE_TO_GREY
    grounds: tuple[str, ...] = ()
    """Colours of an opened cell by its number, from 0; `opened` if empty."""
    roman: bool = False
    """Whether the numbers are roman."""
    size: float = 0.66
    """Height of the signs, in cells."""
    bold: bool = True
    family: str = SANS
    flag: str = "#e02020"
    mine: str = "#101010"
    hit: str = "#f04030"


ARTS: Final = {
    "classic": Art("#c4c6c8", "#bcbec0", "#888a8c", "bevel", "#fafafa", "#7c7e80"),
    "flat": Art("#5b8fc9", "#e9eff6", "#c2cedb", "plain", size=0.6, bold=False, flag="#ffd21e",
                mine="#31424f", hit="#ff8a65"),
    "large": Art("#f0a860", "#fff6e4", "#d8c8a8", "round", size=0.84, flag="#9c1c6c",
                 mine="#503018", hit="#ff6050"),
    "colours": Art(
        "#37474f", "#90a4ae", "#263238", "plain", hints=("#ffffff",) * 8, size=0.62,
        grounds=("#b0bec5", "#1e88e5", "#43a047", "#e53935", "#5e35b1", "#6d4c41", "#00897b",
                 "#212121", "#757575"),
        flag="#ffca28", mine="#000000", hit="#ff1744",
    ),
    "roman": Art("#6f9a5b", "#e6dcc0", "#a89c7c", "bevel", "#9cc086", "#4c7038",
                 hints=("#404040",) * 8, roman=True, size=0.5, family=SERIF, flag="#f8f0d0"),
    "seamless": Art("#56708c", "#ebe7dc", "", "seamless", size=0.6, flag="#ffd21e"),
}  # fmt: skip
"""The tile sets by name."""


def tile(art: Art, sign: str, size: int) -> list[Shape]:
    """Return the shapes of a cell, from its upper left corner.

    Args:
        art: The tile set.
        sign: As in a board's text form: '#', 'F', 'x', '*', '!', '.', '1' to '8'.
        size: Side of the cell.
    """
    if sign in "#Fx":
        shapes = _cover(art, size, art.covered)
        if sign in "Fx":
            shapes += _flag(art, size)
        if sign == "x":
            low, high, wide = size * 0.2, size * 0.8, max(2, size / 10)
            shapes += [["line", "#101010", wide, low, low, high, high],
                       ["line", "#101010", wide, high, low, low, high]]  # fmt: skip
        return shapes
    if sign in "*!":
        return _ground(art, size, art.hit if sign == "!" else art.opened) + _mine(art, size)
    hint = 0 if sign == "." else int(sign)
    shapes = _ground(art, size, art.grounds[hint] if art.grounds else art.opened)
    return shapes + _number(art, size, hint)


def _box(colour: str, left: float, top: float, width: float, height: float) -> Shape:
    right, bottom = left + width, top + height
    return ["poly", colour, left, top, right, top, right, bottom, left, bottom]


def _round(colour: str, left: float, top: float, side: float, radius: float) -> Shape:
    shape: Shape = ["poly", colour]
    for corner, (x, y) in enumerate(((1, 1), (0, 1), (0, 0), (1, 0))):
        for step in range(5):
            turn = (corner + step / 4) * pi / 2
            middle = radius + x * (side - 2 * radius), radius + y * (side - 2 * radius)
            shape += [left + middle[0] + radius * cos(turn), top + middle[1] + radius * sin(turn)]
    return shape


def _cover(art: Art, size: int, colour: str) -> list[Shape]:
    if art.shape == "bevel":
        edge = max(2, size // 9)
        return [
            _box(art.dark, 0, 0, size, size),
            ["poly", art.light, 0, 0, size, 0, size - edge, edge, edge, size - edge, 0, size],
            _box(colour, edge, edge, size - 2 * edge, size - 2 * edge),
        ]
    if art.shape == "round":
        gap = max(1, size // 14)
        return [_box(art.line, 0, 0, size, size),
                _round(colour, gap, gap, size - 2 * gap, size / 5)]  # fmt: skip
    gap = 0 if art.shape == "seamless" else 1
    return [_box(art.line or colour, 0, 0, size, size), _box(colour, 0, 0, size - gap, size - gap)]


def _ground(art: Art, size: int, colour: str) -> list[Shape]:
    if art.shape == "bevel":
        return [_box(art.line, 0, 0, size, size), _box(colour, 1, 1, size - 1, size - 1)]
    return _cover(art, size, colour)


def _number(art: Art, size: int, hint: int) -> list[Shape]:
    if not hint:
        return []
    colour, middle = art.hints[hint - 1], size / 2
    text = _ROMAN[hint - 1] if art.roman else str(hint)
    # The wide ones are drawn smaller.
    height = size * art.size * (1.0 if len(text) < 3 else 0.72)
    return [["text", colour, height, art.family, art.bold, middle, middle, text]]


def _flag(art: Art, size: int) -> list[Shape]:
    s = float(size)
    pole = ["line", "#202020", max(1.5, s / 14), s * 0.4, s * 0.2, s * 0.4, s * 0.8]
    if art.shape == "bevel":
        cloth = ["poly", art.flag, s * 0.42, s * 0.18, s * 0.8, s * 0.34, s * 0.42, s * 0.52]
        return [pole, _box("#202020", s * 0.26, s * 0.74, s * 0.4, s * 0.09), cloth]
    if art.shape == "plain":
        return [pole, _box(art.flag, s * 0.4, s * 0.2, s * 0.38, s * 0.28)]
    return [["poly", art.flag, s * 0.5, s * 0.2, s * 0.8, s * 0.5, s * 0.5, s * 0.8, s * 0.2,
             s * 0.5]]  # fmt: skip


def _mine(art: Art, size: int) -> list[Shape]:
    s, middle = float(size), size / 2
    ball = ["oval", art.mine, s * 0.27, s * 0.27, s * 0.46, s * 0.46]
    if art.shape == "plain":
        return [ball]
    rays = [
        ["line", art.mine, max(1.5, s / 14), middle - x * s, middle - y * s, middle + x * s,
         middle + y * s]
        for x, y in ((0.36, 0.0), (0.0, 0.36), (0.26, 0.26), (0.26, -0.26))
    ]  # fmt: skip
    shine = ["oval", "#ffffff", s * 0.37, s * 0.37, s * 0.12, s * 0.12]
    return [*rays, ball, shine] if art.shape == "bevel" else [*rays, ball]


def face(size: float, mood: str) -> list[Shape]:
    """Return a button with a face; `mood` is 'playing', 'won' or 'lost'."""
    s, edge = size, 2
    shapes = [
        _box("#707274", 0, 0, s, s),
        ["poly", "#f6f6f6", 0, 0, s, 0, s - edge, edge, edge, s - edge, 0, s],
        _box("#c8cacc", edge, edge, s - 2 * edge, s - 2 * edge),
        ["oval", "#302810", s * 0.15, s * 0.15, s * 0.7, s * 0.7],
        ["oval", "#ffd830", s * 0.18, s * 0.18, s * 0.64, s * 0.64],
    ]
    for x in (0.38, 0.58):
        eye = s * (0.1 if mood == "won" else 0.06)
        shapes.append(["oval", "#202020", s * x, s * 0.36, eye, eye])
    bend = {"playing": 0.08, "won": 0.12, "lost": -0.08}[mood]
    for begin, end in ((0.34, 0.5), (0.5, 0.66)):
        low = [s * (0.6 + (bend if at == 0.5 else 0)) for at in (begin, end)]
        shapes.append(["line", "#202020", 1.5, s * begin, low[0], s * end, low[1]])
    return shapes


_SEGMENTS: Final = (
    (2, 1, 10, 1, 8, 3, 4, 3), (11, 2, 11, 10, 9, 9, 9, 4), (11, 12, 11, 20, 9, 18, 9, 13),
    (2, 21, 10, 21, 8, 19, 4, 19), (1, 12, 3, 13, 3, 18, 1, 20), (1, 2, 3, 4, 3, 9, 1, 10),
    (3, 10, 9, 10, 10, 11, 9, 12, 3, 12, 2, 11),
)  # fmt: skip
"""The segments clockwise from the upper one, then the middle one; a digit is 12 x 22."""
_LIT: Final = {
    "0": "012345", "1": "12", "2": "01346", "3": "01236", "4": "1256", "5": "02356", "6": "023456",
    "7": "012", "8": "0123456", "9": "012356", "-": "6",
}  # fmt: skip
_UNLIT: Final = {"#ff3828": "#43120e", "#38e8c0": "#1b352d"}
"""The colours of lit segments, and those of unlit ones."""
LED_SIZE: Final = (42, 26)
"""Width and height of three digits with their frame."""


def led(value: int, lit: str) -> list[Shape]:
    """Return three digits of seven segments, with their frame."""
    text = f"{value:03d}"[:3]
    shapes = [_box("#140808", 0, 0, *LED_SIZE)]
    for place, sign in enumerate(text):
        for number, corners in enumerate(_SEGMENTS):
            colour = lit if str(number) in _LIT[sign] else _UNLIT[lit]
            at = [
                corner + (2 if axis % 2 else 3 + 12 * place) for axis, corner in enumerate(corners)
            ]
            shapes.append(["poly", colour, *at])
    return shapes


def text_button(width: float, height: float, text: str, *, dark: bool) -> list[Shape]:
    """Return a button with a text."""
    edge, ground, ink = (
        ("#707880", "#3a4048", "#f0f0f0") if dark else ("#888c90", "#e4e6e8", "#202020")
    )
    return [
        _box(edge, 0, 0, width, height),
        _box(ground, 1, 1, width - 2, height - 2),
        ["text", ink, 13, SANS, False, width / 2, height / 2, text],
    ]


def moved(shapes: list[Shape], left: float, top: float) -> list[Shape]:
    """Return shapes moved to another position."""
    found = []
    for shape in shapes:
        first = {"poly": 2, "oval": 2, "line": 3, "text": 5}[shape[0]]
        last = {"poly": len(shape), "oval": 4, "line": 7, "text": 7}[shape[0]]
        at = [value + (top if axis % 2 else left) for axis, value in enumerate(shape[first:last])]
        found.append([*shape[:first], *at, *shape[last:]])
    return found
