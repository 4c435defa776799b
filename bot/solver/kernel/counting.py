"""Count the placements of the components, and combine them by the number of mines on the board.

`count` gives each state (see `components`) its number of ways to be reached, by number of
mines. With T(m) placements of m mines on the perimeter, F floating cells and M mines, there
are sum over m of T(m) * C(F, M - m) solutions: `combine` multiplies the components one
after the other (`chain`). On the way back `weigh_rest` computes what the rest of the board
weighs for each number of mines in a component (`others`), and `weigh` goes back through
its states: each gets the sum over all that can follow of the weight of the whole board.
Forward and backward values together give each box its share; nothing is convolved.

Numerical range: ways are whole numbers, and products of them count something on the board:
none is below 1 or above 2 ** covered cells. With up to `UNSCALED_CELLS` covered cells
nothing overflows, and a number is zero if and only if nothing was there to count. A board
of 100x100 has terms from 1 to 10^2000, so each layer is scaled by powers of two, values that
would underflow are kept at `TINY`, and all terms are tilted: the one for m mines times
2^(q m), which changes no quotient as long as everything is tilted alike, and is exact. With
q chosen so that the expected number of mines comes out near M, the terms that matter are
near the largest ones; those 2^600 times smaller say only what is possible.

Probabilities are quotients of sums of positive floats, good to about 1e-14. Numbers of
solutions beyond 2 ** 53 are counted modulo primes (`placements_modulo`).
"""

from __future__ import annotations

from math import frexp, ldexp, sqrt
from typing import Final

import numpy as np

from bot.solver.compiled import inlined, internal_kernel, kernel, merged
from bot.solver.kernel.tables import (
    BOX_CELL,
    BOX_COUNT,
    BUDGET,
    CHAIN,
    CHAIN_LENGTH,
    COLS,
    COMPONENT_BOXES,
    COMPONENT_COUNT,
    CONSTRAINTS,
    COVERED_KIND,
    EDGE,
    EXPONENT,
    FEWEST,
    FEWEST_HERE,
    FEWEST_SO_FAR,
    FIRST_BOX,
    FIRST_STATE,
    FLOATING,
    FLOATING_RISK,
    KNOWN,
    LAYER,
    LENGTH,
    MINED,
    MINES_LEFT,
    MOST_SO_FAR,
    PAUSED,
    POLYNOMIAL,
    POSSIBLE,
    ROWS,
    SCALED,
    SIZE,
    SOLUTIONS,
    SOLUTIONS_EXPONENT,
    SOLVED,
    SPENT,
    STATES,
    TAIL,
    TAIL_LENGTH,
    TILT,
    TILT_HIGH,
    TILT_LOW,
    TOO_SMALL,
    TOTALS,
    WIDE,
    WRONG_MINE_COUNT,
    Floats,
    Ints,
    Longs,
    Work,
)

TINY: Final = 2.0**-500
"""Lower limit of values on large boards: it marks a value as possible, with negligible weight."""


@inlined
def _weights(size: int, tilt: int, ways: Floats) -> None:
    """Compute the weight of each number of mines in a box: the ways to place them, tilted."""
    ways[0] = 1.0
    for mines in range(1, size + 1):
        ways[mines] = ways[mines - 1] * (size - mines + 1) / mines
    if tilt:
        for mines in range(size + 1):
            ways[mines] = ldexp(ways[mines], tilt * mines)


