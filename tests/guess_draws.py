"""Solutions of a solved board drawn at random, each as likely as any other, in machine code.

The number of mines on the perimeter is drawn first, then that of each component, from the
last to the first; then each component backwards from its end, a state before it drawn
by the ways that lead through it. Source: forward filtering and backward sampling, as for
hidden Markov models (Frühwirth-Schnatter 1994).
"""

from __future__ import annotations

from math import exp, lgamma

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled
from bot.solver.kernel.workspace import (
    BOX_CELL,
    CHAIN,
    CHAIN_LENGTH,
    COLS,
    COVERED_KIND,
    EDGE,
    FEWEST,
    FIRST_BOX,
    FIRST_STATE,
    HIGH,
    KNOWN,
    LEAST,
    LENGTH,
    LOOSE,
    LOW,
    MINED,
    MINES_LEFT,
    PART_BOXES,
    PART_COUNT,
    POLYNOMIAL,
    ROWS,
    SIZE,
    STATES,
    TAIL,
    TOTALS,
    Work,
)


@compiled
def draw(work: Work, mined: NDArray[np.int8]) -> None:
    """Draw a solution.

    Args:
        work: A board of up to `combining.PLAIN` covered cells, solved.
        mined: (cells,) gets 1 for a mine under a covered cell, else 0.
    """
    number, part = work.number, work.part
    rows, cols = number[ROWS], number[COLS]
    for row in range(rows):
        for col in range(cols):
            cell = row * cols + col
            covered = work.kind[0, (row + 1) * (cols + 2) + col + 1] == COVERED_KIND
            mined[cell] = covered and work.cell[cell, KNOWN] == MINED
    parts = number[PART_COUNT]
    mines = number[MINES_LEFT]
    begin = 0
    for at in range(parts):
        mines -= part[at, FEWEST]
        begin = part[at, CHAIN] + part[at, CHAIN_LENGTH]
    taken = _perimeter(work, mines, begin)
    _float(work, mines - taken, mined)
    for at in range(parts - 1, -1, -1):
        own = _share(work, at, taken)
        taken -= own
        _place(work, at, own, mined)


@compiled
def _perimeter(work: Work, mines: int, begin: int) -> int:
    """How many mines more than its fewest the perimeter gets."""
    floating = work.number[LOOSE]
    length = work.number[TAIL] - begin
    total = 0.0
    chosen = 0
    # Logarithms of C(floating, loose), as far as they differ; the largest is near the mean.
    middle = lgamma(floating / 2.0 + 1.0)
    for step in range(length):
        loose = mines - step
        if not 0 <= loose <= floating or work.chain[begin + step] == 0.0:
            continue
        logs = 2.0 * middle - lgamma(loose + 1.0) - lgamma(floating - loose + 1.0)
        total += work.chain[begin + step] * exp(logs)
        if np.random.random() * total < work.chain[begin + step] * exp(logs):  # noqa: NPY002
            chosen = step
    return chosen


@compiled
def _float(work: Work, mines: int, mined: NDArray[np.int8]) -> None:
    """Lay so many mines on floating cells."""
    room = work.number[LOOSE]
    left = mines
    for cell in range(work.number[ROWS] * work.number[COLS]):
        if work.loose[cell]:
            if np.random.random() * room < left:  # noqa: NPY002 - as numba has it
                mined[cell] = 1
                left -= 1
            room -= 1


@compiled
def _share(work: Work, at: int, taken: int) -> int:
    """How many of the mines that components share falls to the last of them."""
    part = work.part
    total = 0.0
    chosen = 0
    for own in range(part[at, LENGTH]):
        rest = taken - own
        if 0 <= rest < part[at, CHAIN_LENGTH]:
            weight = work.forward[part[at, TOTALS] + own] * work.chain[part[at, CHAIN] + rest]
            total += weight
            if np.random.random() * total < weight:  # noqa: NPY002 - as numba has it
                chosen = own
    return chosen


@compiled
def _place(work: Work, at: int, own: int, mined: NDArray[np.int8]) -> None:
    """Lay mines on a component, `own` more than its fewest."""
    part, state = work.part, work.state
    there = part[at, FIRST_STATE] + part[at, STATES] - 1
    mines = part[at, FEWEST] + own
    first = part[at, FIRST_BOX]
    for layer in range(part[at, PART_BOXES] - 1, -1, -1):
        begin = work.layer[first + at + layer]
        end = work.layer[first + at + layer + 1]
        box = work.order[1, first + layer]
        size = work.box[box, SIZE]
        total = 0.0
        before = there
        laid = 0
        for source in range(begin, end):
            if state[source, POLYNOMIAL] < 0:
                continue
            for edge in range(state[source, EDGE], state[source + 1, EDGE]):
                if work.target[edge] != there:
                    continue
                here = state[source, LEAST] + edge - state[source, EDGE]
                rest = mines - here
                if not state[source, LOW] <= rest <= state[source, HIGH]:
                    continue
                weight = work.forward[state[source, POLYNOMIAL] + rest - state[source, LOW]]
                for step in range(here):
                    weight = weight * (size - step) / (step + 1)
                total += weight
                if np.random.random() * total < weight:  # noqa: NPY002 - as numba has it
                    before, laid = source, here
        there = before
        mines -= laid
        left = laid
        for place in range(size):
            if np.random.random() * (size - place) < left:  # noqa: NPY002 - as numba has it
                mined[work.box[box, BOX_CELL + place]] = 1
                left -= 1
