"""What is told of a window, and of what lies under the pointer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.frame import Point, Region

OWN_CLASS: Final = "minesweeper-bot"
SIMULATOR_CLASS: Final = "minesweeper-bot-simulator"
GAME_WORDS: Final = ("mine", "sweep", "bomb")
"""One of them is in the name of every Minesweeper that we know."""

LEAST_CELL: Final = 10
"""Pixels of the smallest cell of a board that is found."""
LEAST_LINES: Final = 4
"""Rows, and columns, of the smallest board."""
SUPPORTED: Final = (
    f"This program plays boards of square cells of {LEAST_CELL} pixels or more, with at least "
    f"{LEAST_LINES} rows and columns: no smaller cells, no hexagons, triangles or text"
)
"""What is said whenever no board is found."""


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
    """Belongs to this program, and is no built-in game."""
    transient_for: int = 0
    """The id of the window that it is a dialog of (WM_TRANSIENT_FOR); 0 if none is named."""
    leader: int = 0
    """WM_CLIENT_LEADER, the same for all windows of one program; 0 if none is named."""

    def same_program(self, other: Window) -> bool:
        """Return whether both windows belong to one program, as far as the program says."""
        by_process = self.pid is not None and self.pid == other.pid
        return by_process or (self.leader != 0 and self.leader == other.leader)


@dataclass(frozen=True)
class Decoration:
    """What of a window's client area is decoration that the program draws itself."""

    own_bars: bool
    """The program draws its title bar or tool bars that do not belong to the game: no window
    manager draws a frame, or the program says that it is a browser."""
    margins: tuple[int, int, int, int]
    """Points at the left, right, top and bottom that are border or shadow (_GTK_FRAME_EXTENTS)."""


class PointerState(NamedTuple):
    """The pointer at one moment."""

    place: Point
    top: int
    """The id of the outermost window under it; 0 on the desktop."""
    button: bool
    """A mouse button is down."""
    modifier: bool
    """Shift, Ctrl, Alt or Super is down."""


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
    before: Point | None = None
    """Where the pointer was just before it was put onto a pixel of the window, if it was."""
