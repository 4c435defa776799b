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
when it is asked for (`told`).
"""

from __future__ import annotations

from typing import Final

from bot.analysis import Analysis, Limit
from bot.board import Board

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
    # numba takes half a second to import: only who solves something waits for it.
    from bot.solver.answering import answer  # noqa: PLC0415

    return answer(board, limit or Limit(), METHOD)
