"""A board that was found on the screen, and follows its window.

The window system is queried only when the picture has changed: the window may have been moved,
closed, resized or covered.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, UNREAD, Cell
from bot.frame import Frame, Grid, Point, Region
from bot.planner import Move
from bot.unread import Cause
from vision.click_guard import is_visible
from vision.counters.header import Header, around
from vision.counters.mines import USUAL_LEVELS, KnownBoards, MinesUnknown
from vision.desktop import Screen, Window, desktop
from vision.finder import BoardCut, BoardNotFound, Sighting, survey
from vision.finder.cutoff import CutOff, part_of
from vision.finder.growing import READ
from vision.finder.unknown_boards import (
    find_unknown_boards,
    free_name,
    skin_name,
    unknown_board_at,
)
from vision.focus import names_program, numberless
from vision.learning.learner import Learner
from vision.learning.learning_reader import LearningReader
from vision.skins import Skin, bundled_names
from vision.tracking.cells import Persistence, is_in_place, is_rest, near, remains, unchanged
from vision.tracking.lookalikes import (
    WholeReading,
    is_doubtful,
    is_lookalike,
    unknown_board_in,
    unknown_board_instead,
)
from vision.tracking.pagedialog import box_over
from vision.tracking.targets import Target, marked_in, without_own
from vision.tracking.tile_reader import TileReader, Tracker, tile_reader_of

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class TrackingLimits:
    """Limits of when a followed board is searched again."""

    strange: float = 0.05
    """Share of unread tiles above which the board is searched again."""
    search_seconds: float = 0.2
    """Seconds between two searches for a board in an unchanged picture."""
    lost_seconds: float = 0.3
    """Seconds after which a board of an unknown window is searched on the whole screen: most
    openings take less, and the learning reader takes over after 0.7 s."""
    size_seconds: float = 5.0
    """Seconds for which the board of the next game is searched in an unknown window to check its
    size."""
    few_numbers: int = 3
    """Number of numbers below which all cells show whether a board is still there."""
    left: float = 0.2
    """Share of the cells below which nothing is left of a board that cannot be read."""
    lasting_seconds: float = 0.5
    """Seconds for which another board must last: GNOME Mines slides its boards in for 0.3 s."""
    box_seconds: float = 0.3
    """Seconds for which a box in the window must cover the board: others are in motion."""


TRACKING: Final = TrackingLimits()

_REDRAWN_SECONDS: Final = 5.0
"""Seconds in which a resized window is redrawn: until then its board may still be visible as
before. Where no window's position is known, also those in which a moved one is searched."""


class WindowClosed(BoardNotFound):
    """The game's window is gone, or out of use."""

    successor: Window | None = None
    """The window of the next game, if it is known."""


class WindowReplaced(WindowClosed):
    """The next game has a window of its own, whether or not the last one is still open."""

    def __init__(self, successor: Window) -> None:
        super().__init__(f"the next game is in another window, '{successor.title}'")
        self.successor = successor


class PageLeft(BoardNotFound):
    """The window shows something other than its game, such as another page."""


class WindowHidden(BoardNotFound):
    """The game's window exists, but is not visible."""


