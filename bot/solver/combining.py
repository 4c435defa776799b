"""From counted components to probabilities: the number of mines ties all of them together.

With T(m) placements of m mines on the perimeter, F floating cells and M mines, there are
sum over m of T(m) * C(F, M - m) solutions. What is *possible* (and so every certainty)
and the number of solutions are decided in whole numbers. Probabilities are quotients of
sums of positive floats, good to about 1e-14.

A board of 100x100 has terms from 1 to 10^2000, far beyond floats, so all of them are
tilted first: the term for m mines times 2^(q m), which changes no quotient as long as
everything is tilted alike, and is exact. With q chosen so that the expected number of
mines comes out near M, the terms that matter are near the largest ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb, log2, sqrt
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from bot.solver.counts import Count

Floats = NDArray[np.float64]
_T = TypeVar("_T")

_NEVER_TOO_SMALL: Final = 300
"""With so few cells no term is below 2 ** -700 of the largest, however wrong the tilt."""
_ALMOST_SAFE: Final = 5e-324
_ALMOST_MINE: Final = float(np.nextafter(1.0, 0.0))


@dataclass(frozen=True)
class Combined:
    """What the components and the number of mines say together."""

    boxes: list[list[float]]
    """For each component, the mine probability of a cell in each of its boxes."""
    floating: float
    """Mine probability of a floating cell; NaN where there is none."""
    solutions: int


def combine(
    counts: Sequence[Count], floating: int, mines: int, check: Callable[[], object] = lambda: None
) -> Combined | None:
    """Weigh all components against each other.

    Args:
        counts: The components.
        floating: Number of floating cells.
        mines: Mines in the components and the floating cells together.
        check: Called now and then; may raise to break off.

    Returns:
        The probabilities, 0.0 and 1.0 being proofs; None where no solution has `mines` mines.
    """
    spare = mines - sum(count.low for count in counts)
    window = _window(spare - floating, spare)
    supports = [count.support for count in counts]
    before, after = _running(supports, _sumset, 1)
    if not before[-1] & window:
        return None
    tilt = _tilt(counts, floating, mines, check)
    tilted = [count.tilted(tilt) for count in counts]
    prefix, suffix = _running([totals for totals, _ in tilted], np.convolve, np.ones(1))
    tails = _tails(floating, spare, len(prefix[-1]), tilt)
    boxes = []
    for number, count in enumerate(counts):
        check()
        others = np.convolve(prefix[number], suffix[number + 1])
        weights = np.correlate(tails, others, "valid")
        possible = _possible(
            supports[number], _sumset(before[number], after[number + 1]), spare, floating
        )
        totals, shares = tilted[number]
        whole = float(weights @ totals)
        found = (shares @ weights / (whole * np.array(count.sizes))).tolist()
        boxes.append(
            [
                _decided(p, mined & possible, free & possible)
                for p, mined, free in zip(found, count.mined, count.free, strict=True)
            ]
        )
    loose = float("nan")
    if floating:
        weights = prefix[-1] * tails
        expected = float(weights @ (spare - np.arange(len(weights)))) / float(weights.sum())
        reached = before[-1] & window
        most_on_perimeter = reached.bit_length() - 1
        fewest_on_perimeter = (reached & -reached).bit_length() - 1
        loose = _decided(
            expected / floating,
            spare - fewest_on_perimeter,
            floating - (spare - most_on_perimeter),
        )
    return Combined(boxes, loose, _solutions(counts, floating, spare, check))


def _decided(probability: float, mined: int, free: int) -> float:
    """The probability, certain if and only if one of the two is impossible (zero)."""
    if not mined:
        return 0.0
    if not free:
        return 1.0
    return min(max(probability, _ALMOST_SAFE), _ALMOST_MINE)


def _running(
    values: Sequence[_T], join: Callable[[_T, _T], _T], unit: _T
) -> tuple[list[_T], list[_T]]:
    """All products of the first k values, and of the values from k on; lengths n + 1."""
    prefix = [unit]
    for value in values:
        prefix.append(join(prefix[-1], value))
    suffix = [unit]
    for value in reversed(values):
        suffix.append(join(suffix[-1], value))
    return prefix, suffix[::-1]


def _sumset(one: int, other: int) -> int:
    """Bit masks of numbers: bit a + b is set where a and b are."""
    few, many = sorted((one, other), key=int.bit_count)
    result = 0
    while few:
        low = few & -few
        result |= many << (low.bit_length() - 1)
        few ^= low
    return result


def _window(low: int, high: int) -> int:
    """A bit mask of the numbers low..high that are not negative."""
    low = max(low, 0)
    return ((1 << (high - low + 1)) - 1) << low if high >= low else 0


def _possible(own: int, others: int, spare: int, floating: int) -> int:
    """The part of a component's support that some solution of the board uses."""
    result = 0
    left = own
    while left:
        bit = left & -left
        left ^= bit
        used = bit.bit_length() - 1
        if others & _window(spare - used - floating, spare - used):
            result |= bit
    return result


