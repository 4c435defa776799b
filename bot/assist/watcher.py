"""Watching somebody play: look, think, and say what would be good; never act.

`watch` stands beside `bot.loop.play`. It is given no hand: there is nothing that it could
click with. Whenever the board has changed and come to rest it yields a turn whose moves are
advice; what the player's own moves were worth, and better answers to the same board, follow
as further turns of the same number. Whoever clicks faster than it thinks is not waited for:
a look while thinking notices that the board is another one, and the thought is dropped.

A game that was watched, told as one that the bot plays: each turn with the moves made on it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from bot.analysis import Analysis, Cancelled
from bot.assist.coach import Verdict
from bot.board import COVERED, UNREAD, Board, InconsistentBoard
from bot.frame import Reading, Status
from bot.loop import Stopped, Turn
from bot.planner import Move
from bot.waiting import LOOK_INTERVAL

REST: Final = 0.02
"""Seconds between two looks at a board where nothing happens."""
LONG_REST: Final = 0.05
"""The same where nothing has happened for `CALM` seconds: half the work."""
CALM: Final = 3.0
GLANCE: Final = 0.02
"""Seconds between two looks while thinking."""
BREATH: Final = 0.02
"""Seconds after the first answer to a board before anything else is worked out: whoever shows
it needs the processor first."""
HOVER: Final = 0.1
"""Seconds after which one tile that cannot be read is taken to lie under the pointer: some
programs draw such a cell like no other."""
DOUBT: Final = 0.5
"""Seconds after which a board that cannot be read is told as it is."""
COVERED_FOR: Final = 0.15
"""The same for one that another window lies over."""
AWAY: Final = 1.0
"""Whoever takes no turn for so many seconds has paused: what was played meanwhile is not
judged."""


@dataclass(frozen=True, eq=False)
class WatchedTurn(Turn):
    """One look at somebody else's game; its moves are advice, and nobody carries them out."""

    verdicts: tuple[Verdict, ...] = ()
    """What the moves since the turn before were worth: told once."""
    markable: bool = False
    """Whether something may be drawn over the game's window, and the eye will not see it."""


IncrementalSolver = Callable[[Board, threading.Event], Iterator[Analysis]]
"""A board in, one answer after the other out, the quickest first; raises `Cancelled` when the
event is set."""
MoveJudge = Callable[[Board, Analysis, Reading, threading.Event], tuple[Verdict, ...]]
"""What the moves from a board to a reading were worth, by what was known of the board; says
what it can when the event is set."""


