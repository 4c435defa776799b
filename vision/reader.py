"""Find the board once, then read its changes.

A reading captures the board and a margin around it. If the picture is unchanged, so is the reading;
else only the changed cells are matched, and the board follows its window
(`vision.tracking.tracked_board`). Unreadable tiles are UNREAD, and so are hints that cannot all be
true.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import inf
from typing import Final, NamedTuple

from bot.board import UNREAD, Board, Cell
from bot.frame import Frame, Grid, Point, Reading, Region, Status
from bot.game import Rules
from bot.planner import Move
from bot.unread import Cause, Unread
from vision.captions import (
    are_illegible,
    end_button,
    end_line,
    end_of,
    end_of_message,
    level_button,
    lone_yes,
    may_do_harm,
    menu_entry,
    message_button,
    named_key,
    says_count,
    says_new_game,
)
from vision.click_guard import refuse_others
from vision.counters.header import around
from vision.counters.mines import KnownBoards, MinesUnknown
from vision.desktop import Screen, Window, desktop
from vision.finder import BoardNotFound
from vision.finder.placing import Side
from vision.focus import NotInFront, dialogs_of, take_focus
from vision.learning.button import (
    Button,
    buttons_in,
    buttons_near,
    changed_below,
    menus_above,
    text_rows,
    texts_in,
)
from vision.learning.learning_reader import LearningReader, keep
from vision.learning.questions import Question
from vision.privacy import cut, without_others
from vision.skins import Dialog, Face, Restart, Skin, SkinError, load_skin
from vision.skins.own_skins import allow_keys
from vision.skins.skin import Convention
from vision.text import lines
from vision.tracking.cells import unchanged
from vision.tracking.lookalikes import LOOKALIKE_SECONDS
from vision.tracking.pagedialog import drawn_over, new_box, wide_button
from vision.tracking.targets import Wanted, choose, window_called
from vision.tracking.tile_reader import reading_of
from vision.tracking.tracked_board import TrackedBoard

_UNREAD_SECONDS: Final = 3.0
"""Seconds after which unread tiles of a known program may belong to another theme or font. By then
the loop has parked the pointer: a cell under it may look different."""

_RISING_SECONDS: Final = 0.5

_GAPS: Final = (1, 2)
"""Distances of a menu from its title's text at which it is looked for, in heights of the text."""


class MenuEntry(NamedTuple):
    """An entry of an open menu."""

    place: Region
    """Its text, in points."""
    popup: Window | None
    """The menu's window; None if it is drawn in the game's."""


