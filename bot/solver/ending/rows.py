"""States of any number of solutions: rows of words, with a bit for every solution."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled, merged
from bot.solver.ending.bits import ALL, ONE, ZERO, lowest, ones
from bot.solver.ending.listing import SHOWS_MINE


class Block(NamedTuple):
    """Some solutions, each with its bit, and what cells show in which of them."""

    shown: NDArray[np.uint64]
    """(n, words): for each cell first where it is a mine, then where it shows what."""
    first: NDArray[np.int64]
    """(cells + 1,): where a cell's rows begin."""
    column: NDArray[np.int64]
    """(cells,): which column of the table a cell is."""
    alike: NDArray[np.uint64]
    """(solutions, words): which solutions are alike each, itself included."""
    ids: NDArray[np.int64]
    """(solutions,): which row of the table a solution is."""


@compiled
def pack(hints: NDArray[np.uint8], ids: NDArray[np.int64], columns: NDArray[np.int64]) -> Block:
    """The block of some solutions; cells that are the same in all of them are left out."""
    size = len(ids)
    words = (size + 63) >> 6
    shown = np.zeros((10 * len(columns), words), np.uint64)
    first = np.zeros(len(columns) + 1, np.int64)
    column = np.zeros(len(columns), np.int64)
    number = end = 0
    row = np.zeros((10, words), np.uint64)
    count = np.zeros(10, np.int64)
    for index in range(len(columns)):
        row[:] = ZERO
        count[:] = 0
        for place in range(size):
            what = hints[ids[place], columns[index]]
            row[what, place >> 6] |= ONE << np.uint64(place & 63)
            count[what] += 1
        if count[hints[ids[0], columns[index]]] == size:
            continue
        first[number] = end
        column[number] = columns[index]
        for turn in range(10):
            # The mines come first.
            value = SHOWS_MINE if turn == 0 else turn - 1
            if turn == 0 or count[value] > 0:
                for word in range(words):
                    shown[end, word] = row[value, word]
                end += 1
        number += 1
    first[number] = end
    alike = np.empty((size, words), np.uint64)
    block = Block(shown[:end], first[: number + 1], column[:number], alike, ids)
    find_alike(block)
    return block


@merged
def find_alike(block: Block) -> None:
    """Strike out of each solution's row those that a cell safe in both tells from it."""
    size, words = block.alike.shape
    full = everything(size)
    for one in range(size):
        for word in range(words):
            block.alike[one, word] = full[word]
    others = np.zeros(words, np.uint64)
    for cell in range(len(block.column)):
        start = block.first[cell]
        end = block.first[cell + 1]
        if end - start < 3:
            continue
        for place in range(start + 1, end):
            for word in range(words):
                others[word] = ~full[word] | block.shown[start, word] | block.shown[place, word]
            for word in range(words):
                left = block.shown[place, word]
                while left != ZERO:
                    one = (word << 6) + lowest(left)
                    for k in range(words):
                        block.alike[one, k] &= others[k]
                    left &= left - ONE


@compiled
def size_of(state: NDArray[np.uint64]) -> int:
    """How many solutions are in a state."""
    number = 0
    for word in state:
        number += ones(word)
    return number


