"""A whole position: from tiles to mine probabilities, in machine code."""

from __future__ import annotations

from math import log2
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled, merged
from bot.solver.kernel.boxing import group
from bot.solver.kernel.choosing import choose
from bot.solver.kernel.combining import PLAIN, back, join, lay_out, retilt
from bot.solver.kernel.counting import count, weigh
from bot.solver.kernel.exploring import explore
from bot.solver.kernel.fringe import read, settle
from bot.solver.kernel.ordering import arrange
from bot.solver.kernel.status import SOLVED, TOO_SMALL, TOO_WIDE, WRONG_ROOM
from bot.solver.kernel.workspace import (
    AT,
    BEST,
    COLS,
    COVERED_CELLS,
    EDGE_COUNT,
    EQUALS,
    LARGEST,
    LAYER,
    MINES,
    MINES_LEFT,
    NODE_LIMIT,
    NODES,
    PART_BOXES,
    PART_COUNT,
    POLYNOMIALS,
    ROWS,
    SCALED,
    SPENT,
    STAGE,
    STATE_COUNT,
    TILT,
    TILT_HIGH,
    TILT_LOW,
    UNTIL,
    WIDE,
    Work,
)

MOST_NODES: Final = 1_000_000
"""Ways on that are tried for one board, whatever the limit: some 100 MB, and 0.2 s."""
_MOST_TILT: Final = 60

# Stages.
EXPLORE: Final = 0
COUNT: Final = 1
JOIN: Final = 2
BACK: Final = 3
WEIGH: Final = 4
DONE: Final = 5


@compiled
def solve_position(tiles: NDArray[np.int8], mines: int, work: Work, nodes: int) -> int:
    """Analyse a board.

    Args:
        tiles: (rows, cols) int8, C-contiguous.
        mines: On the whole board.
        work: Large enough for the board; holds the answer.
        nodes: The most ways on that may be tried.

    Returns:
        A status; `PAUSED` only where `work.number[BUDGET]` says so.
    """
    status = begin(tiles, mines, work, nodes)
    if status != SOLVED:
        return status
    work.number[UNTIL] = DONE
    return advance(work)


def feasible(tiles: NDArray[np.int8], work: Work, nodes: int) -> int:
    """Whether some placing of any number of mines satisfies all hints.

    Returns:
        `SOLVED` where one does; `CONFLICT` or `WRONG_HINT` where none does; `TOO_WIDE` or
        `TOO_SMALL` where that was not found out; or `PAUSED`: `advance` goes on.
    """
    # The number of mines is never asked for.
    status = begin(tiles, int(work.number[MINES]), work, nodes)
    if status not in (SOLVED, WRONG_ROOM):
        return status
    work.number[UNTIL] = COUNT
    return advance(work)


@compiled
def begin(tiles: NDArray[np.int8], mines: int, work: Work, nodes: int) -> int:
    """Read a board, and do all that comes before counting."""
    number = work.number
    room = read(tiles, mines, number, work.kind, work.cell, work.rule)
    if room not in (SOLVED, WRONG_ROOM):
        return room
    status = settle(number, work.cell, work.rule, work.order[2])
    if status == SOLVED:
        status = group(number, work.cell, work.rule, work.box, work.part, work.order)
    if status == SOLVED:
        arrange_all(work, nodes)
    return status if status != SOLVED else room


@merged
def arrange_all(work: Work, nodes: int) -> None:
    """Order the boxes of each component, and the components: small ones come first.

    So a wide one is the last to take what may be spent.
    """
    number, part, queue = work.number, work.part, work.order[2]
    parts = number[PART_COUNT]
    for at in range(parts):
        arrange(at, work.rule, work.box, part, work.order)
    for at in range(parts):
        place = at
        while place > 0 and part[queue[place - 1], PART_BOXES] > part[at, PART_BOXES]:
            queue[place] = queue[place - 1]
            place -= 1
        queue[place] = at
        part[at, WIDE] = 0
    number[STATE_COUNT] = number[EDGE_COUNT] = number[POLYNOMIALS] = 0
    number[NODES] = number[SPENT] = 0
    number[NODE_LIMIT] = nodes
    number[STAGE], number[AT], number[LAYER] = EXPLORE, 0, 0
    number[TILT], number[SCALED] = 0, 0
    if number[COVERED_CELLS] > PLAIN:
        number[SCALED] = 1
        number[TILT_LOW], number[TILT_HIGH] = -_MOST_TILT, _MOST_TILT
        odds = (number[MINES_LEFT] + 0.5) / (number[COVERED_CELLS] - number[MINES_LEFT] + 0.5)
        number[TILT] = min(max(round(log2(odds)), -_MOST_TILT), _MOST_TILT)


@compiled
def advance(work: Work) -> int:
    """Go on to stage `number[UNTIL]`, or until about `number[BUDGET]` steps are spent.

    A step takes a few nanoseconds, so that whoever wants to stop in between can.

    Returns:
        A status.
    """
    number = work.number
    number[SPENT] = 0
    while number[STAGE] < number[UNTIL]:
        if number[STAGE] == EXPLORE:
            status = _explore(work)
        elif number[STAGE] == COUNT:
            status = _count(work)
        elif number[STAGE] == JOIN:
            status = join(work)
            number[STAGE], number[AT] = BACK, number[PART_COUNT] - 1
        else:
            status = _weigh(work)
        if status != SOLVED:
            return status
    return SOLVED


@merged
def _explore(work: Work) -> int:
    """All components, one after the other; `TOO_WIDE` where one of them is, in the end."""
    number, part = work.number, work.part
    while number[AT] < number[PART_COUNT]:
        at = work.order[2, number[AT]]
        status = explore(at, work)
        if status == TOO_WIDE or (status == TOO_SMALL and number[LARGEST]):
            part[at, WIDE] = 1
        elif status != SOLVED:
            return status
        number[AT] += 1
        number[LAYER] = 0
    number[STAGE], number[AT] = COUNT, 0
    for at in range(number[PART_COUNT]):
        if part[at, WIDE]:
            return TOO_WIDE
    return SOLVED


@merged
def _count(work: Work) -> int:
    """All components that are not too wide; on large boards until the tilt is right."""
    number = work.number
    while number[AT] < number[PART_COUNT]:
        if not work.part[number[AT], WIDE]:
            status = count(number[AT], work)
            if status != SOLVED:
                return status
        number[AT] += 1
        number[LAYER] = 0
    number[AT] = 0
    if not number[SCALED] or not retilt(work):
        number[STAGE] = JOIN
    return SOLVED


@merged
def _weigh(work: Work) -> int:
    """The components from the last to the first; then the answer."""
    number = work.number
    while number[AT] >= 0:
        if number[STAGE] == BACK:
            back(number[AT], work)
            number[LAYER] = work.part[number[AT], PART_BOXES]
            number[STAGE] = WEIGH
        status = weigh(number[AT], work)
        if status != SOLVED:
            return status
        number[AT] -= 1
        number[STAGE] = BACK
    lay_out(work)
    number[BEST], number[EQUALS] = choose(work.probability, work.loose, number[ROWS], number[COLS])
    number[STAGE] = DONE
    return SOLVED
