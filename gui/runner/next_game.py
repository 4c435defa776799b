"""The steps between two games: close the program's dialogs, start the next game.

Keys and clicks have different effects in each program. Keys are sent only to programs that the skin
identifies by their class, and those that the user, or a text in the game's own window ('Press R to
restart'), has named for a program. The next game of an unknown program is started by a button of a
dialog or near the board that says so, by the only button above the board, by a click on the
finished board, or by an entry of a menu. A dialog whose texts leave no choice is closed. If none of
them works, the user is asked.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from math import dist, inf
from typing import Final

import numpy as np

from bot.board import COVERED, EXPLODED, MINE, Board, Cell
from bot.effects import is_other_game
from bot.frame import Frame, Grid, Point, Reading, Region, Status
from bot.loop import Turn
from bot.mouse import MouseError
from bot.planner import Action, Move
from bot.waiting import LOOK_INTERVAL, Waits
from gui.questions import ByUser, ClickAt, LeftOpen, PressKey, ProgramQuestion
from gui.runner import timeouts
from gui.runner.access import Access
from gui.runner.recovery import OBSTACLES
from gui.runner.restart import fresh_board, hides, is_new_game
from gui.runner.startup import ask_about
from gui.runner.states import Activity
from gui.runner.stored_answers import (
    IN_PAGE,
    Place,
    face_of,
    forget_face,
    forget_place,
    keep_face,
    keep_place,
    place_in,
)
from gui.settings import AfterDialog
from vision.desktop import Window, desktop
from vision.focus import (
    DialogOpen,
    NotInFront,
    StrangeDialog,
    is_known_program,
    plain_key,
    restart_key,
    take_focus,
)
from vision.learning.button import face_at
from vision.learning.questions import AnswersNeeded
from vision.reader import MenuEntry
from vision.skins import Dialog, Face, Restart
from vision.tracking.cells import remains
from vision.tracking.pagedialog import PageDialog
from vision.tracking.tracked_board import WindowClosed

_log = logging.getLogger(__name__)

_SURE: Final = 2
"""Number of times that a button has to start a game before it is stored in the skin."""
_NEAR: Final = 1.0
"""Largest distance in cells of a box in a page from its previous position."""
_ALIKE: Final = 3
"""Number of dialogs of one title that are sent a key before the game continues.

