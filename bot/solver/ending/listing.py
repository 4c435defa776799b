"""All solutions of a board, as a table of what each cell would show.

Components are listed one by one (`part`). The lists are put together where their mines and
the floating cells' add up; the sums that can still be reached are known in advance, so no
combination is a dead end.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled
from bot.solver.ending.bits import signed
from bot.solver.ending.part import MINED, TOO_MANY, UNKNOWN, Fringe, list_part

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
    loose = np.flatnonzero((fringe.part < 0) & (fringe.state == UNKNOWN))
    lists = [nothing for _ in range(0)]
    members = [loose for _ in range(0)]
    sums = np.zeros((fringe.parts + 2, cells + 1))
    # The last row: what the floating cells can take, and in how many ways.
    ways = 1.0
    for taken in range(len(loose) + 1):
        sums[fringe.parts, taken] = ways
        ways = ways * (len(loose) - taken) / (taken + 1)
    for part in range(fringe.parts):
        own = np.flatnonzero(fringe.part == part)
        number, found = list_part(fringe, own, 4 * most, effort, stop)
        if number == TOO_MANY:
            return TOO_MANY, nothing
        lists.append(found[:number])
        members.append(own)
    for part in range(fringe.parts - 1, -1, -1):
        for row in lists[part]:
            taken = row.sum()
            sums[part, taken:] += sums[part + 1, : cells + 1 - taken]
    if not 0 <= fringe.mines <= cells or sums[0, fringe.mines] == 0:
        return 0, nothing
    if sums[0, fringe.mines] > most:
        return TOO_MANY, nothing
    total = signed(np.uint64(sums[0, fringe.mines] + 0.5))
    mined = np.zeros((total, cells), np.uint8)
    for cell in range(cells):
        if fringe.state[cell] == MINED:
            mined[:, cell] = 1
    combine(lists, members, loose, sums, fringe.mines, mined)
    return total, shown_by(fringe, mined)


@compiled
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
            for row in lists[part]:
                taken = row.sum()
                if taken > rest:
                    continue
                end = at + signed(np.uint64(sums[part + 1, rest - taken] + 0.5))
                for index in range(at, end):
                    owed[index] = rest - taken
                    for column in range(len(row)):
                        mined[index, members[part][column]] = row[column]
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


@compiled
def shown_by(fringe: Fringe, mined: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(n, cells) uint8: what each cell shows in each solution, SHOWS_MINE for a mine."""
    shown = np.empty_like(mined)
    for index in range(len(mined)):
        for cell in range(mined.shape[1]):
            count = fringe.known[cell]
            for other in fringe.around[cell]:
                if other < 0:
                    break
                count += mined[index, other]
            shown[index, cell] = SHOWS_MINE if mined[index, cell] else count
    return shown
