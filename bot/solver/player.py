"""The default solver: exact probabilities, and the guess that wins most if no cell is safe.

Safe cells are opened. Without one, the first rule that applies decides:

1. A fresh board: `first_click`, or on a tiny board the search of all continuations (`endgame`).
2. Few solutions are left: the search of all continuations.
3. There is a forced guess (`endgame.forced`): it costs the same now as later.
4. Each candidate (a cell nearly as safe as the safest) is tried with every hint that it may show:
   the position after it is solved, and a value network estimates the chance to win it (`guess`).

A board that is too expensive to solve gets its safest cell (`safest_cell`).
`guess.deciding.decide` applies rules 2 to 4.
"""

from __future__ import annotations

from dataclasses import replace
from math import comb
from typing import Final

import numpy as np

from bot.analysis import NO_EVIDENCE, Analysis, Evidence, Limit
from bot.board import UNOPENED, Board, Cell
from bot.game import FirstClick
from bot.solver import PLAYER
from bot.solver.endgame import BUDGET, Endgame, solve_endgame
from bot.solver.exact import analyse
from bot.solver.guess.deciding import decide
from bot.solver.published import consistency, placements

_TINY: Final = 20
"""Cells of a board whose first click is searched: 0.2 s at most, once for each size. The search of
larger boards with few mines takes up to 2 s, and opens the corner all the same."""
_UNCOMPILED: Final = 1.0
"""Time limit in seconds of a decision in Python. The mean on Expert is 4 ms; in 9 of 100 games it
is not enough (`python -m tests.benchmarks.start`)."""
_starts: Final[dict[tuple[int, int, int, int | None], Endgame | None]] = {}
"""The searched fresh boards, by rows, columns, mines and the limit of nodes."""


def solve(board: Board, limit: Limit | None = None, promise: FirstClick | None = None) -> Analysis:
    """Analyse a board.

    Args:
        board: The visible board; flags count as covered.
        limit: The budget, for each of: the probabilities as in `exact`, the end game as in
            `endgame.solve_endgame`, and the candidates, each of which is a node; when it is
            spent, the best so far is taken.
        promise: The guarantee for the first click; None if unknown.

    Raises:
        InconsistentBoard: No placing of the mines agrees with the board; names the hints.
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    limit = limit or Limit()
    safest = analyse(board, limit, PLAYER)
    if safest.best is None or not safest.exact or safest.mine_probability[safest.best] == 0.0:
        return safest
    if _is_fresh(board):
        start = None if promise is FirstClick.ZERO else _search_fresh_board(board, limit)
        if start is None or not start.best:
            return _with_first_click(board, safest, promise)
        cell = start.best[0]
        return _with_cell(safest, cell, _why_start(start, promise), Evidence(cells=(cell,)))
    decision = decide(board, limit)
    if decision is None:
        return safest
    return _with_cell(safest, decision.cell, decision.reason(), decision.evidence())


def solve_uncompiled(
    board: Board, limit: Limit, promise: FirstClick | None = None
) -> Analysis | None:
    """Analyse a board as `exact` does, but in Python, while the machine code is compiled.

    Args:
        board: The visible board; flags count as covered.
        limit: Its cancellation applies; its budget does not.
        promise: The guarantee for the first click; None if unknown.

    Returns:
        The analysis, in which an undecided cell has its exact probability, or some cell is proved
        safe; None if that takes too long.

    Raises:
        InconsistentBoard: No placing of the mines agrees with the board.
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    limit = Limit(seconds=_UNCOMPILED, cancel=limit.cancel)
    proved = consistency.solve(board, limit)
    if proved.safe:
        return proved
    counted = placements.solve_backtracking(board, limit)
    if not counted.exact:
        return None
    if counted.best is None or counted.safe or not _is_fresh(board):
        # `explain` phrases the reason as for any other decision; the solutions are counted.
        return replace(counted, reason=None, evidence=NO_EVIDENCE)
    return _with_first_click(board, counted, promise)


def first_click(rows: int, cols: int, rule: FirstClick | None = None) -> Cell:
    """Return the cell of the first click.

    A corner is the likeliest cell to show a zero. If the game promises a zero, the opened region is
    larger a little way in. No benchmark compares these places (2 or 3 cells inside) with others.

    Args:
        rows: Of the board.
        cols: Of the board.
        rule: The guarantee for the first click; None if unknown.
    """
    if rule is not FirstClick.ZERO:
        return Cell(0, 0)
    inside = 3 if min(rows, cols) >= 16 else 2
    return Cell(min(inside, rows - 1), min(inside, cols - 1))


def why_first(risk: float, rule: FirstClick | None = None) -> str:
    """Explain the first click; `risk` is the mine probability before the game's guarantee."""
    if rule is FirstClick.ZERO:
        return (
            "the program keeps the first click safe: it opens a region here, and away from the "
            "sides it is larger"
        )
    if rule is FirstClick.SAFE:
        return (
            "the program keeps the first click safe, and a corner is the likeliest cell to open a "
            "region"
        )
    return (
        f"the first click: a corner is the likeliest cell to open a region "
        f"({risk:.1%} risk of a mine, unless the game promises a safe start)"
    )


def _is_fresh(board: Board) -> bool:
    return bool(np.isin(board.tiles, UNOPENED).all())


def _with_first_click(board: Board, analysis: Analysis, promise: FirstClick | None) -> Analysis:
    cell = first_click(board.rows, board.cols, promise)
    reason = why_first(float(analysis.mine_probability[cell]), promise)
    return _with_cell(analysis, cell, reason, Evidence(cells=(cell,)))


def _search_fresh_board(board: Board, limit: Limit) -> Endgame | None:
    """Search a fresh board; None if it is not tiny, or beyond the limit."""
    cells = board.tiles.size
    if cells > _TINY or comb(cells, board.mines) > BUDGET.solutions:
        return None
    key = (board.rows, board.cols, board.mines, limit.nodes)
    if key not in _starts:
        start = solve_endgame(board, limit)
        if start is None and limit.seconds is not None:
            # A later call may have more time.
            return None
        _starts[key] = start
    return _starts[key]


def _why_start(start: Endgame, promise: FirstClick | None) -> str:
    boards = start.solutions - (start.mined if promise is FirstClick.SAFE else 0)
    return f"the first click: from here perfect play wins {start.won:,} of {boards:,} boards"


def _with_cell(analysis: Analysis, cell: Cell, reason: str, evidence: Evidence) -> Analysis:
    """Return an analysis with another cell to open."""
    return replace(analysis, best=cell, reason=reason, evidence=evidence)
