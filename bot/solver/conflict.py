"""Which hints contradict each other: an impossible board, explained with few of them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.analysis import Limit
from bot.board import InconsistentBoard
from bot.solver.constraints import Constraint, Contradiction, System, simplify
from bot.solver.counting import Meter, TooWide, feasible

_NODES_A_TRY = 20_000
"""Transitions to spend on whether a set of hints is still impossible: about 20 ms."""


def conflict(system: System, limit: Limit) -> InconsistentBoard:
    """The error for a board whose hints cannot all be true.

    The hints named are impossible together; mostly none of them can be left out. (Where
    that is too dear to find out, more are named than need be.)

    Raises:
        Cancelled: The user stopped.
    """
    rules = list(system.constraints)
    part = max(len(rules) // 2, 1)
    while True:
        start = 0
        while start < len(rules):
            fewer = rules[:start] + rules[start + part :]
            if fewer and _impossible(fewer, limit):
                rules = fewer
            else:
                start += part
        if part == 1:
            break
        part = part // 2
    hints = [system.cell(rule.hint) for rule in rules]
    named = ", ".join(
        f"the {system.board[hint]} at row {hint.row}, column {hint.col}" for hint in hints[:4]
    )
    more = f" and {len(hints) - 4} more" if len(hints) > 4 else ""
    return InconsistentBoard(f"these hints cannot all be true: {named}{more}", hints)


def _impossible(rules: Sequence[Constraint], limit: Limit) -> bool:
    """Whether it is proved, cheaply, that the constraints contradict each other."""
    if limit.spent(0):
        return False
    try:
        parts = simplify(rules).components
        return not all(
            feasible(part.shape, Meter(Limit(nodes=_NODES_A_TRY, cancel=limit.cancel)))
            for part in parts
        )
    except Contradiction:
        return True
    except TooWide:
        return False
