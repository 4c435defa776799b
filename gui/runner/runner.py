"""A run: connects reader, solver and mouse to the four callables of `bot.loop.play`.

Events between two readings (the window was moved, covered, minimised or closed; another game; a
dialog; a program that hangs) are handled by `gui.runner.recovery` and listed in the table of
`bot/FAULTS.md`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from math import inf
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Analysis, Cancelled
from bot.board import UNREAD, Board, Cell, InconsistentBoard
from bot.effects import is_restart, opened_mine, opens_all, other_game_began, target_cells
from bot.frame import Frame, Point, Reading, Status
from bot.loop import Stopped, Turn, play
from bot.mouse import (
    CONFIRMATIONS,
    CORNER,
    NO_CHORDS,
    AdaptiveTiming,
    ChordGesture,
    ClickChecks,
    ClickStyle,
    ClickTiming,
    Mouse,
    Pointer,
)
from bot.planner import Action, Style
from bot.solver.phrases import quantity
from bot.solver.published.consistency import impossible_hints
from bot.waiting import PATIENCE, BoardNotSettled, wait_until_stable, with_retries
from gui.failures import Failure
from gui.runner import timeouts
from gui.runner.decisions import SpeculativeSolver, planning, simulating, thinking
from gui.runner.next_game import BetweenGames
from gui.runner.protocol import Operator
from gui.runner.recording import recorded
from gui.runner.recovery import OBSTACLES, Recovery
from gui.runner.restart import completes, infer_result, is_new_game, result_if_replaced
from gui.runner.startup import (
    ask_about,
    ask_about_passed,
    ask_mines,
    check_digging,
    check_level,
    check_promise,
    confirm_board,
    first_look,
    patience_of,
)
from gui.runner.stored_answers import place_in
from gui.runner.user_override import PAUSED_BY_USER, Interrupted, UserOverride
from gui.settings import AfterDialog, Choices
from vision.click_guard import (
    ClickGuard,
    SessionGone,
    find_cause,
    refuse_hanging,
    refuse_others,
)
from vision.counters.mines import KnownMines, MinesRefused, MinesUnknown
from vision.desktop import Screen, Window, desktop
from vision.desktop.user_mouse import user_mouse
from vision.focus import (
    Dialogs,
    NotInFront,
    StrangeDialog,
    is_known_program,
    names_program,
    own_window_in_use,
)
from vision.learning.questions import AnswersNeeded, QuestionDelay
from vision.learning.rules import impossible_zeros
from vision.reader import Reader
from vision.skins import Skin
from vision.skins.skin import Convention
from vision.tracking.pagedialog import PageDialog
from vision.tracking.targets import Wanted

_log = logging.getLogger(__name__)

_PANEL_IN_FRONT: Final = "Paused because the panel is in front of the board"
_SHOW_BOARD: Final = (
    "The board cannot be read. Click on the game, or uncover it, and leave the mouse: the run then "
    "continues"
)
"""Some games cover their board while another window, such as the panel, has the keyboard."""
_REFUSALS: Final = 5
"""Number of consecutive clicks that may be refused without a visible obstacle."""


class Runner:
    """Any number of games on one board.

    Args:
        choices: Returns the current settings; called repeatedly, so that a change takes effect.
            Game, level and mines stay fixed.
        operator: Supervises the run.
        failure: Converts an error to a failure, with its picture.
        seen: Called with every frame.
        known: The numbers of mines of earlier games.
    """

    _sent: Turn | None = None
    """The last turn of the current game that was carried out."""

    def __init__(
        self,
        choices: Choices,
        operator: Operator,
        failure: Callable[[BaseException], Failure],
        seen: Callable[[Frame], None],
        known: KnownMines | None = None,
    ) -> None:
        self._choices = choices
        self._known_mines = known
        self._operator = operator
        self._failure = failure
        self._stop = operator.stopped
        self._note_frame = seen
        self._question_delay = QuestionDelay()
        self._recovery = Recovery(
            self._check_obstacles, self._await_other_window, operator, failure, self._ask_mines
        )
        self._undone: Turn | None = None
        """A turn that was not, or not completely, carried out."""
        self._refused: Exception | None = None
        self._refusals = 0
        self._digging = False
        self._chording: ChordGesture
        self._side: str | None = None
        """Which of two numbers was the mine counter in the last game."""
        self._zeros = False, False
        """Whether zeros, and covered cells beside them, were observed in the current game."""
        self._floods_fully = 0
        """Consecutive games in which zeros opened all neighbours, contrary to the skin."""
        self._undecided: Turn
        """The turn that is being decided."""
        self._played = False
        """Whether a move was made in the current game."""
        self._note_due = True
        """Whether the user must still be informed that the program does not chord."""
        self._remark = ""
        """A remark that is still to be shown."""
        self._window_closed = False
        """Whether the window was closed, and another one is awaited."""
        self._read_with_retries: Callable[[Turn | None], Reading]
        self._reader: Reader
        self._dialogs: Dialogs
        self._mouse: Mouse
        self._timing: AdaptiveTiming
        self._override: UserOverride
        self._solver: SpeculativeSolver | None = None
        """The solver; None in the game of digging, whose hunter has state."""
        self._between: BetweenGames
        self._clicked: Window | None = None
        """The dialog of the game that is clicked; None for the game itself."""
        self._user_active = self._hidden_reported = False
        """Whether the user is asked, or acts in the game, and may use the mouse; and whether the
        user was asked to show the board."""
        self._under_panel_since = self._hidden_since = inf
        """Time since which a window of this program has been in front of the board; and since which
        no tile is readable and only the user can give the game the keyboard."""
        self._resume_requested = False
        """Whether the user has pressed Resume or Step, and the board was not read since."""
        self._beneath_since = 0.0
        """Time when the board was first read below a dialog."""

    def turns(
        self, pointer: Callable[[], Pointer], skins: tuple[Skin, ...], window: Wanted
    ) -> Iterator[Turn]:
        """Play, in the thread that advances this.

        Args:
            pointer: Creates the pointer.
            skins: The skins to try.
            window: The board that is meant.

        Yields:
            Each turn before it is carried out.
        """
        with ExitStack() as resources:
            screen = resources.enter_context(desktop().open_screen())
            state = desktop().pointer_state()
            began = None if state is None else state.place
            settings = self._choices()
            rules, known = settings.rules, self._known_mines
            reader = Reader(screen, skins, window, settings.mines, rules, known)

            def settle(unknown: MinesUnknown) -> None:
                check_level(reader, settings)
                # Confirm the program before asking anything else about it.
                confirm_board(reader, settings, self._operator)
                ask_mines(reader, unknown, self._operator)

            first = first_look(reader, self._stop, settle)
            check_level(reader, settings)
            check_promise(reader, settings)
            # A yes that `settle` has asked for is stored by now; `--yes` is reported once.
            self._remark = confirm_board(reader, settings, self._operator)
            reader.keep_mines()
            grid = reader.grid
            _log.info(
                "Playing %d x %d cells with '%s', style %s, games %s",
                grid.cols,
                grid.rows,
                settings.player_name,
                settings.style.value,
                settings.games,
            )
            self._reader, self._digging = reader, settings.digging
            self._mouse = self._mouse_of(pointer(), screen, resources, began)
            self._set_up_window()
            solve = SpeculativeSolver(
                thinking(self._choices, lambda: reader.skin, self._stop),
                simulating(self._choices, lambda: reader.skin, self._operator, self._show_interim),
            )
            self._solver = None if settings.digging else solve
            turns = play(
                read_board=self._read_next,
                solve=solve,
                plan=planning(
                    self._choices,
                    lambda: reader.skin,
                    lambda: self._chording.gesture is not None,
                    lambda: is_known_program(reader.skin, reader.window),
                ),
                act=self._act,
                pop_events=self._mouse.pop_events,
            )
            try:
                self._override.begin()
                yield from recorded(turns, reader, self._choices, first)
                self._between.close_at_the_end()
            except (Stopped, Cancelled):
                return
            finally:
                _log.info("The run has ended: %s", self._stop.reason or "by itself")
                self._keep_conventions()

    def _mouse_of(
        self, pointer: Pointer, screen: Screen, resources: ExitStack, began: Point | None
    ) -> Mouse:
        reader, operator = self._reader, self._operator

        def taken(cornered: bool) -> None:
            if cornered:
                self._stop.stop(CORNER, failed=True)
            elif operator.can_override and not (self._user_active or self._hidden_since < inf):
                operator.pause(PAUSED_BY_USER)

        def gone() -> None:
            # A paused run reads nothing, and would not notice it. Another one reports it itself.
            cause = find_cause(OSError())
            if isinstance(cause, SessionGone) and not operator.allowed:
                self._stop.stop(f"Stopped: {cause}.", failed=True)

        mouse = user_mouse(taken, lambda: pointer.position, gone, began)
        resources.callback(mouse.close)
        self._override = UserOverride(mouse, operator, pointer.move)
        guard = ClickGuard(
            lambda: self._clicked or reader.window, self._guard, mouse.notice, reader.is_shown
        )
        return Mouse(
            pointer,
            ClickChecks(
                guard.check_batch,
                mouse.button_held,
                guard.check_press,
                guard.check_release,
                guard.find_release_point,
            ),
            self._stop,
            screen.region,
            self._override,
            lambda: ClickStyle(self._timing.timing, self._chording.gesture),
        )

    def _set_up_window(self) -> None:
        """Set up the state for a window; results from another window do not apply."""
        reader, skin = self._reader, self._reader.skin
        self._dialogs = Dialogs(
            reader.window,
            lambda: reader.skin,
            lambda title: bool(title) and place_in(reader.window, reader.skin, title) is not None,
        )
        self._timing = AdaptiveTiming(
            ClickTiming(skin.hold, skin.stay),
            lambda name, seconds: reader.note_found(name, seconds, int(seconds > 0)),
        )
        named = names_program(skin, reader.window)
        self._chording = ChordGesture(
            skin.chord if named or skin.learned else None,
            skin.chord,
            tries=skin.learned or not named,
        )
        self._between = BetweenGames(
            reader,
            self._mouse,
            self._timing,
            lambda: self._dialogs,
            self._operator,
            self._failure,
            self._choices,
            self._look,
            self._user_acts,
            self._clicks_in,
        )
        self._read_with_retries = with_retries(
            self._settle, self._repeat, patience_of(skin), self._timing
        )

    @contextmanager
    def _user_acts(self) -> Iterator[None]:
        """Let the user move the mouse, then wait until it is at rest."""
        self._user_active = True
        try:
            yield
        finally:
            self._user_active = False
        self._override.begin()

    @contextmanager
    def _clicks_in(self, dialog: Window) -> Iterator[None]:
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
            self._reader.guard(points)

    # Reading

    def _read_next(self, last: Turn | None) -> Reading:
        """Return the reading after a turn, and keep it for the state of its decision."""
        reading = self._read_board(last)
        self._undecided = Turn(0 if last is None else last.number + 1, reading, None, ())
        return reading

    def _show_interim(self, interim: Analysis) -> None:
        self._operator.show_interim(replace(self._undecided, analysis=interim))

    def _read_board(self, last: Turn | None) -> Reading:
        """Return the reading after a turn, once neither an obstacle nor the user is in the way."""
        if last is self._undone:
            last = None
        refused, self._refused = self._refused, None
        if refused is not None:
            self._overcome(refused, again=self._refusals > _REFUSALS)
        while True:
            try:
                try:
                    reading = self._read_with_retries(last)
                except BoardNotSettled as error:
                    reading = self._chord_otherwise(last, error)
                self._note_effect(reading, last)
                result = self._check_reading(reading, last)
                if isinstance(result, Reading):
                    return result
            except Interrupted:
                # The reason for waiting may have been replaced by another one.
                self._hidden_reported = False
                last = None
            except PageDialog as met:
                ended = self._close_page_dialog(met.reading, last)
                if ended is not None:
                    return ended
                last = None
            except OBSTACLES as error:
                ended = self._ended_by_banner(error, last)
                if ended is not None:
                    return ended
                self._check_digging(error, last)
                if self._overcome(error):
                    last = None
            else:
                # Not an obstacle: without an answer it does not pass, and the run ends.
                self._ask_mines(result)
                last = None

    def _check_digging(self, error: Exception, last: Turn | None) -> None:
        if self._digging and last is not None and isinstance(error, BoardNotSettled):
            check_digging(self._reader, last, error.reading, lost=bool(error.missing))

    def _ended_by_banner(self, error: Exception, last: Turn | None) -> Reading | None:
        """Return the ended game if a banner in an unknown program says so; None otherwise.

        A game whose safe cells must all be open is won, whatever its tiles look like then.
        """
        reader = self._reader
        if is_known_program(reader.skin, reader.window):
            return None
        last = last or self._sent
        if last is None or not isinstance(error, BoardNotSettled) or reader.page_dialog is not None:
            return None
        if error.reading.status is Status.BLOCKED:
            return None
        unread, before = error.reading.board.tiles == UNREAD, last.reading.board.tiles
        if unread.shape != before.shape or not (unread & (before >= 0)).any():
            return None
        whole = completes(last.reading.board, last.moves, error.reading.board)
        status = reader.told_end(unread) or (Status.WON if whole else None)
        return None if status is None else replace(error.reading, status=status)

    def _told_end(self, reading: Reading) -> Reading | None:
        """Return the ended game if a dialog, or a text over unread tiles, says so; None otherwise.

        This is asked about unknown programs alone.
        """
        reader = self._reader
        if is_known_program(reader.skin, reader.window):
            return None
        dialog = self._dialogs.open_dialog()
        if dialog is None:
            status = reader.told_end(reading.board.tiles == UNREAD)
        else:
            # Capture the dialog, not the board below it.
            reader.look_at_desktop()
            status = reader.end_in(dialog)
        return None if status is None else replace(reading, status=status)

    def _check_reading(self, reading: Reading, last: Turn | None) -> Reading | MinesRefused:
        """Return the reading to act on; or the question to ask if its number of mines is wrong."""
        ended = None if self._digging else _replaced(reading, last)
        if ended is not None:
            return ended
        won, sent = reading.status is Status.WON and not self._digging, self._sent
        if won and sent is not None and opened_mine(reading, sent.reading, sent.moves):
            reading = replace(reading, status=Status.LOST)
        lost = reading.status is Status.LOST
        if lost and sent is not None and opens_all(reading, sent.reading, sent.moves):
            reading = replace(reading, status=Status.WON)
        wrong = self._wrong_mines(reading)
        if wrong is not None:
            return wrong
        if self._digging and last is not None:
            check_digging(self._reader, last, reading)
        return self._with_remarks(reading)

    def _note_effect(self, reading: Reading, last: Turn | None) -> None:
        """Register what a reading shows of the program's chords and zeros."""
        if reading.status is Status.BLOCKED:
            return
        if last is not None:
            self._chording.note_effect(last.reading.board, last.moves)
        tiles = reading.board.tiles
        seen = bool((tiles == 0).any()), bool(impossible_zeros(tiles).any())
        self._zeros = self._zeros[0] or seen[0], self._zeros[1] or seen[1]

    def _chord_otherwise(self, last: Turn | None, error: BoardNotSettled) -> Reading:
        """Try the other chord gestures until one has an effect, if only chords had none."""
        if last is None or not _no_chord(error):
            raise error
        # A program that chords does so as soon as it opens cells: see `with_retries`.
        patience = patience_of(self._reader.skin) / 20
        for gesture in self._chording.alternatives():
            self._chording.switch_to(gesture)
            with self._timing.slowed():
                self._repeat(replace(last, reading=error.reading, moves=error.missing))
            try:
                return self._settle(last, patience)
            except BoardNotSettled as again:
                if not _no_chord(again):
                    raise
                error = again
        self._chording.give_up()
        return self._read_with_retries(None)

    def _keep_conventions(self) -> None:
        """Store or confirm the conventions that the last game has shown."""
        reader, skin, chording = self._reader, self._reader.skin, self._chording
        lost, played, self._played = self._timing.pop_lost(), self._played, False
        confirmed: list[Convention] = []
        if chording.failed:
            found = NO_CHORDS if skin.chord in (None, NO_CHORDS) else None
            reader.note_found("chord", found, 1 if found else 0)
        elif chording.effects and chording.gesture == skin.chord:
            confirmed.append("chord")
        elif chording.effects >= CONFIRMATIONS:
            reader.note_found("chord", chording.gesture, 1)
        if chording.gesture == skin.chord:
            chording.effects = 0
        chording.failed = False
        confirmed += self._counter_found() + self._flood_found()
        if played and not lost:
            confirmed += [name for name in ("hold", "stay") if getattr(skin, name)]
        reader.confirm_found(*confirmed)

    def _counter_found(self) -> list[Convention]:
        """Store which of two numbers is the mine counter after two consistent games."""
        side, known = self._reader.take_counter_side(), self._reader.skin.counter
        before, self._side = self._side, side
        if side is None or side == known:
            return ["counter"] if side else []
        if known is not None:
            self._reader.note_found("counter", None, 0)
        elif side == before:
            self._reader.note_found("counter", side, CONFIRMATIONS)
        return []

    def _flood_found(self) -> list[Convention]:
        """Reset the exception that zeros open fewer cells after two games without it."""
        (zeros, beside), self._zeros = self._zeros, (False, False)
        if self._reader.skin.flood is None or not zeros:
            return []
        self._floods_fully = 0 if beside else self._floods_fully + 1
        if self._floods_fully == CONFIRMATIONS:
            self._reader.note_found("flood", None, 0)
        return ["flood"] if beside else []

    def _with_remarks(self, reading: Reading) -> Reading:
        """Return the reading with pending remarks about `--yes` and unavailable chords."""
        if self._remark:
            reading = replace(reading, remarks=(*reading.remarks, self._remark))
            self._remark = ""
        settings, skin = self._choices(), self._reader.skin
        wanted = settings.style is Style.CHORDS and not settings.digging
        if not wanted or not self._note_due or self._chording.gesture is not None:
            return reading
        self._note_due = False
        name = self._reader.window.title if self._reader.window is not None else skin.name
        if skin.learned:
            why = f"'{name}' chords by no click that is known"
        elif skin.chord is None:
            why = f"it is not known how '{name}' chords"
        else:
            why = f"'{name}' does not chord with the {skin.chord} mouse button"
        remark = f"{why}: its cells are opened one by one"
        return replace(reading, remarks=(*reading.remarks, remark))

    def _overcome(self, error: Exception, *, again: bool = False) -> bool:
        """Wait until there is no obstacle; return whether the last turn is obsolete."""
        try:
            if isinstance(error, BoardNotSettled):
                # A program that hangs may have stopped while drawing.
                try:
                    self._check_program()
                except OBSTACLES as cause:
                    error = cause
            leave = self._choices().after_dialog is not AfterDialog.CLOSE
            if isinstance(error, StrangeDialog) and leave:
                self._between.close_dialogs(ended=False)
                return True
            if isinstance(error, PageDialog):
                self._between.close_page_dialog()
                return True
            return self._recovery.overcome(error, again=again)
        except Interrupted:
            return True

    def _close_page_dialog(self, hidden: Reading, last: Turn | None) -> Reading | None:
        """Close the box that the page has drawn over its board.

        Args:
            hidden: The board below it.
            last: The turn before it was drawn.

        Returns:
            How the game has ended, if the box has started the next one.
        """
        try:
            self._between.close_page_dialog()
        except Interrupted:
            return None
        if last is None:
            return None
        try:
            reading = self._look()
        except (Interrupted, AnswersNeeded):
            return None
        except OBSTACLES:
            return None
        begun = reading.status is Status.PLAYING and is_new_game(last.reading.board, reading.board)
        if not begun:
            return None
        return replace(hidden, status=infer_result(hidden.board, last.reading.board, last.moves))

    def _wrong_mines(self, reading: Reading) -> MinesRefused | None:
        """Return the question to ask if no solution with that number of mines exists.

        Raises:
            InconsistentBoard: No number of mines has a solution.
        """
        if self._solver is None or reading.status is not Status.PLAYING:
            return None
        board = reading.board
        try:
            self._solver.prepare(board)
        except InconsistentBoard:
            if impossible_hints(board):
                raise
            self._reader.refute_mines(board.mines)
            return MinesRefused(
                f"The hints on this board of {board.rows} rows and {board.cols} columns cannot be "
                f"true with {quantity(board.mines, 'mine')}",
                "give the right number with --mines",
            )
        return None

    def _ask_mines(self, unknown: MinesUnknown) -> None:
        with self._user_acts():
            ask_mines(self._reader, unknown, self._operator)

    def _settle(self, last: Turn | None, patience: float) -> Reading:
        while True:
            try:
                reading = wait_until_stable(
                    self._look,
                    self._stop.wait,
                    last,
                    patience,
                    meanwhile=None if self._solver is None else self._solver.solve_ahead,
                    unchanged=self._reader.unchanged,
                )
            except AnswersNeeded as needed:
                ended = self._told_end(needed.reading)
                if ended is not None:
                    return ended
                ask_about(self._reader, needed, self._operator)
            else:
                check_level(self._reader, self._choices())
                if ask_about_passed(self._reader, reading, self._operator):
                    continue
                if not self._reader.unsure:
                    return reading
                # The board may have changed while the user was asked, so it is read again.
                self._confirm()

    def _confirm(self) -> None:
        with self._user_acts():
            confirm_board(self._reader, self._choices(), self._operator)

    def _look(self) -> Reading:
        """Read the board once, handling a dialog that hides it as the settings say.

        At the end of a game the dialog is left alone, so that the game is counted first.
        """
        self._override.yield_to_user()
        if self._operator.pop_resume_request():
            self._resume_requested, self._under_panel_since = True, inf
            self._override.note_resumption()
        reading = self._look_beneath_dialogs(self._reader.look())
        self._note_frame(reading.frame)
        self._note_hidden(reading)
        if self._reader.page_dialog is not None:
            raise PageDialog(reading)
        if reading.status is Status.BLOCKED and not self._may_be_over():
            self._between.close_dialogs(strange=False)
            self._dialogs.refuse_strange()
            self._raise_window()
        elif reading.status is not Status.BLOCKED:
            self._resume_requested, self._under_panel_since = False, inf
        self._question_delay.weigh(reading, self._reader.questions)
        return reading

    def _note_hidden(self, reading: Reading) -> None:
        """Ask the user for the board if it stays unreadable and this program cannot raise it."""
        now = time.perf_counter()
        if desktop().lists_windows or (reading.board.tiles != UNREAD).any():
            self._hidden_since = inf
        else:
            self._hidden_since = min(self._hidden_since, now)
        reported = now - self._hidden_since > timeouts.WAIT_REPORTED
        if reported != self._hidden_reported:
            self._hidden_reported = reported
            self._operator.report(_SHOW_BOARD if reported else "")

    def _raise_window(self) -> None:
        """Bring the game in front of this program's own windows, unless the user is using one.

        Resume or Step in such a window means that the game is to be played.

        Raises:
            Interrupted: The user was using one, and has resumed the run.
            Stopped: The user stopped instead.
        """
        if not self._reader.under_own_window:
            return
        now, operator = time.perf_counter(), self._operator
        self._under_panel_since = min(self._under_panel_since, now)
        seconds = now - self._under_panel_since
        if not own_window_in_use():
            # A window that the user has just clicked on is in front before it has the keyboard.
            if self._resume_requested or seconds >= timeouts.PANEL_FOCUSED:
                self._under_panel_since = inf
                self._reader.rise()
            return
        if not operator.can_override or seconds < timeouts.PANEL_MOVES:
            if self._resume_requested:
                self._reader.rise()
            return
        operator.pause(_PANEL_IN_FRONT)
        operator.wait_until_resumed()
        self._under_panel_since = inf
        self._reader.rise()
        self._override.begin()
        raise Interrupted

    def _look_beneath_dialogs(self, reading: Reading) -> Reading:
        """Read a board that a dialog hides, from the picture of its window.

        Only a finished game and unknown tiles are read like this: during a game, clicks would not
        reach the board.
        """
        reader = self._reader
        if reader.beneath and self._dialogs.open_dialog() is None:
            reader.look_at_desktop()
            reading = reader.look()
        elif (
            reading.status is Status.BLOCKED
            and not reader.beneath
            and self._dialogs.open_dialog() is not None
            and reader.look_beneath()
        ):
            self._beneath_since = time.perf_counter()
            reading = reader.look()
        unfinished = reading.status is Status.PLAYING and UNREAD not in reading.board.tiles
        if reader.beneath and unfinished:
            return replace(reading, status=Status.BLOCKED)
        return reading

    def _may_be_over(self) -> bool:
        """Return whether a game's end may still be being drawn below the dialog that reports it."""
        return (
            self._reader.beneath and time.perf_counter() - self._beneath_since < timeouts.END_DRAWN
        )

    # Obstacles

    def _check_obstacles(self) -> None:
        """Raise the current obstacle."""
        if self._window_closed:
            self._set_up_other_window()
        self._reader.recheck_window()
        self._check_program()
        try:
            reading = self._settle_uncovered()
        except PageDialog:
            self._between.close_page_dialog()
            raise
        grid = reading.grid
        corners = (0, 0), (0, grid.cols - 1), (grid.rows - 1, 0), (grid.rows - 1, grid.cols - 1)
        wanted = [move.cell for move in self._undone.moves] if self._undone is not None else []
        inside = [cell for cell in wanted if cell and cell.row < grid.rows and cell.col < grid.cols]
        self._reader.guard([grid.center(Cell(*cell)) for cell in (*corners, *inside)])

    def _settle_uncovered(self) -> Reading:
        """Read the board; give the game the keyboard if it hides its board without."""
        try:
            return self._settle(None, timeouts.BOARD_SETTLES)
        except BoardNotSettled as error:
            if not self._uncover(error.reading):
                raise
            return self._settle(None, PATIENCE)

    def _set_up_other_window(self) -> None:
        """Set up the window that was opened in place of the closed one."""
        # Confirm the program before asking anything else about it.
        with suppress(MinesUnknown):
            self._reader.look()
        self._confirm()
        self._set_up_window()
        self._window_closed = False

    def _await_other_window(self) -> None:
        self._window_closed = True
        self._reader.look_at_desktop()
        self._reader.begin_anew()

    def _check_program(self) -> None:
        """Make sure that the program accepts clicks: no dialog is open, and it responds."""
        self._between.close_dialogs(strange=False)
        self._dialogs.refuse_strange()
        if self._reader.window is not None:
            refuse_hanging(self._reader.window, self._stop.wait)

    # Moves

    def _act(self, turn: Turn) -> None:
        """Carry out a turn, unless the board has changed or cannot be reached."""
        while not self._carry_out(turn) and is_restart(turn.moves):
            # Another turn of the finished game would be counted as another game.
            reading = self._read_board(None)
            if not reading.status.over:
                return
            turn = replace(turn, reading=reading)

    def _carry_out(self, turn: Turn) -> bool:
        """Carry out a turn; return whether all of it was sent."""
        self._undone = None
        sent = False
        try:
            while True:
                try:
                    sent = self._try(turn)
                    break
                except Interrupted:
                    if not self._mouse.idle or not self._operator.allowed:
                        break
                    # The user only pressed Step, or used the panel: `_fresh` reads the board again.
        except OBSTACLES as error:
            self._refused = error
            self._refusals += 1
            _log.info("Clicks were not sent, or not all: %s", type(error).__name__)
            _log.debug("%s", error)
        if not sent:
            self._undone = turn
        return sent

    def _try(self, turn: Turn) -> bool:
        # A dialog may start the next game by itself; then nothing is left to do.
        if is_restart(turn.moves) and (
            self._between.close_dialogs() or self._between.close_page_dialog()
        ):
            return False
        fresh = self._fresh(turn)
        if fresh is None:
            return False
        self._send(fresh)
        self._refusals = 0
        return True

    def _send(self, turn: Turn) -> None:
        if is_restart(turn.moves):
            self._keep_conventions()
            self._sent = None
            self._reader.note_moves(())
            self._between.start(turn)
        else:
            if turn.moves:
                self._played = True
                self._between.note_move()
                self._reader.note_moves(turn.moves)
                self._sent = turn
            self._mouse.act(turn)

    def _fresh(self, turn: Turn) -> Turn | None:
        """Return the turn at the board's current position; None if the board has changed."""
        if time.perf_counter() - turn.reading.frame.time < timeouts.READING_STALE:
            return turn
        try:
            reading = self._look()
            if self._resume_requested or self._uncover(reading):
                reading = self._settle(None, PATIENCE)
        except AnswersNeeded:
            return None
        status = turn.reading.status
        if status.over and reading.status is not Status.BLOCKED:
            # A banner, or the moves, may have told the end, which the board alone does not show.
            reading = replace(reading, status=status)
        same = reading.board == turn.reading.board and reading.status is status
        return replace(turn, reading=reading) if same else None

    def _repeat(self, turn: Turn) -> None:
        """Send moves without effect once more, or park the pointer.

        Neither is done if another window covers the board, as the user may be working there.
        """
        if turn.reading.status is Status.BLOCKED:
            return
        if turn.moves:
            self._check_program()
        if (turn.moves or UNREAD in turn.reading.board.tiles) and self._between.meets_box():
            raise PageDialog(turn.reading)
        self._uncover(turn.reading)
        self._send(turn)

    def _uncover(self, reading: Reading) -> bool:
        """Give an unreadable game the keyboard; return whether that was necessary.

        Some programs cover their board while another window has it, such as the panel after a
        click. If that window covers the board, the user may be working in it.
        """
        hidden = reading.status is Status.BLOCKED
        covered = not hidden and bool((reading.board.tiles == UNREAD).all())
        if covered:
            with suppress(NotInFront):
                self._reader.focus(self._stop.wait)
        return covered


