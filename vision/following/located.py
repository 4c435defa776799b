"""A board that was found on the screen, and follows its window.

Only when the picture has changed the window system is asked: has the window moved, been
closed, been resized, does another one lie over it?
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import Final

from bot.board import UNREAD
from bot.frame import Frame, Grid, Region, Status
from vision import windows
from vision.capture import Screen
from vision.finder import BoardNotFound, Sighting, survey
from vision.finding.strangers import find_strangers, free_name, skin_name
from vision.following.clipped import part_of
from vision.following.covering import in_sight
from vision.following.lasting import Lasting, near
from vision.following.lookalikes import stranger_in
from vision.following.parsing import Follower, follower
from vision.following.targets import Target
from vision.learning.apprentice import Apprentice
from vision.learning.learner import Learner
from vision.numbers.header import Header, around
from vision.skins import Skin
from vision.windows import Window

_STRANGE: Final = 0.05
"""Part of the tiles that must be unread for the board to be looked for again."""
_SEARCH_SECONDS: Final = 0.2
"""Between two searches for a board in a picture that stays as it is."""
_LASTING_SECONDS: Final = 0.5
"""GNOME Mines slides its boards in for 0.3 s."""
_REDRAWN_SECONDS: Final = 5.0
"""In which a window that took another size is drawn anew: until then its board may be seen whole,
as it was."""


class WindowClosed(BoardNotFound):
    """The game's window is gone."""


class WindowHidden(BoardNotFound):
    """The game's window is there, and not to be seen."""


class BoardCut(BoardNotFound):
    """The game's window has taken another size, at which its board is not wholly to be seen."""


