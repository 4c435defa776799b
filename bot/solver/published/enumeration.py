"""Try all subsets of the covered cells: the reference implementation that the tests compare with.

Source: BruteSolve of source 000 (version 1 of 001), with two corrections. A placement counts only
if it has as many mines as the board has left. If there is no placement, the board is inconsistent;
as published, every cell would be flagged and revealed. Versions 2 and 3 are in `placements`.

It is simple and shares no code with the solvers that it checks. It keeps one subset at a time: O(b)
space for b covered cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from bot.analysis import Analysis, Evidence, Limit, clip_estimate
from bot.board import EXPLODED, MINE, UNREAD, Board, Cell, InconsistentBoard

METHOD: Final = "enumeration"
MOST_COVERED: Final = 20
"""Most covered cells: a million subsets."""


def solve(board: Board, limit: Limit | None = None) -> Analysis:
    """Analyse a board by trying all subsets of its covered cells.

    With more than `MOST_COVERED` covered cells, or beyond the limit (a node is one subset), all
    covered cells get the same estimate and `exact` is False.

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
    """Yield all 2 ** n subsets of n cells."""
    for bits in range(1 << len(cells)):
        yield frozenset(cell for place, cell in enumerate(cells) if bits >> place & 1)


def satisfactory(board: Board, placement: frozenset[Cell]) -> bool:
    """Return whether these mines agree with all hints and the number of mines."""
    mines = placement | frozenset(board.cells(MINE, EXPLODED))
    if len(mines) != board.mines:
        return False
    return all(
        board[hint] == sum(abs(hint.row - m.row) <= 1 and abs(hint.col - m.col) <= 1 for m in mines)
        for hint in board.cells(*range(9))
    )


def _unknown(board: Board, covered: list[Cell]) -> Analysis:
    density = (board.mines - len(list(board.cells(MINE, EXPLODED)))) / max(len(covered), 1)
    chance = clip_estimate(density)
    probability = np.where(board.unopened, chance, np.nan)
    return Analysis(
        probability,
        next(iter(covered), None),
        False,
        METHOD,
        f"too many covered cells to try out all subsets: {len(covered)}",
        error=max(chance, 1 - chance),
    )