A key may open the next dialog.
"""
_ON_BOARD: Final = "the finished board"


_BUTTON: Final = 0.5
"""Largest part of a dialog that is a button of it."""


class RestartUnknown(MouseError):
    """The way to start the next game is unknown, and there is no user to ask."""

    def __init__(self, title: str) -> None:
        super().__init__(
            f"the run ended after this game of '{title}', as nothing tells how the next one "
            "starts there. Play it in the panel, or with 'minesweeper-bot play' in a terminal: "
            "they ask for the button or the key, and store the answer"
        )


class DialogStays(RuntimeError):
    """A dialog of the game stays open, and there is no user to close it."""


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
    """The actions between two games: closes dialogs and starts games.

    Args:
        access: To the game.
    """

    def __init__(self, access: Access) -> None:
        self._access = access
        self._reader, self._mouse = access.reader, access.mouse
        self._operator, self._choices = access.operator, access.choices
        self._waits = Waits(access.operator.stopped.wait, access.operator.report)
        self._closed_one = False
        """Whether a dialog was closed in this run by a known key or place."""
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
        self._user_closes: set[str] = set()
        """Titles of dialogs that the user closes."""
        self._resisted: set[int] = set()
        """Ids of dialogs that their key did not close; it is not sent again."""
        self._keys: dict[str, str] = {}
        """Title of a dialog -> the key that the user named."""
        self._sent_to: Counter[str] = Counter()
        """Number of dialogs by title that were answered since the last move."""
        self._plain: Frame | None = None
        """The game's window before the first move of a game."""
        self._begun = False
        """Whether a game was started, and no move was made in it."""
        self._ended: Board | None = None
        """The board of the game that is over, while ways to start the next one are tried."""
        self._flags_tried = self._flagged = False
        """Whether flags were tried to end a won game, and whether its mines were flagged."""
        self._in_vain = False
        """Whether input had no effect: moves, or attempts to start the next game."""
        self._unsure = False
        """Whether a box was met after moves without effect, so that the game may not be over."""
        self._boxes = 0
        """Number of boxes in the page that received an input since the last move."""
        self._page_met = False
        """Whether a box in the page was closed after this game."""
        self._page_place: Place | None = None
        """The position of clicks in such boxes, as far as discovered in this run."""

    def read(self) -> Reading:
        """Read the board once, handling a dialog that hides it as the settings say.

        At the end of a game the dialog is left alone, so that the game is counted first.

        Raises:
            PageDialog: The page has drawn a box over the board.
            AnswersNeeded: Tiles have stayed unknown.
            Exception: As `Access.look` and `close_dialogs` raise.
        """
        access = self._access
        reading = access.look()
        if self._reader.page_dialog is not None:
            raise PageDialog(reading)
        if reading.status is Status.BLOCKED and not access.may_be_over():
            self.close_dialogs(strange=False)
            access.dialogs.refuse_strange()
            access.raise_window()
        access.question_delay.weigh(reading, self._reader.questions)
        return reading

    # Dialogs

    def close_dialogs(self, *, strange: bool = True, ended: bool = True) -> bool:
        """Close the dialogs that the game has opened, or wait until the user has.

        Args:
            strange: Whether the user is asked about dialogs without a known key.
            ended: Whether the game is over; else those are not clicked either.

        Returns:
            Whether there were any that were not left.

        Raises:
            DialogOpen: The settings say not to close it.
            DialogStays: It stays open.
            LeftOpen: The user leaves it open.
            NotInFront: It does not get the keyboard.
            Stopped: The user stopped.
        """
        met = self._close_unlisted()
        while (dialog := self._access.dialogs.open_dialog()) is not None:
            close = self._way_to_close(dialog)
            if close is None and not strange:
                break
            met = True
            with self._operator.doing(Activity.DIALOG):
                if self._choices().after_dialog is not AfterDialog.CLOSE:
                    self._leave(_called(dialog))
                elif close is None and not ended:
                    break
                elif close is None:
                    self._close_strange(dialog)
                elif close():
                    self._closed_one = True
                else:
                    self._resisted.add(dialog.id)
        return met

    def _close_unlisted(self) -> bool:
        """Close the dialogs that the skin names where windows are not listed; return whether any.

        Raises:
            DialogOpen: The settings say not to close it.
            DialogStays: It stays open.
            Stopped: The user stopped.
        """
        met = False
        while (dialog := self._access.dialogs.unlisted_dialog()) is not None:
            met, title = True, dialog.title
            if self._choices().after_dialog is not AfterDialog.CLOSE:
                self._leave(title)
            elif self._sent_to[title] >= _ALIKE:
                self._await(self._none_unlisted, str(StrangeDialog(title)), _opened(title))
            else:
                self._sent_to[title] += 1
                _log.info("The button of a dialog is pressed")
                dialog.press()
                self._waits.until(self._none_unlisted, timeouts.DIALOG_CLOSES)
        return met

    def _none_unlisted(self) -> bool:
        return self._access.dialogs.unlisted_dialog() is None

    def _way_to_close(self, dialog: Window) -> Callable[[], bool] | None:
        """Return a function that closes a dialog and returns whether it did; None if unknown."""
        if dialog.id in self._resisted or self._sent_to[dialog.title] >= _ALIKE:
            return None
        key = self._access.dialogs.key_of(dialog) or self._keys.get(dialog.title)
        if key is not None:
            return partial(self._closes, dialog, key)
        place = self._place_in(dialog.title) if dialog.title else None
        return None if place is None else partial(self._click_closes, dialog, place)

    def note_move(self) -> None:
        """Register an upcoming move: dialogs that open from now on are new."""
        self._sent_to.clear()
        self._in_vain = self._page_met = self._unsure = False
        self._boxes = 0
        if self._plain is None:
            self._plain = self._reader.page()
        elif self._begun and (self._known or self._reader.new_box(self._plain) is None):
            # Else what the end of the last game has drawn in its page is still there.
            self._plain = self._reader.page()
        self._begun = False

    @property
    def _known(self) -> bool:
        return is_known_program(self._reader.skin, self._reader.window)

    def close_at_the_end(self) -> None:
        """Close the dialogs of the last game that have a known key."""
        if self._choices().after_dialog is AfterDialog.CLOSE:
            if self._closed_one:
                # As after the games before.
                self._waits.until(self._closes_at_once, timeouts.DIALOG_OPENS)
            # All games were played, so a dialog that stays open is no failure of the run.
            with suppress(NotInFront):
                self.close_dialogs(strange=False)

    def _closes_at_once(self) -> bool:
        """Return whether a dialog is open that is closed by a known key or place."""
        dialog = self._access.dialogs.open_dialog()
        return dialog is not None and self._way_to_close(dialog) is not None

    def _leave(self, title: str) -> None:
        """Pause because of a dialog that must not be closed, or end the run."""
        error = DialogOpen(title)
        if self._choices().after_dialog is AfterDialog.STOP or not self._operator.can_resume:
            raise error
        self._operator.pause(error)
        self._operator.wait_until_resumed()

    def _close_strange(self, dialog: Window) -> None:
        title = _called(dialog)
        refused = ""
        if title not in self._user_closes and self._goes_on(dialog):
            return
        while self._operator.can_answer and title not in self._user_closes:
            # Capture the dialog, not the board below it.
            self._reader.screen.select_desktop()
            frame = self._reader.picture(dialog.region)
            question = ProgramQuestion(
                title=f"How is '{title}' closed?",
                why=(
                    "The game has opened this window. The bot clicks or types in it only if you "
                    "say how, which is then stored for this program."
                ),
                picture=frame.image,
                buttons=self._boxes_in(frame, self._reader.places_of(dialog.region)),
                points=True,
                key="return",
                by_user="I close it myself",
                leave="Leave it open and end the run",
                refused=refused,
            )
            with self._access.user.acting():
                answer = self._operator.ask(question)
            if not _is_open(dialog):
                return
            if isinstance(answer, ByUser):
                self._user_closes.add(title)
            elif isinstance(answer, PressKey):
                refused = self._refusal(answer.key) or self._key_closes(dialog, answer.key)
            elif isinstance(answer, ClickAt):
                place = _place_clicked(answer, frame, dialog.region)
                closed = place is not None and self._click_closes(dialog, place)
                refused = "" if closed else "A click there did not close it."
                if closed and place is not None and dialog.title:
                    self._keep_place(dialog.title, place)
            else:
                raise LeftOpen(_stays(_opened(title)))
            if not refused and not isinstance(answer, ByUser):
                return
        self._await_closed(dialog)

    def _goes_on(self, dialog: Window) -> bool:
        """Click the button of a dialog that leads to the next game; return whether that closes it.

        The position is not stored: a dialog of the same title may ask something else during a game.
        """
        # Such a button may open another dialog of that title repeatedly.
        if self._sent_to[dialog.title] >= _ALIKE:
            return False
        self._reader.screen.select_desktop()
        places: list[Place] = []

        def found() -> bool:
            place = self._end_button_in(dialog.region)
            places.extend([] if place is None else [place])
            return bool(places) or not _is_open(dialog)

        # A dialog is drawn a moment after it has opened.
        self._waits.until(found, timeouts.DIALOG_OPENS)
        return bool(places) and self._click_closes(dialog, places[0])

    def _end_button_in(self, dialog: Region, *, message: bool = False) -> Place | None:
        button = self._reader.end_button(dialog, message=message)
        if button is None:
            return None
        x, y = button.center
        return Place((x - dialog.left) / dialog.width, (y - dialog.top) / dialog.height)

    def _click_closes(self, dialog: Window, place: Place) -> bool:
        """Click in a dialog; return whether that closes it."""
        self._sent_to[dialog.title] += 1
        _log.info("A click is sent to dialog %d at %s", dialog.id, place)
        # Capture its buttons, not the board below it.
        self._reader.screen.select_desktop()
        desktop().activate(dialog)
        point = self._point_in(dialog.region, place)
        self._waits.until(lambda: _is_top(dialog, point), timeouts.DIALOG_OPENS)
        with self._access.clicks_in(dialog):
            self._click(point)
        return self._waits.until(lambda: not _is_open(dialog), timeouts.DIALOG_CLOSES)

    def _click(self, point: Point, *, again: bool = False) -> None:
        """Click where the pointer has to rest, as nothing repeats the click."""
        with self._access.conventions.timing.slowed(again=again):
            self._mouse.click(point, self._reader.grid)

    def _key_closes(self, dialog: Window, key: str) -> str:
        """Press a key that the user named; return the reason if it is unsuitable."""
        if not self._closes(dialog, key):
            return f"The key {key} did not close it."
        if dialog.title:
            self._keys[dialog.title] = key
            self._reader.note_dialog(Dialog(title=dialog.title, key=key))
        return ""

    def _closes(self, dialog: Window, key: str) -> bool:
        """Send a key to a dialog; return whether that closes it."""
        take_focus(dialog, self._waits.wait)
        self._sent_to[dialog.title] += 1
        _log.info("The key %s is sent to dialog %d", key, dialog.id)
        self._mouse.press(key)
        return self._waits.until(lambda: not _is_open(dialog), timeouts.DIALOG_CLOSES)

    def _await_closed(self, dialog: Window) -> None:
        """Wait until the user has closed a dialog."""
        title = _called(dialog)
        self._await(lambda: not _is_open(dialog), str(StrangeDialog(title)), _opened(title))

    def _await(self, closed: Callable[[], bool], message: str, what: str) -> None:
        alone = not (self._operator.can_answer or self._operator.can_resume)
        with self._access.user.acting():
            seconds = timeouts.UNATTENDED if alone else inf
            if not self._waits.until(closed, seconds, why=message, silent=0):
                raise DialogStays(_stays(what))

    def meets_box(self) -> bool:
        """Return whether a new box in the page has received the clicks, which had no effect."""
        before, self._in_vain = self._in_vain, True
        met = self._unsure = self._page_box() is not None
        self._in_vain = before or met
        return met

    def close_page_dialog(self) -> bool:
        """Close the box that a page has drawn over its board, as the user has said, or ask.

        Returns:
            Whether there was one at the last reading.

        Raises:
            DialogOpen: The settings say not to close it.
            DialogStays: It stays open.
            LeftOpen: The user leaves it open.
            Stopped: The user stopped.
        """
        if self._page_box() is None:
            return False
        self._page_met = True
        with self._operator.doing(Activity.DIALOG):
            self._close_box()
        return True

    def _close_box(self) -> None:
        reader, refused = self._reader, ""
        title = reader.window.title if reader.window is not None else "the screen"
        what = f"a box in '{title}' covers the board, or takes its clicks"
        while (box := self._page_box()) is not None:
            if self._close_unlisted():
                # A dialog that the window system does not list is seen as a box.
                self._seen()
                continue
            place = self._place_in_page(box)
            if self._choices().after_dialog is not AfterDialog.CLOSE:
                self._leave(f"in the page '{title}'")
                self._seen()
            elif place is not None:
                if self._page_closes(box, place):
                    self._note_page_place(place)
                else:
                    self._page_place = None
                    del self._worked[IN_PAGE]
                    forget_place(reader.window, reader.skin, IN_PAGE)
                    refused = "A click there did not close it."
            elif not refused and (again := self._way_on_in(box)) is not None:
                if self._page_closes(box, again):
                    across, down = self._from_board(box)
                    self._note_page_place(again._replace(across=across, down=down))
                else:
                    refused = "A click on its button did not close it."
            elif not self._operator.can_answer or IN_PAGE in self._user_closes:
                message = f"{what}. Close it to continue. The bot does not click in it"
                self._await(lambda: self._page_closed() or not self._none_unlisted(), message, what)
            elif refused or not self._waits.until(self._box_vanishes, timeouts.DIALOG_OPENS):
                refused = self._ask_page(box, what, refused)

    def _note_page_place(self, place: Place) -> None:
        """Count a click that closed a box in the page, and store a proven position."""
        self._worked[IN_PAGE] += 1
        if place_in(self._reader.window, self._reader.skin, IN_PAGE) is not None:
            return
        self._page_place = place
        if self._worked[IN_PAGE] >= _SURE:
            self._keep_place(IN_PAGE, place)

    def _way_on_in(self, box: Region) -> Place | None:
        """Return where to click a box to go on after a game; None if unsure.

        If the game may not be over, only a message without a choice is closed.
        """
        if IN_PAGE in self._user_closes:
            return None
        return self._end_button_in(box, message=self._unsure)

    def _ask_page(self, box: Region, what: str, refused: str) -> str:
        """Ask where to click in a box; return the reason if the answer is unsuitable."""
        frame = self._reader.page()
        question = ProgramQuestion(
            title="Where do I click to start a new game?",
            why=f"{_sentence(what)}. What works is kept for this program.",
            picture=frame.image,
            buttons=self._boxes_in(frame, self._reader.places_of(box)),
            points=True,
            keys=False,
            by_user="I close it myself",
            leave="Leave it open and end the run",
            refused=refused,
        )
        with self._access.user.acting():
            answer = self._operator.ask(question)
        if self._page_closed():
            return ""
        if isinstance(answer, ByUser):
            self._user_closes.add(IN_PAGE)
            return ""
        if not isinstance(answer, ClickAt):
            raise LeftOpen(_stays(what))
        place = _place_clicked(answer, frame, box)
        if place is None:
            return "Click in the box, which has to be closed before anything else."
        if not self._page_closes(box, place):
            return "A click there did not close it."
        across, down = self._from_board(box)
        self._keep_place(IN_PAGE, place._replace(across=across, down=down))
        return ""

    def _page_closes(self, box: Region, place: Place) -> bool:
        """Click in a box over the board; return whether that closes it.

        A browser ignores clicks in a box that has just opened: then once more.
        """
        for again in (False, True):
            self._click(self._point_in(box, place), again=again)
            if self._waits.until(self._page_closed, timeouts.DIALOG_CLOSES):
                return True
            # The box may have been measured while it was opening.
            now = self._page_box()
            way_on = None if now is None else self._way_on_in(now)
            if now is None or way_on is None:
                break
            box, place = now, way_on
        return False

    def _box_vanishes(self) -> bool:
        """Return whether the box is gone by itself: a page that is loaded again looks like one."""
        return self._seen() is not None and self._page_box() is None

    def _page_closed(self) -> bool:
        return self._seen() is None or self._page_box() is None

    def _page_box(self) -> Region | None:
        """Return the box that was over the board at the last reading, or is new beside it.

        It is searched beside the board only if input had no effect or such a box was clicked
        before: elsewhere a page may show anything.
        """
        reader = self._reader
        if reader.page_dialog is not None or self._plain is None:
            return reader.page_dialog
        box = reader.new_box(self._plain) if self._in_vain or self._place_in(IN_PAGE) else None
        return box if box and (self._in_vain or self._place_in_page(box)) else None

    def _place_in_page(self, box: Region) -> Place | None:
        """Return the position of a click in a box, if it matches the user's answer."""
        place = self._place_in(IN_PAGE)
        if place is None:
            return None
        across, down = self._from_board(box)
        near = max(abs(place.across - across), abs(place.down - down)) <= _NEAR
        return place if near else None

    def _from_board(self, box: Region) -> tuple[float, float]:
        """Return the offset of a box's centre from the board's, in cells."""
        grid, board = self._reader.grid, self._reader.grid.region.center
        return (box.center.x - board.x) / grid.pitch_x, (box.center.y - board.y) / grid.pitch_y

    def _point_in(self, dialog: Region, place: Place) -> Point:
        """Return the point to click in a dialog, whose text and size may have changed."""
        point = Point(dialog.left + place.x * dialog.width, dialog.top + place.y * dialog.height)
        # A bar with a text and a button without edges is no button.
        most = _BUTTON * dialog.width * dialog.height
        buttons = [one for one in self._reader.buttons_of(dialog) if one.width * one.height <= most]
        if len(buttons) > 1:
            buttons = [box for box in buttons if box.contains(point)]
        return buttons[0].center if buttons else point

    def _place_in(self, dialog: str) -> Place | None:
        kept = place_in(self._reader.window, self._reader.skin, dialog)
        return self._page_place if kept is None and dialog == IN_PAGE else kept

    def _keep_place(self, dialog: str, place: Place) -> None:
        keep_place(self._reader.window, self._reader.skin, dialog, place)

    # The next game

    def start(self, turn: Turn) -> None:
        """Start the next game.

        Args:
            turn: The last one of the game that is over.

        Raises:
            RestartUnknown: No way works.
            Stopped: The user stopped.
        """
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
                self.close_dialogs()
                self.close_page_dialog()
                met = True
            except _BoardMoved:
                met = True
            else:
                return

    def _try_and_ask(self, turn: Turn, before: Board) -> None:
        tried, self._ended = False, before
        expected = self._place_in(IN_PAGE) is not None and not (self._in_vain or self._page_met)
        if expected and self._waits.until(lambda: not self._page_closed(), timeouts.DIALOG_OPENS):
            self._page_met = True
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
        self._refuse_page_dialog()
        if self._close_unlisted():
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
        try:
            self._flagged = self._flag(turn, mines[:1]) and self._flag(turn, mines[1:])
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
        """
        place = self._reader.grid.region
        for _ in range(1 + (self._is_stored(found) or self._worked[found.name] > 0)):
            try:
                if self._starts_at_last(found, turn):
                    return True
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
            self._refuse_page_dialog()
        self._forget(found)
        if found.face is not None and self._is_covered(turn):
            # It opened a menu over the board: a second click closes it.
            self._take(found, turn)
        return False

    def _undone(self, found: _Way, turn: Turn) -> bool:
        """Click a button again that covered the board, as settings do; return whether it is back.

        Only one that never started a game, that the box does not cover, and that looks as before.
        """
        box, before = self._reader.page_dialog, self._plain
        if found.face is None or self._worked[found.name] or box is None or before is None:
            return False
        place = found.face.region(self._reader.grid)
        if box.intersection(place):
            return False
        button = Grid(*place, rows=1, cols=1, scale=before.scale)
        now = self._reader.page()
        if now.region != before.region or remains(button, before, now) < 1:
            return False
        self._take(found, turn)
        closed = self._waits.until(self._page_closed, timeouts.DIALOG_CLOSES)
        return closed and self._seen() is not None

    def _is_covered(self, turn: Turn) -> bool:
        """Return whether something lies over the finished board that did not before."""
        try:
            now = self.read().board.tiles
        except AnswersNeeded as needed:
            now = needed.reading.board.tiles
        return hides(now, turn.reading.board.tiles)

    def _is_stored(self, found: _Way) -> bool:
        """Return whether the skin, or an answer for its window, names a way."""
        reader = self._reader
        if found.restart == reader.skin.restart:
            return True
        return found.face is not None and found.face == face_of(reader.window, reader.skin)

    def _refuse_page_dialog(self) -> None:
        """Make sure that no box in the page has received the input.

        Raises:
            _DialogMet: One has; the input is repeated a few times, as one box may follow another.
        """
        self._in_vain = True
        if self._boxes < _ALIKE and self._page_box() is not None:
            self._boxes += 1
            raise _DialogMet

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
        """Return a click on a stored button; on a hint if it is the finished board."""
        grid = self._reader.grid
        if face.width > 1 and grid.cell_at(face.region(grid).center) is not None:
            return self._board_way(turn, restart)
        return _Way(restart)

    def _board_way(self, turn: Turn, stored: Restart | None = None) -> _Way | None:
        """Return a click on the finished board, which starts the next game in some programs.

        It is made on a hint, which a click cannot open or mark if the game is not over, else on a
        mine that is shown. It must still be there, as a button that was tried may have undone
        moves. The stored button covers more than a cell in the middle of the board, as the next
        game ends with other hints.
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
        if not opened:
            return None
        middle = (grid.rows - 1) / 2, (grid.cols - 1) / 2
        cell = min(opened, key=lambda cell: dist(cell, middle))
        (x, y), wide, high = grid.region.center, round(grid.pitch_x), round(grid.pitch_y)
        middle_cells = Region(round(x) - wide, round(y) - high, 2 * wide, 2 * high)
        restart = stored or Restart(face=face_at(middle_cells, grid))
        return _Way(restart, cell=face_at(_spot(grid, cell), grid))

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
        proven = self._worked[found.name] == _SURE and found.key is None
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
            self._click(entry.place.center)

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
        """Choose the level in the menu to which the last click led; return whether it starts.

        Nothing of this is stored: the click that leads there is.
        """
        level = self._reader.level_button()
        if level is None:
            return False
        _log.info("A level is chosen in a menu")
        self._click(level.center)
        return self._waits.until(lambda: self._has_begun(before), timeouts.DIALOG_OPENS)

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
                refused = self._refusal(answer.key)
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
            buttons=self._boxes_in(frame, places),
            key=key if plain_key(key) else "",
            points=True,
            by_user="I start it myself",
            leave="End the run",
            refused=refused,
        )

    def _boxes_in(self, frame: Frame, places: Iterable[Region]) -> tuple[Region, ...]:
        """Return the visible parts of regions in a picture, in its pixels."""
        boxes = []
        for place in places:
            shown = place.intersection(frame.region)
            if shown is not None:
                rows, cols = frame.pixels(shown)
                left, top = cols.start, rows.start
                boxes.append(Region(left, top, cols.stop - left, rows.stop - top))
        return tuple(boxes)

    def _await_game(self, before: Board) -> None:
        """Wait until the user has started another game."""
        window = self._reader.window
        title = window.title if window is not None else "the game"
        since, last = 0.0, None

        def has_begun() -> bool:
            nonlocal since, last
            reading = self._seen()
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

    def _seen(self) -> Reading | None:
        """Return the current reading, or None if the board is hidden."""
        try:
            return self._reader.look()
        except WindowClosed:
            raise
        except OBSTACLES:
            return None

    def _look(self) -> Reading:
        """Read the board, and ask for a tile's label if necessary.

        Raises:
            _DialogMet: The game has opened a dialog.
        """
        try:
            reading = self.read()
        except PageDialog:
            raise _DialogMet from None
        except AnswersNeeded as needed:
            reading = needed.reading
            ended = None if self._ended is None else self._ended.tiles
            # What a finished game shows does not matter.
            if ended is None or not (
                np.array_equal(reading.board.tiles, ended) or hides(reading.board.tiles, ended)
            ):
                ask_about(self._reader, needed, self._operator)
                reading = self.read()
        dialogs = self._access.dialogs
        if reading.status is not Status.PLAYING and (
            dialogs.open_dialog() is not None or dialogs.unlisted_dialog() is not None
        ):
            raise _DialogMet
        stays = self._ended is None or np.array_equal(reading.board.tiles, self._ended.tiles)
        return reading if stays else fresh_board(reading) or reading

    # Input

    def _take(self, way: _Way, turn: Turn) -> None:
        """Press the key or click the button of a way."""
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

    def _refusal(self, key: str) -> str:
        """Return why a key that the user named is not sent; empty if it is."""
        window = self._reader.window
        if window is None:
            return "No key can be sent: the game's window cannot be identified."
        if not plain_key(key) and not window.program:
            return (
                f"{key} is not sent: the program of this window is unknown, and keys with Ctrl or "
                "Alt can do harm in a wrong one. Name another key."
            )
        return ""


