"""The end game search for compiled callers: whole games, and the benchmark."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled
from bot.solver.endgame.forced import INDEPENDENT, NOTHING, find_forced
from bot.solver.endgame.search import NONE, ONE_BEST, Budget, Search, solve_table
from bot.solver.endgame.solutions import TOO_MANY, covered_cells, list_solutions
from bot.solver.kernel.tables import Work


@compiled
def solve_board(
    work: Work, budget: Budget, stop: NDArray[np.int8], search: Search
) -> tuple[int, int, int]:
    """Find the best cell to open first.

    Args:
        work: The board, solved.
        budget: What may be spent; `search` has room for so many solutions.
        stop: (1,) int8, 0.
        search: One for each thread.

    Returns:
        The number of solutions, or TOO_MANY beyond the budget; how many of them perfect play
        wins, -1 beyond the budget; and a best cell as a flat index, -1 if every covered cell
        is a mine.
    """
    number, table = list_solutions(work, budget.solutions)
    if number == TOO_MANY:
        return number, NONE, NONE
    covered = covered_cells(work)
    won = np.full(len(covered), NONE)
    total, column = solve_table(search, table, budget.nodes, ONE_BEST, stop, won)
    return number, total, covered[column] if column >= 0 else NONE


@compiled
def forced_cell(work: Work, budget: Budget, stop: NDArray[np.int8], search: Search) -> int:
    """Return the cell of a forced guess, as `endgame.forced_guess` does; -1 if there is none."""
    first = 0
    while True:
        kind, component, cells, table = find_forced(work, first, budget.solutions)
        if kind != INDEPENDENT:
            return NONE if kind == NOTHING else int(cells[0])
        won = np.full(len(cells), NONE)
        total, column = solve_table(search, table, budget.nodes, ONE_BEST, stop, won)
        if total > 0:
            return int(cells[column])
        first = component + 1
