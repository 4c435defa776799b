"""Counting the placements of one component, by number of mines.

`count` gives each state (see `exploring`) its number of ways to be reached, by number of
mines. `weigh` goes back from the end: each state gets the sum over all that can follow of
the weight of what that makes of the whole board, again by number of mines so far. The two
together give each box its share; nothing is convolved.

Ways are whole numbers, and products of them count something on the board: in floats none
is ever below 1 or above 2 ** covered cells. So as long as there are at most
`combining.PLAIN` covered cells nothing overflows, nothing vanishes, and a number is zero
if and only if nothing was there to count. On larger boards each layer is scaled by powers
of two, and what would vanish is kept at `TINY`.
"""

from __future__ import annotations

from math import frexp, ldexp
from typing import Final

from bot.solver.compiled import compiled, inlined
from bot.solver.kernel.status import PAUSED, SOLVED
from bot.solver.kernel.workspace import (
    BUDGET,
    EDGE,
    EXPONENT,
    FEWEST,
    FIRST_BOX,
    FIRST_STATE,
    HIGH,
    LAYER,
    LEAST,
    LENGTH,
    LOW,
    PART_BOXES,
    POLYNOMIAL,
    POSSIBLE,
    SCALED,
    SIZE,
    SPENT,
    STATES,
    TILT,
    TOTALS,
    Floats,
    Ints,
    Work,
)

TINY: Final = 2.0**-500
"""On large boards what is smaller is taken for this: it says 'possible', and weighs nothing."""


@inlined
def _weights(size: int, tilt: int, ways: Floats) -> None:
    """How much so many mines in a box weigh: the ways to place them, tilted."""
    ways[0] = 1.0
    for mines in range(1, size + 1):
        ways[mines] = ways[mines - 1] * (size - mines + 1) / mines
    if tilt:
        for mines in range(size + 1):
            ways[mines] = ldexp(ways[mines], tilt * mines)


@compiled
def count(at: int, work: Work) -> int:
    """The ways to reach each state of a component, by number of mines, in `forward`.

    Goes on at box `number[LAYER]`.

    Returns:
        `SOLVED`, or `PAUSED` where the budget is spent.
    """
    number, part, state, forward = work.number, work.part, work.state, work.forward
    first = part[at, FIRST_BOX]
    start = part[at, FIRST_STATE]
    last = start + part[at, STATES] - 1
    length = state[last, HIGH] - state[last, LOW] + 1
    if number[LAYER] == 0:
        for place in range(state[start, POLYNOMIAL], state[last, POLYNOMIAL] + length):
            forward[place] = 0.0
        forward[state[start, POLYNOMIAL]] = 1.0
        part[at, EXPONENT] = 0
    while number[LAYER] < part[at, PART_BOXES]:
        if number[SPENT] > number[BUDGET]:
            return PAUSED
        place = first + at + number[LAYER]
        begin, end = int(work.layer[place]), int(work.layer[place + 1])
        _weights(work.box[work.order[1, first + number[LAYER]], SIZE], number[TILT], work.ways)
        if number[SCALED]:
            part[at, EXPONENT] += _scale(begin, end, state, forward)
        for source in range(begin, end):
            if state[source, POLYNOMIAL] >= 0:
                number[SPENT] += _send(source, state, work.target, forward, work.ways)
        number[LAYER] += 1
    if number[SCALED]:
        part[at, EXPONENT] += _scale(last, last + 1, state, forward)
    part[at, TOTALS] = state[last, POLYNOMIAL]
    part[at, FEWEST] = state[last, LOW]
    part[at, LENGTH] = length
    return SOLVED


@inlined
def _send(source: int, state: Ints, target: Ints, forward: Floats, ways: Floats) -> int:
    """Add the ways to reach a state to those that come after it; the steps it took."""
    own = state[source, POLYNOMIAL]
    low, length = state[source, LOW], state[source, HIGH] - state[source, LOW] + 1
    mines = state[source, LEAST]
    edges = state[source + 1, EDGE] - state[source, EDGE]
    for edge in range(state[source, EDGE], state[source, EDGE] + edges):
        there = target[edge]
        if state[there, POLYNOMIAL] >= 0:
            other = state[there, POLYNOMIAL] + low + mines - state[there, LOW]
            for step in range(length):
                forward[other + step] += ways[mines] * forward[own + step]
        mines += 1
    return int(edges * (1 + (length >> 2)))


