"""The features of a position for the value network: 197 numbers, all of order one.

`compute_features` writes 40 features of the whole board, 15 extremes over the cells (from
FROM_CELLS), 22 of components and regions (from FROM_COMPONENTS), and 10 histograms of 12 bins (from
FROM_HISTOGRAMS).

The factors in the formulas only bring the features to the same order. The network was trained with
these factors and limits, so changing one needs a new training
(`python -m tests.tools.train_guess`).
"""

from __future__ import annotations

from math import isnan, log, log1p, log2
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import inlined, internal_kernel, kernel, merged
from bot.solver.kernel.tables import (
    BOX,
    BOX_CELL,
    BOX_COUNT,
    COLS,
    COMPONENT,
    COMPONENT_BOXES,
    COMPONENT_COUNT,
    CONSTRAINTS,
    EXPONENT,
    FLOATING_RISK,
    LENGTH,
    MINES_LEFT,
    ROWS,
    SIZE,
    SOLUTIONS,
    SOLUTIONS_EXPONENT,
    TOTALS,
    Floats,
    Ints,
    Work,
)

BINS: Final = np.array([0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.75, 1.0])
"""Probabilities; a value between two bins counts partly in both."""
_UPPER: Final = np.searchsorted(BINS, np.arange(20) / 20 + 1e-6)
"""The bin above each twentieth."""
HISTOGRAMS: Final = 10
FROM_CELLS: Final = 40
"""Index of the first extreme over the cells."""
FROM_COMPONENTS: Final = 55
"""Index of the first feature of components."""
FROM_HISTOGRAMS: Final = 77
"""Index of the first histogram."""
FEATURES: Final = FROM_HISTOGRAMS + HISTOGRAMS * len(BINS)
RISK: Final = 1
"""Index of the least mine probability, times RISK_SCALE; 0 if a cell is proved safe."""
RISK_SCALE: Final = 4.0
_MOST_UNITS: Final = 256
"""Most units of a layer of the network."""

# Indices in `total`: sums over cells.
SAFE_CELLS: Final = 0
USEFUL: Final = 1
"""Cells proved safe that touch an uncertain cell."""
FRESH: Final = 2
"""Uncertain cells around cells proved safe, counted for each of these."""
FLOATING_CELLS: Final = 3
PERIMETER_CELLS: Final = 4
ZEROS: Final = 5
"""Expected number of zeros."""
ALONE: Final = 6
"""Uncertainty of cells whose neighbours are all opened or mines: 4 p (1 - p)."""
DEAD: Final = 7
"""Perimeter cells of that kind: opening one decides nothing else."""
CORNERS: Final = 8
"""Floating cells in corners."""
SIDES: Final = 9
"""Floating cells at sides."""
ENTROPY: Final = 10
"""Entropy of the perimeter cells, in nats, as if they were independent."""
SUMS: Final = 11

# Columns of `around`: the number of a cell's neighbours that are ...
UNCERTAIN: Final = 0
"""... neither opened nor certain."""
NEAR_FLOATING: Final = 1
"""... floating."""
CERTAIN: Final = 2
"""... proved safe."""

# Columns of `info`: the expected information of a cell's hint, with independent neighbours.
ZERO: Final = 0
"""Probability that the cell is a zero."""
RESOLVED: Final = 1
"""Probability that its hint decides all neighbours."""
SPREAD: Final = 2
"""Variance of the hint."""


class Scratch(NamedTuple):
    """The arrays needed to describe one position."""

    feature: Floats
    """(FEATURES,): the result."""
    kind: Ints
    """(cells,): the kind of each cell, OPENED to PERIMETER."""
    padded: Floats
    """(8, cells of the board with a border of one cell): scratch."""
    around: Ints
    """(cells, 3): counts of neighbours, by UNCERTAIN, NEAR_FLOATING and CERTAIN."""
    info: Floats
    """(cells, 3): by ZERO, RESOLVED and SPREAD."""
    component: Floats
    """(cells, 2): of each component its least mine probability, and 1 if it touches no floating
    cell."""
    queue: Ints
    """(cells,): scratch."""
    label: Ints
    """(cells with a border,): scratch."""
    total: Floats
    """(SUMS,): sums over all cells."""
    least: Floats
    """(3,): the least mine probabilities of different boxes; all floating cells are one box."""
    hidden: NDArray[np.float32]
    """(2, units): scratch of the network."""


