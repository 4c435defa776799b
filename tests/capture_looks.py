"""Makes the skins of the simulated window in `templates/`, as of any other program.

    python -m tests.capture_looks [FOLDER]

A real window is played with real mouse events until every tile state has been on the
screen, and the pictures are cut out of what the screen shows. Nothing is taken from the
painter itself, so a tile drawn wrongly is captured as it is.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np
import tomli_w
from numpy.typing import NDArray
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QImage
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION, Cell
from bot.game import LEVELS, Game
from gui.images import to_array, to_qimage
from gui.looks import LOOKS, Look
from gui.simulator import TITLE, WM_CLASS, SimulatorOptions, SimulatorWindow
from gui.simulator.menus import WIN_TITLE

TILE: Final = 32
"""Pixels of a cell at which the pictures are captured."""
NAMES: Final = {hint: str(hint) for hint in range(9)} | {
    COVERED: "covered",
    FLAG: "flag",
    QUESTION: "question",
    MINE: "mine",
    EXPLODED: "exploded",
    MISFLAG: "misflag",
}

_ROWS: Final = 7
_COLS: Final = 19
_CENTERS: Final = [Cell(row, col) for row in (1, 5) for col in (1, 5, 9, 13)]
"""Around the first lies one mine, around the last eight: every hint is there."""
_ZERO: Final = Cell(3, 17)
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
    """What `skin.toml` says."""
    x, y = look.face_center
    side = look.face / 16
    return {
        "name": look.name,
        "title": TITLE,
        "window_class": WM_CLASS,
        "program": f"Simulated window of minesweeper-bot, look '{look.name}'",
        "version": "1",
        "author": "The minesweeper-bot developers",
        "licence": "GPL-3.0-or-later",
        "source": "captured from the running program by tests/capture_looks.py",
        "tile": [TILE, TILE],
        "scalable": True,
        "hold": 0.0,
        "animation": 0.2,
        "levels": {name: [lv.rows, lv.cols, lv.mines] for name, lv in LEVELS.items()},
        "restart": {
            "key": "f2",
            "face": {"anchor": "top", "x": x, "y": y, "width": side, "height": side},
        },
        "dialog": [{"title": WIN_TITLE, "key": "Return"}],
    }


def capture(look: Look) -> Mapping[str, Picture]:
    """Every tile state by the name of its picture's file, each TILE x TILE pixels."""
    window = SimulatorWindow(SimulatorOptions(look=look.name, scale=TILE / look.cell))
    window.show_game(_game())
    window.show()
    QApplication.processEvents()
    pictures: dict[str, Picture] = {}
    left, right = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton

    def point(cell: Cell) -> QPoint:
        return window.field.center(cell)

    for cell in (*_CENTERS, _ZERO):
        QTest.mouseClick(window.field, left, pos=point(cell))
    flagged, asked, wrong, mine = Cell(0, 0), Cell(4, 4), Cell(2, 6), Cell(4, 12)
    for cell in (flagged, asked, asked, wrong):
        QTest.mouseClick(window.field, right, pos=point(cell))
    _collect(window, pictures)
    QTest.mouseMove(window.field, point(Cell(0, 8)))
    hover = _tile(window, Cell(0, 8))
    if not np.array_equal(hover, pictures["covered"]):
        pictures["covered@hover"] = hover
    QTest.mouseClick(window.field, left, pos=point(mine))
    _collect(window, pictures)
    window.close()
    missing = set(NAMES.values()) - pictures.keys()
    if missing:
        raise RuntimeError(f"{look.name}: never on the screen: {', '.join(sorted(missing))}")
    return pictures


def _game() -> Game:
    """A board that has every hint."""
    mines = np.zeros((_ROWS, _COLS), dtype=bool)
    for number, center in enumerate(_CENTERS, start=1):
        around = [
            (center.row + down, center.col + across)
            for down in (-1, 0, 1)
            for across in (-1, 0, 1)
            if (down, across) != (0, 0)
        ]
        for cell in around[:number]:
            mines[cell] = True
    return Game.from_mines(mines, question_marks=True)


def _collect(window: SimulatorWindow, pictures: dict[str, Picture]) -> None:
    """Add what is on the screen and was not met before; the pointer lies off the board."""
    QTest.mouseMove(window.field, QPoint(1, 1))
    board = window.game.board
    for cell in board.cells():
        name = NAMES[board[cell]]
        if name not in pictures:
            pictures[name] = _tile(window, cell)


def _tile(window: SimulatorWindow, cell: Cell) -> Picture:
    """What the screen shows of a cell."""
    QApplication.processEvents()
    screen = window.screen()
    assert screen is not None
    shot = to_array(screen.grabWindow(window.winId()).toImage().convertToFormat(_RGB))
    board = window.board_rect
    top, left = board.top() + cell.row * TILE, board.left() + cell.col * TILE
    picture = shot[top : top + TILE, left : left + TILE]
    assert picture.shape == (TILE, TILE, 3), "the window does not fit on the screen"
    return picture


_RGB: Final = QImage.Format.Format_RGB32


def main() -> int:
    """Write all four."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QApplication([WM_CLASS])
    app.setStyle("Fusion")
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "templates"
    for look in LOOKS.values():
        make_skin(look, folder / look.name)
        print(folder / look.name)  # noqa: T201 - a developer's script
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
