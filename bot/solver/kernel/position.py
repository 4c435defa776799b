"""Analyse a whole position: from tiles to mine probabilities and the safest cell.

The stages run in order: explore all components, count them, combine them, then for each component,
from the last to the first, the weights of the rest of the board and its boxes. `advance` stops when
its budget is spent and resumes there.
"""

from __future__ import annotations

from math import log2
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import kernel, merged
from bot.solver.kernel.components import explore, order_component
from bot.solver.kernel.counting import (
    UNSCALED_CELLS,
    adjust_tilt,
    combine,
    count,
    weigh,
    weigh_rest,
    write_probabilities,
)
from bot.solver.kernel.fringe import apply_constraints, group_cells, read_board
from bot.solver.kernel.tables import (
    AT_MAXIMUM,
    BACK,
    BEST,
    COLS,
    COMPONENT_AT,
    COMPONENT_BOXES,
    COMPONENT_COUNT,
    COUNT,
    COVERED_CELLS,
    DONE,
    EDGE_COUNT,
    EXPLORE,
    JOIN,
    LAST_STAGE,
    LAYER,
    MINES,
    MINES_DO_NOT_FIT,
    MINES_LEFT,
    NODE_LIMIT,
    NODES,
    POLYNOMIALS,
    ROWS,
    SCALED,
    SOLVED,
    SPENT,
    STAGE,
    STATE_COUNT,
    TILT,
    TILT_HIGH,
    TILT_LOW,
    TOO_SMALL,
    TOO_WIDE,
    WEIGH,
    WIDE,
    Work,
)
from bot.solver.safest_cell import first_of_safest

_first_of_safest = merged(first_of_safest)

MOST_NODES: Final = 1_000_000
"""Edges that are tried for one board, whatever the limit: up to 100 MB and 0.2 s. The hardest
recorded position takes 7,439 (`python -m tests.benchmarks.solver`)."""
_MOST_TILT: Final = 60
"""Limit of the tilt, a power of two: odds of a mine from 2 ** -60 to 2 ** 60."""


@kernel
def solve_position(tiles: NDArray[np.int8], mines: int, work: Work, nodes: int) -> int:
    """Analyse a board up to stage `work.number[LAST_STAGE]`, or until the budget is spent.

    This is the only function of the stages that Python calls: each further one would be
    compiled with all of them again.

    Args:
        tiles: (rows, cols) int8, C-contiguous; without rows (`resume`) to go on from a pause.
        mines: On the whole board.
        work: Large enough for the board; overwritten with the result.
        nodes: The most edges between states that may be tried.

    Returns:
        A status; `PAUSED` only if `work.number[BUDGET]` is spent.
    """
    if len(tiles):
        status = begin(tiles, mines, work, nodes)
        # Whether some number of mines fits is known before boxes are computed.
        if status != SOLVED and (status != MINES_DO_NOT_FIT or work.number[LAST_STAGE] > COUNT):
            return status
    return advance(work)


_NO_TILES: Final = np.zeros((0, 0), np.int8)


def resume(work: Work, last_stage: int) -> int:
    """Continue an analysis up to a stage, or until the budget is spent; return the status."""
    return _solve_to(last_stage, _NO_TILES, 0, work, 0)


def feasible(tiles: NDArray[np.int8], work: Work, nodes: int) -> int:
    """Check whether some placing of any number of mines satisfies all hints.

    Returns:
        `SOLVED` if one does; `CONFLICT` or `WRONG_HINT` if none does; `TOO_WIDE` or
        `TOO_SMALL` if that was not found out; or `PAUSED`: continue with `resume`.
    """
    # The result does not depend on the number of mines.
    return _solve_to(COUNT, tiles, int(work.number[MINES]), work, nodes)


def _solve_to(last_stage: int, tiles: NDArray[np.int8], mines: int, work: Work, nodes: int) -> int:
    work.number[LAST_STAGE] = last_stage
    try:
        return int(solve_position(tiles, mines, work, nodes))
    finally:
        work.number[LAST_STAGE] = DONE


@merged
def begin(tiles: NDArray[np.int8], mines: int, work: Work, nodes: int) -> int:
    """Read a board and find its components, in the order to explore them."""
    number = work.number
    read = read_board(tiles, mines, number, work.kind, work.cell, work.constraint)
    if read not in (SOLVED, MINES_DO_NOT_FIT):
        return read
    status = apply_constraints(number, work.cell, work.constraint, work.order[2])
    if status == SOLVED:
        status = group_cells(
            number, work.cell, work.constraint, work.box, work.component, work.order
        )
    if status == SOLVED:
        order_components(work, nodes)
    return status if status != SOLVED else read


