"""From what the kernels found to an `Analysis`, or to the error that a board calls for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Analysis, Limit
from bot.board import Board, Cell, InconsistentBoard
from bot.solver.conflict import conflict
from bot.solver.constraints import system_of
from bot.solver.estimate import estimated
from bot.solver.kernel.interface import run
from bot.solver.kernel.tables import (
    BEST,
    COMPONENT_COUNT,
    EQUALLY_SAFE,
    FEWEST,
    FLOATING,
    LENGTH,
    MINES_LEFT,
    SOLVED,
    TOO_WIDE,
    WRONG_MINE_COUNT,
    Work,
)
from bot.solver.told import Told
from bot.solver.words import wrong_number


def answer(board: Board, limit: Limit, method: str) -> Analysis:
    """What `exact.solve` promises, under a name."""
    limit.spent(0)
    work, status = run(board, limit)
    if status == SOLVED:
        probability = work.probability[: board.tiles.size].reshape(board.tiles.shape)
        best, equals = int(work.number[BEST]), int(work.number[EQUALLY_SAFE])
        return _analysis(board, method, probability, best, equals, None)
    if status == TOO_WIDE:
        probability, best, equals = estimated(board, work, limit)
        return _analysis(board, method, probability, best, equals, _error(probability))
    # Reading the board again raises where a hint, or the number of mines, is wrong by itself.
    system = system_of(board)
    if status == WRONG_MINE_COUNT:
        raise InconsistentBoard(_wrong_number(board, work))
    raise conflict(system, limit)


def _analysis(
    board: Board,
    method: str,
    probability: NDArray[np.float64],
    best: int,
    equals: int,
    error: float | None,
) -> Analysis:
    """The answer; `error` is None where it is exact."""
    cell = None if best < 0 else Cell(*divmod(best, board.cols))
    exact = error is None
    told = Told(board, best, 1.0 if cell is None else float(probability[cell]), equals, exact)
    return Analysis(
        probability,
        cell,
        exact,
        method,
        told.reason,
        told.solutions if exact else None,
        error or 0.0,
        told.evidence,
    )


def _error(probability: NDArray[np.float64]) -> float:
    """How far an estimate can be off at the most: the truth lies between 0 and 1."""
    estimated = probability[(probability > 0) & (probability < 1)]
    return float(np.maximum(estimated, 1 - estimated).max()) if estimated.size else 0.0


def _wrong_number(board: Board, work: Work) -> str:
    """Words for a number of mines that does not agree with the hints."""
    number = work.number
    parts = work.component[: number[COMPONENT_COUNT]]
    taken = board.mines - int(number[MINES_LEFT])
    fewest = taken + int(parts[:, FEWEST].sum())
    most = fewest + int((parts[:, LENGTH] - 1).sum()) + int(number[FLOATING])
    return wrong_number(board.mines, fewest, most)