class TrackedBoard:
    """One board on the screen: its window, its surroundings, and its tile reader.

    Attributes:
        tile_reader: The reader of its tiles.
        header: The counters around it.
        window: The board's window; None if unknown.
        page_dialog: The box that a web page has drawn over the board, in points; None if there is
            none.
        over: Whether the last reading showed a finished game.
        moves: The last moves, for a skin that is learned by their effect.
    """

    def __init__(
        self,
        screen: Screen,
        target: Target,
        skins: Sequence[Skin],
        mines: int | None,
        known: KnownBoards | None = None,
    ) -> None:
        self._screen = screen
        self._skins = skins
        self._mines = mines
        self._known_boards = known
        self.window = target.window
        self.header = header_of(screen, target, mines, known)
        self._elsewhere = Persistence(TRACKING.lasting_seconds)
        self._boxed = Persistence(TRACKING.box_seconds)
        self._unread = Persistence(_REDRAWN_SECONDS)
        self._lost = Persistence(TRACKING.lost_seconds)
        self._renewed: float | None = None
        """When another game was seen to have begun, while its size has not been checked."""
        self.page_dialog: Region | None = None
        self.over = False
        self.moves: tuple[Move, ...] = ()
        self._resized = False
        """Whether the window has another size than when the board was found in it."""
        self._sized = -inf
        """Time of the last change of its size."""
        self._cause: Cause | None = None
        """Why the board was not completely visible at the last look."""
        self._away = False
        """Whether the window was recently invisible, or not at the board's position."""
        self._searched = 0.0
        grid, learner = self.header.placed(target.grid), target.learner
        if learner is not None:
            learner.name = self._free_name()
            if not self._whole(grid):
                # Something that covers the board was assumed to be a part of it.
                learner = Learner(learner.name, learner.tile)
        unsure = target.sighting.unsure
        self.tile_reader: TileReader = tile_reader_of(
            grid, target.skin, learner, self._learnable, unsure
        )
        self._known = self.tile_reader.codes
        """The tiles when the whole board was last visible."""
        self._read: WholeReading | None = None
        """The last reading of all of the board."""
        self._shown: tuple[Grid, Frame, NDArray[np.int8]] | None = None
        """Position, frame and tiles when most of it was last read."""

    def see(self) -> tuple[Frame, bool]:
        """Capture the board and read its changes.

        Returns:
            The frame; and whether anything may be another than before: where the board is, or
            whether all of it is to be seen, as well.

        Raises:
            WindowClosed: The window is gone.
            WindowHidden: The window is minimised, or off the desktop.
            BoardCut: The window shows only part of its board.
            ScreenError: The screen cannot be read.
        """
        frame = self._screen.grab(self.tile_reader.grid.view)
        another = self.tile_reader.see(frame)
        # An unchanged picture may show the place that the window has left.
        unread = UNREAD in self.tile_reader.codes
        asked = another or self._resized or self._renewed is not None or self._away or unread
        if asked and self._follow(another=another):
            frame = self._screen.grab(self.tile_reader.grid.view)
            self.tile_reader.see(frame)
        return frame, asked

    def note_moves(self, moves: tuple[Move, ...]) -> None:
        """Register the moves that are about to be made.

        Only of a look-alike: a program that the skin names is not doubted because of a click.
        """
        self.moves = moves
        if isinstance(self.tile_reader, LearningReader) or self.lookalike:
            self.tile_reader.note_moves(moves)

    def recheck_window(self) -> None:
        """Let the next reading query the window system, even if the picture is unchanged."""
        self._away = True

    def obstacle(self, frame: Frame) -> Cause | None:
        """Return why the board is not completely visible; None if it is."""
        board = self.tile_reader.grid.region
        whole = frame.region.intersection(board) == board
        seen = whole and not self._resized and not self._covered()
        if seen and (self.tile_reader.codes == UNREAD).mean() <= TRACKING.strange:
            self._known = self.tile_reader.codes.copy()
            if UNREAD not in self.tile_reader.codes:
                self._read = WholeReading(self.tile_reader.grid, frame, self._known)
        if seen and 2 * (self.tile_reader.codes == UNREAD).mean() <= 1:
            self._shown = self.tile_reader.grid, frame, self.tile_reader.codes.copy()
        box = self._box() if seen else None
        if box is not None and self.has_vanished():
            box = None
        self.page_dialog = box if self._boxed.holds(box, frame.time) else None
        if self.page_dialog is not None:
            cause: Cause | None = Cause.DIALOG
        elif self._resized or self._renewed is not None:
            cause = Cause.COVERED if self._covered() else Cause.CHANGING
        else:
            cause = None if seen else Cause.COVERED
        if cause is not self._cause:
            self._cause = cause
            _log.info(
                "The board is %s: resized %s, another game %s, all in the picture %s, %d tiles "
                "unread",
                "visible" if cause is None else f"not visible ({cause.value})",
                self._resized,
                self._renewed is not None,
                whole,
                (self.tile_reader.codes == UNREAD).sum(),
            )
        return cause

    def is_shown(self) -> bool:
        """Return whether the board still looks as it was last read: most of its numbers do.

        Of a board with few numbers most cells do.
        """
        if self._shown is None:
            return False
        grid, frame, codes = self._shown
        numbers = codes > 0
        compared = numbers if numbers.sum() >= TRACKING.few_numbers else codes != UNREAD
        cells = [Cell(*map(int, cell)) for cell in np.argwhere(compared)]
        return 2 * unchanged(cells, grid, frame, self._screen.grab) > len(cells)

    def has_vanished(self) -> bool:
        """Return whether the board has disappeared and the window system cannot confirm it.

        What a page draws over its board leaves some of it, maybe darker.
        """
        reader, shown = self.tile_reader, self._shown
        read = (reader.codes != UNREAD) & (reader.codes != 0)
        if self.window is not None or shown is None or read.mean() > TRACKING.left:
            return False
        grid, before, _ = shown
        there = near(grid, reader.grid)
        return there and remains(grid, before, self._screen.grab(grid.view)) < TRACKING.left

    def begins_in(self, window: Window) -> bool:
        """Return whether a window shows a board of the same size, or skin, without a move.

        Nothing lies over the corners of that board: it is not that of a window in front.
        """
        place = self._screen.region.intersection(window.region)
        found = [] if place is None else self._boards_in(self._screen.grab(place))[0]
        if len(found) != 1:
            return False
        (board,), reader = found, self.tile_reader
        tiles, grid = board.tiles, board.grid
        fresh = bool((tiles == COVERED).any() and np.isin(tiles, (COVERED, UNREAD)).all())
        same = tiles.shape == reader.codes.shape or board.skin.name == reader.skin.name
        rows, cols = (0, grid.rows - 1), (0, grid.cols - 1)
        corners = [grid.center(Cell(row, col)) for row in rows for col in cols]
        return fresh and same and all(desktop().uncovered(window.id, corners))

    @property
    def lookalike(self) -> bool:
        """Whether a bundled skin reads the board of a program that it does not name."""
        return is_lookalike(self.tile_reader.skin, self.window)

    def learn(self) -> bool:
        """Let the learning reader take over from a bundled skin; return whether it did.

        Or find that the skin is the right one, and a zero opens fewer cells in this program.
        """
        tile_reader, window = self.tile_reader, self.window
        if isinstance(tile_reader, Tracker) and tile_reader.find_flood(self.moves):
            return True
        before = tile_reader.codes.copy()
        tile_reader.see(self._screen.grab(tile_reader.grid.view))
        if (tile_reader.codes != before).any():
            # A box over the board, such as KMines' message, has just faded.
            return False
        frame = self._screen.grab(around(tile_reader.grid, window))
        strange = (tile_reader.codes == UNREAD).mean() > TRACKING.strange
        if window is None and self._read is not None:
            # Its window may have been moved or covered: first `_find_on_screen` searches it.
            lasting = self._unread.holds(strange, frame.time)
            if strange and not lasting:
                return False
        if self.lookalike and window is not None and strange:
            found, remarks = self._boards_in(self._screen.grab(window.region))
            if not found and self._cut_off(remarks) is not None:
                # On a scrolled page, other things are at the board's place.
                return False
        if self.lookalike:
            read = float((tile_reader.codes != UNREAD).mean())
            claim = Sighting(
                tile_reader.grid,
                tile_reader.skin,
                tile_reader.codes,
                read,
                unsure=tile_reader.unsure,
            )
            board = unknown_board_instead(frame, claim, self._read, self.moves)
        else:
            board = unknown_board_in(frame, tile_reader.grid, tile_reader.codes)
        if board is None:
            return False
        board.learner.name = self._free_name()
        _log.info("Learning a new skin: the known one leaves tiles unread")
        _log.debug("Known: '%s'", tile_reader.skin.name)
        grid = self._headed(frame, board.grid, self._mines)
        # The user's confirmations for a board of this size remain valid.
        same = (grid.rows, grid.cols) == (tile_reader.grid.rows, tile_reader.grid.cols)
        # The same program with another font or theme, or another program.
        described = None
        if window is not None and names_program(tile_reader.skin, window):
            # The class matches: the keys are those of this program.
            described = tile_reader.skin
            if described.name in bundled_names():
                allowed = {"keys_allowed": True, "title": window.title}
                described = described.model_copy(update=allowed)
        self.tile_reader = LearningReader(
            grid,
            board.learner,
            described=described,
            whole=self._learnable,
            unsure=tile_reader.unsure if same else board.unsure,
        )
        return True

    def _free_name(self) -> str:
        """Return the name for a skin that is learned in this window."""
        title = self.window.title if self.window else ""
        return free_name(skin_name(title), self._skins)

    def _follow(self, *, another: bool) -> bool:
        """Follow the window; return whether the board has to be read again."""
        window = self.window
        if window is None:
            return self._find_on_screen()
        region = desktop().place_of(window.id)
        moved = region != window.region
        # A window that is being minimised may be taken off the desktop first.
        if region is None or (moved and not self._screen.shows(self._view_in(region, window))):
            self._away = True
            raise _gone(window)
        if (moved or self._away) and not desktop().is_same(window):
            raise _closed(window)
        self._away = False
        if moved:
            self._move(window, region)
        tile_reader = self.tile_reader
        strange = (tile_reader.codes == UNREAD).mean() > TRACKING.strange
        if isinstance(tile_reader, LearningReader):
            strange &= not tile_reader.pending or tile_reader.hindered
        strange &= another or time.perf_counter() - self._searched > TRACKING.search_seconds
        strange = strange and not self._keeps_numbers()
        if self._resized or (strange and not moved and not self._covered()):
            return self._find_again(region) or moved
        return moved

    def _keeps_numbers(self) -> bool:
        """Return whether most numbers are read where they were: then the board has not moved."""
        known, codes = self._known, self.tile_reader.codes
        numbers = known > 0
        same = known.shape == codes.shape and bool(numbers.any())
        return same and 2 * (codes == known)[numbers].mean() > 1

    def _find_on_screen(self) -> bool:
        """Search the board of an unknown window, which may have changed in position or size.

        Another board is not taken for it: every number that was read is there as well. Zeros do not
        count, because a cell that was pressed when the window moved may look like one. After a
        finished game it may be a new board, as the next game may have begun meanwhile. A board of
        another size in the old one's place, of which it is no part, is a level that the user has
        chosen: a click that was under way may have opened some of it, but a smaller one is
        fresh, or of a usual size.
        """
        reader, now = self.tile_reader, time.perf_counter()
        known = self._known
        numbers = known > 0
        strange = (reader.codes == UNREAD).mean() > TRACKING.strange
        learned = isinstance(reader, LearningReader)
        lost = self._lost.holds(strange, now) and strange
        if learned or (self._renewed is not None and now - self._renewed > TRACKING.size_seconds):
            self._renewed = None
        elif known.shape == reader.codes.shape and self._renewed is None:
            # A part of a larger board reads as one of the old size.
            now_there = reader.codes[numbers]
            if ((now_there != known[numbers]) & (now_there != UNREAD)).any():
                self._renewed = now
        if learned or not (lost or self._renewed is not None):
            return False
        self._lost = Persistence(TRACKING.lost_seconds)
        frame = without_own(self._screen.grab(), ())
        usual = {level[:2] for level in (*USUAL_LEVELS.values(), *reader.skin.levels.values())}

        def continues(seen: Sighting) -> bool:
            fresh = not (seen.tiles >= 0).any()
            if seen.tiles.shape != known.shape:
                larger = any(a > b for a, b in zip(seen.tiles.shape, known.shape, strict=True))
                whole = larger or fresh or seen.tiles.shape in usual
                return whole and is_in_place(seen.grid, reader.grid) and not self._smaller(seen)
            same = np.array_equal(seen.tiles[numbers], known[numbers])
            return same or (self.over and fresh)

        boards = survey(frame, [reader.skin])[0]
        if any(near(one.grid, reader.grid) for one in boards):
            self._renewed = None
        found = [one for one in boards if continues(one)]
        if len(found) != 1 or near(found[0].grid, reader.grid):
            return False
        if not self._lasting(frame, found[0].grid, found[0].skin):
            return False
        _log.info("Board found again at %s", found[0].grid.region)
        self._renewed = None
        grid = self._headed(frame, found[0].grid, None)
        self.tile_reader = tile_reader_of(
            grid, found[0].skin, None, self._learnable, found[0].unsure
        )
        return True

    def _view_in(self, region: Region, window: Window) -> Region:
        """Return the captured region of the board after its window has moved."""
        dx, dy = region.left - window.region.left, region.top - window.region.top
        return self.tile_reader.grid.moved(dx, dy).view

    def _move(self, window: Window, region: Region) -> None:
        dx, dy = region.left - window.region.left, region.top - window.region.top
        self.tile_reader = self.tile_reader.moved(dx, dy)
        _log.info("Window %d has moved: %s", window.id, region)
        if region[2:] != window.region[2:]:
            self._resized, self._sized = True, time.perf_counter()
        self.window = replace(window, region=region)
        grid = self.tile_reader.grid
        self.header.find(self._screen.grab(around(grid, self.window)), grid)
        self.tile_reader.grid = self.header.placed(grid)

    def _find_again(self, region: Region) -> bool:
        """Search the board in its window, which may have changed in position or size."""
        self._searched = time.perf_counter()
        frame = self._screen.grab(region)
        tile_reader = self.tile_reader
        learner = tile_reader if isinstance(tile_reader, LearningReader) else None
        found, remarks = self._boards_in(frame)
        if self._resized or frame.time - self._sized < _REDRAWN_SECONDS:
            self._refuse_part(found, remarks)
        cut = self._cut_off(remarks)
        if cut is not None and not found and self._elsewhere.holds("cut off", frame.time):
            # A scrolled page; an animation, or a window that is opening, ends soon.
            raise BoardCut(cut)
        if not found:
            self._refuse_other_page(frame.time)
        if len(found) != 1:
            return False
        grid, skin = found[0].grid, found[0].skin
        known = tile_reader.skin
        if skin.name == known.name:
            # It knows what was found out about the program, but has the pictures of one size.
            same = skin.tile == known.tile
            skin = known if same else skin.model_copy(update={"flood": known.flood})
        if not self._resized and (
            is_rest(grid, tile_reader.grid) or not self._lasting(frame, grid, skin)
        ):
            return False
        self._resized = False
        _log.info("Board found again at %s", grid.region)
        _log.debug("With skin '%s'", skin.name)
        # The learned pictures were cut from the old lattice.
        there = near(grid, tile_reader.grid) if learner else grid.region == tile_reader.grid.region
        if there and (learner or skin is tile_reader.skin):
            return False
        grid = self._headed(frame, grid, None)
        unsure = found[0].unsure
        if learner:
            self.tile_reader = learner.at(grid)
            self.tile_reader.unsure = unsure
        else:
            self.tile_reader = tile_reader_of(grid, skin, None, self._learnable, unsure)
        return True

    def _cut_off(self, remarks: Sequence[str]) -> CutOff | None:
        """Return the remark that only a part of the board is visible, if there is one.

        An object that cuts the board off is not in the middle of its earlier position: there, a
        skin that hardly fits finds only a part of the board.
        """
        parts = (one for one in remarks if isinstance(one, CutOff))
        return next((one for one in parts if not one.is_within(self.tile_reader.grid)), None)

    def _refuse_other_page(self, time: float) -> None:
        """Check that the window, in which no board is found, still has its title.

        Raises:
            PageLeft: The title has changed, and nothing of the board can be read.
        """
        window = self.window
        if window is None or (self.tile_reader.codes != UNREAD).any():
            return
        title = next((one.title for one in desktop().list_windows() if one.id == window.id), None)
        if title is None or numberless(title) == numberless(window.title):
            return
        if self._elsewhere.holds(title, time):
            raise PageLeft(
                f"the board has vanished: the window '{window.title}' shows '{title}' now. Go back "
                "to the game, then play again"
            )

    def _headed(self, frame: Frame, grid: Grid, given: int | None) -> Grid:
        """Return the grid with the counters around the board, which may have a new size.

        `given` is the user's number of mines for a board of another size, if given.
        """
        if (grid.rows, grid.cols) == (self.tile_reader.grid.rows, self.tile_reader.grid.cols):
            self.header.find(frame, grid)
        else:
            self._mines = given
            self.header = Header(frame, grid, given, self.window, self._known_boards)
        return self.header.placed(grid)

    def _boards_in(self, frame: Frame) -> tuple[list[Sighting], list[str]]:
        """Return the boards of the tracked skin, and remarks on unusable ones."""
        if isinstance(self.tile_reader, LearningReader):
            unknown, remarks = find_unknown_boards(frame, again=True)
            known, window = self._known_boards, self.window
            if not unknown and known is not None and window is not None:
                grid = marked_in(frame, window, known.marked_in)
                unknown = [] if grid is None else [unknown_board_at(frame, grid)]
            return [one.sighting for one in unknown if one.result.believable], remarks
        found, remarks = survey(frame, self._skins, knows=lambda *_: not self.lookalike)
        if not self._resized:
            # If the learning reader is about to take over, no worse skin is tried first.
            found = [one for one in found if not is_doubtful(one, self.window)]
        elif self.lookalike and not found:
            found = self._read_there(frame)
        return found, remarks

    def _read_there(self, frame: Frame) -> list[Sighting]:
        """Return the unknown boards that the tracked look-alike's skin reads.

        It may resemble them too little to be found by it in mid-game.
        """
        found, skin = [], self.tile_reader.skin
        for one in find_unknown_boards(frame, again=True)[0]:
            reader = tile_reader_of(one.grid, skin, None, self._learnable, one.unsure)
            reader.see(frame)
            read = float((reader.codes != UNREAD).mean())
            if read >= READ:
                found.append(Sighting(one.grid, skin, reader.codes, read, unsure=one.unsure))
        return found

    def _refuse_part(self, found: Sequence[Sighting], remarks: Sequence[str]) -> None:
        """Check that the resized window shows all of its board.

        Raises:
            BoardCut: The window shows only part of the board.
        """
        problem = "; ".join(remarks) if not found else ""
        if len(found) == 1 and self._smaller(found[0]):
            rows, cols = self._known.shape
            problem = CutOff(
                found[0].skin.label,
                found[0].grid,
                f"it had {rows} rows and {cols} columns",
            )
        if problem:
            self._resized = True
            raise BoardCut(f"The game's window has another size now. {problem}")

    def _smaller(self, seen: Sighting) -> bool:
        """Return whether a board may be a part of the previous one."""
        known = self._known.shape
        less = seen.tiles.shape != known and all(
            now <= before for now, before in zip(seen.tiles.shape, known, strict=True)
        )
        return (less and bool(seen.unsure)) or part_of(seen.tiles, self._known)

    def _lasting(self, frame: Frame, grid: Grid, skin: Skin) -> bool:
        """Return whether a board of another skin or size lasts for a while: others slide in."""
        tile_reader = self.tile_reader
        # A skin that is being learned is found without its name.
        name = skin.name if isinstance(tile_reader, LearningReader) else tile_reader.skin.name
        other = (skin.name, grid.rows, grid.cols)
        same = other == (name, tile_reader.grid.rows, tile_reader.grid.cols)
        return same or self._elsewhere.holds(other, frame.time)

    def _covered(self) -> bool:
        """Return whether another window hides an unreadable tile."""
        hidden = self.tile_reader.codes == UNREAD
        return not self._captures_window() and not is_visible(
            self.window, self.tile_reader.grid, hidden
        )

    def _whole(self, grid: Grid) -> bool:
        """Return whether no other window hides any part of a board."""
        return self._captures_window() or is_visible(self.window, grid)

    def _learnable(self, grid: Grid) -> bool:
        """Return whether the visible part of a board is only its tiles."""
        return self._whole(grid) and self._box() is None

    def _box(self) -> Region | None:
        """Return the box in the window that covers unreadable cells, if any."""
        tile_reader = self.tile_reader
        if UNREAD not in tile_reader.codes:
            return None
        box = box_over(
            self._screen.grab(around(tile_reader.grid, self.window)),
            tile_reader.grid,
            tile_reader.codes,
            may_dim=isinstance(tile_reader, LearningReader) or self.lookalike,
        )
        return box if box is not None and self._is_in_window(box) else None

    def _is_in_window(self, box: Region) -> bool:
        """Return whether a box is drawn by the game, as far as known, and not a window over it."""
        if self.window is None or self._captures_window():
            return True
        right, bottom = box.left + box.width - 1, box.top + box.height - 1
        corners = [Point(x, y) for x in (box.left, right) for y in (box.top, bottom)]
        return all(desktop().uncovered(self.window.id, [box.center, *corners]))

    def _captures_window(self) -> bool:
        """Return whether the window is captured without the windows above it."""
        return self.window is not None and self._screen.is_selected(self.window.id)


