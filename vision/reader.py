"""The reader: finds the board once, then reads what has changed, and knows what it may touch.

A look captures the board and little around it. Where the picture is the same as before,
so is the reading; else the changed cells alone are named. Only then, and only where
something is odd, the window system is asked: has the window moved, been closed, been
resized, does another one lie over it? What cannot be read is UNREAD and stays so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import EXPLODED, MINE, UNOPENED, UNREAD, Board
from bot.frame import Frame, Grid, Point, Reading, Region, Status
from vision import windows
from vision.capture import Screen
from vision.finder import BoardNotFound, Sighting, survey
from vision.focus import NotInFront, take_focus
from vision.lattice import Ints
from vision.matcher import Matcher, Tiles
from vision.placing import cut_tiles
from vision.skins import Skin
from vision.windows import Window

_STRANGE: Final = 0.05
"""Part of the tiles that must be unread for the board to be looked for again."""
_ASKED: Final = 32
"""Unread cells of which the window system is asked what lies over them."""


class SeveralBoards(RuntimeError):
    """More than one board may be meant; the message lists them and says how to choose."""


class WindowClosed(BoardNotFound):
    """The game's window is gone."""


class MinesUnknown(RuntimeError):
    """Neither the skin's levels nor the user say how many mines a board has."""


@dataclass(frozen=True, eq=False)
class Target:
    """A board on the screen that can be played."""

    sighting: Sighting
    window: Window | None
    """None where the window system cannot be asked."""

    @property
    def grid(self) -> Grid:
        """Where it is."""
        return self.sighting.grid

    @property
    def skin(self) -> Skin:
        """What it looks like."""
        return self.sighting.skin

    def called(self, name: str | int) -> bool:
        """Whether a window's id, or part of a title, class or skin's name, means this one."""
        if isinstance(name, int):
            return self.window is not None and self.window.id == name
        names = [self.skin.name]
        if self.window is not None:
            names += [self.window.title, self.window.class_name]
        return any(name.casefold() in one.casefold() for one in names)

    def __str__(self) -> str:
        title = self.window.title if self.window else "the screen"
        number = f", window {self.window.id}" if self.window else ""
        grid = self.grid
        return (
            f"'{title}' ({self.skin.name}, {grid.rows} rows and {grid.cols} columns at "
            f"({round(grid.left)}, {round(grid.top)}){number})"
        )


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
        eye = _Eye(grid, skin)
        eye.see(frame)
        board = Board(believable(eye.codes), mines_on(skin, grid, mines))
        readings.append((Reading(frame, grid, board, status_of(board), eye.confidence), skin))
    return readings


def mines_on(skin: Skin, grid: Grid, mines: int | None) -> int:
    """The number of mines: what the user says, else the skin's level of that size.

    Raises:
        MinesUnknown: Neither says.
    """
    known = skin.mines_of(grid.rows, grid.cols) if mines is None else mines
    if known is None:
        levels = ", ".join(f"{name} {r} x {c}" for name, (r, c, _) in skin.levels.items())
        raise MinesUnknown(
            f"the {skin.name} board has {grid.rows} rows and {grid.cols} columns, which is no "
            f"level that is known ({levels or 'none is'}): say how many mines with --mines"
        )
    return known


def believable(codes: NDArray[np.int8]) -> NDArray[np.int8]:
    """The tiles as read, less the zeros that cannot be.

    A zero opens all its neighbours. One beside a cell that is not open is a covered cell
    that is held down (most skins draw both alike), or a region that is still opening: it
    becomes UNREAD, and the next look tells.
    """
    closed = np.isin(codes, UNOPENED).astype(np.uint8)
    beside = cv2.dilate(closed, np.ones((3, 3), np.uint8)) > 0
    return np.where((codes == 0) & beside, np.int8(UNREAD), codes)


