"""Boards of skins that nobody has: drawn at random, and things that are no boards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from bot.board import EXPLODED, FLAG, MINE, MISFLAG, QUESTION, UNOPENED, Board
from tests.vision.scenes import Image, Random

Colour = tuple[int, int, int]
_FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)
_GLYPHS = {FLAG: "P", QUESTION: "?", MINE: "*", EXPLODED: "*", MISFLAG: "X"}


@dataclass(frozen=True)
class Style:
    """How a skin draws its cells."""

    covered: tuple[Colour, Colour]
    """Fill of even and odd cells."""
    opened: tuple[Colour, Colour]
    glyphs: tuple[Colour, ...]
    line: Colour
    width: int
    """Pixels of line between cells; 0 for none."""
    bevel: int
    """Pixels of light and shadow at a covered cell's sides."""
    font: int
    weight: int
    frame: Colour
    """What lies around the board."""


class Strange(NamedTuple):
    """A picture with one board in it."""

    image: Image
    left: int
    top: int
    cell: float
    board: Board
    style: Style


def random_style(rng: Random) -> Style:
    """Flat or bevelled, checkered or plain, dark or light, with or without lines."""
    dark = bool(rng.random() < 0.4)
    opened = _shade(rng, 20, 60) if dark else _shade(rng, 190, 250)
    covered = _shade(rng, 70, 130) if dark else _shade(rng, 110, 175)
    checkered = bool(rng.random() < 0.35)
    step = int(rng.integers(10, 22))
    width = 0 if checkered else int(rng.integers(1, 4))
    bright = [tuple(int(v) for v in rng.integers(0, 256, 3)) for _ in range(9)]
    glyphs = tuple(_apart(colour, opened) for colour in bright)
    gap = 70 if dark else -70
    frame = tuple(int(np.clip(v + gap, 0, 255)) for v in opened)
    return Style(
        (covered, _moved(covered, step if checkered else 0)),
        (opened, _moved(opened, -step if checkered else 0)),
        glyphs,
        _moved(opened, 25 if dark else -120),
        width,
        int(rng.integers(1, 4)) if not checkered and rng.random() < 0.5 else 0,
        _FONTS[int(rng.integers(len(_FONTS)))],
        int(rng.integers(1, 3)),
        (frame[0], frame[1], frame[2]),
    )


def strange(board: Board, cell: float, style: Style) -> Image:
    """The board in that style, without what lies around it."""
    xs = np.rint(np.arange(board.cols + 1) * cell).astype(int)
    ys = np.rint(np.arange(board.rows + 1) * cell).astype(int)
    image = np.zeros((int(ys[-1]), int(xs[-1]), 3), np.uint8)
    for row in range(board.rows):
        for col in range(board.cols):
            view = image[ys[row] : ys[row + 1], xs[col] : xs[col + 1]]
            _draw(view, int(board.tiles[row, col]), (row + col) % 2, style)
    return image


def _draw(view: Image, code: int, odd: int, style: Style) -> None:
    height, width = view.shape[:2]
    covered = code in UNOPENED
    view[:] = style.line if style.width else 0
    edge = style.width
    face = view[: height - edge, : width - edge] if edge else view
    face[:] = (style.covered if covered else style.opened)[odd]
    if covered and style.bevel:
        fill, deep = style.covered[odd], max(round(style.bevel * height / 24), 1)
        face[:deep], face[:, :deep] = _moved(fill, 50), _moved(fill, 50)
        face[-deep:], face[:, -deep:] = _moved(fill, -50), _moved(fill, -50)
    text = str(code) if code > 0 else _GLYPHS.get(code)
    if text:
        scale = 0.55 * height / 21
        weight = max(round(style.weight * height / 24), 1)
        (across, down), _ = cv2.getTextSize(text, style.font, scale, weight)
        corner = (width - across) // 2, (height + down) // 2
        colour = style.glyphs[max(0, code)]
        cv2.putText(view, text, corner, style.font, scale, colour, weight, cv2.LINE_AA)


