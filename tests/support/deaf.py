"""A simulated window that ignores short clicks, as programs in a browser do.

    python -m tests.support.deaf --level beginner        the options of `minesweeper-bot simulate`

A button released within SHORTEST of its press, by the X server's own time, has no effect.
"""

from __future__ import annotations

import sys
from typing import Final

from PyQt6.QtGui import QMouseEvent

import gui.simulator
from gui.__main__ import main
from gui.simulator.playfield import Gesture, Playfield

SHORTEST: Final = 20
"""Shortest accepted click, in milliseconds."""


class DeafField(Playfield):
    """A field that ignores short clicks."""

    _since = 0

    def mousePressEvent(self, event: QMouseEvent | None) -> None:  # noqa: D102 - Qt's
        if event is not None:
            self._since = event.timestamp()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent | None) -> None:  # noqa: D102 - Qt's
        if event is not None and event.timestamp() - self._since < SHORTEST:
            self._begin(Gesture.SPENT)
        super().mouseReleaseEvent(event)


if __name__ == "__main__":
    gui.simulator.Playfield = DeafField  # type: ignore[misc]
    sys.argv[1:1] = ["simulate"]
    main()
