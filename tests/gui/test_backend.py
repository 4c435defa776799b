"""The desktop that is played on: boards that are on their way to the front."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest

from bot.loop import Stopped
from gui.backend import Desktop
from gui.covered import covered
from gui.private_screen import PrivateScreen
from tests.boards import SESSIONS
from tests.xclient import PictureWindow, adopt
from vision import windows
from vision.recording import load_session


class _Painting(threading.Event):
    """The program paints its window while it is waited for."""

    def __init__(self, window: PictureWindow, image: np.ndarray) -> None:
        super().__init__()
        self._window, self._image = window, image

    def wait(self, timeout: float | None = None) -> bool:
        self._window.show(self._image)
        return super().wait(timeout)


class _Covering(threading.Event):
    """The program shows its board while its window has the keyboard, as GNOME Mines does."""

    def __init__(self, window: PictureWindow, image: np.ndarray) -> None:
        super().__init__()
        self._window, self._image = window, image

    def wait(self, timeout: float | None = None) -> bool:
        focused = windows.focused()
        if focused is not None and focused.id == self._window.id:
            self._window.show(self._image)
        return super().wait(timeout)


def test_a_window_that_is_not_painted_yet_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that has just been started: its window comes first, its board a moment later."""
    reading = next(load_session(SESSIONS / "winemine-expert-won").turns()).reading
    image = np.pad(reading.frame.image, ((40, 40), (40, 40), (0, 0)))
    with PrivateScreen() as screen, monkeypatch.context() as patch:
        adopt(screen, patch)
        with PictureWindow(np.zeros_like(image), (60, 60), "WineMine", "winemine.exe") as window:
            found = Desktop().candidate("WineMine", None, _Painting(window, image))
            assert found.key == window.id
            assert (found.rows, found.cols, found.mines) == (16, 30, 99)
        stopped = threading.Event()
        stopped.set()
        with pytest.raises(Stopped):
            Desktop().candidate("WineMine", None, stopped)


def test_a_board_that_its_own_game_covers_stays_in_the_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And is played: its window is given the keyboard first. Another title is another game."""
    reading = next(load_session(SESSIONS / "winemine-expert-won").turns()).reading
    image = np.pad(reading.frame.image, ((40, 40), (40, 40), (0, 0)))
    with PrivateScreen() as screen, monkeypatch.context() as patch:
        adopt(screen, patch)
        with PictureWindow(image, (60, 60), "WineMine", "winemine.exe") as window:
            desktop = Desktop()
            seen = desktop.boards().boards
            window.show(np.full_like(image, 90))
            for _ in range(2):
                (kept,) = desktop.boards().boards
                assert (kept.key, kept.skin) == (window.id, "winemine, covered")
            assert desktop.candidate(window.id, None, _Covering(window, image)).key == window.id
            shown = windows.list_windows()
            assert covered(seen, (), shown)
            assert not covered([replace(seen[0], title="Notes")], (), shown)
            assert not covered(seen, seen, shown)
        assert desktop.boards().boards == ()