def status_of(board: Board) -> Status:
    """How the game stands by its tiles alone; a board that is blocked is not judged here."""
    tiles = board.tiles
    if (tiles == EXPLODED).any():
        return Status.LOST
    closed = int((tiles < 0).sum())
    if (tiles == UNREAD).any():
        return Status.PLAYING
    if closed == board.mines:
        return Status.WON
    return Status.LOST if (tiles == MINE).any() else Status.PLAYING


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
        self._target: Target | None = None
        self._window: Window | None = None
        self._eye: _Eye | None = None
        self._status = Status.PLAYING

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
        return self._survey()[0]

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
        if self._seen().see(frame):
            if self._follow():
                frame = self._screen.grab(self._seen().grid.view)
                self._seen().see(frame)
            self._status = self._judge(frame)
        eye = self._seen()
        board = Board(believable(eye.codes), mines_on(eye.skin, eye.grid, self._mines))
        status = self._status if self._status is Status.BLOCKED else status_of(board)
        return Reading(frame, eye.grid, board, status, eye.confidence)

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

    def focus(self) -> None:
        """Give the game's window the keyboard, and wait until it has it.

        Raises:
            NotInFront: It does not get it.
        """
        if self._window is not None:
            take_focus(self._window)

    def _seen(self) -> _Eye:
        if self._eye is None:
            raise BoardNotFound("no board has been looked at yet")
        return self._eye

    def _adopt(self, target: Target) -> None:
        mines_on(target.skin, target.grid, self._mines)
        self._window = target.window
        self._eye = _Eye(target.grid, target.skin)

    def choose(self) -> Target:
        """The one board on the screen that is meant.

        Raises:
            BoardNotFound: There is none.
            SeveralBoards: There are more.
        """
        targets, remarks = self._survey()
        meant = [one for one in targets if self._wanted is None or one.called(self._wanted)]
        if not meant:
            raise BoardNotFound(_not_found(self._wanted, targets, remarks))
        if len(meant) > 1:
            listed = "".join(f"\n  - {one}" for one in meant)
            raise SeveralBoards(
                f"{len(meant)} boards may be meant:{listed}\nsay which with --window and a part "
                "of its title, its skin or its number, or close the others"
            )
        return meant[0]

    def _survey(self) -> tuple[list[Target], list[str]]:
        frame = self._screen.grab()
        shown = windows.list_windows()
        frame = _without_own(frame, shown)
        sightings, remarks = survey(frame, self._skins)
        targets = []
        for sighting in sightings:
            window = _holding(shown, sighting.grid)
            cover = _covering(shown, window, sighting.grid)
            if cover is None:
                targets.append(Target(sighting, window))
            else:
                remarks.append(
                    f"a {sighting.skin.name} board is seen, but '{cover.title}' lies over it or "
                    "at its very edge: move that away"
                )
        return targets, remarks

    def _follow(self) -> bool:
        """After a change: go where the window went; whether the board has to be read again."""
        window, eye = self._window, self._seen()
        region = eye.grid.region if window is None else windows.place_of(window.id)
        if window is not None:
            if region is None:
                if not windows.supported():
                    return False
                raise WindowClosed(
                    f"the window '{window.title}' was closed or minimised: what was played so "
                    "far is kept"
                )
            if region != window.region:
                return self._move(window, region)
        if (eye.codes == UNREAD).mean() > _STRANGE and not self._covered():
            return self._find_again(region)
        return False

    def _move(self, window: Window, region: Region) -> bool:
        self._window = Window(
            window.id, window.title, window.class_name, region, window.pid, window.own
        )
        eye = self._seen()
        dx, dy = region.left - window.region.left, region.top - window.region.top
        self._eye = _Eye(eye.grid.moved(dx, dy), eye.skin, eye.matcher)
        if region[2:] != window.region[2:]:
            self._find_again(region)
        return True

    def _find_again(self, region: Region | None) -> bool:
        """Look for the board in its window, where its size or level may have changed."""
        if self._window is None or region is None:
            return False
        sightings, _ = survey(self._screen.grab(region), self._skins)
        if len(sightings) != 1:
            return False
        found, eye = sightings[0], self._seen()
        if found.grid == eye.grid and found.skin is eye.skin:
            return False
        mines_on(found.skin, found.grid, self._mines)
        self._eye = _Eye(found.grid, found.skin)
        return True

    def _judge(self, frame: Frame) -> Status:
        """BLOCKED where the board is not wholly to be seen, else PLAYING."""
        board = self._seen().grid.region
        whole = frame.region.intersection(board) == board
        return Status.PLAYING if whole and not self._covered() else Status.BLOCKED

    def _covered(self) -> bool:
        """Whether another window lies over a tile that cannot be read."""
        eye = self._seen()
        unread = Board(eye.codes, 0).cells(UNREAD)
        points = [eye.grid.center(cell) for cell in unread][:_ASKED]
        if not points or self._window is None:
            return False
        return not all(windows.uncovered(self._window.id, points))


