"""Forced guesses: nothing can change them, so they cost the same now as later and come first.

An *independent component*: all its placements have the same number of mines, and none of its
uncertain cells touches an uncertain cell elsewhere. The solutions of the board are then all
combinations of its placements with those of the rest, and what a cell shows tells only about
its own side. Both sides are won or lost independently, so it is searched on its own.

An *exchangeable pair*: two cells with exactly one mine in every placement, where whatever touches
only one of them is certain to be a mine. Exchanging the two turns every solution into another one
that no other cell can tell from it, so at most half are won; and either cell, opened, shows
the same of what is around both. So opening one of them at once loses nothing: what a strategy
would do before, it can as well do after. No hint touches only one of them, so they are a box.
"""

from __future__ import annotations

from math import ldexp

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled, int64, internal_kernel, merged
from bot.solver.endgame.solutions import (
    cells_of,
    component_of,
    list_placements,
    what_cells_show,
)
from bot.solver.kernel.tables import (
    BOX_CELL,
    COLS,
    COMPONENT_BOXES,
    COMPONENT_COUNT,
    EDGE,
    EXPONENT,
    FEWEST,
    FEWEST_HERE,
    FIRST_BOX,
    LENGTH,
    POLYNOMIAL,
    ROWS,
    SIZE,
    TILT,
    TOTALS,
    Work,
)

NOTHING, INDEPENDENT, PAIR = int64(0), int64(1), int64(2)


@compiled
def find_forced(
    work: Work, first: int, most: int
) -> tuple[int, int, NDArray[np.int64], NDArray[np.uint8]]:
    """Find an independent component, or else an exchangeable pair.

    Args:
        work: The board, solved.
        first: Independent components with smaller numbers are passed over.
        most: Placements of an independent component at most.

    Returns:
        INDEPENDENT, PAIR or NOTHING; the number of the component; its cells, or those of the pair,
        as flat indices; and what the cells of an independent component show, but for the mines
        of others: (placements, cells) uint8, SHOWS_MINE for a mine.
    """
    nothing = np.zeros((0, 0), np.uint8)
    for component in range(first, work.number[COMPONENT_COUNT]):
        if is_independent(work, component):
            placements = count_placements(work, component)
            if placements <= most:
                cells = cells_of(work, component)
                mined = list_placements(work, component, cells, int(placements + 0.5))
                return INDEPENDENT, component, cells, what_cells_show(work, cells, mined)
    pair = np.zeros(2, np.int64)
    for component in range(work.number[COMPONENT_COUNT]):
        start = work.component[component, FIRST_BOX]
        for turn in range(work.component[component, COMPONENT_BOXES]):
            box = work.order[1, start + turn]
            pair[0], pair[1] = work.box[box, BOX_CELL], work.box[box, BOX_CELL + 1]
            if (
                work.box[box, SIZE] == 2
                and has_one_mine(work, start + turn + component)
                and only_mines_touch_one(work, pair[0], pair[1])
            ):
                return PAIR, component, pair, nothing
    return NOTHING, first, pair[:0], nothing


@internal_kernel
def is_uncertain(work: Work, cell: int) -> bool:
    """Return whether a cell is a mine in some solutions and safe in others."""
    return bool(0.0 < work.probability[cell] < 1.0)


@merged
def is_independent(work: Work, component: int) -> bool:
    """Return whether a component is undecided, and independent of everything else."""
    if work.component[component, LENGTH] > 1:
        return False
    rows, cols = work.number[ROWS], work.number[COLS]
    first = work.component[component, FIRST_BOX]
    undecided = False
    for turn in range(work.component[component, COMPONENT_BOXES]):
        box = work.order[1, first + turn]
        for step in range(work.box[box, SIZE]):
            cell = work.box[box, BOX_CELL + step]
            if not is_uncertain(work, cell):
                continue
            undecided = True
            row, col = cell // cols, cell % cols
            for r in range(max(row - 1, 0), min(row + 2, rows)):
                for c in range(max(col - 1, 0), min(col + 2, cols)):
                    other = r * cols + c
                    if is_uncertain(work, other) and component_of(work, other) != component:
                        return False
    return undecided


@merged
def count_placements(work: Work, component: int) -> float:
    """Return the number of placements of a component that all have the same number of mines."""
    own = work.component[component]
    return ldexp(work.forward[own[TOTALS]], own[EXPONENT] - work.number[TILT] * own[FEWEST])


@merged
def has_one_mine(work: Work, layer: int) -> bool:
    """Return whether every placement has exactly one mine in the box after a layer of states."""
    for state in range(work.layer[layer], work.layer[layer + 1]):
        if work.state[state, POLYNOMIAL] < 0:
            continue
        mines = work.state[state, FEWEST_HERE]
        for edge in range(work.state[state, EDGE], work.state[state + 1, EDGE]):
            if mines != 1 and work.state[work.target[edge], POLYNOMIAL] >= 0:
                return False
            mines += 1
    return True


@merged
def only_mines_touch_one(work: Work, one: int, other: int) -> bool:
    """Return whether each covered cell that touches exactly one of two cells is a certain mine."""
    rows, cols = work.number[ROWS], work.number[COLS]
    for cell in (one, other):
        row, col = cell // cols, cell % cols
        for r in range(max(row - 1, 0), min(row + 2, rows)):
            for c in range(max(col - 1, 0), min(col + 2, cols)):
                touches_one = abs(r - one // cols) <= 1 and abs(c - one % cols) <= 1
                touches_other = abs(r - other // cols) <= 1 and abs(c - other % cols) <= 1
                # NaN where opened.
                if touches_one != touches_other and work.probability[r * cols + c] < 1.0:
                    return False
    return True
