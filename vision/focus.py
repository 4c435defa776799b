"""The keyboard: given to a window before a key is typed, so that no other one gets it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from bot.loop import Stopped
from vision import windows
from vision.skins import Skin
from vision.windows import Window

_SECONDS: Final = 2.0
_INTERVAL: Final = 0.005
_CLOSING: Final = ("Escape", "Return")
"""What closes a dialog in most programs, the harmless first."""
_CLOSES: Final = 1.0
"""Seconds after which a dialog that is still there did not take the key."""


class NotInFront(RuntimeError):
    """What would get the click or the key is not the game's window."""


def take_focus(window: Window, wait: Callable[[float], bool]) -> None:
    """Give a window the keyboard, and wait until it has it.

    Args:
        window: Which.
        wait: Waits the given seconds; True when the user stopped (an event's `wait`).

    Raises:
        NotInFront: It does not get it.
        Stopped: The user stopped.
    """
    windows.activate(window)
    deadline = time.monotonic() + _SECONDS
    while (focused := windows.focused()) is None or focused.id != window.id:
        if time.monotonic() > deadline:
            raise NotInFront(
                f"the window '{window.title}' does not get the keyboard: click on it once"
            )
        if wait(_INTERVAL):
            raise Stopped


class Dialogs:
    """The dialogs that a program opens by itself, and how they are answered.

    Where nobody told which these are, as of a program never seen, any window that its process
    opened since then is sent Escape, and Return where it stays.

    Args:
        game: The program's window.
        skin: Says which dialogs there are and which key closes each.
        wait: Waits the given seconds; True when the user stopped.
    """

    def __init__(self, game: Window | None, skin: Skin, wait: Callable[[float], bool]) -> None:
        self._game = game
        self._wait = wait
        self._known = skin.dialog
        self._answered: set[int] = set()
        self._before = {window.id for window in windows.list_windows()}
        self._strange: dict[int, tuple[int, float]] = {}
        """Window -> how many keys it was sent, and when the next one may be."""

    def answer(self) -> str | None:
        """Give the keyboard to a dialog that is open; to a known one once.

        Returns:
            The key that closes it; None where no known dialog is open.

        Raises:
            NotInFront: It does not get the keyboard.
        """
        game = self._game
        if game is None:
            return None
        if not self._known:
            return self._answer_strange(game)
        for window in windows.list_windows():
            key = next((d.key for d in self._known if d.title in window.title), None)
            same = window.class_name == game.class_name or window.pid == (game.pid or -1)
            if key is None or not same or window.id in self._answered | {game.id}:
                continue
            self._answered.add(window.id)
            take_focus(window, self._wait)
            return key
        return None

    def _answer_strange(self, game: Window) -> str | None:
        """The same for the windows that the process of the game opened."""
        for window in windows.list_windows():
            if window.id in self._before or game.pid is None or window.pid != game.pid:
                continue
            sent, due = self._strange.get(window.id, (0, 0.0))
            if sent == len(_CLOSING) or time.monotonic() < due:
                continue
            self._strange[window.id] = sent + 1, time.monotonic() + _CLOSES
            with suppress(NotInFront):
                take_focus(window, self._wait)
                return _CLOSING[sent]
        return None
