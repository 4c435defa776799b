"""Waits for the board of a game that was just started on a private screen."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from bot.loop import Stopped
from gui.private_screen import PrivateScreenError
from vision import SUPPORTED
from vision.desktop import desktop
from vision.finder import BoardNotFound

if TYPE_CHECKING:
    from gui.runner.backend import Desktop
    from gui.runner.protocol import Candidate

_WINDOW_SECONDS: Final = 60.0
"""Wine creates its folders before it opens its first window."""
_BOARD_SECONDS: Final = 20.0
"""Restarted when the windows change, as a splash screen may precede the board."""
_BETWEEN_LOOKS: Final = 0.1


def await_board(
    backend: Desktop,
    name: str,
    ended: Callable[[], str],
    wanted: str | None,
    mines: int | None,
    stop: threading.Event,
) -> Candidate:
    """Return the board of the game on this process's screen when it is visible.

    Args:
        backend: Captures the screen.
        name: The game's name.
        ended: Returns why the game has ended; empty while it runs.
        wanted: A part of its window's title, class or skin, if it has several boards.
        mines: The number of mines, if the user gave it.
        stop: Ends the waiting.

    Raises:
        PrivateScreenError: The game ended, or opened no window.
        BoardNotFound: It has windows, and none of them shows a board.
        Stopped: `stop` was set.
    """
    shown: list[int] = []
    deadline = time.monotonic() + _BOARD_SECONDS
    while True:
        _await_window(name, ended, stop)
        before, shown = shown, [one.id for one in desktop().list_windows()]
        if shown != before:
            deadline = time.monotonic() + _BOARD_SECONDS
        window = shown[0] if len(shown) == 1 else None
        try:
            return backend.candidate(wanted or window, mines, stop)
        except BoardNotFound as error:
            if why := ended():
                raise PrivateScreenError(why) from error
            if time.monotonic() > deadline:
                raise BoardNotFound(_no_board(name)) from error
        if window is not None:
            # Its cells may be too small to be read.
            desktop().maximise(window)


def _no_board(name: str) -> str:
    """Return that a game shows no board, and what to do."""
    titles = ", ".join(f"'{window.title}'" for window in desktop().list_windows())
    return (
        f"'{name}' shows no board on its private screen (its windows: {titles}): where it begins "
        "with a menu, start it with the option that opens a game at once, such as 'gnome-mines "
        "--big'; where it is larger than the screen, give --size. "
        f"{SUPPORTED}"
    )


def _await_window(name: str, ended: Callable[[], str], stop: threading.Event) -> None:
    deadline = time.monotonic() + _WINDOW_SECONDS
    while not desktop().list_windows():
        if why := ended():
            raise PrivateScreenError(why)
        if time.monotonic() > deadline:
            raise PrivateScreenError(
                f"'{name}' opened no window within {_WINDOW_SECONDS:.0f} s: does it need "
                "more than a screen to start? Start it by hand to see"
            )
        if stop.wait(_BETWEEN_LOOKS):
            raise Stopped
