"""Boards of tile sets that no skin knows are found to the pixel, whatever stands around them."""

from __future__ import annotations

import numpy as np
import pytest
from PyQt6.QtGui import QColor, QImage, QPainter

from gui.images import from_qimage
from gui.private_screen import PrivateScreen
from tests.support.clients import PictureWindow
from tests.support.family.options import Options
from tests.support.family.play import Play
from tests.support.family.qt import paint
from vision.desktop import desktop
from vision.skins import Skin
from vision.tracking.targets import survey_screen

pytestmark = pytest.mark.usefixtures("qapp")  # the boards are drawn with fonts

SIDE = 640
"""Side of the window in pixels."""


class NoWindow:
    """A window that is never shown; its shapes are painted instead."""

    def repaint(self, *_: object) -> None:
        """See `Shell`."""

    after = show_dialog = repaint


def played(options: Options, moment: str) -> Play:
    """Return a program of the family, fresh, after its first click, or with half of it opened."""
    play = Play(options, NoWindow(), 1)
    play.begin()
    rows, cols, _ = options.size
    if moment != "covered":
        _click(play, rows // 2, cols // 2)
    if moment == "half":
        mines = play._game.mines
        for row, col in sorted(mines)[::2]:
            _click(play, row, col, "right")
        for cell in np.ndindex(rows // 2 + 1, cols):
            if cell not in mines:
                _click(play, *cell)
    return play


def _click(play: Play, row: int, col: int, button: str = "left") -> None:
    side = play.options.cell
    at = play.board.left + (col + 0.5) * side, play.board.top + (row + 0.5) * side
    play.press(button, *at, 0)
    play.release(button, *at, 100)


@pytest.mark.long
def test_boards_of_unknown_tile_sets_are_found(
    display: PrivateScreen, skins: tuple[Skin, ...]
) -> None:
    """Below a button as large as a cell's face, and in a sunken frame."""
    assert display.region.width > 0
    blank = np.zeros((SIDE, SIDE, 3), np.uint8)
    with desktop().open_screen() as screen, PictureWindow(blank, title="Minefield") as window:
        for text, moment in (
            ("qt art=roman cell=32 first=zero", "covered"),
            ("qt art=large cell=20 dark=True first=zero", "covered"),
            ("qt art=classic cell=16 first=zero", "opened"),
            ("qt art=classic cell=20 first=zero", "half"),
        ):
            play = played(Options.parse(text), moment)
            image = QImage(SIDE, SIDE, QImage.Format.Format_RGB32)
            image.fill(QColor(play.ground))
            painter = QPainter(image)
            paint(painter, play.shapes())
            painter.end()
            window.show(from_qimage(image))
            (target,), _ = survey_screen(screen, skins)
            (place,) = (one.region for one in desktop().list_windows())
            grid, board = target.grid, play.board
            assert (grid.rows, grid.cols) == play.options.size[:2], (text, target)
            assert (
                grid.left - place.left,
                grid.top - place.top,
                grid.cols * grid.pitch_x,
                grid.rows * grid.pitch_y,
            ) == pytest.approx((board.left, board.top, board.width, board.height), abs=1), text
