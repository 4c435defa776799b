"""Which hints contradict each other: an impossible board, explained with few of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.analysis import Limit
from bot.board import MISFLAG, InconsistentBoard
from bot.solver.constraints import Constraint, System
from bot.solver.kernel.running import hints_hold
from bot.solver.kernel.status import CONFLICT
from bot.solver.words import hint_names

_NODES_A_TRY: Final = 20_000
"""Ways on to try before a set of hints is taken to be possible: about a millisecond."""


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
            if fewer and _impossible(system, fewer, limit):
                rules = fewer
            else:
                start += part
        if part == 1:
            break
        part = part // 2
    hints = [system.cell(rule.hint) for rule in rules]
    named = hint_names(system.board, hints)
    return InconsistentBoard(f"these hints cannot all be true: {named}", hints)


def _impossible(system: System, rules: Sequence[Constraint], limit: Limit) -> bool:
    """Whether it is proved, cheaply, that the constraints contradict each other."""
    if limit.spent(0):
        return False
    tiles = system.board.tiles.copy()
    # A tile that is no mine, and says nothing.
    tiles[tiles >= 0] = MISFLAG
    for rule in rules:
        cell = system.cell(rule.hint)
        tiles[cell] = system.board[cell]
    return hints_hold(tiles, _NODES_A_TRY) == CONFLICT
