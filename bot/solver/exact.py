"""Exact mine probabilities, the number of solutions, and the safest cell.

A solution places *all* mines, floating cells included. Single hints decide what they can,
the placements of each remaining component are counted by number of mines, and the components and
the floating cells are combined: all in machine code (`kernel`), 30 to 40 microseconds a position of
an Expert game (`bot/RESULTS.md`). A cache would take as long, so nothing is kept between calls.

A cell is certain if and only if no solution, or every solution, has a mine there. Reachable states
decide that; a float that is rounded to zero is never a proof.

Beyond its `Limit` a component is not counted but estimated (`estimate`): then `exact` is
False, `error` bounds the error of the estimate, and what deduction and the other components
prove stays certain.

The reason and the number of solutions are computed on demand (`explain`).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Analysis, Limit
from bot.board import Board, Cell, InconsistentBoard
from bot.solver.constraints import conflict, system_of
from bot.solver.estimate import estimated
from bot.solver.kernel.interface import run
from bot.solver.kernel.tables import (
    BEST,
    COMPONENT_COUNT,
    FEWEST,
    FLOATING,
    LENGTH,
    MINES_LEFT,
    SOLVED,
    TOO_WIDE,
    WRONG_MINE_COUNT,
    Work,
)
from bot.solver.phrases import wrong_number

METHOD: Final = "exact"


def solve(board: Board, limit: Limit | None = None) -> Analysis:
    """Analyse a board.

    Args:
        board: The visible board; flags count as covered.
        limit: The budget; a node is one edge between two states of the count. The time and a stop
            are checked about every 20 ms. At the limit the components explored so far are still
            counted and the rest estimated: up to a second at 100x100.

    Raises:
        InconsistentBoard: No placing of the mines agrees with the board; names the hints.
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    return analyse(board, limit or Limit(), METHOD)


def analyse(board: Board, limit: Limit, method: str) -> Analysis:
    """Analyse a board as `exact.solve` does, under the name of another solver."""
    limit.spent(0)
    work, status = run(board, limit)
    if status == SOLVED:
        probability = work.probability[: board.tiles.size].reshape(board.tiles.shape)
        best = int(work.number[BEST])
        return Analysis(probability, _cell(board, best), True, method)
    if status == TOO_WIDE:
        probability, best = estimated(board, work, limit)
        return Analysis(probability, _cell(board, best), False, method, error=_error(probability))
    # Reading the board again raises where a hint, or the number of mines, is wrong by itself.
    system = system_of(board)
    if status == WRONG_MINE_COUNT:
        raise InconsistentBoard(_wrong_number(board, work))
    raise conflict(system, limit)


def _cell(board: Board, index: int) -> Cell | None:
    return None if index < 0 else Cell(*divmod(index, board.cols))


def _error(probability: NDArray[np.float64]) -> float:
    """Return the largest possible error of an estimate, from the distances to 0 and 1."""
    estimated = probability[(probability > 0) & (probability < 1)]
    return float(np.maximum(estimated, 1 - estimated).max()) if estimated.size else 0.0


def _wrong_number(board: Board, work: Work) -> str:
    """Explain that the number of mines does not agree with the hints."""
    number = work.number
    parts = work.component[: number[COMPONENT_COUNT]]
    taken = board.mines - int(number[MINES_LEFT])
    fewest = taken + int(parts[:, FEWEST].sum())
    most = fewest + int((parts[:, LENGTH] - 1).sum()) + int(number[FLOATING])
    return wrong_number(board.mines, fewest, most)
