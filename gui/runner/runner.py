"""The games of a run: connect reader, solver and mouse to the callables of `bot.loop.play`.

Events between two readings (the window was moved, covered, minimised or closed; another game; a
dialog; a program that hangs) are handled by `gui.runner.recovery` and listed in the table of
`bot/FAULTS.md`. `README.md` beside this file has the states, and the way of a frame and of a turn.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Final

from bot.analysis import Analysis
from bot.board import UNREAD, Board, Cell, InconsistentBoard
from bot.effects import is_restart
from bot.frame import Reading, Status
from bot.loop import Turn, play
from bot.planner import Action
from bot.solver.phrases import quantity
from bot.solver.published.consistency import impossible_hints
from bot.waiting import PATIENCE, BoardNotSettled, Waits, wait_until_stable, with_retries
from gui.runner import timeouts
from gui.runner.access import Access
from gui.runner.closing import DialogCloser
from gui.runner.decisions import SpeculativeSolver, planning, simulating, thinking
from gui.runner.next_game import BetweenGames
from gui.runner.recovery import OBSTACLES, Recovery
from gui.runner.restart import (
    banner_result,
    dialog_result,
    fresh_board,
    hidden_end,
    is_new_game,
    replaced_game,
    result_over_board,
    with_true_result,
    won_out_of_sight,
)
from gui.runner.startup import (
    ask_about,
    ask_about_passed,
    ask_mines,
    check_digging,
    check_level,
    confirm_board,
    patience_of,
)
from gui.runner.states import Activity
from gui.settings import AfterDialog
from vision.click_guard import refuse_hanging
from vision.counters.mines import MinesRefused, MinesUnknown
from vision.desktop import Window
from vision.desktop.user_mouse import Interrupted
from vision.finder import BoardNotFound
from vision.focus import NotInFront, StrangeDialog, is_known_program
from vision.learning.questions import AnswersNeeded
from vision.tracking.pagedialog import PageDialog
from vision.tracking.tracked_board import WindowHidden

_log = logging.getLogger(__name__)

_REFUSALS: Final = 5
"""Number of consecutive clicks that may be refused without a visible obstacle."""


class _MinesContradicted(MinesRefused):
    """The hints of a game contradict its number of mines."""


class Games:
    """The games of a run, on the board that was found.

    Args:
        access: To the game.
        remark: A remark that is to be shown with the first turn.
    """

    def __init__(self, access: Access, remark: str) -> None:
        self._access, self._remark = access, remark
        self._mines_refuted = False
        """Whether the hints of a game have contradicted its number of mines."""
        self._reader, self._mouse, self._user = access.reader, access.mouse, access.user
        self._choices, self.operator = access.choices, access.operator
        self._stop = self.operator.stopped
        self.closer: DialogCloser
        """Closes dialogs."""
        self.between: BetweenGames
        """Starts the next game."""
        self._recovery = Recovery(self)
        self._digging = self._choices().digging
        self._undecided: Turn
        """The turn that is being decided."""
        self._sent: Turn | None = None
        """The last turn of the current game that was carried out."""
        self._undone: Turn | None = None
        """A turn that was not, or not completely, carried out."""
        self._refused: Exception | None = None
        self._refusals = 0
        self._window_closed = False
        """Whether the window was closed, and another one is awaited."""
        self._solve = solve = SpeculativeSolver(
            thinking(self._choices, self._reader, self._stop),
            simulating(self._choices, self._reader, self.operator, self._show_interim),
        )
        self._solver = None if self._digging else solve
        """The solver; None in the game of digging, whose hunter has state."""
        self._set_up_window()

    def turns(self) -> Iterator[Turn]:
        """Play; yield each turn before it is carried out."""
        return play(
            read_board=self._read_next,
            solve=self._solve,
            plan=planning(
                self._choices,
                self._reader,
                lambda: self._access.conventions.chording.gesture is not None,
            ),
            act=self._act,
            pop_events=self._mouse.pop_events,
        )

    def _set_up_window(self) -> None:
        """Set up the state for a window; results from another window do not apply."""
        self.closer = DialogCloser(self._access)
        self.between = BetweenGames(self._access, self.closer)
        self._look = self.closer.read
        self._read_with_retries = with_retries(
            self._settle,
            self._repeat,
            patience_of(self._reader.skin),
            self._access.conventions.timing,
        )

    # Reading

    def _read_next(self, last: Turn | None) -> Reading:
        """Return the reading after a turn, and keep it for the state of its decision."""
        reading = self._read_board(last)
        self._undecided = Turn(0 if last is None else last.number + 1, reading, None, ())
        return reading

    def _show_interim(self, interim: Analysis) -> None:
        self.operator.show_interim(replace(self._undecided, analysis=interim))

    def _read_board(self, last: Turn | None) -> Reading:
        """Return the reading after a turn, once neither an obstacle nor the user is in the way."""
        if last is self._undone:
            last = None
        ended = self._end_at_refusal(last)
        if ended is not None:
            return ended
        while True:
            try:
                try:
                    reading = self._read_with_retries(last)
                except BoardNotSettled as error:
                    reading = self._chord_otherwise(last, error)
                self._access.conventions.note_effect(reading, last)
                return self._check_reading(reading, last)
            except Interrupted:
                # The reason for waiting may have been replaced by another one.
                self._access.hidden_reported = False
                self.forget_moves()
                last = None
            except PageDialog as met:
                ended = self._end_below_box(met, last)
                if ended is not None:
                    return ended
                last = None
            except _MinesContradicted as question:
                # Not an obstacle: without an answer it does not pass, and the run ends.
                self.ask_mines(question)
                last = None
            except OBSTACLES as error:
                ended = self._seen_end(error, last)
                if ended is not None:
                    return ended
                self._check_digging(error, last)
                if self._overcome(error):
                    last = None

    def _check_digging(self, error: Exception, last: Turn | None) -> None:
        if self._digging and last is not None and isinstance(error, BoardNotSettled):
            check_digging(self._reader, last, error.reading, lost=bool(error.missing))

    def _seen_end(self, error: Exception, last: Turn | None) -> Reading | None:
        """Return the ended game if an unknown program says so; None otherwise.

        In a dialog, over its board, or by ignoring clicks after the first one; or by a dialog in
        place of its window.
        """
        last, reader = last or self._sent, self._reader
        if last is not None and isinstance(error, WindowHidden):
            return self._won_behind_dialog(last)
        unseen = isinstance(error, NotInFront | BoardNotFound)
        if last is None or not (unseen or isinstance(error, BoardNotSettled | StrangeDialog)):
            return None
        dialogs = self._access.dialogs
        reading = error.reading if isinstance(error, BoardNotSettled) else last.reading
        if dialogs.open_dialog() is not None:
            return self._end_in_dialog(reading)
        if unseen:
            return None
        lost = isinstance(error, BoardNotSettled) and error.missing
        return (self._end_at_first() if lost else None) or banner_result(reader, reading, last)

    def _end_in_dialog(self, reading: Reading) -> Reading | None:
        """Return the ended game if the dialog of an unknown program says so once it is drawn."""
        reader, dialogs = self._reader, self._access.dialogs
        ended: Reading | None = None

        def is_decided() -> bool:
            nonlocal ended
            if dialogs.open_dialog() is None:
                return True
            ended = dialog_result(reader, dialogs, reading)
            return ended is not None

        if not is_known_program(reader.skin, reader.window):
            Waits(self._stop.wait).until(is_decided, timeouts.DIALOG_OPENS)
        return ended

    def _won_behind_dialog(self, last: Turn) -> Reading | None:
        """Return the game that the last turn has won if a dialog is shown in place of its window.

        Without a dialog the user may have minimised the window.
        """
        won = None if self._digging else won_out_of_sight(last)
        if won is None or is_known_program(self._reader.skin, self._reader.window):
            return None
        opened = self._access.dialogs.open_dialog
        shown = Waits(self._stop.wait).until(lambda: opened() is not None, timeouts.DIALOG_OPENS)
        return won if shown else None

    def _end_at_refusal(self, last: Turn | None) -> Reading | None:
        """Return the ended game if a dialog that says so refused a click; else overcome that."""
        refused, self._refused = self._refused, None
        if refused is None:
            return None
        ended = self._seen_end(refused, last)
        if ended is None:
            self._overcome(refused, again=self._refusals > _REFUSALS)
        return ended

    def _end_at_first(self) -> Reading | None:
        """Return the game that the first click has lost, if all others are without effect."""
        with suppress(Interrupted, AnswersNeeded, *OBSTACLES):
            self.check_program()
            if self._reader.end_at_passed() and (ended := self._look()).status.over:
                return ended
        return None

    def _check_reading(self, reading: Reading, last: Turn | None) -> Reading:
        """Return the reading to act on, or raise."""
        if not self._digging:
            ended = replaced_game(reading, last)
            if ended is not None:
                return ended
        reading = with_true_result(reading, self._sent, digging=self._digging)
        reading = self._with_fitting_mines(reading)
        if self._digging and last is not None:
            check_digging(self._reader, last, reading)
        if self._remark:
            reading = replace(reading, remarks=(*reading.remarks, self._remark))
            self._remark = ""
        return self._access.conventions.with_remark(reading, self._choices())

    def _chord_otherwise(self, last: Turn | None, error: BoardNotSettled) -> Reading:
        """Try the other chord gestures until one has an effect, if only chords had none."""
        if last is None or not _no_chord(error):
            raise error
        # A program that chords does so as soon as it opens cells: see `with_retries`.
        patience = patience_of(self._reader.skin) / 20
        for gesture in self._access.conventions.chording.alternatives():
            self._access.conventions.chording.switch_to(gesture)
            with self._access.conventions.timing.slowed():
                self._repeat(replace(last, reading=error.reading, moves=error.missing))
            try:
                return self._settle(last, patience)
            except BoardNotSettled as again:
                if not _no_chord(again):
                    raise
                error = again
        self._access.conventions.chording.give_up()
        return self._read_with_retries(None)

    def _overcome(self, error: Exception, *, again: bool = False) -> bool:
        """Wait until there is no obstacle; return whether the last turn is obsolete."""
        try:
            return self._recovery.overcome(error, again=again)
        except Interrupted:
            return True

    def _end_below_box(self, met: PageDialog, last: Turn | None) -> Reading | None:
        """Close the box that the page has drawn over its board, unless it says how the game ended.

        Args:
            met: The box, with the board below it.
            last: The turn before it was drawn.

        Returns:
            How the game has ended, if the box says so or has started the next one.
        """
        hidden = met.reading
        result = None if last is None else result_over_board(self._reader, hidden.board, last)
        if result is not None:
            return replace(hidden, status=result)
        self._overcome(met)
        if last is None:
            return None
        before = last.reading.board
        with suppress(Interrupted, AnswersNeeded, *OBSTACLES):
            reading = self._look()
            reading = fresh_board(reading) or reading
            if reading.status is Status.PLAYING and is_new_game(before, reading.board):
                said = self.closer.said
                return hidden_end(hidden, last) if said is None else replace(hidden, status=said)
        return None

    def _with_fitting_mines(self, reading: Reading) -> Reading:
        """Return a reading whose hints can be true with its number of mines.

        The user is asked once in a run, but not if only the size of the board implied the number
        and the hints leave a single one. A later number is replaced for its game by the nearest one
        with a solution: some programs lay fewer mines than they show.

        Raises:
            _MinesContradicted: The user has to be asked.
            InconsistentBoard: No number of mines has a solution.
        """
        if self._solver is None or reading.status is not Status.PLAYING:
            return reading
        board = reading.board
        try:
            self._solver.prepare(board)
        except InconsistentBoard:
            if impossible_hints(board):
                raise
            seen = (
                f"The hints on this board of {board.rows} rows and {board.cols} columns cannot be "
                f"true with {quantity(board.mines, 'mine')}"
            )
            only = None if self._reader.usual_mines is None else self._only_mines(board)
            if only is None and not self._mines_refuted:
                self._mines_refuted = True
                self._reader.refute_mines(board.mines)
                raise _MinesContradicted(seen, "give the right number with --mines") from None
            mines = only or self._nearest_mines(board)
            self._reader.replace_mines(mines, proved=only is not None)
            remark = f"{seen}: this game is played with {mines}"
            _log.info(remark)
            board = replace(board, mines=mines, assumed=True)
            reading = replace(reading, board=board, remarks=(*reading.remarks, remark))
        return reading

    def _only_mines(self, board: Board) -> int | None:
        """Return the only number of mines with which a board's hints can be true, if it is one."""
        with suppress(InconsistentBoard):
            mines = self._nearest_mines(board)
            # The possible numbers are neighbours.
            others = mines - 1, mines + 1
            return mines if not any(self._fits(board, other) for other in others) else None
        return None

    def _fits(self, board: Board, mines: int) -> bool:
        """Return whether a board's hints can be true with this number of mines."""
        assert self._solver is not None  # noqa: S101 - the caller has checked it
        if not 0 < mines < board.tiles.size:
            return False
        try:
            self._solver.prepare(replace(board, mines=mines))
        except InconsistentBoard:
            return False
        return True

    def _nearest_mines(self, board: Board) -> int:
        """Return the number of mines nearest to a board's with which its hints can be true.

        Raises:
            InconsistentBoard: There is none within a quarter of the cells.
        """
        size, wrong = board.tiles.size, board.mines
        numbers = set(range(max(wrong - size // 4, 1), min(wrong + size // 4, size)))
        for mines in sorted(numbers - {wrong}, key=lambda mines: abs(mines - wrong)):
            if self._fits(board, mines):
                return mines
        raise InconsistentBoard(
            f"no number of mines near {wrong} makes all hints of this board true"
        )

    def ask_mines(self, unknown: MinesUnknown) -> None:
        """Ask the user how many mines there are, or raise."""
        with self._user.acting():
            ask_mines(self._reader, unknown, self.operator)

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
            except BoardNotSettled as error:
                reading = error.reading
                found = self._without_marks(reading)
                if found is None and last is not None:
                    found = banner_result(self._reader, reading, last, by_moves=False)
                if found is None:
                    raise
                return found
            except AnswersNeeded as needed:
                ended = dialog_result(self._reader, self._access.dialogs, needed.reading)
                ended = ended or self._without_marks(needed.reading)
                if ended is not None:
                    return ended
                ask_about(self._reader, needed, self.operator)
            else:
                check_level(self._reader, self._choices())
                if ask_about_passed(self._reader, reading, self.operator):
                    continue
                if not self._reader.unsure:
                    return reading
                # The board may have changed while the user was asked, so it is read again.
                self._confirm()

    def _without_marks(self, reading: Reading) -> Reading | None:
        """Return a board of an unknown program without a move, if a mark hides a few cells."""
        fresh = fresh_board(reading)
        if fresh is None or is_known_program(self._reader.skin, self._reader.window):
            return None
        # Or the program has begun another game by itself.
        begun = self._sent is None or is_new_game(self._sent.reading.board, fresh.board)
        return fresh if begun else None

    def _confirm(self) -> None:
        with self._user.acting():
            confirm_board(self._reader, self._choices(), self.operator)

    # Obstacles

    def find_obstacle(self) -> None:
        """Raise the current obstacle, one of `OBSTACLES`: each step detects others.

        Takes one second at most, unless the game has to draw its board first.
        """
        self._set_up_other_window()
        self._reader.recheck_window()
        self.check_program()
        self._check_board()

    def check_program(self) -> None:
        """Make sure that the program accepts clicks: no dialog is open, and it responds."""
        if self._undone is not None and (self._undone.reading.board.tiles < 0).all():
            # It lies exactly over the window of the last game, which is clicked in vain.
            self.closer.refuse_next_game()
        self.closer.close_dialogs(strange=False)
        self._access.dialogs.refuse_strange()
        if self._reader.window is not None:
            refuse_hanging(self._reader.window, self._stop.wait)

    def forget_moves(self) -> None:
        """Explain no change of the board by the last moves: the user may have played since."""
        self._reader.note_moves(())

    @property
    def _last_turn(self) -> Turn | None:
        """The last turn carried out in this game; the finished one until the next is started."""
        restarts = self._undone is not None and is_restart(self._undone.moves)
        return self._undone if restarts else self._sent

    def close_box(self) -> bool:
        """Close a box that a page has drawn over its board; return whether it may be one."""
        try:
            self.closer.close_page_dialog(self._last_turn)
        except (NotInFront, StrangeDialog):
            return False
        return True

    def leave_dialogs(self) -> bool:
        """Leave a dialog to the user if the settings say so; return whether they do."""
        if self._choices().after_dialog is AfterDialog.CLOSE:
            return False
        self.closer.close_dialogs(ended=False)
        return True

    def await_other_window(self, successor: Window | None = None) -> None:
        """Prepare to use another window, if known its `successor`, as this one is gone."""
        self._window_closed = True
        self._reader.screen.select_desktop()
        self._reader.begin_anew(successor)

    def _set_up_other_window(self) -> None:
        """Set up the window that was opened in place of the closed one."""
        if not self._window_closed:
            return
        # Confirm the program before asking anything else about it.
        with suppress(MinesUnknown):
            self._reader.look()
        self._confirm()
        self._access.renew()
        self._set_up_window()
        self._window_closed = False

    def _check_board(self) -> None:
        """Make sure that the board is stable and that clicks on it are possible."""
        try:
            reading = self._settle_uncovered()
        except PageDialog:
            self.closer.close_page_dialog(self._last_turn)
            raise
        grid = reading.grid
        corners = (0, 0), (0, grid.cols - 1), (grid.rows - 1, 0), (grid.rows - 1, grid.cols - 1)
        wanted = [move.cell for move in self._undone.moves] if self._undone is not None else []
        inside = [cell for cell in wanted if cell and cell.row < grid.rows and cell.col < grid.cols]
        self._reader.guard([grid.center(Cell(*cell)) for cell in (*corners, *inside)])

    def _settle_uncovered(self) -> Reading:
        """Read the board.

        Give the game the keyboard if it hides its board without, and take the pointer off a board
        with unread tiles, unless a window covers it.
        """
        try:
            return self._settle(None, timeouts.BOARD_SETTLES)
        except BoardNotSettled as error:
            reading = error.reading
            if reading.status is Status.BLOCKED:
                raise
            if not (self._uncover(reading) or self._mouse.uncover(reading)):
                raise
            return self._settle(None, PATIENCE)

    # Moves

    def _act(self, turn: Turn) -> None:
        """Carry out a turn, unless the board has changed or cannot be reached."""
        while not self._carry_out(turn) and is_restart(turn.moves):
            # Another turn of the finished game would be counted as another game.
            # What refused it is waited out by `_read_board`.
            reading = (None if self._refused else self._unchanged(turn)) or self._read_board(None)
            if not reading.status.over:
                return
            turn = replace(turn, reading=reading)

    def _unchanged(self, turn: Turn) -> Reading | None:
        """Return the board of an ended game if it stays, though it does not look like an end.

        Its unknown tiles do not matter any more, nor does its number of mines.
        """
        seen, shown = turn.reading, turn.reading.board.rows_text()

        def moves_on() -> bool:
            nonlocal seen
            seen = self._reader.look()
            return seen.status.over or seen.board.rows_text() != shown

        with suppress(*OBSTACLES):
            if not Waits(self._stop.wait).until(moves_on, timeouts.DIALOG_OPENS):
                return replace(seen, status=turn.reading.status)
        return None

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
                    if not self._mouse.idle or not self.operator.allowed:
                        break
                    # The user only pressed Step, or used the panel: `_fresh` reads the board again.
        except OBSTACLES as error:
            self._refused = error
            self._refusals += 1
            _log.info("Clicks were not sent, or not all: %s", type(error).__name__)
            _log.debug("%s", error)
        if not sent:
            self._undone = turn
            self.forget_moves()
        return sent

    def _try(self, turn: Turn) -> bool:
        # A dialog may start the next game by itself; then nothing is left to do.
        if is_restart(turn.moves) and (
            self.closer.close_dialogs() or self.closer.close_page_dialog(over=True)
        ):
            self.between.choose_level_after_dialog()
            return False
        fresh = self._fresh(turn)
        if fresh is None:
            return False
        self._send(fresh)
        self._refusals = 0
        return True

    def _send(self, turn: Turn) -> None:
        if is_restart(turn.moves):
            self._access.conventions.keep()
            self._sent = None
            self._reader.note_moves(())
            with self.operator.doing(Activity.BETWEEN_GAMES):
                self.between.start(turn)
        else:
            if turn.moves:
                self._access.conventions.played = True
                self.between.note_move(turn)
                self._reader.note_moves(turn.moves)
                self._sent = turn
            self._mouse.act(turn)

    def _fresh(self, turn: Turn) -> Turn | None:
        """Return the turn at the board's current position; None if the board has changed."""
        if time.perf_counter() - turn.reading.frame.time < timeouts.READING_STALE:
            return turn
        self.forget_moves()
        try:
            reading = self._look()
            # What lies over a finished board may say how it has ended.
            hidden = not turn.reading.status.over and self._uncover(reading)
            if self._access.resume_requested or hidden:
                reading = self._settle(None, PATIENCE)
        except AnswersNeeded as needed:
            if not turn.reading.status.over:
                return None
            reading = needed.reading
        status = turn.reading.status
        if status.over and reading.status is not Status.BLOCKED:
            # A banner, or the moves, may have shown the end, which the board alone does not show.
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
            self.check_program()
        if (turn.moves or UNREAD in turn.reading.board.tiles) and self.closer.meets_box():
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


def _no_chord(error: Exception) -> bool:
    """Return whether only chords had no effect, even when repeated."""
    lost = error.missing if isinstance(error, BoardNotSettled) else ()
    return bool(lost) and all(move.action is Action.CHORD for move in lost)
