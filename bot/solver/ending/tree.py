"""The full tree of an end game: how many of its solutions perfect play wins.

A *state* is a set of solutions: those that agree with all that was seen. What is opened
follows from it. Its value is the number of its solutions that are won:

- Cells that are safe in all solutions cost nothing: they are opened at once, and what
  they show splits the state. The value is the sum over the parts.
- Else a cell is tried: solutions with a mine there are lost, the others are split by what
  it shows. The value is the largest such sum.
- One solution is won. Nothing but its mines need be covered.

What is left out, and why nothing better is lost:

- A *dead* cell shows the same wherever it is safe. A strategy that opens it can as well
  do so last; so it is not tried while a living one is left. Where all are dead nothing is
  ever learnt, and one solution is won.
- Where cell a is safe, cell b is safe: whoever opens a may open b before and loses nothing.
  So of the living cells only those are tried whose mines are a superset of no other's.
- Two solutions are *alike* when no cell that is safe in both shows something different.
  No strategy wins both: it opens the same cells in both until one of them is a mine. So a
  state is worth at most the number of groups into which its solutions fall, all alike in
  each. A cell whose bounds add up to no more than what is known to be won is left out.
- Parts of the board that know nothing of each other (the solutions are all combinations
  of the parts' own) are played out apart: what is won multiplies. By induction: a guess in
  one part multiplies the value of the others by what it leaves of its own.

States are kept with their values. A set of up to 64 solutions is one word
(`word`); larger ones are rows of words, and are packed anew when most of a row
is empty. The keys of larger ones are sums of random words, two for each: that two states
ever share both is not a matter of this world's time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled
from bot.solver.ending.bits import ALL, constant, highest, signed
from bot.solver.ending.rows import (
    Block,
    bounds_of,
    candidates,
    everything,
    members,
    most_won,
    open_safe,
    pack,
    seen,
    size_of,
)
from bot.solver.ending.rows_apart import independent
from bot.solver.ending.word import Small, load, small
from bot.solver.ending.word_tree import EXACT, LEFT, NODES, OUT, STAMP, UPPER
from bot.solver.ending.word_tree import value as value_of_word

PLACES = 1 << 16
SEARCH = 4
"""Place in `meter`: the number of the search, beside those of `word_tree`."""
START = constant(0)
"""Of stacks that are empty."""


class Tree(NamedTuple):
    """What a search takes and keeps; one for each thread."""

    small: Small
    keys: NDArray[np.uint64]
    """(PLACES, 2): states that were valued."""
    values: NDArray[np.int64]
    """(PLACES,): search, value and kind of value, packed."""
    chance: NDArray[np.uint64]
    """(solutions, 2): random words."""
    meter: NDArray[np.int64]
    """(4,): see `word_tree.NODES`; and the number of the search."""


def tree(most: int, cells: int) -> Tree:
    """Room to search boards of up to `most` solutions and so many covered cells."""
    random = np.random.default_rng(0).integers(0, 2**64, (most, 2), np.uint64)
    return Tree(
        small(cells),
        np.zeros((PLACES, 2), np.uint64),
        np.zeros(PLACES, np.int64),
        random,
        np.zeros(5, np.int64),
    )


@compiled
def value(  # noqa: PLR0911, PLR0912, PLR0915
    tree: Tree,
    hints: NDArray[np.uint8],
    block: Block,
    state: NDArray[np.uint64],
    floor: int,
    cells: NDArray[np.int64],
    stop: NDArray[np.int8],
) -> int:
    """Solutions of the state that perfect play wins, or a bound of that which is at most `floor`.

    All that calls itself is in this one function: numba cannot keep functions on disk that
    call each other in a circle.

    Args:
        tree: What was found out is kept in it.
        hints: The table.
        block: What `state` is a set of.
        state: Not empty.
        floor: What is not more than this need not be exact.
        cells: Cells of the block that may differ within the state.
        stop: Anything but 0 breaks off; the answer means nothing then, and OUT is set.
    """
    size = size_of(state)
    ids = members(block, state, size)
    meter = tree.meter
    if size <= 4:
        return value_small(tree, hints, ids, block.column[cells], floor, stop)
    key = key_of(tree, ids)
    place = signed(key[0] >> np.uint64(48))
    known, exact = look_up(tree, key, place)
    if known >= 0 and (exact or known <= floor):
        return known
    if size <= 64:
        found = value_small(tree, hints, ids, block.column[cells], floor, stop)
        keep(tree, key, place, found, floor)
        return found
    meter[NODES] += 1
    if meter[NODES] > meter[LEFT] or stop[0] != 0:
        meter[OUT] = 1
    if meter[OUT] != 0:
        return 1
    if 2 * ((size + 63) >> 6) <= len(state):
        block = pack(hints, ids, block.column[cells])
        state = everything(size)
        cells = np.arange(len(block.column))
    group = np.empty(len(state) << 6, np.int64)
    bound = most_won(block, state, group)
    if known >= 0:
        bound = min(bound, known)
    if bound <= floor or bound == 1:
        return bound
    parts, rest = open_safe(block, state, cells)
    product = False
    choice = cells[:1]
    bounds = np.full(1, bound)
    if len(parts) == 1:
        parts = independent(block, hints, state, rest)
        product = len(parts) > 1
    guess = len(parts) == 1
    if guess:
        choice = candidates(block, state, rest)
        bounds = bounds_of(block, state, choice, group)
    best = refuted = 0
    for _ in range(len(choice)):
        enough = max(best, floor)
        if guess:
            chosen = highest(bounds)
            if bounds[chosen] <= enough:
                refuted = max(refuted, bounds[chosen])
                break
            bounds[chosen] = -1
            parts = seen(block, state, choice[chosen])
        worth = np.empty(len(parts), np.int64)
        total = 1 if product else 0
        for part in range(len(parts)):
            worth[part] = most_won(block, parts[part], group)
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
            got = value(tree, hints, block, parts[part], needed, rest, stop)
            total = others * got if product else others + got
        if meter[OUT] != 0:
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
    keep(tree, key, place, found, floor)
    return found


@compiled
def key_of(tree: Tree, ids: NDArray[np.int64]) -> NDArray[np.uint64]:
    """(2,): the key of a set of solutions."""
    key = np.zeros(2, np.uint64)
    for one in ids:
        key[0] += tree.chance[one, 0]
        key[1] += tree.chance[one, 1]
    return key


@compiled
def look_up(tree: Tree, key: NDArray[np.uint64], place: int) -> tuple[int, bool]:
    """What is known of a state: a value (-1: nothing), and whether it is more than a bound."""
    packed = tree.values[place]
    if (
        packed >> 32 != tree.meter[SEARCH]
        or tree.keys[place, 0] != key[0]
        or tree.keys[place, 1] != key[1]
    ):
        return -1, False
    return (packed >> 2) & 0x3FFFFFFF, packed & 3 == EXACT


@compiled
def keep(tree: Tree, key: NDArray[np.uint64], place: int, found: int, floor: int) -> None:
    """Write down a value, unless the search was broken off."""
    if tree.meter[OUT] != 0:
        return
    tree.keys[place, 0] = key[0]
    tree.keys[place, 1] = key[1]
    kind = EXACT if found > floor else UPPER
    tree.values[place] = (tree.meter[SEARCH] << 32) | (found << 2) | kind


@compiled
def value_small(
    tree: Tree,
    hints: NDArray[np.uint8],
    ids: NDArray[np.int64],
    columns: NDArray[np.int64],
    floor: int,
    stop: NDArray[np.int8],
) -> int:
    """The same for up to 64 solutions."""
    size = len(ids)
    if size == 1:
        return 1
    tree.meter[STAMP] += 1
    count = load(tree.small, hints, ids, size, columns, len(columns))
    full = ALL >> np.uint64(64 - size)
    return value_of_word(tree.small, full, floor, START, count, START, tree.meter, stop)
