"""The boards on the screen, each with its window, and the choice of one."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from operator import is_not
from typing import Final
from zlib import crc32

import numpy as np

from bot.board import UNREAD, Cell
from bot.frame import Frame, Grid, Point, Region
from vision import GAME_NAMES, GAME_WORDS, LARGEST_CELL, LEAST_CELL, SUPPORTED
from vision.click_guard import EDGE
from vision.desktop import OWN_FRAME, Screen, Window, desktop
from vision.finder import BoardCut, BoardNotFound, Sighting, survey
from vision.finder.cutoff import CutOff, Remark, area_of
from vision.finder.growing import READ
from vision.finder.lattice import VERY_OBLONG
from vision.finder.unknown_boards import unknown_board_at
from vision.focus import dialogs_of, names_program
from vision.learning.learner import Learner
from vision.plaintext import one_line
from vision.privacy import without_others
from vision.skins import Skin
from vision.tracking.lookalikes import (
    is_doubtful,
    is_weak,
    overlap,
    unknown_boards_in,
)
from vision.tracking.tile_reader import tile_reader_of

_log = logging.getLogger(__name__)

_FRAME_LINE: Final = 100
"""Least number of pixels of the panel's frame in a row or column that is a side of the frame."""
_SEARCHED_AGAIN: Final = 60.0
"""Seconds after which a covered window is searched again without any sign of a game."""


Marked = Callable[[Window], Grid | None]
"""Returns the board that the user has marked in a window; None if there is none."""


def _unmarked(_window: Window) -> Grid | None:
    return None


def marked_in(frame: Frame, window: Window, marked: Marked) -> Grid | None:
    """Return the board that the user has marked in a window, if all of it is in the frame.

    Its cells must have a size in which they can be read.
    """
    grid = marked(window)
    if grid is None:
        return None
    pitches = [pitch * frame.scale for pitch in (grid.pitch_x, grid.pitch_y)]
    longest = min(LARGEST_CELL, VERY_OBLONG * min(pitches))
    readable = LEAST_CELL <= min(pitches) <= max(pitches) <= longest
    regions = frame.region, window.region
    whole = all(region.intersection(grid.region) == grid.region for region in regions)
    return replace(grid, scale=frame.scale) if readable and whole else None


Wanted = str | int | Point | None
"""The selection of a board: its window's id; a part of its window's title or class, or of its
skin's name; a point in it, if windows are unknown; None for the only one."""


class SeveralBoards(RuntimeError):
    """Several boards match; the message lists them and says how to choose."""


@dataclass(frozen=True, eq=False)
class Target:
    """A playable board on the screen."""

    sighting: Sighting
    window: Window | None
    """The board's window; None if the window system lists no windows."""
    learner: Learner | None = None
    """The learner with the states so far, if the skin is unknown."""
    picture: Frame | None = None
    """Picture of its window without the windows above it, if another window covers the board."""

    @property
    def grid(self) -> Grid:
        """The board's grid."""
        return self.sighting.grid

    @property
    def skin(self) -> Skin:
        """The board's skin."""
        return self.sighting.skin

    def called(self, name: str | int | Point) -> bool:
        """Return whether a window id, part of a title, class or skin name, or point fits it."""
        if isinstance(name, Point):
            return self.grid.region.contains(name)
        if self.window is not None and window_called(self.window, name):
            return True
        return not isinstance(name, int) and name.casefold() in self.skin.name.casefold()

    @property
    def name(self) -> str:
        """A text that selects this board as a window name."""
        if self.window is None:
            return self.skin.name
        titles = self.window.title, self.window.class_name, str(self.window.id)
        return next(one for one in titles if one.strip())

    def __str__(self) -> str:
        window = f"window {self.window.id}" if self.window else "in no window"
        grid = self.grid
        skin = "a skin never seen" if self.learner else self.skin.name
        return (
            f"'{self.name}' ({skin}, {grid.rows} rows and {grid.cols} columns at "
            f"({round(grid.left)}, {round(grid.top)}), {window})"
        )


