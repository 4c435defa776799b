"""Exhaustive search of an end game: how many solutions perfect play wins.

A *state* is a set of solutions: those that agree with all that was seen. Which cells are
open follows from it. Its value is the number of its solutions that are won:

- Cells that are safe in all solutions are opened at once, and what they show splits the state.
  The value is the sum over the parts.
- Otherwise a cell is tried: solutions with a mine there are lost, and the others are split
  by what it shows. The value is the largest such sum over all cells.
- A single solution is won: all its safe cells are opened.

The search is depth-first with bounds, as in branch and bound: a caller passes a *floor*,
and a state that cannot exceed it gets an upper bound for a value. What is pruned, and why
nothing better is lost:

- An *uninformative* cell shows the same in all solutions in which it is safe. A strategy that opens
  it can as well do so last, so it is not tried while there is an informative one. If no cell is
  informative, one solution is won.
- *Dominance*: if cell b is safe wherever cell a is, opening b before a loses nothing. So
  only those informative cells are tried whose mines are a superset of no other's.
- Two solutions are *alike* if no cell that is safe in both shows something different.
  No strategy wins both: it opens the same cells in both until one of them is a mine. So a
  state wins at most one solution of each group whose solutions are all alike, and opening a
  cell wins at most the sum of these bounds over the states that may follow.
- *Independent parts* of the board, where the solutions are all combinations of the parts'
  own, are searched separately, and their values multiply.

Values are kept in a transposition table. Its key is the sum of two random words for each
solution, as in Zobrist hashing: with 128 bits, collisions are negligible.
A state is a row of bits (`states`); when most words of a row would be empty, its solutions
are packed into a new block.

One engine serves states of all sizes. A second one for up to 64 solutions, with one word a
state and no allocation, plays as many games a second (`tests.benchmarks.strength`, the same boards,
four runs of each in turns: the medians differ by less than 2 % on Expert).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled, int64, internal, internal_kernel, merged
from bot.solver.endgame.solutions import SHOWS_MINE
from bot.solver.endgame.states import (
    ONE,
    ZERO,
    Block,
    bound_cells,
    candidates,
    full_state,
    group_alike,
    independent_parts,
    lowest_bit,
    open_cell,
    open_safe_cells,
    pack_block,
    rows_of,
    size_of,
    to_int64,
)


class Budget(NamedTuple):
    """The limits of a search."""

    solutions: int
    """Most solutions."""
    nodes: int
    """Most states to search."""


BUDGET = Budget(int64(5_000), int64(20_000))
"""In play. Recorded end games take 4,867 nodes at most (`tests.benchmarks.endgame`). With 60,000
solutions Expert games are won 0.08 points more often, at six times the time (2,000 weighted games:
within the error)."""

ONE_BEST, ALL_BEST, EVERY_CELL = int64(0), int64(1), int64(2)
"""Which values to compute: of a best cell, of all best cells, or of every cell that may be safe."""
NONE = int64(-1)
"""No value, no cell."""
_ZERO = int64(0)

_PLACES = 1 << 16
"""Entries of the transposition table: its index is the highest 16 bits of a key; 1.5 MB."""
UPPER, EXACT = 1, 2
"""Kinds of values in the table: an upper bound, or the exact value."""
NODES, NODES_LEFT, STOPPED, SEARCHES = 0, 1, 2, 3
"""Indices of `counters`: nodes so far, nodes allowed, whether the search was broken off, and
the number of the search, which marks values of earlier ones as stale."""


class Search(NamedTuple):
    """The memory of a search, for reuse; one for each thread."""

    keys: NDArray[np.uint64]
    """(places, 2): keys of states."""
    values: NDArray[np.int64]
    """(places,): search, value and kind of value, packed."""
    random: NDArray[np.uint64]
    """(solutions, 2): random words."""
    counters: NDArray[np.int64]
    """(4,): see NODES."""


def new_search(solutions: int) -> Search:
    """Return the memory to search boards of up to so many solutions."""
    return Search(
        np.zeros((_PLACES, 2), np.uint64),
        np.zeros(_PLACES, np.int64),
        np.random.default_rng(0).integers(0, 2**64, (solutions, 2), np.uint64),
        np.zeros(4, np.int64),
    )


@compiled
def search_table(
    search: Search,
    table: NDArray[np.uint8],
    nodes: int,
    asked: int,
    stop: NDArray[np.int8],
    won: NDArray[np.int64],
) -> tuple[int, int]:
    """Compute the value of a table of solutions, and of its cells, as `solve_table` does.

    This is the only function of the search that Python calls: each further one would be
    compiled with all of it again.

    Returns:
        The solutions that perfect play wins, -1 beyond the budget; and in how many of them no
        guess is left after the first of the best cells is opened, 0 if there is no best cell.
    """
    total, column = solve_table(search, table, nodes, asked, stop, won)
    without_guess = _ZERO
    if column >= 0:
        first = _ZERO
        while won[first] != total:
            first += 1
        without_guess = count_without_guess(search, table, first, nodes, stop)
    return total, without_guess


@merged
def solve_table(
    search: Search,
    table: NDArray[np.uint8],
    nodes: int,
    asked: int,
    stop: NDArray[np.int8],
    won: NDArray[np.int64],
) -> tuple[int, int]:
    """Compute the value of a table of solutions, and of its cells.

    Args:
        search: With room for so many solutions.
        table: (solutions, columns) uint8: what each cell shows in each, SHOWS_MINE for a mine.
        nodes: States to search.
        asked: ONE_BEST, ALL_BEST or EVERY_CELL.
        stop: (1,) int8; another thread sets it to break off. It is checked in each state,
            at most a few milliseconds apart.
        won: (columns,), all -1; overwritten: solutions won if this cell is opened first and
            play is perfect after it; -1 if that was not asked for.

    Returns:
        The solutions that perfect play wins, -1 beyond the budget, and a best column, -1 if
        there is none.
    """
    search.counters[SEARCHES] += 1
    restart_count(search, nodes)
    size, columns = table.shape
    block = pack_block(table, np.arange(size), np.arange(columns))
    state = full_state(size)
    safe = NONE
    for column in range(columns):
        if is_safe(table, column):
            safe = column
    if safe >= 0 or size == 1:
        bound = group_alike(block, state, np.empty(len(state) << 6, np.int64))
        cells = np.arange(len(block.column))
        total = solve_state(search, table, block, state, bound, NONE, cells, stop)
        for column in range(columns):
            if is_safe(table, column):
                won[column] = total
        return (total, safe) if search.counters[STOPPED] == 0 else (NONE, NONE)
    _, cells = open_safe_cells(block, state, np.arange(len(block.column)))
    choice = cells
    if asked == ONE_BEST:
        choice = candidates(block, state, cells)
        if len(choice) == 0:
            choice = cells[:1]
    return try_first_cells(search, table, block, choice, cells, asked, stop, won)


@internal_kernel
def restart_count(search: Search, nodes: int) -> None:
    """Allow so many nodes from here on."""
    search.counters[NODES] = 0
    search.counters[NODES_LEFT] = nodes
    search.counters[STOPPED] = 0


@internal_kernel
def is_safe(table: NDArray[np.uint8], column: int) -> bool:
    """Return whether a cell is a mine in no solution."""
    safe = True
    for row in range(len(table)):
        safe &= table[row, column] != SHOWS_MINE
    return safe


@merged
def try_first_cells(
    search: Search,
    table: NDArray[np.uint8],
    block: Block,
    choice: NDArray[np.int64],
    cells: NDArray[np.int64],
    asked: int,
    stop: NDArray[np.int8],
    won: NDArray[np.int64],
) -> tuple[int, int]:
    """Try the cells of `choice`, highest bound first; see `solve_table`."""
    state = full_state(len(block.ids))
    group = np.zeros(len(state) << 6, np.int64)
    group_alike(block, state, group)
    bounds = bound_cells(block, state, choice, group)
    total = _ZERO
    column = NONE
    for _ in range(len(choice)):
        chosen = index_of_largest(bounds)
        floor = total if asked == ONE_BEST else total - 1
        if asked == EVERY_CELL:
            floor = NONE
        if bounds[chosen] <= floor:
            break
        bounds[chosen] = NONE
        parts = open_cell(block, state, choice[chosen])
        got = solve_parts(search, table, block, parts, floor, cells, stop)
        if search.counters[STOPPED] != 0:
            won[:] = NONE
            return NONE, NONE
        if got <= floor:
            continue
        won[block.column[choice[chosen]]] = got
        if got > total:
            total = got
            column = block.column[choice[chosen]]
    if asked != EVERY_CELL:
        for index in range(len(won)):
            if won[index] < total:
                won[index] = NONE
    return total, column


@merged
def solve_parts(
    search: Search,
    table: NDArray[np.uint8],
    block: Block,
    parts: NDArray[np.uint64],
    floor: int,
    cells: NDArray[np.int64],
    stop: NDArray[np.int8],
) -> int:
    """Return the sum of the values of some states, or an upper bound that is at most `floor`."""
    group = np.zeros(parts.shape[1] << 6, np.int64)
    bounds = np.zeros(len(parts), np.int64)
    total = _ZERO
    for part in range(len(parts)):
        bounds[part] = group_alike(block, parts[part], group)
        total += bounds[part]
    for part in range(len(parts)):
        if total <= floor:
            break
        total -= bounds[part]
        total += solve_state(
            search, table, block, parts[part], bounds[part], floor - total, cells, stop
        )
    return total


@internal
def solve_state(  # noqa: PLR0912, PLR0915
    search: Search,
    table: NDArray[np.uint8],
    block: Block,
    state: NDArray[np.uint64],
    bound: int,
    floor: int,
    cells: NDArray[np.int64],
    stop: NDArray[np.int8],
) -> int:
    """Return the value of a state, or an upper bound that is at most `floor`.

    All recursion is in this one function: numba cannot cache functions that call each other
    in a circle.

    Args:
        search: Values are kept in it.
        table: The table of solutions.
        block: What `state` is a set of.
        state: Not empty.
        bound: From `group_alike`, larger than `floor`.
        floor: A value that is not larger need not be exact.
        cells: Cells of the block that may differ within the state.
        stop: (1,); anything but 0 breaks off: STOPPED is set, and the result is meaningless.
    """
    size = size_of(state)
    if bound == 1 or size == 2:
        # Two solutions that are not alike are both won: a safe cell distinguishes them.
        return bound
    counters = search.counters
    key = key_of(search, block, state)
    place = to_int64(key[0] >> np.uint64(48))
    known, exact = look_up(search, key, place)
    if known >= 0:
        if exact or known <= floor:
            return known
        bound = min(bound, known)
    counters[NODES] += 1
    if counters[NODES] > counters[NODES_LEFT] or stop[0] != 0:
        counters[STOPPED] = 1
    if counters[STOPPED] != 0:
        return 1
    if 2 * ((size + 63) >> 6) <= len(state):
        block = pack_block(table, rows_of(block, state, size), block.column[cells])
        state = full_state(size)
        cells = np.arange(len(block.column))
    group = np.empty(len(state) << 6, np.int64)
    parts, rest = open_safe_cells(block, state, cells)
    product = False
    choice = cells[:1]
    bounds = np.full(1, bound)
    if len(parts) == 1:
        parts = independent_parts(block, table, state, rest)
        product = len(parts) > 1
    guess = len(parts) == 1
    if guess:
        choice = candidates(block, state, rest)
        group_alike(block, state, group)
        bounds = bound_cells(block, state, choice, group)
    best = refuted = 0
    for _ in range(len(choice)):
        enough = max(best, floor)
        if guess:
            chosen = index_of_largest(bounds)
            if bounds[chosen] <= enough:
                refuted = max(refuted, bounds[chosen])
                break
            bounds[chosen] = -1
            parts = open_cell(block, state, choice[chosen])
        worth = np.empty(len(parts), np.int64)
        total = 1 if product else 0
        for part in range(len(parts)):
            worth[part] = group_alike(block, parts[part], group)
            total = total * worth[part] if product else total + worth[part]
        for part in range(len(parts)):
            if total <= enough:
                break
            if product:
                others = total // worth[part]
                needed = enough // others
            else:
                others = total - worth[part]
                needed = enough - others
            got = solve_state(search, table, block, parts[part], worth[part], needed, rest, stop)
            total = others * got if product else others + got
        if counters[STOPPED] != 0:
            return 1
        if total > enough:
            best = total
        else:
            refuted = max(refuted, total)
        if best >= bound:
            break
    if len(choice) == 0:
        best = 1
    found = best if best > floor else min(refuted, bound)
    store(search, key, place, found, floor)
    return found


@internal_kernel
def key_of(search: Search, block: Block, state: NDArray[np.uint64]) -> tuple[np.uint64, np.uint64]:
    """Return the key of a state."""
    first = second = ZERO
    for word in range(len(state)):
        left = state[word]
        while left != ZERO:
            one = block.ids[(word << 6) + lowest_bit(left)]
            left &= left - ONE
            first += search.random[one, 0]
            second += search.random[one, 1]
    return first, second


@internal_kernel
def look_up(search: Search, key: tuple[np.uint64, np.uint64], place: int) -> tuple[int, bool]:
    """Return the stored value of a state (-1: none), and whether it is exact."""
    packed = search.values[place]
    if (
        packed >> 32 != search.counters[SEARCHES]
        or search.keys[place, 0] != key[0]
        or search.keys[place, 1] != key[1]
    ):
        return -1, False
    return (packed >> 2) & 0x3FFFFFFF, packed & 3 == EXACT


@internal_kernel
def store(
    search: Search, key: tuple[np.uint64, np.uint64], place: int, found: int, floor: int
) -> None:
    """Store a value."""
    search.keys[place, 0] = key[0]
    search.keys[place, 1] = key[1]
    kind = EXACT if found > floor else UPPER
    search.values[place] = (search.counters[SEARCHES] << 32) | (found << 2) | kind


@internal_kernel
def index_of_largest(numbers: NDArray[np.int64]) -> int:
    """Return the index of the largest number, the first of equal ones.

    numpy's `argmax` takes numba longer to compile.
    """
    place = 0
    for index in range(1, len(numbers)):
        if numbers[index] > numbers[place]:
            place = index
    return place


@merged
def count_without_guess(
    search: Search,
    table: NDArray[np.uint8],
    column: int,
    nodes: int,
    stop: NDArray[np.int8],
) -> int:
    """Count the solutions in which no guess is left after a cell is opened.

    Args:
        search: As `solve_table` left it.
        table: The same table.
        column: The cell.
        nodes: States to search.
        stop: (1,); anything but 0 breaks off.

    Returns:
        The number; beyond the budget a number that is too small.
    """
    restart_count(search, nodes)
    block = pack_block(table, np.arange(len(table)), np.arange(table.shape[1]))
    cells = np.arange(len(block.column))
    number = 0
    for cell in range(len(cells)):
        if block.column[cell] != column:
            continue
        state = full_state(len(table))
        group = np.empty(len(state) << 6, np.int64)
        parts = open_cell(block, state, cell)
        for part in range(len(parts)):
            size = size_of(parts[part])
            if group_alike(block, parts[part], group) < size:
                continue
            won = solve_state(search, table, block, parts[part], size, size - 1, cells, stop)
            if won == size and search.counters[STOPPED] == 0:
                number += size
    return number
