"""From counted components to probabilities: the number of mines ties all of them together.

With T(m) placements of m mines on the perimeter, F floating cells and M mines, there are
sum over m of T(m) * C(F, M - m) solutions. The components are joined one after the other
(`chain`), and on the way back each learns what the rest of the board weighs for each
number of mines in it (`others`), which `counting.weigh` needs.

On boards with up to `PLAIN` covered cells all of this stays within the floats: nothing
overflows, nothing that is there becomes zero. A board of 100x100 has terms from 1 to
10^2000, so all of them are tilted: the term for m mines times 2^(q m), which changes no
quotient as long as everything is tilted alike, and is exact. With q chosen so that the
expected number of mines comes out near M, the terms that matter are near the largest
ones; those 2^600 times smaller say only what is possible.

Probabilities are quotients of sums of positive floats, good to about 1e-14.
"""

from __future__ import annotations

from math import frexp, ldexp, sqrt
from typing import Final

import numpy as np

from bot.solver.compiled import compiled, merged
from bot.solver.kernel.counting import TINY
from bot.solver.kernel.status import SOLVED, TOO_SMALL, WRONG_NUMBER
from bot.solver.kernel.workspace import (
    BOX_CELL,
    BOX_COUNT,
    CHAIN,
    CHAIN_LENGTH,
    COLS,
    COVERED_KIND,
    EXPONENT,
    EXPONENT_ALL,
    FEWEST,
    KNOWN,
    LENGTH,
    LOOSE,
    LOOSE_RISK,
    MINED,
    MINES_LEFT,
    PART_COUNT,
    POSSIBLE,
    ROWS,
    RULES,
    SCALED,
    SIZE,
    SOLUTIONS,
    TAIL,
    TAIL_LENGTH,
    TILT,
    TILT_HIGH,
    TILT_LOW,
    TOTALS,
    WIDE,
    Floats,
    Longs,
    Work,
)

PLAIN: Final = 900
"""With so many covered cells no number is above 2 ** 900 or below 1."""
ALMOST_SAFE: Final = 5e-324
ALMOST_MINE: Final = 1.0 - 2.0**-53


@compiled
def join(work: Work) -> int:
    """Weigh all components against each other and the floating cells.

    Returns:
        A status: `WRONG_NUMBER` where no solution has the right number of mines.
    """
    number, part, chain = work.number, work.part, work.chain
    mines = number[MINES_LEFT]
    for at in range(number[PART_COUNT]):
        mines -= part[at, FEWEST]
    if mines < 0:
        return WRONG_NUMBER
    chain[0] = 1.0
    length = 1
    begin = 0
    exponent = 0
    for at in range(number[PART_COUNT]):
        part[at, CHAIN], part[at, CHAIN_LENGTH] = begin, length
        end = begin + length
        # More mines than there are need not be thought of.
        longer = min(length + part[at, LENGTH] - 1, mines + 1)
        if end + longer > len(chain):
            return TOO_SMALL
        totals = work.forward[part[at, TOTALS] : part[at, TOTALS] + part[at, LENGTH]]
        _multiply(chain[begin:end], totals, chain[end : end + longer])
        exponent += part[at, EXPONENT]
        if number[SCALED]:
            exponent += _near_one(chain[end : end + longer])
        begin, length = end, longer
    end = begin + length
    if end + length > len(chain):
        return TOO_SMALL
    number[TAIL], number[TAIL_LENGTH] = end, length
    tail = chain[end : end + length]
    exponent += _tails(mines, number, tail, work.factorial)
    whole = _floating(mines, chain[begin:end], tail, work)
    if whole == 0.0:
        return WRONG_NUMBER
    work.real[SOLUTIONS], extra = frexp(whole)
    number[EXPONENT_ALL] = exponent + extra - number[TILT] * number[MINES_LEFT]
    return SOLVED


@compiled
def _multiply(one: Floats, other: Floats, product: Floats) -> None:
    """The product of two polynomials, cut off where `product` ends."""
    for place in range(len(product)):
        product[place] = 0.0
    for place in range(len(one)):
        for step in range(min(len(other), len(product) - place)):
            product[place + step] += one[place] * other[step]


@compiled
def _near_one(values: Floats) -> int:
    """Bring the largest near 1, none that is not zero below `TINY`; the power taken out."""
    most = 0.0
    for place in range(len(values)):
        most = max(most, values[place])
    exponent = frexp(most)[1]
    for place in range(len(values)):
        if values[place] > 0:
            values[place] = max(ldexp(values[place], -exponent), TINY)
    return exponent


