"""The first move of an end game."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled, merged
from bot.solver.ending.bits import constant, highest
from bot.solver.ending.fringe import fringe_of
from bot.solver.ending.listing import SHOWS_MINE, list_solutions
from bot.solver.ending.part import TOO_MANY
from bot.solver.ending.rows import (
    Block,
    bounds_of,
    candidates,
    everything,
    most_won,
    open_safe,
    pack,
    seen,
    size_of,
)
from bot.solver.ending.tree import SEARCH, START, Tree, value
from bot.solver.ending.word_tree import LEFT, NODES, OUT

ONE_BEST, ALL_BEST, EVERY_CELL = constant(0), constant(1), constant(2)
"""What is asked for: a best cell, all of them, or the value of every cell that may be safe."""
NONE = constant(-1)
"""No value, no cell."""


@compiled
def endgame(
    tiles: NDArray[np.int8],
    mines: int,
    most: int,
    effort: int,
    nodes: int,
    asked: int,
    stop: NDArray[np.int8],
    tree: Tree,
    won: NDArray[np.int64],
) -> tuple[int, int, int]:
    """From tiles to the best first move.

    Args:
        tiles: (rows, cols) int8, codes of `bot.board`; flags count as covered.
        mines: On the whole board.
        most: Solutions to look at; `tree` has room for them, and for the covered cells.
        effort: Steps to take in listing the placements of a component.
        nodes: States to look at.
        asked: ONE_BEST, ALL_BEST or EVERY_CELL.
        stop: (1,) int8; another thread sets it to break off. Looked at in each state: at
            most a few milliseconds pass.
        tree: Room; one for each thread.
        won: (rows * cols,), overwritten: solutions won if this cell is opened first and
            play is perfect after it; -1 where that was not asked for.

    Returns:
        The number of solutions, TOO_MANY for more than `most` or more effort; how many of
        them perfect play wins, -1 beyond `nodes`; a best cell as a flat index, -1 where
        every covered cell is a mine.
    """
    won[:] = NONE
    fringe = fringe_of(tiles, mines)
    number, hints = list_solutions(fringe, most, effort, stop)
    if number in (TOO_MANY, 0):
        return number, NONE, NONE
    values = np.full(len(fringe.place), NONE)
    total, column = search(tree, hints, nodes, asked, stop, values)
    for index in range(len(values)):
        won[fringe.place[index]] = values[index]
    return number, total, fringe.place[column] if column >= 0 else NONE


@compiled
def search(
    tree: Tree,
    hints: NDArray[np.uint8],
    nodes: int,
    asked: int,
    stop: NDArray[np.int8],
    won: NDArray[np.int64],
) -> tuple[int, int]:
    """Value a table of solutions, and its cells.

    Args:
        tree: With room for so many solutions and columns.
        hints: (solutions, columns) uint8: what each cell shows in each, 9 for a mine.
        nodes: States to look at.
        asked: ONE_BEST, ALL_BEST or EVERY_CELL.
        stop: Anything but 0 breaks off.
        won: (columns,), -1; overwritten as in `endgame`.

    Returns:
        Solutions that perfect play wins, -1 beyond the budget, and a best column, -1 where
        there is none.
    """
    tree.meter[SEARCH] += 1
    tree.meter[NODES] = 0
    tree.meter[LEFT] = nodes
    tree.meter[OUT] = 0
    size, columns = hints.shape
    block = pack(hints, np.arange(size), np.arange(columns))
    state = everything(size)
    safe = NONE
    for column in range(columns):
        if is_safe(hints, column):
            safe = column
    if safe >= 0 or size == 1:
        total = value(tree, hints, block, state, NONE, np.arange(len(block.column)), stop)
        for column in range(columns):
            if is_safe(hints, column):
                won[column] = total
        return (total, safe) if tree.meter[OUT] == 0 else (NONE, NONE)
    _, cells = open_safe(block, state, np.arange(len(block.column)))
    choice = cells
    if asked == ONE_BEST:
        living = candidates(block, state, cells)
        choice = living if len(living) > 0 else cells[:1]
    return first_moves(tree, hints, block, choice, cells, asked, stop, won)


@compiled
def is_safe(hints: NDArray[np.uint8], column: int) -> bool:
    """Whether there is a mine in no solution."""
    safe = True
    for row in range(len(hints)):
        safe &= hints[row, column] != SHOWS_MINE
    return safe


@merged
def first_moves(
    tree: Tree,
    hints: NDArray[np.uint8],
    block: Block,
    choice: NDArray[np.int64],
    cells: NDArray[np.int64],
    asked: int,
    stop: NDArray[np.int8],
    won: NDArray[np.int64],
) -> tuple[int, int]:
    """Try the cells of `choice`, the most promising first; see `search`."""
    state = everything(len(block.ids))
    group = np.zeros(len(state) << 6, np.int64)
    most_won(block, state, group)
    bounds = bounds_of(block, state, choice, group)
    total = START
    column = NONE
    for _ in range(len(choice)):
        chosen = highest(bounds)
        floor = total if asked == ONE_BEST else total - 1
        if asked == EVERY_CELL:
            floor = NONE
        if bounds[chosen] <= floor:
            break
        bounds[chosen] = NONE
        parts = seen(block, state, choice[chosen])
        got = sum_of(tree, hints, block, parts, floor, cells, stop)
        if tree.meter[OUT] != 0:
            won[:] = NONE
            return NONE, NONE
        if got <= floor:
            continue
        won[block.column[choice[chosen]]] = got
        if got > total:
            total = got
            column = block.column[choice[chosen]]
    if asked != EVERY_CELL:
        for index in range(len(won)):
            if won[index] < total:
                won[index] = NONE
    return total, column


@merged
def sum_of(
    tree: Tree,
    hints: NDArray[np.uint8],
    block: Block,
    parts: NDArray[np.uint64],
    floor: int,
    cells: NDArray[np.int64],
    stop: NDArray[np.int8],
) -> int:
    """The states one after the other: which it is, is known. A bound where at most `floor`."""
    group = np.zeros(parts.shape[1] << 6, np.int64)
    bounds = np.zeros(len(parts), np.int64)
    total = START
    for part in range(len(parts)):
        bounds[part] = most_won(block, parts[part], group)
        total += bounds[part]
    for part in range(len(parts)):
        if total <= floor:
            break
        needed = floor - (total - bounds[part])
        total += value(tree, hints, block, parts[part], needed, cells, stop) - bounds[part]
    return total


@compiled
def settled(
    tree: Tree,
    hints: NDArray[np.uint8],
    column: int,
    nodes: int,
    stop: NDArray[np.int8],
) -> int:
    """In how many solutions nothing more has to be guessed after a cell was opened.

    Args:
        tree: As it was left by `search`.
        hints: The same table.
        column: The cell.
        nodes: States to look at.
        stop: Anything but 0 breaks off.

    Returns:
        The number; beyond the budget a number that is too small.
    """
    tree.meter[NODES] = 0
    tree.meter[LEFT] = nodes
    tree.meter[OUT] = 0
    block = pack(hints, np.arange(len(hints)), np.arange(hints.shape[1]))
    cells = np.arange(len(block.column))
    number = 0
    for cell in range(len(cells)):
        if block.column[cell] != column:
            continue
        parts = seen(block, everything(len(hints)), cell)
        for part in range(len(parts)):
            size = size_of(parts[part])
            won = value(tree, hints, block, parts[part], size - 1, cells, stop)
            if won == size and tree.meter[OUT] == 0:
                number += size
    return number