class Located:
    """One board on the screen: its window, what stands around it, and who reads it.

    Args:
        screen: Captures.
        target: The board as it was found.
        skins: Those that may be there.
        mines: How many mines, where the user says so.

    Attributes:
        eye: Who reads its tiles.
        header: What stands around it.
        window: Its window; None where nobody knows.
    """

    def __init__(
        self, screen: Screen, target: Target, skins: Sequence[Skin], mines: int | None
    ) -> None:
        self._screen = screen
        self._skins = skins
        self._mines = mines
        self.window = target.window
        self.header = header_of(screen, target, mines)
        self._elsewhere = Lasting(_LASTING_SECONDS)
        self._resized = False
        """The window has another size than when the board was found in it."""
        self._sized = -inf
        """When it took another size."""
        self._away = False
        """The window was not to be seen a moment ago, or not where its board is."""
        self._searched = 0.0
        grid, learner = self.header.placed(target.grid), target.learner
        if learner is not None:
            learner.name = self._free_name()
            if not self._whole(grid):
                # What lies over the board was taken for a part of it.
                learner = Learner(learner.name, learner.tile)
        self.eye: Follower = follower(grid, target.skin, learner, self._whole)
        self._known = self.eye.codes
        """The tiles when the whole board was seen last."""

    def see(self) -> tuple[Frame, bool]:
        """Capture the board and read what has changed.

        Returns:
            The frame; and whether anything may be another than before: where the board is, or
            whether all of it is to be seen, as well.

        Raises:
            WindowClosed: The window is gone.
            WindowHidden: It is minimised, or off the desktop.
            BoardCut: It is too small for its board.
            ScreenError: The screen cannot be read.
        """
        frame = self._screen.grab(self.eye.grid.view)
        another = self.eye.see(frame)
        # A picture that stays may be of the place that the window has left.
        asked = another or self._resized or self._away or UNREAD in self.eye.codes
        if asked and self._follow(another=another):
            frame = self._screen.grab(self.eye.grid.view)
            self.eye.see(frame)
        return frame, asked

    def ask(self) -> None:
        """Let the next look ask the window system, whether or not the picture has changed."""
        self._away = True

    def judge(self, frame: Frame) -> Status:
        """BLOCKED where the board is not wholly to be seen, else PLAYING."""
        board = self.eye.grid.region
        whole = frame.region.intersection(board) == board
        seen = whole and not self._resized and not self._covered()
        if seen and (self.eye.codes == UNREAD).mean() <= _STRANGE:
            self._known = self.eye.codes.copy()
        return Status.PLAYING if seen else Status.BLOCKED

    def take_for_stranger(self) -> bool:
        """Take the board for one of a skin never seen, if it can be."""
        eye = self.eye
        frame = self._screen.grab(around(eye.grid, self.window))
        stranger = stranger_in(frame, eye.grid, eye.codes)
        if stranger is None:
            return False
        skin, window = eye.skin, self.window
        stranger.learner.name = self._free_name()
        # The same program with another font or theme, or another one altogether.
        fits = window is not None and window.class_name == skin.window_class
        placed = self.header.placed(stranger.grid)
        described = skin if fits else None
        self.eye = Apprentice(placed, stranger.learner, described=described, whole=self._whole)
        return True

    def _free_name(self) -> str:
        """What a skin that is learned in this window is called."""
        title = self.window.title if self.window else ""
        return free_name(skin_name(title), self._skins)

    def _follow(self, *, another: bool) -> bool:
        """Go where the window went; whether the board has to be read again.

        Args:
            another: Whether the picture is another one than a moment ago.
        """
        window = self.window
        if window is None or not windows.supported():
            return False
        region = windows.place_of(window.id)
        # A window that is just being minimised may be taken off the desktop first.
        if region is None or (region != window.region and not self._screen.shows(region)):
            self._away = True
            raise _gone(window)
        self._away = False
        moved = region != window.region
        if moved:
            self._move(window, region)
        eye = self.eye
        strange = (eye.codes == UNREAD).mean() > _STRANGE
        strange &= not (isinstance(eye, Apprentice) and eye.pending)
        strange &= another or time.monotonic() - self._searched > _SEARCH_SECONDS
        if self._resized or (strange and not moved and not self._covered()):
            return self._find_again(region) or moved
        return moved

    def _move(self, window: Window, region: Region) -> None:
        dx, dy = region.left - window.region.left, region.top - window.region.top
        self.eye = self.eye.moved(dx, dy)
        if region[2:] != window.region[2:]:
            self._resized, self._sized = True, time.monotonic()
        self.window = replace(window, region=region)
        grid = self.eye.grid
        self.header.find(self._screen.grab(around(grid, self.window)), grid)
        self.eye.grid = self.header.placed(grid)

    def _find_again(self, region: Region) -> bool:
        """Look for the board in its window, where its place or size may have changed."""
        self._searched = time.monotonic()
        frame = self._screen.grab(region)
        eye = self.eye
        apprentice = eye if isinstance(eye, Apprentice) else None
        found, remarks = self._boards_in(frame)
        if self._resized or frame.time - self._sized < _REDRAWN_SECONDS:
            self._refuse_part(found, remarks)
        if len(found) != 1:
            return False
        grid, skin = found[0].grid, found[0].skin
        if not self._resized and not self._lasting(frame, grid, skin):
            return False
        self._resized = False
        # What is learned was cut out of the lattice as it was.
        there = near(grid, eye.grid) if apprentice else grid.region == eye.grid.region
        if there and (apprentice or skin is eye.skin):
            return False
        if (grid.rows, grid.cols) == (eye.grid.rows, eye.grid.cols):
            self.header.find(frame, grid)
        else:
            # What the user said of the mines was said of another board.
            self._mines = None
            self.header = Header(frame, grid, None)
        grid = self.header.placed(grid)
        self.eye = apprentice.at(grid) if apprentice else follower(grid, skin, None, self._whole)
        return True

    def _boards_in(self, frame: Frame) -> tuple[list[Sighting], list[str]]:
        """The boards of the kind that is followed, and remarks on those that cannot be used."""
        if isinstance(self.eye, Apprentice):
            return [one.sighting for one in find_strangers(frame)], []
        return survey(frame, self._skins)

    def _refuse_part(self, found: Sequence[Sighting], remarks: Sequence[str]) -> None:
        """Make sure that the window, which has taken another size, shows all of its board.

        Raises:
            BoardCut: It does not.
        """
        told = "; ".join(remarks) if not found else ""
        if len(found) == 1 and part_of(found[0].tiles, self._known):
            seen, known = found[0].tiles.shape, self._known.shape
            told = (
                f"shows {seen[0]} rows and {seen[1]} columns of the board's {known[0]} and "
                f"{known[1]}"
            )
        if told:
            self._resized = True
            raise BoardCut(f"the game's window has another size now: {told}. Make it larger")

    def _lasting(self, frame: Frame, grid: Grid, skin: Skin) -> bool:
        """Whether a board of another skin or size is there for a while.

        A board that slides in looks like many others on its way.
        """
        eye = self.eye
        other = (skin.name, grid.rows, grid.cols)
        same = other == (eye.skin.name, eye.grid.rows, eye.grid.cols)
        return same or self._elsewhere.holds(other, frame.time)

    def _covered(self) -> bool:
        """Whether another window lies over a tile that cannot be read."""
        return not in_sight(self.window, self.eye.grid, self.eye.codes == UNREAD)

    def _whole(self, grid: Grid) -> bool:
        """Whether no other window lies over any part of a board."""
        return in_sight(self.window, grid)


def _gone(window: Window) -> BoardNotFound:
    if windows.exists(window.id):
        return WindowHidden(
            f"the window '{window.title}' is minimised, or off the desktop: bring it back, then "
            "go on"
        )
    return WindowClosed(
        f"the window '{window.title}' was closed: what was played so far is kept. Open the game "
        "again, then start again"
    )


def header_of(screen: Screen, target: Target, mines: int | None) -> Header:
    """What stands around a board on the screen.

    Args:
        screen: Captures.
        target: The board.
        mines: How many mines, where the user says so.
    """
    frame = screen.grab(around(target.grid, target.window))
    return Header(frame, target.grid, mines)
