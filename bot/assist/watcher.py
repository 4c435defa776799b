"""Follow a game that the user plays: read, solve, advise; never act.

`watch` is the counterpart of `bot.loop.play`; it has no mouse. Whenever the board has changed and
is stable again, it yields a turn whose moves are advice. Verdicts on the player's moves, and better
analyses of the same board, follow as further turns with the same number. A player who moves faster
than the solver is not kept waiting: a reading during the analysis detects the change, and the
analysis is dropped.

`PlayedTurns` converts watched turns to turns with the moves that were made, for a recording.
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


@dataclass(frozen=True)
class _Times:
    """Times of watching, in seconds."""

    between: float = 0.02
    """Between two readings, also during an analysis; and after the first analysis of a board, so
    that it can be shown before more is computed."""
    between_idle: float = 0.05
    """Between two readings after `idle` without a change: half the processor time."""
    idle: float = 3.0
    hover: float = 0.1
    """Time after which a single unread tile counts as highlighted under the pointer."""
    unread: float = 0.5
    """Time after which a board with unread tiles is reported."""
    blocked: float = 0.15
    """Time after which a board covered by another window is reported."""
    paused: float = 1.0
    """Time without a request by the caller after which the moves made meanwhile are not judged."""


TIMES: Final = _Times()


@dataclass(frozen=True, eq=False)
class WatchedTurn(Turn):
    """A turn of a watched game; its moves are advice and are not carried out."""

    verdicts: tuple[Verdict, ...] = ()
    """Verdicts on the moves since the turn before; each is reported once."""
    markable: bool = False
    """Whether marks may be drawn over the game's window because captures do not include them."""


IncrementalSolver = Callable[[Board, threading.Event], Iterator[Analysis]]
"""A function that yields one analysis of a board after another, the quickest first, and raises
`Cancelled` when the event is set."""
MoveJudge = Callable[[Board, Analysis, Reading, threading.Event], tuple[Verdict, ...]]
"""A function that judges the moves from a board to a reading by the board's analysis; it returns
the verdicts so far when the event is set."""


