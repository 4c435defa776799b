"""A run: the concrete eye, brain and hand become the four callables of `bot.loop.play`.

What may come between two looks (the window moved, covered, minimised, closed; another game; a
dialog; a program that hangs) is `gui.obstacles`' and told in the table of `bot/README.md`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from bot.ahead import Ahead
from bot.analysis import Cancelled
from bot.board import UNREAD, Cell
from bot.effects import restarts
from bot.frame import Frame, Reading, Status
from bot.holding import Holding
from bot.loop import Stopped, Turn, play
from bot.manners import TAKEN, Interrupted, Manners, Pauses
from bot.mouse import Hand, Pointer
from bot.solver.ready import PREPARATION
from bot.waiting import insistent, settled
from gui.brain import planning, thinking
from gui.failures import Failure
from gui.meeting import ask_about, check_level, first_look, patience_of
from gui.nextgame import find_next_game
from gui.obstacles import OBSTACLES, Obstacles, Pause
from gui.protocol import Ask
from gui.recorded import recorded
from gui.settings import AfterDialog, Choices
from vision import windows
from vision.aiming import Aim
from vision.answering import make_sure
from vision.capture import Screen
from vision.focus import DialogOpen, Dialogs, NotInFront
from vision.learning.teaching import Doubt, Puzzled
from vision.reader import Reader
from vision.skins import Skin
from vision.usermouse import user_mouse

_STALE: Final = 0.1
"""Seconds after which a board is looked at again before it is clicked on: whoever thought for
long, or was paused, may find another game there."""
_A_LOOK: Final = 1.0
"""Seconds in which a board that nothing is in the way of comes to rest."""
_REFUSALS: Final = 5
"""Clicks in a row that may be refused though nothing seems to be in the way."""


@dataclass(frozen=True)
class Company:
    """Who is with a run: the user, or nobody."""

    stop: threading.Event
    """Ends it."""
    words: Callable[[BaseException], Failure]
    """Words for an error, with its picture."""
    ask: Ask | None = None
    """What a kind of tile is that cannot be told otherwise; waits for the answer. Without it
    nobody can be asked."""
    hold: Pause | None = None
    """Says what is in the way and waits until the user goes on. Without it nobody can go on:
    what does not pass by itself ends the run."""
    tell: Callable[[str], None] = lambda _text: None
    """Says what is waited for."""
    pauses: Pauses | None = None
    """Told when the user takes the mouse. Without it that ends the run."""


class Run:
    """Any number of games on one board.

    Args:
        choices: What the user chose; asked again and again, so that a change takes
            effect. Which game it is, its level and its mines stay as they were.
        company: Who can stop it, be asked and be told.
        seen: Told every frame.
    """

    def __init__(self, choices: Choices, company: Company, seen: Callable[[Frame], None]) -> None:
        self._choices = choices
        self._company = company
        self._stop = company.stop
        self._note = seen
        self._doubt = Doubt()
        told = company.tell if company.pauses is None else company.pauses.waits
        self._obstacles = Obstacles(
            self._clear, self._closed, self._stop.wait, company.hold, company.words, told
        )
        self._undone: Turn | None = None
        """A turn of which nothing, or not all, was carried out."""
        self._refused: Exception | None = None
        self._refusals = 0
        self._gone = False
        """The window was closed, and another one is waited for."""
        self._patient: Callable[[Turn | None], Reading]
        self._reader: Reader
        self._dialogs: Dialogs
        self._hand: Hand
        self._manners: Manners
        self._ahead: Callable[[Reading], None] | None = None

    def turns(
        self, pointer: Callable[[], Pointer], skins: tuple[Skin, ...], window: str | int | None
    ) -> Iterator[Turn]:
        """Play; in the thread that advances this.

        Args:
            pointer: Makes what moves the mouse.
            skins: Those that may be there.
            window: Which one; None for the only one.

        Yields:
            Each turn before it is carried out.
        """
        with ExitStack() as resources:
            screen = resources.enter_context(Screen())
            settings = self._choices()
            rules = settings.rules
            reader = Reader(screen, skins, window=window, mines=settings.mines, rules=rules)
            first = first_look(reader, self._stop)
            check_level(reader, settings)
            self._reader = reader
            self._meet_program()
            held = Holding(reader.skin.hold, reader.note_hold)
            self._hand = self._hand_of(pointer(), screen, held, resources)
            mind = Ahead(thinking(self._choices, reader.skin, self._stop))
            # A hunter remembers what it was shown: that has to be what is there.
            self._ahead = None if settings.digging else mind.think
            self._patient = insistent(self._settle, self._act_again, patience_of(reader.skin), held)
            turns = play(
                see=self._see,
                solve=mind,
                plan=planning(self._choices, reader.skin),
                act=self._act,
                sent=self._hand.take_sent,
            )
            try:
                # Before the first look: no game's time and no thought counts the compiling.
                PREPARATION.wait(self._stop)
                self._manners.begin()
                yield from recorded(turns, reader, self._choices, first)
            except (Stopped, Cancelled):
                return

    def _hand_of(
        self, pointer: Pointer, screen: Screen, held: Holding, resources: ExitStack
    ) -> Hand:
        reader, pauses = self._reader, self._company.pauses

        def taken(cornered: bool) -> None:
            if pauses is not None:
                pauses.resume() if cornered else pauses.pause(TAKEN)

        mouse = user_mouse(taken, lambda: pointer.position)
        resources.callback(mouse.close)
        self._manners = Manners(mouse, pauses, self._stop.wait)
        aim = Aim(lambda: reader.window, reader.guard)
        return Hand(
            pointer,
            guard=aim.guard,
            aim=aim.at,
            user=self._manners,
            focus=partial(reader.focus, self._stop.wait),
            stop=self._stop,
            held=windows.button_held,
            screen=screen.region,
            hold=lambda: held.seconds,
            restart_key=lambda: reader.skin.restart.key,
            chord=reader.skin.chord or "middle",
        )

    def _meet_program(self) -> None:
        self._dialogs = Dialogs(self._reader.window, self._reader.skin, self._stop.wait)

    # Looking

    def _see(self, last: Turn | None) -> Reading:
        """What the board shows when the user has given back the mouse."""
        while True:
            try:
                return self._see_clear(last)
            except Interrupted:
                last = None

    def _see_clear(self, last: Turn | None) -> Reading:
        """What the board shows when nothing is in its way, and the last turn is carried out."""
        if last is self._undone:
            last = None
        refused, self._refused = self._refused, None
        if refused is not None:
            self._obstacles.overcome(refused, again=self._refusals > _REFUSALS)
        while True:
            try:
                return self._patient(last)
            except OBSTACLES as error:
                if self._obstacles.overcome(error):
                    last = None

    def _settle(self, last: Turn | None, patience: float) -> Reading:
        while True:
            try:
                reading = settled(
                    self._look,
                    self._stop.wait,
                    last,
                    patience,
                    meanwhile=self._ahead,
                    unchanged=self._reader.unchanged,
                )
            except Puzzled as puzzle:
                ask_about(self._reader, puzzle, self._company.ask)
            else:
                check_level(self._reader, self._choices())
                return reading

    def _look(self) -> Reading:
        """One look; a dialog that the program opens at an end is met as was chosen."""
        self._manners.give_way()
        reading = self._reader.look()
        self._note(reading.frame)
        if reading.status is not Status.PLAYING:
            reading = self._meet_dialog(reading)
        if reading.status is Status.BLOCKED:
            self._dialogs.refuse_strange()
        self._doubt.weigh(reading, self._reader.questions)
        return reading

    def _meet_dialog(self, reading: Reading) -> Reading:
        after, hold = self._choices().after_dialog, self._company.hold
        if after is AfterDialog.CLOSE:
            key = self._dialogs.answer()
            if key is not None:
                self._hand.press(key)
            return reading
        title = self._dialogs.title()
        if title is None:
            return reading
        if after is AfterDialog.STOP or hold is None:
            raise DialogOpen(title)
        hold(self._company.words(DialogOpen(title)))
        return self._look()

    # What may be in the way

    def _clear(self) -> None:
        """Raise what is in the way at this moment."""
        self._dialogs.refuse_strange()
        reading = self._settle(None, _A_LOOK)
        if self._gone:
            self._gone = False
            self._meet_program()
        self._ask_program(reading)
        grid = reading.grid
        corners = (0, 0), (0, grid.cols - 1), (grid.rows - 1, 0), (grid.rows - 1, grid.cols - 1)
        wanted = [move.cell for move in self._undone.moves] if self._undone is not None else []
        inside = [cell for cell in wanted if cell and cell.row < grid.rows and cell.col < grid.cols]
        self._reader.guard([grid.center(Cell(*cell)) for cell in (*corners, *inside)])

    def _closed(self) -> None:
        self._gone = True
        self._reader.begin_anew()

    def _ask_program(self, reading: Reading) -> None:
        """Make sure that the program takes clicks: no dialog of it is open, and it answers."""
        self._meet_dialog(reading)
        self._dialogs.refuse_strange()
        if self._reader.window is not None:
            make_sure(self._reader.window, self._stop.wait)

    # Acting

    def _act(self, turn: Turn) -> None:
        """Carry a turn out, unless the board is another one by now, or not to be reached."""
        while not self._carry_out(turn) and restarts(turn.moves):
            # Another turn of the game that is over would count as another game.
            reading = self._see(None)
            if not reading.status.over:
                return
            turn = replace(turn, reading=reading)

    def _carry_out(self, turn: Turn) -> bool:
        self._undone = None
        try:
            fresh = self._fresh(turn)
            if fresh is not None:
                self._send(fresh)
                self._refusals = 0
                return True
        except OBSTACLES as error:
            self._refused = error
            self._refusals += 1
        except Interrupted:
            pauses = self._company.pauses
            if self._hand.idle and pauses is not None and pauses.allowed:
                # A press of Step takes the mouse, too: `_fresh` looks what is there now.
                return self._carry_out(turn)
        self._undone = turn
        return False

    def _send(self, turn: Turn) -> None:
        if restarts(turn.moves) and not self._reader.skin.restart.known:
            find_next_game(self._reader, self._hand, turn, self._look, self._stop)
        else:
            self._hand.act(turn)

    def _fresh(self, turn: Turn) -> Turn | None:
        """The turn where the board is now; None where the board is not what it was thought of."""
        if time.monotonic() - turn.reading.frame.time < _STALE:
            return turn
        try:
            reading = self._look()
            if self._uncover(reading):
                reading = self._settle(None, _A_LOOK)
        except Puzzled:
            return None
        same = reading.board == turn.reading.board and reading.status is turn.reading.status
        return replace(turn, reading=reading) if same else None

    def _act_again(self, turn: Turn) -> None:
        """Send once more what had no effect, or park the pointer.

        Neither is done where another window lies over the board: the user may be at work there.
        """
        if turn.reading.status is Status.BLOCKED:
            return
        if turn.moves:
            self._ask_program(turn.reading)
        self._uncover(turn.reading)
        self._hand.act(turn)

    def _uncover(self, reading: Reading) -> bool:
        """Give a game of which nothing can be read the keyboard; whether it needed that.

        Some cover their board while another window has it, as the panel when a button of it
        was pressed. Where that window lies over the board the user may be at work in it.
        """
        hidden = reading.status is Status.BLOCKED
        covered = not hidden and bool((reading.board.tiles == UNREAD).all())
        if covered:
            with suppress(NotInFront):
                self._reader.focus(self._stop.wait)
        return covered
