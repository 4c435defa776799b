"""Screens full of equal boxes that are no Minesweeper: what people have open all day."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from tests.vision.scenes import Image, Random

_FONT = cv2.FONT_HERSHEY_SIMPLEX


def spreadsheet(rng: Random, width: int, height: int) -> Image:
    """Square or oblong cells, most of them empty, some filled, some with numbers."""
    across, down = int(rng.integers(18, 60)), int(rng.integers(16, 30))
    if rng.random() < 0.4:
        across = down
    image = np.full((height, width, 3), 255, np.uint8)
    fills = rng.integers(180, 256, (3, 3))
    for top in range(60, height, down):
        for left in range(40, width, across):
            if rng.random() < 0.1:
                image[top : top + down, left : left + across] = fills[rng.integers(3)]
            if rng.random() < 0.25:
                _write(image, str(rng.integers(1000)), left + 2, top + down - 5, 0.3)
    image[60::down, 40:] = 212
    image[60:, 40::across] = 212
    image[:60], image[:, :40] = 240, 240
    for row, top in enumerate(range(60, height, down)):
        _write(image, str(row + 1), 8, top + down - 5, 0.35)
    return image


def editor(rng: Random, width: int, height: int) -> Image:
    """Lines of a program in a font of one width, dark or light, with line numbers."""
    dark = bool(rng.random() < 0.6)
    image = np.full((height, width, 3), 30 if dark else 250, np.uint8)
    step, high = int(rng.integers(8, 14)), int(rng.integers(14, 24))
    inks = rng.integers(120, 256, (5, 3)) if dark else rng.integers(0, 140, (5, 3))
    letters = "abcdefghijklmnopqrstuvwxyz0123456789()[]{}=+-*_#"
    for row, top in enumerate(range(20, height - high, high)):
        _write(image, str(row + 1), 6, top + high - 5, 0.35, (120, 120, 120))
        left = 50 + 4 * step * int(rng.integers(0, 5))
        for _ in range(int(rng.integers(0, 10))):
            ink = tuple(int(value) for value in inks[rng.integers(5)])
            for letter in rng.choice(list(letters), int(rng.integers(2, 10))):
                _write(image, str(letter), left, top + high - 5, step / 20, ink)
                left += step
            left += step
    return image


def keyboard(rng: Random, width: int, height: int) -> Image:
    """A picture of one: rows of equal keys, set off by part of a key, each with a letter."""
    shade = int(rng.integers(30, 230))
    image = np.full((height, width, 3), rng.integers(20, 240, 3), np.uint8)
    side, gap = int(rng.integers(30, 70)), int(rng.integers(2, 7))
    keys = ["1234567890-=", "QWERTYUIOP[]", "ASDFGHJKL;'", "ZXCVBNM,./"]
    offset = 0 if rng.random() < 0.3 else side // 3
    ink = (20, 20, 20) if shade > 128 else (240, 240, 240)
    for row, line in enumerate(keys):
        for col, key in enumerate(line):
            left, top = 60 + row * offset + col * side, 80 + row * side
            image[top : top + side - gap, left : left + side - gap] = shade
            image[top : top + 2, left : left + side - gap] = min(shade + 25, 255)
            if rng.random() < 0.9:
                _write(image, key, left + side // 4, top + side // 2, side / 70, ink)
    return image


def calendars(rng: Random, width: int, height: int) -> Image:
    """A year of months; in some only a few days are written on."""
    image = np.full((height, width, 3), int(rng.integers(20, 256)), np.uint8)
    side = int(rng.integers(22, 40))
    written = float(rng.choice([1.0, 0.3]))
    for month in range(12):
        x, y = 20 + month % 4 * (8 * side + 10), 20 + month // 4 * (7 * side + 10)
        first = int(rng.integers(7))
        today = int(rng.integers(1, 31))
        for day in range(1, 31):
            at = day + first - 1
            left, top = x + at % 7 * side, y + at // 7 * side
            fill = (90, 160, 240) if day == today else (250, 250, 250)
            cv2.rectangle(image, (left, top), (left + side, top + side), fill, -1)
            cv2.rectangle(image, (left, top), (left + side, top + side), (190, 190, 190))
            if rng.random() < written:
                _write(image, str(day), left + 3, top + side // 2, side / 80)
    return image


def games(rng: Random, width: int, height: int) -> Image:
    """Other games in squares: sudoku, a crossword, draughts, tiles of words."""
    image = np.full((height, width, 3), rng.integers(150, 240, 3), np.uint8)
    side = int(rng.integers(26, 40))
    for row in range(9):
        for col in range(9):
            view = image[30 + row * side :, 30 + col * side :][:side, :side]
            view[:] = 255
            view[:1], view[:, :1] = 120, 120
            if rng.random() < 0.4:
                _write(view, str(rng.integers(1, 10)), side // 3, 2 * side // 3, side / 50)
            view = image[30 + row * side :, 60 + (9 + col) * side :][:side, :side]
            view[:] = 0 if rng.random() < 0.2 else 255
            view[:1], view[:, :1] = 0, 0
    light, dark = rng.integers(180, 250, 3), rng.integers(60, 150, 3)
    for row in range(8):
        for col in range(8):
            view = image[50 + (9 + row) * side :, 30 + col * side :][:side, :side]
            view[:] = dark if (row + col) % 2 else light
            if (row + col) % 2 and row in (0, 1, 2, 5, 6, 7) and side > 10:
                ink = (20, 20, 20) if row < 3 else (240, 240, 240)
                cv2.circle(view, (side // 2, side // 2), side // 3, ink, -1, cv2.LINE_AA)
    for row in range(5):
        for col in range(5):
            view = image[60 + (9 + row) * side :, 60 + (9 + col) * side :][: side - 4, : side - 4]
            view[:] = ((83, 141, 78), (59, 159, 181), (120, 124, 126))[rng.integers(3)]
            letter = chr(65 + int(rng.integers(26)))
            _write(view, letter, side // 4, 2 * side // 3, side / 45, (255, 255, 255))
    return image


def _write(
    image: Image,
    text: str,
    left: int,
    top: int,
    size: float,
    ink: tuple[int, ...] = (30, 30, 30),
) -> None:
    cv2.putText(image, text, (left, top), _FONT, size, ink, 1, cv2.LINE_AA)


CLUTTER: dict[str, Callable[[Random, int, int], Image]] = {
    "spreadsheet": spreadsheet,
    "code editor": editor,
    "keyboard": keyboard,
    "calendars": calendars,
    "other games": games,
}
