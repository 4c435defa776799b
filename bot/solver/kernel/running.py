"""Running the kernels from Python: workspaces are kept, limits are asked between slices."""

from __future__ import annotations

import threading
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Limit
from bot.board import Board
from bot.solver.kernel.position import DONE, MOST_NODES, advance, feasible, solve_position
from bot.solver.kernel.status import PAUSED, TOO_SMALL
from bot.solver.kernel.workspace import BUDGET, NODE_LIMIT, UNTIL, Work, grown, work_for

_SLICE: Final = 250_000
"""Steps between two looks at the limit: about 10 ms."""
_KEPT_STATES: Final = 1 << 15
"""A workspace with room for more is not kept: some 10 MB."""

_kept = threading.local()


def run(board: Board, limit: Limit) -> tuple[Work, int]:
    """Analyse a board.

    Returns:
        The workspace with the answer, valid until this thread's next call, and a status:
        neither `PAUSED` nor `TOO_SMALL`.

    Raises:
        Cancelled: The user stopped.
    """
    nodes = MOST_NODES if limit.nodes is None else min(limit.nodes, MOST_NODES)
    work = workspace(board.tiles.size)
    # A board's own tiles are read-only: machine code for those would be made apart.
    tiles = board.tiles.copy()
    while True:
        status = solve_position(tiles, board.mines, work, nodes)
        if status == PAUSED:
            status = go_on(work, DONE, limit)
        if status != TOO_SMALL:
            return work, status
        limit.spent(0)
        work = larger(work)


def go_on(work: Work, until: int, limit: Limit) -> int:
    """Go on in slices; when the limit is reached, what is not explored yet is too wide.

    Returns:
        A status, not `PAUSED`.

    Raises:
        Cancelled: The user stopped.
    """
    work.number[UNTIL] = until
    while True:
        if limit.spent(0):
            work.number[NODE_LIMIT] = -1
        status: int = advance(work)
        if status != PAUSED:
            return status


def hints_hold(tiles: NDArray[np.int8], nodes: int) -> int:
    """Whether some placing of any number of mines satisfies all hints: a status.

    Args:
        tiles: (rows, cols) int8.
        nodes: What may be spent: some tens of nanoseconds each.
    """
    work = workspace(tiles.size)
    work.number[BUDGET] = nodes * 1_000
    status: int = feasible(tiles, work, nodes)
    while status == TOO_SMALL:
        work = larger(work)
        work.number[BUDGET] = nodes * 1_000
        status = feasible(tiles, work, nodes)
    work.number[BUDGET] = _SLICE
    return status


def workspace(cells: int) -> Work:
    """This thread's, large enough for so many cells."""
    work: Work | None = getattr(_kept, "work", None)
    if work is None or len(work.probability) < cells:
        work = work_for(1, cells)
        work.number[BUDGET] = _SLICE
        _kept.work = work
    return work


def larger(work: Work) -> Work:
    """The same with more room for states, kept in its place unless it is very large."""
    work = grown(work)
    work.number[BUDGET] = _SLICE
    _kept.work = work if len(work.key) <= _KEPT_STATES else None
    return work