def _called(dialog: Window) -> str:
    return dialog.title or dialog.class_name or "without a title"


def _is_open(dialog: Window) -> bool:
    return desktop().place_of(dialog.id) is not None


def _is_top(dialog: Window, point: Point) -> bool:
    """Return whether a dialog lies at a point, as far as the window system tells."""
    there = desktop().window_at(point)
    return there is None or there.id == dialog.id


def _opened(title: str) -> str:
    return f"the game has opened the window '{title}'"


def _stays(what: str) -> str:
    return f"{what}, which was not closed. Close it, then play again"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _at(at: ClickAt, frame: Frame) -> Point:
    """Return the desktop point of a position in a picture."""
    return Point(frame.region.left + at.x / frame.scale, frame.region.top + at.y / frame.scale)


def _place_clicked(at: ClickAt, frame: Frame, dialog: Region) -> Place | None:
    """Return where in a dialog the user clicked; None if outside."""
    point = _at(at, frame)
    if not dialog.contains(point):
        return None
    x, y = (point.x - dialog.left) / dialog.width, (point.y - dialog.top) / dialog.height
    return Place(x, y)


def _name_of(face: Face) -> str:
    return f"the button at {face.x:.1f}, {face.y:.1f} from the {face.anchor}"


def _face_clicked(at: ClickAt, question: ProgramQuestion, frame: Frame, grid: Grid) -> Face:
    """Return the target that the user clicked: a button, a cell, or a spot of a cell's size."""
    point = _at(at, frame)
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
