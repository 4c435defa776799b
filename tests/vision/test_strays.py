"""The double that looks at what is sent in the tests would see what must not be."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from bot.board import Board, Cell
from bot.frame import Grid, Point, Region
from bot.loop import Turn
from bot.mouse import ClickChecks, Mouse
from bot.planner import Action, Move
from tests.support.boards import reading_of
from tests.support.strays import Strays
from tests.support.xclient import PictureWindow, button_held
from vision.click_guard import ClickGuard, refuse_others
from vision.desktop import desktop
from vision.desktop.x11_desktop import X11Pointer

pytestmark = [pytest.mark.linux, pytest.mark.usefixtures("display")]


@pytest.fixture(autouse=True)
def strays(monkeypatch: pytest.MonkeyPatch) -> Strays:
    """The double; nothing is demanded of it at the end."""
    return Strays(monkeypatch.setattr)


class Astray(X11Pointer):
    """Presses beside the board of the test below."""

    def click(self, point: Point, button: str, hold: Callable[[], object] | None) -> None:
        """Press there."""
        self.move(Point(point.x + 70, point.y))
        super().click(point, button, hold)


@pytest.mark.parametrize("pointer", [X11Pointer, Astray])
def test_clicks_beside_the_board_are_found(strays: Strays, pointer: type[X11Pointer]) -> None:
    """Whatever the hand believes: the server says where the press fell."""
    picture = np.full((200, 300, 3), 120, np.uint8)
    with PictureWindow(picture, (200, 150), "game") as game:
        window = next(one for one in desktop().list_windows() if one.id == game.id)
        grid = Grid(window.region.left + 20, window.region.top + 20, 16, 16, 3, 4)
        reading = replace(reading_of(Board.covered(3, 4, 2)), grid=grid)
        guard = ClickGuard(lambda: window, lambda points: refuse_others(window, points))
        hand = Mouse(
            pointer(),
            ClickChecks(guard.check_batch, button_held, guard.check_press),
            threading.Event(),
            Region(0, 0, 1280, 800),
        )
        hand.act(Turn(0, reading, None, (Move(Action.OPEN, Cell(1, 1)),)))
    assert strays.looked_at == 1
    assert len(strays.found) == 2 * (pointer is Astray)
    assert all("aimed at" in line or "outside of" in line for line in strays.found)
