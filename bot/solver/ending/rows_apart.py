"""Parts of a board that know nothing of each other, in a state of many words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled, merged
from bot.solver.ending.bits import ONE, ZERO, lowest, ones
from bot.solver.ending.rows import Block, alone, both, members, size_of


@compiled
def independent(
    block: Block, hints: NDArray[np.uint8], state: NDArray[np.uint64], cells: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Parts of the board that know nothing of each other.

    Returns:
        (n, words): for each part the solutions that agree with the first one everywhere
        else. One row, the state itself, where there is but one part.
    """
    whole = alone(state)
    size = size_of(state)
    group, groups = tied(block, state, size, cells)
    if groups == 1:
        return whole
    ids = members(block, state, size)
    product = 1
    for number in range(groups):
        product *= ways(hints, ids, block.column[members_of(cells, group, number)])
        if product > size:
            return whole
    if product != size:
        return whole
    word = 0
    while state[word] == ZERO:
        word += 1
    bit = np.uint64(lowest(state[word]))
    parts = np.empty((groups, len(state)), np.uint64)
    for number in range(groups):
        for index in range(len(state)):
            parts[number, index] = state[index]
        for one in range(len(cells)):
            if group[one] == number:
                continue
            cell = cells[one]
            for place in range(block.first[cell], block.first[cell + 1]):
                if (block.shown[place, word] >> bit) & ONE:
                    for index in range(len(state)):
                        parts[number, index] &= block.shown[place, index]
                    break
    return parts


@compiled
def members_of(
    cells: NDArray[np.int64], group: NDArray[np.int64], number: int
) -> NDArray[np.int64]:
    """(n,): the cells of one group."""
    found = np.empty(len(cells), np.int64)
    count = 0
    for index in range(len(cells)):
        if group[index] == number:
            found[count] = cells[index]
            count += 1
    return found[:count]


@merged
def tied(
    block: Block, state: NDArray[np.uint64], size: int, cells: NDArray[np.int64]
) -> tuple[NDArray[np.int64], int]:
    """Cells that are independent of other groups' in pairs: (n,) group by number, how many."""
    count = len(cells)
    group = np.full(count, -1, np.int64)
    queue = np.empty(count, np.int64)
    groups = 0
    for begin in range(count):
        if group[begin] >= 0:
            continue
        group[begin] = groups
        queue[0] = begin
        head = 0
        tail = 1
        while head < tail:
            one = cells[queue[head]]
            head += 1
            for other in range(begin + 1, count):
                if group[other] < 0 and depend(block, state, size, one, cells[other]):
                    group[other] = groups
                    queue[tail] = other
                    tail += 1
        groups += 1
    return group, groups


@compiled
def depend(block: Block, state: NDArray[np.uint64], size: int, one: int, other: int) -> bool:
    """Whether what a cell shows (a mine, or which hint) tells something about another."""
    for place in range(block.first[one], block.first[one + 1]):
        number = both(block.shown[place], state)
        if number in (0, size):
            continue
        for theirs in range(block.first[other], block.first[other + 1]):
            together = 0
            for word in range(len(state)):
                together += ones(block.shown[place, word] & block.shown[theirs, word] & state[word])
            if together * size != number * both(block.shown[theirs], state):
                return True
    return False


@merged
def ways(hints: NDArray[np.uint8], ids: NDArray[np.int64], columns: NDArray[np.int64]) -> int:
    """In how many ways the solutions differ on these columns."""
    kind = np.zeros(len(ids), np.int64)
    key = np.zeros(len(ids), np.int64)
    named = np.zeros(10 * len(ids), np.int64)
    number = 1
    for column in columns:
        # Kinds so far are told apart by what this column shows.
        number = 0
        for index in range(len(ids)):
            key[index] = 10 * kind[index] + hints[ids[index], column]
            if named[key[index]] == 0:
                number += 1
                named[key[index]] = number
        for index in range(len(ids)):
            kind[index] = named[key[index]] - 1
        for index in range(len(ids)):
            named[key[index]] = 0
    return number
