"""All solutions of a board, as a table of what each cell would show.

Components are listed one by one (`part`). The lists are put together where their mines and
the floating cells' add up; the sums that can still be reached are known in advance, so no
combination is a dead end.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled, merged
from bot.solver.ending.bits import constant, signed
from bot.solver.ending.fringe import MINED, Fringe, cells_of
from bot.solver.ending.part import TOO_MANY, list_part, mines_in

FLOATING = constant(-1)
SHOWS_MINE = 9
"""In a table: the cell is a mine."""


@compiled
def list_solutions(
    fringe: Fringe, most: int, effort: int, stop: NDArray[np.int8]
) -> tuple[int, NDArray[np.uint8]]:
    """All placings of all mines.

    Args:
        fringe: The board.
        most: Solutions to list at the most.
        effort: Steps to take at the most for a component.
        stop: Anything but 0 breaks off.

    Returns:
        How many there are, TOO_MANY for more (or for more effort), and a table (n, cells)
        uint8 of what each covered cell would show: 0 to 8, or SHOWS_MINE.
    """
    cells = len(fringe.place)
    nothing = np.zeros((0, cells), np.uint8)
    if fringe.mines < 0:
        return 0, nothing
    loose = cells_of(fringe, FLOATING)
    lists = [nothing for _ in range(0)]
    members = [loose for _ in range(0)]
    for part in range(fringe.parts):
        own = cells_of(fringe, part)
        number, found = list_part(fringe, own, 4 * most, effort, stop)
        if number == TOO_MANY:
            return TOO_MANY, nothing
        lists.append(found[:number])
        members.append(own)
    sums = ways_with(lists, len(loose), cells, stop)
    if stop[0] != 0:
        return TOO_MANY, nothing
    if not 0 <= fringe.mines <= cells or sums[0, fringe.mines] == 0:
        return 0, nothing
    if sums[0, fringe.mines] > most:
        return TOO_MANY, nothing
    total = signed(np.uint64(sums[0, fringe.mines] + 0.5))
    mined = np.zeros((total, cells), np.uint8)
    for cell in range(cells):
        if fringe.state[cell] == MINED:
            for index in range(total):
                mined[index, cell] = 1
    combine(lists, members, loose, sums, fringe.mines, mined)
    shown = shown_by(fringe, mined, stop)
    return (total, shown) if stop[0] == 0 else (TOO_MANY, nothing)


@merged
def ways_with(
    lists: list[NDArray[np.uint8]], loose: int, cells: int, stop: NDArray[np.int8]
) -> NDArray[np.float64]:
    """(parts + 1, cells + 1): in how many ways components take so many mines together.

    Those from the row's on; the last row is what the floating cells alone can take.
    """
    parts = len(lists)
    sums = np.zeros((parts + 1, cells + 1))
    ways = 1.0
    for taken in range(loose + 1):
        sums[parts, taken] = ways
        ways = ways * (loose - taken) / (taken + 1)
    for part in range(parts - 1, -1, -1):
        if stop[0] != 0:
            break
        placements = lists[part]
        count = np.zeros(placements.shape[1] + 1, np.int64)
        for row in range(len(placements)):
            count[mines_in(placements, row)] += 1
        for taken in range(len(count)):
            for place in range(taken, cells + 1 if count[taken] > 0 else 0):
                sums[part, place] += count[taken] * sums[part + 1, place - taken]
    return sums


@merged
def combine(  # noqa: PLR0912
    lists: list[NDArray[np.uint8]],
    members: list[NDArray[np.int64]],
    loose: NDArray[np.int64],
    sums: NDArray[np.float64],
    mines: int,
    mined: NDArray[np.uint8],
) -> None:
    """Fill in the solutions, one component after the other: (n, cells) uint8, 1 for a mine."""
    total = len(mined)
    owed = np.full(total, mines, np.int64)
    for part in range(len(lists)):
        at = 0
        while at < total:
            # All rows that agree so far are next to each other, as many as `sums` says.
            rest = owed[at]
            placements = lists[part]
            for row in range(len(placements)):
                taken = mines_in(placements, row)
                if taken > rest:
                    continue
                end = at + signed(np.uint64(sums[part + 1, rest - taken] + 0.5))
                for index in range(at, end):
                    owed[index] = rest - taken
                    for column in range(placements.shape[1]):
                        mined[index, members[part][column]] = placements[row, column]
                at = end
    at = 0
    free = len(loose)
    chosen = np.zeros(free + 1, np.int64)
    while at < total:
        taken = owed[at]
        for index in range(taken):
            chosen[index] = index
        while True:
            for index in range(taken):
                mined[at, loose[chosen[index]]] = 1
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
def shown_by(fringe: Fringe, mined: NDArray[np.uint8], stop: NDArray[np.int8]) -> NDArray[np.uint8]:
    """(n, cells) uint8: what each cell shows in each solution, SHOWS_MINE for a mine."""
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
