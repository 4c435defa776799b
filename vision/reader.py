"""The reader: finds the board once, then reads what has changed, and knows what it may touch.

A look captures the board and little around it. Where the picture is the same as before,
so is the reading; else the changed cells alone are named. Only then, and only where
something is odd, the window system is asked: has the window moved, been closed, been
resized, does another one lie over it? What cannot be read is UNREAD and stays so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from bot.board import UNREAD, Board, Cell
from bot.frame import Frame, Grid, Point, Reading, Region, Status
from vision import windows
from vision.capture import Screen
from vision.finder import BoardNotFound, survey
from vision.focus import NotInFront, take_focus
from vision.skins import Skin
from vision.targets import SeveralBoards, Target, choose, survey_screen
from vision.tracking import MinesUnknown, Tracker, believable, mines_on, standing
from vision.windows import Window

__all__ = [
    "MinesUnknown",
    "NotInFront",
    "Reader",
    "SeveralBoards",
    "Target",
    "WindowClosed",
    "read_image",
]

_STRANGE: Final = 0.05
"""Part of the tiles that must be unread for the board to be looked for again."""
_ASKED: Final = 32
"""Unread cells of which the window system is asked what lies over them."""


class WindowClosed(BoardNotFound):
    """The game's window is gone."""


def read_image(
    frame: Frame, skins: Iterable[Skin], mines: int | None = None
) -> list[tuple[Reading, Skin]]:
    """Read every board in a picture; no display is needed.

    Args:
        frame: The picture.
        skins: Those that may be there.
        mines: How many mines, where the skin does not know or is wrong.

    Raises:
        BoardNotFound: There are boards, but none that can be used.
        MinesUnknown: A board's number of mines must be given.
    """
    sightings, remarks = survey(frame, skins)
    if remarks and not sightings:
        raise BoardNotFound("; ".join(remarks))
    readings = []
    for sighting in sightings:
        skin, grid = sighting.skin, sighting.grid
        eye = Tracker(grid, skin)
        eye.see(frame)
        board = Board(believable(eye.codes), mines_on(skin, grid, mines))
        readings.append((Reading(frame, grid, board, standing(board, skin), eye.confidence), skin))
    return readings


