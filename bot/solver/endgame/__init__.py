"""The end game: exact values by exhaustive search, when few enough solutions are left.

This is the Python interface. The search and its theory of operation are in `endgame.search`,
the list of all solutions in `endgame.solutions`, forced guesses in `endgame.forced`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Cancelled, Limit
from bot.board import UNREAD, Board, Cell, InconsistentBoard
from bot.solver.endgame.forced import NOTHING, PAIR, find_forced
from bot.solver.endgame.search import (
    ALL_BEST,
    BUDGET,
    EVERY_CELL,
    ONE_BEST,
    Search,
    new_search,
    search_table,
)
from bot.solver.endgame.solutions import SHOWS_MINE, TOO_MANY, list_solutions
from bot.solver.kernel.interface import run
from bot.solver.kernel.tables import SOLVED, TOO_WIDE, Work

__all__ = ["BUDGET", "Endgame", "Forced", "forced_guess", "solve_endgame"]

_POLL: Final = 0.01
"""Seconds between two checks of a limit while machine code runs."""
_local = threading.local()
T = TypeVar("T")


@dataclass(frozen=True)
class Endgame:
    """The value of a board under perfect play."""

    solutions: int
    """Number of solutions."""
    won: int
    """Number of solutions that perfect play wins."""
    best: tuple[Cell, ...]
    """Optimal cells to open, row by row: one, or all if `all_best` was set. Empty if only mines are
    covered."""
    mined: int
    """Number of solutions with a mine at the first of `best`."""
    without_guess: int
    """Number of solutions in which no guess is left after the first of `best` is opened."""
    won_by_cell: dict[Cell, int]
    """Solutions won if this cell is opened first and play is perfect after it, for every cell that
    may be safe if `every_cell` was set."""

    @property
    def chance(self) -> float:
        """Probability to win, 0 to 1."""
        return self.won / self.solutions


def solve_endgame(
    board: Board,
    limit: Limit | None = None,
    *,
    most: int = BUDGET.solutions,
    all_best: bool = False,
    every_cell: bool = False,
) -> Endgame | None:
    """Search all continuations of a board.

    Args:
        board: The visible board; flags count as covered.
        limit: The budget; a node is one state of the search, `BUDGET.nodes` of them by default.
            It is also checked while machine code runs.
        most: Solutions to search.
        all_best: Whether to find all optimal cells, uninformative ones included. Otherwise the
            one that is found is informative if there is such a cell.
        every_cell: Whether to value every cell that may be safe.

    Returns:
        None if there are too many solutions, or the limit is reached.

    Raises:
        InconsistentBoard: No solution agrees with the board.
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    _check_read(board)
    limit = limit or Limit()
    nodes = BUDGET.nodes if limit.nodes is None else limit.nodes
    asked = EVERY_CELL if every_cell else ALL_BEST if all_best else ONE_BEST

    def solve_until(stop: NDArray[np.int8]) -> Endgame | None:
        position = _analyse(board, limit)
        if position is None:
            return None
        number, table = list_solutions(position, most)
        if number == TOO_MANY:
            return None
        search = _search_for(number)
        covered = np.flatnonzero(board.unopened)
        won = np.full(len(covered), -1)
        total, without_guess = search_table(search, table, nodes, asked, stop, won)
        if total < 0:
            return None
        cells = [Cell(*divmod(int(place), board.cols)) for place in covered]
        equals = [int(i) for i in np.flatnonzero(won == total)]
        mined = int(np.count_nonzero(table[:, equals[0]] == SHOWS_MINE)) if equals else 0
        return Endgame(
            int(number),
            int(total),
            tuple(cells[index] for index in equals),
            mined,
            int(without_guess),
            {cells[int(i)]: int(won[i]) for i in np.flatnonzero(won >= 0)},
        )

    return _run_within(limit, solve_until)


@dataclass(frozen=True)
class Forced:
    """A guess that no later information can change, so that taking it first costs nothing."""

    cell: Cell
    """The cell to open."""
    independent: bool
    """Whether it is the best cell of an independent component; else it is one of an exchangeable
    pair (see `endgame.forced`)."""
    solutions: int
    """Number of placements of that component, or of the two cells."""
    won: int
    """Number of these placements that are won."""


def forced_guess(board: Board, limit: Limit | None = None) -> Forced | None:
    """Find a guess that can be taken before all others without a loss (see `endgame.forced`).

    Args:
        board: The visible board, without a known safe cell; flags count as covered.
        limit: As for `solve_endgame`.

    Returns:
        None if there is no such guess, or it was not found within the limit.

    Raises:
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    _check_read(board)
    limit = limit or Limit()
    nodes = BUDGET.nodes if limit.nodes is None else limit.nodes

    def solve_until(stop: NDArray[np.int8]) -> Forced | None:
        position = _analyse(board, limit)
        if position is None:
            return None
        search = _search_for(BUDGET.solutions)
        first = 0
        while True:
            kind, component, cells, table = find_forced(position, first, BUDGET.solutions)
            if kind == NOTHING:
                return None
            places = [Cell(*divmod(int(cell), board.cols)) for cell in cells]
            if kind == PAIR:
                return Forced(places[0], False, 2, 1)
            won = np.full(len(cells), -1)
            total, _ = search_table(search, table, nodes, ONE_BEST, stop, won)
            if total > 0:
                best = int(np.flatnonzero(won == total)[0])
                return Forced(places[best], True, len(table), int(total))
            first = component + 1

    return _run_within(limit, solve_until)


def _check_read(board: Board) -> None:
    unread = next(board.cells(UNREAD), None)
    if unread is not None:
        raise ValueError(f"the tile at {unread.position_text} is unread")


def _analyse(board: Board, limit: Limit) -> Work | None:
    """Return the tables of the solved board; None if it is too large to be solved.

    They are valid until this thread analyses the next board.
    """
    # The nodes of a limit are those of the search.
    work, status = run(board, replace(limit, nodes=None))
    if status == TOO_WIDE:
        return None
    if status != SOLVED:
        raise InconsistentBoard("no placing of the mines agrees with the board")
    return work


def _search_for(solutions: int) -> Search:
    """Return this thread's search memory, replaced by a larger one if it is too small."""
    search: Search | None = getattr(_local, "search", None)
    if search is None or len(search.random) < solutions:
        search = new_search(max(solutions, BUDGET.solutions))
        _local.search = search
    return search


def _run_within(limit: Limit, solve: Callable[[NDArray[np.int8]], T | None]) -> T | None:
    """Call `solve` with a flag that another thread sets when the limit is reached.

    Raises:
        Cancelled: The user stopped.
    """
    stop = np.zeros(1, np.int8)
    if limit.spent(0):
        return None
    if limit.cancel is None and limit.seconds is None:
        return solve(stop)
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_POLL):
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
        result = solve(stop)
    finally:
        done.set()
        watcher.join()
    limit.spent(0)
    return result
