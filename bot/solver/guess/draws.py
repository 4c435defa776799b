"""Draw solutions of a solved board at random, each as likely as any other, and open their cells.

The number of mines on the perimeter is drawn first, then that of each component, from the
last to the first; then each component backwards from its end: the state before each state is drawn
by the number of ways that lead through it. Source: forward filtering and backward sampling, as for
hidden Markov models (Frühwirth-Schnatter 1994).
"""

from __future__ import annotations

from math import exp, lgamma
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED
from bot.solver.compiled import compiled
from bot.solver.kernel.tables import (
    BOX_CELL,
    CHAIN,
    CHAIN_LENGTH,
    COLS,
    COMPONENT_BOXES,
    COMPONENT_COUNT,
    COVERED_KIND,
    EDGE,
    FEWEST,
    FEWEST_HERE,
    FEWEST_SO_FAR,
    FIRST_BOX,
    FIRST_STATE,
    FLOATING,
    KNOWN,
    LENGTH,
    MINED,
    MINES_LEFT,
    MOST_SO_FAR,
    POLYNOMIAL,
    ROWS,
    SIZE,
    STATES,
    TAIL,
    TOTALS,
    Work,
)

HIDDEN_MINE: Final = 9
"""A mine on a drawn board, whose other entries are hints."""


@compiled
def draw(work: Work, mined: NDArray[np.int8]) -> None:
    """Draw a solution.

    Args:
        work: A board of up to `counting.UNSCALED_CELLS` covered cells, solved.
        mined: (cells,) gets 1 for a mine under a covered cell, else 0.
    """
    number, component = work.number, work.component
    rows, cols = number[ROWS], number[COLS]
    for row in range(rows):
        for col in range(cols):
            cell = row * cols + col
            covered = work.kind[0, (row + 1) * (cols + 2) + col + 1] == COVERED_KIND
            mined[cell] = covered and work.cell[cell, KNOWN] == MINED
    components = number[COMPONENT_COUNT]
    mines = number[MINES_LEFT]
    begin = 0
    for at in range(components):
        mines -= component[at, FEWEST]
        begin = component[at, CHAIN] + component[at, CHAIN_LENGTH]
    taken = _perimeter(work, mines, begin)
    _float(work, mines - taken, mined)
    for at in range(components - 1, -1, -1):
        own = _share(work, at, taken)
        taken -= own
        _place(work, at, own, mined)


@compiled
def _perimeter(work: Work, mines: int, begin: int) -> int:
    """Draw the number of mines on the perimeter above its minimum."""
    floating = work.number[FLOATING]
    length = work.number[TAIL] - begin
    total = 0.0
    chosen = 0
    # Logarithms of C(floating, there), as far as they differ; the largest is near the mean.
    middle = lgamma(floating / 2.0 + 1.0)
    for step in range(length):
        there = mines - step
        if not 0 <= there <= floating or work.chain[begin + step] == 0.0:
            continue
        logs = 2.0 * middle - lgamma(there + 1.0) - lgamma(floating - there + 1.0)
        total += work.chain[begin + step] * exp(logs)
        if np.random.random() * total < work.chain[begin + step] * exp(logs):  # noqa: NPY002
            chosen = step
    return chosen


@compiled
def _float(work: Work, mines: int, mined: NDArray[np.int8]) -> None:
    """Place the given number of mines on floating cells."""
    room = work.number[FLOATING]
    left = mines
    for cell in range(work.number[ROWS] * work.number[COLS]):
        if work.floating[cell]:
            if np.random.random() * room < left:  # noqa: NPY002 - as numba has it
                mined[cell] = 1
                left -= 1
            room -= 1


@compiled
def _share(work: Work, at: int, taken: int) -> int:
    """Draw how many of the mines shared by the components belong to the last one."""
    component = work.component
    total = 0.0
    chosen = 0
    for own in range(component[at, LENGTH]):
        rest = taken - own
        if 0 <= rest < component[at, CHAIN_LENGTH]:
            weight = (
                work.forward[component[at, TOTALS] + own] * work.chain[component[at, CHAIN] + rest]
            )
            total += weight
            if np.random.random() * total < weight:  # noqa: NPY002 - as numba has it
                chosen = own
    return chosen


@compiled
def _place(work: Work, at: int, own: int, mined: NDArray[np.int8]) -> None:
    """Place mines on a component, `own` more than its fewest."""
    component, state = work.component, work.state
    there = component[at, FIRST_STATE] + component[at, STATES] - 1
    mines = component[at, FEWEST] + own
    first = component[at, FIRST_BOX]
    for layer in range(component[at, COMPONENT_BOXES] - 1, -1, -1):
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
                here = state[source, FEWEST_HERE] + edge - state[source, EDGE]
                rest = mines - here
                if not state[source, FEWEST_SO_FAR] <= rest <= state[source, MOST_SO_FAR]:
                    continue
                weight = work.forward[
                    state[source, POLYNOMIAL] + rest - state[source, FEWEST_SO_FAR]
                ]
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


@compiled
def write_hints(hidden: NDArray[np.int8]) -> None:
    """Write the hints around the mines of a board."""
    rows, cols = hidden.shape
    for row in range(rows):
        for col in range(cols):
            if hidden[row, col] == HIDDEN_MINE:
                continue
            near = 0
            for r in range(max(row - 1, 0), min(row + 2, rows)):
                for c in range(max(col - 1, 0), min(col + 2, cols)):
                    near += hidden[r, c] == HIDDEN_MINE
            hidden[row, col] = near


@compiled
def reveal(
    tiles: NDArray[np.int8], hidden: NDArray[np.int8], cell: int, queue: NDArray[np.int64]
) -> int:
    """Open a cell that is no mine, and its region if it is a zero; return how many were opened."""
    rows, cols = tiles.shape
    if tiles[cell // cols, cell % cols] != COVERED:
        return 0
    queue[0] = cell
    tiles[cell // cols, cell % cols] = hidden[cell // cols, cell % cols]
    end = 1
    at = 0
    while at < end:
        row, col = queue[at] // cols, queue[at] % cols
        at += 1
        if hidden[row, col]:
            continue
        for r in range(max(row - 1, 0), min(row + 2, rows)):
            for c in range(max(col - 1, 0), min(col + 2, cols)):
                if tiles[r, c] == COVERED:
                    tiles[r, c] = hidden[r, c]
                    queue[end] = r * cols + c
                    end += 1
    return end