class Reader:
    """Reads one board on the screen.

    Args:
        screen: Captures; used in this thread alone, as the reader itself.
        skins: Those that may be there.
        window: Which window: its id, or part of its title, class or skin's name.
        mines: How many mines; the skin's levels say so where None.
    """

    def __init__(
        self,
        screen: Screen,
        skins: Iterable[Skin],
        window: str | int | None = None,
        mines: int | None = None,
    ) -> None:
        self._screen = screen
        self._skins = tuple(skins)
        self._wanted = window
        self._mines = mines
        self._window: Window | None = None
        self._eye: Tracker | None = None
        self._status = Status.PLAYING
        self._resized = False
        """The window has another size than when the board was found in it."""

    @property
    def skin(self) -> Skin:
        """The skin of the board; known after the first look."""
        return self._seen().skin

    @property
    def grid(self) -> Grid:
        """Where the board is; known after the first look."""
        return self._seen().grid

    @property
    def window(self) -> Window | None:
        """The board's window; None before the first look and where nobody knows."""
        return self._window

    def candidates(self) -> list[Target]:
        """Every board on the screen that can be played; our own windows are left out."""
        return survey_screen(self._screen, self._skins)[0]

    def look(self) -> Reading:
        """Look at the board once; the first time, find it.

        Raises:
            BoardNotFound: No board, or not the one that was asked for.
            SeveralBoards: More than one.
            MinesUnknown: The number of mines must be given.
            WindowClosed: The window is gone.
            ScreenError: The screen cannot be read.
        """
        if self._eye is None:
            self._adopt(self.choose())
        frame = self._screen.grab(self._seen().grid.view)
        if self._seen().see(frame) or self._resized:
            if self._follow():
                frame = self._screen.grab(self._seen().grid.view)
                self._seen().see(frame)
            self._status = self._judge(frame)
        eye = self._seen()
        board = Board(believable(eye.codes), mines_on(eye.skin, eye.grid, self._mines))
        status = self._status if self._status is Status.BLOCKED else standing(board, eye.skin)
        return Reading(frame, eye.grid, board, status, eye.confidence)

    def choose(self) -> Target:
        """The one board on the screen that is meant.

        Raises:
            BoardNotFound: There is none.
            SeveralBoards: There are more.
        """
        return choose(self._screen, self._skins, self._wanted)

    def guard(self, points: Sequence[Point]) -> None:
        """Make sure that a click at each of these points reaches the game's window.

        Raises:
            NotInFront: The window is gone, has moved, or something else lies there.
        """
        window = self._window
        if window is None:
            return
        place = windows.place_of(window.id)
        if place is None:
            raise NotInFront(f"the window '{window.title}' is gone: nothing was clicked")
        if place != window.region:
            raise NotInFront(f"the window '{window.title}' has moved: nothing was clicked")
        for point, free in zip(points, windows.uncovered(window.id, points), strict=True):
            if not free:
                other = windows.window_at(point)
                what = f"'{other.title or other.class_name or 'a pop-up'}'" if other else "nothing"
                raise NotInFront(
                    f"at ({point.x:.0f}, {point.y:.0f}) lies {what}, not '{window.title}': "
                    "nothing was clicked; bring the game to the front and start again"
                )

    def focus(self, wait: Callable[[float], bool]) -> None:
        """Give the game's window the keyboard, and wait until it has it.

        Raises:
            NotInFront: It does not get it.
            Stopped: The user stopped: `wait`, an event's, returned True.
        """
        if self._window is not None:
            take_focus(self._window, wait)

    def _seen(self) -> Tracker:
        if self._eye is None:
            raise BoardNotFound("no board has been looked at yet")
        return self._eye

    def _adopt(self, target: Target) -> None:
        mines_on(target.skin, target.grid, self._mines)
        self._window = target.window
        self._eye = Tracker(target.grid, target.skin)

    def _follow(self) -> bool:
        """After a change: go where the window went; whether the board has to be read again."""
        window = self._window
        if window is None or not windows.supported():
            return False
        region = windows.place_of(window.id)
        if region is None:
            raise WindowClosed(
                f"the window '{window.title}' was closed or minimised: what was played so far "
                "is kept"
            )
        moved = region != window.region
        if moved:
            self._move(window, region)
        strange = (self._seen().codes == UNREAD).mean() > _STRANGE
        if self._resized or (strange and not moved and not self._covered()):
            return self._find_again(region) or moved
        return moved

    def _move(self, window: Window, region: Region) -> None:
        dx, dy = region.left - window.region.left, region.top - window.region.top
        eye = self._seen()
        self._eye = Tracker(eye.grid.moved(dx, dy), eye.skin, eye.matcher)
        self._resized |= region[2:] != window.region[2:]
        self._window = replace(window, region=region)

    def _find_again(self, region: Region) -> bool:
        """Look for the board in its window, where its place or size may have changed."""
        sightings, _ = survey(self._screen.grab(region), self._skins)
        if len(sightings) != 1:
            return False
        self._resized = False
        found, eye = sightings[0], self._seen()
        if found.grid == eye.grid and found.skin is eye.skin:
            return False
        mines_on(found.skin, found.grid, self._mines)
        self._eye = Tracker(found.grid, found.skin)
        return True

    def _judge(self, frame: Frame) -> Status:
        """BLOCKED where the board is not wholly to be seen, else PLAYING."""
        board = self._seen().grid.region
        whole = frame.region.intersection(board) == board
        seen = whole and not self._resized and not self._covered()
        return Status.PLAYING if seen else Status.BLOCKED

    def _covered(self) -> bool:
        """Whether another window lies over a tile that cannot be read."""
        eye = self._seen()
        rows, cols = np.nonzero(eye.codes == UNREAD)
        if not len(rows) or self._window is None:
            return False
        cells = zip(rows[:_ASKED].tolist(), cols[:_ASKED].tolist(), strict=True)
        points = [eye.grid.center(Cell(row, col)) for row, col in cells]
        return not all(windows.uncovered(self._window.id, points))
