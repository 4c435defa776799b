"""Features of single cells: what each may tell, and which are the best to open."""

from __future__ import annotations

from math import log, log1p
from typing import Final

import numpy as np

from bot.solver.compiled import compiled
from bot.solver.guess.layout import (
    ALONE,
    BINS,
    CERTAIN,
    CORNERS,
    DEAD,
    ENTROPY,
    FRESH,
    FROM_CELLS,
    FROM_TABLES,
    LOOSE,
    LOOSE_CELLS,
    PERIMETER_CELLS,
    RESOLVED,
    SAFE_CELLS,
    SIDES,
    SPREAD,
    UNCERTAIN,
    USEFUL,
    ZERO,
    ZEROS,
    Scratch,
    put,
)
from bot.solver.guess.structure import FLOATING, MINE, OPENED, PERIMETER, SAFE
from bot.solver.kernel.workspace import BOX, COLS, ROWS, SIZE, Floats, Ints, Work

_FEW: Final = 2
_WIDE: Final = 3
_DEEP: Final = 7
_DEEPEST: Final = 8
_COUNTED: Final = np.array([0, 1 << 8, 1 << 12, 1 + (1 << 4), 1])
"""What each kind of cell adds to the number that counts neighbours, four bits for a kind."""
_BAND: Final = 0.1
"""Cells that give up so much of the safest one's safety are candidates."""


@compiled
def sum_cells(work: Work, scratch: Scratch) -> None:
    """Go over the cells once: sums, tables, and the safest boxes."""
    p, kind, total = work.probability, scratch.kind, scratch.total
    rows, cols = work.number[ROWS], work.number[COLS]
    feature, info = scratch.feature, scratch.info
    look_around(work, scratch)
    total[:] = 0.0
    scratch.least[:] = 1.0
    first_box = second_box = -2
    zeros = loose_cells = 0.0
    pockets = FROM_TABLES + 9 * len(BINS)
    for cell in range(rows * cols):
        if kind[cell] == OPENED or kind[cell] == MINE:
            continue
        around, certain = scratch.around[cell, UNCERTAIN], scratch.around[cell, CERTAIN]
        zeros += info[cell, ZERO]
        if kind[cell] == SAFE:
            total[SAFE_CELLS] += 1.0
            total[USEFUL] += around > 0
            total[FRESH] += around * 0.1
            put(feature, 6, info[cell, ZERO], 1.0)
            if around:
                put(feature, 5, info[cell, RESOLVED], 1.0)
                put(feature, 7, min(info[cell, SPREAD] * 0.5, 1.0), 1.0)
            continue
        q = p[cell]
        alone = around + certain == 0
        if alone:
            total[ALONE] += q * (1 - q) * 4
        box = -1
        if kind[cell] == FLOATING:
            loose_cells += 1.0
            feature[pockets + around] += 0.05
            if around == _DEEPEST and scratch.around[cell, LOOSE] == _DEEPEST:
                first_box, second_box = _rank(scratch.least, q, box, first_box, second_box)
                continue
            if scratch.around[cell, LOOSE] < around or certain:
                put(feature, 8, info[cell, ZERO], 1.0)
        else:
            total[PERIMETER_CELLS] += 1.0
            total[DEAD] += alone
            total[ENTROPY] -= q * log(q) + (1 - q) * log(1 - q)
            box = work.cell[cell, BOX]
            put(feature, 0 if around + certain <= _FEW else 1, q, 1.0)
            put(feature, 2, q, 1.0 / work.box[box, SIZE])
            if scratch.around[cell, LOOSE]:
                put(feature, 3, q, 1.0)
            put(feature, 4, (1.0 - q) * info[cell, RESOLVED], 1.0)
        first_box, second_box = _rank(scratch.least, q, box, first_box, second_box)
    total[ZEROS], total[LOOSE_CELLS] = zeros, loose_cells
    _edges(rows, cols, kind, total)


@compiled
def _edges(rows: int, cols: int, kind: Ints, total: Floats) -> None:
    """Count floating cells in corners and at sides."""
    for col in range(cols):
        total[SIDES] += (kind[col] == FLOATING) + (kind[(rows - 1) * cols + col] == FLOATING)
    for row in range(rows):
        total[SIDES] += (kind[row * cols] == FLOATING) + (kind[row * cols + cols - 1] == FLOATING)
    for cell in (0, cols - 1, (rows - 1) * cols, rows * cols - 1):
        total[CORNERS] += kind[cell] == FLOATING
    total[SIDES] -= 2 * total[CORNERS]


