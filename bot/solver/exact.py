"""Exact mine probabilities, the number of solutions, and the safest cell.

A solution places *all* mines, floating cells included. Single hints settle what they can,
each component that is left is counted by number of mines, and the counts are weighed
against each other and the floating cells: all in machine code (`kernel`), some 20
microseconds a position in the middle of an Expert game. To look up what was counted
before would take as long, so nothing is remembered between calls.

A cell is certain if and only if no solution, or every solution, has a mine there: that is
decided by what can be reached; a float that comes out as zero is never a proof.

Beyond its `Limit` a component is not counted but estimated (`estimate`): then `exact` is
False, `error` bounds what the estimate can be off, and what deduction and the other
components prove stays certain.

What only a reader wants to know, the reason and the number of solutions, is worked out
on demand (`explain`).
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
        board: What is visible; flags count as covered.
        limit: What may be spent; a node is one way to go on from one state of the count.
            A stop, and the end of the time, are heard about every 20 ms. What was explored
            by then is still weighed and the rest estimated: up to a second at 100x100.

    Raises:
        InconsistentBoard: No placing of the mines agrees with the board; names the hints.
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    return answer(board, limit or Limit(), METHOD)


def answer(board: Board, limit: Limit, method: str) -> Analysis:
    """Analyse a board as `exact.solve` does, for a solver of another name."""
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
    """Return how far an estimate can be off at the most: the truth lies between 0 and 1."""
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
