"""The loop: look, think, plan, and only then act.

`play` is a generator that yields every `Turn` *before* it is carried out. To pause is
not to advance it; to step is to advance it once; to stop is to close it, and nothing is
clicked. Recording is a second generator around it, headless play a `for` statement.

`settled` is the patience of the loop: after an act it looks until what was acted on has
changed and two looks in a row agree. It never sleeps: between two looks it waits on the
stop event, or it already thinks about what the first of the two showed (`bot.ahead`). Only when
the second one agrees is anything of that used.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import numpy as np

from bot.analysis import Analysis
from bot.anew import begun_anew
from bot.board import COVERED, FLAG, QUESTION, UNOPENED, UNREAD, Board, Cell
from bot.frame import Point, Reading, Status
from bot.holding import Holding
from bot.planner import Action, Move
from bot.speaking import spoken

PATIENCE: Final = 10.0
"""Seconds that a board may go on changing, or stay unreadable, before the loop gives up."""
LOOK_INTERVAL: Final = 0.002
"""Seconds between two looks, at the least: looking without pause starves the game on a small
machine."""
ANEW_SECONDS: Final = 0.25
"""Seconds for which another game, or a board that was hidden, must stay what it is: one that is
just being drawn again is neither the one nor the other."""


class BoardNotSettled(RuntimeError):
    """The board did not come to rest, or could not be believed, within the patience.

    Attributes:
        reading: The last one, so that its frame can be saved.
        missing: The moves that had no effect, where that was the trouble.
    """

    def __init__(self, message: str, reading: Reading, missing: tuple[Move, ...] = ()) -> None:
        super().__init__(message)
        self.reading = reading
        self.missing = missing


class Stopped(Exception):
    """The stop event was set while the loop was looking."""


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
    to the look that was the first to show a change."""
    events: tuple[Event, ...] = ()
    """What was sent since the turn before was shown: its moves, sent again where they were
    lost, and keys that answered dialogs."""


