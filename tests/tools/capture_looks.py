"""Capture the skins of the simulated window in `templates/`, like those of any other program.

    python -m tests.tools.capture_looks FOLDER

A real window is played with real mouse events until every tile state has been on the screen, and
the pictures are cut out of screenshots. The painter itself is not used, so a wrongly drawn tile is
captured as shown.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import tomli_w
from numpy.typing import NDArray
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QImage
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from bot.board import OPENED, Cell
from bot.game import LEVELS, Game
from gui.images import from_qimage, to_qimage
from gui.looks import LOOKS, Look
from gui.simulator import TITLE, WM_CLASS, SimulatorOptions, SimulatorWindow
from gui.simulator.menus import WIN_TITLE
from tests.gui.simulated import board_rect, middle
from vision.skins import STATE_NAMES, STATES

TILE: Final = 32
"""Size of a cell for the captured pictures, in pixels."""

_ROWS: Final = 7
_COLS: Final = 19
CENTERS: Final = [Cell(row, col) for row in (1, 5) for col in (1, 5, 9, 13)]
"""Cells with one mine around the first, up to eight around the last: every hint occurs."""
ZERO: Final = Cell(3, 17)
_MARKED: Final = (Cell(0, 0), Cell(4, 4), Cell(4, 4), Cell(2, 6))
"""A right flag, a question mark, and a wrong flag."""
_MINE: Final = Cell(4, 12)
_LICENCE: Final = """\
The pictures in this folder were captured from the simulated window of minesweeper-bot.

Copyright (C) The minesweeper-bot developers
SPDX-License-Identifier: GPL-3.0-or-later

They are free under the GNU General Public License, version 3 or any later version, like the
program itself: see the file LICENSE of the project.
"""

Picture = NDArray[np.uint8]


def make_skin(look: Look, folder: Path) -> None:
    """Write the skin of a look: `skin.toml`, pictures, licence."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    for name, picture in capture(look).items():
        if not to_qimage(picture).save(str(folder / f"{name}.png")):
            raise OSError(f"{folder / name}.png cannot be written")
    (folder / "LICENSE").write_text(_LICENCE)
    (folder / "skin.toml").write_text(tomli_w.dumps(description(look)))


def description(look: Look) -> dict[str, object]:
    """Return the content of `skin.toml`."""
    x, y = look.face_center
    side = look.face / 16
    return {
        "name": look.name,
        "title": TITLE,
        "window_class": WM_CLASS,
        "program": f"Built-in game of minesweeper-bot, look '{look.name}'",
        "version": "1",
        "author": "The minesweeper-bot developers",
        "licence": "GPL-3.0-or-later",
        "source": "captured from the running program by tests/tools/capture_looks.py",
        "tile": [TILE, TILE],
        "hold": 0.0,
        "animation": 0.2,
        "chord": "middle",
        "counter": "left",
        "levels": {name: [lv.rows, lv.cols, lv.mines] for name, lv in LEVELS.items()},
        "restart": {
            "key": "f2",
            "face": {"anchor": "top", "x": x, "y": y, "width": side, "height": side},
        },
        "dialog": [{"title": WIN_TITLE, "key": "Return"}],
    }


def capture(look: Look) -> Mapping[str, Picture]:
    """Return every tile state by the name of its picture's file, each TILE x TILE pixels."""
    window = SimulatorWindow(SimulatorOptions(look=look.name, scale=TILE / look.cell))
    window.show_game(Game.from_mines(every_hint(), question_marks=True))
    window.show()
    QApplication.processEvents()
    pictures: dict[str, Picture] = {}
    left, right = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton

    def point(cell: Cell) -> QPoint:
        return middle(window, cell)

    for cell in (*CENTERS, ZERO):
        QTest.mouseClick(window.field, left, pos=point(cell))
    for cell in _MARKED:
        QTest.mouseClick(window.field, right, pos=point(cell))
    _collect(window, pictures)
    QTest.mouseMove(window.field, point(Cell(0, 8)))
    hover = _tile(window, Cell(0, 8))
    if not np.array_equal(hover, pictures["covered"]):
        pictures["covered@hover"] = hover
    QTest.mouseClick(window.field, left, pos=point(_MINE))
    _collect(window, pictures)
    window.close()
    missing = set(STATES) - {STATE_NAMES[OPENED]} - pictures.keys()
    if missing:
        raise RuntimeError(f"{look.name}: never on the screen: {', '.join(sorted(missing))}")
    return pictures


def every_hint() -> NDArray[np.bool_]:
    """Return mines (rows, cols) of a board that has every hint."""
    mines = np.zeros((_ROWS, _COLS), dtype=bool)
    for number, center in enumerate(CENTERS, start=1):
        around = [
            (center.row + down, center.col + across)
            for down in (-1, 0, 1)
            for across in (-1, 0, 1)
            if (down, across) != (0, 0)
        ]
        for cell in around[:number]:
            mines[cell] = True
    return mines


def _collect(window: SimulatorWindow, pictures: dict[str, Picture]) -> None:
    """Add new tiles on the screen; the pointer is off the board."""
    QTest.mouseMove(window.field, QPoint(1, 1))
    board = window.game.board
    for cell in board.cells():
        name = STATE_NAMES[board[cell]]
        if name not in pictures:
            pictures[name] = _tile(window, cell)


def _tile(window: SimulatorWindow, cell: Cell) -> Picture:
    """Return the screen's picture of a cell."""
    shot, board = _shot(window), board_rect(window)
    top, left = board.top() + cell.row * TILE, board.left() + cell.col * TILE
    picture = shot[top : top + TILE, left : left + TILE]
    assert picture.shape == (TILE, TILE, 3), "the window does not fit on the screen"
    return picture


def _shot(window: SimulatorWindow) -> Picture:
    QApplication.processEvents()
    screen = window.screen()
    assert screen is not None
    return from_qimage(screen.grabWindow(window.winId()).toImage().convertToFormat(_RGB))


_RGB: Final = QImage.Format.Format_RGB32


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the skins of all looks."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.capture_looks")
    parser.add_argument("folder", type=Path)
    chosen = parser.parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QApplication([WM_CLASS])
    app.setStyle("Fusion")
    for look in LOOKS.values():
        make_skin(look, chosen.folder / look.name)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