def watch(
    look: Callable[[], Reading],
    think: IncrementalSolver,
    plan: Callable[[Board, Analysis], tuple[Move, ...]],
    judge: MoveJudge,
    wait: Callable[[float], bool],
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[WatchedTurn]:
    """Watch until the user stops.

    Args:
        look: Takes a reading without waiting.
        think: Analyses every board of a game that goes on.
        plan: Turns an analysis into advice.
        judge: Judges the player's moves if both boards belong to one game.
        wait: Waits the given seconds; True when the user stopped (an event's `wait`).
        clock: Monotonic seconds.

    Yields:
        Each turn as soon as it is known; never ends by itself.

    Raises:
        Stopped: The user stopped.
    """
    observer = _Observer(look, wait, clock)
    shown: Reading | None = None
    whole: Reading | None = None
    """The last complete reading."""
    known: Analysis | None = None
    """The analysis of `whole`, if the next moves are to be judged."""
    number = 0
    while True:
        shown = reading = observer.next(shown)
        turn = WatchedTurn(number, reading, None, (), reading.seconds)
        if not (_is_complete(reading) or reading.status.over):
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
        judged = before is None or base is None
        for step in _thoughts(turn, think, plan, observer, clock):
            first = known is None
            known = step.analysis or known
            yielded = clock()
            yield step
            paused = clock() - yielded > TIMES.paused
            if first and wait(TIMES.between):
                raise Stopped
            if not judged and before is not None and base is not None:
                judged = True
                verdicts = judge(before.board, base, reading, observer.superseded(reading))
                if verdicts:
                    yield replace(step, verdicts=verdicts)
            if paused:
                known, judged = None, True


def _is_other_game(before: Reading, after: Reading) -> bool:
    """Return whether a board cannot result from the one before by further moves."""
    was, now = before.board, after.board
    if was.tiles.shape != now.tiles.shape or was.mines != now.mines:
        return True
    if before.status.over and not after.status.over:
        return True
    # A hint that has changed, or is covered again.
    return bool(((was.tiles >= 0) & (now.tiles != was.tiles)).any())


def _thoughts(
    turn: WatchedTurn,
    think: IncrementalSolver,
    plan: Callable[[Board, Analysis], tuple[Move, ...]],
    observer: _Observer,
    clock: Callable[[], float],
) -> Iterator[WatchedTurn]:
    """Yield the turn with each analysis; without one if the game is over."""
    reading = turn.reading
    if reading.status.over:
        yield turn
        return
    start = clock()
    try:
        for analysis in think(reading.board, observer.superseded(reading)):
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


class _Observer:
    """Takes readings until the board changes."""

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
        """Return a reading that differs from the one shown and agrees with the reading before it.

        A board that stays unreadable or covered also counts as different after a while.

        Raises:
            Stopped: The user stopped.
        """
        before: Reading | None = None
        since: float | None = None
        idle = self._clock() + TIMES.idle
        while True:
            reading = self._look()
            interval = TIMES.between if self._clock() < idle else TIMES.between_idle
            if _is_complete(reading):
                since = None
            else:
                since = self._clock() if since is None else since
                reading, believed = _with_hovered_cell(reading, self._clock() - since, shown)
                if not believed:
                    self._pause(interval)
                    continue
            if shown is not None and _look_alike(shown, reading):
                before = None
                self._pause(interval)
                continue
            if before is not None and _look_alike(before, reading):
                return reading
            before = reading
            self._pause(LOOK_INTERVAL)

    def superseded(self, reading: Reading) -> threading.Event:
        """Return an event that is set once the board has changed or the user has stopped."""
        return _Superseded(
            lambda: self._wait(0) or _has_changed(reading, self._look()), self._clock
        )

    def _pause(self, seconds: float) -> None:
        if self._wait(seconds):
            raise Stopped


class _Superseded(threading.Event):
    """An event set by a reading that differs. `is_set` is called far more often than it reads."""

    def __init__(self, has_changed: Callable[[], bool], clock: Callable[[], float]) -> None:
        super().__init__()
        self._has_changed = has_changed
        self._clock = clock
        self._looked = clock()

    def is_set(self) -> bool:
        """Return whether to stop the analysis."""
        if not super().is_set() and self._clock() - self._looked >= TIMES.between:
            if self._has_changed():
                self.set()
            self._looked = self._clock()
        return super().is_set()


def _is_complete(reading: Reading) -> bool:
    """Return whether every tile was read and nothing covers the board."""
    return reading.status is not Status.BLOCKED and UNREAD not in reading.board.tiles


def _with_hovered_cell(
    reading: Reading, seconds: float, shown: Reading | None
) -> tuple[Reading, bool]:
    """Return the reading to use for an incomplete board, and whether it may be used yet.

    A single unread cell, probably under the pointer, keeps its last tile or counts as covered:
    whatever it shows, proofs without it stay true.
    """
    board = reading.board
    unread = board.tiles == UNREAD
    if reading.status is Status.PLAYING and unread.sum() == 1 and seconds >= TIMES.hover:
        tiles = board.tiles.copy()
        known = shown is not None and shown.board.tiles.shape == tiles.shape
        was = shown.board.tiles[unread] if shown is not None and known else COVERED
        tiles[unread] = np.where(np.less(was, 0) & np.not_equal(was, UNREAD), was, COVERED)
        return replace(reading, board=replace(board, tiles=tiles)), True
    return reading, seconds >= (TIMES.blocked if reading.status is Status.BLOCKED else TIMES.unread)


def _look_alike(one: Reading, other: Reading) -> bool:
    """Return whether two readings show the same board in the same place."""
    return (
        one.status is other.status
        and one.grid.region == other.grid.region
        and (one.status is Status.BLOCKED or one.board == other.board)
    )


def _same_game_state(one: Reading, other: Reading) -> bool:
    return one.board == other.board and one.status is other.status


def _has_changed(shown: Reading, reading: Reading) -> bool:
    """Return whether a board has certainly changed; unread tiles do not count."""
    was, now = shown.board.tiles, reading.board.tiles
    if was.shape != now.shape:
        return True
    return bool(((now != was) & (now != UNREAD) & (was != UNREAD)).any())


class PlayedTurns:
    """Converts watched turns to turns with the moves that were made."""

    def __init__(self) -> None:
        self._older: Turn | None = None
        """Verdicts on its moves may still follow."""
        self._last: Turn | None = None

    def add(self, turn: WatchedTurn) -> Iterator[Turn]:
        """Add a watched turn; yield the turns that are complete now, in order."""
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
        """Yield the remaining turns at the end."""
        for turn in (self._older, self._last):
            if turn is not None:
                yield turn
        self._older = self._last = None


def _played(turn: WatchedTurn) -> Turn:
    """Return the turn without the advice."""
    return Turn(turn.number, turn.reading, turn.analysis, (), turn.seconds, turn.events)