def survey_screen(
    screen: Screen,
    skins: Iterable[Skin],
    behind: CoveredWindows | None = None,
    *,
    thorough: bool = False,
    marked: Marked = _unmarked,
) -> tuple[list[Target], list[str]]:
    """Find the boards on the screen; return remarks on boards that cannot be used.

    This program's own windows are left out. Boards of an unknown skin come last; a fresh one among
    them only if its window's title indicates a game, because an empty table looks the same.
    `behind` finds boards in covered windows, which are all searched again if `thorough`. A `marked`
    board counts where no other one is found in its window.
    """
    skins = tuple(skins)
    scene = _Scene.of(screen, marked)
    targets, remarks = scene.known(skins)
    unknown, doubts = scene.strange(targets, _is_named_game)
    targets, remarks = [*targets, *unknown], remarks + doubts
    _log_scene(scene.shown, targets, remarks)
    if behind is not None:
        seen = {target.window.id for target in targets if target.window is not None}
        covered = behind.survey(scene.shown, skins, seen, thorough=thorough)
        listed = {target.window.id for target in covered if target.window is not None}
        # Objects that cover a window about to be searched may not matter.
        listed |= behind.pending
        remarks = [one for one in remarks if scene.remarked.get(one) not in listed]
        targets += covered
    return targets, remarks


class CoveredWindows:
    """Finds the boards in windows that other windows cover, wholly or in part.

    It is kept between surveys, because a window's picture is complete only some time after the
    first request, when its program has drawn the covered part. A picture is searched again if it
    changed and the window had a board before, or has a name of the game; any other window's at most
    once a minute. Its methods are called in one thread.
    """

    def __init__(self, marked: Marked = _unmarked) -> None:
        self._marked = marked
        self._games: set[int] = set()
        """Windows in which a board was found, covered or not."""
        self._times: dict[int, float] = {}
        """Time of the last search by window, on the monotonic clock."""
        self._searched: dict[int, tuple[object, list[Target]]] = {}
        """By window: a value that identifies its picture, None before the search, and the boards in
        it."""
        self._skins: tuple[Skin, ...] = ()
        self.pending: frozenset[int] = frozenset()
        """Windows that the last survey left out because their pictures were not complete."""
        self.unsearched: frozenset[int] = frozenset()
        """Those windows, and covered ones that cannot be captured alone here."""
        self._lock = threading.Lock()

    def release(self) -> None:
        """Let the window system paint all windows as usual, until the next survey."""
        with self._lock:
            for window_id in self._searched:
                desktop().release_window(window_id)
            self._searched.clear()

    def survey(
        self,
        shown: Sequence[Window],
        skins: tuple[Skin, ...],
        seen: set[int],
        *,
        thorough: bool = False,
    ) -> list[Target]:
        """Find the boards in windows that others cover; `shown` are all windows, the topmost first.

        `thorough` searches all windows whose pictures changed.
        """
        with self._lock:
            return self._surveyed(shown, skins, seen, thorough=thorough)

    def _surveyed(
        self, shown: Sequence[Window], skins: tuple[Skin, ...], seen: set[int], *, thorough: bool
    ) -> list[Target]:
        there = {window.id for window in shown}
        self._games = (self._games | seen) & there
        self._times = {one: at for one, at in self._times.items() if one in there}
        if len(skins) != len(self._skins) or any(map(is_not, skins, self._skins)):
            self._skins, self._searched = skins, dict.fromkeys(self._searched, (None, []))
            self._times.clear()
        covered = [
            window
            for place, window in enumerate(shown)
            if not window.own
            and window.id not in seen
            and any(other.region.intersection(window.region) for other in shown[:place])
        ]
        for window_id in self._searched.keys() - {window.id for window in covered}:
            del self._searched[window_id]
            desktop().release_window(window_id)
        self.pending = self.unsearched = frozenset()
        found = []
        with desktop().open_screen() as screen:
            for window in covered:
                if thorough or self._is_due(window):
                    found += self._boards_in(screen, window)
        return found

    def _is_due(self, window: Window) -> bool:
        """Return whether a window may now hold a board; a known game always may."""
        if window.id in self._games or _names_game(window):
            return True
        searched = self._times.get(window.id, -inf)
        waits = window.id in self._searched and self._searched[window.id][0] is None
        return waits or time.perf_counter() - searched >= _SEARCHED_AGAIN

    def _boards_in(self, screen: Screen, window: Window) -> list[Target]:
        frame = screen.grab_window(window)
        if frame is None:
            self.unsearched |= {window.id}
            return []
        if window.id not in self._searched:
            # Objects that cover the window may still be in its picture.
            self._searched[window.id] = None, []
            self.pending |= {window.id}
            self.unsearched |= {window.id}
            return []
        self._times[window.id] = time.perf_counter()
        marked = self._marked(window)
        picture = (frame.region, crc32(frame.image.tobytes()), window.title, marked)
        if self._searched[window.id][0] != picture:
            scene = _Scene(frame, [window], self._marked)
            targets, _ = scene.known(self._skins)
            targets += scene.strange(targets, _is_named_game)[0]
            self._searched[window.id] = picture, [replace(one, picture=frame) for one in targets]
            self._games |= {window.id} if targets else set()
        return self._searched[window.id][1]


