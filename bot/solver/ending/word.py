"""States of up to 64 solutions: a word each, with a bit for every solution.

`tree` says what the tree is, and why what is left out cannot be better. It hands states
over by loading a *block*: the solutions get the bits of a word, and each cell the words of
what it shows in which solution.

This, `word_apart` and `word_tree` do once more, for speed alone, what `rows`, `rows_apart`
and `tree` do for states of any size: nearly all states are small, and here nothing is
allocated for one. With rows alone the 80 end games of `tests.bench_lookahead` take 0.42 ms
for 0.32 in the median, 10.6 for 7.7 at 95 % and 87 for 67 at the worst; those of 401 to
1,000 solutions 1.5 times as long (medians of three runs in turn).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled
from bot.solver.ending.bits import ALL, ONE, ZERO, lowest
from bot.solver.ending.listing import SHOWS_MINE

PLACES = 1 << 15
DEEPEST = 66
"""States inside each other: each has fewer solutions than the one before."""


class Small(NamedTuple):
    """A block of up to 64 solutions, and what searching it takes."""

    shown: NDArray[np.uint64]
    """(10 * cells,): for each cell first where it is a mine, then where it shows what."""
    first: NDArray[np.int64]
    """(cells + 1,): where a cell's words begin."""
    alike: NDArray[np.uint64]
    """(64,): the solutions that no cell safe in both tells from this one, itself included."""
    cells: NDArray[np.int64]
    """A stack of lists of cells."""
    sets: NDArray[np.uint64]
    """A stack of lists of states."""
    order: NDArray[np.int64]
    """A stack beside `sets`: cells to try."""
    bounds: NDArray[np.int64]
    """Beside both: what each can be worth at the most."""
    group: NDArray[np.int64]
    """(cells,): scratch, which cells belong together."""
    queue: NDArray[np.int64]
    """(cells,): scratch."""
    keys: NDArray[np.uint64]
    """(PLACES,): states that were valued."""
    values: NDArray[np.int64]
    """(PLACES,): block, value and kind of value, packed."""


def small(cells: int) -> Small:
    """Room for blocks with so many cells."""
    return Small(
        np.zeros(10 * cells, np.uint64),
        np.zeros(cells + 1, np.int64),
        np.zeros(64, np.uint64),
        np.zeros(DEEPEST * (cells + 1), np.int64),
        np.zeros(DEEPEST * (cells + 64), np.uint64),
        np.zeros(DEEPEST * (cells + 64), np.int64),
        np.zeros(DEEPEST * (cells + 64), np.int64),
        np.zeros(cells, np.int64),
        np.zeros(cells, np.int64),
        np.zeros(PLACES, np.uint64),
        np.zeros(PLACES, np.int64),
    )


@compiled
def load(
    block: Small,
    hints: NDArray[np.uint8],
    ids: NDArray[np.int64],
    size: int,
    cells: NDArray[np.int64],
    count: int,
) -> int:
    """Build the block of some solutions; its list of cells is the bottom of the stack.

    Args:
        block: Overwritten.
        hints: (solutions, columns): what each cell shows, SHOWS_MINE where it is one.
        ids: The solutions.
        size: How many.
        cells: Columns to look at.
        count: How many.

    Returns:
        How many cells the block has: those that are not the same in all its solutions.
    """
    words = np.zeros(10, np.uint64)
    full = ALL >> np.uint64(64 - size)
    for place in range(size):
        block.alike[place] = full
    number = 0
    end = 0
    for index in range(count):
        words[:] = ZERO
        for place in range(size):
            words[hints[ids[place], cells[index]]] |= ONE << np.uint64(place)
        if words[SHOWS_MINE] == full:
            continue
        kinds = 0
        for value in range(9):
            if words[value] == ZERO:
                continue
            kinds += 1
            block.shown[end + kinds] = words[value]
            others = full & ~words[SHOWS_MINE] & ~words[value]
            left = words[value]
            while left != ZERO:
                block.alike[lowest(left)] &= ~others
                left &= left - ONE
        if kinds == 1 and words[SHOWS_MINE] == ZERO:
            continue
        block.shown[end] = words[SHOWS_MINE]
        block.first[number] = end
        block.cells[number] = number
        end += kinds + 1
        number += 1
    block.first[number] = end
    return number