@merged
def order_components(work: Work, nodes: int) -> None:
    """Order the boxes of each component, and the components, the smallest first.

    So a wide one is the last to use up the limit of nodes.
    """
    number, component, queue = work.number, work.component, work.order[2]
    components = number[COMPONENT_COUNT]
    for at in range(components):
        order_component(at, work.constraint, work.box, component, work.order)
    for at in range(components):
        place = at
        while (
            place > 0
            and component[queue[place - 1], COMPONENT_BOXES] > component[at, COMPONENT_BOXES]
        ):
            queue[place] = queue[place - 1]
            place -= 1
        queue[place] = at
        component[at, WIDE] = 0
    number[STATE_COUNT] = number[EDGE_COUNT] = number[POLYNOMIALS] = 0
    number[NODES] = number[SPENT] = 0
    number[NODE_LIMIT] = nodes
    number[STAGE], number[COMPONENT_AT], number[LAYER] = EXPLORE, 0, 0
    number[TILT], number[SCALED] = 0, 0
    if number[COVERED_CELLS] > UNSCALED_CELLS:
        number[SCALED] = 1
        number[TILT_LOW], number[TILT_HIGH] = -_MOST_TILT, _MOST_TILT
        odds = (number[MINES_LEFT] + 0.5) / (number[COVERED_CELLS] - number[MINES_LEFT] + 0.5)
        number[TILT] = min(max(round(log2(odds)), -_MOST_TILT), _MOST_TILT)


@merged
def advance(work: Work) -> int:
    """Continue to stage `number[LAST_STAGE]`, or until about `number[BUDGET]` steps are spent.

    A step takes a few nanoseconds.

    Returns:
        A status.
    """
    number = work.number
    number[SPENT] = 0
    while number[STAGE] < number[LAST_STAGE]:
        if number[STAGE] == EXPLORE:
            status = _explore(work)
        elif number[STAGE] == COUNT:
            status = _count(work)
        elif number[STAGE] == JOIN:
            status = combine(work)
            number[STAGE], number[COMPONENT_AT] = BACK, number[COMPONENT_COUNT] - 1
        else:
            status = _weigh(work)
        if status != SOLVED:
            return status
    return SOLVED


@merged
def _explore(work: Work) -> int:
    """Explore all components; return `TOO_WIDE` at the end if one of them is."""
    number, component = work.number, work.component
    while number[COMPONENT_AT] < number[COMPONENT_COUNT]:
        at = work.order[2, number[COMPONENT_AT]]
        status = explore(at, work)
        if status == TOO_WIDE or (status == TOO_SMALL and number[AT_MAXIMUM]):
            component[at, WIDE] = 1
        elif status != SOLVED:
            return status
        number[COMPONENT_AT] += 1
        number[LAYER] = 0
    number[STAGE], number[COMPONENT_AT] = COUNT, 0
    for at in range(number[COMPONENT_COUNT]):
        if component[at, WIDE]:
            return TOO_WIDE
    return SOLVED


@merged
def _count(work: Work) -> int:
    """Count all components that are not too wide; on large boards until the tilt is right."""
    number = work.number
    while number[COMPONENT_AT] < number[COMPONENT_COUNT]:
        if not work.component[number[COMPONENT_AT], WIDE]:
            status = count(number[COMPONENT_AT], work)
            if status != SOLVED:
                return status
        number[COMPONENT_AT] += 1
        number[LAYER] = 0
    number[COMPONENT_AT] = 0
    if not number[SCALED] or not adjust_tilt(work):
        number[STAGE] = JOIN
    return SOLVED


@merged
def _weigh(work: Work) -> int:
    """Compute the boxes of the components, the last one first; then write the result."""
    number = work.number
    while number[COMPONENT_AT] >= 0:
        if number[STAGE] == BACK:
            weigh_rest(number[COMPONENT_AT], work)
            number[LAYER] = work.component[number[COMPONENT_AT], COMPONENT_BOXES]
            number[STAGE] = WEIGH
        status = weigh(number[COMPONENT_AT], work)
        if status != SOLVED:
            return status
        number[COMPONENT_AT] -= 1
        number[STAGE] = BACK
    write_probabilities(work)
    number[BEST] = _first_of_safest(work.probability, work.floating, number[ROWS], number[COLS])
    number[STAGE] = DONE
    return SOLVED