def choose(
    screen: Screen,
    skins: Iterable[Skin],
    wanted: Wanted,
    *,
    allow_unknown: bool = True,
    marked: Marked = _unmarked,
) -> Target:
    """Return the selected board on the screen; one of a known skin, if there is any.

    Windows that match `wanted` (an id, or part of a title, class or skin's name) are searched
    first, and others only if necessary. A `marked` board counts where no other one is found in its
    window.

    Raises:
        BoardNotFound: There is no board.
        BoardCut: Only part of the board is visible.
        SeveralBoards: There is more than one board.
    """
    skins, whole = tuple(skins), _Scene.of(screen, marked)
    for scene in (*whole.within(wanted), whole):
        targets, remarks = scene.known(skins)
        meant = [one for one in targets if wanted is None or one.called(wanted)]
        if not meant and allow_unknown:
            unseen, doubts = scene.strange(
                targets, lambda target: wanted is not None or _is_named_game(target)
            )
            meant = [one for one in unseen if wanted is None or one.called(wanted)]
            remarks += doubts
        _log_scene(scene.shown, targets, remarks)
        if meant:
            break
    else:
        others = scene.strange(targets, _is_named_game)[0] if allow_unknown else []
        called = whole.called(wanted)
        for remark in remarks:
            if isinstance(remark, CutOff) and whole.means(remark, wanted):
                raise BoardCut(remark)
        for game in called:
            for dialog in _dialogs_over(game, whole.shown):
                raise BoardNotFound(
                    f"{dialog.title or dialog.class_name!r} lies over the board of "
                    f"{game.title or game.class_name!r}: close it, then play again"
                )
        named = called or (whole.games() if wanted is None else [])
        names = [one.title or one.class_name for one in named]
        raise BoardNotFound(
            _not_found(wanted, [*targets, *others], remarks, names),
            whole.picture_of(named[0]) if named else None,
            named[0] if len(named) == 1 else None,
        )
    if len(meant) > 1:
        listed = "".join(f"\n  - {one}" for one in meant)
        raise SeveralBoards(
            f"{len(meant)} boards may be meant:{listed}\nsay which with --window and a part "
            "of its title, its skin or its number, or close the others"
        )
    grid, window = meant[0].grid, meant[0].window
    # A learned skin has its name from the title of a window.
    _log.debug("Skin '%s'", meant[0].skin.name)
    _log.info(
        "Board in window %s: %d x %d cells at %s, read %.0f %%",
        None if window is None else window.id,
        grid.cols,
        grid.rows,
        grid.region,
        100 * meant[0].sighting.confidence,
    )
    return meant[0]