@internal_kernel
def count(at: int, work: Work) -> int:
    """Count the ways to reach each state of a component, by number of mines, in `forward`.

    Continues at box `number[LAYER]`.

    Returns:
        `SOLVED`, or `PAUSED` if the budget is spent.
    """
    number, component, state, forward = work.number, work.component, work.state, work.forward
    first = component[at, FIRST_BOX]
    start = component[at, FIRST_STATE]
    last = start + component[at, STATES] - 1
    length = state[last, MOST_SO_FAR] - state[last, FEWEST_SO_FAR] + 1
    if number[LAYER] == 0:
        for place in range(state[start, POLYNOMIAL], state[last, POLYNOMIAL] + length):
            forward[place] = 0.0
        forward[state[start, POLYNOMIAL]] = 1.0
        component[at, EXPONENT] = 0
    while number[LAYER] < component[at, COMPONENT_BOXES]:
        if number[SPENT] > number[BUDGET]:
            return PAUSED
        place = first + at + number[LAYER]
        begin, end = int(work.layer[place]), int(work.layer[place + 1])
        _weights(work.box[work.order[1, first + number[LAYER]], SIZE], number[TILT], work.ways)
        if number[SCALED]:
            component[at, EXPONENT] += _normalise_layer(begin, end, state, forward)
        for source in range(begin, end):
            if state[source, POLYNOMIAL] >= 0:
                number[SPENT] += _propagate_forward(source, state, work.target, forward, work.ways)
        number[LAYER] += 1
    if number[SCALED]:
        component[at, EXPONENT] += _normalise_layer(last, last + 1, state, forward)
    component[at, TOTALS] = state[last, POLYNOMIAL]
    component[at, FEWEST] = state[last, FEWEST_SO_FAR]
    component[at, LENGTH] = length
    return SOLVED


@inlined
def _propagate_forward(
    source: int, state: Ints, target: Ints, forward: Floats, ways: Floats
) -> int:
    """Add the ways to reach a state to its successors; return the steps it took."""
    own = state[source, POLYNOMIAL]
    low, length = (
        state[source, FEWEST_SO_FAR],
        state[source, MOST_SO_FAR] - state[source, FEWEST_SO_FAR] + 1,
    )
    mines = state[source, FEWEST_HERE]
    edges = state[source + 1, EDGE] - state[source, EDGE]
    for edge in range(state[source, EDGE], state[source, EDGE] + edges):
        there = target[edge]
        if state[there, POLYNOMIAL] >= 0:
            other = state[there, POLYNOMIAL] + low + mines - state[there, FEWEST_SO_FAR]
            for step in range(length):
                forward[other + step] += ways[mines] * forward[own + step]
        mines += 1
    return int(edges * (1 + (length >> 2)))


@internal_kernel
def _normalise_layer(begin: int, end: int, state: Ints, values: Floats) -> int:
    """Scale a layer so that its largest value is near 1 and no positive one is below `TINY`.

    Returns:
        The power of two that was taken out.
    """
    most = 0.0
    for at in range(begin, end):
        place = state[at, POLYNOMIAL]
        if place >= 0:
            for step in range(state[at, MOST_SO_FAR] - state[at, FEWEST_SO_FAR] + 1):
                most = max(most, values[place + step])
    exponent = frexp(most)[1]
    factor = ldexp(1.0, -exponent)
    for at in range(begin, end):
        place = state[at, POLYNOMIAL]
        if place >= 0:
            for step in range(state[at, MOST_SO_FAR] - state[at, FEWEST_SO_FAR] + 1):
                if values[place + step] > 0:
                    values[place + step] = max(values[place + step] * factor, TINY)
    return exponent


@kernel
def weigh(at: int, work: Work) -> int:
    """Compute the mean number of mines in each box of a component, and which cells are possible.

    Needs `others`: the weight of the rest of the board for each number of mines in the component,
    from `component[at, FEWEST]` on. Continues before box `number[LAYER]`. Afterwards a positive
    number in `backward` proves that a solution has that state and that number of mines before it.

    Returns:
        `SOLVED`, or `PAUSED` if the budget is spent.
    """
    number, component, state, box = work.number, work.component, work.state, work.box
    first = component[at, FIRST_BOX]
    if number[LAYER] == component[at, COMPONENT_BOXES]:
        last = component[at, FIRST_STATE] + component[at, STATES] - 1
        for step in range(component[at, LENGTH]):
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
                own_mean, own_whole, own = _propagate_backward(
                    source, size, state, work.target, work.forward, work.backward, work.ways
                )
                mean += own_mean
                whole += own_whole
                possible |= own
                number[SPENT] += state[source + 1, EDGE] - state[source, EDGE]
        if number[SCALED]:
            _normalise_layer(begin, end, state, work.backward)
        work.share[index] = mean / whole
        box[index, POSSIBLE] = possible
    return SOLVED


