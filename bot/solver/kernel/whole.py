"""The number of solutions of a board, as a whole number."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, comb, isqrt, log2
from typing import Final

import numpy as np

from bot.analysis import Limit
from bot.board import Board
from bot.solver.kernel.modular import placements_modulo
from bot.solver.kernel.running import run
from bot.solver.kernel.status import SOLVED
from bot.solver.kernel.workspace import (
    EXPONENT,
    FEWEST,
    LENGTH,
    LOOSE,
    MINES_LEFT,
    PART_COUNT,
    SCALED,
    TAIL,
    TILT,
    TOTALS,
    Work,
)

_FLOAT_IS_WHOLE: Final = 2.0**53
"""Sums of whole numbers that stay below are exact."""
_LARGEST: Final = (1 << 31) - 1


def solutions(board: Board) -> int:
    """The number of solutions of a board that `running.run` has solved before."""
    mines, floating, found = placements(board)
    fewest = max(mines - floating, 0)
    ways = comb(floating, mines - fewest)
    result = 0
    for loose, number in zip(range(mines - fewest, -1, -1), found[fewest:], strict=False):
        result += number * ways
        ways = ways * loose // (floating - loose + 1)
    return result


def placements(board: Board, by_remainders: bool = False) -> tuple[int, int, list[int]]:
    """The placements on what single hints leave of the perimeter, by number of mines.

    Args:
        board: Not wider than can be counted.
        by_remainders: The way it is done where floats are not whole; for tests.

    Returns:
        The mines that are left when the components have their fewest; the floating cells;
        the placements with so many mines more than that.
    """
    work, status = run(board, Limit())
    if status != SOLVED:
        raise ValueError("the placements of this board cannot be counted")
    number = work.number
    parts = work.part[: number[PART_COUNT]]
    mines = int(number[MINES_LEFT] - parts[:, FEWEST].sum())
    length = min(int((parts[:, LENGTH] - 1).sum()), mines) + 1
    floats = work.chain[number[TAIL] - length : number[TAIL]]
    if by_remainders or number[SCALED] or floats.max() >= _FLOAT_IS_WHOLE:
        found = _by_remainders(work, length)
    else:
        found = [int(value) for value in floats]
    return mines, int(number[LOOSE]), found


def _by_remainders(work: Work, length: int) -> list[int]:
    """Placements by number of mines, from their remainders: there is one for each set of cells.

    Source: the Chinese remainder theorem in Garner's form.
    """
    most = 1 << _bits(work)
    values = np.zeros(len(work.forward), np.int64)
    product = np.zeros((2, length), np.int64)
    found = [0] * length
    modulus = 1
    primes = _primes()
    while modulus <= most:
        prime = next(primes)
        placements_modulo(work, prime, values, product)
        inverse = pow(modulus, -1, prime)
        found = [
            value + modulus * ((remainder - value) * inverse % prime)
            for value, remainder in zip(found, product[0].tolist(), strict=True)
        ]
        modulus *= prime
    return found


def _bits(work: Work) -> int:
    """No fewer than a number of placements has."""
    bits = 1.0
    for part in work.part[: work.number[PART_COUNT]]:
        totals = work.forward[part[TOTALS] : part[TOTALS] + part[LENGTH]]
        mines = part[FEWEST] + np.arange(part[LENGTH])
        with np.errstate(divide="ignore"):
            # Some numbers of mines may be impossible.
            logs = np.log2(totals) + part[EXPONENT] - work.number[TILT] * mines
        bits += float(logs.max()) + log2(len(totals)) + 0.1
    return ceil(bits)


def _primes() -> Iterator[int]:
    """Primes below 2 ** 31, the largest first."""
    odd = range(3, isqrt(_LARGEST) + 1, 2)
    small = [n for n in odd if all(n % divisor for divisor in range(3, isqrt(n) + 1, 2))]
    candidate = _LARGEST
    while True:
        if all(candidate % divisor for divisor in small):
            yield candidate
        candidate -= 2