def _gone(window: Window) -> BoardNotFound:
    if desktop().exists(window.id):
        return WindowHidden(
            f"the window '{window.title}' is minimised, or off the desktop: bring it back"
        )
    return _closed(window)


def _closed(window: Window) -> WindowClosed:
    return WindowClosed(f"the window '{window.title}' was closed")


def header_of(
    screen: Screen, target: Target, mines: int | None, known: KnownBoards | None = None
) -> Header:
    """Return the counters around a board on the screen."""
    place, picture = around(target.grid, target.window), target.picture
    if picture is None:
        frame = screen.grab(place)
    else:
        seen = place.intersection(picture.region) or picture.region
        frame = Frame(picture.image[picture.pixels(seen)], seen, picture.time, picture.number)
    return Header(frame, target.grid, mines, target.window, known)


def mines_of(screen: Screen, target: Target, given: int | None, known: KnownBoards) -> int | None:
    """Return the number of mines of a board; None if unknown so far.

    Args:
        screen: The screen that shows it.
        target: The board.
        given: The number that the user gave, if any.
        known: What is known of boards from earlier games.
    """
    try:
        header = header_of(screen, target, given, known)
        return header.read(header.frame, target.grid, target.skin, target.sighting.tiles).mines
    except MinesUnknown:
        return None