def allocate_scratch(cells: int) -> Scratch:
    """Allocate the arrays for boards with up to so many cells."""
    return Scratch(
        np.zeros(FEATURES),
        np.zeros(cells, np.int32),
        np.zeros((8, 3 * cells + 6)),
        np.zeros((cells, 3), np.int32),
        np.zeros((cells, 3)),
        np.zeros((cells, 2)),
        np.zeros(cells, np.int32),
        np.zeros(3 * cells + 6, np.int32),
        np.zeros(SUMS),
        np.zeros(3),
        np.zeros((2, _MOST_UNITS), np.float32),
    )


@internal_kernel
def add_to_bins(feature: Floats, table: int, x: float, weight: float) -> None:
    """Add a weight to the two bins of a histogram next to `x`, 0..1."""
    start = FROM_HISTOGRAMS + table * len(BINS)
    upper = _UPPER[int(x * 19.999)]
    part = (x - BINS[upper - 1]) / (BINS[upper] - BINS[upper - 1])
    feature[start + upper] += 0.25 * weight * part
    feature[start + upper - 1] += 0.25 * weight * (1.0 - part)


OPENED: Final = 0
SAFE: Final = 1
"""Proved safe."""
MINE: Final = 2
"""Proved a mine."""
FLOATING: Final = 3
PERIMETER: Final = 4

_LEAST_ODDS: Final = 0.004
"""Pairs that are less likely to become a 50/50 are left out."""
_MOST_NEIGHBOURS: Final = 6
"""Uncertain neighbours of a cell; with more it hardly ever becomes part of a 50/50."""
_MOST_FOR_FLOATING_PAIR: Final = 8
"""Uncertain neighbours of two floating cells together, likewise."""


@merged
def classify(work: Work, kind: Ints) -> None:
    """Write the kind of each cell of a solved position to `kind` (cells,)."""
    p = work.probability
    for cell in range(work.number[ROWS] * work.number[COLS]):
        q = p[cell]
        if isnan(q):
            kind[cell] = OPENED
        elif q == 0.0:
            kind[cell] = SAFE
        elif q == 1.0:
            kind[cell] = MINE
        elif work.cell[cell, CONSTRAINTS] == 0:
            kind[cell] = FLOATING
        else:
            kind[cell] = PERIMETER


@merged
def sum_pairs(work: Work, kind: Ints, around: Ints) -> tuple[float, float]:
    """Estimate how many pairs of cells become a 50/50, and what they cost.

    Two cells under the same hints, exactly one of them a mine, are a 50/50 if every cell that
    touches only one of them is a mine.

    Args:
        work: The solved position.
        kind: (cells,) from `classify`.
        around: (cells, 3) from `sum_neighbours`.

    Returns:
        The sum of -log(1 - odds / 2) over all pairs, and the sum of the odds.
    """
    rows, cols = work.number[ROWS], work.number[COLS]
    cost = count = 0.0
    for box in range(work.number[BOX_COUNT]):
        size = work.box[box, SIZE]
        for place in range(size):
            first = work.box[box, BOX_CELL + place]
            if kind[first] != PERIMETER or around[first, UNCERTAIN] > _MOST_NEIGHBOURS:
                continue
            for later in range(place + 1, size):
                second = work.box[box, BOX_CELL + later]
                if around[second, UNCERTAIN] > _MOST_NEIGHBOURS or not _adjacent(
                    first, second, cols
                ):
                    continue
                odds = _pair_odds(work, kind, first, second)
                count += odds
                cost -= log(1.0 - 0.5 * odds)
    for first in range(rows * cols):
        if kind[first] != FLOATING or around[first, UNCERTAIN] > _MOST_NEIGHBOURS:
            continue
        for down in range(3):
            row = first // cols + down
            for right in range(-1 if down == 1 else 0, 3 - down):
                col = first % cols + right
                second = row * cols + col
                if row >= rows or not 0 <= col < cols or second == first:
                    continue
                if (
                    kind[second] == FLOATING
                    and around[first, UNCERTAIN] + around[second, UNCERTAIN]
                    <= _MOST_FOR_FLOATING_PAIR
                ):
                    odds = _pair_odds(work, kind, first, second)
                    count += odds
                    cost -= log(1.0 - 0.5 * odds)
    return cost, count


