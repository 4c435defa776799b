"""All solutions of a board, as a table of what each cell would show.

The board was analysed by `kernel.position`, and its tables are read here. The states of a component
(`kernel.components`) are a graph in which each path from the first state to the last one is a
placement: the number of mines in each box. A path is followed only while some solution of the whole
board agrees with it (`backward` in `kernel.counting`), and the mines of a box are put in its cells
in all ways. Solutions are then combined from the placements so that their mines and those of the
floating cells add up. How many solutions complete a partial choice is counted beforehand, from the
last component to the first, so no combination is a dead end.
"""

from __future__ import annotations

from math import ldexp

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled, int64, internal, internal_kernel, merged
from bot.solver.kernel.tables import (
    BOX,
    BOX_CELL,
    COLS,
    COMPONENT,
    COMPONENT_BOXES,
    COMPONENT_COUNT,
    CONSTRAINTS,
    COVERED_CELLS,
    COVERED_KIND,
    EDGE,
    FEWEST_HERE,
    FEWEST_SO_FAR,
    FIRST_BOX,
    FIRST_STATE,
    FLOATING,
    KNOWN,
    MINED,
    MINES_LEFT,
    POLYNOMIAL,
    ROWS,
    SHOWN_KIND,
    SIZE,
    SOLUTIONS,
    SOLUTIONS_EXPONENT,
    Work,
)

SHOWS_MINE = 9
"""Entry for a mine in a table of solutions, whose other entries are hints."""
TOO_MANY = int64(-1)
"""Returned in place of a number: there are more than the limit."""
NO_STATE = int64(-1)


@compiled
def list_solutions(work: Work, most: int) -> tuple[int, NDArray[np.uint8]]:
    """List all solutions.

    Args:
        work: The board, solved.
        most: Solutions to list at most.

    Returns:
        Their number or TOO_MANY, and a table (solutions, cells) uint8 of what each covered
        cell, row by row, would show: 0 to 8, or SHOWS_MINE.
    """
    number = work.number
    solutions = ldexp(work.real[SOLUTIONS], min(number[SOLUTIONS_EXPONENT], 1000))
    if solutions > most + 0.5:
        return TOO_MANY, np.zeros((0, 0), np.uint8)
    total = int(solutions + 0.5)
    place = covered_cells(work)
    mined = np.zeros((total, len(place)), np.uint8)
    floating = np.empty(number[FLOATING], np.int64)
    free = 0
    column = np.zeros(number[ROWS] * number[COLS], np.int64)
    listed = np.zeros(number[COMPONENT_COUNT], np.bool_)
    lists = [mined for _ in range(0)]
    members = [floating for _ in range(0)]
    for index in range(len(place)):
        column[place[index]] = index
        if work.cell[place[index], KNOWN] == MINED:
            for row in range(total):
                mined[row, index] = 1
        elif not work.cell[place[index], KNOWN] and not work.cell[place[index], CONSTRAINTS]:
            floating[free] = index
            free += 1
    for cell in place:
        component = component_of(work, cell)
        if component < 0 or listed[component]:
            continue
        listed[component] = True
        own = cells_of(work, component)
        lists.append(list_placements(work, component, own, total))
        for index in range(len(own)):
            own[index] = column[own[index]]
        members.append(own)
    ways = count_completions(lists, free, len(place))
    combine_placements(lists, members, floating, ways, number[MINES_LEFT], mined)
    return total, what_cells_show(work, place, mined)


@internal
def covered_cells(work: Work) -> NDArray[np.int64]:
    """Return the covered cells, row by row, as flat indices."""
    rows, cols = work.number[ROWS], work.number[COLS]
    found = np.empty(work.number[COVERED_CELLS], np.int64)
    count = 0
    for row in range(rows):
        for col in range(cols):
            if work.kind[0, (row + 1) * (cols + 2) + col + 1] == COVERED_KIND:
                found[count] = row * cols + col
                count += 1
    return found


