"""What is told of a window, and of what lies under the pointer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.frame import Point, Region

OWN_CLASS: Final = "minesweeper-bot"
SIMULATOR_CLASS: Final = "minesweeper-bot-simulator"
GAME_WORDS: Final = ("mine", "sweep", "bomb")
"""One of them is in the name of every Minesweeper that we know."""


@dataclass(frozen=True)
class Window:
    """A window on the screen."""

    id: int
    title: str
    class_name: str
    """Second part of WM_CLASS; empty where there is none."""
    region: Region
    """Client area, in points."""
    pid: int | None
    own: bool
    """Belongs to this program, and is no simulated game."""


@dataclass(frozen=True)
class Beneath:
    """The pointer, and a window, at one moment."""

    pointer: Point
    top: int
    """The id of what lies under the pointer: a window's outermost frame; 0 on the desktop."""
    place: Region | None
    """The window's client area; None where it is not shown."""
    button: bool
    """A mouse button is down."""
    modifier: bool
    """Shift, Ctrl, Alt or Super is down."""