class _Scene:
    """One picture of the whole screen, and the windows on it."""

    def __init__(self, frame: Frame, shown: Sequence[Window], marked: Marked = _unmarked) -> None:
        self._frame = frame
        self.shown = shown
        self._marked = marked
        self._skins: tuple[Skin, ...] = ()
        self.remarked: dict[str, int] = {}
        """Remarks on boards that another window covers, and their windows."""
        self._areas = [window.region for window in shown if not window.own]
        self._remarks: list[str] = []
        """Remarks on boards of known skins."""
        self._hidden: list[Grid] = []
        """Covered boards: reported once, and not treated as unknown ones."""
        self._doubtful: list[Target] = []
        """Claims of bundled skins that extend out of their windows, or that hardly read a tile."""

    @classmethod
    def of(cls, screen: Screen, marked: Marked) -> _Scene:
        """Return the scene on the screen."""
        frame = screen.grab()
        shown = desktop().list_windows()
        return cls(without_own(frame, shown), shown, marked)

    def within(self, wanted: Wanted) -> list[_Scene]:
        """Return the scene with only the windows of that id, title or class, if there are any."""
        parts = [
            part
            for window in self.called(wanted)
            if (part := _part(self._frame, window)) is not None
        ]
        if not parts:
            return []
        frame = self._frame
        image = np.zeros_like(frame.image)
        for part in parts:
            image[part] = frame.image[part]
        part_of = Frame(image, frame.region, frame.time, frame.number)
        return [_Scene(part_of, self.shown, self._marked)]

    def called(self, wanted: Wanted) -> list[Window]:
        """Return the windows with that name, with any content."""
        if wanted is None or isinstance(wanted, Point):
            return []
        return [one for one in self.shown if not one.own and window_called(one, wanted)]

    def games(self) -> list[Window]:
        """Return the windows whose title or class names the game, with any content."""
        return [one for one in self.shown if not one.own and _names_game(one)]

    def picture_of(self, window: Window) -> Frame | None:
        """Return the visible part of a window; None if there is none."""
        seen = self._frame.region.intersection(window.region)
        if seen is None:
            return None
        image = self._frame.image[self._frame.pixels(seen)]
        dialogs = [one.region for one in dialogs_of(window, self.shown)]
        part = replace(self._frame, image=image, region=seen)
        return without_others(part, partial(desktop().uncovered, window.id), dialogs)

    def means(self, remark: CutOff, wanted: Wanted) -> bool:
        """Return whether a part of a board is in a window with that name."""
        if wanted is None:
            return True
        area = area_of(remark.grid, self._areas)
        return any(window.region == area for window in self.called(wanted))

    def known(self, skins: Iterable[Skin]) -> tuple[list[Target], list[str]]:
        """Return the boards of known skins, and remarks on unusable ones."""
        self._skins = skins = tuple(skins)
        sightings, remarks = survey(self._frame, skins, self._areas, self._knows)
        self._remarks = list(remarks)
        remarks = [self._uncovered_part(remark) for remark in remarks]
        seen = [
            self._in_own_skin(Target(one, self._enclosing_window(one.grid)), skins)
            for one in sightings
        ]
        self._doubtful = [
            one for one in seen if self._reaches_out(one) or is_doubtful(one.sighting, one.window)
        ]
        return self._uncovered([one for one in seen if one not in self._doubtful], remarks)

    def _knows(self, skin: Skin, grid: Grid) -> bool:
        window = self._enclosing_window(grid)
        return skin.learned or not self.shown or names_program(skin, window)

    def strange(
        self, targets: Sequence[Target], trusted: Callable[[Target], bool]
    ) -> tuple[list[Target], list[str]]:
        """Return the boards of unknown skins; fresh ones only if trusted.

        A board that a bundled skin claims and hardly reads is returned with an unknown skin, if
        possible; else as claimed, if it lies in its window.
        """
        taken = [*(target.grid for target in targets), *self._hidden]
        claims = [claim.sighting for claim in self._doubtful]
        found, cut = unknown_boards_in(self._frame, claims, taken, self._remarks, self._areas)
        remarks = [self._uncovered_part(remark) for remark in cut]
        taken += [remark.grid for remark in cut if isinstance(remark, CutOff)]
        unknown = []
        for one in found:
            target = Target(one.sighting, self._enclosing_window(one.grid), one.learner)
            taken.append(one.grid)
            if self._reaches_out(target):
                remarks.append(self._outside_remark(target))
            elif not one.fresh or trusted(target):
                unknown.append(target)
            else:
                remarks.append(
                    f"{target} has equal cells, and may be a game that was not begun: name its "
                    "window, or open a cell of it"
                )
        for claim in self._doubtful:
            if any(overlap(claim.grid, grid) for grid in taken):
                continue
            if self._reaches_out(claim):
                remarks.append(self._outside_remark(claim))
            else:
                unknown.append(claim)
        boards = {one.window.id for one in (*targets, *unknown) if one.window is not None}
        unknown += [
            board
            for window in self.shown
            if window.id not in boards and not window.own
            if (board := self._marked_board(window)) is not None
        ]
        return self._uncovered(unknown, remarks)

    def _marked_board(self, window: Window) -> Target | None:
        """Return the board that the user has marked in a window, if it can be one.

        It is read with the skin that was learned for its program, if that fits.
        """
        grid = marked_in(self._frame, window, self._marked)
        if grid is None:
            return None
        for skin in self._skins:
            if skin.learned and names_program(skin, window):
                reader = tile_reader_of(grid, skin, None)
                reader.see(self._frame)
                read = float((reader.codes != UNREAD).mean())
                if read >= READ:
                    return Target(Sighting(grid, skin, reader.codes, read), window)
        board = unknown_board_at(self._frame, grid)
        return Target(board.sighting, window, board.learner) if board.result.believable else None

    def _in_own_skin(self, target: Target, skins: Sequence[Skin]) -> Target:
        """Return a board in the skin that names its program, if a fitting one exists."""
        window = target.window
        if window is None or names_program(target.skin, window):
            return target
        own = [skin for skin in skins if names_program(skin, window)]
        seen = self._frame.region.intersection(window.region)
        if not own or seen is None:
            return target
        again = replace(self._frame, image=self._frame.image[self._frame.pixels(seen)], region=seen)
        found = (one for one in survey(again, own)[0] if overlap(one.grid, target.grid))
        fits = next((one for one in found if not is_weak(one)), None)
        return target if fits is None else Target(fits, window)

    def _enclosing_window(self, grid: Grid) -> Window | None:
        """Return the topmost window that contains a whole board, but for its outermost line."""
        edge = round(EDGE * min(grid.pitch_x, grid.pitch_y))
        left, top, width, height = grid.region
        board = Region(left + edge, top + edge, width - 2 * edge, height - 2 * edge)
        holds = (one for one in self.shown if one.region.intersection(board) == board)
        return next(holds, None)

    def _touched(self, grid: Grid) -> Window | None:
        """Return the topmost window that contains a part of a board; this program's own come last.

        What is seen of a board does not belong to them: they are painted out.
        """
        touched = (one for one in self.shown if one.region.intersection(grid.region) is not None)
        return min(touched, key=lambda one: one.own, default=None)

    def _reaches_out(self, target: Target) -> bool:
        """Return whether a board lies only partly in a window."""
        return target.window is None and self._touched(target.grid) is not None

    def _outside_remark(self, target: Target) -> str:
        """Return the remedy for a board that extends out of its window."""
        grid, window = target.grid, self._touched(target.grid)
        title = (window.title or window.class_name) if window is not None else ""
        remark = (
            f"a board of {target.skin.label} is seen at ({round(grid.left)}, {round(grid.top)}), "
            f"but it reaches out of the window '{title}': make that window larger, or "
            "move it away from what lies beside it"
        )
        if window is not None:
            self.remarked[remark] = window.id
        return remark

    def _uncovered(
        self, targets: Iterable[Target], remarks: list[str]
    ) -> tuple[list[Target], list[str]]:
        """Return the boards that nothing covers."""
        free = []
        for target in targets:
            cover = _covering(self.shown, target.window, target.grid)
            if cover is None:
                free.append(target)
            else:
                self._hidden.append(target.grid)
                board = f"board of {target.skin.label}"
                remarks.append(self._cover_remark(board, cover, target.window))
        return free, remarks

    def _uncovered_part(self, remark: str) -> str:
        """Return a remark, or what covers the board if that hides a part of it."""
        if not isinstance(remark, Remark):
            return remark
        window = self._enclosing_window(remark.grid)
        cover = _covering(self.shown, window, remark.grid)
        if cover is not None:
            return self._cover_remark("board", cover, window)
        if window is not None:
            self.remarked[remark] = window.id
        return remark

    def _cover_remark(self, kind: str, cover: Window, window: Window | None) -> str:
        remark = f"'{cover.title}' covers part of a {kind}, or touches it: move it aside"
        if window is not None:
            self.remarked[remark] = window.id
        return remark


