"""A run: the concrete eye, brain and hand become the four callables of `bot.loop.play`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from bot.analysis import Cancelled
from bot.frame import Frame, Reading, Status
from bot.loop import PATIENCE, Stopped, Turn, insistent, play, restarts, settled
from bot.mouse import Hand, Pointer
from bot.solver.ready import PREPARATION
from gui.brain import planning, thinking
from gui.meeting import ask_about, check_level, first_look, patience_of
from gui.nextgame import find_next_game
from gui.player import Ask
from gui.recorded import recorded
from gui.settings import AfterDialog, Choices
from vision import windows
from vision.capture import Screen
from vision.focus import DialogOpen, Dialogs, NotInFront
from vision.learning.teaching import Doubt, Puzzled
from vision.reader import Reader
from vision.skins import Skin


class Run:
    """Any number of games on one board.

    Args:
        choices: What the user chose; asked again and again, so that a change takes
            effect. Which game it is, its level and its mines stay as they were.
        stop: Ends it.
        ask: What a kind of tile is that cannot be told otherwise; waits for the answer.
            Without it nobody can be asked.
        hold: Waits until the user goes on, where a dialog is to pause the run. Without it
            nobody can go on: a dialog that is not to be closed ends the run.
        seen: Told every frame.
    """

    def __init__(
        self,
        choices: Choices,
        stop: threading.Event,
        ask: Ask | None,
        hold: Callable[[], None] | None,
        seen: Callable[[Frame], None],
    ) -> None:
        self._choices = choices
        self._stop = stop
        self._ask = ask
        self._hold = hold
        self._note = seen
        self._doubt = Doubt()
        self._reader: Reader
        self._dialogs: Dialogs
        self._hand: Hand

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
        with Screen() as screen:
            settings = self._choices()
            rules = settings.rules
            reader = Reader(screen, skins, window=window, mines=settings.mines, rules=rules)
            first = first_look(reader, self._stop)
            check_level(reader, settings)
            self._reader = reader
            self._dialogs = Dialogs(reader.window, reader.skin, self._stop.wait)
            self._hand = self._hand_of(pointer(), screen)
            turns = play(
                see=insistent(self._see, self._act, patience_of(reader.skin)),
                solve=thinking(self._choices, reader.skin, self._stop),
                plan=planning(self._choices, reader.skin),
                act=self._act,
                sent=self._hand.take_sent,
            )
            try:
                # Before the first look: no game's time and no thought counts the compiling.
                PREPARATION.wait(self._stop)
                yield from recorded(turns, reader, self._choices, first)
            except (Stopped, Cancelled):
                return

    def _hand_of(self, pointer: Pointer, screen: Screen) -> Hand:
        reader = self._reader
        return Hand(
            pointer,
            guard=reader.guard,
            focus=partial(reader.focus, self._stop.wait),
            stop=self._stop,
            held=windows.button_held,
            screen=screen.region,
            hold=reader.skin.hold,
            restart_key=lambda: reader.skin.restart.key,
            chord=reader.skin.chord or "middle",
        )

    def _see(self, last: Turn | None, patience: float) -> Reading:
        while True:
            try:
                return settled(self._look, self._stop.wait, last, patience)
            except Puzzled as puzzle:
                ask_about(self._reader, puzzle, self._ask)

    def _act(self, turn: Turn) -> None:
        if restarts(turn.moves) and not self._reader.skin.restart.known:
            find_next_game(self._reader, self._hand, turn, self._look, self._stop)
            return
        try:
            self._hand.act(turn)
        except NotInFront:
            # Where the window was only moved, the next look finds it again.
            reading = self._see(None, PATIENCE)
            if reading.board == turn.reading.board:
                self._hand.act(replace(turn, reading=reading))

    def _look(self) -> Reading:
        """One look; a dialog that the program opens at an end is met as was chosen."""
        reading = self._reader.look()
        self._note(reading.frame)
        if reading.status is not Status.PLAYING:
            reading = self._meet_dialog(reading)
        self._doubt.weigh(reading, self._reader.questions)
        return reading

    def _meet_dialog(self, reading: Reading) -> Reading:
        after = self._choices().after_dialog
        if after is AfterDialog.CLOSE:
            key = self._dialogs.answer()
            if key is not None:
                self._hand.press(key)
            return reading
        title = self._dialogs.title()
        if title is None:
            return reading
        if after is AfterDialog.STOP or self._hold is None:
            raise DialogOpen(title)
        self._hold()
        return self._look()
