"""Is this configuration consistent? Key points, and a queue that propagates.

Source: J. Little, 'The Minesweeper Algorithim - Explanation' (004), as published: the
hints are ranked by how many combinations of mines they can have (at most C(8, 4) = 70);
those that share the highest rank are the key points; the first combination of each that
propagation finds no fault with is kept; no key point is processed twice; until none is
left. So at most 70 N combinations are tried, with N hints.

Where this differs from the source, and why:

- The source holds the check to be polynomial *and* complete. It is polynomial; complete
  it cannot be, unless P = NP: consistency is NP-complete (R. Kaye, 2000). What it keeps of
  a key point may be the wrong combination. So there are three answers: *solved* (a placing
  is shown), *inconsistent* (a key point, or the queue, failed while everything placed so
  far was forced: a proof, and the hints it rests on are named), else *undecided*.
- To know whether a key point was forced, a second combination is looked for.
- The number of mines on the board is one more location in the queue.
- Fewest combinations first, and no choice before all hints were tried, are variants to
  measure (`Order`): `python -m tests.bench_consistency`.

The eye asks `impossible_hints` of every board that it has not seen before: which numbers,
as read, cannot all be true. What they say is not believed then (vision/following/tracking.py).
It presumes nothing of unread tiles, of flags and of the number of mines. A wrong number in the
middle of a game is nearly always out of place, and nearly always found, in about half the time
that the exact solver takes on the same board. An opened cell that was read as covered
contradicts no hint; a look at the zeros finds some of those. Figures: README.md beside this.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Analysis, Evidence, Limit
from bot.board import COVERED, EXPLODED, MINE, UNREAD, Board, Cell, InconsistentBoard
from bot.solver.constraints import System, system_of
from bot.solver.keypoints import UNKNOWN, Configuration, Contradicted, Order, OutOfBudget
from bot.solver.shares import Proof, settled_or_shared
from bot.solver.words import hint_names

METHOD: Final = "consistency"


class Outcome(Enum):
    """What can be said of a configuration."""

    INCONSISTENT = "inconsistent"
    """Proved: no placing of the mines agrees with it."""
    SOLVED = "solved"
    """Proved: a placing that agrees is shown."""
    UNDECIDED = "undecided"
    """A choice that need not have been made came to nothing, or the limit was reached."""


@dataclass(frozen=True)
class Verdict:
    """The answer of `check`."""

    outcome: Outcome
    hints: tuple[Cell, ...] = ()
    """Inconsistent: hints that cannot all be true."""
    counted: bool = False
    """Inconsistent: whether the number of mines is part of the contradiction."""
    mines: tuple[Cell, ...] = ()
    """Solved: where the mines may be, all that are covered (on the perimeter alone, where
    the number of mines was left out)."""
    combinations: int = 0
    """Combinations that were tried."""
    key_points: tuple[Cell, ...] = ()
    """The key points processed, in order."""


def check(
    board: Board,
    limit: Limit | None = None,
    *,
    order: Order = Order.MOST,
    count_mines: bool = True,
) -> Verdict:
    """Whether any placing of the mines agrees with a board.

    Args:
        board: What is visible.
        limit: What may be spent; a node is one combination of one key point.
        order: Which hints become key points.
        count_mines: Whether the number of mines on the board is known.

    Raises:
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    if not count_mines:
        board = _uncounted(board.tiles)
    try:
        system = system_of(board)
    except InconsistentBoard as impossible:
        return Verdict(Outcome.INCONSISTENT, impossible.hints, counted=not impossible.hints)
    configuration = Configuration(system, order, count_mines=count_mines, limit=limit)
    mines: tuple[Cell, ...] = ()
    why = 0
    try:
        configuration.propagate()
        outcome = Outcome.SOLVED if configuration.complete() else Outcome.UNDECIDED
    except Contradicted as contradiction:
        outcome, why = Outcome.INCONSISTENT, contradiction.why
    except OutOfBudget:
        outcome = Outcome.UNDECIDED
    if outcome is Outcome.SOLVED:
        mines = tuple(system.cell(c) for c, value in configuration.filled().items() if value)
    return Verdict(
        outcome,
        _hints(system, why),
        _counted(system, why),
        mines,
        configuration.tried,
        tuple(system.cell(system.constraints[i].hint) for i in configuration.key_points),
    )


