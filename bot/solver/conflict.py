"""Few hints that contradict each other: why a board cannot be, or why a cell is no mine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Limit
from bot.board import MINE, MISFLAG, Cell, InconsistentBoard
from bot.solver.constraints import Constraint, System
from bot.solver.kernel.interface import check_hints
from bot.solver.kernel.tables import CONFLICT
from bot.solver.words import hint_names

_NODES_A_TRY: Final = 20_000
"""Ways on to try before a set of hints is taken to be possible: about a millisecond."""

_NEAR: Final = 6
"""Rows and columns away from a cell hints are looked at first: on a large board there are many."""


def conflict(system: System, limit: Limit) -> InconsistentBoard:
    """The error for a board whose hints cannot all be true.

    The hints named are impossible together; mostly none of them can be left out. (Where
    that is too dear to find out, more are named than need be.)

    Raises:
        Cancelled: The user stopped.
    """
    hints = [
        system.cell(rule.hint)
        for rule in _needed(system, system.board.tiles, system.constraints, limit)
    ]
    named = hint_names(system.board, hints)
    return InconsistentBoard(f"these hints cannot all be true: {named}", hints)


def against_a_mine(system: System, cell: int, limit: Limit) -> tuple[Cell, ...]:
    """Few hints that could not all be true with a mine at `cell`, a flat index.

    Returns:
        None of them where the hints alone do not forbid it, or that is too dear to find out.

    Raises:
        Cancelled: The user stopped.
    """
    tiles = system.board.tiles.copy()
    tiles[system.cell(cell)] = MINE
    row, col = system.cell(cell)
    near = []
    for rule in system.constraints:
        hint = system.cell(rule.hint)
        if max(abs(hint.row - row), abs(hint.col - col)) <= _NEAR:
            near.append(rule)
    for rules in (near, system.constraints):
        if _impossible(system, tiles, rules, limit):
            return tuple(system.cell(rule.hint) for rule in _needed(system, tiles, rules, limit))
    return ()


def _needed(
    system: System, tiles: NDArray[np.int8], impossible: Sequence[Constraint], limit: Limit
) -> list[Constraint]:
    """Of constraints that are impossible on these tiles those that cannot be left out."""
    rules = list(impossible)
    part = max(len(rules) // 2, 1)
    while True:
        start = 0
        while start < len(rules):
            fewer = rules[:start] + rules[start + part :]
            if fewer and _impossible(system, tiles, fewer, limit):
                rules = fewer
            else:
                start += part
        if part == 1:
            return rules
        part = part // 2


def _impossible(
    system: System, tiles: NDArray[np.int8], rules: Sequence[Constraint], limit: Limit
) -> bool:
    """Whether it is proved, cheaply, that the constraints contradict each other."""
    if limit.spent(0):
        return False
    # A tile that is no mine, and says nothing.
    tiles = np.where(tiles >= 0, np.int8(MISFLAG), tiles)
    for rule in rules:
        cell = system.cell(rule.hint)
        tiles[cell] = system.board[cell]
    return check_hints(tiles, _NODES_A_TRY) == CONFLICT
