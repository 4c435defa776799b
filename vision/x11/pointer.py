"""The mouse by XTEST, on the connection of the thread that plays.

What is asked on a connection after an event was sent is answered after the server has carried
it out: one exchange tells whether the pointer is where it was put and what lies under it, just
before the press, and another one just before the release. A click with the first of them takes
0.08 ms, one with both half as much again; pyautogui's takes 1.6 ms, and nothing is looked at (on
Xvfb, on the machine this was written on).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final

from bot.frame import Point
from bot.mouse import MouseError, SystemPointer
from vision.x11.connection import Connection, ask, connected, forget, lost

_NUMBERS: Final = {"left": 1, "middle": 2, "right": 3}


class XPointer:
    """The real mouse and keyboard of an X server.

    Raises:
        MouseError: There is no display to open, or it lets nobody move its mouse.
    """

    def __init__(self) -> None:
        found = connected()
        if found is None or not found.display.has_extension("XTEST"):
            raise MouseError(
                f"the mouse of display {os.environ.get('DISPLAY') or '(none)'} cannot be moved: "
                "run 'minesweeper-bot doctor'"
            )
        self._keys: SystemPointer | None = None
        mapping = ask(found.button_mapping, list(_NUMBERS.values()))
        # Somebody who is left-handed may have swapped them: what is sent is what is pressed.
        self._buttons = {name: mapping.index(number) + 1 for name, number in _NUMBERS.items()}

    @property
    def position(self) -> Point:
        """Where the pointer is."""
        places: list[Point] = []
        _send(lambda connection: places.append(connection.pointer()))
        return places[0]

    def move(self, point: Point) -> Point:
        """Put the pointer there; return where it was just before."""
        places: list[Point] = []
        x, y = round(point.x), round(point.y)
        _send(lambda connection: places.append(connection.move_pointer(x, y)))
        return places[0]

    def click(
        self,
        point: Point,  # noqa: ARG002 - the pointer is there already
        button: str,
        hold: Callable[[], object] | None,
    ) -> None:
        """Press and release where the pointer is; `hold` is called between the two."""
        number = self._buttons[button]
        _send(lambda connection: connection.turn_button(number, down=True))
        try:
            if hold is not None:
                hold()
        finally:
            _send(lambda connection: connection.turn_button(number, down=False))

    def press(self, key: str) -> None:
        """Type a key, by pyautogui's name for it; several held together as `ctrl+n`."""
        # Loaded for the first key: most games need none.
        self._keys = self._keys or SystemPointer(fail_safe=False)
        self._keys.press(key)


def _send(send: Callable[[Connection], None]) -> None:
    """Send something once: another server must not be sent what was meant for this one.

    Raises:
        MouseError: The display is gone.
    """
    connection = connected()
    try:
        if connection is not None:
            send(connection)
            return
    except Exception as error:
        if not lost(error):
            raise
        forget()
    raise MouseError(
        f"the display {os.environ.get('DISPLAY', '')} is gone: nothing more is clicked"
    )
