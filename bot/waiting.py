"""The waiting: for a program to draw what it was told to, for an animation, for a notice to go.

After an act `settled` looks until what was acted on has changed and two looks in a row agree. It
never sleeps: between two looks it waits on the stop event, or it already thinks about what the
first of the two showed (`bot.ahead`). Only when the second one agrees is anything of that used.
How long a program's animation may last says its `skin.toml`.

How long a click takes: some programs lose one that is over too soon.

Programs in a browser ignore a click without a pause between press and release; programs that ask
where the pointer is when they handle the release (`winfo_pointerxy` of Tk) take the cell to which
it has moved on. A skin says what its program needs. If that is not enough it is found out: what
had no effect is clicked again, held longer, with the pointer staying on the cell after the
release. If that helps, the next click that is lost tells which of the two it was, and from then
on every click is made so.

A longer press also gives a busy program time to handle the release before the pointer leaves, now
and then: if clicks are lost although that seemed to be what helped, it was the other one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.board import UNREAD, Board, Cell
from bot.effects import find_problem, ineffective_moves, is_restart, other_game_began, target_cells
from bot.frame import Reading, Status
from bot.loop import Stopped, Turn
from bot.mouse import AdaptiveTiming
from bot.planner import Action, Move

PATIENCE: Final = 10.0
"""Seconds that a board may go on changing, or stay unreadable, before the loop gives up."""
LOOK_INTERVAL: Final = 0.002
"""Seconds between two looks, at the least: looking without pause starves the game on a small
machine."""
_RARER: Final = 0.02
"""Of the time that was waited, between two looks at a board that cannot be played from: a notice
may lie over it for seconds."""
_RAREST: Final = 0.05
"""Seconds between two such looks, at the most."""
PEEK_INTERVAL: Final = 0.0005
"""Seconds between two peeks at what was clicked on."""
DRAWING_SECONDS: Final = 0.05
"""Seconds for which a program may be drawing what it was told to before all of the board is
read nevertheless: what was clicked on may never change, at the end of a game."""
OTHER_GAME_SECONDS: Final = 0.25
"""Seconds for which another game, or a board that was hidden, must stay what it is: one that is
just being drawn again is neither the one nor the other. The same for a game that is over with tiles
that cannot be read: a reader that learns needs 0.2 s."""


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


def wait_until_stable(
    look: Callable[[], Reading],
    wait: Callable[[float], bool],
    last: Turn | None,
    patience: float = PATIENCE,
    clock: Callable[[], float] = time.monotonic,
    meanwhile: Callable[[Reading], None] | None = None,
    unchanged: Callable[[Sequence[Cell], Reading], int] | None = None,
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
        unchanged: How many of some cells still look as they did at a look: cheaper than a
            look, which is in vain before all has changed that was acted on.

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
    seen, moves = (None, ()) if last is None else (last.reading, last.moves)
    if seen is not None and unchanged is not None:
        seconds = _drawn(seen, moves, unchanged, wait, clock)
    while True:
        reading = look()
        # A menu may have lain over it: what it chose is done after it has closed.
        hidden |= reading.status is Status.BLOCKED
        _add(seconds, reading.seconds)
        if seen is not None and "change" not in seconds and not _agree(seen, reading):
            seconds["change"] = reading.frame.time - begin
        agree = before is not None and _agree(before, reading)
        now = clock()
        since = since if agree else now
        fresh = hidden or (seen is not None and other_game_began(reading, seen, moves))
        fresh |= reading.status.over and UNREAD in reading.board.tiles
        still = OTHER_GAME_SECONDS if fresh else 0.0
        if agree and now - since >= still:
            return replace(reading, seconds=seconds)
        why = find_problem(reading, seen, moves)
        if now > deadline:
            lost = () if seen is None else ineffective_moves(reading, seen, moves)
            raise BoardNotSettled(why or "the board does not stop changing", reading, lost)
        before = reading if why is None else None
        rest = min(max(LOOK_INTERVAL, (now - begin) * _RARER), _RAREST)
        if before is not None:
            if meanwhile is not None:
                meanwhile(before)
                thought, meanwhile = clock() - now, None
                _add(seconds, {"think": thought})
                deadline += thought
                now += thought
            rest = max(LOOK_INTERVAL - (now - reading.frame.time), 0.0)
        if wait(rest):
            raise Stopped


def _drawn(
    seen: Reading,
    moves: tuple[Move, ...],
    unchanged: Callable[[Sequence[Cell], Reading], int],
    wait: Callable[[float], bool],
    clock: Callable[[], float],
) -> dict[str, float]:
    """Wait until all that was acted on looks another way, or for as long as drawing may take.

    Returns:
        'change': seconds until the first of it did, if it did.
    """
    begin, cells = clock(), target_cells(seen.board, moves)
    seconds: dict[str, float] = {}
    while left := unchanged(cells, seen):
        if left < len(cells) and "change" not in seconds:
            seconds["change"] = clock() - begin
        if clock() - begin > DRAWING_SECONDS:
            break
        if wait(PEEK_INTERVAL):
            raise Stopped
    else:
        seconds.setdefault("change", clock() - begin)
    return seconds if cells else {}


def _add(seconds: dict[str, float], more: Mapping[str, float]) -> None:
    for stage, spent in more.items():
        seconds[stage] = seconds.get(stage, 0.0) + spent


def with_retries(
    see: Callable[[Turn | None, float], Reading],
    act: Callable[[Turn], None],
    patience: float = PATIENCE,
    hold: AdaptiveTiming | None = None,
) -> Callable[[Turn | None], Reading]:
    """See; where that takes long, park the pointer, then send once more what had no effect.

    A cell under the pointer may look like no other, and at the start the pointer is wherever
    the user left it. Parking is not done more than once, and sending only as often as it takes to
    find out how the program wants its clicks (`bot.waiting`).

    Args:
        see: Looks, with so much patience (seconds).
        act: Carries a turn's moves out, and parks the pointer.
        patience: In all; a tile counts as unread after a twentieth of it, a click as missed
            after a fifth.
        hold: How long a click takes; longer where it is sent once more.
    """
    held = hold or AdaptiveTiming()

    def look_again(last: Turn | None) -> Reading:
        clicked = last is not None and bool(last.moves) and not is_restart(last.moves)
        try:
            reading = see(last, patience / 20)
        except BoardNotSettled as error:
            if UNREAD in error.reading.board.tiles:
                act(Turn(0, error.reading, None, ()))
        else:
            if clicked:
                held.note_success()
            return reading
        for share in (5, 2):
            try:
                return see(last, patience / share)
            except BoardNotSettled as error:
                again = error
            # What a flag looks like may be asked; until then the other moves cannot be judged.
            if last is None or not _flag_unread(again.reading.board, last.moves):
                break
        if last is None or not again.missing:
            return see(last, patience)
        if not clicked:
            act(replace(last, reading=again.reading, moves=again.missing))
            return see(last, patience)
        *others, final = held.retry_timings()
        for timing in others:
            try:
                with held.trying(timing):
                    act(replace(last, reading=again.reading, moves=again.missing))
                    return see(last, patience / 5)
            except BoardNotSettled as error:
                if not error.missing:
                    raise
                again = error
        # A program need not chord: that is not waited for as long as a click is.
        chords = all(move.action is Action.CHORD for move in again.missing)
        with held.trying(final):
            act(replace(last, reading=again.reading, moves=again.missing))
            return see(last, patience / 5 if chords else patience)

    return look_again


def _flag_unread(board: Board, moves: Sequence[Move]) -> bool:
    """Return whether a cell that was flagged cannot be read, though others can."""
    flagged = [move.cell for move in moves if move.action is Action.FLAG and move.cell]
    unread = any(board[cell] == UNREAD for cell in flagged)
    return unread and not bool((board.tiles == UNREAD).all())


def _agree(one: Reading, other: Reading) -> bool:
    return one.board == other.board and one.status is other.status
