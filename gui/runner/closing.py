"""Close what a game opens: dialogs, and boxes that a page draws over its board.

A key, or a click at a place, is sent only if the skin or the user has named it for the program, or
if the texts of a dialog leave no choice; a dialog is closed as by its title bar if the user has
said so. Otherwise the user is asked.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from math import inf
from typing import Final

import numpy as np

from bot.board import EXPLODED, MINE, UNREAD
from bot.frame import Frame, Point, Reading, Region, Status
from bot.loop import Turn
from bot.waiting import Waits
from gui.questions import ByUser, ClickAt, LeftOpen, PressKey, ProgramQuestion, Yes
from gui.runner import timeouts
from gui.runner.access import Access
from gui.runner.recovery import OBSTACLES
from gui.runner.restart import completes
from gui.runner.states import Activity
from gui.runner.stored_answers import IN_PAGE, TITLE_BAR, Place, forget_place, keep_place, place_in
from gui.settings import AfterDialog
from vision.desktop import Window, desktop
from vision.focus import (
    DialogOpen,
    NotInFront,
    StrangeDialog,
    is_known_program,
    plain_key,
    take_focus,
)
from vision.skins import Dialog
from vision.tracking.pagedialog import PageDialog
from vision.tracking.tracked_board import WindowClosed, WindowReplaced

_log = logging.getLogger(__name__)

SURE: Final = 2
"""Number of times that a click has to work before it is stored."""
_NEAR: Final = 1.0
"""Largest distance in cells of a box in a page from its previous position."""
_ALIKE: Final = 3
"""Number of dialogs of one title, and of boxes, that are sent an input before the game continues.

