"""The reader: finds the board once, then reads what has changed, and knows what it may touch.

A look captures the board and little around it. Where the picture is the same as before,
so is the reading; else the changed cells alone are named, and the board follows its window
(`vision.following.located`). What cannot be read is UNREAD and stays so, and so are hints that
cannot all be true.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import inf
from typing import Final

from bot.board import UNREAD, Board, Cell
from bot.frame import Frame, Grid, Point, Reading, Status
from bot.rules import Rules
from vision import windows
from vision.capture import Screen
from vision.finder import BoardNotFound
from vision.focus import NotInFront, take_focus
from vision.following.cells import unchanged
from vision.following.covering import refuse_others
from vision.following.located import Located, header_of
from vision.following.parsing import reading_of
from vision.following.targets import Target, choose, window_called
from vision.learning.apprentice import Apprentice, keep
from vision.learning.button import button_above
from vision.learning.learner import Question
from vision.numbers.header import around
from vision.numbers.mines import MinesUnknown
from vision.privacy import cut, without_others
from vision.skins import Face, Restart, Skin, SkinError
from vision.windows import Window

_LOOKALIKE_SECONDS: Final = 3.0
"""After so long with unread tiles the skin may be another one that looks alike. By then the
loop has parked the pointer: a cell under it may look like no other."""


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
        self._board: Located | None = None
        self._anew = False
        """Whether the next look has to find the board again."""
        self._kept = 0
        """Pictures of the skin that were kept last; nothing is written twice."""
        self._last: Reading | None = None
        """Of the picture that was seen last, where nothing but another picture can change it."""
        self._status = Status.PLAYING
        self._unread: Board | None = None
        self._unread_since = inf

    @property
    def skin(self) -> Skin:
        """The skin of the board; known after the first look."""
        return self._seen().eye.skin

    @property
    def grid(self) -> Grid:
        """Where the board is; known after the first look."""
        return self._seen().eye.grid

    @property
    def window(self) -> Window | None:
        """The board's window; None before the first look and where nobody knows."""
        return self._board.window if self._board else None

    @property
    def questions(self) -> tuple[Question, ...]:
        """Kinds of tile on the board that nobody has told yet: only of a skin that is learned."""
        return self._seen().eye.questions

    def answer(self, question: Question, state: int) -> None:
        """Be told what a kind of tile is; it is kept with the skin.

        Raises:
            AnswerRefused: The board cannot be so; nothing is taken of it.
        """
        eye = self._seen().eye
        if isinstance(eye, Apprentice):
            eye.answer(question, state)

    def take_back(self) -> bool:
        """Forget the last answer; whether there was one."""
        eye = self._seen().eye
        self._kept = 0
        return isinstance(eye, Apprentice) and eye.take_back()

    def note_restart(self, key: str | None = None, face: Face | None = None) -> None:
        """Be told what begins the next game, where the skin is being learned."""
        eye = self._board.eye if self._board else None
        if isinstance(eye, Apprentice):
            eye.restart = Restart(key=key, face=face)
            eye.grid = replace(eye.grid, face=face.region(eye.grid) if face else None)
            self._kept = 0

    def note_hold(self, seconds: float) -> None:
        """Be told how long a click has to be held, where the skin is being learned."""
        eye = self._board.eye if self._board else None
        if isinstance(eye, Apprentice):
            eye.hold = seconds
            self._kept = 0

    def button(self) -> Face | None:
        """What looks like the button that begins the next game; None where nothing does."""
        grid = self._seen().eye.grid
        return button_above(self._screen.grab(around(grid, self.window)), grid)

    def look(self) -> Reading:
        """Look at the board once; the first time, find it.

        Raises:
            BoardNotFound: No board, or not the one that was asked for.
            SeveralBoards: More than one.
            MinesUnknown: The number of mines must be given.
            WindowClosed: The window is gone.
            WindowHidden: It is minimised, or off the desktop.
            BoardCut: It has taken a size that is too small for its board.
            ScreenError: The screen cannot be read.
        """
        if self._board is None or self._anew:
            self._board = self._found()
            self._anew = False
        board = self._board
        begin, captured = time.perf_counter(), self._screen.seconds
        frame, changed = board.see()
        if changed:
            self._status, self._last = board.judge(frame), None
        try:
            reading = self._last or reading_of(
                frame, board.eye, board.header, self._status, self._rules, doubt_hints=True
            )
        except MinesUnknown:
            # A counter may be drawn later than the board: the next look begins anew.
            self._anew = not (isinstance(board.eye, Apprentice) and board.eye.pending)
            raise
        if isinstance(board.eye, Apprentice):
            board.eye.mines = reading.board.mines
        elif self._stays_unread(replace(reading, frame=frame)) and board.take_for_stranger():
            return self.look()
        elif not board.header.undecided:
            self._last = reading
        remarks = reading.remarks + self._keep(board)
        capture = self._screen.seconds - captured
        seconds = {"capture": capture, "read": time.perf_counter() - begin - capture}
        frame = _private(replace(reading, frame=frame), board.window)
        return replace(reading, frame=frame, remarks=remarks, seconds=seconds)

    def unchanged(self, cells: Sequence[Cell], since: Reading) -> int:
        """How many of some cells still look as they did at a look: a peek, far from a look.

        Args:
            cells: Those.
            since: That look; the peek is at where the board was then.

        Raises:
            ScreenError: The screen cannot be read.
        """
        return unchanged(cells, since, self._screen.grab) if cells else 0

    def begin_anew(self) -> None:
        """The window is gone: the next look finds the board in another one of its kind."""
        if isinstance(self._wanted, int) and self.window is not None:
            self._wanted = self.window.class_name or self.window.title
        self.strangers = self.skin.learned
        self._anew = True

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
            header = header_of(self._screen, target, self._mines)
            return header.read(header.frame, target.grid, target.skin, target.sighting.tiles).mines
        except MinesUnknown:
            return None

    def guard(self, points: Sequence[Point]) -> None:
        """Make sure that a click at each of these points reaches the game's window.

        Raises:
            NotInFront: The window is gone, has moved, or something else lies there.
        """
        if self.window is None:
            return
        try:
            refuse_others(self.window, points)
        except NotInFront:
            # What is seen may be a picture that was left behind: nobody drew there since.
            self._seen().ask()
            raise

    def focus(self, wait: Callable[[float], bool]) -> None:
        """Give the game's window the keyboard, and wait until it has it.

        Raises:
            NotInFront: It does not get it.
            Stopped: The user stopped: `wait`, an event's, returned True.
        """
        if self.window is not None:
            take_focus(self.window, wait)

    def wake(self, wait: Callable[[float], bool]) -> bool:
        """Give the keyboard to the one window that is meant, where no board was seen so far.

        A game may cover its board while another window has the keyboard.

        Returns:
            Whether there was such a window.

        Raises:
            Stopped: The user stopped: `wait`, an event's, returned True.
        """
        name = self._wanted
        if name is None or self._board is not None:
            return False
        shown = windows.list_windows()
        meant = [one for one in shown if not one.own and window_called(one, name)]
        if len(meant) != 1:
            return False
        with suppress(NotInFront):
            take_focus(meant[0], wait)
        return True

    def _found(self) -> Located:
        target, before = self.choose(), self._board
        if before is not None:
            was, now = before.eye.grid, target.grid
            if (was.rows, was.cols) != (now.rows, now.cols):
                # What the user said of the mines was said of another board.
                self._mines = None
        return Located(self._screen, target, self._skins, self._mines)

    def _seen(self) -> Located:
        if self._board is None:
            raise BoardNotFound("no board has been looked at yet")
        return self._board

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

    def _keep(self, board: Located) -> tuple[str, ...]:
        """Save what was learned of the skin, once there is enough; the remarks on that."""
        eye = board.eye
        if not isinstance(eye, Apprentice) or eye.learned == self._kept:
            return ()
        self._kept = eye.learned
        try:
            folder = keep(eye, board.window, eye.mines)
        except SkinError as error:
            return (f"what was learned of this skin cannot be kept: {error}",)
        return (f"this skin is learned as '{eye.skin.name}': {folder}",) if folder else ()


def _private(reading: Reading, window: Window | None) -> Frame:
    """What of a reading's frame may be shown and kept."""
    frame = cut(reading.frame, window)
    if window is None or reading.status is not Status.BLOCKED or not windows.supported():
        return frame
    shown = [one for one in windows.list_windows() if one.pid is not None]
    dialogs = [one.region for one in shown if one.pid == window.pid and one.id != window.id]
    return without_others(frame, partial(windows.uncovered, window.id), dialogs)