def _log_scene(shown: Sequence[Window], targets: list[Target], remarks: list[str]) -> None:
    """Log the windows that were searched, what was found, and why something cannot be used."""
    if not _log.isEnabledFor(logging.DEBUG):
        return
    for one in shown:
        names = one_line(one.title), one_line(one.class_name)
        _log.debug("Window %d: '%s', class '%s', own %s, %s", one.id, *names, one.own, one.region)
    for target in targets:
        _log.debug("Board: %s", one_line(str(target)))
    for remark in remarks:
        _log.debug("Not used: %s", one_line(remark))


def _is_named_game(target: Target) -> bool:
    """Return whether the title or class of a board's window names the game."""
    return target.window is not None and _names_game(target.window)


def _names_game(window: Window) -> bool:
    names = _names_of(window)
    return any(word in names for word in GAME_WORDS)


def _names_of(window: Window) -> str:
    return f"{window.title} {window.class_name} {window.program}".casefold()


def says_game(window: Window) -> bool:
    """Return whether a window's title or program is a name of the game."""
    return re.search(GAME_NAMES, _names_of(window)) is not None


def without_own(frame: Frame, shown: Sequence[Window]) -> Frame:
    """Return the frame with the visible parts of this program's own windows painted out."""
    if not desktop().lists_windows:
        return _without_framed(frame)
    if not any(window.own for window in shown):
        return frame
    image = frame.image.copy()
    for window in reversed(shown):
        part = _part(frame, window)
        if part is not None:
            image[part] = 0 if window.own else frame.image[part]
    return Frame(image, frame.region, frame.time, frame.number)


