"""The reader: finds the board once, then reads what has changed, and knows what it may touch.

A look captures the board and little around it. Where the picture is the same as before,
so is the reading; else the changed cells alone are named. Only then, and only where
something is odd, the window system is asked: has the window moved, been closed, been
resized, does another one lie over it? What cannot be read is UNREAD and stays so, and so are
hints that cannot all be true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import inf
from typing import Final

from bot.board import UNREAD, Board
from bot.frame import Frame, Grid, Point, Reading, Region, Status
from bot.rules import Rules
from vision import windows
from vision.capture import Screen
from vision.finder import BoardNotFound, survey
from vision.finding.strangers import find_strangers, free_name, skin_name
from vision.focus import NotInFront, take_focus
from vision.following.covering import in_sight, refuse_others
from vision.following.lasting import Lasting, near
from vision.following.lookalikes import stranger_in
from vision.following.parsing import Follower, follower, read_image, reading_of
from vision.following.targets import SeveralBoards, Target, choose, survey_screen
from vision.learning.apprentice import Apprentice, keep
from vision.learning.button import button_above
from vision.learning.learner import Learner, Question
from vision.numbers.header import Header, around
from vision.numbers.mines import MinesUnknown
from vision.skins import Face, Restart, Skin, SkinError
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
_LASTING_SECONDS: Final = 0.5
"""GNOME Mines slides its boards in for 0.3 s."""
_LOOKALIKE_SECONDS: Final = 3.0
"""After so long with unread tiles the skin may be another one that looks alike. By then the
loop has parked the pointer: a cell under it may look like no other."""


class WindowClosed(BoardNotFound):
    """The game's window is gone."""