class Reader:
    """Reads one board on the screen.

    Args:
        screen: The screen; used only in this thread, like the reader itself.
        skins: The possible skins.
        window: The board that is meant.
        mines: The number of mines; None to use the counter or the skin's levels. With 0, the user's
            earlier number for the board is dropped.
        rules: The rules of the game.
        known: What is known of boards from earlier games, if anything.

    Attributes:
        allow_unknown: Whether a board of an unknown skin may be used.
    """

    def __init__(
        self,
        screen: Screen,
        skins: Iterable[Skin],
        window: Wanted = None,
        mines: int | None = None,
        rules: Rules = Rules.CLASSIC,
        known: KnownBoards | None = None,
    ) -> None:
        self.screen = screen
        """The screen."""
        self.skins = tuple(skins)
        """The possible skins."""
        self._wanted = window
        self.allow_unknown = True
        self._mines = mines
        self.mines_answered = False
        """Whether the number is an answer for this board that is not stored yet."""
        self._known = known or KnownBoards()
        self._rules = rules
        self._board: TrackedBoard | None = None
        self._anew = False
        """Whether the next reading has to find the board again."""
        self._kept = 0
        """Number of the skin's pictures that were saved last; nothing is written twice."""
        self._last: Reading | None = None
        """The reading of the last picture, if only a new picture can change it."""
        self._blocked: Cause | None = None
        """Why not all of the board is visible."""
        self._causes: Mapping[Cell, Unread] = {}
        """The unread tiles of the last reading."""
        self._unread: Board | None = None
        self._unread_since = inf
        self._risen = -inf

    @property
    def skin(self) -> Skin:
        """The skin of the board; known after the first reading."""
        return self._seen().tile_reader.skin

    @property
    def grid(self) -> Grid:
        """The position of the board; known after the first reading."""
        return self._seen().tile_reader.grid

    @property
    def window(self) -> Window | None:
        """The board's window; None before the first reading and if unknown."""
        return self._board.window if self._board else None

    @property
    def questions(self) -> tuple[Question, ...]:
        """The kinds of tile on the board whose state is unknown, for a learned skin."""
        return self._seen().tile_reader.questions

    @property
    def passed(self) -> tuple[Question, ...]:
        """The kinds of tile that are only known to be opened."""
        tile_reader = self._seen().tile_reader
        return tile_reader.passed if isinstance(tile_reader, LearningReader) else ()

    @property
    def unsure(self) -> tuple[Side, ...]:
        """Sides at which the board's end is uncertain, until `note_whole`."""
        return self._seen().tile_reader.unsure

    def note_whole(self) -> None:
        """Treat the board as complete, as confirmed by the user."""
        self._seen().tile_reader.unsure = ()
        self._last = None

    def conclude(self) -> bool:
        """Settle kinds if the board has not changed for a while; return whether one was settled."""
        tile_reader = self._seen().tile_reader
        return isinstance(tile_reader, LearningReader) and tile_reader.conclude()

    def pass_over(self) -> bool:
        """Read unknown tiles as OPENED where that is sure; return whether there are any."""
        tile_reader = self._seen().tile_reader
        return isinstance(tile_reader, LearningReader) and tile_reader.pass_over()

    def end_at_passed(self) -> bool:
        """Read the only opened tile of a game as its mine, as clicks elsewhere have no effect."""
        tile_reader = self._seen().tile_reader
        return isinstance(tile_reader, LearningReader) and tile_reader.end_at_passed()

    def answer(self, question: Question, state: int) -> None:
        """Set the state of a kind of tile and save it with the skin.

        Raises:
            AnswerRefused: The answer contradicts the board; it is ignored.
        """
        tile_reader = self._seen().tile_reader
        if isinstance(tile_reader, LearningReader):
            tile_reader.answer(question, state)

    def answer_mines(self, mines: int) -> None:
        """Use the user's number of mines for this board from the next reading on.

        It is stored for boards of this program and size once a reading has not contradicted it.
        """
        self._mines, self.mines_answered, self._last = mines, True, None
        # Finding a board again in the middle of a game would lose what was learned of its skin.
        self._seen().header.answer(mines)

    def replace_mines(self, mines: int, *, proved: bool = False) -> None:
        """Play the game in progress with this number of mines, whatever its counter shows.

        If its hints have `proved` it, it is that of the next game as well.
        """
        header = self._seen().header
        header.replacement = mines
        header.proved = mines if proved else header.proved
        self._last = None

    @property
    def usual_mines(self) -> int | None:
        """The number of mines, if only the size of an unknown program's board determines it."""
        return self._seen().header.usual

    def refute_mines(self, mines: int) -> None:
        """Reject this number, from any source, on boards of this program and size."""
        grid = self.grid
        self._known.refute(self.window, self.skin, grid.rows, grid.cols, mines)

    def keep_mines(self) -> None:
        """Store the number of mines given beforehand for boards of this program and size.

        To be called when this is certainly the board for which the number was given.
        """
        grid, given = self.grid, self._mines
        self.mines_answered = False
        if given is None:
            return
        self._seen().header.note_alone(self.skin, given)
        if given != self._known.recall(self.window, self.skin, grid.rows, grid.cols).said:
            self._known.keep(self.window, self.skin, grid.rows, grid.cols, given)

    def mark(self, window: Window, grid: Grid) -> None:
        """Use, and store, the board that the user has marked in a window without a visible one."""
        self._known.mark(window, grid)

    def unmark(self) -> bool:
        """Forget where the user has marked this board; return whether it was marked."""
        return self.window is not None and self._known.unmark(self.window)

    def note_face(self, face: Face) -> None:
        """Register the button that has started a game; it is not saved in the skin yet."""
        tile_reader = self._seen().tile_reader
        tile_reader.grid = replace(tile_reader.grid, face=face.region(tile_reader.grid))
        self._last = None

    def note_restart(self, restart: Restart, times: int = 0) -> None:
        """Save how the next game is started, and how often it worked, in a user's skin.

        Raises:
            SkinError: The skin cannot be written.
        """
        tile_reader, window = self._board.tile_reader if self._board else None, self.window
        if not isinstance(tile_reader, LearningReader):
            if window is not None and restart.key is not None:
                allow_keys(self.skin.name, window.title, window.program, restart, None)
            return
        if restart.key is not None and window is not None:
            tile_reader.allow(window, restart, None)
        else:
            tile_reader.restart = restart
        tile_reader.count("restart", times)
        face = None if restart.menu else restart.face
        tile_reader.grid = replace(
            tile_reader.grid, face=face.region(tile_reader.grid) if face else None
        )
        self._kept = 0

    def note_dialog(self, dialog: Dialog) -> None:
        """Save the key that the user allowed for a dialog, in a skin of the user.

        Raises:
            SkinError: The skin cannot be written.
        """
        tile_reader, window = self._board.tile_reader if self._board else None, self.window
        if window is None:
            return
        if isinstance(tile_reader, LearningReader):
            tile_reader.allow(window, None, dialog)
            self._kept = 0
        else:
            allow_keys(self.skin.name, window.title, window.program, None, dialog)

    def note_found(self, name: Convention, value: object, times: int) -> None:
        """Register a finding about the program; saved with a learned skin.

        None if the earlier finding is no longer valid.
        """
        tile_reader = self._board.tile_reader if self._board else None
        if isinstance(tile_reader, LearningReader):
            tile_reader.note(name, value, times)
            self._kept = 0

    def note_moves(self, moves: tuple[Move, ...]) -> None:
        """Register the moves that are about to be made: they tell what covered cells become."""
        self._seen().note_moves(moves)

    def take_counter_side(self) -> str | None:
        """Return which of two numbers has counted the mines since the last call."""
        header = self._board.header if self._board else None
        if header is None:
            return None
        side, header.side = header.side, None
        return side

    def confirm_found(self, *names: Convention) -> None:
        """Count one more confirmation of a finding about the program, and save it."""
        board = self._board
        if board is None or not isinstance(board.tile_reader, LearningReader):
            return
        for name in names:
            board.tile_reader.count(name, board.tile_reader.skin.confirmed.get(name, 0) + 1)
            self._kept = 0
        self._keep(board)

    def buttons(self) -> list[Button]:
        """Return the candidates for a button that starts the next game, the likeliest first."""
        grid, window = self.grid, self.window
        if window is None:
            return buttons_near(self.screen.grab(around(grid, None)), grid, own_bars=True)
        frame, own_bars = self.screen.grab(self._contents(window)), self.in_page
        return buttons_near(frame, grid, own_bars=own_bars, mines=self._level_mines)

    def _contents(self, window: Window) -> Region:
        """Return the region of a window without its decoration."""
        left, right, top, bottom = desktop().decoration(window.id).margins
        place = window.region
        return Region(
            place.left + left,
            place.top + top,
            place.width - left - right,
            place.height - top - bottom,
        )

    @property
    def _level_mines(self) -> int | None:
        """The mines of an unknown program's board, by which the label of its level is known."""
        tile_reader = self._seen().tile_reader
        return tile_reader.mines if isinstance(tile_reader, LearningReader) else None

    def menus(self) -> list[Region]:
        """Return the titles of menus above the board that may start a game, in points."""
        window = self.window
        if window is None:
            return []
        contents = self.screen.grab(self._contents(window))
        return menus_above(contents, self.grid, in_page=self.in_page)

    def named_key(self) -> str | None:
        """Return the key that the window says starts the next game; None in a page."""
        return None if self.window is None or self.in_page else named_key(lines(self.page().image))

    def has_menu(self, title: Region) -> bool:
        """Return whether the menu at a title is open, as a window of its own."""
        return self.window is not None and _popup_at(title, self.window, below=True) is not None

    def menu_entry(
        self, title: Region, before: Frame, *, below: bool = True, legible: bool = False
    ) -> MenuEntry | None:
        """Return the entry that starts a game in the menu that has opened at its title.

        The menu is a window of its own, or what has changed in the game's.

        Args:
            title: Where the menu was opened, in points: its title, or a row of another menu.
            before: The `page` before that.
            below: Whether it opens below; else beside, as a submenu does.
            legible: Whether the entry must be one that can be read.
        """
        window, grid = self.window, self.grid
        if window is None:
            return None
        self.screen.select_desktop()
        popup = _popup_at(title, window, below=below)
        place = popup.region if popup else None
        if below and popup is None:
            place = changed_below(self.page(), before, title)
        seen = place and self.screen.region.intersection(place)
        if not seen:
            return None
        frame = self.screen.grab(seen)
        texts = lines(frame.image)
        line = menu_entry(texts, (grid.rows, grid.cols), self._level_mines)
        rows = [line.region] if line else text_rows(frame.image)
        # In letters that cannot be read, it is the first of several: the last ends the program.
        first = below and not legible and popup is not None and len(rows) > 1
        if line is None and not (first and are_illegible(texts) and not may_do_harm(texts)):
            return None
        place = frame.region_of(rows[0])
        # A menu may have opened since.
        there = desktop().window_at(place.center)
        return MenuEntry(place, popup) if there and there.id == (popup or window).id else None

    @property
    def in_page(self) -> bool:
        """Whether the board is in a window with bars of its program's own, as a browser's."""
        window = self.window
        return window is not None and desktop().decoration(window.id).own_bars

    @property
    def page_dialog(self) -> Region | None:
        """The box that a web page had drawn over the board at the last reading, in points."""
        return self._board.page_dialog if self._board else None

    def new_box(self, before: Frame) -> Region | None:
        """Return a box in the window that is not in an earlier `page`, in points."""
        return None if self.has_vanished() else new_box(self.page(), before, self.grid)

    def buttons_of(self, dialog: Region) -> list[Region]:
        """Return the button candidates of a dialog, in points, the lowest first."""
        grid = self.grid
        return buttons_in(self.screen.grab(dialog), min(grid.pitch_x, grid.pitch_y))

    def places_of(self, dialog: Region) -> list[Region]:
        """Return what the user may name in a dialog: its `buttons_of`, and the texts beside them.

        Such a text may be that of a button without a frame of its own. A count is no button.
        """
        grid, buttons, frame = self.grid, self.buttons_of(dialog), self.screen.grab(dialog)
        texts = texts_in(frame, min(grid.pitch_x, grid.pitch_y))
        places = [(frame.region_of(line.region), says_count(line.text)) for line in texts]
        counts = [place.center for place, counts in places if counts]
        return [one for one in buttons if not any(map(one.contains, counts))] + [
            place
            for place, counts in places
            if not (counts or any(one.contains(place.center) for one in buttons))
        ]

    def end_button(self, dialog: Region, *, message: bool = False) -> Region | None:
        """Return the text of the button with which a player leaves a dialog, in points, if sure.

        `message`: only that of a message without a choice. Otherwise, a text that cannot be read
        does not matter if there is only one button; nor over the board, if there are texts of which
        none can be read. A button 'Yes' must be the only one. Without any button, it is the text
        that says how the game has ended.
        """
        grid, frame = self.grid, self.screen.grab(dialog)
        texts = texts_in(frame, min(grid.pitch_x, grid.pitch_y))
        line = (message_button if message else end_button)(texts)
        if line is not None:
            return frame.region_of(line.region)
        height, width = frame.image.shape[:2]
        foreign = bool(texts) and are_illegible(texts)
        over = foreign and dialog.intersection(grid.region) is not None
        buttons = () if message else self.buttons_of(dialog)
        if len(buttons) == 1 and (line := lone_yes(texts)):
            return frame.region_of(line.region)
        if (message and not over) or may_do_harm(texts):
            return None
        if not (message or buttons) and (line := end_line(texts)):
            return frame.region_of(line.region)
        return wide_button(frame, Region(0, 0, width, height), grid)

    def level_button(self) -> Region | None:
        """Return the text of the board's level in a menu of the window, in points."""
        if self.window is None:
            return None
        grid, frame = self.grid, self.page()
        line = level_button(lines(frame.image), (grid.rows, grid.cols), self._level_mines)
        return None if line is None else frame.region_of(line.region)

    def end_in(self, dialog: Window) -> Status | None:
        """Return how the game has ended by the title and text of a dialog; None if unknown."""
        grid, frame = self.grid, self.screen.grab(dialog.region)
        texts = texts_in(frame, min(grid.pitch_x, grid.pitch_y))
        return end_of([dialog.title, *(line.text for line in texts)])

    def end_in_box(self, box: Region) -> Status | None:
        """Return how the game has ended by the text of a box that asks nothing; None if unknown."""
        grid = self.grid
        return end_of_message(texts_in(self.screen.grab(box), min(grid.pitch_x, grid.pitch_y)))

    def offers_game(self, box: Frame) -> bool:
        """Return whether a box has a button that starts a game, by its picture."""
        texts = texts_in(box, min(self.grid.pitch_x, self.grid.pitch_y))
        return any(says_new_game(one.text, in_dialog=True) for one in texts)

    def end_over_board(self) -> Status | None:
        """Return how the game has ended by what is written over its board; None if nothing is."""
        frame = self.screen.grab(self.grid.region)
        # In a small box no tile may be repeated, so that what is drawn over the tiles is no text.
        images = [drawn_over(frame, self.grid), frame.image]
        if self.page_dialog is not None and desktop().lists_windows:
            # It may be wider than the board; elsewhere it may be another program's window.
            images.append(self.screen.grab(self.page_dialog).image)
        for image in images:
            if (found := end_of([line.text for line in lines(image)])) is not None:
                return found
        return None

    def page(self) -> Frame:
        """Return the current picture of the whole window, if it is known; else as `picture`."""
        seen = self.screen.region.intersection(self.window.region) if self.window else None
        return self.picture(seen)

    def picture(self, place: Region | None = None) -> Frame:
        """Return the current picture of the board and its window around it, or of a region."""
        return self.screen.grab(place or around(self._seen().tile_reader.grid, self.window))

    def look(self) -> Reading:
        """Read the board once; the first time, find it.

        Raises:
            BoardNotFound: There is no board, or not the requested one.
            SeveralBoards: There is more than one board.
            MinesUnknown: The number of mines must be given.
            WindowClosed: The window is gone.
            WindowHidden: The window is minimised, or off the desktop.
            BoardCut: Only part of the board is visible.
            ScreenError: The screen cannot be read.
        """
        if self._board is None or self._anew:
            self._board = self._found()
            self._anew = False
        board = self._board
        if self._last is not None and UNREAD in self._last.board.tiles:
            # A game that was killed while drawing leaves an impossible board.
            self.recheck_window()
        begin, captured = time.perf_counter(), self.screen.seconds
        frame, changed = board.see()
        if changed:
            self._blocked, self._last = board.obstacle(frame), None
        try:
            reading = self._last or reading_of(
                frame, board.tile_reader, board.header, self._blocked, self._rules,
                doubt_hints=True, before=self._causes,
            )  # fmt: skip
        except MinesUnknown:
            # A counter may be drawn later than the board: the next reading starts again.
            self._anew = not (
                isinstance(board.tile_reader, LearningReader) and board.tile_reader.pending
            )
            self.allow_unknown = True
            raise
        board.over, self._causes = reading.status.over, reading.unread
        if self.mines_answered:
            self.keep_mines()
        if isinstance(board.tile_reader, LearningReader):
            board.tile_reader.mines = reading.board.mines
            # A number or a hint may be wrong though each tile is known.
            stays = self._stays_unread(replace(reading, frame=frame), board)
            if stays and not board.tile_reader.questions and board.tile_reader.conclude():
                return self.look()
        elif self._stays_unread(replace(reading, frame=frame), board) and board.learn():
            return self.look()
        elif not board.header.undecided:
            self._last = reading
        remarks = reading.remarks + self._keep(board)
        capture = self.screen.seconds - captured
        seconds = {"capture": capture, "read": time.perf_counter() - begin - capture}
        frame = _private(replace(reading, frame=frame), board.window)
        return replace(reading, frame=frame, remarks=remarks, seconds=seconds)

    def unchanged(self, cells: Sequence[Cell], since: Reading) -> int:
        """Return how many of some cells still look as in a reading, at the board's position then.

        Raises:
            ScreenError: The screen cannot be read.
        """
        return unchanged(cells, since.grid, since.frame, self.screen.grab) if cells else 0

    def begins_in(self, window: Window) -> bool:
        """Return whether another window of the program shows the next game."""
        self.screen.select_desktop()
        return self._seen().begins_in(window)

    def begin_anew(self, successor: Window | None = None) -> None:
        """Prepare to find the board again in another window of the same program.

        Args:
            successor: That window, if it is known.
        """
        if successor is not None:
            self._wanted = successor.id
        elif isinstance(self._wanted, int) and self.window is not None:
            # An empty text would match every window.
            self._wanted = self.window.program or self.window.title or self._wanted
        self.allow_unknown = self.skin.learned or self._seen().lookalike
        self._anew = True

    def guard(self, points: Sequence[Point]) -> None:
        """Check that a click at each of these points reaches the game's window.

        Raises:
            NotInFront: The window is gone, has moved, or something else lies there.
        """
        if self.window is None:
            return
        try:
            refuse_others(self.window, points)
        except NotInFront:
            self.recheck_window()
            raise

    def is_shown(self) -> bool:
        """Return whether the board, or a box in its page, is still where it was last read.

        For window systems that do not tell which window lies at a point.
        """
        shown = self.page_dialog is not None or self._seen().is_shown()
        if not shown:
            self.recheck_window()
        return shown

    def has_vanished(self) -> bool:
        """Return whether the board has disappeared, where closed windows are not reported."""
        return self._seen().has_vanished()

    def recheck_window(self) -> None:
        """Let the next reading query the window's position: the picture may be stale."""
        if self._board is not None:
            self._board.recheck_window()

    def focus(self, wait: Callable[[float], bool]) -> None:
        """Give the game's window the keyboard, and wait until it has it.

        Raises:
            NotInFront: The window does not get the keyboard.
            Stopped: The user stopped: `wait`, an event's, returned True.
        """
        if self.window is not None:
            take_focus(self.window, wait)

    def raise_window(self) -> None:
        """Raise the game's window, at most every half a second, as that takes a moment."""
        now = time.perf_counter()
        if self.window is not None and now - self._risen >= _RISING_SECONDS:
            self._risen = now
            desktop().activate(self.window)

    def wake(self, wait: Callable[[float], bool]) -> bool:
        """Give the keyboard to the one selected window, if no board has been seen so far.

        A game may cover its board while another window has the keyboard.

        Returns:
            Whether there was such a window.

        Raises:
            Stopped: The user stopped: `wait`, an event's, returned True.
        """
        name = self._wanted
        if name is None or isinstance(name, Point) or self._board is not None:
            return False
        shown = desktop().list_windows()
        meant = [one for one in shown if not one.own and window_called(one, name)]
        if len(meant) != 1:
            return False
        with suppress(NotInFront):
            take_focus(meant[0], wait)
        return True

    def _found(self) -> TrackedBoard:
        target = choose(
            self.screen,
            self.skins,
            self._wanted,
            allow_unknown=self.allow_unknown,
            marked=self._known.marked_in,
        )
        before = self._board
        if before is not None:
            was, now = before.tile_reader.grid, target.grid
            if (was.rows, was.cols) != (now.rows, now.cols):
                # The user's number of mines belongs to another board.
                self._mines, self.mines_answered = None, False
        if self._mines == 0:
            grid = target.grid
            self._known.forget(target.window, target.skin, grid.rows, grid.cols)
            self._mines = None
        return TrackedBoard(self.screen, target, self.skins, self._mines, self._known)

    def _seen(self) -> TrackedBoard:
        if self._board is None:
            raise BoardNotFound("no board has been looked at yet")
        return self._board

    def _stays_unread(self, reading: Reading, board: TrackedBoard) -> bool:
        """Return whether the same tiles have stayed unread for a while; True once per board."""
        unread = reading.status is Status.PLAYING and UNREAD in reading.board.tiles
        if not unread or reading.board != self._unread:
            self._unread, self._unread_since = reading.board, reading.frame.time
            return False
        waited = reading.frame.time - self._unread_since
        if waited < (LOOKALIKE_SECONDS if board.lookalike else _UNREAD_SECONDS):
            return False
        self._unread_since = inf
        return True

    def _keep(self, board: TrackedBoard) -> tuple[str, ...]:
        """Save the learned part of the skin, once it suffices; return the remarks on that."""
        tile_reader = board.tile_reader
        if not isinstance(tile_reader, LearningReader) or tile_reader.learned == self._kept:
            return ()
        self._kept = tile_reader.learned
        try:
            folder = keep(tile_reader, board.window, tile_reader.mines)
            if folder is None:
                return ()
            learned = load_skin(folder)
        except SkinError as error:
            return (f"what was learned of this skin cannot be kept: {error}",)
        # The next game may have a window of its own.
        self.skins = (*(one for one in self.skins if one.name != learned.name), learned)
        return (f"this skin is learned as '{learned.name}': {folder}",)


def _popup_at(title: Region, window: Window, *, below: bool) -> Window | None:
    """Return the menu below or beside a title, if it is a window of its own."""
    x, y = title.center
    for gap in (title.height * number for number in _GAPS):
        point = Point(x, title.bottom + gap) if below else Point(title.right + gap, y)
        found = desktop().window_at(point)
        if found is not None and found.id != window.id:
            usable = desktop().is_popup(found.id) and desktop().same_client(found, window)
            return found if usable else None
    return None


def _private(reading: Reading, window: Window | None) -> Frame:
    """Return the part of a reading's frame that may be shown and saved."""
    frame = cut(reading.frame, window)
    if window is None or reading.status is not Status.BLOCKED:
        return frame
    dialogs = [one.region for one in dialogs_of(window)]
    return without_others(frame, partial(desktop().uncovered, window.id), dialogs)