@compiled
def look_around(work: Work, scratch: Scratch) -> None:
    """Fill `around` and `info` by sums and products over three by three cells."""
    p, kind = work.probability, scratch.kind
    rows, cols = work.number[ROWS], work.number[COLS]
    width = cols + 2
    length = (rows + 2) * width
    count, none, every, spread = (
        scratch.padded[0, :length],
        scratch.padded[1, :length],
        scratch.padded[2, :length],
        scratch.padded[3, :length],
    )
    count[:] = 0.0
    none[:] = 1.0
    every[:] = 1.0
    spread[:] = 0.0
    for row in range(rows):
        for col in range(cols):
            what = kind[row * cols + col]
            place = (row + 1) * width + col + 1
            if what >= FLOATING:
                q = p[row * cols + col]
                none[place] = 1.0 - q
                every[place] = q
                spread[place] = q * (1.0 - q)
            count[place] = _COUNTED[what]
    _box_sums(count, scratch.padded[4, :length], width)
    _box_sums(spread, scratch.padded[5, :length], width)
    _box_products(none, scratch.padded[6, :length], width)
    _box_products(every, scratch.padded[7, :length], width)
    for row in range(rows):
        for col in range(cols):
            cell = row * cols + col
            what = kind[cell]
            if what in (OPENED, MINE):
                continue
            place = (row + 1) * width + col + 1
            packed = int(count[place]) - _COUNTED[what]
            uncertain = packed & 15
            scratch.around[cell, UNCERTAIN] = uncertain
            scratch.around[cell, LOOSE] = packed >> 4 & 15
            scratch.around[cell, CERTAIN] = packed >> 8 & 15
            q = p[cell]
            scratch.info[cell, ZERO] = none[place] if packed < _COUNTED[MINE] else 0.0
            settled = 0.0
            if uncertain:
                own = q if what >= FLOATING else 1.0
                settled = none[place] / (1.0 - q) + every[place] / own
            scratch.info[cell, RESOLVED] = settled
            scratch.info[cell, SPREAD] = max(spread[place] - q * (1.0 - q), 0.0)


@compiled
def _box_sums(values: Floats, across: Floats, width: int) -> None:
    """Sum over each cell and all around; `across` is scratch."""
    for place in range(len(values) - 2):
        across[place + 1] = values[place] + values[place + 1] + values[place + 2]
    for place in range(len(values) - 2 * width):
        values[place + width] = across[place] + across[place + width] + across[place + 2 * width]


@compiled
def _box_products(values: Floats, across: Floats, width: int) -> None:
    """The same with products."""
    for place in range(len(values) - 2):
        across[place + 1] = values[place] * values[place + 1] * values[place + 2]
    for place in range(len(values) - 2 * width):
        values[place + width] = across[place] * across[place + width] * across[place + 2 * width]


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
def pick_out(work: Work, scratch: Scratch) -> None:
    """Fifteen features: the best ways from what is known to what is not."""
    p, kind, info, around = work.probability, scratch.kind, scratch.info, scratch.around
    touching = openings = zero_safe = open_safe = zero = deep = 0.0
    zero_near = settling_near = spread_near = near = spread_safe = spread_most = 0.0
    narrow = wide = living = 1.0
    bound = 1.0 - (1.0 - scratch.least[0]) * (1.0 - _BAND)
    for cell in range(work.number[ROWS] * work.number[COLS]):
        if kind[cell] == OPENED or kind[cell] == MINE:
            continue
        loose = around[cell, LOOSE]
        zero = max(zero, info[cell, ZERO])
        if kind[cell] == SAFE:
            open_safe += loose > 0
            openings += info[cell, ZERO]
            zero_safe = max(zero_safe, info[cell, ZERO])
            spread_safe += info[cell, SPREAD]
            spread_most = max(spread_most, info[cell, SPREAD])
            continue
        q = p[cell]
        deep += kind[cell] == FLOATING and around[cell, UNCERTAIN] >= _DEEP
        if around[cell, UNCERTAIN] + around[cell, CERTAIN]:
            living = min(living, q)
        if kind[cell] == PERIMETER and loose:
            touching += 1.0
            narrow = min(narrow, q)
            if loose >= _WIDE:
                wide = min(wide, q)
        if q <= bound:
            near += 1.0
            zero_near = max(zero_near, info[cell, ZERO])
            settling_near = max(settling_near, (1.0 - q) * info[cell, RESOLVED])
            spread_near = max(spread_near, info[cell, SPREAD])
    out = scratch.feature[FROM_CELLS:]
    out[0] = touching / 20.0
    out[1] = narrow * 4
    out[2] = wide * 4
    out[3] = living * 4
    out[4] = log1p(openings)
    out[5] = zero_safe * 2
    out[6] = log1p(open_safe)
    out[7] = zero * 2
    out[8] = deep / 100.0
    out[9] = log1p(near) * 0.3
    out[10] = zero_near * 2
    out[11] = settling_near * 2
    out[12] = spread_near
    out[13] = log1p(spread_safe)
    out[14] = spread_most
