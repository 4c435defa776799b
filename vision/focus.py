"""The keyboard: given to a window before a key is typed, so that no other one gets it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from bot.loop import Stopped
from vision import windows
from vision.skins import Skin
from vision.windows import Window

_SECONDS: Final = 2.0
_INTERVAL: Final = 0.005


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

    def answer(self) -> str | None:
        """Give the keyboard to a dialog that is open; to each one once.

        Returns:
            The key that closes it; None where no known dialog is open.

        Raises:
            NotInFront: It does not get the keyboard.
        """
        game = self._game
        if game is None or not self._known:
            return None
        for window in windows.list_windows():
            key = next((d.key for d in self._known if d.title in window.title), None)
            same = window.class_name == game.class_name or window.pid == (game.pid or -1)
            if key is None or not same or window.id in self._answered | {game.id}:
                continue
            self._answered.add(window.id)
            take_focus(window, self._wait)
            return key
        return None