@compiled
def both(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> int:
    """How many solutions are in both."""
    number = 0
    for word in range(len(one)):
        number += ones(one[word] & other[word])
    return number


@compiled
def most_won(block: Block, state: NDArray[np.uint64], group: NDArray[np.int64]) -> int:
    """A bound: of solutions that are all alike no two are won.

    Args:
        block: What `state` is a set of.
        state: Solutions.
        group: (64 * words,): the number of the group is written at each of them.

    Returns:
        The number of groups.
    """
    words = len(state)
    left = state.copy()
    alike = np.empty(words, np.uint64)
    groups = 0
    for word in range(words):
        while left[word] != ZERO:
            one = (word << 6) + lowest(left[word])
            left[word] &= left[word] - ONE
            group[one] = groups
            for k in range(word, words):
                alike[k] = block.alike[one, k] & left[k]
            for k in range(word, words):
                while alike[k] != ZERO:
                    other = (k << 6) + lowest(alike[k])
                    low = alike[k] & (~alike[k] + ONE)
                    left[k] &= ~low
                    alike[k] &= ~low
                    group[other] = groups
                    for further in range(k, words):
                        alike[further] &= block.alike[other, further]
            groups += 1
    return groups


@compiled
def members(block: Block, state: NDArray[np.uint64], size: int) -> NDArray[np.int64]:
    """(size,): the solutions of a state, as rows of the table."""
    ids = np.empty(size, np.int64)
    number = 0
    for word in range(len(state)):
        left = state[word]
        while left != ZERO:
            ids[number] = block.ids[(word << 6) + lowest(left)]
            number += 1
            left &= left - ONE
    return ids


@compiled
def everything(size: int) -> NDArray[np.uint64]:
    """The state of all solutions of a block."""
    state = np.empty((size + 63) >> 6, np.uint64)
    for word in range(len(state)):
        state[word] = ALL
    if size & 63:
        state[-1] = ALL >> np.uint64(64 - (size & 63))
    return state


@compiled
def alone(state: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """(1, words): a list of one state, a copy of this one."""
    parts = np.empty((1, len(state)), np.uint64)
    for word in range(len(state)):
        parts[0, word] = state[word]
    return parts


@compiled
def open_safe(
    block: Block, state: NDArray[np.uint64], cells: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Open what is safe in all solutions: (n, words) states after it, and the cells left."""
    words = len(state)
    rest = np.empty(len(cells), np.int64)
    left = 0
    size = size_of(state)
    parts = alone(state)
    for cell in cells:
        start = block.first[cell]
        mines = both(block.shown[start], state)
        if mines == size:
            continue
        if mines > 0:
            rest[left] = cell
            left += 1
            continue
        kinds = 0
        for place in range(start + 1, block.first[cell + 1]):
            kinds += both(block.shown[place], state) > 0
        if kinds < 2:
            continue
        finer = np.empty((len(parts) * kinds, words), np.uint64)
        number = 0
        for part in range(len(parts)):
            for place in range(start + 1, block.first[cell + 1]):
                if both(block.shown[place], parts[part]) > 0:
                    for word in range(words):
                        finer[number, word] = block.shown[place, word] & parts[part, word]
                    number += 1
        parts = finer[:number].copy()
    return parts, rest[:left].copy()


@compiled
def seen(block: Block, state: NDArray[np.uint64], cell: int) -> NDArray[np.uint64]:
    """(n, words): the states after a cell was tried and was no mine."""
    start = block.first[cell] + 1
    end = block.first[cell + 1]
    parts = np.empty((end - start, len(state)), np.uint64)
    number = 0
    for place in range(start, end):
        if both(block.shown[place], state) > 0:
            for word in range(len(state)):
                parts[number, word] = block.shown[place, word] & state[word]
            number += 1
    return parts[:number]


@compiled
def bounds_of(
    block: Block, state: NDArray[np.uint64], choice: NDArray[np.int64], group: NDArray[np.int64]
) -> NDArray[np.int64]:
    """(n,): what trying each cell can win at the most: the groups that each part meets."""
    bounds = np.zeros(len(choice), np.int64)
    met = np.full(len(state) << 6, -1, np.int64)
    parts = 0
    for index in range(len(choice)):
        cell = choice[index]
        for place in range(block.first[cell] + 1, block.first[cell + 1]):
            parts += 1
            for word in range(len(state)):
                left = block.shown[place, word] & state[word]
                while left != ZERO:
                    one = group[(word << 6) + lowest(left)]
                    left &= left - ONE
                    if met[one] != parts:
                        met[one] = parts
                        bounds[index] += 1
    return bounds


@compiled
def inside(one: NDArray[np.uint64], other: NDArray[np.uint64], state: NDArray[np.uint64]) -> bool:
    """Whether within the state `one` is a part of `other`, or the same."""
    outside = ZERO
    for word in range(len(state)):
        outside |= one[word] & ~other[word] & state[word]
    return bool(outside == ZERO)


@compiled
def candidates(
    block: Block, state: NDArray[np.uint64], cells: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The cells worth trying: living ones that no other makes needless."""
    choice = np.empty(len(cells), np.int64)
    number = 0
    for cell in cells:
        start = block.first[cell]
        kinds = 0
        for place in range(start + 1, block.first[cell + 1]):
            kinds += both(block.shown[place], state) > 0
        if kinds < 2:
            continue
        needless = False
        for other in choice[:number]:
            if inside(block.shown[block.first[other]], block.shown[start], state):
                needless = True
                break
        if needless:
            continue
        kept = 0
        for other in choice[:number]:
            if not inside(block.shown[start], block.shown[block.first[other]], state):
                choice[kept] = other
                kept += 1
        choice[kept] = cell
        number = kept + 1
    return choice[:number].copy()