def impossible_hints(board: Board, limit: Limit | None = None) -> tuple[Cell, ...]:
    """Hints of a board as it was read that cannot all be true; none if none were found.

    An unread tile may be anything, and the number of mines may be wrong. Those that `check`
    proves, and no more; nothing else is looked for, which takes half the time.

    Args:
        board: What was read.
        limit: What may be spent; a node is one combination of one key point.

    Raises:
        Cancelled: The user stopped.
    """
    tiles = np.where(board.tiles == UNREAD, np.int8(COVERED), board.tiles)
    try:
        system = system_of(_uncounted(tiles))
    except InconsistentBoard as impossible:
        return impossible.hints
    try:
        Configuration(system, count_mines=False, limit=limit).refute()
    except Contradicted as contradiction:
        return _hints(system, contradiction.why)
    except OutOfBudget:
        pass  # Nothing was proved.
    return ()


def _uncounted(tiles: NDArray[np.int8]) -> Board:
    """A board of whose mines nothing is known but those that show."""
    return Board(tiles, int(np.count_nonzero((tiles == MINE) | (tiles == EXPLODED))))


def solve(board: Board, limit: Limit | None = None) -> Analysis:
    """Analyse a board: a cell is safe if a mine there would be inconsistent, and the reverse.

    A cell of which neither is proved gets an estimate, as in `shares`.

    Raises:
        InconsistentBoard: The board was proved inconsistent (not every one is).
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    system = system_of(board)
    configuration = Configuration(system, limit=limit)
    try:
        configuration.propagate()
        _assume(system, configuration)
    except Contradicted as contradiction:
        raise _inconsistent(system, contradiction.why) from None
    except OutOfBudget:
        pass  # What was placed so far is proved.
    known = {cell: value for cell, value in configuration.value.items() if value != UNKNOWN}
    best = next((cell for cell in sorted(known) if not known[cell]), None)
    proofs = {} if best is None else {best: _proof(system, best, configuration.because(best))}
    return settled_or_shared(system, known, proofs, METHOD)


def _assume(system: System, configuration: Configuration) -> None:
    """Decide the cells of which one value is proved inconsistent, one cell after the other.

    A value that a placing was shown for needs no check.

    Raises:
        Contradicted: The board itself is.
        OutOfBudget: The limit is reached.
    """
    loose = system.floating
    why, placing = configuration.suppose({})
    if why:
        raise Contradicted(why)
    shown = set(placing.items())
    for cell in (*system.perimeter, *loose[:1]):
        # No hint tells one floating cell from another.
        alike = loose if cell in loose[:1] else (cell,)
        for value in (1, 0):
            decided = configuration.value[cell] != UNKNOWN
            if decided or any((other, value) in shown for other in alike):
                continue
            why, placing = configuration.suppose({cell: value})
            shown.update(placing.items())
            if why:
                for other in alike:
                    configuration.place(other, 1 - value, why)
                configuration.propagate()


def _hints(system: System, why: int) -> tuple[Cell, ...]:
    return tuple(system.cell(c.hint) for i, c in enumerate(system.constraints) if why >> i & 1)


def _counted(system: System, why: int) -> bool:
    """Whether the number of mines is among the locations of a bit mask."""
    return bool(why >> len(system.constraints))


def _names(system: System, why: int) -> str:
    counted = ("the number of mines",) if _counted(system, why) else ()
    return hint_names(system.board, _hints(system, why), *counted)


def _inconsistent(system: System, why: int) -> InconsistentBoard:
    hints = () if _counted(system, why) else _hints(system, why)
    return InconsistentBoard(f"these cannot all be true: {_names(system, why)}", hints)


def _proof(system: System, cell: int, why: int) -> Proof:
    return Proof(
        f"safe: with a mine here these could not all be true: {_names(system, why)}",
        Evidence(_hints(system, why), (system.cell(cell),)),
    )