def watch(
    look: Callable[[], Reading],
    think: IncrementalSolver,
    plan: Callable[[Board, Analysis], tuple[Move, ...]],
    judge: MoveJudge,
    wait: Callable[[float], bool],
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[WatchedTurn]:
    """Watch until the user stops.

    Args:
        look: One look; never waits.
        think: Asked about every board of a game that goes on.
        plan: Turns an answer into advice.
        judge: Rates the player's moves; asked where both boards are of one game.
        wait: Waits the given seconds; True when the user stopped (an event's `wait`).
        clock: Monotonic seconds.

    Yields:
        Each turn when it is known; never ends by itself.

    Raises:
        Stopped: The user stopped.
    """
    gaze = _Gaze(look, wait, clock)
    shown: Reading | None = None
    whole: Reading | None = None
    """The last one that could be read."""
    known: Analysis | None = None
    """What is thought of its board, as far as its moves are to be judged."""
    number = 0
    while True:
        shown = reading = gaze.next(shown)
        turn = WatchedTurn(number, reading, None, (), reading.seconds)
        if not (_whole(reading) or reading.status.over):
            yield turn
            continue
        before, base = whole, known
        if before is None or _is_other_game(before, reading):
            number, before = 0, None
        elif not _same_game_state(before, reading):
            number += 1
        else:
            before = None
        whole, known = reading, None
        turn = replace(turn, number=number)
        told = before is None or base is None
        for step in _thoughts(turn, think, plan, gaze, clock):
            first = known is None
            known = step.analysis or known
            given = clock()
            yield step
            away = clock() - given > AWAY
            if first and wait(BREATH):
                raise Stopped
            if not told and before is not None and base is not None:
                told = True
                verdicts = judge(before.board, base, reading, gaze.superseded(reading))
                if verdicts:
                    yield replace(step, verdicts=verdicts)
            if away:
                known, told = None, True


def _is_other_game(before: Reading, after: Reading) -> bool:
    """Return whether a board is not the one of a moment ago with more moves made on it."""
    was, now = before.board, after.board
    if was.tiles.shape != now.tiles.shape or was.mines != now.mines:
        return True
    if before.status.over and not after.status.over:
        return True
    # A hint that is another one, or covered again.
    return bool(((was.tiles >= 0) & (now.tiles != was.tiles)).any())


def _thoughts(
    turn: WatchedTurn,
    think: IncrementalSolver,
    plan: Callable[[Board, Analysis], tuple[Move, ...]],
    gaze: _Gaze,
    clock: Callable[[], float],
) -> Iterator[WatchedTurn]:
    """Yield the turn with each answer; without one if there is nothing to think about."""
    reading = turn.reading
    if reading.status.over:
        yield turn
        return
    start = clock()
    try:
        for analysis in think(reading.board, gaze.superseded(reading)):
            thought = clock() - start
            yield replace(
                turn,
                analysis=replace(analysis, seconds=thought),
                moves=plan(reading.board, analysis),
                seconds={**turn.seconds, "think": thought},
            )
    except Cancelled:
        return
    except InconsistentBoard as error:
        remarks = (*reading.remarks, str(error))
        yield replace(turn, reading=replace(reading, remarks=remarks))


class _Gaze:
    """Looks until there is something else to see."""

    def __init__(
        self,
        look: Callable[[], Reading],
        wait: Callable[[float], bool],
        clock: Callable[[], float],
    ) -> None:
        self._look = look
        self._wait = wait
        self._clock = clock

    def next(self, shown: Reading | None) -> Reading:
        """Look until the board is another than the one shown and two looks in a row agree.

        A board that stays unreadable, or covered, is another one too, after a while.

        Raises:
            Stopped: The user stopped.
        """
        before: Reading | None = None
        since: float | None = None
        calm = self._clock() + CALM
        while True:
            reading = self._look()
            rest = REST if self._clock() < calm else LONG_REST
            if _whole(reading):
                since = None
            else:
                since = self._clock() if since is None else since
                reading, believed = _guessed(reading, self._clock() - since, shown)
                if not believed:
                    self._pause(rest)
                    continue
            if shown is not None and _alike(shown, reading):
                before = None
                self._pause(rest)
                continue
            if before is not None and _alike(before, reading):
                return reading
            before = reading
            self._pause(LOOK_INTERVAL)

    def superseded(self, reading: Reading) -> threading.Event:
        """Return an event that is set once the board has changed or the user has stopped."""
        return _Superseded(lambda: self._wait(0) or _moved_on(reading, self._look()), self._clock)

    def _pause(self, seconds: float) -> None:
        if self._wait(seconds):
            raise Stopped


class _Superseded(threading.Event):
    """Set once a glance says so: a thinker asks it far more often than looks are taken."""

    def __init__(self, glance: Callable[[], bool], clock: Callable[[], float]) -> None:
        super().__init__()
        self._glance = glance
        self._clock = clock
        self._looked = clock()

    def is_set(self) -> bool:
        """Return whether to think no further."""
        if not super().is_set() and self._clock() - self._looked >= GLANCE:
            if self._glance():
                self.set()
            self._looked = self._clock()
        return super().is_set()


def _whole(reading: Reading) -> bool:
    """Return whether every tile was read and nothing lies over the board."""
    return reading.status is not Status.BLOCKED and UNREAD not in reading.board.tiles


def _guessed(reading: Reading, seconds: float, shown: Reading | None) -> tuple[Reading, bool]:
    """Return what to make of a board that is not whole for so long; whether it is believed by now.

    A cell under the pointer counts as what it was, or as covered: whatever it shows, what is
    proved without it stays true.
    """
    board = reading.board
    unread = board.tiles == UNREAD
    if reading.status is Status.PLAYING and unread.sum() == 1 and seconds >= HOVER:
        tiles = board.tiles.copy()
        known = shown is not None and shown.board.tiles.shape == tiles.shape
        was = shown.board.tiles[unread] if shown is not None and known else COVERED
        tiles[unread] = np.where(np.less(was, 0) & np.not_equal(was, UNREAD), was, COVERED)
        return replace(reading, board=Board(tiles, board.mines)), True
    return reading, seconds >= (COVERED_FOR if reading.status is Status.BLOCKED else DOUBT)


def _alike(one: Reading, other: Reading) -> bool:
    """Return whether two looks show the same, in the same place."""
    return (
        one.status is other.status
        and one.grid.region == other.grid.region
        and (one.status is Status.BLOCKED or one.board == other.board)
    )


def _same_game_state(one: Reading, other: Reading) -> bool:
    return one.board == other.board and one.status is other.status


def _moved_on(shown: Reading, reading: Reading) -> bool:
    """Return whether a board is certainly another one: tiles that are held down say nothing yet."""
    was, now = shown.board.tiles, reading.board.tiles
    if was.shape != now.shape:
        return True
    return bool(((now != was) & (now != UNREAD) & (was != UNREAD)).any())


class PlayedTurns:
    """Turns as they were watched go in, turns as they were played come out."""

    def __init__(self) -> None:
        self._older: Turn | None = None
        """Its moves may still be told."""
        self._last: Turn | None = None

    def add(self, turn: WatchedTurn) -> Iterator[Turn]:
        """Watch one more turn; what is settled by it, in order."""
        reading = turn.reading
        over = reading.status.over
        if reading.status is Status.BLOCKED or (UNREAD in reading.board.tiles and not over):
            return
        if turn.number == 0 and self._last is not None and self._last.number > 0:
            yield from self.flush()
        if self._last is None or self._last.number != turn.number:
            if self._older is not None:
                yield self._older
            self._older = self._last
        self._last = _played(turn)
        if turn.verdicts and self._older is not None:
            moves = tuple(verdict.move for verdict in turn.verdicts)
            yield replace(self._older, moves=moves)
            self._older = None

    def flush(self) -> Iterator[Turn]:
        """Yield what is left when nothing more will come."""
        for turn in (self._older, self._last):
            if turn is not None:
                yield turn
        self._older = self._last = None


def _played(turn: WatchedTurn) -> Turn:
    """Without the advice, which nobody carried out."""
    return Turn(turn.number, turn.reading, turn.analysis, (), turn.seconds, turn.events)
