"""Parts of a board that know nothing of each other, in a state of many words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled
from bot.solver.ending.bits import ONE, ZERO, lowest, ones
from bot.solver.ending.rows import Block, both, members, size_of


@compiled
def independent(
    block: Block, hints: NDArray[np.uint8], state: NDArray[np.uint64], cells: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Parts of the board that know nothing of each other.

    Returns:
        (n, words): for each part the solutions that agree with the first one everywhere
        else. One row, the state itself, where there is but one part.
    """
    whole = state.copy().reshape(1, len(state))
    size = size_of(state)
    group = tied(block, state, size, cells)
    groups = group.max() + 1
    if groups == 1:
        return whole
    ids = members(block, state, size)
    product = 1
    for number in range(groups):
        product *= ways(hints, ids, block.column[cells[group == number]])
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
        parts[number] = state
        for cell in cells[group != number]:
            for place in range(block.first[cell], block.first[cell + 1]):
                if (block.shown[place, word] >> bit) & ONE:
                    parts[number] &= block.shown[place]
                    break
    return parts


@compiled
def tied(
    block: Block, state: NDArray[np.uint64], size: int, cells: NDArray[np.int64]
) -> NDArray[np.int64]:
    """(n,): numbers of the groups of cells that are independent of other groups' in pairs."""
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
    return group


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


@compiled
def ways(hints: NDArray[np.uint8], ids: NDArray[np.int64], columns: NDArray[np.int64]) -> int:
    """In how many ways the solutions differ on these columns."""
    order = np.arange(len(ids))
    for column in columns:
        order = order[np.argsort(hints[ids[order], column], kind="mergesort")]
    number = 1
    for index in range(1, len(ids)):
        one = ids[order[index - 1]]
        other = ids[order[index]]
        for column in columns:
            if hints[one, column] != hints[other, column]:
                number += 1
                break
    return number