@compiled
def most_won(block: Small, state: np.uint64) -> int:
    """A bound: of solutions that nothing safe tells apart no two are won."""
    groups = 0
    while state != ZERO:
        groups += 1
        group = block.alike[lowest(state)] & state
        state &= state - ONE
        group &= state
        while group != ZERO:
            low = group & (~group + ONE)
            state &= ~low
            group &= block.alike[lowest(group)] & ~low
    return groups


@compiled
def open_safe(
    block: Small, state: np.uint64, at: int, count: int, below: int, top: int
) -> tuple[int, int]:
    """Open what is safe in all solutions; the states after it go onto the stack from `top`.

    Returns:
        The number of cells, listed from `below`, that are neither safe nor mines in all
        solutions, and the number of states (1: nothing new was seen).
    """
    left = 0
    splits = 1
    block.sets[top] = state
    for index in range(at, at + count):
        cell = block.cells[index]
        start = block.first[cell]
        mines = block.shown[start] & state
        if mines == state:
            continue
        if mines != ZERO:
            block.cells[below + left] = cell
            left += 1
            continue
        for part in range(splits):
            rest = block.sets[top + part]
            for place in range(start + 1, block.first[cell + 1]):
                same = block.shown[place] & rest
                if same == ZERO:
                    continue
                if same == rest:
                    break
                block.sets[top + splits] = same
                splits += 1
                rest &= ~same
            block.sets[top + part] = rest
    return left, splits


@compiled
def seen(block: Small, state: np.uint64, cell: int, top: int) -> int:
    """Put the states after a cell was tried and was no mine at `top`; how many there are."""
    number = 0
    for place in range(block.first[cell] + 1, block.first[cell + 1]):
        part = block.shown[place] & state
        if part != ZERO:
            block.sets[top + number] = part
            number += 1
    return number


@compiled
def bound_of(block: Small, first: int, parts: int, product: bool) -> int:
    """Bounds for the states from `first` on, and their sum or product."""
    total = 1 if product else 0
    for part in range(first, first + parts):
        bound = most_won(block, block.sets[part])
        block.bounds[part] = bound
        total = total * bound if product else total + bound
    return total


@compiled
def most_promising(block: Small, first: int, end: int) -> int:
    """The place with the highest bound."""
    chosen = first
    for place in range(first + 1, end):
        if block.bounds[place] > block.bounds[chosen]:
            chosen = place
    return chosen


@compiled
def candidates(block: Small, state: np.uint64, at: int, count: int, top: int) -> int:
    """List the cells worth trying (living ones that no other makes needless) and their bounds."""
    number = 0
    for index in range(at, at + count):
        cell = block.cells[index]
        start = block.first[cell]
        kinds = 0
        for place in range(start + 1, block.first[cell + 1]):
            if block.shown[place] & state != ZERO:
                kinds += 1
        if kinds < 2:
            continue
        mines = block.shown[start] & state
        needless = False
        for other in range(top, top + number):
            theirs = block.shown[block.first[block.order[other]]] & state
            if theirs & ~mines == ZERO:
                needless = True
                break
        if needless:
            continue
        kept = top
        for other in range(top, top + number):
            theirs = block.shown[block.first[block.order[other]]] & state
            if mines & ~theirs != ZERO:
                block.order[kept] = block.order[other]
                kept += 1
        block.order[kept] = cell
        number = kept + 1 - top
    for index in range(top, top + number):
        cell = block.order[index]
        block.bounds[index] = 0
        for place in range(block.first[cell] + 1, block.first[cell + 1]):
            if block.shown[place] & state != ZERO:
                block.bounds[index] += most_won(block, block.shown[place] & state)
    return number
