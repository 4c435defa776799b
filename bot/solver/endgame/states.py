"""Sets of solutions as rows of bits, and how opening a cell splits them.

A *block* is some solutions with a bit each. A *state* is a set of solutions of a block: a
row of 64-bit words. For each cell the block has one such row for the solutions in which it
is a mine, and one for each hint that it shows in the others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import internal, internal_kernel, merged
from bot.solver.endgame.solutions import SHOWS_MINE

ONE = np.uint64(1)
ZERO = np.uint64(0)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


class Block(NamedTuple):
    """Some solutions with a bit each, and what cells show in them."""

    shown: NDArray[np.uint64]
    """(n, words): for each cell the solutions with a mine there, then those for each hint."""
    first: NDArray[np.int64]
    """(cells + 1,): the first row of each cell in `shown`, and their end."""
    column: NDArray[np.int64]
    """(cells,): column of each cell in the table of solutions."""
    alike: NDArray[np.uint64]
    """(solutions, words): solutions that no cell safe in both distinguishes from this one, and
    itself."""
    ids: NDArray[np.int64]
    """(solutions,): row of each solution in the table."""


@internal
def pack_block(
    table: NDArray[np.uint8], ids: NDArray[np.int64], columns: NDArray[np.int64]
) -> Block:
    """Return the block of some solutions, without cells that are the same in all of them.

    Args:
        table: (solutions, columns): hints, or SHOWS_MINE.
        ids: Rows of the table.
        columns: Columns of the table.
    """
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
            what = table[ids[place], columns[index]]
            row[what, place >> 6] |= ONE << np.uint64(place & 63)
            count[what] += 1
        if count[table[ids[0], columns[index]]] == size:
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
    """Fill in `alike`: everything, less what a cell that is safe in both tells apart."""
    size, words = block.alike.shape
    full = full_state(size)
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
                    one = (word << 6) + lowest_bit(left)
                    for k in range(words):
                        block.alike[one, k] &= others[k]
                    left &= left - ONE


@internal
def full_state(size: int) -> NDArray[np.uint64]:
    """Return the state of all solutions of a block."""
    state = np.empty((size + 63) >> 6, np.uint64)
    for word in range(len(state)):
        state[word] = ALL
    if size & 63:
        state[-1] = ALL >> np.uint64(64 - (size & 63))
    return state


@internal_kernel
def size_of(state: NDArray[np.uint64]) -> int:
    """Count the solutions in a state."""
    number = 0
    for word in state:
        number += count_bits(word)
    return number


@internal_kernel
def size_of_both(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> int:
    """Count the solutions that are in both states."""
    number = 0
    for word in range(len(one)):
        number += count_bits(one[word] & other[word])
    return number


@internal_kernel
def overlap(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> bool:
    """Return whether two states have a solution in common."""
    common = ZERO
    for word in range(len(one)):
        common |= one[word] & other[word]
    return bool(common != ZERO)


@internal_kernel
def is_subset(
    one: NDArray[np.uint64], other: NDArray[np.uint64], state: NDArray[np.uint64]
) -> bool:
    """Return whether, within a state, `one` is a subset of `other` or equal to it."""
    outside = ZERO
    for word in range(len(state)):
        outside |= one[word] & ~other[word] & state[word]
    return bool(outside == ZERO)


@internal
def as_list(state: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return a list of one state: a copy with shape (1, words)."""
    parts = np.empty((1, len(state)), np.uint64)
    for word in range(len(state)):
        parts[0, word] = state[word]
    return parts


@internal
def rows_of(block: Block, state: NDArray[np.uint64], size: int) -> NDArray[np.int64]:
    """Return the solutions of a state, (size,), as rows of the table."""
    ids = np.empty(size, np.int64)
    number = 0
    for word in range(len(state)):
        left = state[word]
        while left != ZERO:
            ids[number] = block.ids[(word << 6) + lowest_bit(left)]
            number += 1
            left &= left - ONE
    return ids


