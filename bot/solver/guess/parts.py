"""Features of what hangs together: components, regions, and what is shut off from the rest."""

from __future__ import annotations

from math import log, log1p, log2
from typing import Final

from bot.solver.compiled import compiled
from bot.solver.guess.layout import CERTAIN, FROM_PARTS, LOOSE, UNCERTAIN, Scratch
from bot.solver.guess.structure import FLOATING, SAFE
from bot.solver.kernel.workspace import (
    BOX_CELL,
    BOX_COUNT,
    COLS,
    EXPONENT,
    LENGTH,
    PART,
    PART_BOXES,
    PART_COUNT,
    ROWS,
    SIZE,
    TOTALS,
    Work,
)

_SMALL: Final = 4
_CLOSED: Final = 20
_KINDS: Final = 5
_OTHER, _NEW, _SAFE = 0, 1, 2


@compiled
def sum_parts(work: Work, scratch: Scratch) -> None:
    """Features of the components: what each will cost at the least, and how large it is."""
    p, part = work.probability, scratch.part
    parts = work.number[PART_COUNT]
    part[:parts] = 1.0
    apart_cost = apart = 0.0
    for box in range(work.number[BOX_COUNT]):
        own = work.box[box, PART]
        size = work.box[box, SIZE]
        cut_off = True
        for place in range(size):
            cell = work.box[box, BOX_CELL + place]
            if p[cell] < 1.0:
                part[own, 0] = min(part[own, 0], p[cell])
                if scratch.around[cell, LOOSE]:
                    part[own, 1] = 0.0
                cut_off &= scratch.around[cell, CERTAIN] == 0
                cut_off &= scratch.around[cell, UNCERTAIN] < size
        q = p[work.box[box, BOX_CELL]]
        if cut_off and 0.0 < q < 1.0:
            apart += 1.0
            apart_cost -= log(max(q, 1.0 - q)) * (1.0 if size == 1 else 1.5)
    out = scratch.feature[FROM_PARTS:]
    for at in range(parts):
        ways = 0.0
        for step in range(work.part[at, LENGTH]):
            ways += work.forward[work.part[at, TOTALS] + step]
        bits = log2(ways) + work.part[at, EXPONENT]
        if bits < 0.5:
            continue
        kind = 0 if bits < 1.1 else 1 if bits < 2.1 else 2 if bits < 4.0 else 3 if bits < 8 else 4
        shut = part[at, 1] > 0.0
        cost = -log(max(1.0 - part[at, 0], 1e-9))
        out[kind + (_KINDS if shut else 0)] += 0.5
        out[10] += cost
        out[11] += 2.0 * cost if shut else 0.0
        out[12] += 0.5 if work.part[at, LENGTH] == 1 else 0.0
        out[13] = max(out[13], work.part[at, PART_BOXES] / 20.0)
    out[14] = apart_cost
    out[15] = apart / 3.0


@compiled
def sum_regions(work: Work, scratch: Scratch) -> None:
    """Features of regions: uncertain cells that hang together."""
    rows, cols = work.number[ROWS], work.number[COLS]
    kind, queue, seen = scratch.kind, scratch.queue, scratch.seen
    width = cols + 2
    offsets = (-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1)
    length = (rows + 2) * width
    seen[:length] = _OTHER
    for row in range(rows):
        for col in range(cols):
            what = kind[row * cols + col]
            if what == SAFE:
                seen[(row + 1) * width + col + 1] = _SAFE
            elif what >= FLOATING:
                seen[(row + 1) * width + col + 1] = _NEW
    count = small = largest = closed = closed_cost = small_cost = 0.0
    for start in range(width + 1, length - width - 1):
        if seen[start] != _NEW:
            continue
        seen[start] = _OTHER
        queue[0] = start
        end = 1
        at = 0
        ways_in = 0
        least = 1.0
        while at < end:
            here = queue[at]
            at += 1
            least = min(least, work.probability[(here // width - 1) * cols + here % width - 1])
            for offset in offsets:
                other = seen[here + offset]
                ways_in += other == _SAFE
                if other == _NEW:
                    seen[here + offset] = _OTHER
                    queue[end] = here + offset
                    end += 1
        count += 1.0
        largest = max(largest, float(end))
        cost = -log(max(1.0 - least, 1e-9))
        if end <= _SMALL:
            small += 1.0
            small_cost += cost
        if ways_in == 0 and end <= _CLOSED:
            closed += 1.0
            closed_cost += cost
    out = scratch.feature[FROM_PARTS:]
    out[16] = count / 4.0
    out[17] = small / 2.0
    out[18] = log1p(largest) * 0.3
    out[19] = closed / 2.0
    out[20] = closed_cost
    out[21] = small_cost