@inlined
def _propagate_backward(
    source: int,
    size: int,
    state: Ints,
    target: Ints,
    forward: Floats,
    backward: Floats,
    ways: Floats,
) -> tuple[float, float, int]:
    """Sum the weights of a state's successors, by number of mines so far, in `backward`.

    Returns:
        The weight of the solutions through it, times mines in the box, and as it is; what
        is possible in the box (see `tables.POSSIBLE`).
    """
    own = state[source, POLYNOMIAL]
    low, length = (
        state[source, FEWEST_SO_FAR],
        state[source, MOST_SO_FAR] - state[source, FEWEST_SO_FAR] + 1,
    )
    for step in range(length):
        backward[own + step] = 0.0
    mean = whole = 0.0
    possible = 0
    mines = state[source, FEWEST_HERE]
    for edge in range(state[source, EDGE], state[source + 1, EDGE]):
        there = target[edge]
        if state[there, POLYNOMIAL] >= 0:
            other = state[there, POLYNOMIAL] + low + mines - state[there, FEWEST_SO_FAR]
            both = 0.0
            for step in range(length):
                value = ways[mines] * backward[other + step]
                backward[own + step] += value
                both += forward[own + step] * value
            mean += mines * both
            whole += both
            if both > 0 or _overlap(own, other, length, forward, backward):
                possible |= (mines < size) | (mines > 0) << 1
        mines += 1
    return mean, whole, possible


@internal_kernel
def _overlap(own: int, other: int, length: int, forward: Floats, backward: Floats) -> bool:
    """Return whether a number of mines is possible on both sides though the product underflowed."""
    for step in range(length):  # noqa: SIM110 - `any` is not compiled
        if forward[own + step] > 0 and backward[other + step] > 0:
            return True
    return False


UNSCALED_CELLS: Final = 900
"""Number of covered cells up to which no number is above 2 ** 900 or below 1."""
ALMOST_SAFE: Final = 5e-324
ALMOST_MINE: Final = 1.0 - 2.0**-53


@internal_kernel
def combine(work: Work) -> int:
    """Combine all components and the floating cells by their numbers of mines.

    Returns:
        A status: `WRONG_MINE_COUNT` if no solution has the right number of mines.
    """
    number, component, chain = work.number, work.component, work.chain
    mines = number[MINES_LEFT]
    for at in range(number[COMPONENT_COUNT]):
        mines -= component[at, FEWEST]
    if mines < 0:
        return WRONG_MINE_COUNT
    chain[0] = 1.0
    length = 1
    begin = 0
    exponent = 0
    for at in range(number[COMPONENT_COUNT]):
        component[at, CHAIN], component[at, CHAIN_LENGTH] = begin, length
        end = begin + length
        # Not more mines than the board has.
        longer = min(length + component[at, LENGTH] - 1, mines + 1)
        if end + longer > len(chain):
            return TOO_SMALL
        totals = work.forward[component[at, TOTALS] : component[at, TOTALS] + component[at, LENGTH]]
        _multiply(chain[begin:end], totals, chain[end : end + longer])
        exponent += component[at, EXPONENT]
        if number[SCALED]:
            exponent += _normalise(chain[end : end + longer])
        begin, length = end, longer
    end = begin + length
    if end + length > len(chain):
        return TOO_SMALL
    number[TAIL], number[TAIL_LENGTH] = end, length
    tail = chain[end : end + length]
    exponent += _floating_weights(mines, number, tail, work.factorial)
    whole = _weigh_floating(mines, chain[begin:end], tail, work)
    if whole == 0.0:
        return WRONG_MINE_COUNT
    work.real[SOLUTIONS], extra = frexp(whole)
    number[SOLUTIONS_EXPONENT] = exponent + extra - number[TILT] * number[MINES_LEFT]
    return SOLVED


@internal_kernel
def _multiply(one: Floats, other: Floats, product: Floats) -> None:
    """Multiply two polynomials, cut off at the end of `product`."""
    for place in range(len(product)):
        product[place] = 0.0
    for place in range(len(one)):
        for step in range(min(len(other), len(product) - place)):
            product[place + step] += one[place] * other[step]


@internal_kernel
def _normalise(values: Floats) -> int:
    """Scale so that the largest is near 1, no positive one below `TINY`; return the exponent."""
    most = 0.0
    for place in range(len(values)):
        most = max(most, values[place])
    exponent = frexp(most)[1]
    for place in range(len(values)):
        if values[place] > 0:
            values[place] = max(ldexp(values[place], -exponent), TINY)
    return exponent


