"""The loop: look, think, plan, and only then act.

`play` is a generator that yields every `Turn` *before* it is carried out. To pause is
not to advance it; to step is to advance it once; to stop is to close it, and nothing is
clicked. Recording is a second generator around it, headless play a `for` statement.

What it sees has come to rest: `bot.waiting`.
"""

from __future__ import annotations

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


class Stopped(Exception):
    """The stop event was set while the loop was looking."""


class Stop(threading.Event):
    """The event that ends a run, with what set it.

    Args:
        wake: Called once it is set, in the thread that set it.

    Attributes:
        reason: What ended the run, in a sentence; empty if nobody said so.
        failed: Whether the run counts as failed, and not as ended as its user wanted.
    """

    def __init__(self, wake: Callable[[], None] = lambda: None) -> None:
        super().__init__()
        self.reason = ""
        self.failed = False
        self._wake = wake
        self._first = threading.RLock()

    def set(self) -> None:
        """Set the event without a reason."""
        super().set()
        self._wake()

    def stop(self, reason: str, *, failed: bool = False) -> None:
        """Set the event, from any thread or a signal's handler. The first reason stays."""
        with self._first:
            if not self.is_set():
                self.reason, self.failed = reason, failed
        self.set()


class Event(NamedTuple):
    """Something that the hand sent to the desktop."""

    kind: str
    """'click', 'key' or 'move'."""
    detail: str
    """The mouse button or the key; empty for a move."""
    point: Point | None
    """Where; None for a key."""


@dataclass(frozen=True, eq=False)
class Turn:
    """One round of the loop: what was seen, thought and decided."""

    number: int
    """Counts up within one game."""
    reading: Reading
    analysis: Analysis | None
    """None where there was nothing to think about: the game is over."""
    moves: tuple[Move, ...]
    """What is carried out next; empty at the end."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Time by stage: 'capture' and 'read', all looks together, 'wait' (for the game), 'think'
    (planning included), and 'act' of the turn before. 'change' lies across them: from that act
    to the look or peek that was the first to show a change; of a turn that was sent again, or that
    led to a question, from then."""
    events: tuple[Event, ...] = ()
    """What was sent since the turn before was shown: its moves, sent again where they were
    lost, and keys that answered dialogs."""

    def shows_effect(self, before: Board) -> bool:
        """Return whether anything of the turn before was carried out: all may have been refused.

        Args:
            before: The board of that turn.
        """
        return self.reading.board != before or any(e.kind != "move" for e in self.events)


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
        read_board: Looks at the board; is told the turn that was carried out last.
        solve: Asked while the game is on.
        plan: Chooses moves; after the end of a game it may choose to restart.
        act: Carries a turn's moves out.
        pop_events: What was sent to the desktop since it was asked last, for `Turn.events`.
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
        yield last
        if not moves:
            return
        number = 0 if is_restart(moves) else number + 1
        start = clock()
        act(last)
        acting = clock() - start