def _without_framed(frame: Frame) -> Frame:
    """Return the frame without the area inside the panel's own frame, even if partly covered."""
    marked = (frame.image == OWN_FRAME[::-1]).all(axis=2)
    lines = marked & (
        (marked.sum(axis=0) >= _FRAME_LINE) | (marked.sum(axis=1) >= _FRAME_LINE)[:, None]
    )
    rows, cols = np.flatnonzero(lines.any(axis=1)), np.flatnonzero(lines.any(axis=0))
    if not rows.size:
        return frame
    image = frame.image.copy()
    image[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1] = 0
    return replace(frame, image=image)


def _part(frame: Frame, window: Window) -> tuple[slice, slice] | None:
    """Return the rows and columns of a frame that show a window; None if there are none."""
    seen = frame.region.intersection(window.region)
    return None if seen is None else frame.pixels(seen)


def window_called(window: Window, name: str | int) -> bool:
    """Return whether the text is the window's id, or part of its title, class or program."""
    if isinstance(name, int) or name == str(window.id):
        return window.id == int(name)
    return any(
        name.casefold() in one.casefold()
        for one in (window.title, window.class_name, window.program)
    )


def _covering(shown: Sequence[Window], window: Window | None, grid: Grid) -> Window | None:
    """Return a window above the board's that hides the middle of a cell or of one beside them.

    Half a cell around the board its window has to be visible: else the board may go on there. A
    narrower strip over its side makes `survey` see a board that is cut off.
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
    cover = next((other for other in above if other.region.intersection(near)), None)
    if cover is None:
        return None
    points = [
        grid.center(Cell(row, col))
        for row in range(-1, grid.rows + 1)
        for col in range(-1, grid.cols + 1)
    ]
    inside = [point for point in points if window.region.contains(point)]
    return None if all(desktop().uncovered(window.id, inside)) else cover


def _dialogs_over(game: Window, shown: Sequence[Window]) -> list[Window]:
    """Return the dialogs of a game that cover the middle of its window, where its board is.

    Another window of the same program is none: a browser has many windows.
    """
    above = shown[: list(shown).index(game)]
    place = game.region
    middle = Region(place.left + place.width // 2, place.top + place.height // 2, 1, 1)
    return [
        one
        for one in dialogs_of(game, above)
        if one.transient_for and one.region.intersection(middle)
    ]


def _not_found(
    wanted: Wanted, targets: Sequence[Target], remarks: list[str], called: list[str]
) -> str:
    seen = "; ".join(remarks)
    if isinstance(wanted, int):
        # A number means nothing to a user: its window has a title, or is not shown.
        if not called and desktop().lists_windows:
            if not desktop().exists(wanted):
                return "The window was closed. Open it again, then play again"
            return "The window is minimised or on another desktop. Show it, then play again"
        wanted = called[0] if called else None
    there = isinstance(wanted, Point)
    meant = "is where the chosen one was" if there else f"is called {wanted!r}"
    if wanted is not None and targets:
        listed = "; ".join(map(str, targets))
        return f"no board {meant}{seen and f' ({seen})'}. There is: {listed}"
    if called and not seen:
        shows = f"the window {called[0]!r} shows no"
        if len(called) > 1:
            shows = (
                f"{len(called)} windows are called {wanted!r}: give more of the title. None shows a"
            )
        return (
            f"{shows} Minesweeper board that can be played: begin a game "
            "in it, uncovered, not paused and without the pointer on it, and play again. "
            f"{SUPPORTED}"
        )
    asked = "" if wanted is None else f", and none {meant}"
    if seen:
        return f"no board on the screen can be played{asked}: {seen}"
    return (
        f"no Minesweeper board is on the screen{asked}: open the game, bring "
        f"it to the front, uncovered, and play again. {SUPPORTED}"
    )