def play(
    see: Callable[[Turn | None], Reading],
    solve: Callable[[Board], Analysis],
    plan: Callable[[Reading, Analysis | None], tuple[Move, ...]],
    act: Callable[[Turn], None],
    sent: Callable[[], tuple[Event, ...]] = tuple,
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[Turn]:
    """Play until the plan has no more moves.

    Args:
        see: Looks at the board; is told the turn that was carried out last.
        solve: Asked while the game is on.
        plan: Chooses moves; after the end of a game it may choose to restart.
        act: Carries a turn's moves out.
        sent: What was sent to the desktop since it was asked last, for `Turn.events`.
        clock: Seconds, for `Turn.seconds`.

    Yields:
        Each turn before it is carried out.
    """
    last: Turn | None = None
    acting = 0.0
    number = 0
    while True:
        start = clock()
        reading = see(last)
        seen = clock()
        if last is not None and _anew(reading, last):
            number = 0
        analysis = solve(reading.board) if reading.status is Status.PLAYING else None
        thought = clock()
        if analysis is not None:
            analysis = analysis.timed(reading.seconds.get("think", 0.0) + thought - seen)
        moves = plan(reading, analysis)
        if analysis is not None:
            analysis = spoken(reading.board, analysis, moves)
        spent = reading.seconds
        ahead = spent.get("think", 0.0)
        looking = ahead + spent.get("capture", 0.0) + spent.get("read", 0.0)
        waiting = max(seen - start - looking, 0.0)
        stages = {"wait": waiting, "think": ahead + clock() - seen, "act": acting}
        last = Turn(number, reading, analysis, moves, {**reading.seconds, **stages}, sent())
        yield last
        if not moves:
            return
        number = 0 if restarts(moves) else number + 1
        start = clock()
        act(last)
        acting = clock() - start


def restarts(moves: tuple[Move, ...]) -> bool:
    """Whether the moves begin the next game."""
    return any(move.action is Action.RESTART for move in moves)


def settled(
    look: Callable[[], Reading],
    wait: Callable[[float], bool],
    last: Turn | None,
    patience: float = PATIENCE,
    clock: Callable[[], float] = time.monotonic,
    meanwhile: Callable[[Reading], None] | None = None,
) -> Reading:
    """Look until the board shows what `last` did to it and two looks in a row agree.

    Where somebody began another game meanwhile, that one is what is seen, once it stays.

    Args:
        look: One look.
        wait: Waits the given seconds; True when the user stopped (an event's `wait`).
        last: The turn carried out just before; None at the start.
        patience: Seconds after which it gives up.
        clock: Monotonic seconds.
        meanwhile: Does something useful with the first look that may be the right one, while
            the board is given the time to change; what it takes counts as thinking.

    Raises:
        BoardNotSettled: The board stayed unreadable, blocked, without any change, or in
            contradiction to what was seen before.
        Stopped: The user stopped.
    """
    begin = clock()
    deadline = begin + patience
    before: Reading | None = None
    since = 0.0
    hidden = False
    seconds: dict[str, float] = {}
    while True:
        reading = look()
        # A menu may have lain over it: what it chose is done after it has closed.
        hidden |= reading.status is Status.BLOCKED
        _add(seconds, reading.seconds)
        if last is not None and "change" not in seconds and not _agree(last.reading, reading):
            seconds["change"] = reading.frame.time - begin
        agree = before is not None and _agree(before, reading)
        now = clock()
        since = since if agree else now
        fresh = hidden or (last is not None and _anew(reading, last))
        still = ANEW_SECONDS if fresh else 0.0
        if agree and now - since >= still:
            return replace(reading, seconds=seconds)
        trouble = _trouble(reading, last)
        if now > deadline:
            missing = () if last is None else _missing(reading, last)
            raise BoardNotSettled(trouble or "the board does not stop changing", reading, missing)
        before = reading if trouble is None else None
        rest = LOOK_INTERVAL
        if before is not None and meanwhile is not None:
            start = clock()
            meanwhile(before)
            thought = clock() - start
            _add(seconds, {"think": thought})
            deadline += thought
            rest, meanwhile = max(rest - thought, 0.0), None
        if wait(rest):
            raise Stopped


def _add(seconds: dict[str, float], more: Mapping[str, float]) -> None:
    for stage, spent in more.items():
        seconds[stage] = seconds.get(stage, 0.0) + spent


def insistent(
    see: Callable[[Turn | None, float], Reading],
    act: Callable[[Turn], None],
    patience: float = PATIENCE,
    hold: Holding | None = None,
) -> Callable[[Turn | None], Reading]:
    """See; where that takes long, park the pointer, then send once more what had no effect.

    A cell under the pointer may look like no other, and at the start the pointer is wherever
    the user left it. Neither is done more than once.

    Args:
        see: Looks, with so much patience (seconds).
        act: Carries a turn's moves out, and parks the pointer.
        patience: In all; a tile counts as unread after a twentieth of it, a click as missed
            after a fifth.
        hold: How long a click is held; longer where it is sent once more.
    """
    held = hold or Holding()

    def look_again(last: Turn | None) -> Reading:
        clicked = last is not None and bool(last.moves) and not restarts(last.moves)
        try:
            reading = see(last, patience / 20)
        except BoardNotSettled as error:
            if UNREAD in error.reading.board.tiles:
                act(Turn(0, error.reading, None, ()))
        else:
            if clicked:
                held.sufficed()
            return reading
        try:
            return see(last, patience / 5)
        except BoardNotSettled as error:
            again = error
        if last is None or not again.missing:
            return see(last, patience)
        with held.longer() if clicked else nullcontext():
            act(replace(last, reading=again.reading, moves=again.missing))
            return see(last, patience)

    return look_again


def _agree(one: Reading, other: Reading) -> bool:
    return one.board == other.board and one.status is other.status


def _trouble(reading: Reading, last: Turn | None) -> str | None:
    """Why this reading cannot be played from; None where it can."""
    if reading.status is Status.BLOCKED:
        return "something lies over the board: move it away, then go on"
    unread = list(reading.board.cells(UNREAD))
    if unread:
        row, col = unread[0]
        more = f" and {len(unread) - 1} more" if len(unread) > 1 else ""
        return f"the tile at row {row}, column {col}{more} cannot be read"
    return _impossible_hint(reading.board) or (
        None if last is None else _not_carried_out(reading, last)
    )


def _impossible_hint(board: Board) -> str | None:
    """A hint that counts more mines than there are closed cells around it is misread.

    sgt-mines flashes all cells at a loss, and one was then read as another hint.
    """
    closed = np.zeros((board.rows + 2, board.cols + 2), np.int8)
    closed[1:-1, 1:-1] = board.tiles < 0
    across = closed[:, :-2] + closed[:, 1:-1] + closed[:, 2:]
    wrong = board.tiles > across[:-2] + across[1:-1] + across[2:]
    if not wrong.any():
        return None
    row, col = np.argwhere(wrong)[0]
    return f"the {board.tiles[row, col]} at row {row}, column {col} cannot be"


def _not_carried_out(reading: Reading, last: Turn) -> str | None:
    if _anew(reading, last):
        return None
    missing = _missing(reading, last)
    if not missing:
        # A program may open a region by itself: started is not the same as covered.
        new = reading.status.over or restarts(last.moves)
        return None if new else _changed_hint(last.reading.board, reading.board)
    cell = missing[0].cell
    if cell is None:
        return "the game did not start again"
    return f"the click at row {cell.row}, column {cell.col} had no effect"


def _missing(reading: Reading, last: Turn) -> tuple[Move, ...]:
    """The moves whose effect does not show."""
    if restarts(last.moves):
        return last.moves if reading.status.over else ()
    before, after = last.reading.board, reading.board
    if reading.status.over or _anew(reading, last) or _changed_hint(before, after):
        return ()
    return tuple(move for move in last.moves if not _shows(move, before, after))


def _anew(reading: Reading, last: Turn) -> bool:
    """Whether somebody else began another game since."""
    over = reading.status.over or restarts(last.moves)
    return not over and begun_anew(last.reading.board, reading.board)


def _shows(move: Move, before: Board, after: Board) -> bool:
    if move.cell is None:
        return True
    if move.action is Action.CHORD:
        row, col = move.cell
        around = after.tiles[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2]
        return not np.isin(around, (COVERED, QUESTION)).any()
    if move.action is Action.OPEN:
        return after[move.cell] not in UNOPENED
    return (after[move.cell] == FLAG) != (before[move.cell] == FLAG)


def _changed_hint(before: Board, after: Board) -> str | None:
    """An opened hint never changes and never closes: if one seems to, nothing is clicked."""
    changed = (before.tiles >= 0) & (after.tiles != before.tiles)
    if not changed.any():
        return None
    row, col = np.argwhere(changed)[0]
    cell = Cell(int(row), int(col))
    return (
        f"the hint at row {cell.row}, column {cell.col} changed from {before[cell]} to "
        f"{after[cell]}: a misread, or somebody started another game"
    )
