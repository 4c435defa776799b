"""Our own test programs: each is shown, takes a real click where it says, and reports it."""

from __future__ import annotations

from pathlib import Path

import pytest
from Xlib import X
from Xlib.ext import xtest

from gui.private_screen import PrivateScreen
from tests.support.programs import NOWHERE, contacted, start
from tests.support.shown import may_run, windows_shown
from tests.support.xclient import Keyboard, Mice, wait_until


@pytest.mark.parametrize("dialog", ["messagebox", pytest.param("toplevel", marks=pytest.mark.slow)])
def test_tk_program_is_played_to_its_end(
    tmp_path: Path, screen: PrivateScreen, capsys: pytest.CaptureFixture[str], dialog: str
) -> None:
    """Clicks, flags, a mine, the dialog and its key are reported as they happened."""
    if not may_run("tk", capsys):
        return
    with start("tk", screen.environment, tmp_path, dialog=dialog) as game, Mice() as mouse:
        assert windows_shown(screen.environment, game.title) == 1
        mouse.send(*game.cell(4, 4))
        mouse.send_click()
        game.wait_for("click")
        assert len(game.mines) == 10
        assert (4, 4) not in game.mines
        for button in (3, 3, 1):
            mouse.send(*game.cell(*min(game.mines)))
            mouse.send_click(button)
        assert game.wait_for("end")["won"] is False
        assert [event["did"] for event in game.events("click")] == [
            "open",
            "flag",
            "unflag",
            "open",
        ]
        assert game.events("key") == []
        game.wait_for("dialog")
        wait_until(lambda: windows_shown(screen.environment, "Game over", "look"))
        with Keyboard() as keyboard:
            keyboard.press("space" if dialog == "messagebox" else "Return")
        assert game.wait_for("dialog", 2)["shown"] is False
        assert game.wait_for("key")["key"] in {"space", "Return"}
        mouse.send(*game.button)
        mouse.send_click()
        game.wait_for("begin", 2)
        assert game.mines == set()
    assert windows_shown(screen.environment, game.title, "look") == 0


def test_tk_program_takes_the_cell_under_the_pointer(
    tmp_path: Path, screen: PrivateScreen, capsys: pytest.CaptureFixture[str]
) -> None:
    """A click is for another cell when the pointer moves on before the release is handled."""
    if not may_run("tk", capsys):
        return
    with start("tk", screen.environment, tmp_path, release_delay=1000) as game, Mice() as mouse:
        clicked, left = game.cell(0, 0), game.cell(7, 5)
        xtest.fake_input(mouse.display, X.MotionNotify, x=clicked.x, y=clicked.y)
        xtest.fake_input(mouse.display, X.ButtonPress, 1)
        xtest.fake_input(mouse.display, X.ButtonRelease, 1)
        mouse.send(*left)
        click, press = game.wait_for("click"), game.wait_for("press")
    assert press["at"] == [*clicked]
    assert click["cell"] == [7, 5]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scale", "window"), [(1.5, "app"), pytest.param(1.0, "browser", marks=pytest.mark.slow)]
)
def test_html_program_is_clicked(
    tmp_path: Path,
    screen: PrivateScreen,
    capsys: pytest.CaptureFixture[str],
    scale: float,
    window: str,
) -> None:
    """A click, a flag, the face and a scroll arrive in Chromium, and nothing leaves the machine."""
    if not may_run("html", capsys):
        return
    asked = {"above": 150, "window": window, "scale": scale, "seed": 1}
    with start("html", screen.environment, tmp_path, **asked) as game, Mice() as mouse:
        # A window that has just opened may miss what the mouse does.
        while not game.events("mouse"):
            mouse.send(*game.cell(0, 0))
            mouse.send(*game.cell(4, 4))
        for count, button, cell in ((1, 1, (4, 4)), (2, 3, (0, 0))):
            mouse.send(*game.cell(*cell))
            mouse.send_click(button)
            game.wait_for("click", count)
        assert [event["cell"] for event in game.events("click")] == [[4, 4], [0, 0]]
        assert game.events("click")[0]["did"] == "open"
        assert len(game.mines) == 10
        before = game.cell(8, 8)
        mouse.send_click(5)
        game.wait_for("ready", 2)
        wait_until(lambda: game.cell(8, 8).y < before.y)
        mouse.send_click(4)
        wait_until(lambda: game.cell(8, 8) == before)
        mouse.send(*game.button)
        mouse.send_click()
        game.wait_for("begin", 2)
        assert game.mines == set()
        assert game.events("key", "leave", "end") == []
    assert contacted(tmp_path) <= {NOWHERE}
    assert windows_shown(screen.environment, game.title, "look") == 0