def _shade(rng: Random, low: int, high: int) -> Colour:
    grey = int(rng.integers(low, high))
    blue, green, red = (int(np.clip(grey + v, 0, 255)) for v in rng.integers(-20, 21, 3))
    return blue, green, red


def _moved(colour: Colour, by: int) -> Colour:
    blue, green, red = (int(np.clip(value + by, 0, 255)) for value in colour)
    return blue, green, red


def _apart(colour: tuple[int, ...], ground: Colour) -> Colour:
    """The colour, as far away from the ground as a person needs to see it."""
    distance = abs(sum(colour) / 3 - sum(ground) / 3)
    if distance >= 60:
        return colour[0], colour[1], colour[2]
    return _moved(ground, -110 if sum(ground) > 380 else 110)


def puzzle_page(rng: Random, width: int = 1280, height: int = 800) -> Image:
    """Grids of equal squares that are no Minesweeper: chess with pieces, icons, a calendar."""
    image = np.full((height, width, 3), rng.integers(150, 250), np.uint8)
    _chess(image, 40, 40, int(rng.integers(30, 60)), rng)
    _month(image, 620, 40, int(rng.integers(40, 70)), rng)
    _icons(image, 620, 520, int(rng.integers(40, 64)), rng)
    _keyboard(image, 40, 560, int(rng.integers(30, 44)), rng)
    return image


def _text(image: Image, text: str, x: float, y: float, scale: float, rng: Random) -> None:
    colour = tuple(int(v) for v in rng.integers(0, 110, 3))
    cv2.putText(image, text, (int(x), int(y)), _FONTS[0], scale, colour, 1, cv2.LINE_AA)


def _chess(image: Image, x: int, y: int, side: int, rng: Random) -> None:
    order = "RNBQKBNR"
    light, dark = _shade(rng, 200, 240), _shade(rng, 90, 150)
    for row in range(8):
        for col in range(8):
            view = image[y + row * side :, x + col * side :][:side, :side]
            view[:] = light if (row + col) % 2 == 0 else dark
            piece = {0: order[col], 1: "P", 6: "P", 7: order[col]}.get(row)
            if piece and rng.random() < 0.85:
                colour = (250,) * 3 if row > 4 else (10,) * 3
                cv2.putText(
                    view, piece, (side // 4, 3 * side // 4), _FONTS[2], side / 40, colour, 2
                )


def _month(image: Image, x: int, y: int, side: int, rng: Random) -> None:
    first = int(rng.integers(7))
    for week in range(6):
        for day in range(7):
            number = week * 7 + day - first + 1
            corner = x + day * side, y + week * side
            end = corner[0] + side, corner[1] + side
            cv2.rectangle(image, corner, end, (255,) * 3, -1)
            cv2.rectangle(image, corner, end, (200,) * 3)
            if 1 <= number <= 31:
                _text(image, str(number), corner[0] + 4, corner[1] + side / 2, side / 90, rng)


def _icons(image: Image, x: int, y: int, side: int, rng: Random) -> None:
    for row in range(3):
        for col in range(8):
            view = image[y + row * (side + 16) :, x + col * (side + 16) :][:side, :side]
            view[:] = rng.integers(0, 256, 3)
            centre = tuple(int(v) for v in rng.integers(side // 3, 2 * side // 3, 2))
            colour = tuple(int(v) for v in rng.integers(0, 256, 3))
            cv2.circle(view, centre, int(rng.integers(side // 6, side // 3)), colour, -1)


def _keyboard(image: Image, x: int, y: int, side: int, rng: Random) -> None:
    keys = "1234567890QWERTYUIOPASDFGHJKL;ZXCVBNM,./"
    shade = _shade(rng, 200, 250)
    for number, key in enumerate(keys):
        corner = x + number % 10 * side + 2, y + number // 10 * side + 2
        cv2.rectangle(image, corner, (corner[0] + side - 5, corner[1] + side - 5), shade, -1)
        _text(image, key, corner[0] + side / 3, corner[1] + side / 2, side / 60, rng)