@compiled
def _tails(mines: int, number: Longs, tail: Floats, factorial: Floats) -> int:
    """C(floating, mines - t) for t in 0, 1, ..., tilted; the power of two taken out."""
    floating = number[LOOSE]
    most = 0
    if number[SCALED]:
        most = -(1 << 60)
        for step in range(len(tail)):
            loose = mines - step
            if loose <= floating:
                most = max(most, _choose(floating, loose, factorial)[1] + number[TILT] * loose)
    for step in range(len(tail)):
        loose = mines - step
        tail[step] = 0.0
        if loose <= floating:
            value, exponent = _choose(floating, loose, factorial)
            tail[step] = ldexp(value, exponent + number[TILT] * loose - most)
            if number[SCALED]:
                tail[step] = max(tail[step], TINY)
    return most


@compiled
def _choose(n: int, k: int, factorial: Floats) -> tuple[float, int]:
    """C(n, k), as a number and a power of two."""
    value = factorial[0, n] / (factorial[0, k] * factorial[0, n - k])
    return value, int(factorial[1, n] - factorial[1, k] - factorial[1, n - k])


@compiled
def _floating(mines: int, chain: Floats, tail: Floats, work: Work) -> float:
    """The weight of all solutions; what they say of the floating cells is noted."""
    floating = work.number[LOOSE]
    whole = expected = 0.0
    possible = 0
    for step in range(len(chain)):
        if chain[step] > 0 and tail[step] > 0:
            weight = chain[step] * tail[step]
            whole += weight
            expected += weight * (mines - step)
            possible |= (mines - step < floating) | (mines - step > 0) << 1
    work.real[LOOSE_RISK] = decided(expected / (whole * floating), possible) if floating else np.nan
    return whole


@compiled
def back(at: int, work: Work) -> None:
    """What the rest of the board weighs for each number of mines in a component (`others`).

    Then takes the component in, so that the one before it can follow.
    """
    number, part, chain, others = work.number, work.part, work.chain, work.others
    before = chain[part[at, CHAIN] : part[at, CHAIN] + part[at, CHAIN_LENGTH]]
    tail = chain[number[TAIL] : number[TAIL] + number[TAIL_LENGTH]]
    length = part[at, LENGTH]
    for own in range(length):
        total = 0.0
        for step in range(min(len(before), len(tail) - own)):
            total += before[step] * tail[own + step]
        others[own] = total
    totals = work.forward[part[at, TOTALS] : part[at, TOTALS] + length]
    for step in range(len(before)):
        total = 0.0
        for own in range(min(length, len(tail) - step)):
            total += totals[own] * tail[own + step]
        tail[step] = total
    number[TAIL_LENGTH] = len(before)
    if number[SCALED]:
        _near_one(tail[: len(before)])
        _near_one(others[:length])


@compiled
def decided(probability: float, possible: int) -> float:
    """The probability, certain if and only if the other is impossible.

    Args:
        probability: As floats say.
        possible: Bit 0: no mine is possible; bit 1: a mine is.
    """
    if possible == 1:
        return 0.0
    if possible == 2:
        return 1.0
    return min(max(probability, ALMOST_SAFE), ALMOST_MINE)


@compiled
def lay_out(work: Work) -> None:
    """Write all probabilities in their places."""
    number, cell, box, probability = work.number, work.cell, work.box, work.probability
    risk = work.real[LOOSE_RISK]
    cols = number[COLS]
    for row in range(number[ROWS]):
        for col in range(cols):
            place = row * cols + col
            known = cell[place, KNOWN]
            work.loose[place] = 0
            if work.kind[0, (row + 1) * (cols + 2) + col + 1] != COVERED_KIND:
                probability[place] = np.nan
            elif known:
                probability[place] = 1.0 if known == MINED else 0.0
            elif not cell[place, RULES]:
                probability[place] = risk
                work.loose[place] = 1
    for index in range(number[BOX_COUNT]):
        size = box[index, SIZE]
        risk = decided(work.share[index] / size, int(box[index, POSSIBLE]))
        for step in range(size):
            probability[box[index, BOX_CELL + step]] = risk


@merged
def retilt(work: Work) -> bool:
    """Whether another tilt would bring the expected number of mines nearer to the true one.

    Between two whole tilts the expectation moves by less than the variance: even on
    100x100 cells what matters stays within 2 ** -330 of the largest terms.
    """
    number, part = work.number, work.part
    for at in range(number[PART_COUNT]):
        if part[at, WIDE]:
            return False
    odds = ldexp(1.0, number[TILT])
    chance = odds / (1 + odds)
    expected = number[LOOSE] * chance
    variance = expected * (1 - chance)
    for at in range(number[PART_COUNT]):
        whole = first = second = 0.0
        for step in range(part[at, LENGTH]):
            weight = work.forward[part[at, TOTALS] + step]
            whole += weight
            first += weight * step
            second += weight * step * step
        mean = first / whole
        expected += part[at, FEWEST] + mean
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