@internal_kernel
def _adjacent(first: int, second: int, cols: int) -> bool:
    """Return whether two cells touch, or lie two apart in a row or column."""
    down = abs(first // cols - second // cols)
    right = abs(first % cols - second % cols)
    return down * down + right * right in (1, 2, 4)


@internal_kernel
def _pair_odds(work: Work, kind: Ints, first: int, second: int) -> float:
    """Return the probability that two cells become a 50/50, as if cells were independent."""
    rows, cols = work.number[ROWS], work.number[COLS]
    p = work.probability
    a, b = p[first], p[second]
    odds: float = a * (1 - b) + b * (1 - a)
    if kind[first] == PERIMETER and work.box[work.cell[first, BOX], SIZE] == 2:
        odds = min(1.0, 2.0 * min(a, 1.0 - a))
    row1, col1, row2, col2 = first // cols, first % cols, second // cols, second % cols
    for r in range(max(row1 - 1, 0), min(row2 + 2, rows)):
        for c in range(max(min(col1, col2) - 1, 0), min(max(col1, col2) + 2, cols)):
            near1 = abs(r - row1) <= 1 and abs(c - col1) <= 1
            near2 = abs(r - row2) <= 1 and abs(c - col2) <= 1
            other = r * cols + c
            if near1 == near2 or other in (first, second) or kind[other] == MINE:
                continue
            if kind[other] == OPENED:
                return 0.0
            odds *= p[other]
        if odds < _LEAST_ODDS:
            return 0.0
    return min(odds, 1.0)


_FEW: Final = 2
"""Neighbours that are not opened, of a perimeter cell, for the first histogram."""
_WIDE: Final = 3
"""Floating neighbours of a perimeter cell that count as many."""
_DEEP: Final = 7
"""Uncertain neighbours of a floating cell far from the opened ones."""
_DEEPEST: Final = 8
"""Neighbours of a cell that is not at a side."""
_COUNTED: Final = np.array([0, 1 << 8, 1 << 12, 1 + (1 << 4), 1])
"""Each kind of cell as one neighbour: four bits for the number of each kind."""
_BAND: Final = 0.1
"""The share of the best safety that a candidate may give up, when the network was trained."""


@merged
def sum_cells(work: Work, scratch: Scratch) -> None:
    """Compute totals, histograms and the safest boxes."""
    p, kind, total = work.probability, scratch.kind, scratch.total
    rows, cols = work.number[ROWS], work.number[COLS]
    feature, info = scratch.feature, scratch.info
    sum_neighbours(work, scratch)
    total[:] = 0.0
    scratch.least[:] = 1.0
    first_box = second_box = -2
    zeros = loose_cells = 0.0
    pockets = FROM_HISTOGRAMS + 9 * len(BINS)
    for cell in range(rows * cols):
        if kind[cell] == OPENED or kind[cell] == MINE:
            continue
        around, certain = scratch.around[cell, UNCERTAIN], scratch.around[cell, CERTAIN]
        zeros += info[cell, ZERO]
        if kind[cell] == SAFE:
            total[SAFE_CELLS] += 1.0
            total[USEFUL] += around > 0
            total[FRESH] += around * 0.1
            add_to_bins(feature, 6, info[cell, ZERO], 1.0)
            if around:
                add_to_bins(feature, 5, info[cell, RESOLVED], 1.0)
                add_to_bins(feature, 7, min(info[cell, SPREAD] * 0.5, 1.0), 1.0)
            continue
        q = p[cell]
        alone = around + certain == 0
        if alone:
            total[ALONE] += q * (1 - q) * 4
        box = -1
        if kind[cell] == FLOATING:
            loose_cells += 1.0
            feature[pockets + around] += 0.05
            if around == _DEEPEST and scratch.around[cell, NEAR_FLOATING] == _DEEPEST:
                first_box, second_box = _keep_least(scratch.least, q, box, first_box, second_box)
                continue
            if scratch.around[cell, NEAR_FLOATING] < around or certain:
                add_to_bins(feature, 8, info[cell, ZERO], 1.0)
        else:
            total[PERIMETER_CELLS] += 1.0
            total[DEAD] += alone
            total[ENTROPY] -= q * log(q) + (1 - q) * log(1 - q)
            box = work.cell[cell, BOX]
            add_to_bins(feature, 0 if around + certain <= _FEW else 1, q, 1.0)
            add_to_bins(feature, 2, q, 1.0 / work.box[box, SIZE])
            if scratch.around[cell, NEAR_FLOATING]:
                add_to_bins(feature, 3, q, 1.0)
            add_to_bins(feature, 4, (1.0 - q) * info[cell, RESOLVED], 1.0)
        first_box, second_box = _keep_least(scratch.least, q, box, first_box, second_box)
    total[ZEROS], total[FLOATING_CELLS] = zeros, loose_cells
    _count_edges(rows, cols, kind, total)


@internal_kernel
def _count_edges(rows: int, cols: int, kind: Ints, total: Floats) -> None:
    """Count floating cells in corners and at sides."""
    for col in range(cols):
        total[SIDES] += (kind[col] == FLOATING) + (kind[(rows - 1) * cols + col] == FLOATING)
    for row in range(rows):
        total[SIDES] += (kind[row * cols] == FLOATING) + (kind[row * cols + cols - 1] == FLOATING)
    for cell in (0, cols - 1, (rows - 1) * cols, rows * cols - 1):
        total[CORNERS] += kind[cell] == FLOATING
    total[SIDES] -= 2 * total[CORNERS]


@internal_kernel
def sum_neighbours(work: Work, scratch: Scratch) -> None:
    """Compute `around` and `info` from sums and products over three by three cells."""
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
            scratch.around[cell, NEAR_FLOATING] = packed >> 4 & 15
            scratch.around[cell, CERTAIN] = packed >> 8 & 15
            q = p[cell]
            scratch.info[cell, ZERO] = none[place] if packed < _COUNTED[MINE] else 0.0
            settled = 0.0
            if uncertain:
                own = q if what >= FLOATING else 1.0
                settled = none[place] / (1.0 - q) + every[place] / own
            scratch.info[cell, RESOLVED] = settled
            scratch.info[cell, SPREAD] = max(spread[place] - q * (1.0 - q), 0.0)


@internal_kernel
def _box_sums(values: Floats, across: Floats, width: int) -> None:
    """Replace each value by the sum over its 3x3 neighbourhood; `across` is scratch."""
    _add_three(values, values[1:], values[2:], across[1:], len(values) - 2)
    _add_three(across, across[width:], across[2 * width :], values[width:], len(values) - 2 * width)


@inlined
def _add_three(one: Floats, two: Floats, three: Floats, sums: Floats, count: int) -> None:
    # Of slices from 0 on, so that the compiler uses vector instructions.
    for place in range(count):
        sums[place] = one[place] + two[place] + three[place]


@internal_kernel
def _box_products(values: Floats, across: Floats, width: int) -> None:
    """Replace each value by the product over its 3x3 neighbourhood; `across` is scratch."""
    _multiply_three(values, values[1:], values[2:], across[1:], len(values) - 2)
    _multiply_three(
        across, across[width:], across[2 * width :], values[width:], len(values) - 2 * width
    )


@inlined
def _multiply_three(one: Floats, two: Floats, three: Floats, products: Floats, count: int) -> None:
    for place in range(count):
        products[place] = one[place] * two[place] * three[place]


@internal_kernel
def _keep_least(
    least: Floats, q: float, box: int, first_box: int, second_box: int
) -> tuple[int, int]:
    """Keep the three least probabilities of different boxes; return the boxes of the first two."""
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


@merged
def compute_extremes(work: Work, scratch: Scratch) -> None:
    """Compute fifteen features: the extremes over the cells."""
    p, kind, info, around = work.probability, scratch.kind, scratch.info, scratch.around
    touching = openings = zero_safe = open_safe = zero = deep = 0.0
    zero_near = settling_near = spread_near = near = spread_safe = spread_most = 0.0
    narrow = wide = living = 1.0
    bound = 1.0 - (1.0 - scratch.least[0]) * (1.0 - _BAND)
    for cell in range(work.number[ROWS] * work.number[COLS]):
        if kind[cell] == OPENED or kind[cell] == MINE:
            continue
        near_floating = around[cell, NEAR_FLOATING]
        zero = max(zero, info[cell, ZERO])
        if kind[cell] == SAFE:
            open_safe += near_floating > 0
            openings += info[cell, ZERO]
            zero_safe = max(zero_safe, info[cell, ZERO])
            spread_safe += info[cell, SPREAD]
            spread_most = max(spread_most, info[cell, SPREAD])
            continue
        q = p[cell]
        deep += kind[cell] == FLOATING and around[cell, UNCERTAIN] >= _DEEP
        if around[cell, UNCERTAIN] + around[cell, CERTAIN]:
            living = min(living, q)
        if kind[cell] == PERIMETER and near_floating:
            touching += 1.0
            narrow = min(narrow, q)
            if near_floating >= _WIDE:
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


_SMALL: Final = 4
"""Most cells of a small region."""
_CLOSED: Final = 20
"""Most cells of a region that counts as closed."""
_KINDS: Final = 5
"""Classes of components by their number of placements."""
_NO_REGION: Final = -1
"""The label of a cell that is not uncertain, and of the border."""


@merged
def sum_components(work: Work, scratch: Scratch) -> None:
    """Compute the features of the components: their least cost and their size."""
    p, part = work.probability, scratch.component
    parts = work.number[COMPONENT_COUNT]
    part[:parts] = 1.0
    apart_cost = apart = 0.0
    for box in range(work.number[BOX_COUNT]):
        own = work.box[box, COMPONENT]
        size = work.box[box, SIZE]
        cut_off = True
        for place in range(size):
            cell = work.box[box, BOX_CELL + place]
            if p[cell] < 1.0:
                part[own, 0] = min(part[own, 0], p[cell])
                if scratch.around[cell, NEAR_FLOATING]:
                    part[own, 1] = 0.0
                cut_off &= scratch.around[cell, CERTAIN] == 0
                cut_off &= scratch.around[cell, UNCERTAIN] < size
        q = p[work.box[box, BOX_CELL]]
        if cut_off and 0.0 < q < 1.0:
            apart += 1.0
            apart_cost -= log(max(q, 1.0 - q)) * (1.0 if size == 1 else 1.5)
    out = scratch.feature[FROM_COMPONENTS:]
    for at in range(parts):
        ways = 0.0
        for step in range(work.component[at, LENGTH]):
            ways += work.forward[work.component[at, TOTALS] + step]
        bits = log2(ways) + work.component[at, EXPONENT]
        if bits < 0.5:
            continue
        kind = 0 if bits < 1.1 else 1 if bits < 2.1 else 2 if bits < 4.0 else 3 if bits < 8 else 4
        shut = part[at, 1] > 0.0
        cost = -log(max(1.0 - part[at, 0], 1e-9))
        out[kind + (_KINDS if shut else 0)] += 0.5
        out[10] += cost
        out[11] += 2.0 * cost if shut else 0.0
        out[12] += 0.5 if work.component[at, LENGTH] == 1 else 0.0
        out[13] = max(out[13], work.component[at, COMPONENT_BOXES] / 20.0)
    out[14] = apart_cost
    out[15] = apart / 3.0


@merged
def sum_regions(work: Work, scratch: Scratch) -> None:
    """Compute the features of regions: connected uncertain cells."""
    regions = _label_regions(work, scratch)
    parent, size, least = scratch.queue, scratch.padded[0], scratch.padded[1]
    near_safe = scratch.padded[2]
    # The first of the regions that were joined is the last to be reached.
    for region in range(regions - 1, -1, -1):
        first = parent[region]
        if first != region:
            size[first] += size[region]
            least[first] = min(least[first], least[region])
            near_safe[first] = max(near_safe[first], near_safe[region])
    count = small = largest = closed = closed_cost = small_cost = 0.0
    for region in range(regions):
        if parent[region] != region:
            continue
        count += 1.0
        largest = max(largest, size[region])
        cost = -log(max(1.0 - least[region], 1e-9))
        if size[region] <= _SMALL:
            small += 1.0
            small_cost += cost
        if near_safe[region] == 0.0 and size[region] <= _CLOSED:
            closed += 1.0
            closed_cost += cost
    out = scratch.feature[FROM_COMPONENTS:]
    out[16] = count / 4.0
    out[17] = small / 2.0
    out[18] = log1p(largest) * 0.3
    out[19] = closed / 2.0
    out[20] = closed_cost
    out[21] = small_cost


@internal_kernel
def _label_regions(work: Work, scratch: Scratch) -> int:
    """Give each region a number, row by row.

    Writes each one's parent to `queue` (itself, or an earlier region that it belongs to), its size,
    its least mine probability, and whether it touches a cell proved safe to `padded`.

    Returns:
        How many numbers there are.
    """
    rows, cols = work.number[ROWS], work.number[COLS]
    kind, parent, label = scratch.kind, scratch.queue, scratch.label
    size, least, near_safe = scratch.padded[0], scratch.padded[1], scratch.padded[2]
    width = cols + 2
    label[: (rows + 2) * width] = _NO_REGION
    regions = 0
    for cell in range(rows * cols):
        if kind[cell] < FLOATING:
            continue
        place = (cell // cols + 1) * width + cell % cols + 1
        own = label[place - width]
        if own == _NO_REGION:
            # The cells to the left belong together, and with the one above if it is uncertain.
            own = max(label[place - 1], label[place - width - 1])
            other = label[place - width + 1]
            if own == _NO_REGION:
                own = other
            elif other != _NO_REGION:
                _join(parent, own, other)
        if own == _NO_REGION:
            own = regions
            parent[own], size[own], least[own], near_safe[own] = own, 0.0, 1.0, 0.0
            regions += 1
        label[place] = own
        size[own] += 1.0
        least[own] = min(least[own], work.probability[cell])
    for cell in range(rows * cols):
        if kind[cell] == SAFE:
            place = (cell // cols + 1) * width + cell % cols + 1
            for middle in (place - width, place, place + width):
                for near in range(middle - 1, middle + 2):
                    if label[near] != _NO_REGION:
                        near_safe[label[near]] = 1.0
    return regions


@internal_kernel
def _join(parent: Ints, one: int, other: int) -> None:
    """Join two regions: the later one gets the earlier one as its parent."""
    while parent[one] != one:
        one = parent[one]
    while parent[other] != other:
        other = parent[other]
    parent[max(one, other)] = min(one, other)


_LOG2: Final = log(2.0)
_EXPERT_CELLS: Final = 480.0


@kernel
def compute_features(work: Work, scratch: Scratch) -> None:
    """Compute `scratch.feature` of a solved position."""
    number, feature, total = work.number, scratch.feature, scratch.total
    cells = number[ROWS] * number[COLS]
    feature[:] = 0.0
    classify(work, scratch.kind)
    sum_cells(work, scratch)
    compute_extremes(work, scratch)
    sum_components(work, scratch)
    sum_regions(work, scratch)
    cost, alike = sum_pairs(work, scratch.kind, scratch.around)
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
    _describe_mines(work, scratch, ready)
    feature[26] = number[COMPONENT_COUNT] / 5.0
    feature[27] = number[BOX_COUNT] / 20.0
    feature[28] = total[ZEROS] / 10.0
    feature[29] = log1p(total[ZEROS])
    feature[30] = total[ALONE] / 2.0
    feature[31] = total[DEAD] / 4.0
    feature[32] = cost
    feature[33] = alike / 2.0
    feature[34] = total[CORNERS] * 0.5
    feature[35] = total[SIDES] / 20.0
    feature[36] = cells / _EXPERT_CELLS
    feature[37] = (total[FLOATING_CELLS] + total[PERIMETER_CELLS]) / cells
    feature[38] = cost * ready
    feature[39] = min(total[SAFE_CELLS], 1.5) - ready


@merged
def _describe_mines(work: Work, scratch: Scratch, ready: float) -> None:
    """Compute features 10 to 25: uncertain cells, mine density, number of solutions."""
    number, feature, total = work.number, scratch.feature, scratch.total
    floating, perimeter = total[FLOATING_CELLS], total[PERIMETER_CELLS]
    room = floating + perimeter
    left = number[MINES_LEFT]
    risk = work.real[FLOATING_RISK] if floating else 0.0
    bits = log(work.real[SOLUTIONS]) / _LOG2 + number[SOLUTIONS_EXPONENT]
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
