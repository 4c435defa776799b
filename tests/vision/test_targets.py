"""Which of the boards on the screen is meant."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Board
from gui.private_screen import PrivateScreen
from tests.vision.scenes import Image, drawn, put
from tests.xclient import PictureWindow
from vision.capture import Screen
from vision.following.targets import SeveralBoards, choose
from vision.skins import Skin

pytestmark = pytest.mark.usefixtures("qapp")  # the boards are drawn with fonts


def _window_picture(look: str) -> Image:
    picture = drawn(Board.covered(9, 9, 10), look, 24.0)
    image = np.full((picture.shape[0] + 90, picture.shape[1] + 40, 3), 192, np.uint8)
    put(image, picture, 20, 70)
    return image


def test_windows_that_are_named_are_looked_into_alone(
    display: PrivateScreen, skins: tuple[Skin, ...]
) -> None:
    """A title comes before a skin's name; a title without a board leaves the whole screen."""
    assert display.region.width > 0
    with (
        Screen() as screen,
        PictureWindow(_window_picture("classic"), (30, 40), "A dark tower") as titled,
        PictureWindow(_window_picture("dark"), (500, 40), "Other"),
        PictureWindow(np.full((90, 200, 3), 250, np.uint8), (40, 500), "classic music"),
    ):
        meant = choose(screen, skins, "dark")
        assert meant.window is not None
        assert meant.window.id == titled.id
        assert meant.skin.name == "classic"
        assert choose(screen, skins, "classic").window == meant.window
        with pytest.raises(SeveralBoards):
            choose(screen, skins, None)
