"""Guesses that nothing can change: they cost the same at any time, so they come first.

An *isolated* component: all its placements have the same number of mines, and no cell of
it that may be a mine or not touches such a cell elsewhere. The solutions of the board are
then all combinations of its placements with those of the rest, and what a cell shows tells
of its own side only: the two are won or lost apart, and it is played out on its own.

*Twins*: two cells with exactly one mine in every placement, where whatever touches only
one of them is a mine that is certain. Exchanging the two turns every solution into another
one that no other cell can tell from it, so at most half are won; and either cell, opened,
shows the same of what is around both. So whoever opens one of them at once loses nothing:
what a strategy would do before, it can do as well after.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled, merged
from bot.solver.ending.bits import constant
from bot.solver.ending.fringe import MINED, SAFE, UNKNOWN, Fringe, cells_of, fringe_of
from bot.solver.ending.listing import SHOWS_MINE
from bot.solver.ending.part import list_part, mines_in
from bot.solver.ending.root import NONE, ONE_BEST, search
from bot.solver.ending.tree import Tree

NOTHING, ISOLATED, TWINS = constant(0), constant(1), constant(2)


@compiled
def forced(
    tiles: NDArray[np.int8],
    mines: int,
    most: int,
    effort: int,
    nodes: int,
    stop: NDArray[np.int8],
    tree: Tree,
) -> tuple[int, int, int, int]:
    """Look for a guess that nothing can change.

    Args:
        tiles: (rows, cols) int8, codes of `bot.board`; flags count as covered.
        mines: On the whole board.
        most: Placements of a component to look at; `tree` has room for them.
        effort: Steps to take in listing them.
        nodes: States to look at.
        stop: (1,) int8; another thread sets it to break off.
        tree: Room; one for each thread.

    Returns:
        NOTHING, ISOLATED or TWINS; how many placements the component has (of twins: 2), how
        many of these are won, and the cell to open, as a flat index.
    """
    fringe = fringe_of(tiles, mines)
    if fringe.mines < 0:
        return NOTHING, NONE, NONE, NONE
    lists = [np.zeros((0, 0), np.uint8) for _ in range(0)]
    members = [fringe.place for _ in range(0)]
    # What each cell is in all placements; UNKNOWN where it differs or was not listed.
    always = fringe.state.copy()
    for part in range(fringe.parts):
        own = cells_of(fringe, part)
        number, found = list_part(fringe, own, most, effort, stop)
        found = found[: max(number, 0)].copy()
        lists.append(found)
        members.append(own)
        for index in range(len(own) if number > 0 else 0):
            count = 0
            for row in range(number):
                count += found[row, index]
            if count in (0, number):
                always[own[index]] = MINED if count else SAFE
    for part in range(fringe.parts):
        if len(lists[part]) < 2:
            continue
        if is_isolated(fringe, part, members[part], lists[part], always):
            table = shown_within(fringe, members[part], lists[part])
            won = np.full(len(members[part]), NONE)
            total, column = search(tree, table, nodes, ONE_BEST, stop, won)
            if total > 0:
                return ISOLATED, len(table), total, fringe.place[members[part][column]]
    for part in range(fringe.parts):
        if len(lists[part]) < 2:
            continue
        cell = a_twin(tiles, fringe, members[part], lists[part], always, stop)
        if cell >= 0:
            return TWINS, 2, 1, fringe.place[cell]
    return NOTHING, NONE, NONE, NONE


@merged
def is_isolated(
    fringe: Fringe,
    part: int,
    own: NDArray[np.int64],
    placements: NDArray[np.uint8],
    always: NDArray[np.int8],
) -> bool:
    """Whether nothing outside a component can tell of it, nor it of anything outside."""
    for index in range(1, len(placements)):
        if mines_in(placements, index) != mines_in(placements, index - 1):
            return False
    for cell in own:
        if always[cell] != UNKNOWN:
            continue
        for other in fringe.around[cell]:
            if other < 0:
                break
            if fringe.part[other] != part and always[other] == UNKNOWN:
                return False
    return True


@merged
def shown_within(
    fringe: Fringe, own: NDArray[np.int64], placements: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """(n, cells) uint8: what each cell shows of its component, SHOWS_MINE for a mine."""
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
def a_twin(
    tiles: NDArray[np.int8],
    fringe: Fringe,
    own: NDArray[np.int64],
    placements: NDArray[np.uint8],
    always: NDArray[np.int8],
    stop: NDArray[np.int8],
) -> int:
    """One of a pair of twins of a component, by number; -1 where there is none."""
    for one in range(len(own)):
        if always[own[one]] != UNKNOWN or stop[0] != 0:
            continue
        for other in range(one + 1, len(own)):
            differ = True
            for row in range(len(placements)):
                differ &= placements[row, one] != placements[row, other]
            if differ and told_apart_by_mines_only(tiles, fringe, own[one], own[other], always):
                cell: int = own[one]
                return cell
    return NONE


@merged
def told_apart_by_mines_only(
    tiles: NDArray[np.int8], fringe: Fringe, one: int, other: int, always: NDArray[np.int8]
) -> bool:
    """Whether what touches one of two cells touches both, or is a mine for certain."""
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