@internal_kernel
def component_of(work: Work, cell: int) -> int:
    """Return the component of a covered cell; -1 if it has none."""
    box = work.cell[cell, BOX]
    component: int = work.box[box, COMPONENT] if box >= 0 else -1
    return component


@internal
def cells_of(work: Work, component: int) -> NDArray[np.int64]:
    """Return the cells of a component, row by row, as flat indices."""
    first = work.component[component, FIRST_BOX]
    boxes = work.order[1, first : first + work.component[component, COMPONENT_BOXES]]
    size = 0
    for box in boxes:
        size += work.box[box, SIZE]
    found = np.empty(size, np.int64)
    count = 0
    for box in boxes:
        for step in range(work.box[box, SIZE]):
            at = count
            while at > 0 and found[at - 1] > work.box[box, BOX_CELL + step]:
                found[at] = found[at - 1]
                at -= 1
            found[at] = work.box[box, BOX_CELL + step]
            count += 1
    return found


@internal
def list_placements(
    work: Work, component: int, cells: NDArray[np.int64], most: int
) -> NDArray[np.uint8]:
    """List the placements of a component with which a solution agrees.

    Args:
        work: The board, solved.
        component: Its number.
        cells: The component's, as `cells_of` returns them.
        most: No less than there are.

    Returns:
        (placements, cells) uint8, 1 for a mine.
    """
    first = work.component[component, FIRST_BOX]
    boxes = work.component[component, COMPONENT_BOXES]
    found = np.zeros((most, len(cells)), np.uint8)
    count = 0
    column = np.zeros(len(work.probability), np.int64)
    for index in range(len(cells)):
        column[cells[index]] = index
    # At each box: the state before it, the mines before it, and its cells that are mines, as bits.
    state = np.zeros(boxes + 1, np.int64)
    taken = np.zeros(boxes + 1, np.int64)
    chosen = np.full(boxes + 1, -1)
    mined = np.zeros(len(cells), np.uint8)
    state[0] = work.component[component, FIRST_STATE]
    depth = 0
    while depth >= 0:
        if depth == boxes:
            for index in range(len(cells)):
                found[count, index] = mined[index]
            count += 1
            depth -= 1
            continue
        box = work.order[1, first + depth]
        size = work.box[box, SIZE]
        chosen[depth] += 1
        if chosen[depth] == 1 << size:
            depth -= 1
            continue
        mines = 0
        for step in range(size):
            is_mine = chosen[depth] >> step & 1
            mined[column[work.box[box, BOX_CELL + step]]] = is_mine
            mines += is_mine
        after = state_after(work, state[depth], taken[depth], mines)
        if after != NO_STATE:
            depth += 1
            state[depth] = after
            taken[depth] = taken[depth - 1] + mines
            chosen[depth] = -1
    return sorted_rows(found[:count])


@internal_kernel
def state_after(work: Work, state: int, taken: int, mines: int) -> int:
    """Return the state after a box with so many mines; NO_STATE if no solution has them.

    Args:
        work: The board, solved.
        state: Before the box.
        taken: Mines in the boxes before it.
        mines: In the box.
    """
    edge = work.state[state, EDGE] + mines - work.state[state, FEWEST_HERE]
    if not work.state[state, EDGE] <= edge < work.state[state + 1, EDGE]:
        return NO_STATE
    after: int = work.target[edge]
    place = work.state[after, POLYNOMIAL]
    if place < 0:
        return NO_STATE
    place += taken + mines - work.state[after, FEWEST_SO_FAR]
    return after if work.backward[place] > 0 else NO_STATE