@merged
def _floating_weights(mines: int, number: Longs, tail: Floats, factorial: Floats) -> int:
    """Compute C(floating, mines - t) for t in 0, 1, ..., tilted; return the exponent taken out."""
    floating = number[FLOATING]
    most = 0
    if number[SCALED]:
        most = -(1 << 60)
        for step in range(len(tail)):
            mines_there = mines - step
            if mines_there <= floating:
                most = max(
                    most,
                    _binomial(floating, mines_there, factorial)[1] + number[TILT] * mines_there,
                )
    for step in range(len(tail)):
        mines_there = mines - step
        tail[step] = 0.0
        if mines_there <= floating:
            value, exponent = _binomial(floating, mines_there, factorial)
            tail[step] = ldexp(value, exponent + number[TILT] * mines_there - most)
            if number[SCALED]:
                tail[step] = max(tail[step], TINY)
    return most


@internal_kernel
def _binomial(n: int, k: int, factorial: Floats) -> tuple[float, int]:
    """Return C(n, k) as a mantissa and a power of two."""
    value = factorial[0, n] / (factorial[0, k] * factorial[0, n - k])
    return value, int(factorial[1, n] - factorial[1, k] - factorial[1, n - k])


@merged
def _weigh_floating(mines: int, chain: Floats, tail: Floats, work: Work) -> float:
    """Return the weight of all solutions; write the mine probability of floating cells."""
    floating = work.number[FLOATING]
    whole = expected = 0.0
    possible = 0
    for step in range(len(chain)):
        if chain[step] > 0 and tail[step] > 0:
            weight = chain[step] * tail[step]
            whole += weight
            expected += weight * (mines - step)
            possible |= (mines - step < floating) | (mines - step > 0) << 1
    work.real[FLOATING_RISK] = (
        certain_or_clamped(expected / (whole * floating), possible) if floating else np.nan
    )
    return whole


@internal_kernel
def weigh_rest(at: int, work: Work) -> None:
    """Compute the weight of the rest of the board by number of mines in a component (`others`).

    Then takes the component in, so that the one before it can follow.
    """
    number, component, chain, others = work.number, work.component, work.chain, work.others
    before = chain[component[at, CHAIN] : component[at, CHAIN] + component[at, CHAIN_LENGTH]]
    tail = chain[number[TAIL] : number[TAIL] + number[TAIL_LENGTH]]
    length = component[at, LENGTH]
    for own in range(length):
        total = 0.0
        for step in range(min(len(before), len(tail) - own)):
            total += before[step] * tail[own + step]
        others[own] = total
    totals = work.forward[component[at, TOTALS] : component[at, TOTALS] + length]
    for step in range(len(before)):
        total = 0.0
        for own in range(min(length, len(tail) - step)):
            total += totals[own] * tail[own + step]
        tail[step] = total
    number[TAIL_LENGTH] = len(before)
    if number[SCALED]:
        _normalise(tail[: len(before)])
        _normalise(others[:length])


@internal_kernel
def certain_or_clamped(probability: float, possible: int) -> float:
    """Return the probability, certain if and only if the other outcome is impossible.

    Args:
        probability: As floats say.
        possible: Bit 0: no mine is possible; bit 1: a mine is.
    """
    if possible == 1:
        return 0.0
    if possible == 2:
        return 1.0
    return min(max(probability, ALMOST_SAFE), ALMOST_MINE)


@kernel
def write_probabilities(work: Work) -> None:
    """Write the mine probability of every cell."""
    number, cell, box, probability = work.number, work.cell, work.box, work.probability
    risk = work.real[FLOATING_RISK]
    cols = number[COLS]
    for row in range(number[ROWS]):
        for col in range(cols):
            place = row * cols + col
            known = cell[place, KNOWN]
            work.floating[place] = 0
            if work.kind[0, (row + 1) * (cols + 2) + col + 1] != COVERED_KIND:
                probability[place] = np.nan
            elif known:
                probability[place] = 1.0 if known == MINED else 0.0
            elif not cell[place, CONSTRAINTS]:
                probability[place] = risk
                work.floating[place] = 1
    for index in range(number[BOX_COUNT]):
        size = box[index, SIZE]
        risk = certain_or_clamped(work.share[index] / size, int(box[index, POSSIBLE]))
        for step in range(size):
            probability[box[index, BOX_CELL + step]] = risk


