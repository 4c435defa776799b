"""The wiring: where the concrete eye, brain and hand of the player are named.

Everything else is given what it needs; here the reader, the registry of solvers and the
system's pointer become the four callables of `bot.loop.play`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from typing import Final

from bot.analysis import Cancelled
from bot.frame import Frame, Reading, Region, Status
from bot.holding import Holding
from bot.loop import PATIENCE, Ahead, Stopped, Turn, insistent, play, restarts, settled
from bot.mouse import Hand, Pointer, SystemPointer
from bot.rules import Rules
from bot.solver.ready import PREPARATION
from bot.watching import Watched
from gui.assistant import assisted, kept_beside
from gui.brain import planning, thinking
from gui.display import Desk, desk
from gui.failures import Failure, describe
from gui.history.entry import Player
from gui.nextgame import find_next_game
from gui.player import Ask, Candidate, Found
from gui.questions import LeftOpen, around
from gui.recorded import recorded
from gui.settings import AfterDialog, Choices, Settings
from gui.simulators import Simulators
from vision import windows
from vision.beneath import GameScreen
from vision.capture import Screen
from vision.finder import BoardNotFound
from vision.focus import DialogOpen, Dialogs, NotInFront
from vision.following.targets import Target, survey_screen
from vision.learning.teaching import Doubt, Puzzled, Taught, TileUnknown, answered, teach
from vision.numbers.mines import MinesUnknown
from vision.reader import Reader
from vision.skins import Skin, SkinShelf
from vision.stopkey import StopKey

_APPEARS_SECONDS: Final = 4.0
"""How long a board may be on its way to the front before it counts as not there."""

_STRANGE_SECONDS: Final = 0.7
"""How long a board must look like no known skin before it is taken for one never seen."""

_UNREAD_AFTER: Final = 20
"""The part of its patience after which `bot.loop.insistent` takes a tile for unread."""


class WrongLevel(RuntimeError):
    """The window shows another level than the one that was asked for."""


class Desktop:
    """Plays on the desktop that this process sees.

    Args:
        pointer: Makes what moves the mouse; called in the thread that plays.
        environment: Of the simulated windows; this process's own without.
    """

    def __init__(
        self,
        pointer: Callable[[], Pointer] = SystemPointer,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._make_pointer = pointer
        self.simulators = Simulators(environment)
        self._last_frame: Frame | None = None
        self._shelf = SkinShelf()

    @property
    def skins(self) -> tuple[Skin, ...]:
        """The bundled skins and the user's own, as they are at this moment."""
        return self._shelf.skins()

    @property
    def broken(self) -> tuple[str, ...]:
        """Why skins are left out, each in a sentence or two."""
        self._shelf.skins()
        return tuple(map(str, self._shelf.broken))

    def boards(self) -> Found:
        """The boards on the screen, the program's own pictures of boards left out."""
        skins = self.skins
        with Screen() as screen:
            reader = Reader(screen, skins)
            targets, remarks = survey_screen(screen, skins)
            boards = tuple(_candidate(screen, reader, target) for target in targets)
        return Found(boards, tuple(remarks), self.broken)

    def turns(
        self,
        candidate: Candidate,
        choices: Choices,
        stop: threading.Event,
        ask: Ask,
        hold: Callable[[], None],
    ) -> Iterator[Turn]:
        """Play as many games as are chosen on a board that `boards` listed."""
        key = candidate.key if isinstance(candidate.key, int) else None
        return self.play(key, choices, stop, ask, hold)

    def watch(
        self, candidate: Candidate, choices: Choices, stop: threading.Event, ask: Ask
    ) -> Iterator[Turn]:
        """Watch somebody play on a board that `boards` listed; nothing is ever sent to it."""
        key = candidate.key if isinstance(candidate.key, int) else None
        return self.assist(key, choices, stop, ask)

    def assist(
        self,
        window: str | int | None,
        choices: Choices,
        stop: threading.Event,
        ask: Ask | None = None,
    ) -> Iterator[Watched]:
        """Watch somebody play on a window, told as for `play`, until `stop` is set."""
        with GameScreen() as screen:
            reader = Reader(screen, self.skins, window=window, mines=choices().mines)
            try:
                first = _first_look(reader, stop)
                watched = assisted(
                    screen, reader, choices(), stop, lambda puzzle: _ask(reader, puzzle, ask)
                )
                turns = kept_beside(
                    watched, lambda played: recorded(played, reader, choices, first, Player.USER)
                )
                with closing(turns):  # type: ignore[type-var]  # a generator
                    for turn in turns:
                        self._last_frame = turn.reading.frame
                        yield turn
            except (Stopped, Cancelled):
                return

    def play(
        self,
        window: str | int | None,
        choices: Choices,
        stop: threading.Event,
        ask: Ask | None = None,
        hold: Callable[[], None] | None = None,
    ) -> Iterator[Turn]:
        """Play on a window, told by its id or a part of its title, class or skin's name.

        Args:
            window: Which one; None for the only one.
            choices: What the user chose; asked again and again, so that a change takes
                effect. Which game it is, its level and its mines stay as they were.
            stop: Ends it.
            ask: What a kind of tile is that cannot be told otherwise; waits for the answer.
                Without it nobody can be asked.
            hold: Waits until the user goes on, where a dialog is to pause the run. Without it
                nobody can go on: a dialog that is not to be closed ends the run.

        Yields:
            Each turn before it is carried out; ends by itself after the last game, or
            when `stop` is set.
        """
        with ExitStack() as resources:
            screen = resources.enter_context(Screen())
            settings = choices()
            rules = settings.rules
            reader = Reader(screen, self.skins, window=window, mines=settings.mines, rules=rules)
            first = _first_look(reader, stop)
            _check_level(reader, settings)
            dialogs = Dialogs(reader.window, reader.skin, stop.wait)
            held = Holding(reader.skin.hold, reader.note_hold)
            hand = Hand(
                self._make_pointer(),
                guard=reader.guard,
                focus=partial(reader.focus, stop.wait),
                stop=stop,
                held=windows.button_held,
                screen=screen.region,
                hold=lambda: held.seconds,
                restart_key=lambda: reader.skin.restart.key,
                chord=reader.skin.chord or "middle",
            )

            mind = Ahead(thinking(choices, reader.skin, stop))
            # A hunter remembers what it was shown: that has to be what is there.
            ahead = None if settings.digging else mind.think
            doubt = Doubt()

            def look() -> Reading:
                reading = self._look(reader, dialogs, hand, choices, hold)
                doubt.weigh(reading, reader.questions)
                return reading

            def see(last: Turn | None, patience: float) -> Reading:
                while True:
                    try:
                        return settled(look, stop.wait, last, patience, meanwhile=ahead)
                    except Puzzled as puzzle:
                        _ask(reader, puzzle, ask)

            def act(turn: Turn) -> None:
                if restarts(turn.moves) and not reader.skin.restart.known:
                    find_next_game(reader, hand, turn, look, stop)
                    return
                try:
                    hand.act(turn)
                except NotInFront:
                    # Where the window was only moved, the next look finds it again.
                    reading = see(None, PATIENCE)
                    if reading.board == turn.reading.board:
                        hand.act(replace(turn, reading=reading))

            turns = play(
                see=insistent(see, act, patience_of(reader.skin), held),
                solve=mind,
                plan=planning(choices, reader.skin),
                act=act,
                sent=hand.take_sent,
            )
            try:
                # Before the first look: no game's time and no thought counts the compiling.
                PREPARATION.wait(stop)
                yield from recorded(turns, reader, choices, first)
            except (Stopped, Cancelled):
                return

    def _look(
        self,
        reader: Reader,
        dialogs: Dialogs,
        hand: Hand,
        choices: Choices,
        hold: Callable[[], None] | None,
    ) -> Reading:
        """One look; a dialog that the program opens at an end is met as was chosen."""
        reading = reader.look()
        self._last_frame = reading.frame
        if reading.status is Status.PLAYING:
            return reading
        after = choices().after_dialog
        if after is AfterDialog.CLOSE:
            key = dialogs.answer()
            if key is not None:
                hand.press(key)
            return reading
        title = dialogs.title()
        if title is None:
            return reading
        if after is AfterDialog.STOP or hold is None:
            raise DialogOpen(title)
        hold()
        return self._look(reader, dialogs, hand, choices, hold)

    def learn(
        self,
        window: str,
        name: str | None,
        mines: int | None,
        ask: Ask,
        may_replace: Callable[[str], bool] = lambda _name: False,
    ) -> Taught:
        """Learn the skin of a window from one look at it; raises as `teach` does."""
        skins = self.skins
        frame, seen = self._pictured(window, skins, mines)
        return teach([frame], skins, name, mines, ask, seen, may_replace)

    def snapshot(self, candidate: Candidate) -> tuple[Frame, windows.Window | None]:
        """The window of a board that `boards` listed, as it looks, and the window.

        Raises:
            Exception: As `Reader.choose` raises where the board is not there any more.
        """
        key = candidate.key if isinstance(candidate.key, int) else None
        return self._pictured(key, self.skins, None)

    def _pictured(
        self, window: str | int | None, skins: tuple[Skin, ...], mines: int | None
    ) -> tuple[Frame, windows.Window | None]:
        with Screen() as screen:
            target = Reader(screen, skins, window=window, mines=mines).choose()
            region = target.window.region if target.window else target.grid.view
            return screen.grab(region), target.window

    def candidate(self, window: str | int, mines: int | None, stop: threading.Event) -> Candidate:
        """The one board that is meant, which may be on its way to the front.

        Raises:
            Stopped: `stop` was set meanwhile.
            Exception: As `Reader.look` raises where it cannot be played.
        """
        with Screen() as screen:
            reader = Reader(screen, self.skins, window=window, mines=mines)
            _first_look(reader, stop)
            return _candidate(screen, reader, reader.choose())

    def open_simulator(self, rules: Rules) -> None:
        """Open a simulated window in a process of its own."""
        self.simulators.start(*(["--digging"] if rules is Rules.DIGGING else []))

    def stop_key(self, pressed: Callable[[], None]) -> StopKey | None:
        """Hear the key that stops from everywhere; None where none can be heard."""
        return StopKey(pressed) if desk() is Desk.X11 else None

    def failure(self, error: BaseException) -> Failure:
        """Words for an error; the frame it is about is saved."""
        return describe(error, self._last_frame)