def _replaced(reading: Reading, last: Turn | None) -> Reading | None:
    """Return how the last turn's game has ended if the program began the next one at once.

    None if it has not, or if that is unknown.
    """
    if last is None or not other_game_began(reading, last.reading, last.moves):
        return None
    before = last.reading.board
    if before.tiles.shape != reading.board.tiles.shape or not is_new_game(before, reading.board):
        return None
    result = result_if_replaced(before, last.moves, _proved_mines(last))
    if result is Status.ENDED:
        return None
    # The result of the last moves was never captured.
    tiles = before.tiles.copy()
    for cell in target_cells(before, last.moves):
        tiles[cell] = UNREAD
    board = Board(tiles, before.mines)
    return replace(last.reading, board=board, status=result, seconds=reading.seconds)


def _proved_mines(turn: Turn) -> NDArray[np.bool_]:
    if turn.analysis is None:
        return np.zeros(turn.reading.board.tiles.shape, np.bool_)
    return np.asarray(turn.analysis.mine_probability == 1, np.bool_)


def _no_chord(error: Exception) -> bool:
    """Return whether only chords had no effect, even when repeated."""
    lost = error.missing if isinstance(error, BoardNotSettled) else ()
    return bool(lost) and all(move.action is Action.CHORD for move in lost)