class Reader:
    """Reads one board on the screen.

    Args:
        screen: Captures; used in this thread alone, as the reader itself.
        skins: Those that may be there.
        window: Which window: its id, or part of its title, class or skin's name.
        mines: How many mines; the counter or the skin's levels say so where None.
        rules: Which game it is.

    Attributes:
        strangers: Whether a board of a skin never seen may be taken.
    """

    def __init__(
        self,
        screen: Screen,
        skins: Iterable[Skin],
        window: str | int | None = None,
        mines: int | None = None,
        rules: Rules = Rules.CLASSIC,
    ) -> None:
        self._screen = screen
        self._skins = tuple(skins)
        self._wanted = window
        self.strangers = True
        self._mines = mines
        self._rules = rules
        self._window: Window | None = None
        self._eye: Follower | None = None
        self._header: Header | None = None
        self._kept = 0
        """Pictures of the skin that were kept last; nothing is written twice."""
        self._status = Status.PLAYING
        self._elsewhere = Lasting(_LASTING_SECONDS)
        self._unread: Board | None = None
        self._unread_since = inf
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

    @property
    def questions(self) -> tuple[Question, ...]:
        """Kinds of tile on the board that nobody has told yet: only of a skin that is learned."""
        return self._seen().questions

    def answer(self, question: Question, state: int) -> None:
        """Be told what a kind of tile is; it is kept with the skin.

        Raises:
            AnswerRefused: The board cannot be so; nothing is taken of it.
        """
        eye = self._seen()
        if isinstance(eye, Apprentice):
            eye.answer(question, state)

    def take_back(self) -> bool:
        """Forget the last answer; whether there was one."""
        eye = self._seen()
        self._kept = 0
        return isinstance(eye, Apprentice) and eye.take_back()

    def note_restart(self, key: str | None = None, face: Face | None = None) -> None:
        """Be told what begins the next game, where the skin is being learned."""
        if isinstance(self._eye, Apprentice):
            eye = self._eye
            eye.restart = Restart(key=key, face=face)
            eye.grid = replace(eye.grid, face=face.region(eye.grid) if face else None)
            self._kept = 0

    def button(self) -> Face | None:
        """What looks like the button that begins the next game; None where nothing does."""
        grid = self._seen().grid
        return button_above(self._screen.grab(around(grid, self._window)), grid)

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
        assert self._header is not None  # noqa: S101 - adopted with the eye
        try:
            reading = reading_of(
                frame, self._seen(), self._header, self._status, self._rules, doubt_hints=True
            )
        except MinesUnknown:
            # A counter may be drawn later than the board: the next look begins anew.
            if not (isinstance(self._eye, Apprentice) and self._eye.pending):
                self._eye = None
            raise
        if isinstance(self._eye, Apprentice):
            self._eye.mines = reading.board.mines
        elif self._stays_unread(reading) and self._take_for_stranger():
            return self.look()
        return replace(reading, remarks=reading.remarks + self._keep())

    def choose(self) -> Target:
        """The one board on the screen that is meant.

        Raises:
            BoardNotFound: There is none.
            SeveralBoards: There are more.
        """
        return choose(self._screen, self._skins, self._wanted, strangers=self.strangers)

    def mines_of(self, target: Target) -> int | None:
        """How many mines a board has; None where nobody says so far."""
        try:
            header = self.header(target)
            return header.read(header.frame, target.grid, target.skin, target.sighting.tiles).mines
        except MinesUnknown:
            return None

    def header(self, target: Target) -> Header:
        """What stands around a board on the screen."""
        frame = self._screen.grab(around(target.grid, target.window))
        return Header(frame, target.grid, self._mines)

    def guard(self, points: Sequence[Point]) -> None:
        """Make sure that a click at each of these points reaches the game's window.

        Raises:
            NotInFront: The window is gone, has moved, or something else lies there.
        """
        if self._window is not None:
            refuse_others(self._window, points)

    def focus(self, wait: Callable[[float], bool]) -> None:
        """Give the game's window the keyboard, and wait until it has it.

        Raises:
            NotInFront: It does not get it.
            Stopped: The user stopped: `wait`, an event's, returned True.
        """
        if self._window is not None:
            take_focus(self._window, wait)

    def _seen(self) -> Follower:
        if self._eye is None:
            raise BoardNotFound("no board has been looked at yet")
        return self._eye

    def _adopt(self, target: Target) -> None:
        self._window = target.window
        self._header = self.header(target)
        if target.learner is not None:
            target.learner.name = self._free_name()
        grid, learner = self._header.placed(target.grid), target.learner
        if learner is not None and not self._whole(grid):
            # What lies over the board was taken for a part of it.
            learner = Learner(learner.name, learner.tile)
        self._eye = follower(grid, target.skin, learner, self._whole)

    def _free_name(self) -> str:
        """What a skin that is learned in this window is called."""
        title = self._window.title if self._window else ""
        return free_name(skin_name(title), self._skins)

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
        eye = self._seen()
        strange = (eye.codes == UNREAD).mean() > _STRANGE
        strange &= not (isinstance(eye, Apprentice) and eye.pending)
        if self._resized or (strange and not moved and not self._covered()):
            return self._find_again(region) or moved
        return moved

    def _move(self, window: Window, region: Region) -> None:
        dx, dy = region.left - window.region.left, region.top - window.region.top
        self._eye = self._seen().moved(dx, dy)
        self._resized |= region[2:] != window.region[2:]
        self._window = replace(window, region=region)
        if self._header is not None:
            grid = self._eye.grid
            self._header.find(self._screen.grab(around(grid, self._window)), grid)
            self._eye.grid = self._header.placed(grid)

    def _find_again(self, region: Region) -> bool:
        """Look for the board in its window, where its place or size may have changed."""
        frame = self._screen.grab(region)
        eye = self._seen()
        apprentice = eye if isinstance(eye, Apprentice) else None
        found = find_strangers(frame) if apprentice else survey(frame, self._skins)[0]
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
        if self._header is not None and (grid.rows, grid.cols) == (eye.grid.rows, eye.grid.cols):
            self._header.find(frame, grid)
        else:
            self._header = Header(frame, grid, self._mines)
        grid = self._header.placed(grid)
        self._eye = apprentice.at(grid) if apprentice else follower(grid, skin, None, self._whole)
        return True

    def _lasting(self, frame: Frame, grid: Grid, skin: Skin) -> bool:
        """Whether a board of another skin or size is there for a while.

        A board that slides in looks like many others on its way.
        """
        eye = self._seen()
        other = (skin.name, grid.rows, grid.cols)
        same = other == (eye.skin.name, eye.grid.rows, eye.grid.cols)
        return same or self._elsewhere.holds(other, frame.time)

    def _stays_unread(self, reading: Reading) -> bool:
        """Whether a board has shown the same unread tiles for a while; true once a board."""
        unread = reading.status is Status.PLAYING and UNREAD in reading.board.tiles
        if not unread or reading.board != self._unread:
            self._unread, self._unread_since = reading.board, reading.frame.time
            return False
        waited = reading.frame.time - self._unread_since
        if waited < _LOOKALIKE_SECONDS:
            return False
        self._unread_since = inf
        return True

    def _take_for_stranger(self) -> bool:
        """Take the board for one of a skin never seen, if it can be."""
        eye = self._seen()
        stranger = stranger_in(
            self._screen.grab(around(eye.grid, self._window)), eye.grid, eye.codes
        )
        if stranger is None:
            return False
        skin, window = eye.skin, self._window
        stranger.learner.name = self._free_name()
        # The same program with another font or theme, or another one altogether.
        fits = window is not None and window.class_name == skin.window_class
        placed = self._header.placed(stranger.grid) if self._header else stranger.grid
        described = skin if fits else None
        self._eye = Apprentice(placed, stranger.learner, described=described, whole=self._whole)
        return True

    def _keep(self) -> tuple[str, ...]:
        """Save what was learned of the skin, once there is enough; the remarks on that."""
        eye = self._seen()
        if not isinstance(eye, Apprentice) or eye.learned == self._kept:
            return ()
        self._kept = eye.learned
        try:
            folder = keep(eye, self._window, eye.mines)
        except SkinError as error:
            return (f"what was learned of this skin cannot be kept: {error}",)
        return (f"this skin is learned as '{eye.skin.name}': {folder}",) if folder else ()

    def _judge(self, frame: Frame) -> Status:
        """BLOCKED where the board is not wholly to be seen, else PLAYING."""
        board = self._seen().grid.region
        whole = frame.region.intersection(board) == board
        seen = whole and not self._resized and not self._covered()
        return Status.PLAYING if seen else Status.BLOCKED

    def _covered(self) -> bool:
        """Whether another window lies over a tile that cannot be read."""
        eye = self._seen()
        return not in_sight(self._window, eye.grid, eye.codes == UNREAD)

    def _whole(self, grid: Grid) -> bool:
        """Whether no other window lies over any part of a board."""
        return in_sight(self._window, grid)
