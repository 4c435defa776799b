"""Parts of a board that know nothing of each other, in a state that is one word."""

from __future__ import annotations

import numpy as np

from bot.solver.compiled import compiled
from bot.solver.ending.bits import ONE, ZERO, constant, lowest, ones
from bot.solver.ending.word import Small

INSIDE, OUTSIDE = constant(1), constant(0)
PRIMES = np.uint64(sum(1 << n for n in range(2, 64) if all(n % d for d in range(2, n))))


@compiled
def independent(block: Small, state: np.uint64, size: int, at: int, count: int, top: int) -> int:
    """Find parts of the board that know nothing of each other.

    The solutions are then all combinations of the parts' own. A part on its own is the
    solutions that agree with the first one everywhere else; these go onto the stack.

    Returns:
        The number of parts; 1 where there is but one, and nothing on the stack.
    """
    if (PRIMES >> np.uint64(size & 63)) & ONE:
        return 1
    groups = tied(block, state, size, at, count)
    if groups == 1:
        return 1
    product = 1
    for group in range(groups):
        product *= ways(block, state, at, count, group)
        if product > size:
            return 1
    if product != size:
        return 1
    for group in range(groups):
        block.sets[top + group] = agreeing(block, state, lowest(state), at, count, group, OUTSIDE)
    return groups


@compiled
def tied(block: Small, state: np.uint64, size: int, at: int, count: int) -> int:
    """Number the groups of cells whose words are independent of other groups' in pairs."""
    groups = 0
    for index in range(count):
        block.group[index] = -1
    for begin in range(count):
        if block.group[begin] >= 0:
            continue
        block.group[begin] = groups
        block.queue[0] = begin
        head = 0
        tail = 1
        while head < tail:
            one = block.queue[head]
            head += 1
            for other in range(begin + 1, count):
                if block.group[other] < 0 and depend(
                    block, state, size, block.cells[at + one], block.cells[at + other]
                ):
                    block.group[other] = groups
                    block.queue[tail] = other
                    tail += 1
        if tail == count:
            return 1
        groups += 1
    return groups


@compiled
def depend(block: Small, state: np.uint64, size: int, one: int, other: int) -> bool:
    """Whether what a cell shows (a mine, or which hint) tells something about another."""
    for place in range(block.first[one], block.first[one + 1]):
        word = block.shown[place] & state
        if word in (ZERO, state):
            continue
        number = ones(word)
        for theirs in range(block.first[other], block.first[other + 1]):
            second = block.shown[theirs] & state
            if ones(word & second) * size != number * ones(second):
                return True
    return False


@compiled
def ways(block: Small, state: np.uint64, at: int, count: int, group: int) -> int:
    """In how many ways the solutions of the state differ within a group of cells."""
    number = 0
    while state != ZERO:
        number += 1
        state &= ~agreeing(block, state, lowest(state), at, count, group, INSIDE)
    return number


@compiled
def agreeing(
    block: Small, state: np.uint64, one: int, at: int, count: int, group: int, where: int
) -> np.uint64:
    """The solutions that agree with `one` on the cells inside, or all outside, a group."""
    for index in range(count):
        if (block.group[index] == group) != (where == INSIDE):
            continue
        cell = block.cells[at + index]
        for place in range(block.first[cell], block.first[cell + 1]):
            if (block.shown[place] >> np.uint64(one)) & ONE:
                state &= block.shown[place]
                break
    return state
