"""Forced guesses: nothing can change them, so they cost the same now as later and come first.

An *isolated* component: all its placements have the same number of mines, and none of its
undecided cells touches an undecided cell elsewhere. The solutions of the board are then all
combinations of its placements with those of the rest, and what a cell shows tells only about
its own side. Both sides are won or lost independently, so it is searched on its own.

*Twins*: two cells with exactly one mine in every placement, where whatever touches only one
of them is certain to be a mine. Exchanging the two turns every solution into another one
that no other cell can tell from it, so at most half are won; and either cell, opened, shows
the same of what is around both. So opening one of them at once loses nothing: what a strategy
would do before, it can as well do after.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled, int64, merged
from bot.solver.endgame.fringe import MINED, SAFE, UNKNOWN, Fringe, cells_of
from bot.solver.endgame.search import NONE, Budget
from bot.solver.endgame.solutions import SHOWS_MINE, list_placements, mines_in

NOTHING, ISOLATED, TWINS = int64(0), int64(1), int64(2)


@compiled
def find_forced(
    tiles: NDArray[np.int8], fringe: Fringe, first: int, budget: Budget, stop: NDArray[np.int8]
) -> tuple[int, int, NDArray[np.int64], NDArray[np.uint8]]:
    """Find an isolated component, or else twins.

    Args:
        tiles: (rows, cols) int8, codes of `bot.board`; flags count as covered.
        fringe: Of that board.
        first: Isolated components with smaller numbers are passed over.
        budget: What may be spent on a component, where `solutions` are its placements.
        stop: (1,) int8; another thread sets it to break off.

    Returns:
        ISOLATED, TWINS or NOTHING; the number of the component; its cells, or one of the
        twins, as flat indices; and what the cells of an isolated component show of it:
        (placements, cells) uint8, SHOWS_MINE for a mine.
    """
    nothing = np.zeros((0, 0), np.uint8)
    if fringe.mines < 0:
        return NOTHING, NONE, fringe.place[:0], nothing
    lists = [nothing for _ in range(0)]
    members = [fringe.place for _ in range(0)]
    # What each cell is in all placements; UNKNOWN if that differs or was not listed.
    always = fringe.state.copy()
    for component in range(fringe.components):
        own = cells_of(fringe, component)
        number, found = list_placements(fringe, own, budget.solutions, budget.effort, stop)
        found = found[: max(number, 0)].copy()
        lists.append(found)
        members.append(own)
        for index in range(len(own) if number > 0 else 0):
            count = 0
            for row in range(number):
                count += found[row, index]
            if count in (0, number):
                always[own[index]] = MINED if count else SAFE
    for component in range(first, fringe.components):
        own, placements = members[component], lists[component]
        if len(placements) < 2:
            continue
        if is_isolated(fringe, component, own, placements, always):
            table = what_own_cells_show(fringe, own, placements)
            for index in range(len(own)):
                own[index] = fringe.place[own[index]]
            return ISOLATED, component, own, table
    for component in range(fringe.components):
        own, placements = members[component], lists[component]
        if len(placements) < 2:
            continue
        cell = find_twin(tiles, fringe, own, placements, always, stop)
        if cell >= 0:
            return TWINS, component, fringe.place[cell : cell + 1], nothing
    return NOTHING, NONE, fringe.place[:0], nothing


@merged
def is_isolated(
    fringe: Fringe,
    component: int,
    own: NDArray[np.int64],
    placements: NDArray[np.uint8],
    always: NDArray[np.int8],
) -> bool:
    """Return whether a component and everything else tell nothing about each other."""
    for index in range(1, len(placements)):
        if mines_in(placements, index) != mines_in(placements, index - 1):
            return False
    for cell in own:
        if always[cell] != UNKNOWN:
            continue
        for other in fringe.around[cell]:
            if other < 0:
                break
            if fringe.component[other] != component and always[other] == UNKNOWN:
                return False
    return True


@merged
def what_own_cells_show(
    fringe: Fringe, own: NDArray[np.int64], placements: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Return what each cell shows of its own component: (n, cells), SHOWS_MINE for a mine."""
    column = np.full(len(fringe.place), NONE)
    for index in range(len(own)):
        column[own[index]] = index
    table = np.zeros(placements.shape, np.uint8)
    for row in range(len(placements)):
        for index in range(len(own)):
            count = 0
            for other in fringe.around[own[index]]:
                if other < 0:
                    break
                if column[other] >= 0:
                    count += placements[row, column[other]]
            table[row, index] = SHOWS_MINE if placements[row, index] else count
    return table


@merged
def find_twin(
    tiles: NDArray[np.int8],
    fringe: Fringe,
    own: NDArray[np.int64],
    placements: NDArray[np.uint8],
    always: NDArray[np.int8],
    stop: NDArray[np.int8],
) -> int:
    """Return one of a pair of twins of a component by number, -1 if there is none."""
    for one in range(len(own)):
        if always[own[one]] != UNKNOWN or stop[0] != 0:
            continue
        for other in range(one + 1, len(own)):
            differ = True
            for row in range(len(placements)):
                differ &= placements[row, one] != placements[row, other]
            if differ and only_mines_touch_one(tiles, fringe, own[one], own[other], always):
                cell: int = own[one]
                return cell
    return NONE


@merged
def only_mines_touch_one(
    tiles: NDArray[np.int8], fringe: Fringe, one: int, other: int, always: NDArray[np.int8]
) -> bool:
    """Return whether all that touches exactly one of two cells is certain to be a mine."""
    rows, cols = tiles.shape
    row, col = fringe.place[one] // cols, fringe.place[one] % cols
    row2, col2 = fringe.place[other] // cols, fringe.place[other] % cols
    if max(abs(row - row2), abs(col - col2)) > 2:
        return False
    for cell in (one, other):
        for near in fringe.around[cell]:
            if near < 0:
                break
            r, c = fringe.place[near] // cols, fringe.place[near] % cols
            near_one = max(abs(r - row), abs(c - col)) <= 1
            near_other = max(abs(r - row2), abs(c - col2)) <= 1
            if near_one != near_other and always[near] != MINED:
                return False
    for r in range(max(row - 3, 0), min(row + 4, rows)):
        for c in range(max(col - 3, 0), min(col + 4, cols)):
            near_one = max(abs(r - row), abs(c - col)) <= 1
            near_other = max(abs(r - row2), abs(c - col2)) <= 1
            if near_one != near_other and tiles[r, c] >= 0:
                return False
    return True
