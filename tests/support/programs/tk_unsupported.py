"""Minesweeper boards that cannot be played, with Tk: nothing on them may be clicked.

`--shape` is 'hexagons', 'triangles', 'text' (characters as in a terminal), 'oblong' (cells of
40 x 16 pixels), 'narrow' (of 16 x 40) or 'small' (of 5 x 5). With `--opened` a part of the board is
open, else all of it is covered. Reports are lines of JSON on the standard output with an "event"
and its "time":

    ready   the board is painted
    press   a mouse button went down: "button", "at": [x, y] on the screen
    key     a key went down: "key" as Tk calls it
"""

from __future__ import annotations

import argparse
import random
import tkinter as tk
from collections.abc import Iterator
from math import cos, pi, sin

from tests.support.rules import report

SHAPES = ("hexagons", "triangles", "text", "oblong", "narrow", "small")
ROWS, COLS = 9, 12
LEFT, TOP = 30, 60
COVERED, OPENED, EDGE, SHINE = "#b8bcc4", "#e8eaee", "#70747c", "#f4f6fa"
INKS = ("", "#2040e0", "#107820", "#d82020", "#181878")
SIZES = {"oblong": (40, 16), "narrow": (16, 40), "small": (5, 5)}


def numbers(*, opened: bool) -> Iterator[tuple[int, int, int | None]]:
    """Yield the row, column and number of each cell; None for a covered one."""
    generator = random.Random(4)
    for row in range(ROWS):
        for col in range(COLS):
            open_ = opened and row + col < (ROWS + COLS) // 2
            yield row, col, generator.choice((0, 0, 1, 1, 2, 3)) if open_ else None


def corners(shape: str, row: int, col: int) -> list[tuple[float, float]]:
    """Return the corners of a cell."""
    if shape == "hexagons":
        radius = 17.0
        x = LEFT + radius * (2 * col + 1 + row % 2) * cos(pi / 6)
        y = TOP + radius * (1 + 1.5 * row)
        return [
            (x + radius * cos(pi / 6 + turn * pi / 3), y + radius * sin(pi / 6 + turn * pi / 3))
            for turn in range(6)
        ]
    if shape == "triangles":
        side, height = 36, 32
        left, top = LEFT + col * side / 2, TOP + row * height
        base, tip = (top + height, top) if col % 2 else (top, top + height)
        return [(left, base), (left + side, base), (left + side / 2, tip)]
    wide, high = SIZES[shape]
    left, top = LEFT + col * wide, TOP + row * high
    return [(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)]


def paint(canvas: tk.Canvas, shape: str, *, opened: bool) -> None:
    """Paint the board."""
    canvas.create_text(LEFT, 24, text="Mines: 18", anchor="w", font=("DejaVu Sans", -15))
    for row, col, number in numbers(opened=opened):
        if shape == "text":
            sign = "#" if number is None else ".123"[number]
            at = LEFT + 18 * col, TOP + 18 * row
            canvas.create_text(*at, text=sign, fill="#d0d0d0", font=("DejaVu Sans Mono", -16))
            continue
        points = corners(shape, row, col)
        ground = COVERED if number is None else OPENED
        canvas.create_polygon(points, fill=ground, outline=EDGE)
        middle = [sum(at) / len(points) for at in zip(*points, strict=True)]
        if number is None and shape != "small":
            inner = [tuple(m + 0.8 * (at - m) for at, m in zip(point, middle, strict=True))
                     for point in points]  # fmt: skip
            canvas.create_polygon(inner, fill=ground, outline=SHINE)
        elif number and shape != "small":
            font = ("DejaVu Sans", -12, "bold")
            canvas.create_text(*middle, text=str(number), fill=INKS[number], font=font)


def main() -> None:
    """Show the board until the window is closed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shape", choices=SHAPES, default="hexagons")
    parser.add_argument("--opened", action="store_true")
    parser.add_argument("--title", default="Minesweeper")
    asked = parser.parse_args()
    window = tk.Tk(className="Unsupported")
    window.title(asked.title)
    window.geometry("+80+60")
    ground = "#101010" if asked.shape == "text" else "#dcdee0"
    canvas = tk.Canvas(window, width=480, height=420, background=ground, highlightthickness=0)
    canvas.pack()
    paint(canvas, asked.shape, opened=asked.opened)
    pressed = "<ButtonPress>"
    window.bind(pressed, lambda one: report("press", button=one.num, at=[one.x_root, one.y_root]))
    window.bind("<KeyPress>", lambda one: report("key", key=one.keysym))
    window.wait_visibility()
    window.update()
    window.winfo_pointerx()  # Answered when everything is painted.
    report("ready")
    window.mainloop()


if __name__ == "__main__":
    main()
