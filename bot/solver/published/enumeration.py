"""Trying out every subset of the covered cells: the oracle that the others are held against.

Source: BruteSolve of source 000 (version 1 of 001), with two corrections: a placement
counts only if it has as many mines as the board has left, and where there is none the
board is inconsistent (as published, it would then flag and reveal everything). It is
kept stupid on purpose, and shares no code with the solvers that it checks: versions 2 and
3 are in `placements`. One subset is kept at a time: O(b) space, as the source says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from bot.analysis import Analysis, Evidence, Limit
from bot.board import EXPLODED, MINE, UNREAD, Board, Cell, InconsistentBoard

METHOD: Final = "enumeration"
MOST_COVERED: Final = 20
"""A million subsets; each further cell doubles them."""


def solve(board: Board, limit: Limit | None = None) -> Analysis:
    """Analyse a board by trying all subsets of its covered cells.

    With more than `MOST_COVERED` covered cells, or beyond its limit (a node is one
    subset), it says that every covered cell is equally likely a mine, and `exact` is False.

    Raises:
        InconsistentBoard: No subset agrees with the board.
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    limit = limit or Limit()
    unread = next(board.cells(UNREAD), None)
    if unread is not None:
        raise ValueError(f"the tile at {unread.position_text} is unread")
    covered = [cell for cell in board.cells() if board.unopened[cell]]
    mined = dict.fromkeys(covered, 0)
    solutions = 0
    if len(covered) > MOST_COVERED:
        return _unknown(board, covered)
    for number, placement in enumerate(subsets(covered)):
        if limit.spent(number):
            return _unknown(board, covered)
        if satisfactory(board, placement):
            solutions += 1
            for cell in placement:
                mined[cell] += 1
    if not solutions:
        raise InconsistentBoard("no placing of the mines agrees with the board")
    probability = np.full(board.tiles.shape, np.nan)
    for cell in covered:
        probability[cell] = mined[cell] / solutions
    best = min(covered, key=lambda cell: mined[cell], default=None)
    if best is None or mined[best] == solutions:
        reason = "every covered cell is a mine" if covered else "no cell is covered"
        return Analysis(probability, None, True, METHOD, reason, solutions)
    reason = f"{mined[best]} of the {solutions} solutions left have a mine here"
    evidence = Evidence(cells=(best,))
    return Analysis(probability, best, True, METHOD, reason, solutions, evidence=evidence)


def subsets(cells: list[Cell]) -> Iterator[frozenset[Cell]]:
    """Yield all 2 ** n subsets."""
    for bits in range(1 << len(cells)):
        yield frozenset(cell for place, cell in enumerate(cells) if bits >> place & 1)


def satisfactory(board: Board, placement: frozenset[Cell]) -> bool:
    """Return whether every hint, and the number of mines, is right with mines at `placement`."""
    mines = placement | frozenset(board.cells(MINE, EXPLODED))
    if len(mines) != board.mines:
        return False
    return all(
        board[hint] == sum(abs(hint.row - m.row) <= 1 and abs(hint.col - m.col) <= 1 for m in mines)
        for hint in board.cells(*range(9))
    )


def _unknown(board: Board, covered: list[Cell]) -> Analysis:
    density = (board.mines - len(list(board.cells(MINE, EXPLODED)))) / max(len(covered), 1)
    chance = min(max(density, 1e-6), 1 - 1e-6)
    probability = np.where(board.unopened, chance, np.nan)
    return Analysis(
        probability,
        next(iter(covered), None),
        False,
        METHOD,
        f"too many covered cells to try out all subsets: {len(covered)}",
        error=max(chance, 1 - chance),
    )
