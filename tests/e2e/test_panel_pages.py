"""The pages of the real panel, used with a real mouse and keyboard under a window manager.

One panel, beside one game, serves all tests: each opens its page first.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final, NamedTuple

import pytest

from bot.board import Board
from bot.frame import Region
from gui.panel.marks import CHOSEN
from gui.private_screen import PrivateScreen
from tests.support.driven import Driven, driven
from tests.support.forked import simulated
from tests.support.strays import found
from tests.support.xclient import adopt, wait_until
from vision.desktop import desktop

PINK: Final = (CHOSEN.blue(), CHOSEN.green(), CHOSEN.red())
LIST: Final = "Minesweeper windows"


class Scene(NamedTuple):
    """The panel and the game beside it."""

    panel: Driven
    game: int
    """The game's window."""


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """A first start, beside a game of the built-in window."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch, PrivateScreen(1600, 1000) as screen:
        adopt(screen, patch)
        with (
            simulated(screen, home, "--seed", "3", "--corner") as game,
            driven(screen, home) as panel,
        ):
            yield Scene(panel, game)
    assert found(home) == []


def pink(region: Region) -> int:
    """The number of the pixels of an outline's colour."""
    with desktop().open_screen() as screen:
        return int((screen.grab(region).image == PINK).all(axis=2).sum())


@contextmanager
def outlined(region: Region) -> Iterator[None]:
    """Wait for an outline that appears meanwhile, for a short time."""
    with ThreadPoolExecutor(1) as pool:
        seen = pool.submit(wait_until, lambda: pink(region))
        yield
        seen.result()


def analysed(panel: Driven) -> bool:
    """Return whether a board is shown with its analysis."""
    board = panel.ask("board")
    return board is not None and board["analysed"]


def test_the_first_start_offers_what_to_do(scene: Scene) -> None:
    """The first steps are open; each choice is reached by mouse and by keyboard."""
    panel = scene.panel
    wait_until(lambda: panel.ask("page") == "help")
    # Once it has found the game, the panel has moved beside it, and offers to play it.
    wait_until(lambda: panel.ask("focus") == "Go to the boards on the screen")
    panel.press("Analyse a screenshot")
    panel.wait_for_window("Open a screenshot or positions")
    assert panel.ask("page") == "analyse"
    panel.type("Escape")
    panel.open("play")
    panel.type("F1")
    wait_until(lambda: panel.ask("page") == "help")
    panel.type("Alt_L+b")
    wait_until(lambda: panel.ask("page") == "play")
    wait_until(lambda: len(panel.ask("rows", LIST)) == 2)


def test_a_chosen_board_is_outlined_and_analysed(scene: Scene) -> None:
    """By a click and by the arrow keys; it is followed while the user plays."""
    panel = scene.panel
    panel.open("play")
    wait_until(lambda: analysed(panel))
    screen = Region(0, 0, 1600, 1000)
    place = desktop().place_of(scene.game)
    assert place is not None
    around = Region(0, 0, place.left + place.width + 60, place.top + place.height + 60)
    around = screen.intersection(around) or screen
    texts = set()
    with outlined(around):
        panel.click("row", LIST, 0)
    wait_until(lambda: texts.update(panel.ask("rows", LIST)) or not pink(around))
    with outlined(around):
        panel.type("Down", "Up")
    wait_until(lambda: texts.update(panel.ask("rows", LIST)) or not pink(around))
    # The outline covers no board.
    assert not any("hidden" in text or "another window" in text for text in texts), texts
    covered = str(Board.covered(9, 9, 10))
    # The keys have selected it anew.
    wait_until(lambda: analysed(panel))
    assert panel.ask("board")["text"] == covered
    # A cell in the middle of the game's window.
    panel.mice.warp(place.left + place.width // 2, place.top + place.height * 2 // 3)
    panel.mice.send_click()
    wait_until(lambda: panel.ask("board")["text"] != covered and analysed(panel))


def test_a_closed_window_is_reported(scene: Scene) -> None:
    """The panel says that it was closed, and plays nothing in its place."""
    panel = scene.panel
    panel.open("play")
    panel.mice.ask_to_close(scene.game)
    wait_until(lambda: len(panel.ask("rows", LIST)) == 1)
    panel.press("Play")
    panel.wait_for("Message", "was closed")
