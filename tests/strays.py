"""Every press and every key that the hand sends, looked at in the very moment before it is sent.

    python -m tests.strays ARGUMENTS

is `minesweeper-bot ARGUMENTS` that way. The server is asked where the pointer is and what has
the keyboard, whatever the hand believes: a press has to fall on a cell of the board that is
played or on its face, in a window that is still the one that was read and lies there; a key has
to reach the window that was given the keyboard for it. What does not is written into the file
`strays.txt`, beside how many were looked at.
"""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import bot.mouse
import vision.aiming
import vision.x11.connection
from bot.frame import Grid
from vision import windows
from vision.window import Window

FILE: Final = "strays.txt"
_LOOKED_AT: Final = "looked at "


class Strays:
    """What was looked at, and what was found.

    Args:
        put: Replaces an attribute: `setattr`, or a monkeypatch's.
    """

    def __init__(self, put: Callable[[Any, str, Any], None] = setattr) -> None:
        self.looked_at = 0
        self.found: list[str] = []
        self._grid: Grid | None = None
        self._aimed: Window | None = None
        self._focused: int | None = None
        self._put = put
        self._around(bot.mouse.Hand, "act", lambda _hand, turn: self._plays(turn.reading.grid))
        self._around(vision.aiming.Aim, "at", self._aims)
        self._around(
            vision.x11.connection.Connection,
            "turn_button",
            lambda connection, _number, *, down: self._press(connection) if down else None,
        )
        self._around(windows, "activate", self._focuses)
        self._around(
            bot.mouse.SystemPointer,
            "press",
            # A test's own library sends nothing.
            lambda hand, key: self._type(key) if isinstance(hand._pyautogui, ModuleType) else None,
        )

    def _around(self, owner: Any, name: str, before: Callable[..., None]) -> None:
        real = getattr(owner, name)

        def looked_at(*args: Any, **keywords: Any) -> Any:
            before(*args, **keywords)
            return real(*args, **keywords)

        self._put(owner, name, looked_at)

    def _plays(self, grid: Grid) -> None:
        self._grid = grid

    def _aims(self, aim: Any, _point: object) -> None:
        self._aimed = aim._window()

    def _focuses(self, window: Window) -> None:
        self._focused = window.id

    def _press(self, connection: Any) -> None:
        self.looked_at += 1
        point, grid, window = connection.pointer(), self._grid, self._aimed
        if grid is None or window is None:
            self.found.append(f"a press at {point}, and no game was played")
            return
        if grid.cell_at(point) is None and not (grid.face and grid.face.holds(point)):
            self.found.append(f"a press at {point}, outside of {grid}")
        under = windows.window_at(point)
        if under is None or (under.id, under.region) != (window.id, window.region):
            self.found.append(f"a press at {point} on {under}, meant for {window}")

    def _type(self, key: str) -> None:
        self.looked_at += 1
        focused = windows.focused()
        if focused is None or focused.id != self._focused:
            self.found.append(f"the key {key} for {focused}, meant for {self._focused}")

    def write(self, folder: Path) -> None:
        """Write down what was found."""
        told = "".join(f"{line}\n" for line in self.found)
        with (folder / FILE).open("a") as file:
            file.write(f"{told}{_LOOKED_AT}{self.looked_at}\n")


def found(folder: Path) -> list[str]:
    """What was found by the programs that kept their things below a folder."""
    return [line for line in _lines(folder) if not line.startswith(_LOOKED_AT)]


def looked_at(folder: Path) -> tuple[int, int]:
    """How many events those programs sent, and how many programs told it."""
    told = [line for line in _lines(folder) if line.startswith(_LOOKED_AT)]
    return sum(int(line.removeprefix(_LOOKED_AT)) for line in told), len(told)


def _lines(folder: Path) -> list[str]:
    return [line for file in folder.rglob(FILE) for line in file.read_text().splitlines()]


def main() -> None:
    """Run the program."""
    folder = Path(os.environ["MINESWEEPER_BOT_HOME"])
    folder.mkdir(parents=True, exist_ok=True)
    strays = Strays()
    sys.argv[0] = "minesweeper-bot"
    try:
        runpy.run_module("gui", run_name="__main__")
    finally:
        strays.write(folder)


if __name__ == "__main__":
    main()
