"""The tree of the end game below a state of up to 64 solutions; `tree` says what it is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled
from bot.solver.ending.bits import ONE, lowest, ones, signed
from bot.solver.ending.word import (
    Small,
    bound_of,
    candidates,
    most_promising,
    most_won,
    open_safe,
    seen,
)
from bot.solver.ending.word_apart import independent

UPPER = 1
EXACT = 2
NODES, LEFT, OUT, STAMP = 0, 1, 2, 3
"""Places in `meter`: nodes so far, nodes allowed, whether the search was broken off, block."""


@compiled
def value(  # noqa: PLR0911, PLR0912, PLR0915
    block: Small,
    state: np.uint64,
    floor: int,
    at: int,
    count: int,
    top: int,
    meter: NDArray[np.int64],
    stop: NDArray[np.int8],
) -> int:
    """Solutions of the state that perfect play wins, or a bound of that which is at most `floor`.

    All that calls itself is in this one function: numba cannot keep functions on disk that
    call each other in a circle.

    Args:
        block: From `load`.
        state: Bits of solutions, at least one.
        floor: What is not more than this need not be exact.
        at: Where the list of cells begins on the stack.
        count: Its length.
        top: First free place of the stack of states.
        meter: See NODES; OUT is set when the search is broken off, and the answer means
            nothing then.
        stop: Anything but 0 breaks off.
    """
    size = ones(state)
    if size == 1:
        return 1
    if size == 2:
        other = lowest(state & (state - ONE))
        return 1 if (block.alike[lowest(state)] >> np.uint64(other)) & ONE else 2
    bound = most_won(block, state)
    if bound <= floor or bound == 1:
        return bound
    place = signed(
        ((state ^ (state >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(49)
    )
    packed = block.values[place]
    if block.keys[place] == state and packed >> 16 == meter[STAMP]:
        known: int = (packed >> 2) & 0x3FFF
        if packed & 3 == EXACT or known <= floor:
            return known
        bound = min(bound, known)
    meter[NODES] += 1
    if meter[NODES] > meter[LEFT] or stop[0] != 0:
        meter[OUT] = 1
    if meter[OUT] != 0:
        return 1
    below = at + count
    first = top
    left, parts = open_safe(block, state, at, count, below, top)
    product = False
    choices = 1
    if parts == 1:
        parts = independent(block, state, size, below, left, top)
        product = parts > 1
    guess = parts == 1
    if guess:
        choices = candidates(block, state, below, left, top)
        first = top + choices
    best = refuted = 0
    for _ in range(choices):
        enough = max(best, floor)
        if guess:
            chosen = most_promising(block, top, first)
            if block.bounds[chosen] <= enough:
                refuted = max(refuted, block.bounds[chosen])
                break
            block.bounds[chosen] = -1
            parts = seen(block, state, block.order[chosen], first)
        total = bound_of(block, first, parts, product)
        for part in range(first, first + parts):
            if total <= enough:
                break
            if product:
                others = total // block.bounds[part]
                needed = enough // others
            else:
                others = total - block.bounds[part]
                needed = enough - others
            got = value(block, block.sets[part], needed, below, left, first + parts, meter, stop)
            total = others * got if product else others + got
        if meter[OUT] != 0:
            return 1
        if total > enough:
            best = total
        else:
            refuted = max(refuted, total)
        if best >= bound:
            break
    if choices == 0:
        best = 1
    found = best if best > floor else min(refuted, bound)
    block.keys[place] = state
    kind = EXACT if found > floor else UPPER
    block.values[place] = (meter[STAMP] << 16) | (found << 2) | kind
    return found
