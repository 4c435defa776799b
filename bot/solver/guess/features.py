"""What the value function sees of a position: a few dozen numbers, all of order one."""

from __future__ import annotations

from math import log, log1p
from typing import Final, NamedTuple

import numpy as np

from bot.solver.compiled import compiled
from bot.solver.guess.structure import (
    FLOATING,
    MINE,
    OPENED,
    SAFE,
    classify,
    pairs,
    regions,
)
from bot.solver.kernel.workspace import (
    BOX,
    BOX_COUNT,
    COLS,
    EXPONENT_ALL,
    LOOSE_RISK,
    MINES_LEFT,
    PART_COUNT,
    ROWS,
    SIZE,
    SOLUTIONS,
    Floats,
    Ints,
    Work,
)

_BINS: Final = np.array([0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.75, 1.0])
"""Mine probabilities of perimeter cells are shared between the two bins next to them."""
_GLOBALS: Final = 40
FEATURES: Final = _GLOBALS + 3 * len(_BINS)
"""Three tables of bins: cells with few neighbours to learn of, other cells, boxes."""
RISK: Final = 1
"""The place of the least mine probability, 0 where a cell is proved safe ..."""
RISK_SCALE: Final = 4.0
"""... times this."""
_FEW: Final = 2
_MOST_UNITS: Final = 128
_LOG2: Final = log(2.0)

# Places in `total`: sums over cells.
_SAFE, _USEFUL, _FRESH, _FLOATING, _PERIMETER, _ZEROS = 0, 1, 2, 3, 4, 5
_ALONE, _DEAD, _CORNERS, _SIDES, _ENTROPY, _TOTALS = 6, 7, 8, 9, 10, 11


class Scratch(NamedTuple):
    """Room to describe one position."""

    feature: Floats
    """(FEATURES,): the answer."""
    kind: Ints
    """(cells,): see `structure`."""
    uncertain: Ints
    """(cells,): how many neighbours are neither opened nor certain."""
    queue: Ints
    seen: Ints
    total: Floats
    least: Floats
    """(3,): the least mine probabilities of different boxes (all floating cells are one)."""
    hidden: Floats
    """(2, units): for the network."""


def scratch_for(cells: int) -> Scratch:
    """Room for boards with up to so many cells."""
    return Scratch(
        np.zeros(FEATURES),
        np.zeros(cells, np.int32),
        np.zeros(cells, np.int32),
        np.zeros(cells, np.int32),
        np.zeros(cells, np.int32),
        np.zeros(_TOTALS),
        np.zeros(3),
        np.zeros((2, _MOST_UNITS)),
    )


@compiled
def describe(work: Work, scratch: Scratch) -> None:
    """Fill `scratch.feature` from a solved position."""
    number, feature, total = work.number, scratch.feature, scratch.total
    rows, cols = number[ROWS], number[COLS]
    feature[:] = 0.0
    classify(work, scratch.kind)
    _sum_cells(work, scratch)
    cost, alike = pairs(work, scratch.kind, scratch.uncertain)
    count, small, largest, closed = regions(rows, cols, scratch.kind, scratch.queue, scratch.seen)
    ready = 1.0 if total[_SAFE] else 0.0
    for place in range(3):
        feature[RISK + place] = (1.0 - ready) * scratch.least[place] * RISK_SCALE
    feature[0] = ready
    feature[4] = ready * scratch.least[0] * 4
    feature[5] = ready * scratch.least[1] * 4
    feature[6] = log1p(total[_SAFE])
    feature[7] = min(total[_USEFUL], 4.0) * 0.5
    feature[8] = log1p(total[_USEFUL])
    feature[9] = log1p(total[_FRESH])
    _count_mines(work, scratch, ready)
    feature[26] = number[PART_COUNT] / 5.0
    feature[27] = number[BOX_COUNT] / 20.0
    feature[28] = total[_ZEROS] / 10.0
    feature[29] = log1p(total[_ZEROS])
    feature[30] = total[_ALONE] / 2.0
    feature[31] = total[_DEAD] / 4.0
    feature[32] = cost
    feature[33] = alike / 2.0
    feature[34] = total[_CORNERS] * 0.5
    feature[35] = total[_SIDES] / 20.0
    feature[36] = count / 4.0
    feature[37] = small / 2.0
    feature[38] = largest / 100.0
    feature[39] = closed / 2.0