It may open the next one.
"""
_MOST: Final = 10
"""The same for messages after a game: each click of its last turn may open one, and in a page each
cell that it opened."""
_BUTTON: Final = 0.5
"""Largest part of a dialog that is a button of it."""


class DialogStays(RuntimeError):
    """A dialog of the game stays open, and there is no user to close it."""


class DialogCloser:
    """The dialogs of a game, and the boxes in its page, which it closes."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._reader, self._mouse = access.reader, access.mouse
        self._operator, self._choices = access.operator, access.choices
        self._waits = Waits(access.operator.stopped.wait, access.operator.report)
        self._closed_one = False
        """Whether a dialog was closed in this run by a known key or place."""
        self._user_closes: set[str] = set()
        """Titles of dialogs that the user closes."""
        self._resisted: set[int] = set()
        """Ids of dialogs that their key did not close; it is not sent again."""
        self._keys: dict[str, str] = {}
        """Title of a dialog -> the key that the user named."""
        self._sent_to: Counter[str] = Counter()
        """Number of dialogs by title that were answered since the last move."""
        self._most = _ALIKE
        """Greatest number of messages of one title that are closed after a game."""
        self.plain: Frame | None = None
        """The game's window before the first move of a game."""
        self._in_vain = False
        """Whether input had no effect: moves, or attempts to start the next game."""
        self._earlier: tuple[set[int], set[int]] = (set(), set())
        """The windows that were open when the last two games began."""
        self._unsure = False
        """Whether a box was met after moves without effect, so that the game may not be over."""
        self.said: Status | None = None
        """How the game has ended by the text of such a box."""
        self._boxes = 0
        """Number of dialogs, and boxes in the page, that received an input since the last move."""
        self._page_met = False
        """Whether a box in the page was closed after this game."""
        self._page_place: Place | None = None
        """The position of clicks in such boxes, as far as discovered in this run."""
        self._page_worked = 0
        """Number of clicks that closed such a box."""

    def read(self) -> Reading:
        """Read the board once, handling a dialog that hides it as the settings say.

        At the end of a game the dialog is left alone, so that the game is counted first. A program
        may dim its window below a dialog, which looks like a box.

        Raises:
            PageDialog: The page has drawn a box over the board, and no dialog is open.
            AnswersNeeded: Tiles have stayed unknown.
            Exception: As `Access.look` and `close_dialogs` raise.
        """
        access = self._access
        reading = access.look()
        if self._reader.page_dialog is not None and access.dialogs.open_dialog() is None:
            raise PageDialog(reading)
        if reading.status is Status.BLOCKED and not access.may_be_over():
            self.close_dialogs(strange=False)
            access.dialogs.refuse_strange()
            access.raise_window()
        access.question_delay.weigh(reading, self._reader.questions)
        return reading

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
            WindowReplaced: It is the next game.
        """
        met = self.close_unlisted()
        while (dialog := self._access.dialogs.open_dialog()) is not None:
            self._access.hold()
            if strange and ended:
                self.refuse_next_game()
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
                    # The next one is closed as the user has said.
                    self._closed_one |= self._way_to_close(dialog) is not None
                elif close():
                    self._closed_one = True
                else:
                    self._resisted.add(dialog.id)
        return met

    def refuse_next_game(self) -> None:
        """Make sure that no window of an unknown program is that of its next game.

        Only windows count that were opened during the last two games.

        Raises:
            WindowReplaced: One is; nothing in it is a dialog's button.
        """
        if not is_known_program(self._reader.skin, self._reader.window):
            for window in self._access.dialogs.opened():
                if window.id not in self._earlier[0] and self._reader.begins_in(window):
                    raise WindowReplaced(window)

    def close_unlisted(self) -> bool:
        """Close the dialogs that the skin names where windows are not listed; return whether any.

        Raises:
            DialogOpen: The settings say not to close it.
            DialogStays: It stays open.
            Stopped: The user stopped.
        """
        met = False
        while (dialog := self._access.dialogs.unlisted_dialog()) is not None:
            self._access.hold()
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

    def note_move(self, clicks: int, *, first: bool) -> None:
        """Register upcoming moves: dialogs that open from now on are new.

        Args:
            clicks: The number of clicks that open cells.
            first: Whether they are the first ones of a game.
        """
        self._sent_to.clear()
        self._most = min(max(_ALIKE, clicks), _MOST)
        self._in_vain = self._page_met = self._unsure = False
        self.said = None
        self._boxes = 0
        known = is_known_program(self._reader.skin, self._reader.window)
        if first and not known:
            opened = {one.id for one in self._access.dialogs.opened()}
            self._earlier = self._earlier[1], opened
        # Else what the end of the last game has drawn in its page is still there.
        if self.plain is None or (first and (known or self._reader.new_box(self.plain) is None)):
            self.plain = self._reader.page()

    def await_expected_box(self) -> bool:
        """Wait for a box in the page where one was closed after earlier games; return whether any.

        Not if one was met after this game.
        """
        expected = self._place_in(IN_PAGE) is not None and not (self._in_vain or self._page_met)
        if not expected:
            return False
        met = self._waits.until(lambda: not self.page_closed(), timeouts.DIALOG_OPENS)
        self._page_met = self._page_met or met
        return met

    def has_met_input(self) -> bool:
        """Return whether a dialog, or a box in the page, has received input that had no effect.

        Only a few times, as one may follow another.
        """
        dialogs = self._access.dialogs
        self._in_vain = True
        dialogs.note_lost_input()
        open_now = dialogs.open_dialog() is not None or self.page_box() is not None
        met = self._boxes < _ALIKE and open_now
        self._boxes += met
        return met

    def refusal(self, key: str) -> str:
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
        if title not in self._user_closes and self._press_end_button(dialog):
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
                buttons=boxes_in(frame, self._reader.places_of(dialog.region)),
                points=True,
                key="return",
                yes="Close its window",
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
                refused = self.refusal(answer.key) or self._key_closes(dialog, answer.key)
            elif isinstance(answer, ClickAt | Yes):
                place = (
                    TITLE_BAR
                    if isinstance(answer, Yes)
                    else _place_clicked(answer, frame, dialog.region)
                )
                closed = place is not None and self._click_closes(dialog, place)
                refused = "" if closed else "That did not close it."
                if closed and place is not None and dialog.title:
                    self._keep_place(dialog.title, place)
            else:
                raise LeftOpen(_stays(_opened(title)))
            if not refused and not isinstance(answer, ByUser):
                return
        self._await_closed(dialog)

    def _press_end_button(self, dialog: Window) -> bool:
        """Click the button of a dialog that leads to the next game; return whether that closes it.

        The position is not stored: a dialog of the same title may ask something else during a game.
        """
        # Such a button may open another dialog of that title repeatedly.
        if self._sent_to[dialog.title] >= self._most:
            return False
        self._reader.screen.select_desktop()
        places: list[Place] = []

        def found() -> bool:
            self.refuse_next_game()
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
        """Click in a dialog, or ask it to close; return whether that closes it."""
        self._sent_to[dialog.title] += 1
        if place == TITLE_BAR:
            _log.info("Dialog %d is asked to close", dialog.id)
            desktop().close_window(dialog.id)
            return self._waits.until(lambda: not _is_open(dialog), timeouts.DIALOG_CLOSES)
        _log.info("A click is sent to dialog %d at %s", dialog.id, place)
        # Capture its buttons, not the board below it.
        self._reader.screen.select_desktop()
        desktop().activate(dialog)
        point = self._point_in(dialog.region, place)
        self._waits.until(lambda: _is_top(dialog, point), timeouts.DIALOG_OPENS)
        with self._access.clicks_in(dialog):
            self.click(point)
        return self._waits.until(lambda: not _is_open(dialog), timeouts.DIALOG_CLOSES)

    def click(self, point: Point, *, again: bool = False) -> None:
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
        if self._access.dialogs.open_dialog() is not None:
            return False
        if self._reader.page_dialog is None and not desktop().lists_windows:
            # What is new beside the board may be another program's window.
            return False
        before, self._in_vain = self._in_vain, True
        met = self._unsure = self.page_box() is not None
        self._in_vain = before or met
        return met

    def close_page_dialog(self, last: Turn | None = None, *, over: bool = False) -> bool:
        """Close the box that a page has drawn over its board, as the user has said, or ask.

        Args:
            last: The last turn carried out in this game, or the finished one.
            over: Whether the game is known to be over, whatever the last moves have met.

        Returns:
            Whether there was one at the last reading.

        Raises:
            DialogOpen: The settings say not to close it.
            DialogStays: It stays open.
            LeftOpen: The user leaves it open.
            NotInFront: It may be another program's window.
            Stopped: The user stopped.
            StrangeDialog: The game has opened a window, and may not be over.
        """
        self._unsure &= not over
        if self.page_box() is None:
            return False
        self._page_met = True
        with self._operator.doing(Activity.DIALOG):
            self._close_box(last, over=over)
        return True

    def _close_box(self, last: Turn | None, *, over: bool) -> None:
        reader, refused = self._reader, ""
        ended = over
        title = reader.window.title if reader.window is not None else "the screen"
        what = f"a box in '{title}' covers the board, or takes its clicks"
        while (box := self.page_box()) is not None:
            self._access.hold()
            if self.close_dialogs(strange=over):
                # A dialog that is not listed is seen as a box, as is a board dimmed below one.
                self.seen()
                continue
            self._access.dialogs.refuse_strange()
            ended = ended or self._is_decided(last)
            self._unsure &= not ended
            place = self._place_in_page(box)
            if self._choices().after_dialog is not AfterDialog.CLOSE:
                self._leave(f"in the page '{title}'")
                self.seen()
            elif not (ended or desktop().lists_windows or self._says_end()):
                raise NotInFront(
                    "something covers the board: another window, or a box in the game's window. "
                    "Move it away, or close it"
                )
            elif (tried := self._leave_box(box, place, refused, last, ended=ended)) is not None:
                refused = tried
            elif not self._operator.can_answer or IN_PAGE in self._user_closes:
                message = f"{what}. Close it to continue. The bot does not click in it"
                self._await(lambda: self.page_closed() or not self._none_unlisted(), message, what)
            elif refused or not self._waits.until(self._box_vanishes, timeouts.DIALOG_OPENS):
                refused = self._ask_page(box, what, refused)

    def _leave_box(
        self, box: Region, place: Place | None, refused: str, last: Turn | None, *, ended: bool
    ) -> str | None:
        """Click in a box as `_click_on` does, then the board's level if that led to a menu."""
        if not ended and self.said is None:
            self.said = self._end_in(box, last)
        picture = self._reader.picture(box)
        left = self._click_on(box, place, refused=bool(refused))
        # The menu may look like a box, or like no board.
        if left is None or (
            not left and self._waits.until(self.sees_tiles, timeouts.DIALOG_CLOSES)
        ):
            return left
        starts = ended or self.said is not None or self._reader.offers_game(picture)
        return "" if starts and self.choose_level() and self.page_closed() else left

    def _click_on(self, box: Region, place: Place | None, *, refused: bool) -> str | None:
        """Click at a known place in a box of the page, or on the button with which a game goes on.

        Returns:
            Why the box is still open; '' if it is closed, None if there is neither.
        """
        if place is not None:
            if self._page_closes(self._point_in(box, place)):
                self._note_page_place(place)
                return ""
            self._page_place = None
            self._page_worked = 0
            forget_place(self._reader.window, self._reader.skin, IN_PAGE)
            return "A click there did not close it."
        again = None if refused else self._way_on_in(box)
        if again is None:
            return None
        if not self._page_closes(_place_at(box, again)):
            return "A click on its button did not close it."
        across, down = self._from_board(box)
        self._note_page_place(again._replace(across=across, down=down))
        return ""

    def choose_level(self) -> bool:
        """Click the board's level in a menu of levels in the window; return whether there is one.

        Nothing of this is stored: what leads there is.
        """
        level = self._reader.level_button()
        if level is None:
            return False
        _log.info("A level is chosen in a menu")
        self.click(level.center)
        self._waits.until(self.sees_tiles, timeouts.DIALOG_OPENS)
        return True

    def sees_tiles(self) -> bool:
        """Return whether any tile of the board can be read now."""
        reading = self.seen()
        return reading is not None and bool((reading.board.tiles != UNREAD).any())

    def _says_end(self) -> bool:
        """Return whether a text over the board says how the game has ended."""
        return self.seen() is not None and self._reader.end_over_board() is not None

    def _is_decided(self, last: Turn | None) -> bool:
        """Return whether the game must be over after its last turn.

        A mine is visible, or all other cells are open.
        """
        reading = self.seen()
        if last is not None and last.reading.status.over:
            return True
        if reading is None:
            return False
        won = last is not None and completes(last.reading.board, last.moves, reading.board)
        return won or bool(np.isin(reading.board.tiles, (MINE, EXPLODED)).any())

    def _note_page_place(self, place: Place) -> None:
        """Count a click that closed a box in the page, and store a proven position."""
        self._page_worked += 1
        if place_in(self._reader.window, self._reader.skin, IN_PAGE) is not None:
            return
        self._page_place = place
        if self._page_worked >= SURE:
            self._keep_place(IN_PAGE, place)

    def _way_on_in(self, box: Region) -> Place | None:
        """Return where to click a box to go on after a game; None if unsure.

        If the game may not be over, only a message without a choice is closed.
        """
        if IN_PAGE in self._user_closes:
            return None
        return self._end_button_in(box, message=self._unsure and self.said is None)

    def _end_in(self, box: Region, last: Turn | None) -> Status | None:
        """Return how the game has ended by the text of a box, if its last turn may have done it."""
        if last is None:
            return None
        said = self._reader.end_in_box(box)
        # All cells without a mine must be open at a win: that is decided without a text.
        return said if said is Status.LOST and any(move.risk for move in last.moves) else None

    def _ask_page(self, box: Region, what: str, refused: str) -> str:
        """Ask where to click in a box; return the reason if the answer is unsuitable."""
        frame = self._reader.page()
        question = ProgramQuestion(
            title="Where do I click to start a new game?",
            why=f"{_sentence(what)}. What works is kept for this program.",
            picture=frame.image,
            buttons=boxes_in(frame, self._reader.places_of(box)),
            points=True,
            keys=False,
            by_user="I close it myself",
            leave="Leave it open and end the run",
            refused=refused,
        )
        with self._access.user.acting():
            answer = self._operator.ask(question)
        if self.page_closed():
            return ""
        if isinstance(answer, ByUser):
            self._user_closes.add(IN_PAGE)
            return ""
        if not isinstance(answer, ClickAt):
            raise LeftOpen(_stays(what))
        place = _place_clicked(answer, frame, box)
        if place is None:
            return "Click in the box, which has to be closed before anything else."
        if not self._page_closes(self._point_in(box, place)):
            return "A click there did not close it."
        across, down = self._from_board(box)
        self._keep_place(IN_PAGE, place._replace(across=across, down=down))
        return ""

    def _page_closes(self, point: Point) -> bool:
        """Click in a box over the board; return whether that closes it.

        A browser ignores clicks in a box that has just opened, and a page may open one message for
        each cell of the last flood: then again.
        """
        for number in range(_MOST):
            if number and self.page_closed():
                return True
            self.click(point, again=number > 0)
            if self._waits.until(self.page_closed, timeouts.DIALOG_CLOSES):
                return True
            # The box may have been measured while it was opening.
            now = self.page_box()
            way_on = None if now is None else self._way_on_in(now)
            if now is None or way_on is None:
                break
            point = _place_at(now, way_on)
        return False

    def _box_vanishes(self) -> bool:
        """Return whether the box is gone by itself: a page that is loaded again looks like one."""
        return self.seen() is not None and self.page_box() is None

    def page_closed(self) -> bool:
        """Return whether no box in the page is met now."""
        return self.seen() is None or self.page_box() is None

    def page_box(self) -> Region | None:
        """Return the box that was over the board at the last reading, or is new beside it.

        It is searched beside the board only if input had no effect or such a box was clicked
        before: elsewhere a page may show anything.
        """
        reader = self._reader
        if reader.page_dialog is not None or self.plain is None:
            return reader.page_dialog
        box = reader.new_box(self.plain) if self._in_vain or self._place_in(IN_PAGE) else None
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
        point = _place_at(dialog, place)
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

    def seen(self) -> Reading | None:
        """Return the current reading, or None if the board is hidden."""
        try:
            return self._reader.look()
        except WindowClosed:
            raise
        except OBSTACLES:
            return None


def boxes_in(frame: Frame, places: Iterable[Region]) -> tuple[Region, ...]:
    """Return the visible parts of regions in a picture, in its pixels."""
    boxes = []
    for place in places:
        shown = place.intersection(frame.region)
        if shown is not None:
            rows, cols = frame.pixels(shown)
            left, top = cols.start, rows.start
            boxes.append(Region(left, top, cols.stop - left, rows.stop - top))
    return tuple(boxes)


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


def point_at(at: ClickAt, frame: Frame) -> Point:
    """Return the desktop point of a position in a picture."""
    return Point(frame.region.left + at.x / frame.scale, frame.region.top + at.y / frame.scale)


def _place_at(dialog: Region, place: Place) -> Point:
    return Point(dialog.left + place.x * dialog.width, dialog.top + place.y * dialog.height)


def _place_clicked(at: ClickAt, frame: Frame, dialog: Region) -> Place | None:
    """Return where in a dialog the user clicked; None if outside."""
    point = point_at(at, frame)
    if not dialog.contains(point):
        return None
    x, y = (point.x - dialog.left) / dialog.width, (point.y - dialog.top) / dialog.height
    return Place(x, y)