@compiled
def _scale(begin: int, end: int, state: Ints, values: Floats) -> int:
    """Bring the largest value of a layer near 1, none that is not zero below `TINY`.

    Returns:
        The power of two that was taken out.
    """
    most = 0.0
    for at in range(begin, end):
        place = state[at, POLYNOMIAL]
        if place >= 0:
            for step in range(state[at, HIGH] - state[at, LOW] + 1):
                most = max(most, values[place + step])
    exponent = frexp(most)[1]
    factor = ldexp(1.0, -exponent)
    for at in range(begin, end):
        place = state[at, POLYNOMIAL]
        if place >= 0:
            for step in range(state[at, HIGH] - state[at, LOW] + 1):
                if values[place + step] > 0:
                    values[place + step] = max(values[place + step] * factor, TINY)
    return exponent


@compiled
def weigh(at: int, work: Work) -> int:
    """The mean number of mines in each box of a component, and whether it has any, or room.

    Needs `others`: for each number of mines in the component, what the rest of the board
    weighs then, from `part[at, FEWEST]` on. Goes on before box `number[LAYER]`.

    Returns:
        `SOLVED`, or `PAUSED` where the budget is spent.
    """
    number, part, state, box = work.number, work.part, work.state, work.box
    first = part[at, FIRST_BOX]
    if number[LAYER] == part[at, PART_BOXES]:
        last = part[at, FIRST_STATE] + part[at, STATES] - 1
        for step in range(part[at, LENGTH]):
            work.backward[state[last, POLYNOMIAL] + step] = work.others[step]
    while number[LAYER] > 0:
        if number[SPENT] > number[BUDGET]:
            return PAUSED
        number[LAYER] -= 1
        place = first + at + number[LAYER]
        begin, end = int(work.layer[place]), int(work.layer[place + 1])
        index = work.order[1, first + number[LAYER]]
        size = box[index, SIZE]
        _weights(size, number[TILT], work.ways)
        mean = whole = 0.0
        possible = 0
        for source in range(begin, end):
            if state[source, POLYNOMIAL] >= 0:
                own_mean, own_whole, own = _gather(
                    source, size, state, work.target, work.forward, work.backward, work.ways
                )
                mean += own_mean
                whole += own_whole
                possible |= own
                number[SPENT] += state[source + 1, EDGE] - state[source, EDGE]
        if number[SCALED]:
            _scale(begin, end, state, work.backward)
        work.share[index] = mean / whole
        box[index, POSSIBLE] = possible
    return SOLVED


@inlined
def _gather(
    source: int,
    size: int,
    state: Ints,
    target: Ints,
    forward: Floats,
    backward: Floats,
    ways: Floats,
) -> tuple[float, float, int]:
    """What a state's ways on weigh, by number of mines so far, in `backward`.

    Returns:
        The weight of the solutions through it, times mines in the box, and as it is; what
        is possible in the box (see `workspace.POSSIBLE`).
    """
    own = state[source, POLYNOMIAL]
    low, length = state[source, LOW], state[source, HIGH] - state[source, LOW] + 1
    for step in range(length):
        backward[own + step] = 0.0
    mean = whole = 0.0
    possible = 0
    mines = state[source, LEAST]
    for edge in range(state[source, EDGE], state[source + 1, EDGE]):
        there = target[edge]
        if state[there, POLYNOMIAL] >= 0:
            other = state[there, POLYNOMIAL] + low + mines - state[there, LOW]
            both = 0.0
            for step in range(length):
                value = ways[mines] * backward[other + step]
                backward[own + step] += value
                both += forward[own + step] * value
            mean += mines * both
            whole += both
            if both > 0 or _meet(own, other, length, forward, backward):
                possible |= (mines < size) | (mines > 0) << 1
        mines += 1
    return mean, whole, possible


@compiled
def _meet(own: int, other: int, length: int, forward: Floats, backward: Floats) -> bool:
    """Whether a number of mines is possible on both sides, though the product vanished."""
    for step in range(length):  # noqa: SIM110 - `any` is not compiled
        if forward[own + step] > 0 and backward[other + step] > 0:
            return True
    return False
