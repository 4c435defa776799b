"""Disturb a running game like a user, a window manager or another program.

All disturbances are real: requests like those of other programs, keys like those of a keyboard, a
game's process that is suspended.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from math import inf
from pathlib import Path
from typing import Final, Self

import cv2
import numpy as np

from bot.frame import Region
from tests.support.clients import (
    Client,
    Keyboard,
    PictureWindow,
    client_desktop,
    focus,
    resume,
    suspend,
    wait_until,
)
from vision.desktop.mss_screen import MssScreen

_START: Final = """
import sys
from bot.game import LEVELS, FirstClick
from gui.simulator import SimulatorOptions, run_simulator

level = LEVELS[sys.argv[1]]
told = dict(word.split("=") for word in sys.argv[2:])
kinds = {"first_click": FirstClick, "wave": float, "clock": int, "seed": int}
chosen = {name: kinds.get(name, bool)(value) for name, value in told.items()}
size = {"rows": level.rows, "cols": level.cols, "mines": level.mines}
sys.exit(run_simulator(SimulatorOptions(**size, **chosen), announce=True, corner=True))
"""


class Game:
    """A simulated window in a process of its own.

    Args:
        level: The level.
        options: Options of `SimulatorOptions`, as `name=value`.
    """

    def __init__(self, level: str, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", _START, level, *options], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.window = int(self.process.stdout.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def freeze(self) -> None:
        """Stop the process, as if it hung."""
        suspend(self.process.pid)

    def thaw(self) -> None:
        """Let the process run again."""
        resume(self.process.pid)

    def close(self) -> None:
        """End the process in any state."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


class GnomeGame:
    """GNOME Mines, whose window can be given any size.

    Args:
        home: The home folder.
        level: The level.
    """

    def __init__(self, home: Path, level: str) -> None:
        from tests.support.games import start  # noqa: PLC0415 - not on Windows

        self._resources = ExitStack()
        self._program = start("gnome-mines", level, os.environ, home, {"animations": "true"})

    def __enter__(self) -> Self:
        self._resources.enter_context(self._program)
        wait_until(self._shown)
        self.window = self._shown()[0]
        return self

    def __exit__(self, *_: object) -> None:
        self._resources.close()

    def _shown(self) -> list[int]:
        shown = client_desktop().list_windows()
        return [one.id for one in shown if one.class_name == "Gnome-mines"]


class Monitors:
    """Monitors beside each other, of which only the first is plugged in; simulated for mss.

    Xvfb has one monitor and no hot-plug: its screen is reported as several.

    Args:
        width: Width of each, in points.
        height: Height of each, in points.
    """

    def __init__(self, width: int, height: int) -> None:
        self._size = width, height
        self._plugged = 1
        self._open = MssScreen._open

    def __enter__(self) -> Self:
        reported, opened = self, self._open

        def narrow(screen: MssScreen) -> None:
            opened(screen)
            width, height = reported._size
            plugged = reported._plugged
            screen._monitors = tuple(
                Region(number * width, 0, width, height) for number in range(plugged)
            )
            screen._region = Region(0, 0, plugged * width, height)

        MssScreen._open = narrow  # type: ignore[method-assign]
        return self

    def __exit__(self, *_: object) -> None:
        MssScreen._open = self._open  # type: ignore[method-assign]

    def plug_in(self) -> None:
        """Plug in one more monitor."""
        self._plugged += 1


class Mischief(Client):
    """Disturbances of windows."""

    def __init__(self) -> None:
        super().__init__()
        self.acted = 0.0
        """Time of the last one, by the monotonic clock; infinite while one is done."""

    @contextmanager
    def _acting(self) -> Iterator[None]:
        self.acted = inf
        try:
            yield
        finally:
            self.acted = time.monotonic()

    def region(self, window: int) -> Region:
        """Return a window's region."""
        place = client_desktop().place_of(window)
        assert place is not None
        return place

    def move(self, window: int, left: int, top: int) -> None:
        """Move a window, and wait until it has moved."""
        with self._acting():
            self.configure(window, x=left, y=top)

    def resize(self, window: int, width: int, height: int) -> None:
        """Resize a window, and wait until its size has changed."""
        with self._acting():
            self.configure(window, width=width, height=height)

    def minimise(self, window: int) -> None:
        """Minimise a window."""
        with self._acting():
            super().minimise(window)

    def cover(self, window: int) -> PictureWindow:
        """Open another program's window, which has a button, over the middle of a window."""
        place = self.region(window)
        wide, high = place.width // 2, place.height // 2
        picture = np.full((high, wide, 3), 90, np.uint8)
        left, top = wide // 2 - 50, high // 2 - 14
        for shade, thickness in ((225, cv2.FILLED), (20, 1)):
            cv2.rectangle(picture, (left, top), (left + 100, top + 28), (shade,) * 3, thickness)
        cv2.putText(
            picture, "OK", (left + 36, top + 20), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0,) * 3, 1,
            cv2.LINE_AA,
        )  # fmt: skip
        at = place.left + place.width // 4, place.top + place.height // 4
        with self._acting():
            other = PictureWindow(picture, at, "Letters", "letters")
            # The window stays on top: a click that raises the game must not end this disturbance.
            self.keep_above(other.id)
            # A click in progress may have raised the game.
            wait_until(
                lambda: (
                    other.lift() or all(client_desktop().uncovered(other.id, [other.region.center]))
                )
            )
        return other

    def type(self, window: int, *keys: str) -> None:
        """Give a window the keyboard and press keys, held together."""
        focus(window)
        self.type_on(*keys)

    def type_on(self, *keys: str) -> None:
        """Press keys, held together, for the window that has the keyboard."""
        with self._acting(), Keyboard() as keyboard:
            keyboard.press(*keys)
