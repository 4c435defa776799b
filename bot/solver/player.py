"""The player: exact probabilities, and where none is certain the guess that wins most.

What is certain is opened. Where few solutions are left, everything that can still happen is
looked at (`endgame`); a tiny board is played so from its first click on. A guess that
nothing can change is taken first: it costs the same at any time. Else each candidate, all
cells nearly as safe as the safest one, is tried with every hint that it may show: the
position after it is solved, and a value function says how likely it is won (`guess`). What
was tried on the way, and what it gave, is told in `guess`.
"""

from __future__ import annotations

from dataclasses import replace
from math import comb
from typing import Final

import numpy as np

from bot.analysis import Analysis, Evidence, Limit
from bot.board import UNOPENED, Board, Cell
from bot.game import FirstClick
from bot.solver import PLAYER
from bot.solver.endgame import BUDGET, Endgame, solve_endgame
from bot.solver.exact import answer
from bot.solver.guess.deciding import decide

_TINY: Final = 20
"""Cells of a board whose first click is played out: at most half a second, once for each size."""
_ROOM: Final = 300_000
"""Nodes that this may cost."""
_starts: Final[dict[tuple[int, int, int, int], Endgame | None]] = {}


def solve(board: Board, limit: Limit | None = None, promise: FirstClick | None = None) -> Analysis:
    """Analyse a board.

    Args:
        board: What is visible; flags count as covered.
        limit: What may be spent: on the probabilities as in `exact`, then on the end game as
            in `endgame.solve_endgame`, then on candidates (`guess.deciding.PRICE`); when it is
            spent, the best so far is taken.
        promise: What the game promises of the first click; None where that is not known.

    Raises:
        InconsistentBoard: No placing of the mines agrees with the board; names the hints.
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    limit = limit or Limit()
    known = answer(board, limit, PLAYER)
    if known.best is None or not known.exact or known.mine_probability[known.best] == 0.0:
        return known
    if np.isin(board.tiles, UNOPENED).all():
        start = None if promise is FirstClick.ZERO else _played_out(board, limit)
        if start is not None and start.best:
            cell, reason = start.best[0], _why_start(start, promise)
        else:
            cell = first_click(board.rows, board.cols, promise)
            reason = why_first(float(known.mine_probability[cell]), promise)
        return _instead(known, cell, reason, Evidence(cells=(cell,)))
    decision = decide(board, limit)
    if decision is None:
        return known
    return _instead(known, decision.cell, decision.reason(), decision.evidence())


def first_click(rows: int, cols: int, rule: FirstClick | None = None) -> Cell:
    """Return the cell of the first click.

    A corner is the likeliest cell to show a zero. Where the first click opens a zero anyway,
    the region is larger a little way in.

    Args:
        rows: Of the board.
        cols: Of the board.
        rule: What the first click is promised; None where that is not known.
    """
    if rule is not FirstClick.ZERO:
        return Cell(0, 0)
    inside = 3 if min(rows, cols) >= 16 else 2
    return Cell(min(inside, rows - 1), min(inside, cols - 1))


def why_first(risk: float, rule: FirstClick | None = None) -> str:
    """Explain the first click; `risk` is the mine probability before the game's promise."""
    if rule is FirstClick.ZERO:
        return "the first click opens a region here, and away from the sides it is larger"
    if rule is FirstClick.SAFE:
        return "the first click is safe, and a corner is the likeliest cell to open a region"
    return (
        f"the first click: a corner is the likeliest cell to open a region "
        f"({risk:.1%} risk of a mine, unless the game promises a safe start)"
    )


def _played_out(board: Board, limit: Limit) -> Endgame | None:
    """Return a fresh tiny board, exactly; None where it is not tiny, or would cost too much."""
    cells = board.tiles.size
    if cells > _TINY or comb(cells, board.mines) > BUDGET.solutions:
        return None
    nodes = _ROOM if limit.nodes is None else limit.nodes
    key = (board.rows, board.cols, board.mines, nodes)
    if key not in _starts:
        start = solve_endgame(board, Limit(nodes, limit.seconds, limit.cancel))
        if start is None and limit.seconds is not None:
            # With more time it may be found.
            return None
        _starts[key] = start
    return _starts[key]


def _why_start(start: Endgame, promise: FirstClick | None) -> str:
    boards = start.solutions - (start.mined if promise is FirstClick.SAFE else 0)
    return f"the first click: from here perfect play wins {start.won:,} of {boards:,} boards"


def _instead(known: Analysis, cell: Cell, reason: str, evidence: Evidence) -> Analysis:
    """Return the same with another cell to open."""
    return replace(known, best=cell, reason=reason, evidence=evidence)
