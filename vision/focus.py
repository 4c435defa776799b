"""The keyboard: given to a window before a key is typed, so that no other one gets it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
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


class DialogOpen(RuntimeError):
    """The game has opened a dialog, and it is not to be closed."""

    def __init__(self, title: str) -> None:
        super().__init__(
            f"the game has opened the dialog '{title}', and the settings say not to close it: "
            "close it, then start again"
        )


class StrangeDialog(RuntimeError):
    """The game has opened a window of which nobody told how it is closed."""

    def __init__(self, title: str) -> None:
        super().__init__(
            f"the game has opened the window '{title}', which nobody told how to answer: answer "
            "it, then go on. Nothing was clicked in it"
        )


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
    opened since then is sent Escape, and Return where it stays. A program whose skin was made by
    people opens none but those that the skin tells of: any other one is left to the user.

    Args:
        game: The program's window.
        skin: Says which dialogs there are and which key closes each.
        wait: Waits the given seconds; True when the user stopped.
    """

    def __init__(self, game: Window | None, skin: Skin, wait: Callable[[float], bool]) -> None:
        self._game = game
        self._wait = wait
        self._known = skin.dialog
        self._guesses = skin.learned and not skin.dialog
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
        if self._game is None:
            return None
        if self._guesses:
            return self._answer_strange(self._game)
        for window, key in self._known_ones(self._game):
            if window.id in self._answered:
                continue
            self._answered.add(window.id)
            take_focus(window, self._wait)
            return key
        return None

    def title(self) -> str | None:
        """Of a dialog that is open; None where there is none."""
        if self._game is None:
            return None
        if self._guesses:
            return next((window.title for window in self._strange_ones(self._game)), None)
        return next((window.title for window, _ in self._known_ones(self._game)), None)

    def refuse_strange(self) -> None:
        """Make sure that no window is open that the program opened and nobody told of.

        Raises:
            StrangeDialog: One is.
        """
        if self._game is None or self._guesses:
            return
        known = {window.id for window, _ in self._known_ones(self._game)}
        for window in self._strange_ones(self._game):
            if window.id not in known:
                raise StrangeDialog(window.title or window.class_name)

    def _known_ones(self, game: Window) -> Iterator[tuple[Window, str]]:
        """The dialogs that the skin tells of, and the key that closes each."""
        for window in windows.list_windows():
            key = next((d.key for d in self._known if d.title in window.title), None)
            same = window.class_name == game.class_name or window.pid == (game.pid or -1)
            if key is not None and same and window.id != game.id:
                yield window, key

    def _strange_ones(self, game: Window) -> Iterator[Window]:
        """The windows that the process of the game opened since."""
        for window in windows.list_windows():
            if window.id not in self._before and window.pid is not None and window.pid == game.pid:
                yield window

    def _answer_strange(self, game: Window) -> str | None:
        """The same for a program whose dialogs nobody told."""
        for window in self._strange_ones(game):
            sent, due = self._strange.get(window.id, (0, 0.0))
            if sent == len(_CLOSING) or time.monotonic() < due:
                continue
            self._strange[window.id] = sent + 1, time.monotonic() + _CLOSES
            with suppress(NotInFront):
                take_focus(window, self._wait)
                return _CLOSING[sent]
        return None