@merged
def adjust_tilt(work: Work) -> bool:
    """Choose a better tilt if the expected number of mines is far off; return whether it did.

    Between two whole tilts the expectation moves by less than the variance: even on
    100x100 cells what matters stays within 2 ** -330 of the largest terms.
    """
    number, component = work.number, work.component
    for at in range(number[COMPONENT_COUNT]):
        if component[at, WIDE]:
            return False
    odds = ldexp(1.0, number[TILT])
    chance = odds / (1 + odds)
    expected = number[FLOATING] * chance
    variance = expected * (1 - chance)
    for at in range(number[COMPONENT_COUNT]):
        whole = first = second = 0.0
        for step in range(component[at, LENGTH]):
            weight = work.forward[component[at, TOTALS] + step]
            whole += weight
            first += weight * step
            second += weight * step * step
        mean = first / whole
        expected += component[at, FEWEST] + mean
        variance += max(second / whole - mean * mean, 0.0)
    if abs(expected - number[MINES_LEFT]) <= 8 * sqrt(variance) + 1e-6:
        return False
    if expected < number[MINES_LEFT]:
        number[TILT_LOW] = number[TILT] + 1
    else:
        number[TILT_HIGH] = number[TILT] - 1
    if number[TILT_LOW] > number[TILT_HIGH]:
        return False
    number[TILT] = (number[TILT_LOW] + number[TILT_HIGH]) // 2
    return True


@kernel
def placements_modulo(work: Work, prime: int, values: Longs, product: Longs) -> None:
    """Count the placements on the perimeter, by number of mines, modulo a prime.

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
    for at in range(work.number[COMPONENT_COUNT]):
        last = work.component[at, FIRST_STATE] + work.component[at, STATES] - 1
        _count_modulo(at, work, prime, values)
        totals = work.state[last, POLYNOMIAL]
        for place in range(product.shape[1]):
            total = 0
            for step in range(min(work.component[at, LENGTH], place + 1)):
                total = (total + values[totals + step] * product[0, place - step]) % prime
            product[1, place] = total
        for place in range(product.shape[1]):
            product[0, place] = product[1, place]


@merged
def _count_modulo(at: int, work: Work, prime: int, values: Longs) -> None:
    """Count as `count` does, modulo a prime."""
    component, state = work.component, work.state
    first = component[at, FIRST_BOX]
    start = component[at, FIRST_STATE]
    last = start + component[at, STATES] - 1
    end = state[last, POLYNOMIAL] + state[last, MOST_SO_FAR] - state[last, FEWEST_SO_FAR] + 1
    for place in range(state[start, POLYNOMIAL], end):
        values[place] = 0
    values[state[start, POLYNOMIAL]] = 1
    for turn in range(component[at, COMPONENT_BOXES]):
        size = work.box[work.order[1, first + turn], SIZE]
        for source in range(work.layer[first + at + turn], work.layer[first + at + turn + 1]):
            if state[source, POLYNOMIAL] >= 0:
                _propagate_modulo(source, size, state, work.target, values, prime)


@merged
def _propagate_modulo(
    source: int, size: int, state: Ints, target: Ints, values: Longs, prime: int
) -> None:
    """Add the ways to reach a state to its successors, modulo a prime."""
    own = state[source, POLYNOMIAL]
    low, length = (
        state[source, FEWEST_SO_FAR],
        state[source, MOST_SO_FAR] - state[source, FEWEST_SO_FAR] + 1,
    )
    mines = state[source, FEWEST_HERE]
    ways = 1
    for placed in range(mines):
        ways = ways * (size - placed) // (placed + 1)
    for edge in range(state[source, EDGE], state[source + 1, EDGE]):
        there = target[edge]
        if state[there, POLYNOMIAL] >= 0:
            other = state[there, POLYNOMIAL] + low + mines - state[there, FEWEST_SO_FAR]
            for step in range(length):
                values[other + step] = (values[other + step] + ways * values[own + step]) % prime
        ways = ways * (size - mines) // (mines + 1)
        mines += 1
