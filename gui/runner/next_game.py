"""Start the next game.

Keys and clicks have different effects in each program. Keys are sent only to programs that the skin
identifies by their class, and those that the user, or a text in the game's own window ('Press R to
restart'), has named for a program. The next game of an unknown program is started by a button of a
dialog or near the board that says so, by the only button above the board, by a click on the
finished board, or by an entry of a menu. If none of them works, the user is asked.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, replace
from math import dist
from typing import Final

import numpy as np

from bot.board import COVERED, EXPLODED, MINE, UNREAD, Board, Cell
from bot.effects import is_other_game
from bot.frame import Frame, Grid, Point, Reading, Region, Status
from bot.loop import Turn
from bot.mouse import MouseError
from bot.planner import Action, Move
from bot.waiting import LOOK_INTERVAL, Waits
from gui.questions import ByUser, ClickAt, LeftOpen, PressKey, ProgramQuestion
from gui.runner import timeouts
from gui.runner.access import Access
from gui.runner.closing import SURE, DialogCloser, boxes_in, point_at
from gui.runner.restart import fresh_board, hides, is_new_game
from gui.runner.startup import ask_about
from gui.runner.stored_answers import (
    face_of,
    forget_face,
    keep_face,
)
from vision.desktop import NOWHERE, desktop
from vision.focus import (
    NotInFront,
    StrangeDialog,
    is_known_program,
    plain_key,
    restart_key,
)
from vision.learning.button import face_at
from vision.learning.questions import AnswersNeeded
from vision.reader import MenuEntry
from vision.skins import Face, Restart
from vision.tracking.cells import remains
from vision.tracking.pagedialog import PageDialog
from vision.tracking.tracked_board import TRACKING

_log = logging.getLogger(__name__)

_ON_BOARD: Final = "the finished board"


class RestartUnknown(MouseError):
    """The way to start the next game is unknown, and there is no user to ask."""

    def __init__(self, title: str) -> None:
        super().__init__(
            f"the run ended after this game of '{title}', as nothing tells how the next one "
            "starts there. Play it in the panel, or with 'minesweeper-bot play' in a terminal: "
            "they ask for the button or the key, and store the answer"
        )


class _DialogMet(Exception):
    """A dialog of the game is open, so that the input did not reach its window."""


class _BoardMoved(Exception):
    """The board was found at another position, so that the input may have missed its window."""


@dataclass(frozen=True)
class _Way:
    """A way to start the next game: a key, a button, a menu's entry, or the finished board."""

    restart: Restart
    """What is stored of it, in the format of a skin."""
    key: str | None = None
    """The key to press; None for a click."""
    cell: Face | None = None
    """The cell of the finished board to click, which is another one after each game."""
    answered: bool = False
    """Whether the user named it."""

    @property
    def face(self) -> Face | None:
        """The stored button, if the way is a click."""
        return self.restart.face if self.key is None else None

    @property
    def name(self) -> str:
        """A key, or a description."""
        if self.face is None:
            return self.key or ""
        return _ON_BOARD if self.cell is not None else _name_of(self.face)


