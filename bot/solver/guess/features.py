"""What the value function sees of a position: some 200 numbers, all of order one."""

from __future__ import annotations

from math import log, log1p
from typing import Final

from bot.solver.compiled import compiled
from bot.solver.guess.cells import pick_out, sum_cells
from bot.solver.guess.layout import (
    ALONE,
    CORNERS,
    DEAD,
    ENTROPY,
    FRESH,
    LOOSE_CELLS,
    PERIMETER_CELLS,
    RISK,
    RISK_SCALE,
    SAFE_CELLS,
    SIDES,
    USEFUL,
    ZEROS,
    Scratch,
)
from bot.solver.guess.parts import sum_parts, sum_regions
from bot.solver.guess.structure import classify, pairs
from bot.solver.kernel.workspace import (
    BOX_COUNT,
    COLS,
    EXPONENT_ALL,
    LOOSE_RISK,
    MINES_LEFT,
    PART_COUNT,
    ROWS,
    SOLUTIONS,
    Work,
)

_LOG2: Final = log(2.0)
_LARGE: Final = 480.0


@compiled
def describe(work: Work, scratch: Scratch) -> None:
    """Fill `scratch.feature` from a solved position."""
    number, feature, total = work.number, scratch.feature, scratch.total
    cells = number[ROWS] * number[COLS]
    feature[:] = 0.0
    classify(work, scratch.kind)
    sum_cells(work, scratch)
    pick_out(work, scratch)
    sum_parts(work, scratch)
    sum_regions(work, scratch)
    cost, alike = pairs(work, scratch.kind, scratch.around)
    ready = 1.0 if total[SAFE_CELLS] else 0.0
    for place in range(3):
        feature[RISK + place] = (1.0 - ready) * scratch.least[place] * RISK_SCALE
    feature[0] = ready
    feature[4] = ready * scratch.least[0] * 4
    feature[5] = ready * scratch.least[1] * 4
    feature[6] = log1p(total[SAFE_CELLS])
    feature[7] = min(total[USEFUL], 4.0) * 0.5
    feature[8] = log1p(total[USEFUL])
    feature[9] = log1p(total[FRESH])
    _count_mines(work, scratch, ready)
    feature[26] = number[PART_COUNT] / 5.0
    feature[27] = number[BOX_COUNT] / 20.0
    feature[28] = total[ZEROS] / 10.0
    feature[29] = log1p(total[ZEROS])
    feature[30] = total[ALONE] / 2.0
    feature[31] = total[DEAD] / 4.0
    feature[32] = cost
    feature[33] = alike / 2.0
    feature[34] = total[CORNERS] * 0.5
    feature[35] = total[SIDES] / 20.0
    feature[36] = cells / _LARGE
    feature[37] = (total[LOOSE_CELLS] + total[PERIMETER_CELLS]) / cells
    feature[38] = cost * ready
    feature[39] = min(total[SAFE_CELLS], 1.5) - ready


@compiled
def _count_mines(work: Work, scratch: Scratch, ready: float) -> None:
    """Features 10 to 25: how much is left, how dense it is, how many solutions there are."""
    number, feature, total = work.number, scratch.feature, scratch.total
    floating, perimeter = total[LOOSE_CELLS], total[PERIMETER_CELLS]
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
    feature[25] = total[ENTROPY] / 10.0