def patience_of(skin: Skin) -> float:
    """Seconds that the loop waits for a board: no tile is unread before its animation is over."""
    return max(PATIENCE, _UNREAD_AFTER * skin.animation)


def _ask(reader: Reader, puzzle: Puzzled, ask: Ask | None) -> None:
    """Ask what the commonest unknown kind of tile is; its answer may settle the others.

    Raises:
        TileUnknown: Nobody can be asked.
        LeftOpen: Nobody says: a board with a tile that is unknown cannot be played.
        Stopped: The user stopped in place of an answer.
    """
    question = puzzle.questions[0]
    if ask is None:
        raise TileUnknown(question, puzzle.reading)
    where = around(puzzle.reading, question.cells[0])
    if not answered(question, lambda again: ask(again, where), reader.answer):
        raise LeftOpen(question, puzzle.reading)


def _first_look(reader: Reader, stop: threading.Event) -> Reading:
    """Find the board, and wait a little for windows that are just getting out of its way.

    Raises:
        BoardNotFound: It stays unseen.
        MinesUnknown: Nobody says how many mines it has.
        Stopped: The user stopped.
    """
    begin = time.monotonic()
    deadline = begin + _APPEARS_SECONDS
    reader.strangers = False
    while True:
        try:
            return reader.look()
        except (BoardNotFound, MinesUnknown):
            # Looking for all known skins may take as long; the others get their look, too.
            if time.monotonic() > deadline and reader.strangers:
                raise
            # A game that is still sliding in looks like none that is known.
            reader.strangers = time.monotonic() > begin + _STRANGE_SECONDS
        if stop.wait(_APPEARS_SECONDS / 20):
            raise Stopped