class BetweenGames:
    """The ways to start the next game, of which it finds the one that works."""

    def __init__(self, access: Access, closer: DialogCloser) -> None:
        self._access, self._closer = access, closer
        self._reader, self._mouse = access.reader, access.mouse
        self._operator = access.operator
        self._waits = Waits(access.operator.stopped.wait, access.operator.report)
        self._user_starts = False
        """Whether the user starts each game, so that the run waits for it."""
        self._found: _Way | None = None
        """The way that started a game of this run."""
        self._named: _Way | None = None
        """The way that the user has named, while it is tried."""
        self._found_size = 0, 0
        """Width and height of the board at that time, in points."""
        self._worked: Counter[str] = Counter()
        self._tried: set[str] = set()
        """Buttons that started no game in this run."""
        self._interrupted: Counter[str] = Counter()
        """Number of times that a dialog opened when a way was tried."""
        self._last: Turn | None = None
        """The last turn with moves."""
        self._begun = False
        """Whether a game was started, and no move was made in it."""
        self._ended: Board | None = None
        """The board of the game that is over, while ways to start the next one are tried."""
        self._flags_tried = self._flagged = False
        """Whether flags were tried to end a won game, and whether its mines were flagged."""

    @property
    def _known(self) -> bool:
        return is_known_program(self._reader.skin, self._reader.window)

    def note_move(self, turn: Turn) -> None:
        """Register the upcoming moves of a turn."""
        self._last = turn
        clicks = sum(move.action in (Action.OPEN, Action.CHORD) for move in turn.moves)
        self._closer.note_move(clicks, first=self._begun)
        self._begun = False

    def start(self, turn: Turn) -> None:
        """Start the next game.

        Args:
            turn: The last one of the game that is over.

        Raises:
            RestartUnknown: No way works.
            Stopped: The user stopped.
        """
        self._access.hold()
        before = turn.reading.board
        if self._user_starts:
            self._await_game(before)
            return
        skin, window = self._reader.skin, self._reader.window
        if self._known:
            key = restart_key(skin, window)
            if turn.reading.grid.face is not None:
                self._mouse.act(turn)
                return
            if key is not None:
                self._press(key)
                return
        met, self._named = False, None
        while True:
            try:
                if met and self._has_begun(before):
                    # By the way that was interrupted.
                    self._interrupted.clear()
                    self._note_named()
                else:
                    self._try_and_ask(turn, before)
                self._note_flags()
                self._begun = True
            except _DialogMet:
                # It opened after the end was read, and received the click; another one may follow.
                self._closer.close_dialogs()
                self._closer.close_page_dialog(over=True)
                self.choose_level_after_dialog()
                met = True
            except _BoardMoved:
                met = True
            else:
                return

    def _try_and_ask(self, turn: Turn, before: Board) -> None:
        tried, self._ended = False, before
        if self._closer.await_expected_box():
            raise _DialogMet
        while ways := self._ways(turn):
            tried = True
            if self._try(ways[0], turn):
                return
        if not tried and self._waits.until(lambda: self._has_begun(before), timeouts.DIALOG_OPENS):
            return
        board = self._board_way(turn)
        for way in [*([] if board is None else [board]), *self._menu_ways()]:
            if self._try(way, turn):
                return
        if self._closer.has_met_input():
            raise _DialogMet
        if self._closer.close_unlisted():
            # It has taken the keys, and was not known to be open until now.
            self._tried.clear()
            raise _DialogMet
        if self._flag_mines(turn):
            self._try_and_ask(turn, before)
        else:
            self._ask(turn, before)

    def _note_flags(self) -> None:
        """Store that the program's games end when their mines are flagged, if that was seen."""
        if self._flagged and not self._reader.skin.flags_to_win:
            self._reader.note_found("flags_to_win", True, 1)

    def _flag_mines(self, turn: Turn) -> bool:
        """Flag the mines of a won game, once in a run, as some programs end only then.

        Returns:
            Whether they are flagged now.
        """
        if self._flags_tried or turn.reading.status is not Status.WON:
            return False
        self._flags_tried = True
        reading = self._look()
        mines = list(reading.board.cells(COVERED))
        # A click on a board of another game, or of one that is not over, might do harm.
        if reading.status is not Status.WON or len(mines) != reading.board.mines:
            return False
        _log.info("No way starts the next game: the mines are flagged")
        self._tried.clear()
        # Where a right click does something else, as in some pages, it is made only once.
        first = self._flag(turn, mines[:1])
        try:
            self._flagged = first and self._flag(turn, mines[1:])
        except _DialogMet:
            # It says that the game has ended by them.
            self._flagged = True
            raise
        return self._flagged

    def _flag(self, turn: Turn, mines: list[Cell]) -> bool:
        """Flag covered cells of a won game; return whether none of them is covered any more."""

        def left() -> list[Cell]:
            board = self._look().board
            return [cell for cell in mines if board[cell] == COVERED]

        # A program may lose a click after which the pointer moves on at once: then once more.
        for timing in (nullcontext(), self._access.conventions.timing.slowed()):
            reading, cells = self._look(), left()
            if cells and reading.status is not Status.WON:
                return False
            flags = tuple(Move(Action.FLAG, cell) for cell in cells)
            self._reader.note_moves(flags)
            with timing:
                if flags:
                    self._mouse.act(replace(turn, reading=reading, moves=flags))
            if self._waits.until(lambda: not left(), timeouts.DIALOG_OPENS):
                return True
        return False

    def _try(self, found: _Way, turn: Turn) -> bool:
        """Try a way; return whether it starts a game. A failed one is not tried again.

        One that has worked is tried twice: a user who moves the mouse between the press and the
        release makes it fail.

        Raises:
            _BoardMoved: The window was moved or resized meanwhile, which only the picture shows
                on Wayland.
            NotInFront: The board is gone.
            WindowReplaced: The next game has a window of its own.
        """
        place = self._reader.grid.region
        for _ in range(1 + (self._is_stored(found) or self._worked[found.name] > 0)):
            try:
                if self._starts_at_last(found, turn):
                    return True
                self._closer.refuse_next_game()
                if self._reader.grid.region != place:
                    raise _BoardMoved
                self._refuse_absence()
            except NotInFront:
                if self._starts_in_menu(turn.reading.board):
                    return True
                raise
            except _DialogMet:
                if self._undone(found, turn):
                    break
                self._interrupted[found.name] += 1
                # Each dialog that a program is known for may open only after the key.
                skin = self._reader.skin
                expected = 0 if skin.learned else len(skin.dialog)
                if self._interrupted[found.name] > max(expected, 1):
                    # A way that always opens a dialog starts no game.
                    self._forget(found)
                raise
            if self._closer.has_met_input():
                raise _DialogMet
        self._forget(found)
        if found.face is not None and self._is_covered(turn):
            # It opened a menu over the board: a second click closes it.
            self._take(found, turn)
        return False

    def _undone(self, found: _Way, turn: Turn) -> bool:
        """Click a button again that covered the board, as settings do; return whether it is back.

        Only one that never started a game, that the box does not cover, and that looks as before.
        """
        box, before = self._reader.page_dialog, self._closer.plain
        if found.face is None or self._worked[found.name] or box is None or before is None:
            return False
        place = found.face.region(self._reader.grid)
        if box.intersection(place) or self._access.dialogs.open_dialog() is not None:
            return False
        button = Grid(*place, rows=1, cols=1, scale=before.scale)
        now = self._reader.page()
        if now.region != before.region or remains(button, before, now) < 1:
            return False
        self._take(found, turn)
        closed = self._waits.until(self._closer.page_closed, timeouts.DIALOG_CLOSES)
        return closed and self._closer.seen() is not None

    def _is_covered(self, turn: Turn) -> bool:
        """Return whether something lies over the finished board that did not before."""
        try:
            now = self._read().board.tiles
        except AnswersNeeded as needed:
            now = needed.reading.board.tiles
        return hides(now, turn.reading.board.tiles)

    def _is_stored(self, found: _Way) -> bool:
        """Return whether the skin, or an answer for its window, names a way."""
        reader = self._reader
        if found.restart == reader.skin.restart:
            return True
        return found.face is not None and found.face == face_of(reader.window, reader.skin)

    def _refuse_absence(self) -> None:
        """Make sure that the board is still there: no way starts a game in a closed window.

        Raises:
            NotInFront: Nothing of it is left, which only the picture shows on Wayland.
        """
        if self._reader.has_vanished():
            raise NotInFront("the board is gone: the game is closed, or something covers it")

    def _begins(self, before: Board) -> bool:
        """Wait until another game than that of a finished board is shown; return whether it is."""
        return self._waits.until(
            lambda: self._has_begun(before), timeouts.GAME_STARTS, every=LOOK_INTERVAL
        )

    def _has_begun(self, before: Board) -> bool:
        """Return whether another game than that of a finished board is shown now."""
        reading = self._look()
        return reading.status is Status.PLAYING and is_new_game(before, reading.board)

    def choose_level_after_dialog(self) -> None:
        """Choose the board's level if a closed dialog led to a menu of levels.

        Such a menu is in place of the board, and nothing lies over it.
        """
        if self._waits.until(self._closer.sees_tiles, timeouts.DIALOG_CLOSES):
            return
        dialogs = self._access.dialogs
        open_one = dialogs.open_dialog() or dialogs.unlisted_dialog() or self._closer.page_box()
        if open_one is None:
            self._closer.choose_level()

    def _ways(self, turn: Turn) -> list[_Way]:
        """Return the ways that may start the next game, the likeliest first."""
        reader, grid = self._reader, self._reader.grid
        resized = grid.region[2:] != self._found_size
        if self._found is not None and not (resized and self._is_beside(self._found)):
            new_game_move = self._board_way(turn) if self._found.name == _ON_BOARD else None
            return [new_game_move or self._found]
        ways: list[_Way | None] = []
        kept = None if reader.skin.learned else face_of(reader.window, reader.skin)
        if kept is not None:
            ways.append(self._stored_way(Restart(face=kept), kept, turn))
        restart, key = reader.skin.restart, restart_key(reader.skin, reader.window)
        if key is not None:
            ways.append(_Way(restart, key))
        elif restart.face is not None:
            ways.append(self._stored_way(restart, restart.face, turn))
        elif not self._known and (named := reader.named_key()) is not None:
            ways.append(_Way(Restart(key=named), named))
        stored = [way for way in ways if way is not None]
        known = [way.face.region(grid).center for way in stored if way.face is not None]
        buttons = [
            _Way(Restart(face=one.face))
            for one in reader.buttons()
            if one.likely and not any(map(one.face.region(grid).contains, known))
        ]
        return [way for way in stored + buttons if way.name not in self._tried]

    def _stored_way(self, restart: Restart, face: Face, turn: Turn) -> _Way | None:
        """Return a click on a stored button; on a hint if it is the finished board.

        A look-alike's window may end where the skin's button would be.
        """
        grid, window = self._reader.grid, self._reader.window
        place = face.region(grid).center
        if window is not None and window.region != NOWHERE and not window.region.contains(place):
            return None
        if face.width > 1 and grid.cell_at(place) is not None:
            return self._board_way(turn, restart)
        return _Way(restart)

    def _board_way(self, turn: Turn, stored: Restart | None = None) -> _Way | None:
        """Return a click on the finished board, which starts the next game in some programs.

        It is made on a hint, which a click cannot open or mark if the game is not over, else on a
        mine that is shown. It must still be there, as a button that was tried may have undone
        moves, unless the whole board is dimmed. The stored button covers more than a cell in the
        middle of the board, as the next game ends with other hints.
        """
        tiles, grid = turn.reading.board.tiles, self._reader.grid
        if _ON_BOARD in self._tried:
            return None
        shown = self._look().board.tiles
        if not tiles.shape == shown.shape == (grid.rows, grid.cols):
            return None
        hints = np.argwhere((tiles >= 0) & (shown == tiles))
        if not len(hints):
            # A mine that is shown cannot be opened again either.
            hints = np.argwhere(np.isin(tiles, (MINE, EXPLODED)) & (shown == tiles))
        opened = [Cell(*map(int, cell)) for cell in hints]
        if not opened and (shown == UNREAD).all() and self._last is not None and self._dimmed():
            before = self._last.reading.board
            opened = list(before.cells(*range(9))) if before.tiles.shape == shown.shape else []
            opened = opened or [move.cell for move in self._last.moves if move.cell is not None]
        if not opened:
            return None
        middle = (grid.rows - 1) / 2, (grid.cols - 1) / 2
        cell = min(opened, key=lambda cell: dist(cell, middle))
        (x, y), wide, high = grid.region.center, round(grid.pitch_x), round(grid.pitch_y)
        middle_cells = Region(round(x) - wide, round(y) - high, 2 * wide, 2 * high)
        restart = stored or Restart(face=face_at(middle_cells, grid))
        return _Way(restart, cell=face_at(_spot(grid, cell), grid))

    def _dimmed(self) -> bool:
        """Return whether the board shows the patterns of the last turn, maybe darker."""
        assert self._last is not None  # noqa: S101 - the caller has checked it
        frame, grid = self._last.reading.frame, self._reader.grid
        same = self._last.reading.grid.region == grid.region
        return same and remains(grid, frame, self._reader.screen.grab(grid.view)) >= TRACKING.left

    def _starts(self, found: _Way, turn: Turn) -> bool:
        """Try a way; return whether it starts a game, and store it once that is proven."""
        page, board = self._reader.page(), turn.reading.board
        if found.restart.menu:
            self._take_entry(found, turn)
        else:
            self._take(found, turn)
        started = self._begins(board)
        if not started and found.face is not None and not (found.cell or found.restart.menu):
            entry = self._reader.menu_entry(
                found.face.region(self._reader.grid), page, legible=True
            )
            if entry is not None:
                # The button opens a menu.
                found = replace(found, restart=Restart(face=found.face, menu=True))
                self._choose_down(entry, page, board)
                started = self._begins(board)
        _log.info("Next game by %s: %s", found.name, "started" if started else "no effect")
        if started:
            self._note_start(found)
        return started

    def _note_named(self) -> None:
        """Keep the way that the user has named, if it was interrupted and has started a game."""
        if self._named is not None:
            self._note_start(self._named)

    def _note_start(self, found: _Way) -> None:
        """Keep a way that has started a game; store it once that is proven."""
        self._found, self._found_size = found, self._reader.grid.region[2:]
        del self._interrupted[found.name]
        self._worked[found.name] += 1
        if found.face is not None and not found.restart.menu:
            self._reader.note_face(found.face)
        # A key that the window names is read again.
        proven = self._worked[found.name] == SURE and found.key is None
        sure = found.answered or (proven and not self._is_beside(found))
        if found.restart == self._reader.skin.restart:
            self._reader.confirm_found("restart")
        elif sure:
            self._reader.note_restart(found.restart, self._worked[found.name])
            if found.face is not None and not (found.restart.menu or self._reader.skin.learned):
                keep_face(self._reader.window, self._reader.skin, found.face)

    def _starts_at_last(self, found: _Way, turn: Turn) -> bool:
        """Try a way; once more if its first click changed the board, but started no game.

        Some programs do not see that a game is won by its open cells: then a click on the face ends
        it, and only the next one starts another.
        """
        shown = self._look().board
        if self._starts(found, turn):
            return True
        if found.face is None:
            return False
        reading = self._look()
        ended = reading.board != shown and reading.status is not Status.PLAYING
        return ended and self._starts(found, turn)

    def _menu_ways(self) -> list[_Way]:
        """Return the menus whose entry may start the next game."""
        grid = self._reader.grid
        faces = (face_at(title, grid) for title in self._reader.menus())
        ways = [_Way(Restart(face=face, menu=True)) for face in faces]
        return [way for way in ways if way.name not in self._tried]

    def _take_entry(self, found: _Way, turn: Turn) -> None:
        """Open a menu and choose the entry that starts a game; close it again if it has none."""
        assert found.face is not None  # noqa: S101 - a menu has a title
        reader, before, board = self._reader, self._reader.page(), turn.reading.board
        title = found.face.region(reader.grid)
        self._take(found, turn)
        entry = self._entry_at(title, before, board)
        if entry is not None:
            self._choose_down(entry, before, board)
        if entry is None or reader.has_menu(title):
            self._take(found, turn)

    def _choose_down(self, entry: MenuEntry, before: Frame, board: Board) -> None:
        """Click an entry of an open menu, and the board's level in the menu beside it, if any."""
        self._choose(entry)
        if entry.popup is None:
            return
        row = entry.place._replace(left=entry.popup.region.left, width=entry.popup.region.width)
        level = self._entry_at(row, before, board, below=False)
        if level is not None:
            self._choose(level)

    def _choose(self, entry: MenuEntry) -> None:
        """Click an entry of an open menu."""
        with nullcontext() if entry.popup is None else self._access.clicks_in(entry.popup):
            self._closer.click(entry.place.center)

    def _entry_at(
        self, title: Region, page: Frame, before: Board, *, below: bool = True
    ) -> MenuEntry | None:
        """Wait until a menu opens below its title, or beside a row of another one.

        Returns:
            Its entry; None if it has none, or the game has begun.
        """
        found: list[MenuEntry] = []

        def opened() -> bool:
            entry = self._reader.menu_entry(title, page, below=below)
            found.extend([] if entry is None else [entry])
            return bool(found) or (not below and self._has_begun(before))

        self._waits.until(opened, timeouts.DIALOG_OPENS)
        return found[0] if found else None

    def _starts_in_menu(self, before: Board) -> bool:
        """Choose the level in the menu to which a click led; return whether it starts."""
        chosen = self._closer.choose_level()
        return chosen and self._waits.until(lambda: self._has_begun(before), timeouts.DIALOG_OPENS)

    def _is_beside(self, found: _Way) -> bool:
        """Return whether a way is a button beside the board.

        Its text is found again; its distance in cells is another one in a window of another size.
        """
        grid = self._reader.grid
        if found.face is None:
            return False
        center = found.face.region(grid).center
        board = grid.region
        return board.top <= center.y < board.bottom and grid.cell_at(center) is None

    def _forget(self, found: _Way) -> None:
        """Stop trying a way in this run and in later ones, as it started no game."""
        self._tried.add(found.name)
        self._found = None
        reader = self._reader
        if found.restart == reader.skin.restart:
            reader.note_restart(Restart())
        elif self._is_stored(found):
            forget_face(reader.window, reader.skin)

    def _ask(self, turn: Turn, before: Board) -> None:
        """Ask the user, until the next game has started."""
        window, operator = self._reader.window, self._operator
        title = window.title if window is not None else "the screen"
        refused = ""
        while True:
            self._refuse_absence()
            if not operator.can_answer:
                raise RestartUnknown(title)
            frame = self._reader.picture()
            question = self._question(title, frame, refused)
            with self._access.user.acting():
                answer = operator.ask(question)
            self._user_starts = isinstance(answer, ByUser)
            if self._has_begun(before):
                # The user started it meanwhile.
                return
            if self._user_starts:
                self._await_game(before)
                return
            if isinstance(answer, PressKey):
                refused = self._closer.refusal(answer.key)
                if refused:
                    continue
                found = _Way(Restart(key=answer.key), answer.key, answered=True)
                refused = f"The key {answer.key} did not start a game."
            elif isinstance(answer, ClickAt):
                face = _face_clicked(answer, question, frame, self._reader.grid)
                found = _Way(Restart(face=face), answered=True)
                refused = "A click there did not start a game."
            else:
                raise LeftOpen(
                    f"the run ended after this game of '{title}': you did not say how its next "
                    "game starts. Play again to be asked again"
                )
            self._named = found
            if self._starts_at_last(found, turn):
                return
            self._named = None
            self._tried.add(found.name)

    def _question(self, title: str, frame: Frame, refused: str) -> ProgramQuestion:
        grid = self._reader.grid
        # Ctrl can cause harm in the wrong program, so it is not suggested.
        key = self._reader.skin.restart.key or ""
        if not key and self._reader.in_page:
            # Then the page is loaded again.
            key = "f5"
        faces = [button.face for button in self._reader.buttons()]
        places = [face.region(grid) for face in faces if _name_of(face) not in self._tried]
        return ProgramQuestion(
            title="How does the next game start?",
            why=(
                f"It is not known how '{title}' starts a new game. In some programs a click on the "
                "board does. "
                "A key is sent only if you name one."
                f"{' What works is kept for this program.' if self._reader.skin.learned else ''}"
            ),
            picture=frame.image,
            buttons=boxes_in(frame, places),
            key=key if plain_key(key) else "",
            points=True,
            by_user="I start it myself",
            leave="End the run",
            refused=refused,
        )

    def _await_game(self, before: Board) -> None:
        """Wait until the user has started another game."""
        window = self._reader.window
        title = window.title if window is not None else "the game"
        since, last = 0.0, None

        def has_begun() -> bool:
            nonlocal since, last
            reading = self._closer.seen()
            new = (
                reading is not None
                and reading.status is Status.PLAYING
                and (is_new_game(before, reading.board) or is_other_game(before, reading.board))
            )
            board = reading.board if new and reading is not None else None
            if board is None or board != last:
                since, last = time.perf_counter(), board
                return False
            return time.perf_counter() - since >= timeouts.GAME_UNCHANGED

        why = f"Start the next game in '{title}': the run then continues"
        with self._access.user.acting():
            self._waits.until(has_begun, why=why, silent=0)

    def _look(self) -> Reading:
        """Read the board, and ask for a tile's label if necessary.

        Raises:
            _DialogMet: The game has opened a dialog.
        """
        try:
            reading = self._read()
        except AnswersNeeded as needed:
            reading = needed.reading
            ended = None if self._ended is None else self._ended.tiles
            # What a finished game shows does not matter.
            if ended is None or not (
                np.array_equal(reading.board.tiles, ended) or hides(reading.board.tiles, ended)
            ):
                ask_about(self._reader, needed, self._operator)
                reading = self._read()
        dialogs = self._access.dialogs
        if reading.status is not Status.PLAYING and (
            dialogs.open_dialog() is not None or dialogs.unlisted_dialog() is not None
        ):
            raise _DialogMet
        stays = self._ended is None or np.array_equal(reading.board.tiles, self._ended.tiles)
        return reading if stays else fresh_board(reading) or reading

    def _read(self) -> Reading:
        """Read the board.

        Raises:
            _DialogMet: The game has opened a dialog.
            AnswersNeeded: Tiles have stayed unknown.
        """
        try:
            return self._closer.read()
        except (PageDialog, StrangeDialog):
            raise _DialogMet from None

    # Input

    def _take(self, way: _Way, turn: Turn) -> None:
        """Press the key or click the button of a way."""
        self._access.hold()
        face = way.cell or way.face
        if way.key is not None:
            self._press(way.key)
        elif face is not None:
            grid = self._reader.grid
            faced = replace(grid, face=face.region(grid))
            with self._access.conventions.timing.slowed():
                self._mouse.act(replace(turn, reading=replace(turn.reading, grid=faced)))

    def _press(self, key: str) -> None:
        """Send a key to the game's window.

        Raises:
            NotInFront: The window was replaced, or does not get the keyboard.
        """
        window = self._reader.window
        if window is None or not desktop().is_same(window):
            raise NotInFront(f"the game's window was closed: the key {key} was not sent")
        self._reader.focus(self._waits.wait)
        self._mouse.press(key)


def _name_of(face: Face) -> str:
    return f"the button at {face.x:.1f}, {face.y:.1f} from the {face.anchor}"


def _face_clicked(at: ClickAt, question: ProgramQuestion, frame: Frame, grid: Grid) -> Face:
    """Return the target that the user clicked: a button, a cell, or a spot of a cell's size."""
    point = point_at(at, frame)
    cell = grid.cell_at(point)
    clicked = next((box for box in question.buttons if box.contains((at.x, at.y))), None)
    if clicked is not None and cell is None:
        return face_at(frame.region_of(clicked), grid)
    return face_at(_spot(grid, point if cell is None else cell), grid)


def _spot(grid: Grid, at: Point | Cell) -> Region:
    """Return a region of half a cell's size around a point, or in the middle of a cell."""
    x, y = grid.center(at) if isinstance(at, Cell) else at
    side = max(1, round(min(grid.pitch_x, grid.pitch_y) / 2))
    return Region(round(x - side / 2), round(y - side / 2), side, side)
