"""Access to the game of a run: what is read of it, and where clicks may go.

Clicks go to the board or, inside `clicks_in`, to one dialog of the game; none is sent while the
user uses the mouse (`vision.desktop.user_mouse`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import inf
from typing import Final

from bot.board import UNREAD
from bot.frame import Frame, Point, Reading, Status
from bot.mouse import ClickChecks, Mouse, Pointer
from bot.waiting import SILENT
from gui.runner import timeouts
from gui.runner.conventions import Conventions
from gui.runner.protocol import Operator
from gui.runner.stored_answers import TITLE_BAR, place_in
from gui.settings import Choices
from vision.click_guard import ClickGuard, refuse_others
from vision.desktop import Window, desktop
from vision.desktop.user_mouse import Interrupted, user_mouse
from vision.focus import Dialogs, own_window_in_use
from vision.learning.questions import QuestionDelay
from vision.reader import Reader

_PANEL_IN_FRONT: Final = "Paused because the panel is in front of the board"
_SHOW_BOARD: Final = (
    "The board cannot be read. Click on the game, or uncover it, and leave the mouse: the run then "
    "continues"
)
"""Some games cover their board while another window, such as the panel, has the keyboard."""


class Access:
    """What a run reads, and what it may click.

    Args:
        reader: Has read the board.
        pointer: Sends the events.
        operator: Supervises the run.
        choices: Returns the current settings.
        seen: Called with every frame.
        began: The pointer's position when the user started the run, if known.
    """

    def __init__(
        self,
        reader: Reader,
        pointer: Pointer,
        operator: Operator,
        choices: Choices,
        seen: Callable[[Frame], None],
        began: Point | None,
    ) -> None:
        self.reader, self.operator, self.choices = reader, operator, choices
        self._note_frame = seen
        self.user = user_mouse(operator, pointer, began)
        guard = ClickGuard(
            lambda: self._clicked or reader.window, self._guard, self.user.notice, reader.is_shown
        )
        self.mouse = Mouse(
            pointer,
            ClickChecks(
                guard.check_batch,
                self.user.button_held,
                guard.check_press,
                guard.check_release,
                guard.find_release_point,
            ),
            operator.stopped,
            reader.screen.region,
            self.user,
            lambda: self.conventions.click_style,
        )
        self._clicked: Window | None = None
        """The dialog of the game that is clicked; None for the game itself."""
        self.question_delay = QuestionDelay()
        self._under_panel_since = self._hidden_since = inf
        """Time since which a window of this program has been in front of the board; and since which
        no tile is readable and only the user can give the game the keyboard."""
        self.hidden_reported = False
        """Whether the user was asked to uncover the board, and no other report has followed."""
        self.resume_requested = False
        """Whether the user has pressed Resume or Step, and the board was not read since."""
        self._beneath_since = 0.0
        """Time when the board was first read below a dialog."""
        self.renew()

    def renew(self) -> None:
        """Use the reader's present window: what is known of another one does not apply."""
        reader = self.reader
        self.dialogs = Dialogs(
            reader.window,
            lambda: reader.skin,
            # A window that was open before the run may have that title, too.
            lambda title: (
                bool(title) and place_in(reader.window, reader.skin, title) not in (None, TITLE_BAR)
            ),
        )
        self.conventions = Conventions(reader)

    @contextmanager
    def clicks_in(self, dialog: Window) -> Iterator[None]:
        """Allow clicks in a dialog of the game, and nowhere else."""
        self._clicked = dialog
        try:
            yield
        finally:
            self._clicked = None

    def _guard(self, points: Sequence[Point]) -> None:
        if self._clicked is not None:
            refuse_others(self._clicked, points)
        else:
            self.reader.guard(points)

    def hold(self) -> None:
        """Wait while the user has paused, before an input that belongs to no turn's cells.

        Raises:
            Interrupted: The run was paused: the board may have changed meanwhile.
            Stopped: The user stopped.
        """
        if self.operator.hold_turn():
            raise Interrupted

    def look(self) -> Reading:
        """Read the board once, if necessary below a dialog that hides it.

        Raises:
            Interrupted: The user has used the mouse, and left it.
            Exception: As `Reader.look` raises.
        """
        self.user.yield_to_user()
        if self.operator.pop_resume_request():
            self.resume_requested, self._under_panel_since = True, inf
            self.user.note_resumption()
        reading = self._look_beneath_dialogs(self.reader.look())
        self._note_frame(reading.frame)
        self._note_hidden(reading)
        if reading.status is not Status.BLOCKED:
            self.resume_requested, self._under_panel_since = False, inf
        return reading

    def _note_hidden(self, reading: Reading) -> None:
        """Ask the user for the board if it stays unreadable and this program cannot raise it."""
        now = time.perf_counter()
        if desktop().lists_windows or (reading.board.tiles != UNREAD).any():
            self._hidden_since = inf
        else:
            self._hidden_since = min(self._hidden_since, now)
        self.user.needed = self._hidden_since < inf
        reported = now - self._hidden_since > SILENT
        if reported != self.hidden_reported:
            self.hidden_reported = reported
            self.operator.report(_SHOW_BOARD if reported else "")

    def raise_window(self) -> None:
        """Bring the game in front of this program's own windows, unless the user is using one.

        Resume or Step in such a window means that the game is to be played.

        Raises:
            Interrupted: The user was using one, and has resumed the run.
            Stopped: The user stopped instead.
        """
        if not self._is_under_own_window():
            return
        now, operator = time.perf_counter(), self.operator
        self._under_panel_since = min(self._under_panel_since, now)
        seconds = now - self._under_panel_since
        if not own_window_in_use():
            # A window that the user has just clicked on is in front before it has the keyboard.
            if self.resume_requested or seconds >= timeouts.PANEL_FOCUSED:
                self._under_panel_since = inf
                self.reader.raise_window()
            return
        if not operator.can_override or seconds < timeouts.PANEL_MOVES:
            if self.resume_requested:
                self.reader.raise_window()
            return
        operator.pause(_PANEL_IN_FRONT)
        operator.wait_until_resumed()
        self._under_panel_since = inf
        self.reader.raise_window()
        self.user.wait_until_idle()
        raise Interrupted

    def _look_beneath_dialogs(self, reading: Reading) -> Reading:
        """Read a board that a dialog hides, from the picture of its window.

        Only a finished game and unknown tiles are read like this: during a game, clicks would not
        reach the board.
        """
        reader, dialog = self.reader, self.dialogs.open_dialog
        screen, window = reader.screen, reader.window
        if self._is_beneath() and dialog() is None:
            screen.select_desktop()
            reading = reader.look()
        elif (
            window is not None
            and reading.status is Status.BLOCKED
            and not self._is_beneath()
            and dialog() is not None
            and screen.select_window(window.id)
        ):
            self._beneath_since = time.perf_counter()
            reading = reader.look()
        unfinished = reading.status is Status.PLAYING and UNREAD not in reading.board.tiles
        if unfinished and self._is_beneath():
            return replace(reading, status=Status.BLOCKED)
        return reading

    def _is_beneath(self) -> bool:
        """Return whether the game's window is captured without the windows above it."""
        window = self.reader.window
        return window is not None and self.reader.screen.is_selected(window.id)

    def _is_under_own_window(self) -> bool:
        """Return whether a window of this program, such as the panel, covers the board."""
        window = self.reader.window
        above = desktop().list_windows() if window is not None else []
        ids = [other.id for other in above]
        if window is None or window.id not in ids:
            return False
        board = self.reader.grid.region
        above = above[: ids.index(window.id)]
        return any(other.own and other.region.intersection(board) for other in above)

    def may_be_over(self) -> bool:
        """Return whether a game's end may still be being drawn below the dialog that reports it."""
        since = time.perf_counter() - self._beneath_since
        return self._is_beneath() and since < timeouts.END_DRAWN
