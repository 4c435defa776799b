"""All solutions of a board, as a table of what each cell would show.

First the placements of each component are listed by backtracking: cell after cell is
assigned, a mine first, and every assignment is propagated through the hints. Then
solutions are combined from the lists so that their mines and those of the floating cells
add up. How many solutions complete a partial choice is counted beforehand, from the last
component to the first, so no combination is a dead end.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled, internal, internal_kernel, merged
from bot.solver.endgame.fringe import (
    EMPTY,
    FLOATING,
    MINED,
    SAFE,
    UNKNOWN,
    Fringe,
    assign,
    assign_rest,
    cells_of,
    unassign,
)

SHOWS_MINE = 9
"""In a table of solutions, where other entries are hints: the cell is a mine."""
TOO_MANY = -1
"""In place of a number: there are more than asked for, or the effort was not enough."""


@compiled
def list_solutions(
    fringe: Fringe, most: int, effort: int, stop: NDArray[np.int8]
) -> tuple[int, NDArray[np.uint8]]:
    """List all solutions.

    Args:
        fringe: The board.
        most: Solutions to list at most.
        effort: Backtracking steps to take at most for a component.
        stop: (1,); anything but 0 breaks off.

    Returns:
        Their number or TOO_MANY, and a table (solutions, cells) uint8 of what each covered
        cell would show: 0 to 8, or SHOWS_MINE.
    """
    cells = len(fringe.place)
    nothing = np.zeros((0, cells), np.uint8)
    if fringe.mines < 0:
        return 0, nothing
    floating = cells_of(fringe, FLOATING)
    lists = [nothing for _ in range(0)]
    members = [floating for _ in range(0)]
    for component in range(fringe.components):
        own = cells_of(fringe, component)
        # More than solutions: a placement may leave more mines than fit elsewhere.
        number, found = list_placements(fringe, own, 4 * most, effort, stop)
        if number == TOO_MANY:
            return TOO_MANY, nothing
        lists.append(found[:number])
        members.append(own)
    ways = count_completions(lists, len(floating), cells, stop)
    if stop[0] != 0:
        return TOO_MANY, nothing
    if not 0 <= fringe.mines <= cells or ways[0, fringe.mines] == 0:
        return 0, nothing
    if ways[0, fringe.mines] > most:
        return TOO_MANY, nothing
    total = int(ways[0, fringe.mines] + 0.5)
    mined = np.zeros((total, cells), np.uint8)
    for cell in range(cells):
        if fringe.state[cell] == MINED:
            for index in range(total):
                mined[index, cell] = 1
    combine_placements(lists, members, floating, ways, fringe.mines, mined)
    shown = what_cells_show(fringe, mined, stop)
    return (total, shown) if stop[0] == 0 else (TOO_MANY, nothing)


@merged
def count_completions(
    lists: list[NDArray[np.uint8]], floating: int, cells: int, stop: NDArray[np.int8]
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
        if stop[0] != 0:
            break
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
    owed = np.full(total, mines, np.int64)
    for component in range(len(lists)):
        at = 0
        while at < total:
            # All rows that agree so far are adjacent; `ways` has their number.
            rest = owed[at]
            placements = lists[component]
            for row in range(len(placements)):
                taken = mines_in(placements, row)
                if taken > rest:
                    continue
                end = at + int(ways[component + 1, rest - taken] + 0.5)
                for index in range(at, end):
                    owed[index] = rest - taken
                    for column in range(placements.shape[1]):
                        mined[index, members[component][column]] = placements[row, column]
                at = end
    at = 0
    free = len(floating)
    chosen = np.zeros(free + 1, np.int64)
    while at < total:
        # All subsets of the floating cells with so many mines, in lexicographic order.
        taken = owed[at]
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


@merged
def what_cells_show(
    fringe: Fringe, mined: NDArray[np.uint8], stop: NDArray[np.int8]
) -> NDArray[np.uint8]:
    """Return what each cell shows in each solution: (n, cells) uint8, SHOWS_MINE for a mine."""
    shown = np.empty(mined.shape, np.uint8)
    for index in range(len(mined)):
        if stop[0] != 0:
            break
        for cell in range(mined.shape[1]):
            count = fringe.known[cell]
            for other in fringe.around[cell]:
                if other < 0:
                    break
                count += mined[index, other]
            shown[index, cell] = SHOWS_MINE if mined[index, cell] else count
    return shown


@internal
def list_placements(
    fringe: Fringe, cells: NDArray[np.int64], most: int, effort: int, stop: NDArray[np.int8]
) -> tuple[int, NDArray[np.uint8]]:
    """List all placements of a component.

    Args:
        fringe: The board.
        cells: The component's, by number.
        most: Placements to list at most.
        effort: Backtracking steps to take at most.
        stop: (1,); anything but 0 breaks off.

    Returns:
        Their number or TOO_MANY, and (that number or more, cells) uint8, 1 for a mine.
    """
    size = len(cells)
    found = np.zeros((16, size), np.uint8)
    state = fringe.state.copy()
    owed = fringe.owed.copy()
    left = fringe.left.copy()
    trail = np.zeros(size, np.int64)
    guessed = np.zeros(size + 1, np.int64)
    done = depth = number = steps = EMPTY
    consistent = True
    while True:
        steps += 1
        if steps > effort or stop[0] != 0:
            return TOO_MANY, found
        if consistent and done == size:
            if number == most:
                return TOO_MANY, found
            if number == len(found):
                found = with_double_rows(found)
            for index in range(size):
                found[number, index] = state[cells[index]] == MINED
            number += 1
            consistent = False
        if consistent:
            index = 0
            while state[cells[index]] != UNKNOWN:
                index += 1
            guessed[depth] = done
            depth += 1
            consistent, done = assign_and_propagate(
                fringe, cells[index], MINED, state, owed, left, trail, done
            )
            continue
        # Return to the last cell that was assigned a mine, and make it safe.
        again = False
        while depth > 0 and not again:
            depth -= 1
            cell = trail[guessed[depth]]
            again = state[cell] == MINED
            while done > guessed[depth]:
                done -= 1
                unassign(fringe, trail[done], state, owed, left)
        if not again:
            return number, found
        guessed[depth] = done
        depth += 1
        consistent, done = assign_and_propagate(fringe, cell, SAFE, state, owed, left, trail, done)


@internal
def with_double_rows(found: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a copy with room for twice as many rows."""
    number, size = found.shape
    more = np.zeros((2 * number, size), np.uint8)
    for row in range(number):
        for index in range(size):
            more[row, index] = found[row, index]
    return more


@internal_kernel
def assign_and_propagate(
    fringe: Fringe,
    cell: int,
    what: int,
    state: NDArray[np.int8],
    owed: NDArray[np.int64],
    left: NDArray[np.int64],
    trail: NDArray[np.int64],
    done: int,
) -> tuple[bool, int]:
    """Assign a cell and all that single hints then decide.

    Returns:
        Whether no hint is violated, and the new length of `trail`.
    """
    head = done
    consistent = assign(fringe, cell, what, state, owed, left)
    trail[done] = cell
    done += 1
    while consistent and head < done:
        for hint in fringe.hints[trail[head]]:
            if hint < 0 or not consistent:
                break
            if left[hint] > 0 and owed[hint] in (0, left[hint]):
                consistent, done = assign_rest(fringe, hint, state, owed, left, trail, done)
        head += 1
    return consistent, done


@internal_kernel
def mines_in(placements: NDArray[np.uint8], row: int) -> int:
    """Count the mines of a placement."""
    number = 0
    for column in range(placements.shape[1]):
        number += placements[row, column]
    return number
