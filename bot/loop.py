"""The play loop: read the board, solve, plan, and only then act.

`play` is a generator that yields every `Turn` *before* it is carried out. To pause is
not to advance it; to step is to advance it once; to stop is to close it, and nothing is
clicked. Recording is a second generator around it, headless play a `for` statement.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bot.analysis import Analysis
from bot.board import Board
from bot.effects import is_restart, other_game_began
from bot.frame import Point, Reading, Status
from bot.planner import Move, describe_moves
from bot.planner import plan as plan_moves

_log = logging.getLogger(__name__)


class Stopped(Exception):
    """The stop event was set."""


class Stop(threading.Event):
    """The event that ends a run, with the reason.

    Attributes:
        reason: Why the run ended, in a sentence; may be empty.
        failed: Whether the run failed, as opposed to ended by its user.
    """

    def __init__(self) -> None:
        super().__init__()
        self.reason = ""
        self.failed = False
        self._wakes: list[Callable[[], None]] = []
        self._first = threading.RLock()

    def set(self) -> None:
        """Set the event without a reason."""
        super().set()
        for wake in self._wakes:
            wake()

    def call_when_set(self, wake: Callable[[], None]) -> None:
        """Call a function when it is set, in the thread that sets it; at once if it was set."""
        self._wakes.append(wake)
        if self.is_set():
            wake()

    def stop(self, reason: str, *, failed: bool = False) -> None:
        """Set the event, from any thread or a signal handler. The first reason stays."""
        with self._first:
            if not self.is_set():
                self.reason, self.failed = reason, failed
        self.set()


class Event(NamedTuple):
    """An event that was sent to the desktop."""

    kind: str
    """'click' (on a cell), 'button' (of a dialog, or beside the board: also a click), 'key' or
    'move'."""
    detail: str
    """The mouse button or the key; empty for a move."""
    point: Point | None
    """The event's position; None for a key."""


@dataclass(frozen=True, eq=False)
class Turn:
    """One round of the loop: a reading, its analysis and the chosen moves."""

    number: int
    """Counts up within one game."""
    reading: Reading
    analysis: Analysis | None
    """None if the game is over."""
    moves: tuple[Move, ...]
    """The moves to carry out next; empty at the end."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Time by stage: 'capture' and 'read' of all readings, 'wait' for the game, 'think' (including
    planning), and 'act' of the turn before. 'change' overlaps them: from that act to the first
    visible change; after a retry or a question, from then."""
    events: tuple[Event, ...] = ()
    """Events sent since the previous turn was yielded: its moves, retries, and keys for dialogs."""

    def shows_effect(self, before: Board) -> bool:
        """Return whether any move since `before` was carried out; all may have been refused."""
        return self.reading.board != before or any(e.kind != "move" for e in self.events)


def unplayed_turn(reading: Reading, analysis: Analysis) -> Turn:
    """Return a board that nothing plays as a turn whose analysis describes its first move."""
    moves = plan_moves(reading.board, analysis)
    return Turn(0, reading, describe_moves(reading.board, analysis, moves), moves)


def play(
    read_board: Callable[[Turn | None], Reading],
    solve: Callable[[Board], Analysis],
    plan: Callable[[Reading, Analysis | None], tuple[Move, ...]],
    act: Callable[[Turn], None],
    pop_events: Callable[[], tuple[Event, ...]] = tuple,
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[Turn]:
    """Play until the plan has no more moves.

    Args:
        read_board: Returns the board's state after the last turn.
        solve: Analyses a board; called while the game goes on.
        plan: Chooses moves; after the end of a game it may choose to restart.
        act: Carries out a turn's moves.
        pop_events: Returns the events sent since its last call, for `Turn.events`.
        clock: Seconds, for `Turn.seconds`.

    Yields:
        Each turn before it is carried out.
    """
    last: Turn | None = None
    acting = 0.0
    number = 0
    while True:
        start = clock()
        reading = read_board(last)
        seen = clock()
        if last is not None and other_game_began(reading, last.reading, last.moves):
            number = 0
        analysis = solve(reading.board) if reading.status is Status.PLAYING else None
        thought = clock()
        if analysis is not None:
            analysis = replace(analysis, seconds=reading.seconds.get("think", 0.0) + thought - seen)
        moves = plan(reading, analysis)
        if analysis is not None:
            analysis = describe_moves(reading.board, analysis, moves)
        spent = reading.seconds
        ahead = spent.get("think", 0.0)
        looking = ahead + spent.get("capture", 0.0) + spent.get("read", 0.0)
        waiting = max(seen - start - looking, 0.0)
        stages = {"wait": waiting, "think": ahead + clock() - seen, "act": acting}
        last = Turn(number, reading, analysis, moves, {**reading.seconds, **stages}, pop_events())
        if reading.status.over:
            _log.info("Game %s at turn %d", reading.status.value, number)
        _log.debug("Turn %d: %s, %d moves, %s s", number, reading.status, len(moves), last.seconds)
        yield last
        if not moves:
            return
        number = 0 if is_restart(moves) else number + 1
        start = clock()
        act(last)
        acting = clock() - start
