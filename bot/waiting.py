"""Wait until a program shows the effect of the last turn, and repeat clicks without effect.

After a turn `wait_until_stable` takes readings until the moves have had their effect and two
readings agree. It never sleeps: between two readings it waits on the stop event, or the solver
already works on the first of them. That analysis is used only if the second reading
agrees. A skin's `skin.toml` says how long the program's animation may last.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Final

from bot.board import UNREAD, Board, Cell
from bot.effects import find_problem, ineffective_moves, is_restart, other_game_began, target_cells
from bot.frame import Grid, Reading, Status
from bot.loop import Stopped, Turn
from bot.mouse import AdaptiveTiming
from bot.planner import Action, Move

_log = logging.getLogger(__name__)

# All in seconds.
PATIENCE: Final = 10.0
"""Time for which a board may change, or stay unreadable, before the loop gives up."""
POLL: Final = 0.1
"""Interval between two checks of a condition."""
SILENT: Final = 1.0
"""Time after which the reason for waiting is reported."""
LOOK_INTERVAL: Final = 0.002
"""Least time between two readings: continuous capturing starves the game on a small machine."""


@dataclass(frozen=True)
class _Settling:
    """Limits of the wait for a stable board; in seconds unless another unit is named."""

    most_interval: float = 0.05
    """Most time between two readings while something covers the board, perhaps for seconds."""
    interval_share: float = 0.02
    """The interval between two readings, as a share of the time waited so far."""
    peek: float = 0.0005
    """Time between two comparisons of the clicked cells alone."""
    drawing: float = 0.05
    """Time in which a program redraws the clicked cells. Then the whole board is read: at the end
    of a game they may never change."""
    other_game: float = 0.25
    """Time for which another game, or a board that was hidden, must stay unchanged: it may just be
    redrawn. The same for a finished game with unread tiles: a learning reader needs 0.2 s."""
    parts: int = 5
    """Parts of the patience: after each, moves without a visible effect count as lost."""


_SETTLING: Final = _Settling()


class Waits:
    """The waits of a run: each ends by an event, after a limit, or at once when the user stops.

    Args:
        wait: Waits the given seconds; True when the user stopped (an event's `wait`).
        report: Called with the reason for a long wait, and with an empty text at its end.
        clock: Monotonic seconds.
    """

    def __init__(
        self,
        wait: Callable[[float], bool],
        report: Callable[[str], object] = lambda _why: None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.wait = wait
        """Waits the given seconds; returns whether the user stopped."""
        self._report, self._clock = report, clock

    def rest(self, seconds: float) -> None:
        """Wait so many seconds.

        Raises:
            Stopped: The user stopped.
        """
        if self.wait(seconds):
            raise Stopped

    def until(
        self,
        done: Callable[[], bool],
        seconds: float = inf,
        *,
        every: float = POLL,
        why: str = "",
        silent: float = SILENT,
    ) -> bool:
        """Wait until a condition holds; return whether it did within so many seconds.

        Args:
            done: Returns whether it holds; called at once, then at intervals.
            seconds: Limit of the wait.
            every: Length of the intervals in seconds.
            why: The reason that is reported.
            silent: Seconds before that.

        Raises:
            Stopped: The user stopped.
        """
        begin, reported = self._clock(), False
        try:
            while not done():
                waited = self._clock() - begin
                if waited > seconds:
                    return False
                if why and not reported and waited >= silent:
                    reported = True
                    self._report(why)
                self.rest(every)
            return True
        finally:
            if reported:
                self._report("")


class BoardNotSettled(RuntimeError):
    """The board did not become stable and plausible within the patience.

    Attributes:
        reading: The last reading; its frame can be saved.
        missing: The moves that had no effect, if that was the reason.
    """

    def __init__(self, message: str, reading: Reading, missing: tuple[Move, ...] = ()) -> None:
        super().__init__(message)
        self.reading = reading
        self.missing = missing


def wait_until_stable(
    look: Callable[[], Reading],
    wait: Callable[[float], bool],
    last: Turn | None,
    patience: float = PATIENCE,
    clock: Callable[[], float] = time.perf_counter,
    meanwhile: Callable[[Reading], None] | None = None,
    unchanged: Callable[[Sequence[Cell], Reading], int] | None = None,
) -> Reading:
    """Return a reading that shows the effect of the last turn and agrees with the one before it.

    If another game has begun meanwhile, return its board once it stays unchanged.

    Args:
        look: Takes a reading.
        wait: Waits the given seconds; True when the user stopped (an event's `wait`).
        last: The turn carried out just before; None at the start.
        patience: Seconds after which it gives up.
        clock: Monotonic seconds.
        meanwhile: Called with the first reading that may be the final one, while the board may
            still change; its time counts as thinking.
        unchanged: Returns how many of the cells still look as in a reading. Cheaper than a
            reading, which is useless before all clicked cells have changed.

    Raises:
        BoardNotSettled: The board stayed unreadable, covered, unchanged, or in contradiction
            to the reading before.
        Stopped: The user stopped.
    """
    begin, waits = clock(), Waits(wait, clock=clock)
    deadline = begin + patience
    before: Reading | None = None
    since = 0.0
    hidden = False
    seconds: dict[str, float] = {}
    seen, moves = (None, ()) if last is None else (last.reading, last.moves)
    if seen is not None and unchanged is not None:
        seconds = _wait_until_drawn(seen, moves, unchanged, waits, clock)
    while True:
        reading = look()
        # A menu may have covered it; its effect shows after it has closed.
        hidden |= reading.status is Status.BLOCKED
        _add(seconds, reading.seconds)
        if seen is not None and "change" not in seconds and not _agree(seen, reading):
            seconds["change"] = reading.frame.time - begin
        agree = before is not None and _agree(before, reading)
        now = clock()
        since = since if agree else now
        fresh = hidden or (seen is not None and other_game_began(reading, seen, moves))
        fresh |= reading.status.over and UNREAD in reading.board.tiles
        still = _SETTLING.other_game if fresh else 0.0
        if agree and now - since >= still:
            return replace(reading, seconds=seconds)
        why = find_problem(reading, seen, moves)
        if now > deadline:
            lost = () if seen is None else ineffective_moves(reading, seen, moves)
            _log.log(
                logging.INFO if last is not None else logging.DEBUG,
                "No stable board within %.2f s: %s; %d of %d moves had no effect",
                deadline - begin,
                why or "it does not stop changing",
                len(lost),
                len(moves),
            )
            raise BoardNotSettled(why or "the board does not stop changing", reading, lost)
        before = reading if why is None else None
        rest = max(LOOK_INTERVAL, (now - begin) * _SETTLING.interval_share)
        rest = min(rest, _SETTLING.most_interval)
        if before is not None:
            if meanwhile is not None:
                meanwhile(before)
                thought, meanwhile = clock() - now, None
                _add(seconds, {"think": thought})
                deadline += thought
                now += thought
            rest = max(LOOK_INTERVAL - (now - reading.frame.time), 0.0)
        waits.rest(rest)


def _wait_until_drawn(
    seen: Reading,
    moves: tuple[Move, ...],
    unchanged: Callable[[Sequence[Cell], Reading], int],
    waits: Waits,
    clock: Callable[[], float],
) -> dict[str, float]:
    """Wait until all clicked cells look different, at most `_SETTLING.drawing`.

    Returns:
        'change': seconds until the first of them did, if any.
    """
    begin, cells = clock(), target_cells(seen.board, moves)
    seconds: dict[str, float] = {}

    def is_drawn() -> bool:
        left = unchanged(cells, seen)
        if left < len(cells) and "change" not in seconds:
            seconds["change"] = clock() - begin
        return left == 0

    if cells:
        waits.until(is_drawn, _SETTLING.drawing, every=_SETTLING.peek)
    return seconds


def _add(seconds: dict[str, float], more: Mapping[str, float]) -> None:
    for stage, spent in more.items():
        seconds[stage] = seconds.get(stage, 0.0) + spent


def with_retries(
    read_board: Callable[[Turn | None, float], Reading],
    act: Callable[[Turn], None],
    patience: float = PATIENCE,
    timing: AdaptiveTiming | None = None,
) -> Callable[[Turn | None], Reading]:
    """Return a function that reads the board and repeats moves that had no effect.

    It first parks the pointer, if a tile is unread: the cell under the pointer may be highlighted,
    and at the start the pointer is wherever the user left it. It parks it again where the board is
    at another place, or of another size. Then it repeats clicks as often as `AdaptiveTiming` needs
    to find out how the program wants them.

    Args:
        read_board: Waits for a stable board, with so much patience in seconds.
        act: Carries out a turn's moves and parks the pointer.
        patience: Seconds in all. A tile counts as unread after a twentieth of it, a click as
            lost after a fifth.
        timing: The timing of clicks.
    """
    clicks = timing or AdaptiveTiming()

    def read_with_retries(last: Turn | None) -> Reading:
        clicked = last is not None and bool(last.moves) and not is_restart(last.moves)
        moves = () if last is None else last.moves
        parked: Grid | None = None

        def park(reading: Reading) -> None:
            nonlocal parked
            seen = reading.status is not Status.BLOCKED and UNREAD in reading.board.tiles
            if seen and reading.grid != parked:
                act(Turn(0, reading, None, ()))
                parked = reading.grid

        try:
            reading = read_board(last, patience / 20)
        except BoardNotSettled as error:
            again = error
            park(again.reading)
        else:
            if clicked:
                clicks.note_success()
            return reading
        for _ in range(0 if _overtaken(again, moves) else _SETTLING.parts):
            try:
                return read_board(last, patience / _SETTLING.parts)
            except BoardNotSettled as error:
                again = error
            park(again.reading)
            # Without a missing move the board was hidden, or was moved maybe before the click
            # arrived. The user may be asked about a new flag: others are judged after the answer.
            if again.missing and not _flag_unread(again.reading.board, moves):
                break
        if last is None or not again.missing:
            raise again
        if not clicked:
            act(replace(last, reading=again.reading, moves=again.missing))
            return read_board(last, patience)
        *others, final = clicks.retry_timings()
        for one in others:
            try:
                with clicks.trying(one):
                    act(replace(last, reading=again.reading, moves=again.missing))
                    return read_board(last, patience / _SETTLING.parts)
            except BoardNotSettled as error:
                if not error.missing:
                    raise
                again = error
        # Programs need not chord, so less time is spent on a chord.
        chords = all(move.action is Action.CHORD for move in again.missing)
        with clicks.trying(final):
            act(replace(last, reading=again.reading, moves=again.missing))
            return read_board(last, patience / _SETTLING.parts if chords else patience)

    return read_with_retries


def _overtaken(error: BoardNotSettled, moves: Sequence[Move]) -> bool:
    """Return whether the turn's last move had its effect: nothing more comes of those before it.

    Unless an empty cell may have opened its cell. A flag is waited for: a second click would remove
    it.
    """
    tiles = error.reading.board.tiles
    read = UNREAD not in tiles
    last = moves[-1].cell if moves else None
    if (
        last is None
        or 0 in tiles[max(last.row - 1, 0) : last.row + 2, max(last.col - 1, 0) : last.col + 2]
    ):
        return False
    opens = bool(error.missing) and all(move.action is Action.OPEN for move in error.missing)
    return read and opens and moves[-1] not in error.missing


def _flag_unread(board: Board, moves: Sequence[Move]) -> bool:
    """Return whether a flagged cell is unread while others are read."""
    flagged = [move.cell for move in moves if move.action is Action.FLAG and move.cell]
    unread = any(board[cell] == UNREAD for cell in flagged)
    return unread and not bool((board.tiles == UNREAD).all())


def _agree(one: Reading, other: Reading) -> bool:
    return one.board == other.board and one.status is other.status