@internal
def group_alike(block: Block, state: NDArray[np.uint64], group: NDArray[np.int64]) -> int:
    """Divide a state greedily into groups in which all solutions are alike.

    Args:
        block: What `state` is a set of.
        state: Solutions.
        group: (64 * words,): the number of its group is written for each of them.

    Returns:
        The number of groups: an upper bound on the solutions that are won.
    """
    words = len(state)
    left = state.copy()
    alike = np.empty(words, np.uint64)
    groups = 0
    for word in range(words):
        while left[word] != ZERO:
            one = (word << 6) + lowest_bit(left[word])
            left[word] &= left[word] - ONE
            group[one] = groups
            for k in range(word, words):
                alike[k] = block.alike[one, k] & left[k]
            for k in range(word, words):
                while alike[k] != ZERO:
                    other = (k << 6) + lowest_bit(alike[k])
                    low = alike[k] & (~alike[k] + ONE)
                    left[k] &= ~low
                    alike[k] &= ~low
                    group[other] = groups
                    for further in range(k, words):
                        alike[further] &= block.alike[other, further]
            groups += 1
    return groups


@internal
def bound_cells(
    block: Block, state: NDArray[np.uint64], cells: NDArray[np.int64], group: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return for each cell an upper bound on what is won if it is opened next.

    Each state that may follow wins at most as many solutions as it has groups.

    Args:
        block: What `state` is a set of.
        state: Solutions.
        cells: Cells of the block.
        group: From `group_alike`, for the same state.
    """
    bounds = np.zeros(len(cells), np.int64)
    met = np.full(len(state) << 6, -1, np.int64)
    parts = 0
    for index in range(len(cells)):
        cell = cells[index]
        for place in range(block.first[cell] + 1, block.first[cell + 1]):
            parts += 1
            for word in range(len(state)):
                left = block.shown[place, word] & state[word]
                while left != ZERO:
                    one = group[(word << 6) + lowest_bit(left)]
                    left &= left - ONE
                    if met[one] != parts:
                        met[one] = parts
                        bounds[index] += 1
    return bounds


@internal
def open_safe_cells(
    block: Block, state: NDArray[np.uint64], cells: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Open all cells that are safe in the whole state.

    Returns:
        The states that may follow, (n, words), and the cells that are neither safe nor
        mines in the whole state.
    """
    words = len(state)
    rest = np.empty(len(cells), np.int64)
    left = 0
    size = size_of(state)
    parts = as_list(state)
    for cell in cells:
        start = block.first[cell]
        mines = size_of_both(block.shown[start], state)
        if mines == size:
            continue
        if mines > 0:
            rest[left] = cell
            left += 1
            continue
        kinds = count_hints(block, state, cell)
        if kinds < 2:
            continue
        finer = np.empty((len(parts) * kinds, words), np.uint64)
        number = 0
        for part in range(len(parts)):
            for place in range(start + 1, block.first[cell + 1]):
                if overlap(block.shown[place], parts[part]):
                    for word in range(words):
                        finer[number, word] = block.shown[place, word] & parts[part, word]
                    number += 1
        parts = finer[:number].copy()
    return parts, rest[:left].copy()


@internal
def open_cell(block: Block, state: NDArray[np.uint64], cell: int) -> NDArray[np.uint64]:
    """Return the states that may follow, (n, words), if a cell is opened and is no mine."""
    start = block.first[cell] + 1
    end = block.first[cell + 1]
    parts = np.empty((end - start, len(state)), np.uint64)
    number = 0
    for place in range(start, end):
        if overlap(block.shown[place], state):
            for word in range(len(state)):
                parts[number, word] = block.shown[place, word] & state[word]
            number += 1
    return parts[:number]


@internal_kernel
def count_hints(block: Block, state: NDArray[np.uint64], cell: int) -> int:
    """Count the different hints that a cell shows within a state."""
    kinds = 0
    for place in range(block.first[cell] + 1, block.first[cell + 1]):
        kinds += overlap(block.shown[place], state)
    return kinds


@internal
def candidates(
    block: Block, state: NDArray[np.uint64], cells: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the cells worth trying: informative ones that no other dominates."""
    choice = np.empty(len(cells), np.int64)
    number = 0
    for cell in cells:
        start = block.first[cell]
        if count_hints(block, state, cell) < 2:
            continue
        dominated = False
        for other in choice[:number]:
            if is_subset(block.shown[block.first[other]], block.shown[start], state):
                dominated = True
                break
        if dominated:
            continue
        kept = 0
        for other in choice[:number]:
            if not is_subset(block.shown[start], block.shown[block.first[other]], state):
                choice[kept] = other
                kept += 1
        choice[kept] = cell
        number = kept + 1
    return choice[:number].copy()


@internal
def independent_parts(
    block: Block, table: NDArray[np.uint8], state: NDArray[np.uint64], cells: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Split a state into independent parts of the board.

    Returns:
        (n, words): for each part the solutions that agree with the first one everywhere
        else. One row, the state itself, if there is only one part.
    """
    whole = as_list(state)
    size = size_of(state)
    if is_prime(size):
        return whole
    group, groups = group_dependent(block, state, size, cells)
    if groups == 1:
        return whole
    ids = rows_of(block, state, size)
    product = 1
    for number in range(groups):
        product *= count_distinct(table, ids, block.column[in_group(cells, group, number)])
        if product > size:
            return whole
    if product != size:
        return whole
    parts = np.empty((groups, len(state)), np.uint64)
    for number in range(groups):
        keep_agreeing_elsewhere(block, state, cells, group, number, parts[number])
    return parts


@merged
def keep_agreeing_elsewhere(
    block: Block,
    state: NDArray[np.uint64],
    cells: NDArray[np.int64],
    group: NDArray[np.int64],
    number: int,
    kept: NDArray[np.uint64],
) -> None:
    """Write the solutions that agree with the first one on all cells of other groups to `kept`."""
    for index in range(len(state)):
        kept[index] = state[index]
    word = 0
    while state[word] == ZERO:
        word += 1
    bit = np.uint64(lowest_bit(state[word]))
    for one in range(len(cells)):
        if group[one] == number:
            continue
        cell = cells[one]
        for place in range(block.first[cell], block.first[cell + 1]):
            if (block.shown[place, word] >> bit) & ONE:
                for index in range(len(state)):
                    kept[index] &= block.shown[place, index]
                break


@internal_kernel
def is_prime(number: int) -> bool:
    """Return whether a number of solutions is no product of two larger than 1."""
    divisor = 2
    while divisor * divisor <= number:
        if number % divisor == 0:
            return False
        divisor += 1
    return True


@internal
def in_group(cells: NDArray[np.int64], group: NDArray[np.int64], number: int) -> NDArray[np.int64]:
    """Return the cells of one group."""
    found = np.empty(len(cells), np.int64)
    count = 0
    for index in range(len(cells)):
        if group[index] == number:
            found[count] = cells[index]
            count += 1
    return found[:count]


@merged
def group_dependent(
    block: Block, state: NDArray[np.uint64], size: int, cells: NDArray[np.int64]
) -> tuple[NDArray[np.int64], int]:
    """Group cells so that those of different groups are independent in pairs.

    Returns:
        The group of each cell, (cells,), and the number of groups.
    """
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
                if group[other] < 0 and are_dependent(block, state, size, one, cells[other]):
                    group[other] = groups
                    queue[tail] = other
                    tail += 1
        groups += 1
    return group, groups


@internal_kernel
def are_dependent(block: Block, state: NDArray[np.uint64], size: int, one: int, other: int) -> bool:
    """Return whether what one cell shows (a mine, or a hint) depends on the other cell."""
    for place in range(block.first[one], block.first[one + 1]):
        number = size_of_both(block.shown[place], state)
        if number in (0, size):
            continue
        for theirs in range(block.first[other], block.first[other + 1]):
            together = 0
            for word in range(len(state)):
                together += count_bits(
                    block.shown[place, word] & block.shown[theirs, word] & state[word]
                )
            if together * size != number * size_of_both(block.shown[theirs], state):
                return True
    return False


@merged
def count_distinct(
    table: NDArray[np.uint8], ids: NDArray[np.int64], columns: NDArray[np.int64]
) -> int:
    """Count the different rows among some solutions, looking at some columns only."""
    kind = np.zeros(len(ids), np.int64)
    key = np.zeros(len(ids), np.int64)
    named = np.zeros(10 * len(ids), np.int64)
    number = 1
    for column in columns:
        # Divide the groups found so far by the values in this column.
        number = 0
        for index in range(len(ids)):
            key[index] = 10 * kind[index] + table[ids[index], column]
            if named[key[index]] == 0:
                number += 1
                named[key[index]] = number
        for index in range(len(ids)):
            kind[index] = named[key[index]] - 1
        for index in range(len(ids)):
            named[key[index]] = 0
    return number


@internal_kernel
def to_int64(word: np.uint64) -> int:
    """Convert a word to int64; numba makes a float of a uint64 and an int64 together."""
    return np.int64(word)  # type: ignore[return-value]


@internal_kernel
def count_bits(word: np.uint64) -> int:
    """Count the bits that are set."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + (
        (word >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return to_int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@internal_kernel
def lowest_bit(word: np.uint64) -> int:
    """Return the place of the lowest bit that is set; 64 if none is."""
    return count_bits((word & (~word + np.uint64(1))) - np.uint64(1))
