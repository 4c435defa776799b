"""Counting in words of 64 bits, for kernels."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled

ONE = np.uint64(1)
ZERO = np.uint64(0)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


def constant(value: int) -> int:
    """A whole number for kernels.

    For a Python number as an argument numba compiles a function once more, and one that
    calls itself and is compiled twice crashes when it comes from the cache on disk.
    """
    return cast("int", np.int64(value))


@compiled
def signed(word: np.uint64) -> int:
    """Of words and whole numbers together numba makes floats: this many as a whole number."""
    return np.int64(word)  # type: ignore[return-value]


@compiled
def ones(word: np.uint64) -> int:
    """How many bits are set."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + (
        (word >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return signed((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@compiled
def highest(numbers: NDArray[np.int64]) -> int:
    """The place of the largest number, the first of equal ones.

    What numpy has for this and the like takes the compiler longer than a loop.
    """
    place = 0
    for index in range(1, len(numbers)):
        if numbers[index] > numbers[place]:
            place = index
    return place


@compiled
def lowest(word: np.uint64) -> int:
    """The place of the lowest set bit; 64 where none is."""
    return ones((word & (~word + np.uint64(1))) - np.uint64(1))
