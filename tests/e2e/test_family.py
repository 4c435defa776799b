"""The family of test programs: each toolkit's is shown, takes clicks, and reports the truth."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from Xlib import X
from Xlib.ext import xtest

from gui.private_screen import PrivateScreen
from tests.support.family.options import Options
from tests.support.family.start import start
from tests.support.family.web import Page
from tests.support.programs import Running
from tests.support.shown import require
from tests.support.xclient import Keyboard, Mice, adopt, wait_until


def click(mouse: Mice, game: Running, row: int, col: int, button: int = 1) -> str:
    """Click on a cell, and return what it did."""
    before = len(game.events("click"))
    for _ in range(3):
        mouse.send(*game.cell(row, col))
        xtest.fake_input(mouse.display, X.ButtonPress, button)
        xtest.fake_input(mouse.display, X.ButtonRelease, button)
        mouse.display.sync()
        # A browser drops clicks until it has drawn its page.
        with suppress(AssertionError):
            wait_until(lambda: len(game.events("click")) > before, 20)
            break
    return str(game.wait_for("click", before + 1)["did"])


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "html art=pips scale=1.5 pixels=smooth scrolled=True button=left end=dialog",
            marks=pytest.mark.slow,
        ),
        "tk art=roman cell=20 button=text counter=ratio place=below",
        "gtk art=colours dark=True end=text",
        "qt art=large scale=1.25 counter=text fade=150 button=below end=dialog",
    ],
)
def test_a_program_is_played(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
) -> None:
    """A game is lost, what the board shows is reported, and the next one is started."""
    options = Options.parse(text)
    require(options.toolkit)
    with PrivateScreen(1280, 960) as screen:
        adopt(screen, monkeypatch)
        with start(options, screen.environment, tmp_path, seed=3) as game, Mice() as mouse:
            assert click(mouse, game, 4, 4) == "open"
            mine, other = sorted(game.mines)[:2]
            assert click(mouse, game, *other, 3) == "flag"
            assert click(mouse, game, *other) == "nothing"
            assert click(mouse, game, *mine) == "open"
            assert game.wait_for("end")["won"] is False
            rows = game.events("board")[-1]["rows"]
            assert rows[mine[0]][mine[1]] == "!"
            assert rows[other[0]][other[1]] == "F"
            assert sum(row.count("*") for row in rows) == len(game.mines) - 2
            if options.end == "dialog":
                game.wait_for("dialog")
                with Keyboard() as keyboard:

                    def closed() -> bool:
                        # The first ones come before it has the focus.
                        keyboard.press("Return")
                        return not game.events("dialog")[-1]["shown"]

                    wait_until(closed)
            mouse.send(*game.button)

            def begun() -> bool:
                # A dialog in a page takes a moment to disappear.
                mouse.send_click()
                return len(game.events("begin")) > 1

            wait_until(begun)
            assert game.mines == set()


def test_a_dialog_that_was_closed_is_not_reported_as_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A page that is closed at once tells where the dialog's button is after it has gone."""
    page, closed = Page(Options.parse("html end=dialog"), seed=3), list[bool]()
    place = {"button": [40, 30]}
    page.show_dialog("You lost", "OK", lambda: closed.append(True))
    page.handle("dialog", place)
    assert '"dialog"' in capsys.readouterr().out
    page.handle("closed", {})
    page.handle("dialog", place)
    assert closed == [True]
    assert '"dialog"' not in capsys.readouterr().out
