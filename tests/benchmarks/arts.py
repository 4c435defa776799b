r"""Check whether the boards of every tile set of the family are found, at every cell size.

    python -m tests.benchmarks.arts [--sizes 12:65] [--toolkit tk] [ART ...]

Each tile set of `tests.support.family.art` is shown at each size of a cell, in a window on a light
and on a dark ground, at four moments of a game: covered, after the first opening, half played, and
lost. Tk draws with sharp edges, Qt with smooth ones. A board is found if `survey_screen` reports it
with its rows and columns, each of its sides to the pixel. Anything else that it reports is wrong.
"""

from __future__ import annotations

import argparse
import io
import json
import tkinter as tk
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtGui import QColor, QImage, QPainter
from rich.table import Table

from bot.frame import Grid
from gui.images import from_qimage
from gui.private_screen import PrivateScreen
from tests.support.clients import PictureWindow
from tests.support.family import qt
from tests.support.family import tk as family_tk
from tests.support.family.art import ARTS
from tests.support.family.options import Options
from tests.support.family.play import Play
from tests.support.glyphs import application
from tests.tools.report.console import Console
from vision.desktop import Screen, desktop
from vision.skins import Skin, SkinLibrary
from vision.tracking.targets import survey_screen

MOMENTS: Final = ("covered", "opened", "half", "lost")
SIZES: Final = range(12, 65)
SIDE: Final = 640
"""Side of the window, in pixels: a board of 9 x 9 with cells of 64, and its surroundings."""
TITLE: Final = "Minefield"


class _Window:
    """A window that is never shown; its shapes are used instead."""

    def repaint(self) -> None:
        """See `Shell`."""

    def after(self, milliseconds: int, call: Callable[[], None]) -> None:
        """See `Shell`."""

    def show_dialog(self, text: str, button: str, closed: Callable[[], None]) -> None:
        """See `Shell`."""


def played(options: Options, moment: str, seed: int = 1) -> Play:
    """Return a program of the family at a moment of a game."""
    reports = io.StringIO()
    with redirect_stdout(reports):
        play = Play(options, _Window(), seed)
        play.begin()
        rows, cols, _ = options.size
        if moment != "covered":
            _click(play, rows // 2, cols // 2)
        events = [json.loads(line) for line in reports.getvalue().splitlines()]
        mines = next((one["cells"] for one in events if one["event"] == "mines"), [])
        if moment in {"half", "lost"}:
            for row, col in mines[::2]:
                _click(play, row, col, "right")
            for row in range(rows // 2 + 1):
                for col in range(cols):
                    if [row, col] not in mines:
                        _click(play, row, col)
        if moment == "lost":
            _click(play, *mines[1])
    return play


def _click(play: Play, row: int, col: int, button: str = "left") -> None:
    side = play.options.cell
    at = play.board.left + (col + 0.5) * side, play.board.top + (row + 0.5) * side
    play.press(button, *at, 0)
    play.release(button, *at, 100)


def painted(play: Play, scale: float) -> NDArray[np.uint8]:
    """Return a window of `SIDE` points as Qt paints it, (H, W, 3) BGR."""
    image = QImage(round(SIDE * scale), round(SIDE * scale), QImage.Format.Format_RGB32)
    image.fill(QColor(play.ground))
    painter = QPainter(image)
    painter.scale(scale, scale)
    qt.paint(painter, play.shapes())
    painter.end()
    return from_qimage(image)


@contextmanager
def window(toolkit: str) -> Iterator[Callable[[Play], None]]:
    """Open a window, and yield a function that shows a program in it.

    Args:
        toolkit: 'tk' or 'qt'; the painting is shown as a picture.
    """
    if toolkit == "qt":
        application()
        blank = np.zeros((SIDE, SIDE, 3), np.uint8)
        with PictureWindow(blank, title=TITLE, class_name=TITLE) as shown:
            yield lambda play: shown.show(painted(play, 1.0))
        return
    root = tk.Tk(className=TITLE)
    root.title(TITLE)
    canvas = tk.Canvas(root, width=SIDE, height=SIDE, highlightthickness=0)
    canvas.pack()
    root.wait_visibility()

    def paint(play: Play) -> None:
        canvas.delete("all")
        canvas.configure(background=play.ground)
        family_tk.paint(canvas, play.shapes())
        root.update()
        root.winfo_pointerx()  # Answered when everything is painted.

    yield paint
    root.destroy()


def is_at(grid: Grid, play: Play) -> bool:
    """Return whether a grid is a program's board, to the pixel."""
    (place,) = (window.region for window in desktop().list_windows())
    (rows, cols, _), board = play.options.size, play.board
    sides = (
        grid.left - place.left - board.left,
        grid.top - place.top - board.top,
        grid.left - place.left + grid.cols * grid.pitch_x - board.left - board.width,
        grid.top - place.top + grid.rows * grid.pitch_y - board.top - board.height,
    )
    return (grid.rows, grid.cols) == (rows, cols) and max(map(abs, sides)) <= 1


def verdict(play: Play, screen: Screen, skins: tuple[Skin, ...]) -> str:
    """Return 'found', 'missed', or the wrong report."""
    targets, _ = survey_screen(screen, skins)
    others = [str(one) for one in targets if not is_at(one.grid, play)]
    if others:
        return "; ".join(others)
    return "found" if targets else "missed"


def bench(
    console: Console,
    skins: tuple[Skin, ...],
    toolkits: Sequence[str] = ("tk", "qt"),
    arts: Sequence[str] = tuple(ARTS),
    sizes: Sequence[int] = SIZES,
) -> None:
    """Print the table."""
    table = Table("tiles", "moment", "boards", "found", "wrong", "sizes not found; wrong!")
    table.title = f"Boards of the family's tile sets, cells of {sizes[0]} to {sizes[-1]} pixels"
    told = []
    with PrivateScreen(SIDE + 40, SIDE + 80) as private:
        private.adopt()
        for toolkit in toolkits:
            with desktop().open_screen() as screen, window(toolkit) as show:
                for art in arts:
                    for moment in MOMENTS:
                        seen: Counter[str] = Counter()
                        short = []
                        for cell, dark in product(sizes, (False, True)):
                            options = Options(toolkit, art=art, cell=cell, dark=dark, first="zero")
                            play = played(options, moment)
                            show(play)
                            result = verdict(play, screen, skins)
                            seen[result if result in {"found", "missed"} else "wrong"] += 1
                            page = "d" if dark else ""
                            if result == "missed":
                                short.append(f"{cell}{page}")
                            elif result != "found":
                                short.append(f"{cell}{page}!")
                                told.append(f"{options} {moment}: {result}")
                        table.add_row(
                            f"{toolkit} {art}",
                            moment,
                            str(seen.total()),
                            f"{seen['found'] / seen.total():.0%}",
                            str(seen["wrong"]),
                            " ".join(short),
                        )
    console.print(table)
    for line in told:
        console.print(line)


def main() -> None:
    """Print the table of all tile sets, or of those that are named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", default="12:65", help="of a cell, as in range(): 12:65:4")
    parser.add_argument("--toolkit", choices=("tk", "qt"), help="both without")
    parser.add_argument("arts", nargs="*", metavar="ART", help="tile sets; all without")
    asked = parser.parse_args()
    bench(
        Console(width=150),
        SkinLibrary().skins(),
        (asked.toolkit,) if asked.toolkit else ("tk", "qt"),
        asked.arts or tuple(ARTS),
        range(*map(int, asked.sizes.split(":"))),
    )


if __name__ == "__main__":
    main()