class _Eye:
    """What is read of a board: one look after another, changed cells alone."""

    def __init__(self, grid: Grid, skin: Skin, matcher: Matcher | None = None) -> None:
        self.grid = grid
        self.skin = skin
        self.matcher = matcher or Matcher(skin)
        self.codes: NDArray[np.int8] = np.full((grid.rows, grid.cols), UNREAD, np.int8)
        self.confidence: NDArray[np.float32] = np.zeros((grid.rows, grid.cols), np.float32)
        self._size = (
            max(round(grid.pitch_x * grid.scale), 1),
            max(round(grid.pitch_y * grid.scale), 1),
        )
        self._last: Frame | None = None

    def see(self, frame: Frame) -> bool:
        """Read a frame; whether anything on the board has changed."""
        tops = self.grid.row_edges(frame.region)
        lefts = self.grid.column_edges(frame.region)
        changed = self._changed(frame, tops, lefts)
        self._last = frame
        if not changed.any():
            return False
        rows, cols = np.nonzero(changed)
        if len(rows) == changed.size:
            tiles = cut_tiles(frame.image, tops[:-1], lefts[:-1], self._size)
        else:
            tiles = _tiles_at(frame.image, tops[rows], lefts[cols], self._size)
        codes, confidence = self.matcher.match(tiles)
        self.codes, self.confidence = self.codes.copy(), self.confidence.copy()
        self.codes[rows, cols] = codes
        self.confidence[rows, cols] = confidence
        return True

    def _changed(self, frame: Frame, tops: Ints, lefts: Ints) -> NDArray[np.bool_]:
        shape = self.grid.rows, self.grid.cols
        last = self._last
        if last is None or last.region != frame.region or last.image.shape != frame.image.shape:
            return np.ones(shape, bool)
        height, width = frame.image.shape[:2]
        if tops[0] < 0 or lefts[0] < 0 or tops[-1] > height or lefts[-1] > width:
            return np.ones(shape, bool)
        board = slice(tops[0], tops[-1]), slice(lefts[0], lefts[-1])
        now, before = frame.image[board], last.image[board]
        if cv2.norm(now, before, cv2.NORM_INF) == 0:
            return np.zeros(shape, bool)
        differs = cv2.absdiff(now, before).reshape(now.shape[0], -1)
        bands = np.maximum.reduceat(differs, tops[:-1] - tops[0], axis=0)
        return np.maximum.reduceat(bands, 3 * (lefts[:-1] - lefts[0]), axis=1) > 0


def _tiles_at(image: NDArray[np.uint8], tops: Ints, lefts: Ints, size: tuple[int, int]) -> Tiles:
    """(n, h, w, 3): the tiles whose corners are at (lefts[i], tops[i])."""
    width, height = size
    ys = (tops[:, None] + np.arange(height)).clip(0, image.shape[0] - 1)
    xs = (lefts[:, None] + np.arange(width)).clip(0, image.shape[1] - 1)
    return image[ys[:, :, None], xs[:, None, :]]


def _without_own(frame: Frame, shown: Sequence[Window]) -> Frame:
    """The frame with this program's own windows painted out, as far as they can be seen."""
    if not any(window.own for window in shown):
        return frame
    image = frame.image.copy()
    for window in reversed(shown):
        seen = frame.region.intersection(window.region)
        if seen is not None:
            left, top = seen.left - frame.region.left, seen.top - frame.region.top
            part = slice(top, top + seen.height), slice(left, left + seen.width)
            image[part] = 0 if window.own else frame.image[part]
    return Frame(image, frame.region, frame.time, frame.number)


def _holding(shown: Sequence[Window], grid: Grid) -> Window | None:
    """The topmost window that a board lies in as a whole."""
    board = grid.region
    return next((window for window in shown if window.region.intersection(board) == board), None)


def _covering(shown: Sequence[Window], window: Window | None, grid: Grid) -> Window | None:
    """A window above the board's that reaches within a cell of the board.

    It may hide more rows or columns exactly.
    """
    if window is None:
        return None
    reach_x, reach_y = round(grid.pitch_x), round(grid.pitch_y)
    board = grid.region
    near = Region(
        board.left - reach_x,
        board.top - reach_y,
        board.width + 2 * reach_x,
        board.height + 2 * reach_y,
    )
    above = shown[: list(shown).index(window)]
    return next((other for other in above if other.region.intersection(near)), None)


def _not_found(wanted: str | int | None, targets: Sequence[Target], remarks: list[str]) -> str:
    if targets:
        listed = "; ".join(map(str, targets))
        return f"no board is called {wanted!r}. There is: {listed}"
    seen = f" ({'; '.join(remarks)})" if remarks else ""
    asked = "" if wanted is None else f", so none that is called {wanted!r}"
    return (
        f"no Minesweeper board of a known skin is on the screen{seen}{asked}: open the game, bring "
        "it to the front, uncovered, and start again"
    )
