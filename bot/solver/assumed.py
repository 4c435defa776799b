"""Analyse a board whose number of mines is only assumed (`Board.assumed`).

A proof that counts all mines holds only if their number is right. The hints alone prove a cell if
every placing of any number of mines agrees on it. To find those cells, `exact` analyses the board
beside a field of covered cells that no hint touches, which can take any number of the mines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bot.analysis import LEAST_ESTIMATE, Analysis, Limit, load_function
from bot.board import COVERED, EXPLODED, MINE, OPENED, Board, Cell
from bot.solver.constraints import simplify, system_of
from bot.solver.phrases import quantity
from bot.solver.warmup import PREPARATION


def sound(solve: Callable[..., Analysis]) -> Callable[..., Analysis]:
    """Return a solver whose analyses of boards with an assumed number have no proof by it."""

    def solve_soundly(board: Board, limit: Limit | None = None, **options: object) -> Analysis:
        limit = limit or Limit()
        return without_total(board, solve(board, limit, **options), limit)

    return solve_soundly


def without_total(board: Board, analysis: Analysis, limit: Limit) -> Analysis:
    """Return an analysis without the proofs by the mine count, if that is only assumed.

    What was certain because of it becomes an estimate, and the best cell is one that the
    hints prove safe, if there is one.

    Args:
        board: The analysed board.
        analysis: Its analysis.
        limit: The budget; beyond it fewer cells are certain.

    Raises:
        Cancelled: The user stopped.
    """
    if not board.assumed:
        return analysis
    probability = analysis.mine_probability
    counted = np.isin(probability, (0.0, 1.0))
    proved = _proved(board, limit) if counted.any() else counted
    estimate = np.clip(probability, LEAST_ESTIMATE, 1 - LEAST_ESTIMATE)
    known = np.where(proved, probability, estimate)
    safe = np.argwhere(known == 0.0)
    best, reason = analysis.best, analysis.reason
    if best is not None and probability[best] == 0.0 and known[best] > 0.0:
        if safe.size:
            best, reason = Cell(*safe[0].tolist()), None
        else:
            reason = (
                "no cell is proved safe by the hints alone; this one is, if the board has "
                f"{quantity(board.mines, 'mine')}, which is only assumed"
            )
    risk = np.maximum(known, 1 - known)[(known > 0.0) & (known < 1.0)]
    error = float(risk.max()) if risk.size else 0.0
    return replace(
        analysis, mine_probability=known, best=best, exact=False, reason=reason, error=error
    )


def _proved(board: Board, limit: Limit) -> NDArray[np.bool_]:
    """Return (rows, cols) which cells the hints prove safe or mined, whatever the mine count."""
    if PREPARATION.compiling:
        found = np.zeros(board.tiles.size, np.bool_)
        found[list(simplify(system_of(board).constraints).known)] = True
        return found.reshape(board.tiles.shape)
    solve: Callable[[Board, Limit], Analysis] = load_function("bot.solver.exact:solve")
    free = int(board.unopened.sum())
    width = -(-free // board.rows)
    apart = np.full((board.rows, 1), OPENED, np.int8)
    field = np.full((board.rows, width), COVERED, np.int8)
    shown = int(np.isin(board.tiles, (MINE, EXPLODED)).sum())
    beside = Board(np.hstack([board.tiles, apart, field]), shown + free)
    known = solve(beside, limit).mine_probability[:, : board.cols]
    return np.isin(known, (0.0, 1.0))