def _tilt(counts: Sequence[Count], floating: int, mines: int, check: Callable[[], object]) -> int:
    """The whole q for which the expected number of mines is nearest to the true one.

    Between two whole q the expectation moves by less than the variance: even on 100x100
    cells what matters stays within 1e-100 of the largest terms.
    """
    cells = floating + sum(sum(count.sizes) for count in counts)
    tilt = round(log2((mines + 0.5) / (cells - mines + 0.5)))
    if cells <= _NEVER_TOO_SMALL:
        return tilt
    low, high = -2 * cells - 64, 2 * cells + 64
    while low < high:
        check()
        expected, variance = _moments(counts, floating, tilt)
        if abs(expected - mines) <= 8 * sqrt(variance) + 1e-6:
            break
        if expected < mines:
            low = tilt + 1
        else:
            high = tilt
        tilt = (low + high) // 2
    return tilt


def _moments(counts: Sequence[Count], floating: int, tilt: int) -> tuple[float, float]:
    odds = 2.0 ** min(max(tilt, -500), 500)
    chance = odds / (1 + odds)
    expected, variance = floating * chance, floating * chance * (1 - chance)
    for count in counts:
        totals, _ = count.tilted(tilt)
        totals = totals / totals.sum()
        numbers = np.arange(len(totals))
        mean = float(totals @ numbers)
        expected += count.low + mean
        variance += float(totals @ (numbers - mean) ** 2)
    return expected, variance


def _tails(floating: int, spare: int, length: int, tilt: int) -> Floats:
    """C(floating, spare - t) * 2 ** (tilt * (spare - t)) for t in 0..length-1, largest 1."""
    fewest, most = max(0, spare - length + 1), min(floating, spare)
    odds = 2.0 ** min(max(tilt, -500), 500)
    mode = min(max(int((floating + 1) * (odds / (1 + odds))), fewest), most)
    numbers = np.arange(fewest, most)
    ratios = (floating - numbers) / (numbers + 1) * odds
    up = np.cumprod(ratios[mode - fewest :])
    down = np.cumprod(1 / ratios[: mode - fewest][::-1])[::-1]
    tails = np.zeros(length)
    # Index t counts the other way round: most floating mines come first.
    tails[spare - most : spare - fewest + 1] = np.concatenate((down, (1.0,), up))[::-1]
    return tails


def _solutions(
    counts: Sequence[Count], floating: int, spare: int, check: Callable[[], object]
) -> int:
    """The number of solutions, exactly."""
    polynomials: list[Sequence[int]] = [count.totals for count in counts] or [(1,)]
    while len(polynomials) > 1:
        polynomials = [
            _product(check, *polynomials[place : place + 2])
            for place in range(0, len(polynomials), 2)
        ]
    fewest = max(spare - floating, 0)
    ways = comb(floating, spare - fewest)
    result = 0
    for loose, placements in zip(
        range(spare - fewest, -1, -1), polynomials[0][fewest:], strict=False
    ):
        result += placements * ways
        ways = ways * loose // (floating - loose + 1)
    return result


def _product(
    check: Callable[[], object], one: Sequence[int], other: Sequence[int] = (1,)
) -> list[int]:
    """The product of two polynomials, many small steps: one long one stops all threads."""
    result = [0] * (len(one) + len(other) - 1)
    for place, factor in enumerate(one):
        if factor:
            check()
            for step, value in enumerate(other, place):
                result[step] += factor * value
    return result