def _candidate(screen: Screen, reader: Reader, target: Target) -> Candidate:
    grid, skin, window = target.grid, target.skin, target.window
    skin_name = "a skin never seen" if target.learner else skin.name
    return Candidate(
        title=window.title if window else "the screen",
        skin=skin_name,
        rows=grid.rows,
        cols=grid.cols,
        mines=reader.mines_of(target),
        thumbnail=screen.grab(grid.region).image,
        key=window.id if window else None,
        region=_elbow_room(target),
    )


def _elbow_room(target: Target) -> Region:
    """What a window of ours must not cover: the game's window, and a cell around the board."""
    grid = target.grid
    board, room = grid.region, round(max(grid.pitch_x, grid.pitch_y)) + 1
    around = Region(
        board.left - room, board.top - room, board.width + 2 * room, board.height + 2 * room
    )
    return around.union(target.window.region) if target.window else around


def _check_level(reader: Reader, settings: Settings) -> None:
    if settings.level is None:
        return
    grid = reader.grid
    wanted = reader.skin.levels.get(settings.level)
    if wanted is None or wanted[:2] != (grid.rows, grid.cols):
        size = f" ({wanted[1]} x {wanted[0]})" if wanted else ""
        raise WrongLevel(
            f"the board has {grid.cols} x {grid.rows} cells, which is not this program's level "
            f"'{settings.level}'{size}: choose that level in the game's own menu, or leave "
            "--level out"
        )
