"""The end game, exactly: the tree of all that can happen, once few enough solutions are left.

What the tree is, and why it may leave out most of itself, is told in `ending.tree`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Cancelled, Limit
from bot.board import UNREAD, Board, Cell, InconsistentBoard
from bot.solver.ending.bits import constant
from bot.solver.ending.forced import ISOLATED, NOTHING, forced
from bot.solver.ending.fringe import fringe_of
from bot.solver.ending.listing import SHOWS_MINE, list_solutions
from bot.solver.ending.part import TOO_MANY
from bot.solver.ending.root import ALL_BEST, EVERY_CELL, ONE_BEST, search, settled
from bot.solver.ending.tree import Tree, tree

MOST_SOLUTIONS: Final = constant(5_000)
MOST_NODES: Final = constant(20_000)
MOST_EFFORT: Final = constant(1_000_000)
"""Steps in listing the placements of a component."""
_LOOK: Final = 0.01
"""Seconds between two looks at a limit while the kernel works."""
_kept = threading.local()
Found = TypeVar("Found")


@dataclass(frozen=True)
class Endgame:
    """What perfect play makes of a board."""

    solutions: int
    """Placings of all mines that agree with the board."""
    won: int
    """How many of them perfect play wins."""
    best: tuple[Cell, ...]
    """Optimal cells to open, row by row: one, or all where that was asked for. Empty where
    only mines are covered."""
    mined: int
    """In how many solutions there is a mine at the first of `best`."""
    settled: int
    """In how many solutions nothing has to be guessed once that is opened."""
    won_by_cell: dict[Cell, int]
    """Solutions won if this cell is opened first and play is perfect after it, for the
    cells that were asked for."""

    @property
    def chance(self) -> float:
        """To win, in 0..1."""
        return self.won / self.solutions


def play_out(
    board: Board,
    limit: Limit | None = None,
    *,
    most: int = MOST_SOLUTIONS,
    all_best: bool = False,
    every_cell: bool = False,
) -> Endgame | None:
    """Look at everything that can still happen.

    Args:
        board: What is visible; flags count as covered.
        limit: What may be spent; a node is one state of the tree, MOST_NODES of them unless
            it says otherwise. Also looked at by another thread while the kernel works.
        most: Solutions to look at.
        all_best: Whether to find all optimal cells, dead ones included; the one that is found
            without is living wherever one is.
        every_cell: Whether to value every cell that may be safe.

    Returns:
        None where there are too many solutions, or the limit is reached.

    Raises:
        InconsistentBoard: No placing of the mines agrees with the board.
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    _check_read(board)
    limit = limit or Limit()
    nodes = MOST_NODES if limit.nodes is None else constant(limit.nodes)
    asked = EVERY_CELL if every_cell else ALL_BEST if all_best else ONE_BEST

    def work(stop: NDArray[np.int8]) -> Endgame | None:
        fringe = fringe_of(board.tiles, constant(board.mines))
        number, hints = list_solutions(fringe, constant(most), MOST_EFFORT, stop)
        if number == TOO_MANY:
            return None
        if number == 0:
            raise InconsistentBoard("no placing of the mines agrees with the board")
        room = _room(number, len(fringe.place))
        won = np.full(len(fringe.place), -1)
        total, best = search(room, hints, nodes, asked, stop, won)
        if total < 0:
            return None
        cells = [Cell(*divmod(int(place), board.cols)) for place in fringe.place]
        equals = [int(i) for i in np.flatnonzero(won == total)] if best >= 0 else []
        mined = settles = 0
        if equals:
            mined = int(np.count_nonzero(hints[:, equals[0]] == SHOWS_MINE))
            settles = int(settled(room, hints, constant(equals[0]), nodes, stop))
        return Endgame(
            int(number),
            int(total),
            tuple(cells[index] for index in equals),
            mined,
            settles,
            {cells[int(i)]: int(won[i]) for i in np.flatnonzero(won >= 0)},
        )

    return _watched(work, limit)


@dataclass(frozen=True)
class Forced:
    """A guess that nothing can change, so that it costs nothing to take it first."""

    cell: Cell
    """To open."""
    isolated: bool
    """Whether it is the first of a component played out on its own; else it is one of two
    cells that nothing can tell apart."""
    solutions: int
    """Placements of that component, or of the two cells."""
    won: int
    """How many of them are won."""


def forced_guess(board: Board, limit: Limit | None = None) -> Forced | None:
    """Look for a guess that may as well be taken before all others (`ending.forced`).

    Args:
        board: What is visible, with no cell that is known to be safe; flags count as covered.
        limit: As for `play_out`.

    Returns:
        None where there is no such guess, or it was not found within the limit.

    Raises:
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    _check_read(board)
    limit = limit or Limit()
    nodes = MOST_NODES if limit.nodes is None else constant(limit.nodes)

    def work(stop: NDArray[np.int8]) -> Forced | None:
        mines = constant(board.mines)
        room = _room(MOST_SOLUTIONS, board.tiles.size)
        kind, solutions, won, cell = forced(
            board.tiles, mines, MOST_SOLUTIONS, MOST_EFFORT, nodes, stop, room
        )
        if kind == NOTHING:
            return None
        place = Cell(*divmod(int(cell), board.cols))
        return Forced(place, bool(kind == ISOLATED), int(solutions), int(won))

    return _watched(work, limit)


def _check_read(board: Board) -> None:
    unread = next(board.cells(UNREAD), None)
    if unread is not None:
        raise ValueError(f"the tile at {unread.words} is unread")


def _room(solutions: int, cells: int) -> Tree:
    """This thread's tree, made larger where it is too small."""
    room: Tree | None = getattr(_kept, "room", None)
    if room is None or len(room.chance) < solutions or len(room.small.group) < cells:
        room = tree(max(solutions, MOST_SOLUTIONS), max(cells, 512))
        _kept.room = room
    return room


def _watched(work: Callable[[NDArray[np.int8]], Found | None], limit: Limit) -> Found | None:
    """Do some work that looks at `stop`, which is set once the limit is reached."""
    stop = np.zeros(1, np.int8)
    if limit.spent(0):
        return None
    if limit.cancel is None and limit.seconds is None:
        return work(stop)
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_LOOK):
            try:
                over = limit.spent(0)
            except Cancelled:
                over = True
            if over:
                stop[0] = 1
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        found = work(stop)
    finally:
        done.set()
        watcher.join()
    limit.spent(0)
    return found