@compiled
def _count_mines(work: Work, scratch: Scratch, ready: float) -> None:
    """Features 10 to 25: how much is left, how dense it is, how many solutions there are."""
    number, feature, total = work.number, scratch.feature, scratch.total
    floating, perimeter = total[_FLOATING], total[_PERIMETER]
    room = floating + perimeter
    left = number[MINES_LEFT]
    risk = work.real[LOOSE_RISK] if floating else 0.0
    bits = log(work.real[SOLUTIONS]) / _LOG2 + number[EXPONENT_ALL]
    loose_bits = 0.0
    if 0.0 < risk < 1.0:
        loose_bits = -floating * (risk * log(risk) + (1 - risk) * log(1 - risk)) / _LOG2
    feature[10] = room / 100.0
    feature[11] = log1p(room) * 0.3
    feature[12] = floating / 100.0
    feature[13] = log1p(floating) * 0.3
    feature[14] = perimeter / 30.0
    feature[15] = risk * 4
    feature[16] = risk * risk * 10
    feature[17] = ready * risk * 4
    feature[18] = left / 40.0
    feature[19] = log1p(left) * 0.4
    feature[20] = left / room * 4 if room else 0.0
    feature[21] = bits / 100.0
    feature[22] = log1p(max(bits, 0.0)) * 0.3
    feature[23] = min(bits, 12.0) / 8.0
    feature[24] = (bits - loose_bits) / 20.0
    feature[25] = total[_ENTROPY] / 10.0


@compiled
def _sum_cells(work: Work, scratch: Scratch) -> None:
    """Go over the cells once: sums, bins, and the safest boxes."""
    p, kind, total = work.probability, scratch.kind, scratch.total
    rows, cols = work.number[ROWS], work.number[COLS]
    total[:] = 0.0
    scratch.least[:] = 1.0
    first_box = second_box = -2
    for cell in range(rows * cols):
        if kind[cell] == OPENED or kind[cell] == MINE:
            continue
        certain = _look_around(work, scratch, cell)
        around = scratch.uncertain[cell]
        if kind[cell] == SAFE:
            total[_SAFE] += 1.0
            total[_USEFUL] += around > 0
            total[_FRESH] += around * 0.1
            continue
        q = p[cell]
        alone = around + certain == 0
        if alone:
            total[_ALONE] += q * (1 - q) * 4
        box = -1
        if kind[cell] == FLOATING:
            total[_FLOATING] += 1.0
            row, col = cell // cols, cell % cols
            side = (row == 0) + (row == rows - 1) + (col == 0) + (col == cols - 1)
            total[_CORNERS] += side == 2
            total[_SIDES] += side == 1
        else:
            total[_PERIMETER] += 1.0
            total[_DEAD] += alone
            total[_ENTROPY] -= q * log(q) + (1 - q) * log(1 - q)
            box = work.cell[cell, BOX]
            _bin(scratch.feature, 0 if around + certain <= _FEW else 1, q, 1.0)
            _bin(scratch.feature, 2, q, 1.0 / work.box[box, SIZE])
        first_box, second_box = _rank(scratch.least, q, box, first_box, second_box)


@compiled
def _look_around(work: Work, scratch: Scratch, cell: int) -> int:
    """Count uncertain neighbours, and zeros to come; returns how many are proved safe."""
    p, kind = work.probability, scratch.kind
    rows, cols = work.number[ROWS], work.number[COLS]
    row, col = cell // cols, cell % cols
    uncertain = certain = 0
    clear = 1.0 - p[cell]
    for r in range(max(row - 1, 0), min(row + 2, rows)):
        for c in range(max(col - 1, 0), min(col + 2, cols)):
            other = r * cols + c
            if other == cell:
                continue
            if kind[other] >= FLOATING:
                uncertain += 1
                clear *= 1.0 - p[other]
            elif kind[other] == MINE:
                clear = 0.0
            elif kind[other] == SAFE:
                certain += 1
    scratch.uncertain[cell] = uncertain
    scratch.total[_ZEROS] += clear
    return certain


@compiled
def _rank(least: Floats, q: float, box: int, first_box: int, second_box: int) -> tuple[int, int]:
    """Keep the three least probabilities of different boxes; returns the boxes of the first two."""
    if q < least[0]:
        if box != first_box:
            least[2], least[1], second_box = least[1], least[0], first_box
        least[0] = q
        return box, second_box
    if box == first_box:
        return first_box, second_box
    if q < least[1]:
        if box != second_box:
            least[2] = least[1]
        least[1] = q
        return first_box, box
    if box != second_box and q < least[2]:
        least[2] = q
    return first_box, second_box


@compiled
def _bin(feature: Floats, table: int, q: float, weight: float) -> None:
    """Share a weight between the two bins next to a probability."""
    start = _GLOBALS + table * len(_BINS)
    upper = 1
    while upper < len(_BINS) - 1 and _BINS[upper] < q:
        upper += 1
    part = (q - _BINS[upper - 1]) / (_BINS[upper] - _BINS[upper - 1])
    feature[start + upper] += 0.25 * weight * part
    feature[start + upper - 1] += 0.25 * weight * (1.0 - part)
