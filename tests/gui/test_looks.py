"""The painter: every tile differs from the others, at every size, sharp on every screen."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PyQt6.QtCore import QRectF
from PyQt6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from bot.board import TILE_CODES
from gui.images import from_qimage
from gui.looks import (
    LOOKS,
    HeaderState,
    Look,
    Mood,
    Touch,
    layout,
    paint_header,
    paint_tile,
)
from tests.tools.capture_looks import capture, description
from vision.skins import BUNDLED, load_skin

LEAST_DIFFERENCE = 5
"""Mean difference of two tiles over all pixels and channels, of 255; 7.4 is the least seen."""

looks = pytest.mark.parametrize("look", LOOKS.values(), ids=lambda look: look.name)


def tile_picture(look: Look, code: int, side: int, touch: Touch = Touch.NONE) -> NDArray[np.uint8]:
    """One tile by itself."""
    image = QImage(side, side, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    paint_tile(painter, code, QRectF(0, 0, side, side), look, touch)
    painter.end()
    return from_qimage(image)


def difference(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """Mean absolute difference of two pictures, 0..255."""
    return float(np.abs(one.astype(np.int16) - other).mean())


def field_picture(look: Look, standing: HeaderState, cell: float = 32) -> NDArray[np.uint8]:
    """A header over a beginner's board."""
    place = layout(look, 9, 9, cell)
    image = QImage(
        round(place.field.width()), round(place.field.height()), QImage.Format.Format_RGB32
    )
    painter = QPainter(image)
    paint_header(painter, look, place, standing)
    painter.end()
    return from_qimage(image)


@looks
@pytest.mark.parametrize("side", [10, 16, 24, 48])
def test_any_two_tiles_differ(look: Look, side: int) -> None:
    """All sixteen codes are drawn, each unlike every other, from tiny to large."""
    pictures = {code: tile_picture(look, code, side) for code in TILE_CODES}
    for one, other in combinations(TILE_CODES, 2):
        assert difference(pictures[one], pictures[other]) > LEAST_DIFFERENCE, (one, other)


@looks
def test_header_shows_every_number_and_face(look: Look) -> None:
    """Each number of the counter and the clock, and each face, changes the picture."""
    standings = [
        *(HeaderState(99, left, 0) for left in (-99, -1, 0, 7, 10, 99)),
        *(HeaderState(99, 10, seconds) for seconds in (1, 59, 999)),
        *(HeaderState(99, 10, 0, mood) for mood in (Mood.TENSE, Mood.WON, Mood.LOST)),
        HeaderState(99, 10, 0, face_down=True),
    ]
    pictures = [field_picture(look, standing) for standing in standings]
    for one, other in combinations(pictures, 2):
        assert (one != other).any()


def test_painting_needs_no_application() -> None:
    """Pictures are exported by commands that have no screen and no fonts."""
    script = (
        "from bot.board import Board\nfrom gui.looks import LOOKS, render_board\n"
        "for look in LOOKS.values():\n"
        "    assert not render_board(Board.parse('12345678/.#F?*!x~', 4), look, 24).isNull()\n"
    )
    root = Path(__file__).parent.parent.parent
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@looks
def test_skins_are_what_the_window_shows(look: Look, qtbot: QtBot) -> None:  # noqa: ARG001 - the application
    """The bundled pictures of a look are captured from the window; Qt may round otherwise."""
    pictures = capture(look)
    folder = BUNDLED / look.name
    assert {path.stem for path in folder.glob("*.png")} == set(pictures)
    for name, picture in pictures.items():
        assert difference(picture, cv2.imread(str(folder / f"{name}.png"))) < 1, name


@looks
def test_skins_describe_the_window(look: Look) -> None:
    """`skin.toml` says what the window does, and the skin can be loaded."""
    with (BUNDLED / look.name / "skin.toml").open("rb") as file:
        assert tomllib.load(file) == description(look)
    assert load_skin(BUNDLED / look.name).name == look.name