@internal
def sorted_rows(rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return rows of 0 and 1 in lexicographic order, the largest first.

    So the choice among equally good cells does not depend on the order of the boxes.
    """
    count, size = rows.shape
    order = np.arange(count)
    other = np.empty(count, np.int64)
    for column in range(size - 1, -1, -1):
        end = 0
        for value in (1, 0):
            for index in range(count):
                if rows[order[index], column] == value:
                    other[end] = order[index]
                    end += 1
        order, other = other, order
    result = np.empty((count, size), np.uint8)
    for index in range(count):
        for column in range(size):
            result[index, column] = rows[order[index], column]
    return result


@merged
def count_completions(
    lists: list[NDArray[np.uint8]], floating: int, cells: int
) -> NDArray[np.float64]:
    """Count for each component and number of mines how it and all later ones can take them.

    Returns:
        (components + 1, cells + 1); the last row is for the floating cells alone.
    """
    components = len(lists)
    ways = np.zeros((components + 1, cells + 1))
    choices = 1.0
    for taken in range(floating + 1):
        ways[components, taken] = choices
        choices = choices * (floating - taken) / (taken + 1)
    for component in range(components - 1, -1, -1):
        placements = lists[component]
        count = np.zeros(placements.shape[1] + 1, np.int64)
        for row in range(len(placements)):
            count[mines_in(placements, row)] += 1
        for taken in range(len(count)):
            for mines in range(taken, cells + 1 if count[taken] > 0 else 0):
                ways[component, mines] += count[taken] * ways[component + 1, mines - taken]
    return ways


@merged
def combine_placements(  # noqa: PLR0912
    lists: list[NDArray[np.uint8]],
    members: list[NDArray[np.int64]],
    floating: NDArray[np.int64],
    ways: NDArray[np.float64],
    mines: int,
    mined: NDArray[np.uint8],
) -> None:
    """Fill in the mines of all solutions, component by component; `mined` is (n, cells)."""
    total = len(mined)
    rest = np.full(total, mines, np.int64)
    for component in range(len(lists)):
        at = 0
        while at < total:
            # All rows that agree so far are adjacent; `ways` has their number.
            left = rest[at]
            placements = lists[component]
            for row in range(len(placements)):
                taken = mines_in(placements, row)
                if taken > left:
                    continue
                end = at + int(ways[component + 1, left - taken] + 0.5)
                for index in range(at, end):
                    rest[index] = left - taken
                    for column in range(placements.shape[1]):
                        mined[index, members[component][column]] = placements[row, column]
                at = end
    at = 0
    free = len(floating)
    chosen = np.zeros(free + 1, np.int64)
    while at < total:
        # All subsets of the floating cells with so many mines, in lexicographic order.
        taken = rest[at]
        for index in range(taken):
            chosen[index] = index
        while True:
            for index in range(taken):
                mined[at, floating[chosen[index]]] = 1
            at += 1
            last = taken - 1
            while last >= 0 and chosen[last] == free - taken + last:
                last -= 1
            if last < 0:
                break
            chosen[last] += 1
            for index in range(last + 1, taken):
                chosen[index] = chosen[index - 1] + 1


@internal_kernel
def mines_in(placements: NDArray[np.uint8], row: int) -> int:
    """Count the mines of a placement."""
    number = 0
    for column in range(placements.shape[1]):
        number += placements[row, column]
    return number


@internal
def what_cells_show(
    work: Work, cells: NDArray[np.int64], mined: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Return the tiles that some cells show in each solution.

    Args:
        work: The board.
        cells: Flat indices.
        mined: (n, cells) uint8: 1 for each mine under them. Mines under other cells do not count.

    Returns:
        (n, cells) uint8, SHOWS_MINE for a mine.
    """
    cols = work.number[COLS]
    width = cols + 2
    # With a border, so that each cell has eight neighbours.
    mine = np.zeros(width * (work.number[ROWS] + 2), np.uint8)
    for place in range(len(mine)):
        mine[place] = work.kind[0, place] == SHOWN_KIND
    at = np.empty(len(cells), np.int64)
    for index in range(len(cells)):
        at[index] = (cells[index] // cols + 1) * width + cells[index] % cols + 1
    shown = np.empty(mined.shape, np.uint8)
    for row in range(len(mined)):
        for index in range(len(cells)):
            mine[at[index]] = mined[row, index]
        for index in range(len(cells)):
            place = at[index]
            count = mine[place - 1] + mine[place + 1]
            for step in range(-1, 2):
                count += mine[place - width + step] + mine[place + width + step]
            shown[row, index] = SHOWS_MINE if mine[place] else count
    return shown
