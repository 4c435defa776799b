"""The dialogs of a program: known ones are answered once; windows of others are left alone."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from gui.private_screen import PrivateScreen
from tests.xclient import PictureWindow, adopt, wait_until
from vision import windows
from vision.focus import Dialogs
from vision.skins import BUNDLED, load_skin

PLAIN = np.full((80, 120, 3), 90, np.uint8)


@pytest.mark.parametrize("learned", [False, True], ids=["known", "learned"])
def test_a_dialog_that_is_known_is_answered_once(
    monkeypatch: pytest.MonkeyPatch, learned: bool
) -> None:
    """It is given the keyboard, and its key is told; a program that has none is not asked."""
    skin = load_skin(BUNDLED / "gnome-mines").model_copy(update={"learned": learned})
    with PrivateScreen() as screen:
        adopt(screen, monkeypatch)
        with PictureWindow(PLAIN, (10, 10), "Game", "Game") as game:
            window = next(one for one in windows.list_windows() if one.id == game.id)
            dialogs = Dialogs(window, skin, threading.Event().wait)
            assert (dialogs.title(), dialogs.answer()) == (None, None)
            with PictureWindow(PLAIN, (300, 90), "Congratulations!", "Game") as box:
                assert dialogs.title() == "Congratulations!"
                dialogs.refuse_strange()
                assert dialogs.answer() == "Escape"
                wait_until(lambda: (seen := windows.focused()) is not None and seen.id == box.id)
                assert dialogs.answer() is None
            with PictureWindow(PLAIN, (300, 90), "Congratulations!", "Another"):
                assert dialogs.title() is None
            assert Dialogs(None, skin, threading.Event().wait).answer() is None
