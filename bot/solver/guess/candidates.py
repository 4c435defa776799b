"""What is worth a look: cells nearly as safe as the safest one."""

from __future__ import annotations

from typing import Final

import numpy as np

from bot.solver.compiled import compiled
from bot.solver.kernel.workspace import COLS, ROWS, RULES, Floats, Ints, Work

BAND: Final = 0.1
"""How much of the safety of the safest cell may be given up."""
_WORK: Final = 40_000
"""About so many cells, over all candidates: fewer candidates on larger boards, 83 on Expert."""
_LEAST: Final = 4
_KINDS: Final = 10
_EQUAL: Final = 1e-12


@compiled
def gather(work: Work, cells: Ints, risks: Floats) -> int:
    """List the candidates on a board that has no safe cell, the safest first.

    Cells that touch a hint are all listed; of the floating ones only the likeliest zero of
    each kind: by how many uncertain perimeter cells they touch, else at a side or not.

    Args:
        work: The board, solved.
        cells: (cells,) gets flat indices.
        risks: (cells,) gets their mine probabilities.

    Returns:
        How many there are to look at.
    """
    rows, cols = work.number[ROWS], work.number[COLS]
    p = work.probability
    least = 1.0
    for cell in range(rows * cols):
        if p[cell] < least:  # noqa: PLR1730 - NaN where opened
            least = p[cell]
    bound = 1.0 - (1.0 - least) * (1.0 - BAND)
    count: int = 0
    zeros = np.full(_KINDS, -1.0)
    chosen = np.full(_KINDS, -1)
    for cell in range(rows * cols):
        if not p[cell] <= bound or p[cell] == 1.0:
            continue
        if work.cell[cell, RULES]:
            cells[count] = cell
            count += 1
            continue
        kind, zero = _floating(work, cell)
        if zero > zeros[kind] + _EQUAL:
            zeros[kind] = zero
            chosen[kind] = cell
    for kind in range(_KINDS):
        if chosen[kind] >= 0:
            cells[count] = chosen[kind]
            count += 1
    _sort(p, cells, risks, 0, count)
    most: int = max(_LEAST, _WORK // (rows * cols))
    return min(count, most)


@compiled
def all_others(work: Work, cells: Ints, risks: Floats, count: int) -> int:
    """List what `gather` left out as well, behind its candidates, the safest first.

    Args:
        work: The board, solved.
        cells: (cells,) as `gather` filled it.
        risks: (cells,) likewise.
        count: What `gather` returned.

    Returns:
        How many there are now: every cell that may be safe.
    """
    p = work.probability
    listed = np.zeros(len(p), np.bool_)
    for place in range(count):
        listed[cells[place]] = True
    end = count
    for cell in range(work.number[ROWS] * work.number[COLS]):
        if p[cell] < 1.0 and not listed[cell]:
            cells[end] = cell
            end += 1
    _sort(p, cells, risks, count, end)
    return end


@compiled
def _sort(p: Floats, cells: Ints, risks: Floats, begin: int, end: int) -> None:
    """Sort a part of the list by mine probability; equals stay as they were."""
    for place in range(begin, end):
        cell = cells[place]
        at = place
        while at > begin and risks[at - 1] > p[cell] + _EQUAL:
            risks[at] = risks[at - 1]
            cells[at] = cells[at - 1]
            at -= 1
        risks[at] = p[cell]
        cells[at] = cell


@compiled
def _floating(work: Work, cell: int) -> tuple[int, float]:
    """The kind of a floating cell, and about how likely it is a zero."""
    rows, cols = work.number[ROWS], work.number[COLS]
    p = work.probability
    row, col = cell // cols, cell % cols
    near = 0
    zero = 1.0 - p[cell]
    for r in range(max(row - 1, 0), min(row + 2, rows)):
        for c in range(max(col - 1, 0), min(col + 2, cols)):
            other = r * cols + c
            if other != cell and p[other] == p[other]:
                zero *= 1.0 - p[other]
                near += work.cell[other, RULES] > 0 and 0.0 < p[other] < 1.0
    if near:
        return min(near, _KINDS - 3), zero
    side = row == 0 or row == rows - 1 or col == 0 or col == cols - 1
    return _KINDS - 2 if side else _KINDS - 1, zero
