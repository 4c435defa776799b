"""The placements of a board by number of mines, exactly: modulo primes, for whole numbers."""

from __future__ import annotations

from bot.solver.compiled import compiled
from bot.solver.kernel.workspace import (
    EDGE,
    FIRST_BOX,
    FIRST_STATE,
    HIGH,
    LEAST,
    LENGTH,
    LOW,
    PART_BOXES,
    PART_COUNT,
    POLYNOMIAL,
    SIZE,
    STATES,
    Ints,
    Longs,
    Work,
)


@compiled
def placements_modulo(work: Work, prime: int, values: Longs, product: Longs) -> None:
    """Placements on the perimeter, by number of mines, modulo a prime.

    Args:
        work: After a run of `position.solve_position` that counted everything.
        prime: Below 2 ** 31.
        values: As long as `work.forward` at least; scratch.
        product: Two rows; the first gets the product of all components, each from its
            fewest mines on, cut off where the row ends.
    """
    for place in range(product.shape[1]):
        product[0, place] = 0
    product[0, 0] = 1
    for at in range(work.number[PART_COUNT]):
        last = work.part[at, FIRST_STATE] + work.part[at, STATES] - 1
        _count_modulo(at, work, prime, values)
        totals = work.state[last, POLYNOMIAL]
        for place in range(product.shape[1]):
            total = 0
            for step in range(min(work.part[at, LENGTH], place + 1)):
                total = (total + values[totals + step] * product[0, place - step]) % prime
            product[1, place] = total
        for place in range(product.shape[1]):
            product[0, place] = product[1, place]


@compiled
def _count_modulo(at: int, work: Work, prime: int, values: Longs) -> None:
    """As `counting.count`, modulo a prime."""
    part, state = work.part, work.state
    first = part[at, FIRST_BOX]
    start = part[at, FIRST_STATE]
    last = start + part[at, STATES] - 1
    end = state[last, POLYNOMIAL] + state[last, HIGH] - state[last, LOW] + 1
    for place in range(state[start, POLYNOMIAL], end):
        values[place] = 0
    values[state[start, POLYNOMIAL]] = 1
    for turn in range(part[at, PART_BOXES]):
        size = work.box[work.order[1, first + turn], SIZE]
        for source in range(work.layer[first + at + turn], work.layer[first + at + turn + 1]):
            if state[source, POLYNOMIAL] >= 0:
                _send_modulo(source, size, state, work.target, values, prime)


@compiled
def _send_modulo(
    source: int, size: int, state: Ints, target: Ints, values: Longs, prime: int
) -> None:
    own = state[source, POLYNOMIAL]
    low, length = state[source, LOW], state[source, HIGH] - state[source, LOW] + 1
    mines = state[source, LEAST]
    ways = 1
    for placed in range(mines):
        ways = ways * (size - placed) // (placed + 1)
    for edge in range(state[source, EDGE], state[source + 1, EDGE]):
        there = target[edge]
        if state[there, POLYNOMIAL] >= 0:
            other = state[there, POLYNOMIAL] + low + mines - state[there, LOW]
            for step in range(length):
                values[other + step] = (values[other + step] + ways * values[own + step]) % prime
        ways = ways * (size - mines) // (mines + 1)
        mines += 1
